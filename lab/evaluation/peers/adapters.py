"""One function for each peer: bytes and address in, text out, with the settings a user would start from.

Peers that take bytes decode them themselves; the others get the text by our charset decision. None is told the
page's language, which here is a label; those that must be told are told Chinese where the script says so.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from lxml import etree
from lxml import html as lxml_html

from lab.evaluation.wire import Answer, WirePage
from newscrawl.page.charset import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Extract = Callable[[bytes, str | None], str | None]

NO_ADDRESS: Final = "http://example.invalid/"
_MARKUP: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>", re.DOTALL | re.IGNORECASE)
_LINE_TAGS: Final = frozenset("p div li td th tr br h1 h2 h3 h4 h5 h6 blockquote pre section article dd dt".split())


class PeerMethod:
    """A peer, as the worker sees it."""

    needs = "page"

    def __init__(self, extract: Extract, packages: Sequence[str]) -> None:
        self._extract = extract
        self.versions = {package: version(package) for package in packages}

    def begin(self, pages: Sequence[WirePage]) -> None:
        """Peers know one page at a time."""

    def run(self, page: WirePage) -> Answer:
        return Answer(id=page.id, text=self._extract(page.html, page.url) or "")


def make(name: str) -> PeerMethod:
    """Return the peer.

    :raises ValueError: for an unknown name.
    :raises ImportError: if its package is not installed in this environment.
    """
    if name not in PEERS:
        raise ValueError(f"unknown peer: one of {', '.join(PEERS)}")
    module, packages, extract = PEERS[name]
    import_module(module)
    return PeerMethod(extract, packages)


def _trafilatura(html: bytes, url: str | None, **options: bool) -> str | None:
    text: str | None = _module("trafilatura").extract(html, url=url, include_comments=False, **options)
    return text


def _trafilatura_precision(html: bytes, url: str | None) -> str | None:
    return _trafilatura(html, url, favor_precision=True)


def _rs_trafilatura(html: bytes, url: str | None) -> str | None:
    text: str | None = _module("rs_trafilatura").extract(decode(html)[0], url=url).main_content
    return text


def _readability(html: bytes, _url: str | None) -> str:
    return _text_of(_module("readability").Document(html).summary())


def _gne(html: bytes, _url: str | None) -> str:
    text: str = _module("gne").GeneralNewsExtractor().extract(decode(html)[0])["content"]
    return text


def _newspaper4k(html: bytes, url: str | None) -> str:
    text = decode(html)[0]
    language = "zh" if _has_cjk(text) else None
    article = _module("newspaper").Article(url or NO_ADDRESS, language=language, fetch_images=False)
    article.download(input_html=text)
    article.parse()
    found: str = article.text
    return found


def _goose3(html: bytes, _url: str | None) -> str:
    text = decode(html)[0]
    options: dict[str, object] = {"enable_image_fetching": False}
    if _has_cjk(text):
        chinese = _module("goose3.text").StopWordsChinese
        options |= {"target_language": "zh", "use_meta_language": False, "stopwords_class": chinese}
    found: str = _module("goose3").Goose(options).extract(raw_html=text).cleaned_text
    return found


def _justext(html: bytes, _url: str | None) -> str:
    """Run jusText with the stop words of all its languages, or, for scripts without spaces, without any."""
    text = decode(html)[0]
    limits = {"stopwords_low": 0, "stopwords_high": 0} if _has_cjk(text) else {}
    words = frozenset() if limits else _stop_words()
    paragraphs = _module("justext").justext(text.encode("utf-8", "replace"), words, encoding="utf-8", **limits)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def _boilerpy3(html: bytes, _url: str | None) -> str:
    text: str = _module("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False).get_content(decode(html)[0])
    return text


def _resiliparse(html: bytes, _url: str | None) -> str:
    extract = _module("resiliparse.extract.html2text").extract_plain_text
    text: str = extract(decode(html)[0], main_content=True, alt_texts=False)
    return text


def _magic_html(html: bytes, url: str | None) -> str:
    found = _module("magic_html").GeneralExtractor().extract(decode(html)[0], base_url=url or NO_ADDRESS)
    return _text_of(found["html"])


PEERS: Final[dict[str, tuple[str, tuple[str, ...], Extract]]] = {
    "trafilatura": ("trafilatura", ("trafilatura", "lxml"), _trafilatura),
    "trafilatura_precision": ("trafilatura", ("trafilatura", "lxml"), _trafilatura_precision),
    "rs_trafilatura": ("rs_trafilatura", ("rs-trafilatura",), _rs_trafilatura),
    "readability": ("readability", ("readability-lxml", "lxml"), _readability),
    "gne": ("gne", ("gne", "lxml"), _gne),
    "newspaper4k": ("newspaper", ("newspaper4k", "lxml"), _newspaper4k),
    "goose3": ("goose3", ("goose3", "lxml"), _goose3),
    "justext": ("justext", ("jusText", "lxml"), _justext),
    "boilerpy3": ("boilerpy3", ("boilerpy3",), _boilerpy3),
    "resiliparse": ("resiliparse", ("Resiliparse",), _resiliparse),
    "magic_html": ("magic_html", ("magic-html", "lxml"), _magic_html),
}
"""Name → the module to import, the packages whose versions are shown, the function."""


@cache
def _module(name: str) -> Any:
    return import_module(name)


@cache
def _stop_words() -> frozenset[str]:
    justext = _module("justext")
    return frozenset(word for name in justext.get_stoplists() for word in justext.get_stoplist(name))


def _has_cjk(markup: str) -> bool:
    """Tell whether a tenth of the letters outside the markup are ideographs or kana."""
    letters = [char for char in _MARKUP.sub(" ", markup) if char.isalpha()]
    return sum("\u3040" <= char <= "\u9fff" for char in letters) > len(letters) / 10


def _text_of(markup: str) -> str:
    """Return the text of an HTML answer, one line for each block-level element."""
    try:
        root = lxml_html.document_fromstring(markup)
    except (etree.ParserError, ValueError):
        return ""
    for node in root.iter(etree.Element):
        if node.tag in _LINE_TAGS:
            node.tail = "\n" + (node.tail or "")
    return str(root.text_content())
