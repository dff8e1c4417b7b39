"""All facts of a page, from one gathering pass, and the article they make."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.extract.facts.authors import choose_authors
from newscrawl.extract.facts.bylines import people
from newscrawl.extract.facts.cues import FactPage
from newscrawl.extract.facts.dates import choose_dates, shown_date
from newscrawl.extract.facts.facts import PLAIN_FACTS
from newscrawl.extract.facts.language import choose_language
from newscrawl.extract.facts.moments import (
    DateContext,
    choose_updates,
    date_in_texts,
    is_day_first,
    last_change,
    zone_doubt,
)
from newscrawl.extract.facts.site_name import site_names as names_of_site
from newscrawl.extract.facts.source import PUBLISHER, choose_source, signing_agency
from newscrawl.extract.facts.title import choose_headline
from newscrawl.extract.simhash import with_text
from newscrawl.items import Article
from newscrawl.languages.characters import decoded, plain
from newscrawl.page.places import locate
from newscrawl.page.statements import gather, lines_of_other_stories
from newscrawl.urls.domains import assumed_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from newscrawl.methods.base import Extraction
    from newscrawl.page.document import Document


ZONE: Final = "datePublishedZone"
"""Key of ``fieldSources`` if the page states no zone of its time (``assumed``), or two (``doubtful``)."""
RULE: Final = "rule"
"""Origin of a fact found by a rule of the site."""
MAX_NAME_CHARS: Final = 100
"""Most characters of the name of a person, press or section. Longer ones are sentences."""
MAX_CHARS: Final[Mapping[str, int]] = MappingProxyType(
    {"headline": 500, "description": 5_000, "datePublishedRaw": 100, "dateModifiedRaw": 100}
)
"""Characters of a fact that are kept."""
MAX_VALUES: Final = 100
"""Most authors, and most keywords, that are kept."""
_NAMES: Final = ("source", "section")


def extract_metadata(
    document: Document,
    *,
    fetched_at: datetime,
    site_timezone: str | None = None,
    site_names: Iterable[str] = (),
    hints: Mapping[str, str] | None = None,
    body_text: str | None = None,
    stated: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Article:
    """Return the facts of ``document``, as an article without its text.

    Never raises for the content of a page. Facts that it does not state are None or ``()``.

    :param fetched_at: when the page was fetched (aware); relative dates are read against it, no date is later.
    :param site_timezone: IANA name of the zone for times that state none, e.g. ``Asia/Shanghai``.
    :param site_names: names of the site, which are no part of a headline and no person.
    :param hints: what the feed or sitemap said, ``title``, ``date``, and the words of the ``link`` that led here.
    :param body_text: the article's text where it is known: bylines stand at its beginning and end.
    :param stated: findings of the site's rules by field (:class:`newscrawl.sites.rules.SiteRules`), which come first.
    """
    page = fact_page(
        document, fetched_at=fetched_at, site_timezone=site_timezone, site_names=site_names, hints=hints, text=body_text
    )
    published, modified = choose_dates(page)
    published = date_in_texts(stated.get("date_published", ()), RULE, page.dates) or published
    updates = choose_updates(page, published)
    modified = last_change(published, modified, updates[0] if updates else (), page.dates)
    for name, dated in (("datePublished", published), ("dateModified", modified)):
        if dated is not None:
            page.put(name, (dated.moment, dated.origin))
            page.put(f"{name}Raw", (dated.raw, dated.origin))
    page.put("updates", updates)
    authors = choose_authors(page)
    page.put("authors", authors)
    if page.found.get("source", ("", PUBLISHER))[1] == PUBLISHER:
        page.put("source", (signing_agency(authors[0]), authors[1]))
    for name, choose in PLAIN_FACTS.items():
        page.put(name, choose(page.evidence))
    for name, value in _ruled(stated).items():
        page.put(name, (value, RULE))
    origins = {name: one[1] for name, one in page.found.items()}
    doubt = zone_doubt(published, page.once(shown_date)) if published is not None else None
    origins |= ({ZONE: doubt} if doubt else {}) | ({"articleBody": RULE} if "body" in stated else {})
    return Article(url=document.url or "", **{name: one[0] for name, one in page.found.items()}, fieldSources=origins)


def _ruled(stated: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the facts but dates that the site's rules found, by field of the article."""
    signed = {author.name: author for text in stated.get("authors", ()) for author in people(text)}
    return {
        "headline": " ".join(stated.get("headline", ())),
        "authors": tuple(signed.values()),
        "source": next(iter(stated.get("source", ())), None),
        "section": next(iter(stated.get("section", ())), None),
        "keywords": tuple(dict.fromkeys(stated.get("keywords", ()))),
    }


def fact_page(
    document: Document,
    *,
    fetched_at: datetime,
    site_timezone: str | None = None,
    site_names: Iterable[str] = (),
    hints: Mapping[str, str] | None = None,
    text: str | None = None,
) -> FactPage:
    """Return the input of the cues: the page's statements, language, headline and source. Arguments as above."""
    evidence = document.once(gather)
    language = choose_language(evidence, text)
    code = language[0] if language else None
    page = FactPage(
        evidence=evidence,
        sites=names_of_site(evidence, site_names),
        dates=date_context(document, fetched_at, site_timezone, code),
        language=code,
        hints=hints or {},
    )
    page.put("inLanguage", language)
    page.put("headline", (page.hints.get("title"), "hint"))
    stated = page.sites.told | page.sites.hosts
    headline = choose_headline(evidence, stated | page.sites.tails, stated, page.hints.get("link"))
    page.put("headline", headline[:2] if headline else None)
    places = locate(evidence.lines, headline[2] if headline else -1, text)
    evidence.places = replace(places, others=lines_of_other_stories(evidence, places))
    page.put("source", choose_source(evidence, code))
    return page


def date_context(
    document: Document, fetched_at: datetime, site_timezone: str | None, language: str | None
) -> DateContext:
    """Return the context for reading dates of a page in this language."""
    return DateContext(
        fetched_at=fetched_at,
        zone=assumed_zone(site_timezone, document.url, language),
        language=language,
        day_first=is_day_first(language, document.once(gather).html_lang, document.url),
    )


def make_article(
    url: str | None, extraction: Extraction, facts: Article, *, encoding: str, site: str | None, fetched_at: datetime
) -> Article:
    """Return the article of one page. Parts are joined and duplicates found later.

    :param url: the page's address; None where it is not known.
    :param facts: of :func:`extract_metadata`.
    :param fetched_at: aware.
    """
    return with_text(
        sane(facts),
        extraction.text if extraction.chosen is not None else plain(extraction.text),  # the network's lines are plain
        url=url or "",
        pages=(url,) if url else (),
        method=extraction.method,
        confidence=extraction.confidence,
        encoding=encoding,
        site=site,
        fetchedAt=fetched_at,
    )


def sane(article: Article) -> Article:
    """Return the article with plain texts, no impossible names, and facts of bounded length."""
    values: dict[str, Any] = {}
    for field, most in MAX_CHARS.items():
        text = getattr(article, field)
        values[field] = text and (decoded(plain(text[:most])).strip() or None)
    values |= {name: _name(getattr(article, name)) for name in _NAMES}
    people = [
        replace(one, name=name, nameRaw=_name(one.nameRaw))
        for one in article.authors[:MAX_VALUES]
        if (name := _name(one.name))
    ]
    values["authors"] = tuple(people)
    values["keywords"] = tuple(word for text in article.keywords[:MAX_VALUES] if (word := _name(text)))
    changed = {name: value for name, value in values.items() if value != getattr(article, name)}
    if not changed:
        return article
    gone = {name for name, value in changed.items() if not value}
    origins = {name: origin for name, origin in article.fieldSources.items() if name not in gone}
    return replace(article, **changed, fieldSources=origins)


def _name(text: str | None) -> str | None:
    found = text and decoded(plain(text)).strip()
    return found if found and len(found) <= MAX_NAME_CHARS else None
