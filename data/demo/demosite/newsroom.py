"""Writes the articles: which channel, which year, which template, and the text itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from demosite.grammar import Grammar, Teller
from demosite.model import CRAWL_START, SHANGHAI, DemoArticle, Node

PHRASES = Path(__file__).parent.parent / "phrases"
#: Two articles that are not copies share at most this part of their character 4-grams.
MAX_LIKENESS = 0.3


@dataclass(frozen=True, kw_only=True)
class Channel:
    name: str
    title: str
    host: str
    hub: str
    """Path of the hub page."""
    prefix: str
    """Path that the channel's articles begin with."""


CHANNELS = (
    Channel(name="china", title="国内", host="news.sina.com.cn", hub="/china/", prefix="/c"),
    Channel(name="world", title="国际", host="news.sina.com.cn", hub="/world/", prefix="/w"),
    Channel(name="society", title="社会", host="news.sina.com.cn", hub="/society/", prefix="/s"),
    Channel(name="military", title="军事", host="mil.news.sina.com.cn", hub="/", prefix="/jssd"),
    Channel(name="finance", title="财经", host="finance.sina.com.cn", hub="/", prefix="/china/gncj"),
    Channel(name="stock", title="股票", host="finance.sina.com.cn", hub="/stock/", prefix="/stock/s"),
    Channel(name="tech", title="科技", host="tech.sina.com.cn", hub="/", prefix="/it"),
    Channel(name="sports", title="体育", host="sports.sina.com.cn", hub="/", prefix="/others"),
    Channel(name="ent", title="娱乐", host="ent.sina.com.cn", hub="/", prefix="/m/c"),
    Channel(name="edu", title="教育", host="edu.sina.com.cn", hub="/", prefix="/l"),
    Channel(name="fashion", title="时尚", host="fashion.sina.com.cn", hub="/", prefix="/s/in"),
    Channel(name="auto", title="汽车", host="auto.sina.com.cn", hub="/", prefix="/news"),
)
#: Slots that make good tags, by channel: one value of each article becomes its keyword.
TAG_SLOTS = ("project", "matter", "place", "skill", "industry", "board", "product", "sport", "genre", "theme", "item")

_TEMPLATES = ("modern",) * 7 + ("plain",) * 4 + ("mid",) * 5 + ("old",) * 3 + ("short",) * 2
_MEDIA_ONLY = 0.3
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Newsroom:
    """Writes articles that are unlike each other, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # a demo, not a secret
        self.grammars = {
            channel.name: Grammar.read(PHRASES / "names.txt", PHRASES / f"{channel.name}.txt") for channel in CHANNELS
        }
        self.common = Grammar.read(PHRASES / "common.txt").sections["body"]
        self._shingles: list[set[str]] = []
        self._headlines: set[str] = set()

    def write(self, channel: Channel, template: str | None = None) -> DemoArticle:
        """Write one article; drawn again until no earlier one is much like it."""
        template = template or self.random.choice(_TEMPLATES)
        while True:
            teller = Teller(self.grammars[channel.name], self.random)
            headline = teller.tell(self.random.choice(teller.grammar.sections["headline"]))
            paragraphs = self._short(teller) if template == "short" else self._paragraphs(teller)
            if headline not in self._headlines and self._is_new("".join(paragraphs)):
                break
        self._headlines.add(headline)
        published = self._published(template)
        article = DemoArticle(
            url=self.url(channel, template, published),
            channel=channel.name,
            headline=headline,
            nodes=[Node(text=text) for text in paragraphs],
            published=published,
            template=template,
            source=teller.tell("<media*>"),
            keywords=(channel.title, *(teller.values[slot] for slot in TAG_SLOTS if slot in teller.values)),
        )
        self._sign(article, teller)
        self._enrich(article, teller)
        return article

    def more(self, channel: Channel) -> list[str]:
        """Write paragraphs for a later page of a long article."""
        while True:
            paragraphs = self._paragraphs(Teller(self.grammars[channel.name], self.random))[1:]
            if self._is_new("".join(paragraphs)):
                return paragraphs

    def _paragraphs(self, teller: Teller) -> list[str]:
        """Lead, then paragraphs of one to three sentences in the order of the phrase file."""
        body = teller.grammar.sections["body"]
        n_own = self.random.randint(6, min(11, len(body)))
        chosen = sorted(self.random.sample(range(len(body)), n_own))
        sentences = [body[i] for i in chosen]
        for extra in self.random.sample(self.common, self.random.randint(1, 4)):
            sentences.insert(self.random.randint(1, len(sentences)), extra)
        paragraphs = [teller.tell(self.random.choice(teller.grammar.sections["lead"]))]
        while sentences:
            n = self.random.choice((1, 1, 1, 2, 2, 3))
            paragraphs.append("".join(teller.tell(sentence) for sentence in sentences[:n]))
            del sentences[:n]
        return paragraphs

    def _short(self, teller: Teller) -> list[str]:
        """80 to 150 characters in one or two paragraphs."""
        while True:
            lead = teller.tell(self.random.choice(teller.grammar.sections["lead"]))
            second = teller.tell(self.random.choice(teller.grammar.sections["body"]))
            if 80 <= len(lead + second) <= 150:
                return [lead, second] if self.random.random() < 0.6 else [lead + second]

    def _is_new(self, text: str) -> bool:
        shingles = {text[i : i + 4] for i in range(len(text) - 3)}
        for other in self._shingles:
            shared = len(shingles & other)
            if shared > MAX_LIKENESS * (len(shingles) + len(other) - shared):
                return False
        self._shingles.append(shingles)
        return True

    def _published(self, template: str) -> datetime:
        minutes = self.random.randint(0, 24 * 60 - 1)
        if template == "plain":  # printed as "3小时前", "昨天 08:15" or with the year
            return CRAWL_START - timedelta(minutes=minutes % (60 * 40) + 90)
        if template in {"modern", "short"}:
            days = int(self.random.triangular(1, 31, 3))
            return datetime(2025, 11, 20, tzinfo=SHANGHAI) - timedelta(days=days) + timedelta(minutes=minutes)
        first, last = (2011, 2014) if template == "mid" else (2003, 2008)
        day = datetime(self.random.randint(first, last), 1, 1, tzinfo=SHANGHAI)
        return day + timedelta(days=self.random.randint(0, 364), minutes=minutes)

    def url(self, channel: Channel, template: str, published: datetime) -> str:
        """Draw an address as the portal would give it."""
        day, clock = published.strftime("%Y-%m-%d"), published.strftime("%H%M")
        number = self.random.randint(1_000_000, 9_999_999)
        if template == "old":
            return f"http://{channel.host}{channel.prefix}/{day}/{clock}{number}s.shtml"
        if template == "mid" and channel.name in {"finance", "stock"}:
            return f"http://{channel.host}{channel.prefix}/{published:%Y%m%d}/{clock}{number % 100_000:05}.shtml"
        if template == "mid":
            return f"http://{channel.host}{channel.prefix}/{day}/{clock}{number}.shtml"
        letters = "".join(self.random.choice(_LETTERS) for _ in range(7))
        return f"https://{channel.host}{channel.prefix}/{day}/doc-in{letters}{number}.shtml"

    def _sign(self, article: DemoArticle, teller: Teller) -> None:
        """Reporter, editor, both or none."""
        if self.random.random() > _MEDIA_ONLY:
            n = 2 if self.random.random() < 0.15 else 1
            article.authors = tuple(dict.fromkeys(teller.tell("<person*>") for _ in range(n)))
        if self.random.random() < 0.6:
            article.editors = (teller.tell("<person*>"),)
        if article.template in {"mid", "plain"} and article.authors and self.random.random() < 0.3:
            lead = f"{article.source}讯（记者 {' '.join(article.authors)}）"
            article.nodes[0] = Node(text=lead + article.nodes[0].text)

    def _enrich(self, article: DemoArticle, teller: Teller) -> None:
        """Give some articles subheadings, a picture with a caption, a list or a table."""
        if article.template in {"short", "old"} or len(article.nodes) < 5:
            return
        draw = self.random.random()
        middle = len(article.nodes) // 2
        if draw < 0.15:
            heading = self.random.choice(("来龙去脉", "账本背后", "各方怎么说", "数字里的变化", "还有哪些难题"))
            article.nodes.insert(middle, Node(kind="h", text=heading))
        elif draw < 0.30:
            article.nodes.insert(1, Node(kind="figure", text=teller.tell("图为<city>街景。资料图")))
        elif draw < 0.38:
            items = tuple(teller.tell(t) for t in self.random.sample(self.common, 3))
            article.nodes.insert(middle, Node(kind="ul", items=items))
        elif draw < 0.46:
            article.nodes.insert(middle, Node(kind="table", rows=self._table(teller)))

    def _table(self, teller: Teller) -> tuple[tuple[str, ...], ...]:
        rows = [("地区", "数量（个）", "同比（%）")]
        cities = dict.fromkeys(teller.tell("<city*>") for _ in range(5))
        rows += [(city, teller.tell("<n:12-980>"), teller.tell("<x:0.4-28.8>")) for city in cities]
        return tuple(rows)
