"""What a crawl learns of each host's addresses: parameters that change nothing, sessions in paths, and https."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


#: Pages that must call the address without a parameter their own before the parameter is left out of others. Also the
#: addresses of a host that must lead to their https form before the host's other links are written with https.
WITNESSES: Final = 3
#: Hosts of which something is learnt; a crawl of the open web sees any number.
MAX_HOSTS: Final = 10_000
MAX_NAMES: Final = 100
"""Parameters of one host."""
MAX_KEPT: Final = 100_000
"""Parameters known to make another page, of all hosts."""
MAX_READ: Final = 20_000
"""Articles remembered."""
#: Parameters that make another page, whatever the page calls canonical: templates forget them.
_PAGES: Final = frozenset(
    """page paged pageno pagenum pageindex pg p pn start offset seite pagina side strona cpage id lang language locale
    hl q s query search sort order filter view tab""".split()
)
_SHORT_NUMBER: Final = 4
_FIRST: Final = ("0", "1")


class ParameterWatch:
    """Learns from canonical addresses, redirects and equal texts which parameters a host's pages do not depend on.

    An article asked for with ``?from=list`` that calls the same address without it canonical is a witness. An article
    that keeps the parameter in its canonical address clears the parameter for good. The address without it must look
    like an article's: some templates forget the query, and call ``/news/view.php`` each article's own.
    """

    def __init__(self) -> None:
        self._witnesses: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._kept: set[tuple[str, str]] = set()
        self._hosts: dict[str, int] = defaultdict(int)
        self._read: dict[str, tuple[str, int, int]] = {}

    def find_needed(self, known: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """Return those of the known parameters that a page, seen since, depends on."""
        return known & self._kept

    def sees(self, asked: str, own: str) -> frozenset[tuple[str, str]]:
        """Take in a page; return the parameters, as host and name, that are known from now on to change nothing.

        :param asked: the address asked for, canonical in spelling.
        :param own: the address that the page calls its own, or to which it redirected; in the same spelling.
        """
        head, _, query = asked.partition("?")
        own_head, _, own_query = own.partition("?")
        if not query or _bare(head) != _bare(own_head):
            return frozenset()
        host, pairs, own_pairs = urlsplit(own).netloc, query.split("&"), own_query.split("&") if own_query else []
        self._keep((host, name) for name in map(_name, own_pairs))
        dropped = [pair for pair in pairs if pair not in own_pairs]
        if url_shape(own) is not UrlKind.ARTICLE or [pair for pair in pairs if pair in own_pairs] != own_pairs:
            return frozenset()
        return frozenset(key for pair in dropped if (key := self._count(host, pair, own)) is not None)

    def reads(self, url: str, headline: str, text: str) -> frozenset[tuple[str, str]]:
        """Take in an article; return as :meth:`sees` does. One path that gives the same text whatever its parameters
        say is a witness; another headline clears those in which the addresses differ for good.

        Small numbers count here, too (``?font=2``), but 0 and 1: the first page of an article is the same without them.
        With another text below the same headline they number the article's pages.
        """
        head, _, query = url.partition("?")
        host, path = urlsplit(url).netloc, _bare(head)
        facts = (query, hash(headline), hash(text))
        before = self._read.setdefault(path, facts)
        if before is facts:
            if len(self._read) > MAX_READ:
                del self._read[next(iter(self._read))]
            return frozenset()
        pairs = {*query.split("&")} ^ {*before[0].split("&")} - {""}
        if before[1] != facts[1]:
            names = {_name(pair) for pair in pairs}
            if len(names) > 1:  # a session that is new in each answer is no part of what differs
                names -= {_name(pair) for pair in pairs if is_random(pair.partition("=")[2])}
            self._keep((host, name) for name in names)
        elif text and before[2] == facts[2]:
            changing = [pair for pair in pairs if pair and pair.partition("=")[2] not in _FIRST]
            keys = (self._count(host, pair, head, is_read=True) for pair in changing)
            return frozenset(key for key in keys if key is not None)
        else:
            self._keep((host, _name(pair)) for pair in pairs if _is_short(pair))
        return frozenset()

    def _keep(self, keys: Iterable[tuple[str, str]]) -> None:
        if len(self._kept) < MAX_KEPT:
            self._kept.update(keys)

    def _count(self, host: str, pair: str, own: str, *, is_read: bool = False) -> tuple[str, str] | None:
        key = (host, name := _name(pair))
        if name.lower() in _PAGES or (_is_short(pair) and not is_read) or key in self._kept:
            return None
        if key not in self._witnesses:
            if self._hosts[host] >= MAX_NAMES or len(self._hosts) > MAX_HOSTS:
                return None
            self._hosts[host] += 1
        if len(self._witnesses[key]) >= WITNESSES:
            return None
        self._witnesses[key].add(own)
        return key if len(self._witnesses[key]) == WITNESSES else None


_RANDOM: Final = re.compile(r"(?=.*\d)[0-9A-Za-z_~-]{8,128}")
_MIN_TURNS: Final = 2
"""Places in a random value where letters and digits meet, at least."""
_LONG_NUMBER: Final = re.compile(r"\d{9,40}")
_TURN: Final = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=[A-Za-z])(?=\d)")
_MATRIX: Final = re.compile(r";([A-Za-z_][\w.-]{0,30}=)([^/;?#]+)")
_SEGMENT: Final = re.compile(r"(?<=/)[^/;?#]+(?=/)")
_PAIR: Final = re.compile(r"(?<=[?&])([^=&#]{1,40}=)([^&#]+)")


def is_random(value: str) -> bool:
    """Tell whether a value looks drawn by chance: letters and digits in turn, or a long number.

    >>> [is_random(value) for value in ("9f86d081884c7d65", "8471928371", "story12345", "2024-05-18", "iphone15")]
    [True, True, False, False, False]
    """
    if _LONG_NUMBER.fullmatch(value):
        return True
    return _RANDOM.fullmatch(value) is not None and len(_TURN.findall(value)) >= _MIN_TURNS


def is_idle(pair: str) -> bool:
    """Tell whether a parameter may change nothing: a session, or a word, but no number of a page or an article.

    >>> [is_idle(pair) for pair in ("from=home", "zx=9f86d081884c7d65", "", "id=7", "page=two")]
    [True, True, True, False, False]
    """
    name, _, value = pair.partition("=")
    return name.lower() not in _PAGES and (is_random(value) or not any(map(str.isdigit, value)))


def random_places(url: str) -> list[tuple[str, int, int]]:
    """Return the random values of an address: name of the place, start, end; of a folder, the name of that before it.

    >>> random_places("http://e.org/s/9f86d081884c7d65/a.html?zx=8471928371")
    [('/s/', 15, 31), ('zx', 42, 52)]
    """
    start = url.find("/", url.find("://") + 3)
    if start < 0:
        return []
    head = url.find("?", start) if "?" in url else len(url)
    found = [
        (url[url.rfind("/", start, match.start() - 1) : match.start()], match.start(), match.end())
        for match in _SEGMENT.finditer(url, start, head)
        if is_random(match[0])
    ]
    found = [(name or "/", begin, end) for name, begin, end in found]
    found += [(f";{m[1][:-1]}", m.start(2), m.end(2)) for m in _MATRIX.finditer(url, start, head) if is_random(m[2])]
    return found + [(m[1][:-1], m.start(2), m.end(2)) for m in _PAIR.finditer(url, head) if is_random(m[2])]


def _replaced(url: str, places: Iterable[tuple[str, int, int]], value: str) -> str:
    for _, begin, end in sorted(places, key=lambda place: -place[1]):
        url = url[:begin] + value + url[end:]
    return url


class SessionWatch:
    """Learns which random values in a host's addresses change nothing: sessions, whatever their names.

    Two addresses that differ in such values alone and give the same text are a witness. Three of them tell. A value
    that numbers an article has one address without it, and gives another headline there.
    """

    def __init__(self) -> None:
        self._read: dict[tuple[str, int], str] = {}
        """Address without its random values, and text → the address that gave it first."""
        self._titles: dict[tuple[str, str], int] = {}
        """Place, and address without the value there → headline."""
        self._witnesses: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._needed: set[tuple[str, str]] = set()

    def reads(self, url: str, headline: str, text: str) -> dict[tuple[str, str], str]:
        """Take in an article; return host and place of values that are known from now on to change nothing.

        Each comes with the value by which pages are asked for. Another headline clears a place for good; another text
        does not, as clocks and counters change it.
        """
        places = random_places(url)
        if not places or not text:
            return {}
        host, key, title = urlsplit(url).netloc, hash(text), hash(headline)
        for place in places:
            alone = (place[0], _replaced(url, [place], "*"))
            if self._titles.setdefault(alone, title) != title and len(self._needed) < MAX_KEPT:
                self._needed.add((host, place[0]))
        without_any = _replaced(url, places, "*")
        before = self._read.setdefault((without_any, key), url)
        if len(self._read) > MAX_READ:
            del self._read[next(iter(self._read))]
        if len(self._titles) > MAX_READ:
            del self._titles[next(iter(self._titles))]
        values = {name: before[begin:end] for name, begin, end in random_places(before)}
        differing = [(host, name) for name, begin, end in places if values.get(name, url[begin:end]) != url[begin:end]]
        known: dict[tuple[str, str], str] = {}
        for found in differing:
            if found in self._needed or (found not in self._witnesses and len(self._witnesses) >= MAX_HOSTS):
                continue
            n_before = len(self._witnesses[found])
            self._witnesses[found].add(without_any)
            if n_before < WITNESSES == len(self._witnesses[found]):  # the one that was missing
                known[found] = self._asked_by(found)
        return known

    def _asked_by(self, place: tuple[str, str]) -> str:
        """Return the value by which most pages were asked for, of equals the first."""
        values = Counter(
            url[begin:end]
            for url in self._read.values()
            if urlsplit(url).netloc == place[0]
            for name, begin, end in random_places(url)
            if name == place[1]
        )
        return max(values, key=lambda value: values[value])

    @property
    def addresses(self) -> Iterable[str]:
        """Addresses of articles with random values."""
        return self._read.values()


def without_session(url: str, sessions: Mapping[tuple[str, str], str]) -> str:
    """Return the address as all pages of its host are asked for: by one session in the path, without any behind ``;``.

    >>> without_session("http://e.org/s/9f86d081884c7d65/a.html", {("e.org", "/s/"): "1b4f0e9851971998"})
    'http://e.org/s/1b4f0e9851971998/a.html'
    """
    host = urlsplit(url).netloc
    for name, begin, end in sorted(random_places(url), key=lambda place: -place[1]):
        value = sessions.get((host, name))
        if value is not None and name.startswith("/"):
            url = url[:begin] + value + url[end:]
        elif value is not None and name.startswith(";"):
            url = url[: begin - len(name) - 1] + url[end:]
    return url


def without(url: str, known: frozenset[tuple[str, str]]) -> str:
    """Return the address without the parameters that are known to change nothing on its host.

    >>> without("http://example.org/a?from=top&id=7", frozenset({("example.org", "from")}))
    'http://example.org/a?id=7'
    """
    head, _, query = url.partition("?")
    if not query:
        return url
    host = urlsplit(head).netloc
    kept = "&".join(pair for pair in query.split("&") if (host, _name(pair)) not in known)
    return f"{head}?{kept}" if kept else head


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _is_short(pair: str) -> bool:
    value = pair.partition("=")[2]
    return value.isdigit() and len(value) < _SHORT_NUMBER


def _bare(head: str) -> str:
    return head.partition("://")[2].removeprefix("www.")


_LIVES = re.compile(r"max-age\s*=\s*\"?0*[1-9]", re.IGNORECASE)


class SchemeWatch:
    """Tells hosts that live on https from what their answers say.

    Old links say http for years. If each of them costs a request that ends in a redirect, a harvest takes twice as
    long. A host that ever gave a page over http is left alone: there the two forms may be two pages.
    """

    def __init__(self) -> None:
        #: Host → its witnesses; its own word is worth as many as are needed.
        self._redirects: Counter[str] = Counter()
        self._plain: set[str] = set()

    def sees(self, asked: str, answered: str, transport_security: str = "") -> str | None:
        """Take in an answer; return its host if from now on it is known to live on https.

        :param asked: the address asked for, before redirects.
        :param answered: the address that gave the page.
        :param transport_security: the answer's ``Strict-Transport-Security`` (RFC 6797, §8.1: one over http counts
            for nothing).
        """
        answer = urlsplit(answered)
        host = answer.netloc
        if len(self._plain) + len(self._redirects) >= MAX_HOSTS:
            return None
        if answer.scheme != "https":
            self._plain.add(host)
            return None
        if host in self._plain or answer.port is not None:
            return None
        if _LIVES.search(transport_security):
            self._redirects[host] += WITNESSES
            return host
        if asked.partition("://") == ("http", "://", answered.partition("://")[2]):
            self._redirects[host] += 1
            if self._redirects[host] >= WITNESSES:
                return host
        return None
