"""Numbers of things in what people read."""

from __future__ import annotations


def counted(n: int, one: str, many: str | None = None) -> str:
    """Return the number with what is counted.

    >>> counted(1, "copy", "copies"), counted(1200, "line")
    ('1 copy', '1,200 lines')
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"
