"""Development sites for focused crawls: stored sites cut into smaller ones, with topics made from their tags.

``scrapy experiment focused_cuts --cache DIR`` writes them to ``DIR/cuts``; ``scrapy experiment focused --sites
DIR/cuts --cache DIR/cuts`` crawls them. They hold text of the pages and stay out of the repository.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

from lab.experiments.base import ExperimentResult, ResultTable
from lab.experiments.focused_site import (
    StoredPage,
    read_topics,
    sites_folder,
    stored_pages,
    write_cache,
)
from newscrawl.exceptions import UserError
from newscrawl.languages.characters import SPACELESS_LETTER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from lab.experiments.base import Options

ARTICLES: Final = 800
"""A site is cut into parts of at most so many articles."""
VARIANTS: Final = ("plain", "index", "untagged")
"""What is done to a part: nothing; ``index.html`` added to folders; tag pages and links to them left out."""
TOPICS: Final = 6
"""Topics of one part, at most; of each kind of label half of them."""
LEAST_RELEVANT: Final = 12
MAX_SHARE: Final = 0.35
"""A label of a larger share of the articles is no topic."""
MENTIONED: Final = 0.25
"""A label whose name fewer of its articles mention is no name that a user would give."""
OVERLAP: Final = 0.5
DENSE_HITS, DENSE_CHARS = 5, 400
"""An article is about a tag's name, tagged or not, if it mentions it so often, once for each so many characters."""
EVERYWHERE: Final = 0.2
"""Links on a larger share of the pages are the site's, and keep no list page."""
N_SEEDS: Final = 3
_TAG_PAGE: Final = re.compile(r"/tags?/")
_FOLDER: Final = re.compile(r"/[^/?#]*[^/?#.]/$")


class Row(NamedTuple):
    """A page of the graph file."""

    url: str
    is_article: bool
    tags: tuple[str, ...]
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A part of a site, or all of it."""

    name: str
    pages: dict[str, StoredPage]
    topics: tuple[dict[str, Any], ...]


def run(options: Options) -> ExperimentResult:
    """Cut every site of ``topics.json`` and write the parts with their topics."""
    if options.cache is None:
        raise UserError("focused_cuts needs --cache DIR: the parts are written to DIR/cuts")
    folder, out = sites_folder(options), options.cache / "cuts"
    topics: list[dict[str, Any]] = []
    rows: list[tuple[str | int, ...]] = []
    for site in dict.fromkeys(site for topic in read_topics(folder) for site in topic["sites"]):
        stored = stored_pages(folder / f"{site}.warc.gz", options.cache / f"{site}.jsonl.gz", advance=options.advance)
        for cut in cuts(site, read_rows(folder, site), stored, seed=options.seed):
            write_cache(out / f"{cut.name}.jsonl.gz", cut.pages.values())
            _write_graph(out / f"{cut.name}.pages.jsonl.gz", cut.pages)
            topics += cut.topics
            n_articles = sum(page.is_article for page in cut.pages.values())
            rows += [
                (cut.name, len(cut.pages), n_articles, topic["id"], len(topic["relevant"])) for topic in cut.topics
            ]
            options.advance()
    (out / "topics.json").write_text(json.dumps({"topics": topics}, ensure_ascii=False), encoding="utf-8")
    columns = ("site", "pages", "articles", "topic", "relevant")
    return ExperimentResult(
        title="Development sites for focused crawls",
        source="parts of stored sites, topics from their tags and categories",
        tables=(ResultTable(title="Topics", columns=columns, rows=tuple(rows)),),
    )


def read_rows(folder: Path, site: str) -> list[Row]:
    """Read what the graph file says of pages beside their links."""
    with gzip.open(folder / f"{site}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = map(json.loads, lines)
        return [
            Row(
                url=page["url"],
                is_article=page["kind"] == "article",
                tags=tuple(page["tags"] or ()),
                categories=tuple(page["categories"] or ()),
            )
            for page in pages
        ]


def cuts(site: str, rows: Sequence[Row], stored: Mapping[str, StoredPage], *, seed: int) -> Iterator[Cut]:
    """Yield the parts of a site: its articles in order of their addresses, cut into runs of equal length."""
    articles = sorted((row for row in rows if row.is_article and row.url in stored), key=lambda row: _order(row.url))
    n_parts = max(1, -(-len(articles) // ARTICLES))
    size = -(-len(articles) // n_parts)
    common = _common_targets(stored)
    for place in range(n_parts):
        part = articles[place * size : (place + 1) * size]
        for variant in VARIANTS if n_parts < len(VARIANTS) else (VARIANTS[place % len(VARIANTS)],):
            yield _cut(f"{site}-{place + 1}-{variant}", part, stored, common, seed)


def _order(url: str) -> list[tuple[int, str]]:
    """Return what sorts numbers in addresses as numbers."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", url)]


def _common_targets(stored: Mapping[str, StoredPage]) -> set[str]:
    counts = Counter(url for page in stored.values() for url in {link.url for link in page.links})
    return {url for url, n in counts.items() if n > EVERYWHERE * len(stored)}


def _cut(name: str, part: Sequence[Row], stored: Mapping[str, StoredPage], common: set[str], seed: int) -> Cut:
    variant = name.rpartition("-")[2]
    kept = {row.url for row in part}
    for url, page in stored.items():
        is_tag = variant == "untagged" and _TAG_PAGE.search(url)
        if not page.is_article and not is_tag and any(x.url in kept and x.url not in common for x in page.links):
            kept.add(url)
    home = _home(kept, stored)
    kept.add(home)
    spelling = (
        {url: _FOLDER.sub(lambda m: m[0] + "index.html", url) for url in kept if url.count("/") > 3}
        if variant == "index"
        else {}
    )
    pages = {page.url: page for page in (_page(stored[url], kept, stored, spelling) for url in sorted(kept))}
    if variant == "untagged":
        pages = {url: _without_tags(page) for url, page in pages.items()}
    topics = _topics(name, part, stored, spelling, home, random.Random(f"{seed} {name}"))  # noqa: S311
    return Cut(name=name, pages=pages, topics=tuple(topics))


def _home(kept: Collection[str], stored: Mapping[str, StoredPage]) -> str:
    """Return the site's home page, or, where it shows nothing of the part, the list page that shows most of it."""
    shown = {
        url: sum(link.url in kept and stored[link.url].is_article for link in page.links)
        for url, page in stored.items()
        if url.count("/") == 3 or (url in kept and not page.is_article and not _TAG_PAGE.search(url))
    }
    home = next(url for url in stored if url.count("/") == 3)
    return home if shown[home] else max(sorted(shown), key=shown.__getitem__)


def _page(
    page: StoredPage, kept: Collection[str], stored: Mapping[str, StoredPage], spelling: dict[str, str]
) -> StoredPage:
    """Leave out links to pages of other parts. Links that were dead stay."""
    pairs = [
        (link._replace(url=spelling.get(link.url, link.url)), context)
        for link, context in zip(page.links, page.contexts, strict=True)
        if link.url in kept or link.url not in stored
    ]
    links, contexts = tuple(link for link, _ in pairs), tuple(context for _, context in pairs)
    return replace(page, url=spelling.get(page.url, page.url), links=links, contexts=contexts)


def _without_tags(page: StoredPage) -> StoredPage:
    pairs = zip(page.links, page.contexts, strict=True)
    kept = [(link, context) for link, context in pairs if not _TAG_PAGE.search(link.url)]
    links, contexts = tuple(link for link, _ in kept), tuple(context for _, context in kept)
    return replace(page, links=links, contexts=contexts, keywords=())


def _topics(
    name: str,
    part: Sequence[Row],
    stored: Mapping[str, StoredPage],
    spelling: dict[str, str],
    home: str,
    draw: random.Random,
) -> Iterator[dict[str, Any]]:
    """Yield topics named by one label each, of categories and tags in turn."""
    taken: list[set[str]] = []
    for kind, room in (("categories", TOPICS // 2), ("tags", TOPICS)):
        members: dict[str, set[str]] = defaultdict(set)
        for row in part:
            for label in getattr(row, kind):
                members[label].add(row.url)
        candidates = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
        for label, urls in candidates:
            if len(taken) >= room:
                break
            word = _word(label)
            if not LEAST_RELEVANT <= len(urls) <= MAX_SHARE * len(part) or not _is_mentioned(word, urls, stored):
                continue
            relevant = urls if kind == "categories" else urls | _dense(word, part, stored)
            if len(relevant) > MAX_SHARE * len(part) or any(
                len(relevant & other) > OVERLAP * min(len(relevant), len(other)) for other in taken
            ):
                continue
            taken.append(relevant)
            ordered = [spelling.get(url, url) for url in sorted(relevant)]
            yield {
                "id": f"{name} {kind[:-1] if kind == 'tags' else 'category'} {label}",
                "name": word,
                "sites": [name],
                "keywords": [word],
                "relevant": ordered,
                "seeds": {"home": [spelling.get(home, home)], "relevant": draw.sample(ordered, N_SEEDS)},
            }


def _word(label: str) -> str:
    """Return a label as a user would write it: words apart, without the number that keeps two labels apart."""
    return re.sub(r"[-_ ]+", " ", re.sub(r"-\d$", "", unquote(label))).strip().lower()


def _pattern(word: str) -> re.Pattern[str]:
    escaped = re.escape(word).replace(r"\ ", "[ -]?")
    whole = escaped if SPACELESS_LETTER.search(word) else rf"(?<![^\W_]){escaped}(?:e?s)?(?![^\W_])"
    return re.compile(whole, re.IGNORECASE)


def _is_mentioned(word: str, urls: Collection[str], stored: Mapping[str, StoredPage]) -> bool:
    pattern = _pattern(word)
    found = sum(bool(pattern.search(f"{stored[url].headline} {stored[url].text}")) for url in urls)
    return found >= MENTIONED * len(urls)


def _dense(word: str, part: Sequence[Row], stored: Mapping[str, StoredPage]) -> set[str]:
    pattern = _pattern(word)
    found = set()
    for row in part:
        page = stored[row.url]
        hits = len(pattern.findall(page.text))
        if pattern.search(page.headline) or (hits >= DENSE_HITS and hits * DENSE_CHARS >= len(page.text)):
            found.add(row.url)
    return found


def _write_graph(path: Path, pages: Mapping[str, StoredPage]) -> None:
    places = {url: place for place, url in enumerate(pages)}
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for url, page in pages.items():
            targets = dict.fromkeys(places[link.url] for link in page.links if link.url in places and link.url != url)
            file.write(json.dumps({"url": url, "links": [[target, "", 0] for target in targets]}) + "\n")
