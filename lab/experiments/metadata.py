"""Accuracy of headline, date, authors, source and language on labelled articles, on sites seen and unseen.

    scrapy experiment metadata [--json]
    python -m lab.experiments.metadata date     # pages of the development half where the date is wrong

Rules were made beside the first corpus. Its sites apart, those of the second one and of ``wcxb`` are divided by the
hash of their name: errors are looked at on the development half alone, and the held-out half tells how good the rules
are.

When a field is right:

- title: equal to the gold after folding width, case, punctuation and white space, or with an edit similarity of 0.9.
- date: the calendar day is the gold's, in the zone the page states, the gold states, or the site lives in.
- author: the names found (editors and photographers left out, unless nobody else is named) and the gold's overlap by
  half of their union or more; names are compared folded.
- source: equal to the printed source, or one begins with the other (set ``gne``).
- language: the corpus's ISO 639-1 code.

Only pages with a gold value count. Precision and recall are of values, for authors of names. A label is borne out by
its page where its words, or its day in some form, stand in the markup, and it is not the day that the page states as
that of its last change beside another one of publication. Intervals are 95 % bootstrap intervals over sites.
"""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from difflib import SequenceMatcher
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from lab.evaluation.corpus import default_folder, load, load_all, site_fold
from lab.experiments.base import ExperimentResult, Options, ResultTable, spread
from newscrawl.classify.lines.model import judge_lines
from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.text import fold
from newscrawl.methods.base import get_extractor
from newscrawl.page.document import Document
from newscrawl.page.places import PageLines
from newscrawl.read.model import SHOWN
from newscrawl.read.script_data import fullest
from newscrawl.serve.training.metrics import interval, mean
from newscrawl.urls.domains import assumed_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.experiments.base import Cell
    from newscrawl.items import Article

SEEN: Final = ("fundus", "trafilatura", "zhwced", "gne", "htmldate", "postlight")
"""Sets of the first corpus beside which rules were made."""
UNSEEN: Final = ("andy", "fundus", "trafilatura", "wcxb")
FIELDS: Final = ("title", "date", "author", "source", "language")
ORIGINS: Final = {"title": "headline", "date": "datePublished", "author": "authors"}
RULES_MADE: Final = "rules made"
DEVELOPMENT: Final = "development"
HELD_OUT: Final = "held out"
SAME_TITLE: Final = 0.9
MIN_OVERLAP: Final = 0.5
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""The corpus keeps no fetch times; no page is younger than this."""
_STAFF: Final = frozenset({"editor", "photographer"})
_NAME_BREAK: Final = re.compile(r"[;,、/&]|\s(?:und|and|et|y)\s|['\"\[\]]")
_DAY: Final = len("2024-03-05")


class Answer(NamedTuple):
    """What was found for a field beside its label."""

    right: bool
    gold: str
    found: str
    counts: tuple[int, int, int]
    """Values that are right, values found, values of the gold."""
    borne_out: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One page: for each field with a gold value what was found."""

    page: CorpusPage
    part: str = RULES_MADE
    answers: dict[str, Answer] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    milliseconds: float = 0.0


def is_same_title(found: str | None, gold: str) -> bool:
    """Tell whether two titles are the same (rule above)."""
    ours, theirs = fold(found or ""), fold(gold)
    return bool(ours) and SequenceMatcher(None, ours, theirs, autojunk=False).ratio() >= SAME_TITLE


def is_same_day(found: datetime | None, gold: str, home: tzinfo = UTC) -> bool:
    """Tell whether ``found`` (aware) is on the day of ``gold`` (ISO 8601), for a site in the zone ``home``."""
    if found is None:
        return False
    if gold[:_DAY] in {found.date().isoformat(), found.astimezone(home).date().isoformat()}:
        return True
    try:
        moment = datetime.fromisoformat(gold)
    except ValueError:
        return False
    if moment.tzinfo is None:
        return False
    return (
        moment.astimezone(found.tzinfo).date() == found.date()
        or found.astimezone(moment.tzinfo).date() == moment.date()
    )


def names_in(names: Iterable[str]) -> frozenset[str]:
    """Return the folded names, those that stand in one string set apart."""
    parts = [part for name in names for part in _NAME_BREAK.split(name)]
    parts = [word for part in parts for word in (part.split() if HAN_LETTER.search(part) else [part])]
    return frozenset(folded for part in parts if (folded := fold(part)))


def is_same_source(found: str | None, gold: str) -> bool:
    ours, theirs = fold(found or ""), fold(gold)
    return bool(ours) and (ours.startswith(theirs) or theirs.startswith(ours))


def judge(page: CorpusPage, part: str = RULES_MADE) -> Judged:
    """Read a page's text and facts, as a crawl does, and compare the facts with the labels."""
    document = Document.from_html(page.read(), page.url)
    extractor = get_extractor("news")
    text = fullest(document, document.once(judge_lines), extractor.extract(document), full_text=SHOWN).text
    start = time.process_time()
    facts = extract_metadata(document, fetched_at=FETCHED_AT, body_text=text)
    seconds = time.process_time() - start
    answers = dict(answers_of(page, facts))
    for name in ("title", "date", "author") if part != RULES_MADE else ():
        if name in answers:
            answers[name] = answers[name]._replace(borne_out=is_borne_out(page, document, name))
    return Judged(page=page, part=part, answers=answers, origins=facts.fieldSources, milliseconds=1000 * seconds)


def answers_of(page: CorpusPage, facts: Article) -> Iterable[tuple[str, Answer]]:
    """Yield each field that has a label, with what was found for it."""
    gold, press = page.gold, page.extra.get("press")
    if gold.title:
        yield "title", _single(gold.title, facts.headline, right=is_same_title(facts.headline, gold.title))
    if gold.date and len(gold.date) >= _DAY:
        home = assumed_zone(None, page.url, page.lang)
        found = facts.datePublished
        right = is_same_day(found, gold.date, home)
        yield "date", _single(gold.date, found.isoformat() if found else None, right=right)
    if gold.authors:
        listed = [author.name for author in facts.authors if author.role not in _STAFF]
        listed = listed or [author.name for author in facts.authors]
        yield "author", names_match(listed, gold.authors)
    if press:
        yield "source", _single(press, facts.source, right=is_same_source(facts.source, press))
    if page.lang:
        yield "language", _single(page.lang, facts.inLanguage, right=facts.inLanguage == page.lang)


def names_match(found: Sequence[str], gold: Sequence[str]) -> Answer:
    """Compare the names found with those of the label (rule above)."""
    ours, theirs = names_in(found), names_in(gold)
    both = len(ours & theirs)
    right = bool(theirs) and both >= MIN_OVERLAP * len(ours | theirs)
    return Answer(right, "; ".join(gold), "; ".join(found), (both, len(ours), len(theirs)))


def _single(gold: str, found: str | None, *, right: bool) -> Answer:
    return Answer(right, gold, found or "", (int(right), int(bool(found)), 1))


def is_borne_out(page: CorpusPage, document: Document, name: str) -> bool:
    """Tell whether the page says what its label says (rule above), wherever it does."""
    markup = page.read().decode(page.encoding, errors="replace")
    lines = document.once(PageLines)
    if name == "date":
        return _states_day(markup, lines, page)
    shown = fold(markup) + fold("".join(line.text for line in lines))
    wanted = names_in(page.gold.authors) if name == "author" else {fold(page.gold.title or "")}
    return all(text in shown for text in wanted)


def _states_day(markup: str, lines: PageLines, page: CorpusPage) -> bool:
    day = (page.gold.date or "")[:_DAY]
    published = re.findall(r"(?:datePublished|published_time)\W[^<>{}]{0,24}?(\d{4}-\d\d-\d\d)", markup)
    changed = re.findall(r"(?:dateModified|modified_time)\W[^<>{}]{0,24}?(\d{4}-\d\d-\d\d)", markup)
    if day in changed and published and day not in published:
        return False
    texts = [page.url or "", *(lines[number].spaced for number in lines.years(sys.maxsize))]
    found = (date for text in texts for first in (True, False) for date in find_dates(text, page.lang, day_first=first))
    return day in markup or any(date.moment.date().isoformat() == day for date in found)


def labelled_pages(options: Options) -> list[tuple[CorpusPage, str]]:
    """Return the pages, each with its part."""
    seen = load(options.corpus, SEEN, limit=options.limit)
    known = {page.group for page in load(options.corpus, SEEN)}
    unseen = [
        page
        for page in load_all(options.corpus, UNSEEN, limit=options.limit)
        if (page.corpus != options.corpus.name or page.set not in SEEN)
        and page.group not in known
        and page.page_type in {None, "article"}
    ]
    halves = (DEVELOPMENT, HELD_OUT)
    return [(page, RULES_MADE) for page in seen] + [(page, halves[site_fold(page.group, 2)]) for page in unseen]


RULES: Final = (
    "Right: title, equal after folding or edit similarity of 0.9; date, same calendar day; author, half of the union "
    "of names or more; source, one begins with the other. Pages with a gold value only. Intervals: bootstrap, 95 %. "
    "Borne out: the page says what the label says; most other labels take a day of change, or a year, for another."
)


def run(options: Options) -> ExperimentResult:
    """Return a table for each part of the sites: the held-out half first, then the one that errors are looked at on."""
    pages = labelled_pages(options)
    judged = []
    for page, part in pages:
        judged.append(judge(page, part))
        options.advance()
    tables = [_table(judged, part, options.seed) for part in (HELD_OUT, DEVELOPMENT, RULES_MADE)]
    times = [item.milliseconds for item in judged]
    cost = ResultTable(
        title="cost",
        columns=("pages", "median ms", "mean ms"),
        rows=((len(times), median(times), sum(times) / len(times)),),
        note="Processor time of the facts alone, beside the text; changes from run to run.",
    )
    return ExperimentResult(
        title="Facts of a page",
        source="labels of the corpus",
        tables=(*tables, cost),
        pages=tuple(page for page, _ in pages),
    )


def _table(judged: Sequence[Judged], part: str, seed: int) -> ResultTable:
    items = [item for item in judged if item.part == part]
    sets = ["all", *dict.fromkeys(item.page.set for item in items)]
    if part == RULES_MADE:
        sets.append("zh")
    rows = [
        (
            name,
            label,
            *_figures([item for item in items if label in {"all", item.page.set, item.page.lang}], name, seed),
        )
        for name in FIELDS[: len(FIELDS) if part == RULES_MADE else len(ORIGINS)]
        for label in sets
    ]
    return ResultTable(
        title=part,
        columns=("field", "set", "n", "right", "95 %", "precision", "recall", "F1", "borne out", "right of those"),
        rows=tuple(row for row in rows if row[2]),
        note=RULES,
    )


def _figures(items: Sequence[Judged], name: str, seed: int) -> tuple[Cell, ...]:
    items = [item for item in items if name in item.answers]
    answers = [item.answers[name] for item in items]
    if not answers:
        return (0,)
    values = [(float(answer.right), 1.0) for answer in answers]
    bounds = interval(values, [item.page.group for item in items], mean, seed=seed)
    right, found, gold = (sum(column) for column in zip(*(answer.counts for answer in answers), strict=True))
    sound = [answer.right for answer in answers if answer.borne_out]
    return (
        len(answers),
        sum(answer.right for answer in answers) / len(answers),
        spread(bounds, signed=False),
        right / found if found else None,
        right / gold,
        2 * right / (found + gold),
        len(sound),
        sum(sound) / len(sound) if sound else None,
    )


def main(name: str) -> None:
    """Print the pages of the development half where a field is wrong."""
    for page, part in labelled_pages(Options(corpus=default_folder())):
        item = judge(page, part) if part == DEVELOPMENT else None
        answer = item.answers.get(name) if item else None
        if item and answer and not answer.right:
            origin = item.origins.get(ORIGINS[name], "-")
            doubt = "" if answer.borne_out else ", label not borne out"
            sys.stdout.write(f"{page.set}/{page.id} [{origin}{doubt}]\n  {answer.gold}\n  {answer.found}\n")


if __name__ == "__main__":
    main(sys.argv[1])
