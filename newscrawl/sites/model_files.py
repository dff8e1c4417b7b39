"""Models that users trained for single sites: ``NAME.npz`` in the folder of the user's sites, beside ``NAME.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def model_path(site: str, folder: Path) -> Path:
    """Return where a site's model is, if it has one.

    :raises ValueError: for a name that is no file's.
    """
    if "/" in site or "\\" in site or site.startswith("."):
        raise ValueError(f"{site!r} is no name of a file")
    return folder / f"{site}.npz"


def model_for(site: str | None, folder: Path) -> str | None:
    """Return the path of a site's model; None for a site without one."""
    try:
        path = None if site is None else model_path(site, folder)
    except ValueError:
        return None
    return str(path) if path is not None and path.is_file() else None
