"""Whether the packages are there that a harvest does without."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from newscrawl.exceptions import UserError

#: Packages of requirements-lab.txt.
_PACKAGES: Final = ("sklearn", "scipy", "readability", "tinycss2", "cssselect2")


def is_installed(*packages: str) -> bool:
    return all(find_spec(package) is not None for package in packages)


def require_lab(what: str) -> None:
    """Refuse to go on where a package of the laboratory is missing.

    :raises UserError: naming what to install.
    """
    if not is_installed(*_PACKAGES):
        raise UserError(f"{what} needs scikit-learn and others: pip install -r requirements-lab.txt")
