"""A page parsed once: the tree, its address, and the measures over it."""

from __future__ import annotations

import re
import threading
from collections import Counter
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lxml import etree, html

from newscrawl.page.charset import decide_encoding
from newscrawl.page.measures import Measures, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.html import HtmlElement

    from newscrawl.page.charset import EncodingDecision

#: Elements open at one time (Blink's limit). Deeper start tags are dropped, with their end tags.
MAX_DEPTH = 512
MAX_TAGS: Final = 60_000
"""Brackets after which markup is cut: three times those of the largest of 9,000 labelled pages."""
MAX_NAME_BYTES: Final = 32
_NAME_AT_END: Final = re.compile(rb"[\s\"']([a-z][a-z0-9_-]*)$")

#: What is never closed goes to the end: to look for the end from each start would be quadratic.
_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title|noscript|xmp|iframe)\b[^>]*+(?:>.*?(?:</(?P=raw)\s*>|\Z)|\Z)"
    r"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*+)[^>]*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
#: A start tag of these ends an open element of the same name.
_SELF_CLOSING = frozenset(["p", "li", "dt", "dd", "tr", "td", "th", "option"])


def flatten(markup: str, max_depth: int = MAX_DEPTH) -> str:
    """Return the markup with at most ``max_depth`` elements open at a time; O(n).

    >>> flatten("<i><b><u>text</u></b></i>", max_depth=2)
    '<i><b>text</b></i>'
    """
    opened: list[str] = []
    names: Counter[str] = Counter()
    dropped: Counter[str] = Counter()

    def close(name: str) -> None:
        while names[name]:
            last = opened.pop()
            names[last] -= 1
            if last == name:
                return

    def judged(token: re.Match[str]) -> str:
        name = (token["name"] or "").lower()
        if not name or name in _VOID:
            return token.group()
        if token["slash"]:
            if dropped[name]:
                dropped[name] -= 1
                return ""
            close(name)
            return token.group()
        if name in _SELF_CLOSING and opened and opened[-1] == name:
            close(name)
        if len(opened) >= max_depth:
            dropped[name] += 1
            return ""
        opened.append(name)
        names[name] += 1
        return token.group()

    return _TOKEN.sub(judged, markup)


T = TypeVar("T")
_ASKED_FOR: Final = ("meta", "link", "title", "script", "style", "time", "base", "a", "area", "marquee", "noscript")


class Document:
    """The handle that travels with a page while it is judged.

    :param root: the whole page's tree, as Scrapy's ``response.selector.root`` or :func:`parse` gives it; None for
        a page without any element.
    :param url: the page's address; None when it is not known.
    :param markup: what was parsed; None when it is not at hand.
    """

    def __init__(
        self, root: HtmlElement | None, *, url: str | None = None, encoding: str = "utf-8", markup: bytes | None = None
    ) -> None:
        self.root = root
        self.url = url
        self.encoding = encoding
        self._small = None if markup is None else markup.lower()
        self._derived: dict[Callable[[Document], Any], Any] = {}
        if root is None or root.getparent() is not None:
            return
        for sibling in [node for node in root.itersiblings() if isinstance(node.tag, str)]:
            root.append(sibling)  # what stands after </html>, of which libxml2 makes a second tree
        for template in list(root.iter("template")):
            if template.get("shadowrootmode") or template.get("shadowroot"):
                template.tag = "div"  # what stands in a declarative shadow root is shown without any script

    @classmethod
    def from_html(cls, page: bytes | str, url: str | None = None, content_type: str | None = None) -> Document:
        """Decode (bytes only) and parse ``page``. Never raises for what is in the page."""
        if isinstance(page, str):
            return cls(parse(page), url=url, markup=page.encode(errors="replace"))
        return cls.from_bytes(page, decide_encoding(page, content_type, url), url)

    @classmethod
    def from_bytes(cls, page: bytes, charset: EncodingDecision, url: str | None = None) -> Document:
        """Parse a page whose charset is decided."""
        data = _plain(page) if charset.is_exact else None
        data = _encoded(page.decode(charset.encoding, "replace")) if data is None else data
        return cls(parse_utf8(data), url=url, encoding=charset.encoding, markup=data)

    @cached_property
    def measures(self) -> Measures:
        return measure(self.root, sheets=self.by_tag["style"])

    @cached_property
    def by_tag(self) -> Mapping[str, list[HtmlElement]]:
        """The page's elements of the tags that several steps ask for, in document order: one walk for all of them."""
        found: dict[str, list[HtmlElement]] = {tag: [] for tag in _ASKED_FOR}
        for element in self.root.iter(*_ASKED_FOR) if self.root is not None else ():
            found[str(element.tag)].append(element)
        return found

    @cached_property
    def title(self) -> str:
        """The text of the first ``title`` element as it stands; ``""`` where there is none."""
        return "".join(chain.from_iterable(node.itertext() for node in self.by_tag["title"][:1]))

    def may_hold(self, *words: bytes) -> bool:
        """Tell whether the markup holds one of these small words: most pages have few of the attributes that are asked
        for, and a look at the bytes costs a fiftieth of a walk through the tree.
        """
        return self._small is None or any(word in self._small for word in words)

    def names_before(self, value: re.Pattern[bytes]) -> frozenset[str]:
        """Return the names in small letters, such as those of attributes, that stand in the markup before a value."""
        small = self._small or b""
        starts = (match.start() for match in value.finditer(small))
        names = (_NAME_AT_END.search(small, max(0, start - MAX_NAME_BYTES), start) for start in starts)
        return frozenset(name[1].decode() for name in names if name)

    def once(self, derive: Callable[[Document], T]) -> T:
        """Return ``derive(self)``, computed at the first call: steps of one page share what they derive from it."""
        if derive not in self._derived:
            self._derived[derive] = derive(self)
        value: T = self._derived[derive]
        return value

    def forget(self) -> None:
        """Drop what was derived: some of it refers to this document, a cycle that would keep the tree for a while."""
        self._derived.clear()


def parse(text: str) -> HtmlElement | None:
    """Parse HTML as Scrapy's selectors do: NULs removed, recovering, without a limit on depth.

    None where the text holds no element at all.
    """
    return parse_utf8(_encoded(text))


def _encoded(text: str) -> bytes:
    return text.strip().replace("\x00", "").encode("utf-8", "replace")


def parse_utf8(data: bytes) -> HtmlElement | None:
    """Parse text that is encoded, stripped and without NULs."""
    if not data:
        return None
    if data.count(b"<") > MAX_TAGS:
        data = b"<".join(data.split(b"<", MAX_TAGS)[:-1])
    data = without_endless_tags(data)
    root, too_deep = _parse(data)
    return _parse(flatten(data.decode()).encode())[0] if too_deep else root


def _plain(page: bytes) -> bytes | None:
    """Return valid UTF-8 stripped where that is all there is to do before parsing; None where it has to be decoded.

    Copying a page from bytes to text and back costs a tenth of parsing it. It has to be if the first or last byte may
    be white space of another kind, or a byte order mark.
    """
    data = page.strip()
    is_plain = b"\x00" not in data and all(b"\x20" < edge < b"\x7f" for edge in (data[:1], data[-1:]) if edge)
    return data if is_plain else None


_ELEMENT_CLASSES: Final = etree.ElementDefaultClassLookup(
    element=html.HtmlElement, comment=html.HtmlComment, pi=html.HtmlProcessingInstruction, entity=html.HtmlEntity
)
"""Element classes as lxml.html looks them up, without those of form fields: lxml.html asks Python for each."""


class _Own(threading.local):
    """A parser for each thread: to make one for each page costs, and threads would wait for a common one."""

    @cached_property
    def parser(self) -> html.HTMLParser:
        parser = html.HTMLParser(recover=True, encoding="utf-8", huge_tree=True)
        parser.set_element_class_lookup(_ELEMENT_CLASSES)
        return parser


_OWN: Final = _Own()


def _parse(data: bytes) -> tuple[HtmlElement | None, bool]:
    """The tree, and whether libxml2 gave up because the markup is nested too deep."""
    parser = _OWN.parser
    try:
        root: HtmlElement | None = etree.fromstring(data, parser=parser)
    except etree.ParserError:
        return None, False
    return root, any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in parser.error_log)


WINDOW: Final = 4096
"""Bytes. A start tag shorter than twice that cannot hold enough attributes to cost much."""
MAX_ATTRIBUTES: Final = 1_000
"""Attributes of one element. libxml2 compares each with all before it: 80,000 take it a quarter of a minute."""
_TAG: Final = re.compile(rb"<[a-zA-Z][^\s/>]*+")
_MANY_ATTRIBUTES: Final = re.compile(
    rb"(?:[\s/]*+[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>\"'][^\s>]*+)?+)?+){%d}" % MAX_ATTRIBUTES
)
_SCRIPT, _SCRIPT_END = b"<script", b"</script"


def without_endless_tags(data: bytes) -> bytes:
    """Return markup whose start tags with more than ``MAX_ATTRIBUTES`` attributes have none.

    Only stretches of ``WINDOW`` bytes without ``>`` are looked at, which costs nothing on other pages. A page that
    hides ``>`` in each of its values gets through; the time limit of readers stands behind.

    >>> len(without_endless_tags(b"<p>a</p><div " + b"b=1 " * 5_000 + b">text</div>"))
    23
    """
    kept, done, start = [], 0, 0
    while start + WINDOW <= len(data):
        if data.find(b">", start, start + WINDOW) >= 0:
            start += WINDOW
            continue
        end = data.find(b">", start + WINDOW)
        end = len(data) if end < 0 else end
        tag = _TAG.search(data, max(data.rfind(b">", done, start), done), end)
        if tag and _MANY_ATTRIBUTES.match(data, tag.end(), end) and not _in_script(data, tag.start()):
            kept.append(data[done : tag.end()])
            done = end
        start = end
    return b"".join((*kept, data[done:])) if kept else data


def _in_script(data: bytes, place: int) -> bool:
    head = data[:place].lower()
    return head.rfind(_SCRIPT) > head.rfind(_SCRIPT_END)
