"""Accuracy of headline, date, authors and language on labelled pages, and the cost of reading them.

    python -m newscrawl.lab.experiments.metadata [--sets fundus,gne] [--json out.json] [--wrong date]

When a field is right:

- title: equal to the gold after folding width, case, punctuation and white space, or with an edit similarity of 0.9.
- date: the calendar day is the gold's, in the zone the page states, the gold states, or the site lives in.
- author: the names found (editors and photographers left out, unless nobody else is named) and the gold's overlap by
  half of their union or more; names are compared folded.
- source: equal to the printed source, or one begins with the other (set ``gne``).
- language: the corpus's ISO 639-1 code.

Only pages with a gold value count. Intervals are 95 % bootstrap intervals over sites (``evaluation/bootstrap.py``).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, tzinfo
from difflib import SequenceMatcher
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.blocks.body import find_body
from newscrawl.dom.characters import HAN_LETTER
from newscrawl.dom.document import Document, parse
from newscrawl.dom.text import fold
from newscrawl.exceptions import UserError
from newscrawl.lab.evaluation.bootstrap import interval, mean
from newscrawl.lab.evaluation.corpus import default_folder, digest, load
from newscrawl.lab.experiments.base import ExperimentResult, ResultTable, spread
from newscrawl.metadata.extract import extract_metadata
from newscrawl.urls.home_zones import assumed_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from newscrawl.items import Article
    from newscrawl.lab.evaluation.corpus import CorpusPage
    from newscrawl.lab.experiments.base import Options

SETS: Final = ("fundus", "trafilatura", "zhwced", "gne", "htmldate", "postlight")
FIELDS: Final = ("title", "date", "author", "source", "language")
SAME_TITLE: Final = 0.9
MIN_OVERLAP: Final = 0.5
SEED: Final = 1
FETCHED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC)
"""The corpus keeps no fetch times; no page is younger than this."""
_STAFF: Final = frozenset({"editor", "photographer"})
_NAME_BREAK: Final = re.compile(r"[;,、/&]|\s(?:und|and|et|y)\s|['\"\[\]]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One page: for each field with a gold value whether it is right, and what was expected and found."""

    page: str
    set: str
    group: str
    lang: str
    right: dict[str, bool] = field(default_factory=dict)
    expected: dict[str, str] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    milliseconds: float = 0.0
    parse_milliseconds: float = 0.0


def is_same_title(found: str | None, gold: str) -> bool:
    """Tell whether two titles are the same (rule above)."""
    ours, theirs = fold(found or ""), fold(gold)
    return bool(ours) and SequenceMatcher(None, ours, theirs, autojunk=False).ratio() >= SAME_TITLE


def is_same_day(found: datetime | None, gold: str, home: tzinfo = UTC) -> bool:
    """Tell whether ``found`` (aware) is on the day of ``gold`` (ISO 8601), for a site in the zone ``home``."""
    if found is None:
        return False
    if gold[:10] in {found.date().isoformat(), found.astimezone(home).date().isoformat()}:
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


def is_same_authors(found: Iterable[str], gold: Iterable[str]) -> bool:
    """Tell whether the folded names overlap by half of their union or more."""
    ours, theirs = _name_set(found), _name_set(gold)
    return bool(theirs) and len(ours & theirs) >= MIN_OVERLAP * len(ours | theirs)


def _name_set(names: Iterable[str]) -> frozenset[str]:
    parts = [part for name in names for part in _NAME_BREAK.split(name)]
    parts = [word for part in parts for word in (part.split() if HAN_LETTER.search(part) else [part])]
    return frozenset(folded for part in parts if (folded := fold(part)))


def is_same_source(found: str | None, gold: str) -> bool:
    ours, theirs = fold(found or ""), fold(gold)
    return bool(ours) and (ours.startswith(theirs) or theirs.startswith(ours))


def judge(page: CorpusPage) -> Judged:
    """Read a page's facts and compare them with its labels."""
    document = Document.from_html(page.read(), page.url)
    start = time.perf_counter()
    metadata = extract_metadata(document, fetched_at=FETCHED_AT)
    seconds = time.perf_counter() - start
    right, expected, found = _compare(page, metadata)
    return Judged(
        page=page.id,
        set=page.set,
        group=page.group,
        lang=page.lang,
        right=right,
        expected=expected,
        found=found,
        origins=metadata.fieldSources,
        milliseconds=1000 * seconds,
    )


def _compare(page: CorpusPage, metadata: Article) -> tuple[dict[str, bool], dict[str, str], dict[str, str]]:
    gold = page.gold
    names = [author.name for author in metadata.authors if author.role not in _STAFF]
    names = names or [author.name for author in metadata.authors]
    published = metadata.datePublished
    press = page.extra.get("press")
    right: dict[str, bool] = {}
    expected: dict[str, str] = {}
    found: dict[str, str] = {}

    def note(name: str, gold_value: str, ours: str | None, *, same: bool) -> None:
        right[name], expected[name], found[name] = same, gold_value, ours or ""

    if gold.title:
        note("title", gold.title, metadata.headline, same=is_same_title(metadata.headline, gold.title))
    if gold.date:
        note(
            "date",
            gold.date,
            published.isoformat() if published else None,
            same=is_same_day(published, gold.date, assumed_zone(None, page.url, page.lang)),
        )
    if gold.authors:
        note("author", "; ".join(gold.authors), "; ".join(names), same=is_same_authors(names, gold.authors))
    if press:
        note("source", press, metadata.source, same=is_same_source(metadata.source, press))
    if page.lang:
        note("language", page.lang, metadata.inLanguage, same=metadata.inLanguage == page.lang)
    return right, expected, found


def cost(pages: Sequence[CorpusPage], *, rounds: int = 5) -> dict[str, float]:
    """Return median milliseconds per page of lxml's parse and of the metadata, and the medians of their ratios.

    ``alone`` is all that follows the parse; ``shared`` leaves out the rows and lines that extraction and page type
    need too (:meth:`Document.once`). Processor time, the least of ``rounds`` passes over each page.
    """
    parses, alone, shared = [], [], []
    for page in pages:
        text = Document.from_html(page.read(), page.url)
        if text.root is None:
            continue
        source = etree.tostring(text.root, encoding="unicode", method="html")
        times = [_timed(source, page.url) for _ in range(rounds)]
        parse_ms, lines_ms, read_ms = (1000 * min(column) for column in zip(*times, strict=True))
        parses.append(parse_ms)
        alone.append(lines_ms + read_ms)
        shared.append(read_ms)
    return {
        "pages": len(parses),
        "parse_ms": median(parses),
        "alone_ms": median(alone),
        "shared_ms": median(shared),
        "alone_over_parse": median(cost / parse for cost, parse in zip(alone, parses, strict=True)),
        "shared_over_parse": median(cost / parse for cost, parse in zip(shared, parses, strict=True)),
        "total_shared_over_total_parse": sum(shared) / sum(parses),
    }


def _timed(source: str, url: str | None) -> tuple[float, float, float]:
    """Return the seconds of the parse, of rows and lines, and of reading the facts."""
    start = time.process_time()
    root = parse(source)
    parsed = time.process_time()
    document = Document(root, url=url)
    document.once(find_body)
    _ = document.measures.nodes
    walked = time.process_time()
    extract_metadata(document, fetched_at=FETCHED_AT)
    return parsed - start, walked - parsed, time.process_time() - walked


def summarise(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Return one row for each set and field, and for each field over the Chinese pages."""
    rows = []
    parts = [
        (name, [item for item in judged if item.set == name]) for name in dict.fromkeys(item.set for item in judged)
    ]
    parts.append(("all", list(judged)))
    parts.append(("zh pages", [item for item in judged if item.lang == "zh"]))
    for label, items in parts:
        for name in FIELDS:
            values = [(float(item.right[name]), 1.0) for item in items if name in item.right]
            groups = [item.group for item in items if name in item.right]
            if values:
                bounds = interval(values, groups, mean, seed=SEED)
                accuracy = sum(value for value, _ in values) / len(values)
                rows.append(
                    {"set": label, "field": name, "n": len(values), "accuracy": accuracy, "interval": asdict(bounds)}
                )
    return rows


REQUIRED: Final = (
    ("date", ("fundus", "trafilatura", "zhwced", "gne"), ""),
    ("title", ("fundus", "trafilatura", "gne"), ""),
    ("author", ("fundus", "trafilatura", "zhwced", "gne"), ""),
    ("author", ("zhwced", "gne"), "zh"),
    ("source", ("gne",), "zh"),
)
"""Fields with the sets that the project's aims are stated on."""
RULES: Final = (
    "Right: title, equal after folding or edit similarity of 0.9; date, same calendar day; author, half of the union "
    "of names or more; source, one begins with the other. Pages with a gold value only. Intervals: bootstrap, 95 %."
)


def run(options: Options) -> ExperimentResult:
    """Return the accuracies as tables: over the sets that the aims name, and for each set."""
    pages = load(options.corpus, SETS, limit=options.limit)
    judged = []
    for page in pages:
        judged.append(judge(page))
        options.advance()
    rows = []
    for name, sets, lang in REQUIRED:
        items = [item for item in judged if item.set in sets and name in item.right and item.lang.startswith(lang)]
        rows.append((f"{lang} {name}".strip(), ", ".join(sets), *_accuracy(items, name, options.seed)))
    by_set = [
        (
            label,
            name,
            *_accuracy([item for item in judged if item.set == label and name in item.right], name, options.seed),
        )
        for label in SETS
        for name in FIELDS
        if any(item.set == label and name in item.right for item in judged)
    ]
    return ExperimentResult(
        title="Facts of a page",
        source="labels of the corpus",
        tables=(
            ResultTable(
                title="accuracy",
                columns=("field", "sets", "n", "right", "95 %"),
                rows=tuple(rows),
                note=RULES,
            ),
            ResultTable(title="by set", columns=("set", "field", "n", "right", "95 %"), rows=tuple(by_set)),
        ),
        pages=tuple(pages),
    )


def _accuracy(items: Sequence[Judged], name: str, seed: int) -> tuple[int, float | None, str]:
    if not items:
        return 0, None, ""
    values = [(float(item.right[name]), 1.0) for item in items]
    bounds = interval(values, [item.group for item in items], mean, seed=seed)
    return len(values), sum(value for value, _ in values) / len(values), spread(bounds, signed=False)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m newscrawl.lab.experiments.metadata", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--corpus", type=Path, default=None, help="folder with the sets (default: ../shared/corpus)")
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated names")
    parser.add_argument("--json", type=Path, default=None, help="write counts, intervals and corpus digest here")
    parser.add_argument("--wrong", choices=FIELDS, default=None, help="list the pages where this field is wrong")
    parser.add_argument("--cost", action="store_true", help="measure milliseconds beside lxml's parse, too")
    options = parser.parse_args(arguments)
    try:
        pages = load(options.corpus or default_folder(), options.sets.split(","))
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    judged = [judge(page) for page in pages]
    rows = summarise(judged)
    for row in rows:
        low, high = row["interval"]["low"], row["interval"]["high"]
        sys.stdout.write(
            f"{row['set']:12} {row['field']:9} n={row['n']:4} {row['accuracy']:.3f} [{low:.3f}, {high:.3f}]\n"
        )
    if options.wrong:
        _list_wrong(judged, options.wrong)
    timing = cost(pages) if options.cost else None
    if timing:
        sys.stdout.write(" ".join(f"{name}={value:.3g}" for name, value in timing.items()) + "\n")
    if options.json:
        result = {"rows": rows, "cost": timing, "seed": SEED, "corpus": digest(pages), "n_pages": len(pages)}
        options.json.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


def _list_wrong(judged: Sequence[Judged], name: str) -> None:
    origin = {"title": "headline", "date": "datePublished", "author": "authors", "language": "inLanguage"}.get(
        name, name
    )
    for item in judged:
        if item.right.get(name) is False:
            where = item.origins.get(origin, "-")
            sys.stdout.write(
                f"{item.set}/{item.page} [{where}]\n  gold  {item.expected[name]}\n  found {item.found[name]}\n"
            )


if __name__ == "__main__":
    sys.exit(main())
