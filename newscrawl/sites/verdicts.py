"""What a user says that pages of a site are: ``NAME.pages.json`` beside the site's ``NAME.toml``.

A verdict decides for its address. For other addresses of the same form it is evidence, as a site's patterns are: where
at least :data:`AGREEING` verdicts of the form say the same, and none says something else.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from newscrawl.console.files import make_folder, read_text, write_text
from newscrawl.exceptions import UserError
from newscrawl.sites.toml import file_beside
from newscrawl.urls.shape import UrlKind, url_form

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from newscrawl.sites.model import NewsSite

#: What a page may be said to be.
KINDS: Final = (UrlKind.ARTICLE, UrlKind.HUB, UrlKind.OTHER)
#: Verdicts that make a rule of a form. One may be of a page that is unlike its neighbours.
AGREEING: Final = 2


def verdicts_path(site: str, folder: Path) -> Path:
    """Return where the verdicts of a site are.

    :raises ValueError: for a name that is no file's.
    """
    return file_beside(site, folder, ".pages.json")


def read_verdicts(site: str, folder: Path) -> dict[str, UrlKind]:
    """Return address → what its page is said to be, in the order said.

    :raises UserError: the file is no object of addresses and kinds.
    """
    path = verdicts_path(site, folder)
    if not path.is_file():
        return {}
    accepted = ", ".join(KINDS)
    text = read_text(path, what=str(path), absent=f"no file {path}")
    try:
        said = json.loads(text)
        found = {str(url): UrlKind(kind) for url, kind in said.items()}
    except (ValueError, AttributeError):
        raise UserError(f"{path}: expected one JSON object of addresses and {accepted}") from None
    if not set(found.values()) <= set(KINDS):
        raise UserError(f"{path}: a page is one of {accepted}")
    return found


def set_verdict(site: str, folder: Path, url: str, kind: UrlKind | None) -> None:
    """Note what a page is; None takes a verdict back."""
    verdicts = read_verdicts(site, folder)
    verdicts.pop(url, None)
    if kind is not None:
        verdicts[url] = kind
    make_folder(folder)
    write_text(verdicts_path(site, folder), json.dumps(verdicts, ensure_ascii=False, indent=1) + "\n")


def with_verdicts(site: NewsSite, folder: Path) -> NewsSite:
    """Return the site with what its user says of its pages.

    :raises UserError: the file has mistakes.
    """
    verdicts = read_verdicts(site.name, folder)
    if not verdicts:
        return site
    pages = {url.partition("://")[2] or url: kind for url, kind in verdicts.items()}
    return replace(site, page_verdicts=MappingProxyType(pages), form_verdicts=MappingProxyType(agreed_forms(pages)))


def agreed_forms(pages: Mapping[str, UrlKind]) -> dict[str, UrlKind]:
    """Return form → kind, where the verdicts agree.

    :param pages: address without its scheme → what it is said to be.
    """
    said: defaultdict[str, list[UrlKind]] = defaultdict(list)
    for target, kind in pages.items():
        said[url_form(target)].append(kind)
    return {form: kinds[0] for form, kinds in said.items() if len(kinds) >= AGREEING and len(set(kinds)) == 1}
