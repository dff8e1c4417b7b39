"""Pages with other things around the article: boxes of teasers and comments made of sentences of other pages.

Few labelled pages have comments, or announcements with sentences, beside an article; in a harvest many have. A network
that has seen them everywhere, under any tag and class, keeps to the article.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree, html

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from lab.training.news_gold import LineGold
    from lab.training.stories import Story
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines

TEASER_NAMES: Final = "item news list teaser card box entry post story b1 c-2 media col row widget related more".split()
COMMENT_NAMES: Final = "comment comments reply post msg item entry c list feedback discussion user".split()
SUFFIXES: Final = ("", "", "-item", "_box", "List", " clearfix", "2")
ENDS: Final = ("...", "…", "", ".")
BODY_SHARE: Final = 0.95
"""The article is in the deepest element with at least this share of the body's characters."""
MIN_BODY: Final = 100
"""Pages with a shorter body are left as they are. Characters."""
UNDIVIDED: Final = frozenset("body td tr tbody li".split())
"""Beside these no box can stand: it goes inside."""


def with_distractors(
    document: Document, lines: Lines, gold: LineGold, stories: Sequence[Story], rng: random.Random, *, is_wide: bool
) -> str | None:
    """Return the page's markup with one or two boxes before or after the article; None where it has no clear place.

    The document's tree is changed.

    :param is_wide: ideographs say more in fewer characters, so that sentences are cut shorter.
    """
    place = article_element(document, lines, gold)
    if place is None or document.root is None:
        return None
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        above = place.getparent()
        if above is None or place.tag == "body" or above.tag == "html":
            break
        place = above
    maker = _Maker(stories, rng, is_wide=is_wide)
    for kind in rng.choice(("c", "c", "t", "tt", "ct")):
        box = maker.comments() if kind == "c" else maker.teasers()
        if rng.random() < 0.4:
            outer = html.Element("div")
            maker.name(outer, TEASER_NAMES, 0.5)
            outer.append(box)
            box = outer
        _put(box, place, before=kind == "t" and rng.random() < 0.4)
    return etree.tostring(document.root, encoding="unicode", method="html")


def article_element(document: Document, lines: Lines, gold: LineGold) -> HtmlElement | None:
    measures = document.measures
    mass = np.zeros(len(measures) + 1)
    mass[lines.start + 1] = gold.is_body * lines.chars
    before = np.cumsum(mass)
    if before[-1] < MIN_BODY:
        return None
    holds = before[measures.end] - before[:-1] >= BODY_SHARE * before[-1]
    rows = [row for row in np.flatnonzero(holds).tolist() if not measures.is_text(row)]
    return measures.nodes[rows[-1]] if rows else None


def _put(box: HtmlElement, place: HtmlElement, *, before: bool) -> None:
    if place.tag in UNDIVIDED or place.getparent() is None:
        if before:
            box.tail, place.text = place.text, None
            place.insert(0, box)
        else:
            place.append(box)
    elif before:
        place.addprevious(box)
    else:
        tail, place.tail = place.tail, None
        place.addnext(box)
        box.tail = tail


class _Maker:
    """Draws boxes: each of its kind has one form for all its items, as templates have."""

    def __init__(self, stories: Sequence[Story], rng: random.Random, *, is_wide: bool) -> None:
        self.stories, self.rng, self.is_wide = stories, rng, is_wide

    def name(self, node: HtmlElement, names: Sequence[str], share: float) -> None:
        """Give a class to ``share`` of the elements."""
        if self.rng.random() < share:
            node.set("class", self._name(names))

    def _name(self, names: Sequence[str]) -> str:
        return self.rng.choice(names) + self.rng.choice(SUFFIXES)

    def _names(self, names: Sequence[str], share: float) -> str | None:
        return self._name(names) if self.rng.random() < share else None

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    def _cut(self, text: str) -> str:
        n = self.rng.randint(25, 110) if self.is_wide else self.rng.randint(60, 260)
        cut = text[:n]
        if len(text) > n and not self.is_wide:
            cut = cut.rsplit(" ", 1)[0]
        return cut + self.rng.choice(ENDS)

    def _label(self, least: int, most: int) -> str:
        return self.rng.choice(self.stories).title[: self.rng.randint(least, most)]

    def _frame(self, kind: str, names: Sequence[str]) -> tuple[HtmlElement, HtmlElement]:
        """Return the box, and the element in it that takes the items."""
        box = html.Element("div")
        self.name(box, names, 0.6)
        if kind in ("ul", "ol", "dl", "table"):
            holder = add_element(box, kind, name=self._names(names, 0.3))
            return box, holder
        return box, box

    def _item(self, holder: HtmlElement, kind: str, name: str | None) -> HtmlElement:
        if kind == "table":
            return add_element(add_element(holder, "tr"), "td", name=name)
        return add_element(
            holder, {"ul": "li", "ol": "li", "dl": "dd", "article": "article", "p": "p"}.get(kind, "div"), name=name
        )

    def teasers(self) -> HtmlElement:
        rng = self.rng
        kind = rng.choice(("div", "div", "ul", "table", "p", "article", "dl"))
        box, holder = self._frame(kind, TEASER_NAMES)
        if self._chance(0.5):
            add_element(box, rng.choice(("h2", "h3", "h4", "div", "p", "strong")), self._label(4, 12))
            if holder is not box:
                box.append(holder)
        item_name, title_name = self._names(TEASER_NAMES, 0.6), self._names(TEASER_NAMES, 0.3)
        heading = rng.choice(("h2", "h3", "h4", "h5", "div", "p", "strong", ""))
        heading = "strong" if kind == "p" and heading not in ("strong", "") else heading
        text_tag = "span" if kind == "p" else rng.choice(("p", "p", "div", "span"))
        is_linked, is_pictured, is_dated = self._chance(0.85), self._chance(0.5), self._chance(0.4)
        has_more, is_all_link, paragraphs = self._chance(0.3), self._chance(0.15), 2 if self._chance(0.15) else 1
        for _ in range(rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12))):
            story = rng.choice(self.stories)
            item = self._item(holder, kind, item_name)
            if is_pictured:
                add_element(add_element(item, "a", href="/x.html"), "img", src="x.jpg")
            title = add_element(item, heading, name=title_name) if heading else item
            add_element(title, "a", story.title, href="/news/1.html") if is_linked else add_element(
                title, "b", story.title
            )
            if is_dated:
                add_element(item, rng.choice(("span", "time")), f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.2012")
            for text in story.paragraphs[:paragraphs]:
                shown = self._cut(text) if self._chance(0.8) else text
                node = add_element(item, text_tag)
                add_element(node, "a", shown, href="/n/2.html") if is_all_link else add_element(node, "span", shown)
            if has_more:
                add_element(item, "a", rng.choice(("»»»", story.title[:8])), href="/m")
        return box

    def comments(self) -> HtmlElement:
        rng = self.rng
        kind = rng.choice(("ol", "div", "div", "dl", "table", "ul"))
        box, holder = self._frame(kind, COMMENT_NAMES)
        if self._chance(0.3):
            box.set("id", rng.choice(("comments", "disqus_thread", "responses", "pinglun")))
        n = rng.choice((2, 3, 5, 8, 12, 20, 30))
        if self._chance(0.7):
            add_element(box, rng.choice(("h2", "h3", "h4", "p", "div")), f"{n} {self._label(4, 20)}")
            if holder is not box:
                box.append(holder)
        item_name, body_name = self._names(COMMENT_NAMES, 0.7), self._names(COMMENT_NAMES, 0.4)
        text_tag = rng.choice(("p", "p", "div", "span"))
        is_linked, is_dated, is_wrapped = self._chance(0.5), self._chance(0.8), self._chance(0.4)
        has_picture, has_reply = self._chance(0.4), self._chance(0.5)
        for _ in range(n):
            item = self._item(holder, kind, item_name)
            if has_picture:
                add_element(item, "img", src="a.png")
            author = add_element(item, rng.choice(("div", "span", "p", "cite")), name=self._names(COMMENT_NAMES, 0.3))
            name = self._label(2, 5) if self.is_wide else self._label(4, 14)
            add_element(author, "a", name, href="/u/1") if is_linked else add_element(
                author, rng.choice(("b", "span")), name
            )
            if is_dated:
                add_element(
                    author,
                    "span",
                    f" {rng.randint(1, 28)}/{rng.randint(1, 12)}/2012 {rng.randint(0, 23)}:{rng.randint(10, 59)}",
                )
            body = add_element(item, "div", name=body_name) if is_wrapped else item
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                text = rng.choice(rng.choice(self.stories).paragraphs)
                add_element(body, text_tag, text if self._chance(0.4) else self._cut(text))
            if has_reply:
                add_element(item, "a", rng.choice(("Re", ">>", "#")), href="#r")
        return box


def add_element(
    parent: HtmlElement,
    tag: str,
    text: str | None = None,
    *,
    name: str | None = None,
    href: str | None = None,
    src: str | None = None,
) -> HtmlElement:
    node = etree.SubElement(parent, tag)
    node.text = text
    for key, value in (("class", name), ("href", href), ("src", src)):
        if value is not None:
            node.set(key, value)
    return node
