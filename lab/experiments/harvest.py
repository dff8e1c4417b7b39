"""Whole stored sites harvested: articles found, lost by reason, others stored, dates missing, text.

Each site is a WARC file with the list of its pages beside it (``NAME.pages.jsonl.gz``: ``url``, ``kind``,
``links``), and, where there are some, exact texts (``NAME.texts.jsonl.gz``: ``url``, ``date``, ``text``). A site is
harvested by the command a user types, from its home page, with default settings, answered by the archive. The truth
is read after the crawl has ended.

Values: ``--with sites=DIR[,DIR…]`` (folders of sites; else ``sites`` and ``sites2`` beside the corpus),
``--with only=NAME[,NAME…]``, ``--with settings=NAME=VALUE[;NAME=VALUE…]`` (settings of the crawls).
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lab.evaluation.harness import PROJECT
from lab.experiments.base import ExperimentResult, ResultTable
from newscrawl.exceptions import UserError
from newscrawl.serve.reports.charts import Bar, bars
from newscrawl.serve.training.metrics import summarise, text_score
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lab.experiments.base import Cell, Options
    from newscrawl.serve.reports.charts import Drawing
    from newscrawl.serve.training.metrics import TextScore

ARTICLE: Final = "article"
SHOWN: Final = 5
"""Lost and wrongly stored addresses that the table of a site names."""
COLUMNS: Final = (
    "site", "pages", "articles reachable", "stored", "share", "lists stored", "pages stored", "others per article",
    "dated of stored", "days right", "days judged", "texts", "F1", "precision", "recall",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSite:
    """A site as its archive holds it: what each address is, and which can be reached from the home page."""

    name: str
    warc: Path
    home: str
    kinds: Mapping[str, str]
    """Canonical address → kind."""
    reachable: frozenset[str]
    """Addresses that links lead to from the home page."""
    texts: Mapping[str, Mapping[str, Any]]
    """Canonical address → what is known exactly of the article."""


@dataclass(slots=True, kw_only=True)
class Harvest:
    """What a harvest stored of a site, beside the truth."""

    site: StoredSite
    stored: dict[str, tuple[str | None, str]]
    """Canonical address → date and text."""
    ends: dict[str, str]
    """Canonical address → how it ended, where it is no stored article."""
    scores: list[TextScore] = field(default_factory=list)

    @property
    def wanted(self) -> frozenset[str]:
        return frozenset(url for url in self.site.reachable if self.site.kinds[url] == ARTICLE)

    @property
    def found(self) -> frozenset[str]:
        return self.wanted & self.stored.keys()

    def others(self, *kinds: str) -> list[str]:
        return sorted(url for url in self.stored if self.site.kinds.get(url) in kinds)

    def lost(self) -> Iterator[tuple[str, str]]:
        """Yield each article that is not stored, and how it ended."""
        for url in sorted(self.wanted - self.stored.keys()):
            yield url, self.ends.get(url, "never asked for")


def run(options: Options) -> ExperimentResult:
    """Harvest each site once and compare what is stored with what the site says its pages are."""
    sites = list(stored_sites(options))
    harvests = []
    for site in sites:
        harvests.append(harvest(site, _settings(options)))
        options.advance()
    harvests.sort(key=lambda harvest: len(harvest.found) / max(1, len(harvest.wanted)))
    return ExperimentResult(
        title="Harvests of whole sites",
        source="truth: the sites' own marks of what each page is, and their exact texts; worst site first",
        tables=(_table(harvests), _lost_table(harvests), _others_table(harvests)),
        figures={"": _picture(harvests)},
        archives={site.warc: len(site.kinds) for site in sites},
    )


def stored_sites(options: Options) -> Iterator[StoredSite]:
    """Yield the sites of the folders that hold archive and list of pages.

    :raises UserError: a folder holds none, or a name of ``only`` is no site.
    """
    beside = options.corpus.parent
    named = options.values.get("sites")
    folders = [Path(name) for name in named.split(",")] if named else [beside / "sites", beside / "sites2"]
    only = set(filter(None, options.values.get("only", "").split(",")))
    found = {
        path.name.removesuffix(".warc.gz"): path for folder in folders for path in sorted(folder.glob("*.warc.gz"))
    }
    found = {name: path for name, path in found.items() if path.with_name(f"{name}.pages.jsonl.gz").is_file()}
    if not found or only - found.keys():
        raise UserError(
            f"no site {sorted(only - found.keys())} in {', '.join(map(str, folders))}; there: {sorted(found)}"
        )
    for name, path in found.items():
        if not only or name in only:
            yield _read_site(name, path)


def _read_site(name: str, warc: Path) -> StoredSite:
    pages = list(_lines(warc.with_name(f"{name}.pages.jsonl.gz")))
    urls = [canonicalize(page["url"]) or page["url"] for page in pages]
    home = min(pages, key=lambda page: len(page["url"]))
    reached, waiting = {home["i"]}, [home["i"]]
    while waiting:
        for target, *_ in pages[waiting.pop()]["links"]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    texts = warc.with_name(f"{name}.texts.jsonl.gz")
    return StoredSite(
        name=name,
        warc=warc,
        home=home["url"],
        kinds=dict(zip(urls, (page["kind"] for page in pages), strict=True)),
        reachable=frozenset(urls[number] for number in reached),
        texts={canonicalize(line["url"]) or line["url"]: line for line in _lines(texts)} if texts.is_file() else {},
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _settings(options: Options) -> list[str]:
    return list(filter(None, options.values.get("settings", "").split(";")))


def harvest(site: StoredSite, settings: Iterable[str] = ()) -> Harvest:
    """Harvest the site into a new database, and read what is stored.

    :raises UserError: the crawl failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "harvest.sqlite"
        given = [f"NEWSCRAWL_REPLAY={site.warc.resolve()}", f"NEWSCRAWL_DATABASE=sqlite:///{database}", *settings]
        words = [word for setting in given for word in ("-s", setting)]
        command = [
            sys.executable,
            "-m",
            "scrapy",
            "crawl",
            "site",
            "-a",
            f"url={site.home}",
            "-s",
            "LOG_LEVEL=ERROR",
            *words,
        ]
        done = subprocess.run(command, cwd=PROJECT, env=os.environ, capture_output=True, text=True, check=False)  # noqa: S603 (our own command)
        if done.returncode:
            raise UserError(f"the harvest of {site.name} ended with {done.returncode}: {done.stderr[-300:]}")
        return read_harvest(site, database)


def read_harvest(site: StoredSite, database: Path) -> Harvest:
    """Read what a database holds of the site."""
    with sqlite3.connect(database) as rows:
        stored = {
            canonicalize(url) or url: (published, body)
            for url, published, body in rows.execute(
                "select url, date_published, article_body from articles where gone_at is null"
            )
        }
        ends = {
            canonicalize(url) or url: " ".join(filter(None, (outcome, kind, reason)))
            for url, outcome, kind, reason in rows.execute("select url, outcome, page_type, reason from pages")
        }
    harvest = Harvest(site=site, stored=stored, ends=ends)
    for url in sorted(harvest.found & site.texts.keys()):
        harvest.scores.append(text_score(site.texts[url]["text"], stored[url][1]))
    return harvest


def _table(harvests: Iterable[Harvest]) -> ResultTable:
    rows = [_row(harvest) for harvest in harvests]
    sums = [sum(row[column] or 0 for row in rows) for column in range(1, 7)]  # type: ignore[misc]
    share, others = sums[2] / max(1, sums[1]), (sums[4] + sums[5]) / max(1, sums[2])
    total = ("all", sums[0], sums[1], sums[2], share, sums[4], sums[5], others, *[None] * 7)
    return ResultTable(
        title="Articles of whole sites",
        columns=COLUMNS,
        rows=(*rows, total),
        note="Others are lists and pages about the site. Days are judged where the site states a date exactly.",
    )


def _row(harvest: Harvest) -> tuple[Cell, ...]:
    site, found = harvest.site, harvest.found
    lists, pages = harvest.others("list"), harvest.others("page")
    judged = [url for url in found & site.texts.keys() if site.texts[url].get("date")]
    right = sum((harvest.stored[url][0] or "")[:10] == str(site.texts[url]["date"])[:10] for url in judged)
    text = summarise(harvest.scores)
    return (
        site.name, len(site.kinds), len(harvest.wanted), len(found), len(found) / max(1, len(harvest.wanted)),
        len(lists), len(pages), (len(lists) + len(pages)) / max(1, len(found)),
        sum(harvest.stored[url][0] is not None for url in found), right, len(judged), text.n or None,
        text.f1 if text.n else None, text.precision if text.n else None, text.recall if text.n else None,
    )  # fmt: skip


def _share(part: int, whole: int) -> float:
    return part / max(1, whole)


def _lost_table(harvests: Iterable[Harvest]) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for harvest in harvests:
        lost = list(harvest.lost())
        for end, number in Counter(end for _, end in lost).most_common():
            rows.append((harvest.site.name, end, number, " ".join(url for url, why in lost if why == end).split()[0]))
    return ResultTable(
        title="Articles lost, by how they ended", columns=("site", "end", "articles", "one"), rows=tuple(rows)
    )


def _others_table(harvests: Iterable[Harvest]) -> ResultTable:
    rows = [
        (harvest.site.name, kind, len(urls), " ".join(urls[:SHOWN]))
        for harvest in harvests
        for kind in ("list", "page")
        if (urls := harvest.others(kind))
    ]
    return ResultTable(title="Others stored", columns=("site", "kind", "pages", "some"), rows=tuple(rows))


def _picture(harvests: Iterable[Harvest]) -> Drawing:
    values = [
        Bar(label=harvest.site.name, value=_share(len(harvest.found), len(harvest.wanted))) for harvest in harvests
    ]
    return bars("Share of the reachable articles that a harvest stores", values, top=1.0)
