"""Titles of pages that show no story: of errors, log-ins, requests for consent, notices, and pages about the site.

A status of HTTP is such a title in any language. Other words are those of ``languages``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.tables import words
from newscrawl.languages.text import fold, folded_words
from newscrawl.outcomes import Rejection

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_HEADING: Final = 90
"""Most characters of a heading that may say that there is no story."""
MAX_SITE: Final = 25
"""Most characters of a site's name before the title of one of its pages."""
LONG_TITLE: Final = 10
"""Least characters of an error's title that stands within a longer line; ``WIDE_TITLE`` beyond ASCII."""
WIDE_TITLE: Final = 5

_GROUPS: Final[Mapping[str, Rejection]] = {
    "pages.notices": Rejection.NOTICE, "pages.consent": Rejection.CONSENT, "pages.login": Rejection.LOGIN,
    "pages.errors": Rejection.SOFT_404,
}  # fmt: skip
"""A word of several groups is of the last."""
_STATUS: Final = re.compile(r"(?:http|error)*(?:40[0-9]|41[0-9]|429|451|50[0-9]|52[0-9])(?:error)?")
_AROUND: Final = re.compile(r"^(?:\d|error)+|\d+$")
_TITLE_END: Final = re.compile(r"(?<!\s)\s*+[|–—_»«·]|\s-|(?<=[\u3000-\u9fff])-")


def absence_named(title: str) -> Rejection | None:
    """Return why a page has no story whose heading, or title, says nothing else; numbers beside it do not matter.

    >>> absence_named("404. Page not found!"), absence_named("The page not found for years")
    (<Rejection.SOFT_404: 'soft_404'>, None)
    """
    if len(title) > MAX_HEADING:
        return None
    folded = fold(title)
    if _STATUS.fullmatch(folded):
        return Rejection.SOFT_404
    known = _absences()
    return known.get(folded) or known.get(_AROUND.sub("", folded))


def names_no_story(title: str) -> bool:
    """Tell whether the title of a page names an error or a page about the site, before or behind the site's name."""
    first, *rest = (part.strip() for part in _TITLE_END.split(title))
    names = [first, *rest] if len(rest) == 1 and len(first) <= MAX_SITE else [first]
    return any(fold(name) in folded_words("pages.about") or absence_named(name) for name in names)


def holds_error(line: str) -> bool:
    """Tell whether a line is, or holds, the title of an error page."""
    folded = line.casefold()
    return absence_named(line) is Rejection.SOFT_404 or any(title in folded for title in _long_errors())


@cache
def _absences() -> Mapping[str, Rejection]:
    """Return folded title → reason."""
    return {title: reason for group, reason in _GROUPS.items() for title in folded_words(group) if title}


@cache
def _long_errors() -> tuple[str, ...]:
    titles = frozenset(map(str.casefold, words("pages.errors")))
    return tuple(title for title in titles if len(title) >= (LONG_TITLE if title.isascii() else WIDE_TITLE))
