"""A stored site as a focused crawl sees it: each page parsed, judged and its links placed once, kept as JSON lines."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.classify.blocks.classifiers import NEWS, get_classifier
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.lines.model import judge_lines
from newscrawl.exceptions import UserError
from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.items import PageType
from newscrawl.links.context import LinkContext, link_contexts, page_terms
from newscrawl.links.extract import extract_links
from newscrawl.links.feed import feed_links, looks_like, parse_feed
from newscrawl.links.model import Link, LinkPosition, ListedEntry
from newscrawl.methods.base import get_extractor
from newscrawl.page.document import Document
from newscrawl.urls.shape import UrlKind, url_shape
from newscrawl.warc.archive import WarcArchive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from lab.experiments.base import Options
    from newscrawl.warc.archive import Answer

VERSION: Final = 6
_POSITION: Final = Link._fields.index("position")
_KEPT: Final = Link._fields.index("again")
EXTRACTOR: Final = "rules"
"""The one that learns nothing from page to page: a stored page is the same whatever was fetched before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """What a page gives a focused crawl."""

    url: str
    is_article: bool
    headline: str
    text: str
    language: str | None
    links: tuple[Link, ...]
    contexts: tuple[LinkContext, ...]
    labels: dict[int, str]
    keywords: tuple[str, ...] = ()
    """Section and keywords that an article states for itself."""
    terms: tuple[str, ...] = ()
    """Tags and categories in the classes of the post's own element."""
    feeds: tuple[str, ...] = ()
    """Feeds that the page offers."""


def sites_folder(options: Options) -> Path:
    """Return the folder of stored sites: the one given, else ``sites`` beside the corpus."""
    return options.sites or options.corpus.parent / "sites"


def read_topics(folder: Path) -> list[dict[str, Any]]:
    """:raises UserError: there are no stored sites in the folder."""
    try:
        found: list[dict[str, Any]] = json.loads((folder / "topics.json").read_text(encoding="utf-8"))["topics"]
    except OSError as error:
        raise UserError(f"no stored sites in {str(folder)!r}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{str(folder / 'topics.json')!r} is no list of topics") from None
    return found


def stored_pages(warc: Path, cache: Path | None, *, advance: Callable[[], None]) -> dict[str, StoredPage]:
    """Return the HTML pages of an archive by URL.

    :param cache: file that keeps them between runs; None: they are made anew.
    """
    if cache is not None and cache.exists():
        with gzip.open(cache, "rt", encoding="utf-8") as lines:
            if json.loads(next(lines)).get("version") == VERSION:
                return {page.url: page for page in map(_from_json, lines)}
    pages = {}
    with WarcArchive([warc]) as archive:
        for page in _parse(archive):
            pages[page.url] = page
            advance()
    if cache is not None:
        write_cache(cache, pages.values())
    return pages


def stored_feeds(warc: Path) -> dict[str, list[ListedEntry]]:
    """Return the entries of an archive's feeds by URL."""
    with WarcArchive([warc]) as archive:
        answers = {url: archive.get(url) for url in archive.urls}
        bodies = {
            url: answer.body
            for url, answer in answers.items()
            if answer and "html" not in _header(answer, "content-type")
        }
    return {
        url: entries
        for url, body in bodies.items()
        if looks_like(body) == "feed" and (entries := list(parse_feed(body, url)))
    }


def write_cache(path: Path, pages: Iterable[StoredPage]) -> None:
    """Keep pages as JSON lines. The folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as file:
        file.write(json.dumps({"version": VERSION}) + "\n")
        for page in pages:
            row = {name: getattr(page, name) for name in StoredPage.__dataclass_fields__}
            row["links"] = [link[:_KEPT] for link in page.links]
            row["contexts"] = [
                [context.path, context.around, context.heading, context.also, context.terms]
                for context in page.contexts
            ]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _parse(archive: WarcArchive) -> Iterator[StoredPage]:
    classifier, extractor = get_classifier(NEWS), get_extractor(EXTRACTOR)
    for url in archive.urls:
        answer = archive.get(url)
        content_type = _header(answer, "content-type")
        if answer is None or "html" not in content_type:
            continue
        body = gzip.decompress(answer.body) if "gzip" in _header(answer, "content-encoding") else answer.body
        document = Document.from_html(body, url, content_type)
        blocks = classifier.classify(document.once(crawl_blocks), document)
        yield _page(document, url, blocks, extractor.extract(document).text, answer.fetched_at)


def _page(document: Document, url: str, blocks: Any, text: str, fetched_at: datetime | None) -> StoredPage:
    metadata = extract_metadata(
        document,
        fetched_at=fetched_at or datetime.now(UTC),
        site_timezone=None,
        site_names=(),
        hints={},
        body_text=text,
    )
    verdict = document.once(judge_lines)
    judgement = page_kind(document, verdict, url_kind=url_shape(url))
    is_article = judgement.page_type is PageType.ARTICLE
    links = extract_links(document, blocks, verdict)
    labels = {block.index: str(block.label) for block in blocks if block.label}
    feeds = () if document.root is None else feed_links(document.root, url, own=url_shape(url) is UrlKind.HUB)
    title = "" if document.root is None else " ".join((document.root.findtext(".//title") or "").split())
    return StoredPage(
        url=url,
        is_article=is_article,
        headline=(metadata.headline or "") if is_article else title,
        text=text if is_article else "",
        language=metadata.inLanguage,
        links=links,
        contexts=link_contexts(document, links),
        labels=labels,
        keywords=tuple(filter(None, (metadata.section, *metadata.keywords))) if is_article else (),
        terms=page_terms(document),
        feeds=feeds,
    )


def _header(answer: Answer | None, name: str) -> str:
    headers = answer.headers if answer is not None else ()
    return next((value.lower() for key, value in headers if key.lower() == name), "")


def _from_json(line: str) -> StoredPage:
    row = json.loads(line)
    links = tuple(Link(*link)._replace(position=LinkPosition(link[_POSITION])) for link in row.pop("links"))
    contexts = tuple(
        LinkContext(path=path, around=text, heading=heading, also=tuple(map(tuple, also)), terms=tuple(terms))
        for path, text, heading, also, terms in row.pop("contexts")
    )
    labels = {int(block): label for block, label in row.pop("labels").items()}
    row |= {name: tuple(row[name]) for name in ("keywords", "terms", "feeds")}
    return StoredPage(links=links, contexts=contexts, labels=labels, **row)
