"""Next pages that the paging script of TRS, which most Chinese government sites use, writes into the page."""

from __future__ import annotations

import re
from typing import Final

_PAGER: Final = re.compile(
    r"createPageHTML\w*\(\s*(?P<place>[\"'][^\"']*[\"']\s*,\s*)?(?P<pages>\d{1,4})\s*,\s*(?P<page>\d{1,4})\s*,"
    r"\s*[\"'](?P<name>[\w-]{1,80})[\"']\s*,\s*[\"'](?P<extension>\w{2,5})[\"']"
)
"""TRS's call for links to the pages of a list. Where the place to write them to comes first, pages count from 1, else
from 0; the second page is called ``index_1`` or ``index_2`` for that.
"""
_PAGER_PAGE: Final = re.compile(r"\bcurrentPage\s*=\s*(\d{1,4})\s*[;,/]")
_PAGER_PAGES: Final = re.compile(r"\bcountPage\s*=\s*(\d{1,4})\s*[;,/]")
_PAGER_NAME: Final = re.compile(
    r"""\b(\w{1,80})["']?\s{0,9}\+?\s{0,9}["']?_["']\s*\+\s*nextPage\s*\+\s*["']\.["']?\s*\+?\s*["']?(\w{2,5})\b"""
)
"""The same written out, as older pages have it."""


def next_in_script(text: str) -> str | None:
    """Return the relative address of the next page, of a list or an article, None where the script writes none.

    >>> [next_in_script(f"createPageHTML(3, {page}, 'index', 'html');") for page in (0, 2)]
    ['index_1.html', None]
    """
    if "Page" not in text:
        return None
    call = _PAGER.search(text) if "createPageHTML" in text else None
    if call is not None:
        following = int(call["page"]) + 1
        is_last = following >= int(call["pages"]) + bool(call["place"])
        return None if is_last else f"{call['name']}_{following}.{call['extension']}"
    pages, page = _PAGER_PAGES.search(text), _PAGER_PAGE.search(text)
    name = _PAGER_NAME.search(text) if pages and page else None
    if not (pages and page and name) or int(page[1]) + 1 >= int(pages[1]):
        return None
    return f"{name[1]}_{int(page[1]) + 1}.{name[2]}"
