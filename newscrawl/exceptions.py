"""The project's errors: what a user did wrong, in one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class NewscrawlError(Exception):
    """Base of everything newscrawl raises on purpose."""


class UserError(NewscrawlError, ValueError):
    """A value from the user is not accepted.

    The message is one line that names the value and what is accepted instead; commands print it and
    exit with a non-zero status, without a traceback.
    """


class MistakesError(UserError):
    """Several values of one file are not accepted: each has its line."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


class StorageError(NewscrawlError):
    """The database cannot be used: wrong schema version, unreachable, or full."""
