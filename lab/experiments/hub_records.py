"""Records of list pages: precision and recall of the links to stories, dates against those the pages show."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from lab.evaluation.corpus import corpora, load
from lab.evaluation.hub_labels import DATE_LABELS, HUB_LABELS
from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.focused_site import sites_folder
from newscrawl.extract.lists.read import read_hub
from newscrawl.page.document import Document
from newscrawl.urls.canonical import base_of, canonicalize
from newscrawl.urls.shape import url_date
from newscrawl.warc.archive import WarcArchive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lab.evaluation.corpus import CorpusPage
    from lab.evaluation.hub_labels import DateLabel, HubLabel
    from lab.experiments.base import Cell, Options
    from newscrawl.extract.lists.read import HubReading

PAGES_OF_SITE: Final = 300
"""List pages drawn from each stored site."""
FURNITURE_SHARE: Final = 0.2
"""A link to an article that stands on more of a site's lists belongs to its frame: it is not judged."""
COLUMNS: Final = (
    "site", "pages", "rules chosen on it", "story links", "found", "wrong", "precision", "recall", "dates shown",
    "dates found", "right",
)  # fmt: skip


@dataclass(slots=True)
class Counts:
    """Counts of the list pages of one site."""

    is_seen: bool
    pages: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    dates_shown: int = 0
    dates_found: int = 0
    dates_right: int = 0
    missed_pages: int = 0
    """Pages with stories of which none was found."""

    def add_links(self, found: set[str], stories: set[str], neutral: set[str]) -> None:
        self.pages += 1
        self.right += len(found & stories)
        self.wrong += len(found - stories - neutral)
        self.missed += len(stories - found)
        self.missed_pages += bool(stories) and not found & stories

    def add_dates(self, reading: HubReading, shown: dict[str, date], *, slack: timedelta = timedelta()) -> None:
        """Compare the days of records with those known of them by address."""
        for record in reading.records:
            truth = shown.get(canonicalize(record.url) or "")
            if truth is None:
                continue
            self.dates_shown += 1
            if record.date is not None:
                self.dates_found += 1
                self.dates_right += abs(date.fromisoformat(record.date[:10]) - truth) <= slack

    def row(self, name: str) -> tuple[Cell, ...]:
        return (
            name, self.pages, "yes" if self.is_seen else "no", self.right + self.missed, self.right, self.wrong,
            _share(self.right, self.right + self.wrong), _share(self.right, self.right + self.missed),
            self.dates_shown or None, self.dates_found or None, _share(self.dates_right, self.dates_found),
        )  # fmt: skip


@dataclass(slots=True)
class _StoredList:
    document: Document
    url: str
    fetched_at: datetime
    links: set[str] = field(default_factory=set)


def run(options: Options) -> ExperimentResult:
    """Read list pages of the stored sites and of the corpora, and compare with what is known of them.

    Value: ``--with sites=DIR`` as in ``focused``.
    """
    counts: dict[str, Counts] = {}
    folder = sites_folder(options)
    for site in DATE_LABELS:
        if (folder / f"{site}.warc.gz").is_file():
            counts[site] = _stored_site(folder, site, options)
    pages = _labelled_pages(options)
    for page in pages:
        _add_labelled(page, counts.setdefault(page.group, Counts(_label(page).is_seen)))
        options.advance()
    return ExperimentResult(
        title="Records of list pages",
        source="truth: link graphs of stored sites; selectors by hand for pages of the corpora",
        tables=(_summary(counts), _by_site(counts)),
        pages=tuple(pages),
    )


def _label(page: CorpusPage) -> HubLabel:
    return HUB_LABELS[page.corpus, page.set, page.id]


def _stored_site(folder: Path, site: str, options: Options) -> Counts:
    with gzip.open(folder / f"{site}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        kinds = {canonicalize(page["url"]) or "": page for page in map(json.loads, lines)}
    articles = {url for url, page in kinds.items() if page["kind"] == "article"}
    urls = sorted(page["url"] for page in kinds.values() if page["kind"] == "list")
    random.Random(options.seed).shuffle(urls)  # noqa: S311
    lists = list(_read_lists(folder / f"{site}.warc.gz", urls[: options.limit or PAGES_OF_SITE]))
    n_linked = Counter(url for page in lists for url in page.links)
    frame = {url for url, count in n_linked.items() if count > FURNITURE_SHARE * len(lists)}
    counts = Counts(is_seen=True)
    for page in lists:
        reading = read_hub(page.document, page.url, fetched_at=page.fetched_at)
        found = {canonicalize(record.url) or "" for record in reading.records}
        stories = (page.links & articles) - frame
        dead = found - kinds.keys()
        counts.add_links(found, stories, frame | dead)
        counts.add_dates(reading, _template_dates(page, DATE_LABELS[site]))
        options.advance()
    return counts


def _read_lists(warc: Path, urls: list[str]) -> Iterator[_StoredList]:
    with WarcArchive([warc]) as archive:
        for url in urls:
            answer = archive.get(url)
            if answer is None:
                continue
            headers = {name.lower(): value for name, value in answer.headers}
            is_packed = "gzip" in headers.get("content-encoding", "")
            body = gzip.decompress(answer.body) if is_packed else answer.body
            document = Document.from_html(body, url, headers.get("content-type"))
            page = _StoredList(document, url, answer.fetched_at or datetime.now(UTC))
            page.links = _links(document, url, "a") - {canonicalize(url) or ""}
            yield page


def _links(document: Document, url: str | None, selector: str) -> set[str]:
    """Return the addresses of the links that a selector chooses."""
    if document.root is None or not selector:
        return set()
    base = base_of(document.root, url)
    hrefs = (node.get("href") for node in document.root.cssselect(selector))
    return {address for href in hrefs if href and (address := canonicalize(href, base))}


def _template_dates(page: _StoredList, label: DateLabel) -> dict[str, date]:
    found = {}
    for item in page.document.root.cssselect(label.item) if page.document.root is not None else ():
        links, dates = item.cssselect(label.link), item.cssselect(label.date)
        if not links or not dates:
            continue
        text = dates[0].get("datetime") or dates[0].text_content().partition("|")[0]
        try:
            day = datetime.strptime(text.strip(), label.form).date()  # noqa: DTZ007
        except ValueError:
            continue
        found[canonicalize(links[0].get("href") or "", page.url) or ""] = day
    return found


def _labelled_pages(options: Options) -> list[CorpusPage]:
    found = []
    for folder in corpora(options.corpus):
        sets = sorted({name for corpus, name, _ in HUB_LABELS if corpus == folder.name})
        found += [page for page in load(folder, sets) if (page.corpus, page.set, page.id) in HUB_LABELS]
    return found[: options.limit]


def _add_labelled(page: CorpusPage, counts: Counts) -> None:
    label = _label(page)
    document = Document.from_html(page.read(), page.url)
    reading = read_hub(document, page.url)
    found = {canonicalize(record.url) or "" for record in reading.records}
    stories = _links(document, page.url, label.stories)
    counts.is_seen |= label.is_seen
    counts.add_links(found, stories, _links(document, page.url, label.boxes))
    days = {url: day for url in stories if (day := url_date(url)) is not None}
    dated = {url for record in reading.records if record.date and (url := canonicalize(record.url))}
    counts.add_dates(reading, {url: day for url, day in days.items() if url in dated}, slack=timedelta(days=1))


def _summary(counts: dict[str, Counts]) -> ResultTable:
    rows = []
    for name, is_seen in (("sites that rules were chosen on", True), ("sites left out", False)):
        chosen = [found for found in counts.values() if found.is_seen is is_seen]
        total: defaultdict[str, int] = defaultdict(int)
        for found in chosen:
            for key in ("pages", "right", "wrong", "missed", "dates_found", "dates_right", "missed_pages"):
                total[key] += getattr(found, key)
        precision = [_share(one.right, one.right + one.wrong) or 0.0 for one in chosen]
        recall = [_share(one.right, one.right + one.missed) or 0.0 for one in chosen]
        rows.append(
            (
                name, len(chosen), total["pages"], total["right"] + total["missed"],
                _share(total["right"], total["right"] + total["wrong"]),
                _share(total["right"], total["right"] + total["missed"]),
                _share(sum(precision), len(precision)), _share(sum(recall), len(recall)),
                total["missed_pages"], total["dates_found"], _share(total["dates_right"], total["dates_found"]),
            )
        )  # fmt: skip
    return ResultTable(
        title="Story links",
        columns=(
            "", "sites", "pages", "story links", "precision", "recall", "precision, mean of sites",
            "recall, mean of sites", "pages without any found", "dates found", "dates right",
        ),
        rows=tuple(rows),
    )  # fmt: skip


def _by_site(counts: dict[str, Counts]) -> ResultTable:
    return ResultTable(
        title="By site",
        columns=COLUMNS,
        rows=tuple(found.row(name) for name, found in counts.items()),
        note=(
            "Stored sites: a story link leads to an article of the link graph; dead links and links on more than 20 % "
            "of the site's lists are not judged; dates by the template's own element. Corpora: selectors by hand "
            "(lab/evaluation/hub_labels.py), boxes beside the list not judged; dates against the day in the "
            "story's address, one day of difference allowed."
        ),
    )


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
