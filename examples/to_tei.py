"""Write the article of a saved page as TEI P5: facts in the header; headings, lists, quotes, tables and pictures.

    python examples/to_tei.py page.html https://www.example.org/story.html > story.xml
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lxml import etree, html

from newscrawl.extractors import extract
from newscrawl.page.tags import HEADINGS

if TYPE_CHECKING:
    from lxml.etree import _Element

    from newscrawl.items import Article

NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_NAMES: Final = {
    "p": "p", "ul": "list", "ol": "list", "li": "item", "blockquote": "quote", "pre": "ab", "code": "code",
    "strong": "hi", "em": "hi", "a": "ref", "table": "table", "tr": "row", "td": "cell", "th": "cell",
    "figure": "figure", "img": "graphic", "figcaption": "figDesc",
}  # fmt: skip
"""Elements of our own HTML → those of TEI."""
_GIVEN: Final = {"strong": ("rend", "bold"), "em": ("rend", "italic"), "ol": ("rend", "numbered"),
                 "ul": ("rend", "bulleted"), "th": ("role", "label")}  # fmt: skip
_COPIED: Final = {"a": ("href", "target"), "img": ("src", "url")}
_ENDING: Final = "body div head p list item quote table row cell figure graphic figDesc ab".split()
"""Elements that a line ends after."""
_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Return the text without the characters that XML 1.0 has no form for."""
    return _NO_XML.sub("", text)


def as_tei(article: Article) -> str:
    """Return a TEI document, in UTF-8 when written.

    The text is that of ``articleBodyHtml``, and plain paragraphs where the article has none.
    """
    root = etree.Element("TEI", nsmap={None: NAMESPACE})
    if article.inLanguage:
        root.set(_LANG, article.inLanguage)
    _header(root, article)
    body = etree.SubElement(etree.SubElement(root, "text"), "body")
    _body(body, article)
    etree.indent(root[0], level=1)
    for part in (root[0], *root[1].iter(*_ENDING)):
        part.tail = "\n"
    written: str = etree.tostring(root, encoding="unicode")
    return written


def _header(root: _Element, article: Article) -> None:
    file = etree.SubElement(etree.SubElement(root, "teiHeader"), "fileDesc")
    _titles(etree.SubElement(file, "titleStmt"), article)
    _child(etree.SubElement(file, "publicationStmt"), "p", "Extracted from a web page")
    source = etree.SubElement(etree.SubElement(file, "sourceDesc"), "bibl")
    _titles(source, article)
    if article.source:
        _child(source, "publisher", article.source)
    if article.datePublished:
        moment = article.datePublished.isoformat()
        _child(source, "date", moment).set("when-iso", moment)
    if article.url:
        _child(source, "ref", article.url).set("target", article.url)


def _titles(parent: _Element, article: Article) -> None:
    _child(parent, "title", article.headline or article.url or "")
    for author in article.authors:
        _child(parent, "author", author.name)


def _child(parent: _Element, name: str, text: str) -> _Element:
    child = etree.SubElement(parent, name)
    child.text = xml_text(text)
    return child


def _body(body: _Element, article: Article) -> None:
    """Fill the body; a heading begins a division, for TEI has headings at the beginning of divisions alone."""
    if not article.articleBodyHtml:
        for line in article.articleBody.splitlines():
            _child(body, "p", line)
    place = body
    parts = html.fragments_fromstring(xml_text(article.articleBodyHtml or ""), no_leading_text=False)
    for part in parts:
        if isinstance(part, str):
            if part.strip():
                _child(place, "p", part.strip())
        elif part.tag in HEADINGS:
            place = etree.SubElement(body, "div")
            _fill(etree.SubElement(place, "head"), part)
        else:
            _add(place, part)
    if not len(body):
        etree.SubElement(body, "p")


def _add(parent: _Element, node: _Element) -> None:
    name = _NAMES.get(str(node.tag))
    element = parent if name is None else etree.SubElement(parent, name)
    if given := _GIVEN.get(str(node.tag)):
        element.set(*given)
    if copied := _COPIED.get(str(node.tag)):
        element.set(copied[1], node.get(copied[0]) or "")
    _fill(element, node)
    if node.tag == "img" and node.get("alt"):
        _child(parent, "figDesc", node.get("alt") or "")


def _fill(element: _Element, node: _Element) -> None:
    """Copy what is inside a node; white space between blocks goes."""
    _say(element, node.text)
    for child in node:
        if child.tag in HEADINGS:  # inside a quote
            child.tag = "p"
        _add(element, child)
        _say(element, child.tail)


def _say(element: _Element, text: str | None) -> None:
    if not text or (not text.strip() and element.tag not in ("p", "head", "item", "cell", "ab", "code", "hi", "ref")):
        return
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


if __name__ == "__main__":
    page, *url = sys.argv[1:]
    reading = extract(Path(page).read_bytes(), *url)
    if reading.article is None:
        sys.exit(f"{page}: no article")
    sys.stdout.write(as_tei(replace(reading.article, articleBodyHtml=reading.html)) + "\n")
