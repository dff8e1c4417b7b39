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

import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from lab.evaluation.corpus import THIRD, default_folder, load, load_all, site_fold
from lab.experiments.base import ExperimentResult, Options, ResultTable, spread
from lab.experiments.fact_labels import DAY, FAULTS, fault_of, is_borne_out, is_same_title, names_in
from newscrawl.classify.lines.model import judge_lines
from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.languages.text import fold
from newscrawl.methods.base import get_extractor
from newscrawl.page.document import Document
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
LATER: Final = ("reader", "usnews", "wp", "md")
"""Sets of the third corpus."""
RULES_MADE: Final = "rules made"
DEVELOPMENT: Final = "development"
HELD_OUT: Final = "held out"
THIRD_CORPUS: Final = "third corpus"
PARTS: Final = (HELD_OUT, DEVELOPMENT, RULES_MADE, f"{THIRD_CORPUS}, {HELD_OUT}", f"{THIRD_CORPUS}, {DEVELOPMENT}")
MIN_OVERLAP: Final = 0.5
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""The corpus keeps no fetch times; no page is younger than this."""
_STAFF: Final = frozenset({"editor", "photographer"})


class Answer(NamedTuple):
    """What was found for a field beside its label."""

    right: bool
    gold: str
    found: str
    counts: tuple[int, int, int]
    """Values that are right, values found, values of the gold."""
    borne_out: bool = True
    fault: str = ""
    """What is wrong with the label of a wrong answer, as :mod:`lab.experiments.fact_labels` names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One page: for each field with a gold value what was found."""

    page: CorpusPage
    part: str = RULES_MADE
    answers: dict[str, Answer] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    milliseconds: float = 0.0


def is_same_day(found: datetime | None, gold: str, home: tzinfo = UTC) -> bool:
    """Tell whether ``found`` (aware) is on the day of ``gold`` (ISO 8601), for a site in the zone ``home``."""
    if found is None:
        return False
    if gold[:DAY] in {found.date().isoformat(), found.astimezone(home).date().isoformat()}:
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
    for name in ORIGINS.keys() & answers.keys():
        answer = answers[name]
        is_sound = part == RULES_MADE or is_borne_out(page, document, name)
        fault = "" if answer.right else fault_of(page, document, name, answer.found)
        answers[name] = answer._replace(borne_out=is_sound, fault=fault)
    return Judged(page=page, part=part, answers=answers, origins=facts.fieldSources, milliseconds=1000 * seconds)


def answers_of(page: CorpusPage, facts: Article) -> Iterable[tuple[str, Answer]]:
    """Yield each field that has a label, with what was found for it."""
    gold, press = page.gold, page.extra.get("press")
    if gold.title:
        yield "title", _single(gold.title, facts.headline, right=is_same_title(facts.headline, gold.title))
    if gold.date and len(gold.date) >= DAY:
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
    third = options.corpus.with_name(options.corpus.name + THIRD)
    later = load(third, LATER, limit=options.limit) if third.is_dir() else ()
    return [
        *((page, RULES_MADE) for page in seen),
        *((page, halves[site_fold(page.group, 2)]) for page in unseen),
        *((page, f"{THIRD_CORPUS}, {halves[site_fold(page.group, 2)]}") for page in later),
    ]


RULES: Final = (
    "Right: title, equal after folding or edit similarity of 0.9; date, same calendar day; author, half of the union "
    "of names or more; source, one begins with the other. Pages with a gold value only. Intervals: bootstrap, 95 %. "
    "Borne out: the page says what the label says; most other labels take a day of change, or a year, for another."
)

FAULT_RULES: Final = (
    "Why answers are wrong. Not on the page: it says nowhere what its label says. Day of a change: it states the "
    "label's day as that. Another zone's day: the moments are less than 14 hours apart. Another headline: the answer "
    "is shown as a first-level heading, or is JSON-LD's headline, and the label is neither. No person: an account, or "
    "a word that stands for nobody. Right at best: the share of labels that a page bears out, or that are met."
)


def run(options: Options) -> ExperimentResult:
    """Return a table for each part of the sites: the held-out half first, then the one that errors are looked at on."""
    pages = labelled_pages(options)
    judged = []
    for page, part in pages:
        judged.append(judge(page, part))
        options.advance()
    tables = [_table(judged, part, options.seed) for part in PARTS]
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
        tables=(*tables, _faults(judged), cost),
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


def _faults(judged: Sequence[Judged]) -> ResultTable:
    """Return how many answers are wrong, by what is wrong with their labels, and how many would be right at best."""
    rows: list[tuple[Cell, ...]] = []
    for part in PARTS:
        for name in ORIGINS:
            answers = [item.answers[name] for item in judged if item.part == part and name in item.answers]
            wrong = [answer.fault for answer in answers if not answer.right]
            read = wrong.count("")
            best = (len(answers) - len(wrong) + read) / len(answers) if answers else None
            rows.append((part, name, len(answers), len(wrong), *map(wrong.count, FAULTS), read, best))
    return ResultTable(
        title="wrong answers",
        columns=("part", "field", "n", "wrong", *FAULTS, "read wrongly", "right at best"),
        rows=tuple(row for row in rows if row[2]),
        note=FAULT_RULES,
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
            doubt = f", label: {answer.fault}" if answer.fault else ""
            sys.stdout.write(f"{page.set}/{page.id} [{origin}{doubt}]\n  {answer.gold}\n  {answer.found}\n")


if __name__ == "__main__":
    main(sys.argv[1])
