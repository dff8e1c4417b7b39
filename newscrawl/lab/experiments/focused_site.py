"""A stored site as a focused crawl sees it: each page parsed, judged and its links placed once, kept as JSON lines."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from newscrawl.blocks.classify import crawl_blocks
from newscrawl.dom.document import Document
from newscrawl.items import PageType
from newscrawl.links.context import LinkContext, link_contexts
from newscrawl.links.extract import extract_links
from newscrawl.links.model import Link, LinkPosition
from newscrawl.metadata.extract import extract_metadata
from newscrawl.methods.registry import get_extractor
from newscrawl.network.classifiers import NEWS, get_classifier
from newscrawl.page_type.judge import judge
from newscrawl.replay.archive import WarcArchive
from newscrawl.urls.shape import url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from newscrawl.replay.archive import Answer

VERSION: Final = 2
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
        for page in _parsed(archive):
            pages[page.url] = page
            advance()
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(cache, "wt", encoding="utf-8", compresslevel=3) as file:
            file.write(json.dumps({"version": VERSION}) + "\n")
            for page in pages.values():
                file.write(json.dumps(asdict(page), ensure_ascii=False) + "\n")
    return pages


def _parsed(archive: WarcArchive) -> Iterator[StoredPage]:
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
    judgement = judge(document, url_kind=url_shape(url))
    is_article = judgement.page_type is PageType.ARTICLE
    links = extract_links(document, blocks)
    labels = {block.index: str(block.label) for block in blocks if block.label}
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
    )


def _header(answer: Answer | None, name: str) -> str:
    headers = answer.headers if answer is not None else ()
    return next((value.lower() for key, value in headers if key.lower() == name), "")


def _from_json(line: str) -> StoredPage:
    row = json.loads(line)
    links = tuple(Link(**(link | {"position": LinkPosition(link["position"])})) for link in row.pop("links"))
    contexts = tuple(LinkContext(**context) for context in row.pop("contexts"))
    labels = {int(block): label for block, label in row.pop("labels").items()}
    return StoredPage(links=links, contexts=contexts, labels=labels, **row)
