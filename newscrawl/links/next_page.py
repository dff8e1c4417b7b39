"""Where an article, or a list, goes on: its next page, and the address that shows all of it."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from newscrawl.languages.patterns import WordPattern, fold_case
from newscrawl.languages.tables import words
from newscrawl.urls.canonical import absolute, base_address
from newscrawl.urls.series import next_in_script, numbered_in, same_host, series_and_number, whole_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.document import Document

MAX_LABEL_CHARS: Final = 30
"""Longer link texts are headlines."""
MAX_LINKS: Final = 5_000
"""Links that are looked at; the largest of 9,000 labelled pages has fewer."""
HEADLINE_LETTERS: Final = 20.0
"""A link text of so many letters that names no page is a headline; an ideograph counts 2.5."""

_COUNT: Final = WordPattern(r"(?: {links.page_of} \d+)?(?: ?\(\d+/\d+\))?$", re.IGNORECASE)
"""What may follow the name of a next page: *next page of 3*, 下一页(2/3)."""
_NEXT_TITLED: Final = WordPattern(r"{links.next_titled}\s?[:：»>｜|–—-].+", re.IGNORECASE)
"""The next page by its own title: ``次ページ：…``."""
_ARROW: Final = re.compile(r"[>›»→▶►]{1,2}")
_EDGES: Final = " \t\r\n\u00a0　[]()（）【】<>《》‹›«»→←▶►|:：….-–—·*"
_NEXT_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:next|nextpage|next-page|page-next|pagenxt|pnext|pgnext)(?:$|[\s_-])", re.IGNORECASE
)
_OTHER_ARTICLE: Final = WordPattern(
    "{links.other,links.next_story}|post-nav|nav-next|article-nav|post-navigation", re.IGNORECASE
)
_TURNS_PICTURES: Final = re.compile(r"slide|carousel|swiper", re.IGNORECASE)
"""Class of an arrow that shows the next picture on the same page."""
_PAGE_NUMBER: Final = WordPattern(
    r"{~links.page}?\s*(\d{1,3})\s*{links.page_end}?|(?:{links.page_before} )?{links.page} (\d{1,3})\s?[:：–—-].+",
    re.IGNORECASE,
)
"""All of a link's text: a page's number, with or without the word; or that with the page's own title."""
_PAGED: Final = WordPattern(r"\W*(?:{links.next}|{links.previous})", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")


class Continuation(NamedTuple):
    """The other pages of an article."""

    next_url: str | None = None
    whole_url: str | None = None
    """The address that shows all of it."""
    earlier_url: str | None = None


ONE_PAGE: Final = Continuation()
_COUNTER: Final = re.compile(r"(?<![\d/.:-])(\d{1,2})\s?/\s?(\d{1,2})(?![\d/.:-])")


class _Sign(IntEnum):
    """What a link promises by its relation, text or class; the surest first."""

    STATED = 0  # in the page's head
    WHOLE = 1
    RELATED = 2
    CALLED = 3
    SCRIPTED = 4
    WEAK = 5  # an arrow, or a class name that says next
    NUMBERED = 6
    COUNTED = 7  # of any name, on a page that counts itself: 1/4


_WEAK_SIGNS: Final = (_Sign.WEAK, _Sign.COUNTED)


def continuation(document: Document) -> Continuation:
    """Return where the other pages of the document's article are.

    The next page must be on the same host and of the same series (``series_key``), one number up; links to the next
    *article* do not count. The whole text on one page is told where no better sign names the next page.
    """
    found = _candidates(document, hub=False)
    if all(sign in _WEAK_SIGNS for sign, _ in found):
        found = [(_Sign.CALLED, url) for _, url in found if _counts_on(document, url)]
    sign, url = _best(found)
    whole = url if sign is _Sign.WHOLE else None
    following = url if whole is None else _best([one for one in found if one[0] is not _Sign.WHOLE])[1]
    return Continuation(following, whole, earlier_page(document))


def _best(found: Sequence[tuple[_Sign, str]]) -> tuple[_Sign | None, str | None]:
    """Return the first of the best; None for lone arrows, which turn pictures or teasers."""
    is_weak = all(sign in _WEAK_SIGNS for sign, _ in found)
    return (None, None) if is_weak else min(found, key=itemgetter(0))


def _counts_on(document: Document, url: str) -> bool:
    """Tell whether the page says which of several it is, *2/5*, and an address is of the one behind it."""
    number = series_and_number(url)[1] or 0
    text = "" if document.root is None else " ".join(document.root.itertext())
    return any(int(match[1]) + 1 == number <= int(match[2]) for match in _COUNTER.finditer(text))


def next_of_list(document: Document) -> str | None:
    """Return where a list goes on: an address on the same host."""
    return min(_candidates(document, hub=True), key=itemgetter(0), default=(None, None))[1]


def _candidates(document: Document, *, hub: bool) -> list[tuple[_Sign, str]]:
    """Return what may be the next page, or for an article the whole; what has the same sign in document order."""
    url = document.url
    if not url:
        return []
    base = document.once(base_address) or url
    # what stands in each address of the series that names its path
    name = "" if hub else whole_key(url).partition("?")[0].partition("/")[2].rpartition("/")[2]
    name = name if name.isascii() and "%" not in name else ""
    found: list[tuple[_Sign, str]] = []
    for element in chain(document.by_tag["a"][:MAX_LINKS], document.by_tag["link"], document.by_tag["script"]):
        is_script = element.tag == "script"
        href = next_in_script(element.text or "") if is_script else element.get("href")
        if not href or href.startswith(("#", "javascript:", "mailto:")) or _names_another(href, name):
            continue
        sign = _Sign.SCRIPTED if is_script else _sign_of(element)
        if (
            sign is None
            or (hub and sign is _Sign.WHOLE)
            or (sign is _Sign.COUNTED and (hub or not _DIGITS.search(href)))
        ):
            continue
        address = (absolute(href, base) or "").partition("#")[0]
        if same_host(address, url) and _leads_on(address, url, sign, element, hub=hub):
            found.append((sign, address))
    return found


def _names_another(href: str, name: str) -> bool:
    """Tell by its host or path alone that a link leads to another series: most links of a page do."""
    return name not in href and href.startswith(("/", "http"))


def _sign_of(element: HtmlElement) -> _Sign | None:
    """Return what an ``a`` or ``link`` promises; None where it is nothing of the kind."""
    is_next = "next" in (element.get("rel") or "").lower().split()
    if element.tag == "link":
        return _Sign.STATED if is_next else None
    text = _text(element)
    if len(text) > MAX_LABEL_CHARS:
        return _Sign.RELATED if is_next else None
    label = _label(element, text)
    said = _said_by(label)
    if is_next and said is not _Sign.WHOLE:
        return _Sign.RELATED
    is_weak = not said and (_NEXT_CLASS.search(element.get("class") or "") or (not label and _ARROW.fullmatch(text)))
    return _Sign.WEAK if is_weak else said or _Sign.COUNTED


def _leads_on(address: str, url: str, sign: _Sign, element: HtmlElement, *, hub: bool) -> bool:
    """Tell whether an address on the page's host can be what the link to it promises."""
    if sign is _Sign.WHOLE:
        return _shows_all(address, url)
    if sign is _Sign.NUMBERED and (number := _PAGE_NUMBER.fullmatch(_label(element, _text(element)))):
        return _is_number(int(number[1] or number[2]), address, url)
    is_next = _fits(address, url, hub=hub)
    if (
        is_next
        and sign is _Sign.WEAK
        and _TURNS_PICTURES.search(f"{element.get('class') or ''} {element.get('id') or ''}")
    ):
        return False
    return is_next and (sign is _Sign.SCRIPTED or not _leads_elsewhere(element, address, hub=hub))


@lru_cache(maxsize=8192)
def _said_by(label: str) -> _Sign | None:
    """Tell what a link's text promises. A site's menus have the same ones on each page."""
    folded = fold_case(label)
    if folded in _labels("links.whole"):
        return _Sign.WHOLE
    is_called = fold_case(_COUNT.sub("", label, 1)) in _labels("links.next") or _NEXT_TITLED.fullmatch(label)
    if is_called or any(name in folded for name in _plain_names()):
        return _Sign.CALLED
    return _Sign.NUMBERED if _PAGE_NUMBER.fullmatch(label) else None


@cache
def _labels(group: str) -> frozenset[str]:
    """Return the words of a group that are all of a link's text."""
    return frozenset(map(fold_case, words(group)))


@cache
def _plain_names() -> tuple[str, ...]:
    """Return names of a next page that say so within a longer label, too: *go to the next page*, 点击进入下一页."""
    return tuple(name for name in _labels("links.next") if " " in name or (name[0] >= "\u2e80" and len(name) > 2))


def _text(element: HtmlElement) -> str:
    text = element.text or ""
    if len(element):
        text = "".join(element.itertext())
    return " ".join(text.split())


def _label(element: HtmlElement, text: str) -> str:
    """Return what a link is called: its text, else its label, its title, its image's alternative text."""
    if label := text.strip(_EDGES):
        return label
    name = element.get("aria-label") or element.get("title")
    if not name:
        image = element.find(".//img[@alt]")
        name = image.get("alt") if image is not None else None
    return (name or "").strip(_EDGES)[:MAX_LABEL_CHARS]


def _leads_elsewhere(element: HtmlElement, address: str, *, hub: bool) -> bool:
    """Tell whether a link's words say that it leads to the next article."""
    said = f"{_text(element)} {element.get('title') or ''}"
    if not hub:
        if _is_headline(element, series_and_number(address)[1] or 1):
            return True
        said += f" {element.get('class') or ''} {element.get('id') or ''}"
    return _OTHER_ARTICLE.search(said) is not None


def _is_headline(element: HtmlElement, number: int) -> bool:
    """Tell whether a link's text names an article rather than its page ``number``."""
    text = _text(element) or element.get("title") or ""
    letters = sum(2.5 if char >= "\u2e80" else 1.0 for char in text if char.isalpha())
    return letters >= HEADLINE_LETTERS and not (_PAGED.match(text) or str(number) in _DIGITS.findall(text))


def _is_number(number: int, address: str, url: str) -> bool:
    """Tell whether a link's text is the next number, and its address of the same series one up."""
    key, there = series_and_number(address)
    here_key, here = numbered_in(key, url)
    if number != (here or 1) + 1 and not (here is not None and number == here + 2):
        return False
    steps_up = there is not None and (there == here + 1 if here is not None else there in {1, 2})
    return key == here_key and steps_up


def _shows_all(address: str, url: str) -> bool:
    """Tell whether an address is of the same series with a marker, or without this page's number."""
    if address == url.partition("#")[0] or whole_key(address) != whole_key(url):
        return False
    has_marker = whole_key(address) != series_and_number(address)[0] or urlsplit(address).query != urlsplit(url).query
    return has_marker or series_and_number(address)[1] != series_and_number(url)[1]


def earlier_page(document: Document) -> str | None:
    """Return the lowest page of the article's series that this one links to, where this is a later one; else None.

    The page's own address must have a number of 2 or more, and a link must lead to the same series one number down.
    """
    url = document.url
    if not url:
        return None
    key, here = series_and_number(url)
    if here is None or here < 2:
        return None
    base = document.once(base_address)
    name = key.partition("?")[0].partition("/")[2].rpartition("/")[2]
    earlier: dict[int, str] = {}
    for element in document.by_tag["a"]:
        href = element.get("href") or ""
        if _names_another(href, name):
            continue
        address = absolute(href, base)
        if address is None or not same_host(address, url):
            continue
        other, there = numbered_in(key, address)
        if other == key and not _is_headline(element, there or 1) and (there or 1) < here:
            earlier.setdefault(there or 1, address.partition("#")[0])
    return earlier[min(earlier)] if here - 1 in earlier else None


def _fits(address: str, url: str, *, hub: bool) -> bool:
    """Tell whether ``address``, on the same host, can be the page after ``url``."""
    if address == url.partition("#")[0]:
        return False
    key, there = series_and_number(address)
    here_key, here = numbered_in(key, url)
    if hub:
        return key != here_key or there is None or there > (here or 0)
    if key != here_key or there is None:
        return False
    return there in {1, 2} if here is None else there == here + 1
