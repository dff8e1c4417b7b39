"""Files a user names: missing folders are made, and what cannot be written is said in one line."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path

CHROMIUM_VARIABLE: Final = "NEWSCRAWL_CHROMIUM"
"""The environment's, which names the browser that renders pages."""
CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def make_folder(folder: Path) -> None:
    """Make the folder, and those above it: before the work, so that none is done for a file that cannot be written.

    :raises UserError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a file; missing folders are made. What UTF-8 cannot hold, half a surrogate pair, becomes ``?``.

    :raises UserError: it cannot be written.
    """
    make_folder(path.parent)
    try:
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def find_chromium() -> str | None:
    """Return the browser that the environment names, else one on the path; None where there is none."""
    return os.environ.get(CHROMIUM_VARIABLE) or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
