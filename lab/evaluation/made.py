"""Pages made of templates: content systems and kinds of page that few labelled pages show.

A template (``made_pages/KIND/NAME.jinja``) is a page as one system writes it, with room for what it says. Its stories
are invented; what is drawn at random, which boxes there are and how many, is the template's. It marks its own labels:
elements with ``data-text`` hold the page's text, ``data-off`` what stands among it and is none, and ``data-head`` the
headline. The marks are gone before anything judges the page.

    python -m lab.evaluation.made              # how well the network reads them, by kind; needs no corpus
    python -m lab.evaluation.made FILE ...     # a page of each template, its lines behind their labels
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from lab.training.stories import WIDE, Story
from newscrawl.classify.lines.model import judge_lines
from newscrawl.page.document import Document
from newscrawl.page.lines import line_features

if TYPE_CHECKING:
    from newscrawl.page.lines import Lines
    from newscrawl.page.measures import Bools

FOLDER: Final = Path(__file__).with_name("made_pages")
TEXT, OFF, HEAD = "data-text", "data-off", "data-head"
N_OTHERS: Final = 12
"""Stories beside the page's own, of which teasers and menus are made."""
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
    "Nguyen van_Dijk Andersson Clarke".split()
)
_NICKS: Final = tuple(
    "kestrel skywalker mod tomcat lena rusty pixel newbie42 old_timer jdoe blue dragon coder marta x_ray sunny".split()
)
_MONTHS: Final = tuple("January February March April May June July August September October November December".split())


_THINGS: Final = tuple(
    "bridge school harvest ferry library tunnel orchard museum market budget canal forest station theatre pension "
    "vaccine satellite wind-farm dairy railway stadium reservoir festival lighthouse quarry census airport".split()
)
_WIDE_THINGS: Final = tuple(
    "大桥 学校 收成 渡轮 图书馆 隧道 果园 博物馆 市场 预算 运河 森林 车站 剧院 养老金 疫苗 卫星 风电场 铁路".split()
)
_SAID: Final = (
    "The {0} has cost the region more than the {1} ever did, a report of {n} pages says.",
    "{who} told the council that the {0} would open before the {1} is closed.",
    "Nobody had expected that the {2}, which stands beside the {0}, could be saved at all.",
    "“We will not give up the {0},” said {who}, who has worked there for {n} years.",
    "By the end of the year {n} families want to move closer to the {1}.",
    "Critics of the plan point to the {2}: it was promised, paid for and never built.",
    "It rained.",
    "How the {0} is to be paid for is still open, and so is the question of the {2}.",
    "In spring the ministry sent two experts; they looked at the {1}, the {0} and the roads between them.",
)
_WIDE_SAID: Final = (
    "{who}昨日表示，{0}项目将在年底前完工，总投资约{n}亿元。",
    "与{1}相比，{0}给当地居民带来的变化更为明显。",
    "“我们不会放弃{0}，”在这里工作了{n}年的{who}说。",
    "据介绍，{2}位于{0}东侧，过去{n}年间曾两次改建。",
    "目前，{1}的修缮工作仍在进行，预计下月开放。",
    "他没有回应记者的提问。",
    "有专家指出，{2}的问题不在于资金，而在于管理。",
)


def _invent(rng: random.Random, *, is_wide: bool) -> Story:
    """Return a story about three things, which its paragraphs come back to."""
    things = rng.sample(_WIDE_THINGS if is_wide else _THINGS, 3)
    said = _WIDE_SAID if is_wide else _SAID

    def sentence() -> str:
        rng.shuffle(things)
        return rng.choice(said).format(*things, n=rng.randint(2, 400), who=_person(rng, is_wide=is_wide))

    paragraphs = [
        ("" if is_wide else " ").join(sentence() for _ in range(rng.randint(1, 5))) for _ in range(rng.randint(3, 30))
    ]
    title = (
        f"{things[0]}与{things[1]}：{_person(rng, is_wide=True)}的一年"
        if is_wide
        else f"Why the {things[0]} matters more than the {things[1]}"
    )
    return Story(title, tuple(paragraphs))


def _person(rng: random.Random, *, is_wide: bool) -> str:
    if is_wide:
        return rng.choice(_FAMILY) + rng.choice(_GIVEN)
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}".replace("_", " ")


class Content:
    """What a template may ask for. One page has one form of dates and class names, as one site has.

    :param is_wide: stories in ideographs.
    :ivar story: the page's own; its ``title`` and ``paragraphs``.
    """

    def __init__(self, rng: random.Random, *, is_wide: bool) -> None:
        self.story, *self._others = (_invent(rng, is_wide=is_wide) for _ in range(1 + N_OTHERS))
        self._rng, self._is_wide = rng, is_wide
        self._date_form = rng.randrange(4)
        self._hashes: dict[str, str] = {}

    def names(self) -> dict[str, object]:
        """Return what a template sees."""
        return {name: getattr(self, name) for name in dir(self) if not name.startswith("_")}

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
                [self._mark_said(source or [self.sentence()]) for _ in range(self._rng.choice((1, 1, 1, 2, 2, 3, 4)))]
            )
        return made

    def _mark_said(self, sentences: list[str]) -> str:
        at = self._rng.randrange(len(sentences))
        said = sentences[at : at + self._rng.choice((1, 1, 2, 3, 5))]
        return ("" if self._is_wide else " ").join(said)

    def name(self) -> str:
        """Return a person's name."""
        return _person(self._rng, is_wide=self._is_wide)

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
        found = self.folder.glob("*/*.jinja")
        return sorted(path.relative_to(self.folder).with_suffix("").as_posix() for path in found)

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

    def draw(self, name: str, seed: int) -> MadePage:
        """Return a page of a template; the same seed gives the same page."""
        told = _LANGUAGE.search(self.path(name).read_text(encoding="utf-8"))
        rng = random.Random(f"{seed} {name}")  # noqa: S311 (no secret)
        content = Content(rng, is_wide=bool(told and told[1] in WIDE))
        return made_page(self._environment.get_template(f"{name}.jinja").render(content.names()))


@dataclass(frozen=True, slots=True)
class MadePage:
    document: Document
    """Without the marks."""
    lines: Lines
    is_text: Bools
    """Whether each line is of the page's text; shape ``(n,)``."""


def made_page(markup: str) -> MadePage:
    """Return the page that marked markup stands for; a line goes by the innermost marked element where it begins."""
    document = Document.from_html(markup)
    lines = document.once(line_features).lines
    nodes, parent = lines.measures.nodes, lines.measures.parent.tolist()
    is_text = np.zeros(len(lines), dtype=np.bool_)
    for line, start in enumerate(lines.start.tolist()):
        row = parent[start]
        while row >= 0 and not {TEXT, OFF, HEAD}.intersection(nodes[row].attrib):
            row = parent[row] if parent[row] < row else -1
        is_text[line] = row >= 0 and TEXT in nodes[row].attrib
    for node in document.root.iter() if document.root is not None else ():
        for mark in (TEXT, OFF, HEAD):
            node.attrib.pop(mark, None)
    return MadePage(document, lines, is_text)


def text_scores(seed: int) -> dict[str, list[float]]:
    """Return by kind, for a page of each template, the F1 by characters of the lines that the shipped network takes."""
    templates = Templates()
    found = defaultdict(list)
    for name in templates.names:
        page = templates.draw(name, seed)
        chars, is_body = page.lines.chars, page.document.once(judge_lines).is_body
        right, taken = chars[page.is_text & is_body].sum(), chars[page.is_text].sum() + chars[is_body].sum()
        found[name.partition("/")[0]].append(float(2 * right / taken))
    return found


def _show(path: Path) -> None:
    """Print a page of a template, each line behind its label."""
    name = f"{path.parent.name}/{path.stem}"
    page = Templates(path.parents[1]).draw(name, 0)
    sys.stdout.write(f"== {name}: {len(page.is_text)} lines, {int(page.is_text.sum())} of the text\n")
    labels = np.where(page.is_text, "TEXT", "   .")
    sys.stdout.writelines(f"{label} {text[:110]}\n" for label, text in zip(labels, page.lines.shown, strict=True))


if __name__ == "__main__":
    for given in sys.argv[1:]:
        _show(Path(given).absolute())
    for kind, scores in text_scores(1).items() if len(sys.argv) == 1 else ():
        sys.stdout.write(f"{kind:8} {len(scores):4} templates, F1 {np.mean(scores):.3f}\n")
