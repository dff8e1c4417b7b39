"""Pages without a story made of article pages, and the shortest of stories beside them.

Few labelled pages stand where a story should be and have none. What stands around them is what stands around the site's
articles, so that each article page gives some: its text gives way to a notice, a form, an offer or figures
(``storyless_pages.toml``), or all but the first sentences of it are cut, which leaves a story.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lxml import etree, html

from lab.evaluation.hub_pages import article_place, cut_article, filled
from lab.training.distractors import SUFFIXES, add_element, article_element

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from lxml.html import HtmlElement

    from lab.training.news_gold import LineGold
    from lab.training.stories import Story
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines

WORDS: Final = Path(__file__).with_suffix(".toml")
KINDS: Final = ("gone", "wall", "choice", "notice", "form", "offer", "figures", "contact")
PRICES: Final = ("{0},00 €", "€ {0}", "${0}.00", "£{0}.50", "¥{0}", "{0}元", "{0},- €", "{0} ₽", "R$ {0},00", "{0}円")
DAYS: Final = ("{0:02}.{1:02}.{2}", "{2}-{1:02}-{0:02}", "{0}/{1}/{2}", "{2}年{1}月{0}日", "{0:02}.{1:02}.{2}, 19:30")
HEADINGS: Final = ("h1", "h1", "h1", "h2", "h2", "h3", "div", "p", "strong")
TEXT_TAGS: Final = ("p", "p", "p", "div", "span")
NAMES: Final = (
    "content",
    "main",
    "box",
    "message",
    "page",
    "block",
    "text",
    "inner",
    "article",
    "post",
    "panel",
    "card",
)
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "gone": ("search",), "wall": ("email", "password"), "choice": ("checkbox",), "notice": ("email",),
    "form": ("text", "email", "text", "textarea", "radio", "checkbox", "file", "select"), "offer": ("number",),
}  # fmt: skip
MAX_SENTENCES: Final[Mapping[str, int]] = {
    "gone": 3, "wall": 4, "choice": 5, "notice": 4, "form": 3, "offer": 3, "figures": 1, "contact": 3,
}  # fmt: skip
STORY_PARAGRAPHS: Final = (1, 1, 1, 2, 2, 3, 4)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
MAX_FLASH: Final = 400
"""Characters."""
FRAGMENTS: Final = 0.25
"""Share of bare stories of less than a sentence: a flash may have thirty letters."""
OTHER_TITLE: Final = 40
"""Characters of the title of a page that has another title than its heading."""
OTHER_TITLES: Final = 0.12
"""Share of bare stories with such a title."""
THREADS: Final = 0.3
"""Share of bare stories with a thread of comments below."""
ARTICLE_METAS: Final = ("article:", "date", "pub", "author", "byl", "dc.", "dcterms")


@cache
def _words() -> Mapping[str, Mapping[str, Mapping[str, list[str]]]]:
    """Return language → kind → what is said → wordings."""
    return {
        lang: {kind: {name: text.split(" | ") for name, text in lists.items()} for kind, lists in kinds.items()}
        for lang, kinds in tomllib.loads(WORDS.read_text(encoding="utf-8")).items()
    }


def storyless_page(
    document: Document, lines: Lines, gold: LineGold, title: str, kind: str, lang: str, rng: random.Random
) -> str | None:
    """Return a page of a kind in the place of the article; None where the article has no clear place.

    The document's tree is changed.

    :param title: the article's headline, which goes with it.
    """
    place, root = article_place(document, lines, gold, rng), document.root
    if place is None or root is None:
        return None
    languages = _words()
    known = languages.get(lang) or languages[rng.choice(("en", "de", "es", "pt"))]
    maker = _Maker(known[kind], kind, rng)
    heading = maker.said("heads")
    keeps_title = kind in ("gone", "wall", "notice") and rng.random() < 0.3
    cut_article(root, title, title if keeps_title else heading, rng)
    box = html.Element("div")
    maker.fill(box, heading)
    return filled(root, place, box)


class _Maker:
    """Draws what stands in the place of a story."""

    def __init__(self, words: Mapping[str, Sequence[str]], kind: str, rng: random.Random) -> None:
        self.words, self.kind, self.rng = words, kind, rng

    def said(self, name: str) -> str:
        rng, text = self.rng, self.rng.choice(self.words[name]).replace("{site}", "Argon")
        day = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2009, 2026)
        text = text.replace("{day}", rng.choice(DAYS).format(*day))
        text = text.replace("{price}", rng.choice(PRICES).format(rng.randint(2, 950)))
        return re.sub(r"\{n\}", lambda _: str(rng.choice((rng.randint(1, 30), rng.randint(40, 90_000)))), text)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def named(self) -> str | None:
        return self.rng.choice(NAMES) + self.rng.choice(SUFFIXES) if self.chance(0.5) else None

    def fill(self, box: HtmlElement, heading: str) -> None:
        rng, kind = self.rng, self.kind
        add_element(box, rng.choice(HEADINGS), heading, name=self.named())
        part = add_element(box, "div", name=self.named())
        self.add_sentences(part)
        makers = {
            "gone": ((0.35, self.add_form), (0.6, self.add_options)),
            "wall": ((0.5, self.add_form), (0.4, self.add_facts), (0.7, self.add_options)),
            "choice": ((0.3, self.add_facts), (0.3, self.add_form), (0.95, self.add_options)),
            "notice": ((0.3, self.add_facts), (0.1, self.add_form), (0.45, self.add_options)),
            "form": ((1.0, self.add_form), (0.2, self.add_options)),
            "offer": ((1.0, self.add_facts), (0.5, self.add_facts), (0.85, self.add_options)),
            "contact": ((1.0, self.add_facts), (0.4, self.add_facts), (0.4, self.add_options)),
            "figures": ((1.0, self.add_figures), (0.3, self.add_figures), (0.3, self.add_options)),
        }[kind]
        for share, add in makers:
            if self.chance(share):
                add(part)
        if kind in ("form", "offer", "figures", "contact") and self.chance(0.4):
            self.add_sentences(part)

    def add_sentences(self, part: HtmlElement) -> None:
        rng, most = self.rng, MAX_SENTENCES[self.kind]
        said = rng.sample(
            self.words["says"], min(rng.randint(0 if self.chance(0.3) else 1, most), len(self.words["says"]))
        )
        said = [self.said("says") if "{" in text else text for text in said]
        joiner = " " if said and said[0].isascii() else ""
        tag = rng.choice(TEXT_TAGS)
        for text in [joiner.join(said)] if self.chance(0.4) else said:
            if text:
                add_element(part, tag, text)

    def add_form(self, part: HtmlElement) -> None:
        rng = self.rng
        form = add_element(part, "form" if self.chance(0.85) else "div", name=self.named())
        kinds = list(FIELDS[self.kind]) if self.kind in FIELDS else ["text"]
        for kind in kinds[: rng.randint(1, len(kinds))] if self.kind == "form" else kinds:
            label = add_element(form, rng.choice(("label", "div", "p", "span")), self.said("labels"))
            field = add_element(
                label if self.chance(0.3) else form, kind if kind in ("textarea", "select") else "input"
            )
            if field.tag == "input":
                field.set("type", kind)
        if self.kind == "form" and self.chance(0.4):
            for _ in range(rng.randint(2, 5)):
                label = add_element(form, "label", self.said("labels"))
                add_element(label, "input").set("type", rng.choice(("radio", "checkbox")))
        self.add_button(form, self.said("options"))

    def add_button(self, part: HtmlElement, text: str) -> None:
        if self.chance(0.5):
            add_element(part, "button", text)
        elif self.chance(0.5):
            button = add_element(part, "input")
            button.set("type", "submit")
            button.set("value", text)
        else:
            add_element(part, "a", text, name=self.rng.choice(("button", "btn", "btn-primary", None)), href="#")

    def add_options(self, part: HtmlElement) -> None:
        rng = self.rng
        holder = add_element(part, rng.choice(("div", "p", "ul")), name=self.named())
        is_pressed = self.kind in ("choice", "offer", "wall", "notice") and self.chance(0.6)
        for text in rng.sample(self.words["options"], rng.randint(1, min(4, len(self.words["options"])))):
            item = add_element(holder, "li") if holder.tag == "ul" else holder
            if is_pressed:
                self.add_button(item, text)
            else:
                href = "/" if self.kind in ("gone", "notice") and self.chance(0.5) else f"/{rng.randint(1, 99)}/"
                add_element(item, "a", text, href=href)

    def add_facts(self, part: HtmlElement) -> None:
        rng = self.rng
        tag = rng.choice(("ul", "ul", "dl", "p", "div", "table"))
        holder = add_element(part, tag if tag in ("ul", "dl", "table") else "div", name=self.named())
        are_lines, are_bare = self.chance(0.2), self.chance(0.5)
        for _ in range(rng.randint(1, 9) if self.kind in ("offer", "contact") else rng.randint(1, 3)):
            text = self.said("labels")
            if text.endswith((":", "：")):
                add_element(holder, rng.choice(("h2", "h3", "strong", "p")), text)
                continue
            row = add_element(holder, "tr") if tag == "table" else holder
            colon = "：" if "：" in text else ": "
            label, _, value = text.partition(colon) if tag in ("dl", "table") or are_lines else (text, "", "")
            item = {"ul": "li", "dl": "dt", "table": "td"}.get(tag, tag)
            add_element(row, item, label + colon.strip() * (bool(value) and not are_bare))
            if value:
                add_element(row, {"dl": "dd", "table": "td"}.get(tag, item), value)

    def add_figures(self, part: HtmlElement) -> None:
        rng = self.rng
        if self.chance(0.25):
            holder = add_element(part, "ul", name=self.named())
            for _ in range(rng.randint(3, 15)):
                add_element(
                    holder,
                    "li",
                    f"{rng.randint(1, 28)} {self.said('labels')} {rng.randint(8, 22)}:{rng.choice(('00', '30'))}",
                )
            return
        table, n = add_element(part, "table", name=self.named()), rng.randint(1, 7)
        if self.chance(0.6):
            row = add_element(table, "tr")
            for _ in range(n + 1):
                add_element(row, "th", self.said("labels"))
        is_linked, decimals = self.chance(0.3), self.chance(0.3)
        for _ in range(rng.randint(3, 20)):
            row = add_element(table, "tr")
            cell = add_element(row, "td")
            cell.text = None if is_linked else self.said("labels")
            if is_linked:
                add_element(cell, "a", self.said("labels"), href=f"/team/{rng.randint(1, 99)}")
            for _ in range(n):
                value = rng.randint(0, 120)
                add_element(row, "td", f"{value}.{rng.randint(10, 99)}" if decimals else str(value))


def shortest_story(document: Document, lines: Lines, gold: LineGold, rng: random.Random) -> str | None:
    """Return the page with the first paragraphs of its text alone; None where the text has no clear place.

    The document's tree is changed. Some pages lose what they state for machines, as many state nothing.
    """
    place, root = article_element(document, lines, gold), document.root
    if place is None or root is None or place.tag == "body":
        return None
    nodes = lines.measures.nodes
    texts: list[int] = gold.is_body.nonzero()[0].tolist()
    kept = texts[: rng.choice(STORY_PARAGRAPHS)]
    keepers = set()
    for line in kept:
        node = nodes[int(lines.block[line])]
        keepers.add(node)
        keepers.update(node.iterancestors())
    for line in texts[len(kept) :]:
        node = nodes[int(lines.block[line])]
        is_inside = any(above is place for above in node.iterancestors())
        if is_inside and node not in keepers and node.getparent() is not None:
            node.drop_tree()
    _cut_statements(root, rng)
    return etree.tostring(root, encoding="unicode", method="html")


def _cut_statements(root: HtmlElement, rng: random.Random) -> None:
    """Take out what some pages state for machines, and sometimes each day."""
    if rng.random() < 0.35:
        for node in list(root.iter("script")):
            if "json" in (node.get("type") or ""):
                node.drop_tree()
    if rng.random() < 0.35:
        for node in list(root.iter("meta")):
            name = (node.get("name") or node.get("property") or node.get("itemprop") or "").lower()
            if name == "og:type" or any(name.startswith(word) for word in ARTICLE_METAS):
                node.drop_tree()
        if rng.random() < 0.3:
            for node in list(root.iter("time")):
                node.drop_tree()


def bare_story(document: Document, lines: Lines, gold: LineGold, story: Story, rng: random.Random) -> str | None:
    """Return the page with a story of a few sentences, a picture or a player in the place of the article.

    The document's tree is changed. Neither a day nor an author is left.
    """
    place, root = article_element(document, lines, gold), document.root
    if place is None or root is None or place.tag == "body" or not story.paragraphs:
        return None
    first, *others = story.paragraphs
    sentence, *_ = sentences = _SENTENCE.split(first)
    cut_article(root, story.title, sentence[:OTHER_TITLE] if rng.random() < OTHER_TITLES else story.title, rng)
    box = html.Element("div")
    add_element(box, rng.choice(HEADINGS), story.title)
    said = " ".join(sentences[: rng.choice((1, 1, 1, 2, 3))])[:MAX_FLASH]
    if rng.random() < FRAGMENTS:
        said, others = sentence[: round(len(sentence) * rng.uniform(0.2, 0.6))].rstrip(" ,;，") + said[-1:], []
    shown = rng.choice(("", "", "", "picture", "player"))
    if shown:
        part = add_element(box, "figure" if shown == "picture" else "div")
        add_element(part, rng.choice(("video", "iframe", "audio")) if shown == "player" else "img", src="/x.jpg")
        part = part if shown == "picture" else box
        add_element(part, "figcaption" if shown == "picture" else rng.choice(TEXT_TAGS), said)
    else:
        paragraph = rng.choice(TEXT_TAGS)
        for text in (said, *others[: rng.choice((0, 0, 0, 1, 2, 3, 4))]):
            add_element(box, paragraph, text)
    if rng.random() < THREADS:
        _add_thread(box, story, rng)
    return filled(root, place, box)


def _add_thread(box: HtmlElement, story: Story, rng: random.Random) -> None:
    """Let readers comment on a story, by sentences of its own."""
    said = [text for paragraph in story.paragraphs for text in _SENTENCE.split(paragraph) if text]
    thread = add_element(box, "div", name=rng.choice(("comments", "comments-area", "replies", None)))
    item, link = rng.choice(("li", "div", "article")), rng.choice(("a", "span", ""))
    for n in range(rng.randint(1, 15)):
        comment = add_element(thread, item, name=rng.choice(("comment", None)))
        add_element(comment, rng.choice(("cite", "b", "p")), f"Lena{n} {rng.randint(1, 28)}.{rng.randint(1, 12)}.2024")
        add_element(comment, rng.choice(TEXT_TAGS), rng.choice(said)[:MAX_FLASH])
        if link:
            add_element(comment, link, "↩")
