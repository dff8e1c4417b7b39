"""Weights by which sites judge pages: what each is worth, and the errors on sites that no weight was chosen on.

``python -m lab.experiments.kind_weights`` reads a sample of the pages of each whole site, lets the site see all of
them, and judges them again. Each weight of ``WEIGHTS`` is tried at some multiples. A site is left out, the one change
that serves the other sites best is made, and the site left out is judged with it.

A weight that changes nothing here may still carry sites whose pages say little: without ``ANNOUNCED`` the made site of
pictures with captions loses stories (``tests/test_sites_kinds_made.py``).
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from warcio.archiveiterator import ArchiveIterator

from lab.evaluation.corpus import default_folder
from newscrawl.items import PageType
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import reader_for
from newscrawl.sites import kinds as judge
from newscrawl.sites.shown import SiteEvidence, address_key
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from newscrawl.sites.shown import KindEvidence

WEIGHTS: Final = (
    "OWN", "MAX_ODDS", "GOODS", "SAID", "FORM", "TEMPLATE", "MAX_SHARE_ODDS", "ANNOUNCED", "TITLED", "FURNITURE",
)  # fmt: skip
"""Names of :mod:`newscrawl.sites.kinds`."""
MULTIPLES: Final = (0.0, 0.5, 0.75, 1.5, 2.0)
FETCHED: Final = datetime(2026, 1, 1, tzinfo=UTC)

Weights = dict[str, float]


class JudgedPage(NamedTuple):
    url: str
    is_article: bool
    evidence: KindEvidence
    links: tuple[int, ...]


class Errors(NamedTuple):
    lost: int
    """Articles judged to be none."""
    wrong: int
    """Other pages judged to be articles."""
    n_articles: int
    n_others: int

    @property
    def cost(self) -> float:
        return (self.lost + self.wrong) / max(1, self.n_articles)


def read_site(warc: Path, limit: int, seed: int) -> list[JudgedPage]:
    """Read a sample of a site's pages whose kind is known, each as one that may be an article."""
    with gzip.open(warc.with_name(warc.name.replace(".warc.gz", ".pages.jsonl.gz")), "rt", encoding="utf-8") as lines:
        kinds = {canonicalize(page["url"]) or page["url"]: page["kind"] for page in map(json.loads, lines)}
    urls = sorted(kinds)
    chosen = set(urls if len(urls) <= limit else random.Random(seed).sample(urls, limit))  # noqa: S311 (no secret)
    reader, found = reader_for(Wants(kinds=True)), []
    for url, body, content_type in _answers(warc):
        if url in chosen and "html" in content_type and kinds[url] != "unclear":
            raw = RawPage(body=body, url=url, fetched_at=FETCHED, content_type=content_type, is_expected=True)
            reading = reader.read(raw)
            if reading.kind is not None:
                links = tuple({address_key(link.url) for link in reading.links})
                found.append(JudgedPage(url, kinds[url] == "article", reading.kind, links))
    return found


def _answers(warc: Path) -> Iterator[tuple[str, bytes, str]]:
    with warc.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI")
                content_type = record.http_headers.get_header("Content-Type") or ""
                yield canonicalize(url) or url, record.content_stream().read(), content_type


def current() -> Weights:
    return {name: getattr(judge, name) for name in WEIGHTS}


def errors(pages: Sequence[JudgedPage], weights: Weights) -> Errors:
    """Judge the pages of a site that has shown all of them."""
    before = current()
    try:
        for name, value in weights.items():
            setattr(judge, name, value)
        site = SiteEvidence()
        for page in pages:
            site.observe(page.url, page.evidence, page.links)
        judge.count_pages(site)
        judged = [judge.judge_kind(site, page.url, page.evidence).page_type is PageType.ARTICLE for page in pages]
    finally:
        for name, value in before.items():
            setattr(judge, name, value)
    n_articles = sum(page.is_article for page in pages)
    pairs = list(zip(pages, judged, strict=True))
    return Errors(
        lost=sum(page.is_article and not is_article for page, is_article in pairs),
        wrong=sum(is_article and not page.is_article for page, is_article in pairs),
        n_articles=n_articles,
        n_others=len(pages) - n_articles,
    )


def changes() -> dict[str, Weights]:
    """Return the weights as they are, and each at some multiples."""
    own = current()
    tried = {f"{name} × {by:g}": own | {name: own[name] * by} for name in WEIGHTS for by in MULTIPLES}
    return {"as they are": own} | tried


def held_out(table: Mapping[str, Mapping[str, Errors]]) -> dict[str, tuple[str, Errors]]:
    """Return for each site the change that serves the others best, and its errors with that.

    :param table: change → site → errors; of equal changes the first is taken.
    """
    sites = list(table["as they are"])

    def best(left_out: str) -> str:
        return min(table, key=lambda change: sum(table[change][site].cost for site in sites if site != left_out))

    return {site: (change, table[change][site]) for site in sites for change in [best(site)]}


def total(of: Iterable[Errors]) -> Errors:
    return Errors(*map(sum, zip(*of, strict=True)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m lab.experiments.kind_weights", description=__doc__)
    parser.add_argument("--shared", type=Path, default=default_folder().parent, help="folder of sites/ and sites2/")
    parser.add_argument("--limit", type=int, default=450, help="pages of a site (default: 450)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    archives = [path for folder in ("sites2", "sites") for path in sorted((options.shared / folder).glob("*.warc.gz"))]
    pages = {path.name.removesuffix(".warc.gz"): read_site(path, options.limit, options.seed) for path in archives}
    json.dump(figures(pages) | {"seed": options.seed, "limit": options.limit}, sys.stdout, indent=2)
    sys.stdout.write("\n")


def figures(pages: Mapping[str, Sequence[JudgedPage]]) -> dict[str, object]:
    table = {name: {site: errors(of, weights) for site, of in pages.items()} for name, weights in changes().items()}
    left_out = held_out(table)
    return {
        "as they are": {site: found._asdict() for site, found in table["as they are"].items()},
        "changes": {name: total(of.values())._asdict() for name, of in table.items()},
        "chosen without the site": {site: {"change": name, **e._asdict()} for site, (name, e) in left_out.items()},
        "held out": total(found for _, found in left_out.values())._asdict(),
    }


if __name__ == "__main__":
    main()
