"""What addresses have in common: their pattern, what words one holds, and how a host spells its own."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from newscrawl.urls.canonical import without_index
from newscrawl.urls.shape import ARTICLE_WORDS, HUB_WORDS, is_other_word

_DIGITS: Final = re.compile(r"\d+")
_LONG_NUMBER: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)(?:[-/_](\d\d?)(?!\d))?|(\d{3,})")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_NAMED: Final = HUB_WORDS | ARTICLE_WORDS
_SEPARATORS: Final = re.compile(r"[-_/.?&=+%]+")
MAX_SEGMENTS: Final = 6
MAX_FOLDER: Final = 40
MAX_SCRIPT: Final = 20
"""Letters of the name of a script, which the query follows."""


def _is_named(segment: str) -> bool:
    """Tell whether a part of a path names a kind of pages."""
    return segment in _NAMED or is_other_word(segment)


def url_pattern(url: str) -> str:
    """Return the address with all that names one page masked: pages of one pattern are made by one template.

    >>> url_pattern("http://e.org/tag/iphone/page/2/"), url_pattern("http://e.org/2014/08/some-title/")
    ('e.org/tag/*/page/#/', 'e.org/#/#/*/')
    >>> url_pattern("http://e.org/view.php?id=77"), url_pattern("http://e.org/weather.html")  # a script, and a page
    ('e.org/view.php?id', 'e.org/*.html')
    """
    head, _, query = url.partition("#")[0].partition("://")[2].partition("?")  # as urlsplit, in less time
    host, *segments = without_index(head).split("/")
    masked: list[str] = []
    for segment in segments[:MAX_SEGMENTS]:
        short = _DIGITS.sub("#", segment)
        if short != segment:
            short = short if len(short) <= 20 and "%" not in segment else "*"
        elif segment and (masked or len(segment) > 20) and not _is_named(segment.lower()):
            short = "*"
        masked.append(short)
    if masked and masked[-1] and "#" not in masked[-1]:
        stem, dot, extension = segments[-1].rpartition(".")
        is_script = query and stem.isascii() and stem.isalpha() and len(stem) <= MAX_SCRIPT
        has_ending = dot and len(extension) <= 6 and stem
        masked[-1] = f"{stem if is_script else '*'}{dot}{extension}" if has_ending else "*"
    names = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    return "/".join((host, *masked)) + ("?" + "&".join(names[:5]) if names else "")


@lru_cache(maxsize=1 << 14)
def numbered_forms(url: str) -> tuple[str, str]:
    """Return the pattern with its first long number's year or first digit kept, and with month or two digits kept.

    Pages of one template die by age: a site drops the posts of some years, or those below some number.

    >>> numbered_forms("http://e.org/2014/08/some-title/")
    ('e.org/#/#/*/|2014', 'e.org/#/#/*/|2014/08')
    >>> numbered_forms("http://e.org/post/4228/"), numbered_forms("http://e.org/tag/x/page/12/")
    (('e.org/post/#/|4:4', 'e.org/post/#/|4:42'), ('e.org/tag/*/page/#/|', 'e.org/tag/*/page/#/|'))
    """
    pattern = url_pattern(url)
    number = _LONG_NUMBER.search(url.partition("://")[2].partition("/")[2])
    if number is None:
        return f"{pattern}|", f"{pattern}|"
    year, month, digits = number.groups()
    if year:
        return f"{pattern}|{year}", f"{pattern}|{year}/{month or ''}"
    return f"{pattern}|{len(digits)}:{digits[0]}", f"{pattern}|{len(digits)}:{digits[:2]}"


@lru_cache(maxsize=1 << 14)
def address_form(url: str) -> str:
    """Return the address's pattern, a number within a slug masked with the slug: addresses made by one template.

    >>> address_form("http://e.org/2018/09/fixing-chrome-69-urls/"), address_form("http://e.org/article-77-1.html")
    ('e.org/#/#/*/', 'e.org/article-#-#.html')
    """
    pattern = url_pattern(url)
    path, question, query = pattern.partition("?")
    head, slash, last = path.rstrip("/").rpartition("/")
    stem, dot, extension = last.rpartition(".") if "." in last else (last, "", "")
    if not head or "#" not in stem or len(_WORDS.findall(stem)) < 2:
        return pattern
    return f"{head}{slash}*{dot}{extension}{'/' * path.endswith('/')}{question}{query}"


def address_folder(url: str) -> str:
    """Return the address's form below its very folder, of which digits alone are masked.

    >>> address_folder("http://e.org/law/offices/123.html")
    'e.org/law/offices/#.html'
    """
    form = address_form(url)
    path, end = url.partition("#")[0].partition("?")[0].partition("://")[2].rstrip("/"), "/" * form.endswith("/")
    return _DIGITS.sub("#", path.rpartition("/")[0]) + "/" + form.rstrip("/").rpartition("/")[2] + end


@lru_cache(maxsize=1 << 14)
def mask(url: str) -> str:
    """Return the address with digits and slugs masked, parameter values left out: what is counted against a budget.

    >>> mask("http://example.org/2024/03/05/a-long-headline.html?id=7&page=2")
    'example.org/#/#/#/*.html?id&page'
    """
    head, _, query = url.partition("#")[0].partition("://")[2].partition("?")
    host, *segments = head.split("/")
    names = sorted({pair.partition("=")[0] for pair in query.split("&") if pair})
    return "/".join((host, *map(_mask_segment, segments))) + ("?" + "&".join(names) if names else "")


_ONLY_NUMBERS: Final = re.compile(r"[,._:/-]*+\d[\d,._:/-]*+")
_ENDING_NUMBERS: Final = re.compile(r"(?:[-_/.]?\d{1,20}+){1,20}+(?=(?:\.[a-z]{2,5})?/?$)", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def counted_family(url: str) -> str:
    """Return the masked path without the numbers at its end, and the parameters that are no numbers.

    The days, months and years of a calendar are one family.

    >>> counted_family("http://e.org/agenda/2024/05/18"), counted_family("http://e.org/agenda/2024")
    ('e.org/agenda#', 'e.org/agenda#')
    >>> counted_family("http://e.org/day.php?view=a&y=2024&m=5"), counted_family("http://e.org/day.php?view=b")
    ('e.org/day.php?view=a&#', 'e.org/day.php?view=b')
    """
    path, _, query = url.partition("#")[0].partition("://")[2].partition("?")
    host, slash, path = path.partition("/")
    segments = _ENDING_NUMBERS.sub("#", slash + path).removesuffix("/").split("/")
    pairs = [pair for pair in query.split("&") if pair]
    named = sorted(pair for pair in pairs if not _ONLY_NUMBERS.fullmatch(pair.partition("=")[2]))
    names = "&".join([*named, *(["#"] if len(named) < len(pairs) else [])])
    return "/".join([host + segments[0], *map(_mask_segment, segments[1:])]) + (f"?{names}" if names else "")


@lru_cache(maxsize=16_384)
def _mask_segment(segment: str) -> str:
    stem, dot, extension = segment.rpartition(".")
    if not dot or len(extension) > 6:
        stem, dot, extension = segment, "", ""
    # a name made for one page is long, has escaped letters, words joined by hyphens, or a code of letters and digits
    letters, digits = sum(map(str.isalpha, stem)), sum(map(str.isdigit, stem))
    is_slug = len(stem) > 24 or "%" in stem or (stem.count("-") + stem.count("_") >= 2 and letters > digits)
    if is_slug or (len(stem) >= 8 and letters >= 2 and digits >= 2):
        return "*" + dot + extension
    return _DIGITS.sub("#", stem) + dot + _DIGITS.sub("#", extension)


@lru_cache(maxsize=8192)
def url_words(url: str) -> str:
    """Return the words of the path and query, unescaped, as text.

    >>> url_words("http://e.org/tags/%E6%89%8B%E6%9C%BA/cell-phones.html")
    'tags 手机 cell phones'
    """
    head, _, query = url.partition("://")[2].partition("?")
    head = without_index(head).partition("/")[2]
    stem, dot, extension = head.rpartition(".")
    if dot and extension.isalnum() and len(extension) <= 5:
        head = stem
    return " ".join(_SEPARATORS.sub(" ", f"{unquote(head)} {unquote(query)}").split())


@lru_cache(maxsize=8192)
def folder_names(url: str) -> tuple[str, ...]:
    """Return the words of each folder of an address that names a part of the site, not a date or a kind of page.

    >>> folder_names("http://e.org/news/cell-phones/2014/08/some-title/index.html")
    ('cell phones',)
    """
    path = without_index(url.partition("#")[0].partition("?")[0].partition("://")[2])
    folders = path.rstrip("/").split("/")[1:-1]
    names = (unquote(folder) for folder in folders if not _is_named(folder.lower()) and not _DIGITS.search(folder))
    return tuple(" ".join(_SEPARATORS.sub(" ", name).split()) for name in names if len(name) <= MAX_FOLDER)


@lru_cache(maxsize=1 << 14)
def hash_of(url: str) -> int:
    """Return a hash of an address that is the same in every run."""
    return zlib.crc32(url.encode("utf-8", "replace"))


@lru_cache(maxsize=1 << 14)
def folded(url: str) -> str:
    """Return what is the same for all addresses that one page is likely to have: no scheme, ``www``, index file, slash.

    >>> folded("https://www.e.org/x/index.html") == folded("http://e.org/x/") == folded("http://e.org/x")
    True
    """
    head, question, query = url.partition("#")[0].partition("://")[2].partition("?")
    return without_index(head.removeprefix("www.")).rstrip("/") + question + query


LEAST: Final = 2
"""Redirects of one kind, without an answer that contradicts them, before links are written so."""
MAX_NAMES: Final = 5_000
TWINS: Final = 3
"""Pages of a host that are the same under two addresses, before its others are asked for under one."""
MAX_TEXTS: Final = 20_000
"""Articles remembered, to see which addresses give the same."""


class AddressForms:
    """Scheme and host, final slash and index file: what a host's redirects change, by host and address pattern.

    A host that answers alike with and without ``www``, scheme and index file is asked by the spelling it answered
    first.
    """

    def __init__(self) -> None:
        self._hosts: dict[str, list[Any]] = {}
        """Host without ``www`` → origin it answered first, answers, folders below its home page that it answered."""
        self._origins: dict[str, list[Any]] = {}
        self._slashes: dict[str, list[int]] = {}
        self._twins: dict[str, list[int]] = {}
        """Host without ``www`` → 1 where its pages are asked for with a final slash, witnesses, pages that differ."""
        self._texts: dict[str, tuple[str, int]] = {}
        """Address without scheme, ``www``, final slash and index file → an address of it, and what its text is."""

    def note(self, asked: str, answered: str) -> None:
        """Learn from an answered address; the two are the same where nothing was redirected."""
        old, new = urlsplit(asked), urlsplit(answered)
        origin, led = f"{old.scheme}://{old.netloc}", f"{new.scheme}://{new.netloc}"
        bare = [without_index(path).rstrip("/") for path in (old.path, new.path)]
        if bare[0] != bare[1] or old.query != new.query:
            return
        name = new.netloc.removeprefix("www.")
        if len(self._hosts) < MAX_NAMES or name in self._hosts:
            row = self._hosts.setdefault(name, [led, 0, 0])
            row[1] += row[0] == led
            row[2] += len(new.path) > 1 and new.path.endswith("/")
        if len(self._origins) < MAX_NAMES or origin in self._origins:
            counts = self._origins.setdefault(origin, [led, 0])
            self._origins[origin] = [led, counts[1] + 1 if counts[0] == led else 1]
        if not old.path.endswith("/"):
            pattern = _pattern(asked)
            if len(self._slashes) < MAX_NAMES or pattern in self._slashes:
                row = self._slashes.setdefault(pattern, [0, 0])
                row[new.path != old.path and new.path.endswith("/")] += 1

    def note_own(self, url: str, own: str) -> None:
        """Learn from the address that a page calls its own."""
        if url != own and folded(url) == folded(own):
            self._witness(own)

    def note_text(self, url: str, text: str) -> None:
        """Learn from an article: two addresses with one text are one page, with two texts they are two."""
        key, facts = folded(url), (url, hash(text))
        before = self._texts.setdefault(key, facts)
        if before is facts and len(self._texts) > MAX_TEXTS:
            del self._texts[next(iter(self._texts))]
        if before[0] == url:
            return
        if before[1] == facts[1]:
            self._witness(before[0])
        elif len(self._twins) < MAX_NAMES:
            self._twins.setdefault(_host(url), [0, 0, 0])[2] += 1

    def _witness(self, own: str) -> None:
        if len(self._twins) < MAX_NAMES or _host(own) in self._twins:
            row = self._twins.setdefault(_host(own), [0, 0, 0])
            row[0] = row[0] if row[1] else int(own.endswith("/"))
            row[1] += 1

    def spell(self, url: str) -> str:
        """Return the spelling that the host would lead to, or under which its pages are known.

        The address stays as it is where pages of the host differ by their spelling.
        """
        has_slash, n_alike, n_other = self._twins.get(_host(url), (0, 0, 0))
        if n_other >= TWINS and n_other > n_alike:
            return url
        scheme, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        led, n = self._origins.get(f"{scheme}://{host}", ("", 0))
        origin = led if n >= LEAST else f"{scheme}://{host}"
        if "?" not in path and not path.endswith("/"):
            kept, changed = self._slashes.get(_pattern(url), (0, 0))
            if changed >= LEAST and not kept:
                path = (without_index(slash + path).rstrip("/") + "/").removeprefix("/")
        if n_alike >= TWINS and "?" not in path and "." not in path:
            path = path.rstrip("/") + "/" * bool(has_slash and path)
        first, n, n_folders = self._hosts.get(origin.partition("://")[2].removeprefix("www."), (origin, 0, 0))
        if n_folders >= LEAST:
            path = without_index(slash + path).removeprefix("/")
        return f"{first if n >= LEAST else origin}{slash}{path}"

    def state(self) -> dict[str, Any]:
        return {"hosts": self._hosts, "origins": self._origins, "slashes": self._slashes, "twins": self._twins}

    def restore(self, state: dict[str, Any]) -> None:
        self._hosts = {name: list(row) for name, row in state["hosts"].items()}
        self._origins = {name: list(row) for name, row in state["origins"].items()}
        self._slashes = {name: list(row) for name, row in state["slashes"].items()}
        self._twins = {name: list(row) for name, row in state.get("twins", {}).items()}


@lru_cache(maxsize=1 << 14)
def _host(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")


def _pattern(url: str) -> str:
    """Return what addresses of one kind have in common; those with an index file are a kind of their own."""
    path = url.partition("?")[0]
    return url_pattern(path) + ("|index" if without_index(path) != path else "")
