"""Training pages made of templates written by hand: content systems and kinds of page that few labelled pages show.

A template (``templates/KIND/NAME.jinja``) is a page as one system writes it, with room for what it says. Its words are
those of labelled stories; what is drawn at random, which boxes there are and how many, is the template's. It marks its
own labels: elements with ``data-text`` hold the page's text, ``data-off`` what stands among it and is none, and
``data-head`` the headline. The marks are gone before the network sees the page.

    python -m newscrawl.lab.training.made_pages TEMPLATE ...     # a page of each with its labels, line by line
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newscrawl.dom.document import Document
from newscrawl.dom.line_features import line_features
from newscrawl.lab.evaluation.corpus import CorpusPage
from newscrawl.lab.training.labelled import LabelledLines, fold_of, training_page
from newscrawl.lab.training.news_gold import LENIENT_WEIGHT, LineGold
from newscrawl.lab.training.stories import MIN_STORIES, WIDE, Story
from newscrawl.lab.truth.metrics import tokens
from newscrawl.network.features import page_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lxml.html import HtmlElement

    from newscrawl.lab.training.stories import Shelf

FOLDER: Final = Path(__file__).with_name("templates")
MADE: Final = "made"
"""The set that made pages are of."""
N_DRAWS: Final = 6
"""Pages made of a template: one, and variants that take its place now and then."""
TEXT, OFF, HEAD = "data-text", "data-off", "data-head"
_MARK: Final = re.compile(rf" (?:{TEXT}|{OFF}|{HEAD})(?=[\s>])(?:=\"\")?")
_LANGUAGE: Final = re.compile(r"<html[^>]*\blang=\"(\w+)")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")

_FAMILY: Final = tuple("王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗".split())
_GIVEN: Final = tuple("伟 芳 娜 敏 静 丽 强 磊 洋 艳 勇 杰 涛 明 超 秀英 志强 建国 文博 雨欣 子涵 浩然".split())
_FIRST: Final = tuple(
    "Anna Ben Carla David Elena Frank Grace Hugo Ivana Jonas Katrin Liam Maria Nikos Olga Peter Rosa Sam Tina Viktor "
    "Yusuf Zoe Jean-Luc Małgorzata Søren Amélie".split()
)
_LAST: Final = tuple(
    "Smith Meyer Novak Rossi Dubois Kowalska Ivanov Garcia Jensen Okafor Singh Papadopoulos Brown Weber O'Neill Silva "
    "Nguyen van Dijk Andersson Clarke".replace("van Dijk", "van·Dijk").split()
)
_NICKS: Final = tuple(
    "kestrel skywalker mod tomcat lena rusty pixel newbie42 old_timer jdoe blue dragon coder marta x_ray sunny".split()
)
_MONTHS: Final = tuple("January February March April May June July August September October November December".split())


class Content:
    """What a template may ask for. One page has one form of dates and class names, as one site has.

    :ivar story: the page's own; its ``title`` and ``paragraphs``.
    """

    def __init__(self, story: Story, others: Sequence[Story], rng: random.Random, *, is_wide: bool) -> None:
        self.story, self._others, self._rng, self._is_wide = story, others, rng, is_wide
        self._date_form = rng.randrange(4)
        self._hashes: dict[str, str] = {}

    def names(self) -> dict[str, object]:
        """Return what a template sees."""
        hidden = ("names",)
        return {name: getattr(self, name) for name in dir(self) if not name.startswith("_") and name not in hidden}

    def chance(self, percent: int) -> bool:
        return self._rng.randrange(100) < percent

    def pick(self, *options: object) -> object:
        return self._rng.choice(options)

    def n(self, least: int, most: int) -> int:
        """Return a number from ``least`` to ``most``."""
        return self._rng.randint(least, most)

    def some(self, least: int, most: int) -> range:
        """Return a range of so many, to repeat something."""
        return range(self._rng.randint(least, most))

    def body(self, least: int = 3, most: int = 25) -> list[str]:
        """Return the story's first paragraphs: at most a number drawn between the two."""
        return list(self.story.paragraphs[: self._rng.randint(least, most)])

    def other(self) -> Story:
        """Return another story of the same language."""
        return self._rng.choice(self._others)

    def cut(self, text: str, least: int = 60, most: int = 220) -> str:
        """Return the beginning of a text, as teasers have it."""
        n = self._rng.randint(least, most) // (2 if self._is_wide else 1)
        if len(text) <= n:
            return text
        cut = text[:n] if self._is_wide else text[:n].rsplit(" ", 1)[0]
        return cut + self._rng.choice(("...", "…", " [...]", ""))

    def lead(self) -> str:
        """Return the beginning of another story."""
        return self.cut(self.other().paragraphs[0])

    def sentence(self, story: Story | None = None) -> str:
        """Return a sentence of a story, of the page's own by default."""
        text = self._rng.choice((story or self.story).paragraphs)
        return self._rng.choice([part for part in _SENTENCE.split(text) if part.strip()] or [text])

    def phrase(self, least: int = 1, most: int = 3) -> str:
        """Return a few words of another story: a label, a category, an entry of a menu."""
        text = self._rng.choice((self.other().title, self._rng.choice(self.other().paragraphs)))
        n = self._rng.randint(least, most)
        if self._is_wide:
            return re.sub(r"\W", "", text)[: 2 * n] or text[: 2 * n]
        words = text.split()
        at = self._rng.randrange(max(1, len(words) - n))
        return " ".join(words[at : at + n]).strip(".,;:!?\"'()“”").capitalize()

    def posts(self, least: int, most: int) -> list[list[str]]:
        """Return so many posts of one to four paragraphs each, on the story's subject and on a second one's."""
        n = self._rng.randint(least, most)
        known = [part for text in self.story.paragraphs for part in _SENTENCE.split(text) if part.strip()]
        more = [part for text in self.other().paragraphs for part in _SENTENCE.split(text) if part.strip()]
        made = []
        for _ in range(n):
            source = known if known and self._rng.random() < 0.8 else more
            made.append(
                [self._said(source or [self.sentence()]) for _ in range(self._rng.choice((1, 1, 1, 2, 2, 3, 4)))]
            )
        return made

    def _said(self, sentences: list[str]) -> str:
        at = self._rng.randrange(len(sentences))
        said = sentences[at : at + self._rng.choice((1, 1, 2, 3, 5))]
        return ("" if self._is_wide else " ").join(said)

    def name(self) -> str:
        """Return a person's name."""
        if self._is_wide:
            return self._rng.choice(_FAMILY) + self._rng.choice(_GIVEN)
        return f"{self._rng.choice(_FIRST)} {self._rng.choice(_LAST)}".replace("·", " ")

    def nick(self) -> str:
        return self._rng.choice(_NICKS) + self._rng.choice(("", "", "_", str(self._rng.randrange(100))))

    def date(self) -> str:
        year, month, day = self._rng.randint(2004, 2025), self._rng.randint(1, 12), self._rng.randint(1, 28)
        name = _MONTHS[month - 1]
        wide = (
            f"{year}年{month}月{day}日",
            f"{year}-{month:02}-{day:02}",
            f"{year}/{month}/{day}",
            f"{month:02}-{day:02}",
        )
        narrow = (
            f"{name} {day}, {year}",
            f"{day} {name} {year}",
            f"{day:02}.{month:02}.{year}",
            f"{year}-{month:02}-{day:02}",
        )
        return (wide if self._is_wide else narrow)[self._date_form]

    def clock(self) -> str:
        return f"{self._rng.randrange(24):02}:{self._rng.randrange(60):02}"

    def price(self) -> str:
        return self._rng.choice(("${}.99", "€{},00", "£{}", "¥{}", "{} zł")).format(self._rng.randint(2, 900))

    def css(self, name: str) -> str:
        """Return a class name as bundlers hash it: the same for the same ``name`` on all the page."""
        if name not in self._hashes:
            form = self._rng.choice(("{name}_{hash}", "{hash}", "sc-{hash}", "css-{hash}", "{name}__{hash}"))
            code = "".join(self._rng.choices("abcdefghijkmnpqrstuvwxyz0123456789", k=6))
            self._hashes[name] = form.format(name=name, hash=code)
        return self._hashes[name]


class Templates:
    """The templates of a folder."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    @cached_property
    def names(self) -> list[str]:
        """``KIND/NAME`` of each, sorted."""
        return sorted(
            path.relative_to(self.folder).with_suffix("").as_posix() for path in self.folder.glob("*/*.jinja")
        )

    @cached_property
    def _environment(self) -> Environment:
        return Environment(
            loader=FileSystemLoader(self.folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.jinja"

    def page(self, name: str) -> CorpusPage:
        """Return what a corpus would say of a page of a template: its type, and as its site the template."""
        kind = name.partition("/")[0]
        return CorpusPage(id=name, set=MADE, path=self.path(name), site=f"{MADE}/{name}", page_type=kind)

    def is_wide(self, name: str) -> bool:
        """Tell whether a template takes stories in ideographs: by the language of its root."""
        told = _LANGUAGE.search(self.path(name).read_text(encoding="utf-8"))
        return bool(told and told[1] in WIDE)

    def markup(self, name: str, content: Mapping[str, object]) -> str:
        return self._environment.get_template(f"{name}.jinja").render(content)


def made_pages(
    stories: Mapping[Shelf, Sequence[Story]],
    *,
    seed: int,
    templates: Templates | None = None,
    advance: Callable[[], None] = lambda: None,
) -> list[LabelledLines]:
    """Return a page of each template, made of stories of its fold, to which it belongs as a site does."""
    templates = templates or Templates()
    made = []
    for name in templates.names:
        fold = fold_of(f"{MADE}/{name}")
        known = [
            found
            for (of, lang), found in sorted(stories.items())
            if of == fold and (lang in WIDE) == templates.is_wide(name) and len(found) >= MIN_STORIES
        ]
        page = made_of(templates, name, known, fold, seed)
        made += [page] if page else []
        advance()
    return made


def made_of(
    templates: Templates, name: str, shelves: Sequence[Sequence[Story]], fold: int, seed: int
) -> LabelledLines | None:
    """Return a page of a template, with variants; None where there is no story, or no text in any draw."""
    drawn = [draw(templates, name, shelves, f"{seed} {number}") for number in range(N_DRAWS if shelves else 0)]
    pages = [page for markup in drawn if (page := made_page(templates.page(name), markup, fold))]
    variants = tuple(training_page(page.lines, page.gold) for page in pages[1:])
    return replace(pages[0], variants=variants) if pages else None


def draw(templates: Templates, name: str, shelves: Sequence[Sequence[Story]], seed: str) -> str:
    """Return the markup of a page, with its marks."""
    rng = random.Random(f"{seed} {name}")  # noqa: S311 (no secret)
    shelf = rng.choices(shelves, [len(shelf) ** 0.5 for shelf in shelves])[0]
    content = Content(rng.choice(shelf), shelf, rng, is_wide=templates.is_wide(name))
    return templates.markup(name, content.names())


def without_marks(markup: str) -> str:
    """Return a page as its readers see it."""
    return _MARK.sub("", markup)


def made_page(page: CorpusPage, markup: str, fold: int = 0) -> LabelledLines | None:
    """Return a page with the labels that its marks give; None where it has no line of text."""
    document = Document.from_html(markup, None)
    lines = document.once(line_features).lines
    gold = _gold(
        lines.measures.nodes, lines.measures.parent.tolist(), lines.start.tolist(), lines.texts(range(len(lines)))
    )
    for mark in (TEXT, OFF, HEAD):
        for node in document.root.iter() if document.root is not None else ():
            node.attrib.pop(mark, None)
    seen = page_lines(document)
    if seen is None or not gold.is_body.any():
        return None
    return LabelledLines(
        page=page, lines=seen, texts=tuple(seen.lines.texts(range(len(seen.lines)))), gold=gold, fold=fold
    )


def _gold(nodes: Sequence[HtmlElement], parent: Sequence[int], starts: Sequence[int], texts: Sequence[str]) -> LineGold:
    is_body, weight = np.zeros(len(texts)), np.array([float(len(tokens(text))) for text in texts])
    for line, start in enumerate(starts):
        row = parent[start]
        while row >= 0 and not any(mark in nodes[row].attrib for mark in (TEXT, OFF, HEAD)):
            row = parent[row] if parent[row] < row else -1
        if row >= 0:
            is_body[line] = TEXT in nodes[row].attrib
            weight[line] *= LENIENT_WEIGHT if HEAD in nodes[row].attrib else 1.0
    return LineGold(is_body=is_body, weight=weight)


def _sample(*, is_wide: bool) -> tuple[Story, list[Story]]:
    said = (
        "这是报道的第{}段。另一位代表表示不同意。"
        if is_wide
        else "This is paragraph {} of it. It says what was decided."
    )
    title = "风力八级！舰艇维修中队的一天{}" if is_wide else "Council approves the new bridge after {} years"
    first, *others = [
        Story(title.format(n), tuple(said.format(f"{n}.{at}") for at in range(1, 13))) for n in range(1, 10)
    ]
    return first, others


def _show(path: Path) -> None:
    """Print a page of a template, each line behind its label."""
    templates, name = Templates(path.parents[1]), f"{path.parent.name}/{path.stem}"
    is_wide = templates.is_wide(name)
    for seed in range(3):
        content = Content(*_sample(is_wide=is_wide), random.Random(seed), is_wide=is_wide)  # noqa: S311 (no secret)
        page = made_page(templates.page(name), templates.markup(name, content.names()))
        if page is None:
            sys.exit(f"{path}: no line of text is marked")
        sys.stdout.write(
            f"== {name}, draw {seed}: {len(page.texts)} lines, {int(page.gold.is_body.sum())} of the text\n"
        )
        if not seed:
            labels = np.where(page.gold.is_body > 0, "TEXT", "   .")
            sys.stdout.writelines(f"{label} {text[:110]}\n" for label, text in zip(labels, page.texts, strict=True))


if __name__ == "__main__":
    for given in sys.argv[1:]:
        _show(Path(given).absolute())
