"""Hub pages made of article pages: the article gives way to lists of other pages' headlines and openings.

Few labelled pages that weights may be shipped of are hubs. What stands around a hub's list is what stands around the
site's articles, so that each article page gives one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from lxml import etree, html

from lab.training.distractors import SUFFIXES, TEASER_NAMES, add_element, article_element
from newscrawl.languages.text import fold

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from lab.training.news_gold import LineGold
    from lab.training.stories import Story
    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines

SECTIONS: Final = "news blog sport politics economy local culture world tech archive stories travel".split()
PATHS: Final = (
    "/", "/", "/", "/{s}/", "/{s}", "/category/{s}/", "/tag/{s}", "/page/{n}/", "/{s}/page/{n}", "/{y}/{m:02}/",
    "/author/{s}/", "/{s}/index.html", "/index.php?cat={n}", "/{s}?page={n}", "/topics/{s}", "/{s}/{t}/",
)  # fmt: skip
TARGETS: Final = (
    "/{y}/{m:02}/{d:02}/{slug}/", "/{y}/{m:02}/{slug}.html", "/news/{id}.html", "/?p={id}", "/{slug}", "/{slug}/",
    "/{s}/{slug}-{id}", "/article/{id}", "/{s}/{y}-{m:02}-{d:02}/{id}.shtml", "/blog/{slug}", "/story.php?id={id}",
)  # fmt: skip
DATES: Final = ("{d}.{m}.{y}", "{y}-{m:02}-{d:02}", "{d}/{m}/{y} 10:{d:02}", "{m:02}/{d:02}", "{y}年{m}月{d}日")
LISTS: Final = ("div", "div", "article", "article", "ul", "section", "table", "dl")
ITEM_TAGS: Final = {"ul": "li", "dl": "dd", "article": "article", "section": "section"}
HEADINGS: Final = ("h2", "h2", "h3", "h3", "h4", "h1", "div", "p", "strong", "")
TEXT_TAGS: Final = ("p", "p", "p", "div", "span")
ALL_PARAGRAPHS: Final = 9
"""Some front pages show whole stories."""
N_PARAGRAPHS: Final = (0, 0, 1, 1, 1, 1, 2, ALL_PARAGRAPHS)
N_ITEMS: Final = (5, 6, 8, 10, 10, 12, 15, 20, 30)
PAGE_KINDS: Final = ("website", "website", "blog", "article")
"""What hubs call themselves; some templates call every page an article."""
_ARTICLE_LINKS: Final = frozenset(("canonical", "next", "prev", "shortlink", "amphtml"))
_ARTICLE_METAS: Final = ("article", "date", "pub", "author", "byl", "dc.", "dcterms", "sailthru", "parsely", "lastmod")


@dataclass(frozen=True, slots=True)
class HubPage:
    markup: str
    url: str | None


def hub_page(
    document: Document, lines: Lines, gold: LineGold, title: str, stories: Sequence[Story], rng: random.Random
) -> HubPage | None:
    """Return a hub in the place of the article; None where the article has no clear place.

    The document's tree is changed.

    :param title: the article's headline, which goes with it.
    """
    place, root = article_place(document, lines, gold, rng), document.root
    if place is None or root is None:
        return None
    section = rng.choice(stories).title[: rng.randint(3, 12)]
    cut_article(root, title, section, rng)
    box = html.Element("div")
    maker = _Maker(stories, rng)
    if rng.random() < 0.5:
        add_element(box, rng.choice(("h1", "h1", "h2", "div")), section)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        maker.add_list(box)
    if rng.random() < 0.5:
        maker.add_pager(box)
    return HubPage(filled(root, place, box), maker.address(document.url))


def article_place(document: Document, lines: Lines, gold: LineGold, rng: random.Random) -> HtmlElement | None:
    """Return the element of an article, or one at most two levels above it; None where it has no clear place."""
    place = article_element(document, lines, gold)
    if place is None or place.tag == "body":
        return None
    for _ in range(rng.choice((0, 1, 1, 2))):
        above = place.getparent()
        if above is None or above.tag in ("body", "html"):
            break
        place = above
    return place


def filled(root: HtmlElement, place: HtmlElement, box: HtmlElement) -> str:
    """Return the page with ``box`` for all that stands in an element, which loses its attributes, too."""
    tag, tail = place.tag, place.tail
    place.clear()
    place.tag, place.tail = tag, tail
    place.append(box)
    return etree.tostring(root, encoding="unicode", method="html")


def cut_article(root: HtmlElement, title: str, section: str, rng: random.Random) -> None:
    """Take out what the page says of its article: declarations, headline, times, the form for comments."""
    folded = fold(title)
    for node in list(root.iter("title")):
        node.text = section if rng.random() < 0.5 else f"{section} - {rng.choice(SECTIONS)}"
    for node in list(root.iter("meta")):
        name = (node.get("name") or node.get("property") or node.get("itemprop") or "").lower()
        if name == "og:type" and rng.random() < 0.6:
            node.set("content", rng.choice(PAGE_KINDS))
        elif name == "og:type" or any(word in name for word in _ARTICLE_METAS):
            _drop(node)
    for node in list(root.iter("link", "script", "time", "h1", "h2", "form")):
        if _is_of_article(node, folded):
            _drop(node)


def _is_of_article(node: HtmlElement, title: str) -> bool:
    if node.tag == "link":
        return (node.get("rel") or "").lower() in _ARTICLE_LINKS
    if node.tag == "script":
        return "json" in (node.get("type") or "")
    if node.tag == "form":
        return any(True for _ in node.iter("textarea"))
    text = fold(node.text_content())
    return node.tag == "time" or (bool(text) and (text in title or title in text))


def _drop(node: HtmlElement) -> None:
    if node.getparent() is not None:
        node.drop_tree()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """How the items of a list are written."""

    item_name: str | None
    title_name: str | None
    text_name: str | None
    heading: str
    """Empty: the link stands in the item itself."""
    text_tag: str
    n_paragraphs: int
    length: int | None
    """Length of a paragraph, in characters; None: whole."""
    is_pictured: bool
    date: str | None
    date_tag: str
    author_name: str | None
    """Empty: no author."""
    more: str | None


class _Maker:
    """Draws lists of stories: all items of one have one form, as templates have."""

    def __init__(self, stories: Sequence[Story], rng: random.Random) -> None:
        self.stories, self.rng = stories, rng
        self.target = rng.choice(TARGETS)

    def _filled(self, pattern: str) -> str:
        rng = self.rng
        return pattern.format(
            s=rng.choice(SECTIONS), t=rng.choice(SECTIONS), n=rng.randint(1, 90), y=rng.randint(2003, 2025),
            m=rng.randint(1, 12), d=rng.randint(1, 28), id=rng.randint(1000, 9_999_999),
            slug="-".join(rng.choices(SECTIONS, k=rng.randint(2, 7))),
        )  # fmt: skip

    def address(self, url: str | None) -> str | None:
        if url is None:
            return None
        scheme, host, *_ = urlsplit(url)
        return f"{scheme}://{host}{self._filled(self.rng.choice(PATHS))}"

    def _name(self, share: float) -> str | None:
        return self.rng.choice(TEASER_NAMES) + self.rng.choice(SUFFIXES) if self.rng.random() < share else None

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    def add_list(self, box: HtmlElement) -> None:
        rng = self.rng
        kind = rng.choice(LISTS)
        holder = add_element(box, kind if kind in ("ul", "table", "dl") else "div", name=self._name(0.6))
        form = _Form(
            item_name=self._name(0.7),
            title_name=self._name(0.3),
            text_name=self._name(0.3),
            heading=rng.choice(HEADINGS),
            text_tag=rng.choice(TEXT_TAGS),
            n_paragraphs=rng.choice(N_PARAGRAPHS),
            length=rng.randint(50, 300) if self._chance(0.8) else None,
            is_pictured=self._chance(0.5),
            date=rng.choice(DATES) if self._chance(0.6) else None,
            date_tag=rng.choice(("time", "span", "div")),
            author_name=self._name(0.5) if self._chance(0.3) else "",
            more=rng.choice(("»", "...", rng.choice(self.stories).title[:9])) if self._chance(0.35) else None,
        )
        for _ in range(rng.choice(N_ITEMS)):
            parent = add_element(holder, "tr") if kind == "table" else holder
            tag = "td" if kind == "table" else ITEM_TAGS.get(kind, "div")
            self._fill(add_element(parent, tag, name=form.item_name), form)

    def _fill(self, item: HtmlElement, form: _Form) -> None:
        story, href = self.rng.choice(self.stories), self._filled(self.target)
        if form.is_pictured:
            add_element(add_element(item, "a", href=href), "img", src="/x.jpg")
        if form.date is not None and form.date_tag != "div":
            add_element(item, form.date_tag, self._filled(form.date))
        title = add_element(item, form.heading, name=form.title_name) if form.heading else item
        add_element(title, "a", story.title, href=href)
        if form.date is not None and form.date_tag == "div":
            add_element(item, "div", self._filled(form.date))
        if form.author_name != "":
            add_element(item, "span", story.title[:10], name=form.author_name)
        for text in story.paragraphs[: form.n_paragraphs]:
            is_whole = form.length is None or form.n_paragraphs == ALL_PARAGRAPHS or len(text) <= form.length
            add_element(item, form.text_tag, text if is_whole else text[: form.length] + "…", name=form.text_name)
        if form.more is not None:
            add_element(item, "a", form.more, href=href)

    def add_pager(self, box: HtmlElement) -> None:
        pager = add_element(
            box, "div", name=self.rng.choice(("pager", "pagination", "nav", "pages", "wp-pagenavi", None))
        )
        form = self.rng.choice(("/page/{}", "?page={}", "list_{}.html", "?start={}0"))
        for number in range(1, self.rng.randint(3, 11)):
            add_element(pager, "a", str(number), href=form.format(number))
