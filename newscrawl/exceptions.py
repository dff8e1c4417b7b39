"""The project's errors: what a user did wrong, in one line each."""


class NewscrawlError(Exception):
    """Base of everything newscrawl raises on purpose."""


class UserError(NewscrawlError, ValueError):
    """A value from the user is not accepted.

    The message is one line that names the value and what is accepted instead; commands print it and
    exit with a non-zero status, without a traceback.
    """


class StorageError(NewscrawlError):
    """The database cannot be used: wrong schema version, unreachable, or full."""
