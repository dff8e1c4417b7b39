"""The one door to a page: bytes in, a :class:`~newscrawl.read.model.Reading` out.

Crawl, dry run, focused crawl, ``scrapy extract``, WARC collections, Spark and the library all call it. Each step has
a function of its own; :meth:`PageReader.read` calls them in this order: decode, segment, classify, find links, extract
(page type, text, then facts), announce.
"""

from __future__ import annotations

import traceback
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.classify.blocks.classifiers import SiteClassifier, decides_text, get_classifier
from newscrawl.classify.blocks.classify import bare_blocks, crawl_blocks, label_by_lines
from newscrawl.classify.kind.judge import page_kind
from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.verdict import Speaker
from newscrawl.extract.facts.extract import date_context, extract_metadata, make_article
from newscrawl.extract.facts.facts import page_reservations
from newscrawl.extract.formats.figures import body_images
from newscrawl.extract.lists.comments import read_comments
from newscrawl.extract.lists.read import last_days, read_stories
from newscrawl.extract.simhash import simhash
from newscrawl.items import PageType
from newscrawl.languages.text import fold_space
from newscrawl.links.context import link_contexts, page_terms
from newscrawl.links.extract import extract_links, robots_directives
from newscrawl.links.feed import feed_links
from newscrawl.links.next_page import continuation
from newscrawl.methods.base import DEFAULT_METHOD, Needs, VerdictExtractor, get_extractor
from newscrawl.page.charset import decide_encoding
from newscrawl.page.document import Document
from newscrawl.page.segment import segment, with_xpaths
from newscrawl.page.statements import gather
from newscrawl.read.kind_evidence import kind_evidence, may_be_story
from newscrawl.read.memory import article_lines, with_lines, without_headline
from newscrawl.read.model import (
    Failure,
    RawPage,
    Reading,
    Wants,
    is_kept,
    with_formats,
)
from newscrawl.read.rules import judge_by_labels, judge_by_rules, stated_by_rules
from newscrawl.read.script_data import SCRIPTS_MISSING, fullest, shows_text
from newscrawl.sites.rules import NO_RULES
from newscrawl.urls.canonical import stated_canonicals
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from newscrawl.classify.kind.judge import PageJudgement
    from newscrawl.classify.verdict import Verdict
    from newscrawl.items import Article
    from newscrawl.methods.base import Extraction
    from newscrawl.page.segment import Block
    from newscrawl.sites.rules import SiteRules

PAGE_ERRORS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    etree.LxmlError,
)
"""Exceptions that a bug of ours may raise on an unusual page. Errors of memory and disk are not caught."""
MAX_UNDECODABLE: Final = 0.01
"""Share of undecodable characters above which a page counts as undecodable."""
LEFT_OUT: Final = "lines left out: "
"""Prefix of ``fieldSources["articleBody"]`` where lines were left out."""
FOLLOWING: Final = frozenset(("news", "rules"))
"""Methods whose text labels and rules may change. The published methods stay as they are."""
CLASSIFYING: Final = frozenset(("density_svm",))
"""Methods whose text comes from the blocks that ``Wants.classifier`` labels."""


def reader_for(wants: Wants) -> PageReader:
    """Return the process's reader; a new one for a method that learns from pages."""
    reader = _kept_reader(wants)
    return PageReader(wants) if reader.learns else reader


@lru_cache(maxsize=8)
def _kept_reader(wants: Wants) -> PageReader:
    return PageReader(wants)


class PageReader:
    """Reads pages one after the other, with a method and a classifier that are loaded once.

    :raises UserError: for an unknown method, classifier or format.
    """

    def __init__(self, wants: Wants) -> None:
        self.wants = wants
        self.classifier = get_classifier(wants.classifier)
        constants = {"classifier": self.classifier} if wants.method in CLASSIFYING else {}
        self.method = get_extractor(wants.method, **constants)
        self.reads_texts = wants.blocks or self.classifier.reads_texts
        self.learns = self.method.needs is not Needs.PAGE
        self.is_own = decides_text(wants.classifier, self.classifier)

    def read(self, page: RawPage, *, keep: bool = False) -> Reading:
        """Read a page. With ``keep`` the reading holds the extraction, and with it the tree.

        A step that raises leaves its part of the reading empty, and is listed in ``failures``.
        """
        failures: list[Failure] = []
        document, reading = Document(None, url=page.url), Reading(url=page.url, fetched_at=page.fetched_at)
        with surviving("decode", failures):
            document, reading = decode_page(page)
        found: dict[str, Any] = {}
        blocks: tuple[Block, ...] = ()
        with surviving("segment", failures):
            blocks = segment_page(document, lossless=self.wants.lossless, texts=self.reads_texts)
        verdict = None
        with surviving("classify", failures):
            blocks, verdict = self._classify(blocks, document, page.site.rules)
            found["labels"] = tuple([str(block.label or "") for block in blocks])
            if self.wants.blocks:
                found["blocks"] = with_xpaths(blocks, document)
        with surviving("links", failures):
            found |= find_links(document, blocks, verdict, page, with_contexts=self.wants.contexts)
        judgement: PageJudgement | None = None
        if verdict is not None:
            with surviving("extract", failures):
                extracted, judgement = self._extract(document, verdict, page, keep=keep)
                found |= extracted
                found["page_type"], found["page_type_confidence"] = judgement.page_type, judgement.confidence
                found["absence"] = judgement.absence
        if verdict is not None and judgement is not None and (self.wants.listed or self.wants.kinds):
            with surviving("list", failures):
                found |= self._announce(document, verdict, judgement, page, found.get("article"))
        if not keep:
            document.forget()
        return replace(reading, **found, failures=tuple(failures))

    def _classify(
        self, blocks: tuple[Block, ...], document: Document, rules: SiteRules
    ) -> tuple[tuple[Block, ...], Verdict]:
        """Step 3: which lines are text, by network, user's labels, then site's rules; and the labelled blocks."""
        verdict = document.once(judge_lines)
        if isinstance(self.classifier, SiteClassifier):
            blocks, verdict = self.classifier.judge(blocks, document, verdict)
        else:
            blocks = self.classifier.classify(blocks, document)
            verdict = judge_by_labels(verdict, document, blocks) if self.is_own else verdict
        ruled = judge_by_rules(verdict, document, rules)
        return (blocks if ruled is verdict else label_by_lines(blocks, ruled)), ruled

    def _text(self, document: Document, verdict: Verdict) -> Extraction:
        """Return the text of the verdict, or of a method with its own search."""
        follows = self.wants.method in FOLLOWING and verdict.by is not Speaker.NETWORK
        method = get_extractor(DEFAULT_METHOD) if follows else self.method
        if isinstance(method, VerdictExtractor):
            return replace(method.extract_by(verdict, document), method=self.wants.method)
        return method.extract(document)

    def _extract(
        self, document: Document, verdict: Verdict, page: RawPage, *, keep: bool
    ) -> tuple[dict[str, Any], PageJudgement]:
        """Step 5: page type and text. Pages that are no articles have no text, unless one is wanted."""
        wants_any = self.learns or self.wants.any_type or page.is_part
        judgement = judge_page(document, verdict, page) if shows_text(verdict) else None
        if judgement is not None and not (wants_any or self._wants_text(document, judgement, page)):
            return {}, judgement
        shown = self._text(document, verdict)
        if self.learns:
            self.method.observe(document)  # later pages use what this one teaches
        extraction = fullest(document, verdict, shown, full_text=self.wants.full_text)
        if page.chosen is not None and extraction.chosen is not None:
            extraction = with_lines(extraction, document, page.chosen)
        if judgement is None:  # a page filled from its data is judged after that
            filled_page = extraction.document
            by_shown = filled_page.once(judge_lines) if filled_page else verdict
            judgement = judge_page(filled_page or document, by_shown, page)
        found: dict[str, Any] = {
            "method": extraction.method,
            "text": extraction.text,
            "confidence": extraction.confidence,
            "evidence": extraction.evidence,
            "left_out": extraction.left_out,
        }
        if extraction is not shown and page.chosen is None:
            found["script_state"] = "script_only" if SCRIPTS_MISSING in extraction.evidence else "script_data"
        is_article = judgement.page_type is PageType.ARTICLE and bool(extraction.text)
        may_be = bool(extraction.text) and self._wants_text(document, judgement, page)
        if may_be or self.wants.any_type:
            extraction, facts = self._with_facts(extraction, document, verdict, page, is_article=is_article)
            found |= facts
        if is_article or may_be or page.is_part:
            found["continuation"] = continuation(document)
        if keep:
            found["extraction"] = replace(extraction, document=extraction.document or document)
        return found, judgement

    def _with_facts(
        self, extraction: Extraction, document: Document, verdict: Verdict, page: RawPage, *, is_article: bool
    ) -> tuple[Extraction, dict[str, Any]]:
        """Step 6: the facts, and the article of facts and text. The headline is no line of the text."""
        wants, rules, has_body = self.wants, page.site.rules, verdict.by is Speaker.BODY
        stated = stated_by_rules(document, rules, has_body=has_body) if rules != NO_RULES else {}
        article = article_of(document, extraction, page, stated)
        extraction, article = without_headline(extraction, document, article)
        found: dict[str, Any] = {
            "text": extraction.text,
            "rules_missed": tuple(field for field in rules.fields if field not in stated) if is_article else (),
        }
        if is_article and wants.comments:
            context = date_context(document, page.fetched_at, page.site.timezone, article.inLanguage)
            found["comments"] = read_comments(document, verdict.is_body, context)
            article = replace(article, comments=found["comments"])
        found["article"] = with_formats(article, extraction, document, wants.formats)
        if wants.simhash and article.articleBody == extraction.text:
            found["simhash"] = simhash(extraction.text)
        if wants.lines and not has_body:
            found["lines"] = article_lines(document, extraction, article)
        return extraction, found

    def _announce(
        self, document: Document, verdict: Verdict, judgement: PageJudgement, page: RawPage, article: Article | None
    ) -> dict[str, Any]:
        """Step 7: what a list announces, and what the page tells of its kind."""
        found: dict[str, Any] = {}
        stories: Mapping[str, str] = {}
        if judgement.page_type is not PageType.ARTICLE:
            records, stories = read_stories(document, page.url, page.fetched_at, in_full=self.wants.listed)
            if self.wants.listed:
                found["listed"] = last_days(records)
        if self.wants.kinds:
            found["kind"] = kind_evidence(
                document, verdict, judgement, announced=stories, called=page.called, article=article
            )
        return found

    def _wants_text(self, document: Document, judgement: PageJudgement, page: RawPage) -> bool:
        """Tell whether a page needs a text: it is an article, may become one by its site, or is kept as one."""
        may_be = self.wants.kinds and may_be_story(document, judgement, page)
        return may_be or (judgement.absence is None and is_kept(judgement.page_type, pages=self.wants.pages))


@contextmanager
def surviving(step: str, failures: list[Failure]) -> Iterator[None]:
    """Note exceptions that ``step`` raises for the page."""
    try:
        yield
    except PAGE_ERRORS:
        failures.append(Failure(step, traceback.format_exc()))


def decode_page(page: RawPage) -> tuple[Document, Reading]:
    """Step 1: bytes → text → tree. Return the document, and a reading with its decoding."""
    if isinstance(page.body, str):
        return Document.from_html(page.body, page.url), Reading(url=page.url, fetched_at=page.fetched_at)
    charset = page.charset or decide_encoding(page.body, page.content_type, page.url)
    text = "" if charset.is_exact else page.body.decode(charset.encoding, errors="replace")
    reading = Reading(
        url=page.url,
        fetched_at=page.fetched_at,
        encoding=charset.encoding,
        encoding_source=str(charset.source),
        is_undecodable=text.count("\ufffd") > MAX_UNDECODABLE * len(text),
    )
    return Document.from_bytes(page.body, charset, page.url), reading


def segment_page(document: Document, *, lossless: bool = True, texts: bool = True) -> tuple[Block, ...]:
    """Step 2: Algorithm 1 of Zhang, Cao, Li (2015), without loss of text unless asked.

    :param texts: with the text of each block.
    """
    if not lossless:
        return segment(document, texts=texts)
    return document.once(crawl_blocks if texts else bare_blocks)


def find_links(
    document: Document,
    blocks: tuple[Block, ...],
    verdict: Verdict | None,
    page: RawPage,
    *,
    with_contexts: bool = False,
) -> dict[str, Any]:
    """Step 4: links with positions, feeds, the canonical address, and directives for robots."""
    root = document.root
    robots = robots_directives(document.by_tag["meta"], page.robots)
    if root is None:
        return {"robots": robots}
    links = extract_links(document, blocks, verdict)
    url = page.url or ""
    kind = page.site.url_kind or url_shape(url)
    offers_feeds = with_contexts or kind is not UrlKind.ARTICLE
    return {
        "title": fold_space(document.title),
        "links": links,
        "contexts": link_contexts(document, links) if with_contexts else (),
        "terms": page_terms(document) if with_contexts else (),
        "feeds": feed_links(root, url, own=kind is UrlKind.HUB) if offers_feeds else (),
        "canonical": next(stated_canonicals(document), None),
        "robots": robots,
    }


def judge_page(document: Document, verdict: Verdict, page: RawPage) -> PageJudgement:
    """Return the kind of a page. A verdict of the user or the site file outweighs what the page shows."""
    judgement = page_kind(document, verdict, url_kind=page.site.url_kind or url_shape(page.url or ""))
    told = page.site.told
    return judgement if told is None else replace(judgement, page_type=PageType(told), confidence=1.0, absence=None)


def article_of(
    document: Document,
    extraction: Extraction,
    page: RawPage,
    stated: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Article:
    """Return the text with its facts, whatever the page type.

    :param stated: what the site's rules find on the page, by field.
    """
    metadata = extract_metadata(
        document,
        fetched_at=page.fetched_at,
        site_timezone=page.site.timezone,
        site_names=page.site.names,
        hints={**(page.told or {}), "link": page.called} if page.called else page.told,
        body_text=extraction.text,
        stated=stated,
    )
    reserved = page_reservations(document.once(gather), page.robots, page.rights)
    metadata = replace(metadata, reservations=reserved) if reserved else metadata
    if extraction.left_out and "body" not in stated:
        reasons = Counter(line.reason for line in extraction.left_out)
        said = ", ".join(f"{n} × {reason}" for reason, n in reasons.items())
        metadata = replace(metadata, fieldSources={**metadata.fieldSources, "articleBody": f"{LEFT_OUT}{said}"})
    article = make_article(
        page.url,
        extraction,
        metadata,
        encoding=document.encoding,
        site=page.site.name,
        fetched_at=page.fetched_at,
    )
    return replace(article, images=body_images(extraction.text, extraction.document or document, extraction.chosen))
