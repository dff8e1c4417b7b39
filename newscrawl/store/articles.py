"""Articles of a batch: new, unchanged, changed, or the same as another."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import bindparam, func, insert, or_, select, update

from newscrawl.extract.simhash import content_hash, simhash
from newscrawl.items import ARTICLE
from newscrawl.outcomes import Outcome
from newscrawl.sites.forms import ArticleForms
from newscrawl.store.columns import among, storable, storable_row, stored_url
from newscrawl.store.engine import execute_many, write_alone
from newscrawl.store.kept import KeptArticles, index_bands, order_of, to_signed, to_unsigned
from newscrawl.store.records import (
    OF_VISIT,
    Change,
    RecordEnd,
    article_row,
    has_other_text,
    is_read_anew,
    is_same_fact,
    judge_change,
)
from newscrawl.store.schema import article_revisions, articles, pages

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection, Row, RowMapping, Select, Update

    from newscrawl.store.kept import Match
    from newscrawl.store.records import PageRecord


def article_forms(connection: Connection, names: Sequence[str]) -> dict[str, ArticleForms]:
    """Return the forms of the addresses of the articles that these sites have, and that are there; by site."""
    forms = {name: ArticleForms() for name in names}
    there = articles.c.gone_at.is_(None), articles.c.duplicate_of.is_(None)
    query = select(articles.c.site, articles.c.url).where(articles.c.site.in_(names), *there)
    for name, url in connection.execute(query):
        forms[name].add(url)
    return forms


#: Times that articles of a cluster are judged again before the last word counts: each goes down the cluster's order.
MAX_ROUNDS: Final = 50


def write_articles(connection: Connection, records: Sequence[PageRecord]) -> dict[str, RecordEnd]:
    """Write the records' articles, each URL at most once in them; return page URL → verdict."""
    of_url = {record.url: record for record in records}
    rows = {record.url: article_row(record.article, record) for record in records if record.article}
    if not rows:
        return {}
    found = connection.execute(_KNOWN, {"b_urls": [row["url"] for row in rows.values()]})
    known: dict[str, Row[Any]] = {row.url: row for row in found}
    changes = {row["url"]: judge_change(of_url[url], row, known.get(row["url"])) for url, row in rows.items()}
    anew = [row for url, row in rows.items() if is_read_anew(of_url[url], row, known.get(row["url"]))]
    if anew:
        changes |= _judge_anew(connection, anew, known)
    judged = [row for row in rows.values() if changes[row["url"]] is not Change.UNCHANGED]
    made = {row["url"]: of_url[url].simhash for url, row in rows.items()}
    for row in judged:
        row["simhash"] = made[row["url"]] or simhash(row["article_body"])
    kept = KeptArticles.load(connection, judged, but={row["url"] for row in judged}) if judged else KeptArticles()
    verdicts: dict[str, RecordEnd] = {}
    doubtful: set[str] = set()
    of: dict[Change, list[dict[str, Any]]] = {change: [] for change in Change}
    for page_url, row in sorted(rows.items(), key=lambda pair: order_of(pair[1])):
        before, change = known.get(row["url"]), changes[row["url"]]
        of[change].append(row)
        if before is not None and change is Change.UNCHANGED:
            verdicts[page_url] = _verdict(before.duplicate_of, before.duplicate_kind, before.revision, "unchanged")
            continue
        doubtful.update(_decide(row, before, kept, change))
        told = "new" if before is None else "changed"
        verdicts[page_url] = _verdict(row["duplicate_of"], row["duplicate_kind"], row["revision"], told)
    revised = [row["url"] for row in (*of[Change.REVISED], *of[Change.CORRECTED])]
    doubtful.update(_linked(connection, revised))
    _number(connection, judged)
    changed = [*of[Change.REVISED], *of[Change.CORRECTED]]
    _write_texts(connection, of[Change.NEW], changed, revised=of[Change.REVISED], reread=[row["url"] for row in anew])
    _set(connection, of[Change.UNCHANGED], "fetched_at", "body_hash")
    back = [url for url, before in known.items() if before.gone_at is not None]
    _mark(connection, [{"url": url, "gone_at": None} for url in back])
    ends = settle_copies(connection, [*doubtful, *back])
    for page_url, row in rows.items():
        if row["url"] in ends:
            copy_of, kind = ends[row["url"]]
            outcome = Outcome.DUPLICATE if copy_of else Outcome.STORED
            verdicts[page_url] = replace(verdicts[page_url], outcome=outcome, duplicate_of=copy_of, duplicate_kind=kind)
    return verdicts


def settle_copies(connection: Connection, urls: Collection[str]) -> dict[str, tuple[str | None, str | None]]:
    """Judge articles again that say the same as others; return those that end otherwise: duplicate of what, and how.

    Kept are those that repeat no earlier one kept, in the order of :func:`~newscrawl.store.kept.order_of`: whatever
    came first, the same articles are kept. Where one is kept or repeats another from now on, those after it that say
    the same are judged again, too.
    """
    ends: dict[str, tuple[str | None, str | None]] = {}
    doubtful = set(urls)
    if doubtful:
        write_alone(connection)
    for _ in range(MAX_ROUNDS):
        if not doubtful:
            break
        found = connection.execute(_of_urls(*_COMPARED, is_gone=False), {"b_urls": list(doubtful)}).mappings()
        rows = sorted(({**row, "simhash": to_unsigned(row["simhash"])} for row in found), key=order_of)
        kept = KeptArticles.load(connection, rows, but=doubtful)
        doubtful, moved = set[str](), []
        for row in rows:
            before = [row[name] for name in _OF_COPY]
            match = _place(row, kept)
            if before != [row[name] for name in _OF_COPY]:
                moved.append(row)
                doubtful |= match.beside
            if row["duplicate_of"] is None:
                doubtful |= match.repeating
        doubtful.update(_linked(connection, [row["url"] for row in moved]))
        _move(connection, moved)
        ends |= {row["url"]: (row["duplicate_of"], row["duplicate_kind"]) for row in moved}
    return ends


def _place(row: dict[str, Any], kept: KeptArticles) -> Match:
    """Fill in what an article is a duplicate of, how, and its cluster."""
    found = kept.match(row)
    row["duplicate_of"], row["duplicate_kind"] = found.first.url if found.first and found.kind else None, found.kind
    own_cluster = hashlib.blake2b(row["url"].encode(), digest_size=8).hexdigest()
    row["cluster_id"] = found.first.cluster_id if found.first else own_cluster
    if found.kind is None:
        kept.add(row)
    return found


def _move(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Write what became of copies, their pages' outcomes, too."""
    if not rows:
        return
    _number(connection, rows)
    _set(connection, rows, *_OF_COPY, "change_number")
    index_bands(connection, rows, anew=True)
    ends = [
        {
            "b_url": row["url"],
            "outcome": Outcome.DUPLICATE if row["duplicate_of"] else Outcome.STORED,
            "reason": row["duplicate_kind"],
            "detail": row["duplicate_of"] and f"duplicate of {row['duplicate_of']}",
        }
        for row in rows
    ]
    execute_many(connection, _ENDED, ends)


def _linked(connection: Connection, urls: Collection[str]) -> list[str]:
    """Return the addresses of the articles in the clusters of these, their duplicates, and their own."""
    found = (connection.execute(query, {"b_urls": list(urls)}).scalars() for query in (_IN_CLUSTER, _COPIES))
    return list(chain.from_iterable(found)) if urls else []


class CorrectedText(NamedTuple):
    """The text of an article as its host's memory has it in the end."""

    url: str
    before: str
    """Hash of the text that it corrects; one that was written meanwhile stays."""
    body: str
    source: str
    """Where it comes from."""
    positions: tuple[int, ...]
    """Where the article's pictures stand."""
    formats: Mapping[str, str | None] = MappingProxyType({})
    """Field of an article → its text in a format."""

    def row(self, stored: RowMapping) -> dict[str, Any]:
        """Return what changes of the article's row."""
        images = stored["images"]
        if len(images) == len(self.positions):
            images = [image | {"position": at} for image, at in zip(images, self.positions, strict=True)]
        sources = stored["field_sources"] | {"articleBody": self.source}
        return {
            "url": self.url,
            "article_body": storable(self.body),
            "content_hash": content_hash(self.body),
            "simhash": to_signed(simhash(self.body)),
            "images": images,
            "field_sources": {name: said for name, said in sources.items() if said},
            **storable_row({ARTICLE[name].column: text for name, text in self.formats.items()}),
        }


def correct_texts(connection: Connection, texts: Sequence[CorrectedText]) -> None:
    """Put texts in the place of those that were read by less knowledge of their hosts; they are no revisions."""
    of_url = {text.url: text for text in texts}
    if not of_url:
        return
    write_alone(connection)
    names = ("id", "url", "content_hash", "images", "field_sources", "duplicate_of")
    found = connection.execute(_of_urls(*names), {"b_urls": list(of_url)}).mappings()
    stored = [one for one in found if one["content_hash"] == of_url[one["url"]].before]
    rows = [of_url[one["url"]].row(one) for one in stored]
    if not rows:
        return
    _number(connection, rows)
    alike: defaultdict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)  # some have no text in formats
    for row in rows:
        alike[tuple(row)].append(row)
    for names_of_row, members in alike.items():
        _set(connection, members, *names_of_row[1:])
    pairs = zip(rows, stored, strict=True)
    index_bands(connection, [{**one, "simhash": to_unsigned(row["simhash"])} for row, one in pairs], anew=True)
    of_page = update(pages).where(pages.c.url == bindparam("b_url")).values(content_hash=bindparam("content_hash"))
    execute_many(connection, of_page, [{"b_url": row["url"], "content_hash": row["content_hash"]} for row in rows])
    settle_copies(connection, _linked(connection, [row["url"] for row in rows]))


def correct_dates(connection: Connection, told: Mapping[str, datetime]) -> None:
    """Put the moments that a feed states where pages write a date without its year, such as "3 hours ago", or none."""
    rows: list[dict[str, Any]] = []
    for one in connection.execute(_of_urls(*_DATES), {"b_urls": list(told)}).mappings():
        moment, stated = one["date_published_utc"], told[one["url"]]
        has_year = re.search(r"(?:19|20)\d\d", one["date_published_raw"] or "")
        is_vague = not has_year or one["field_sources"].get("datePublished") == "url"
        if moment is None or not is_vague or abs(stated - moment) > timedelta(days=1):
            continue
        local = stated.astimezone(datetime.fromisoformat(one["date_published"]).tzinfo)
        sources = one["field_sources"] | dict.fromkeys(("datePublished", "datePublishedRaw"), "hint")
        rows.append(dict(zip(_DATES, (one["url"], local.isoformat(), local, stated.isoformat(), sources), strict=True)))
    write_alone(connection)
    _number(connection, rows)
    _set(connection, rows, *_DATES[1:], "change_number")


def touch_articles(connection: Connection, records: Sequence[PageRecord]) -> None:
    """Note that the articles of these pages were looked at and had not changed; those that were gone are back.

    Not so where the page, as read last, is of another type: nothing of it has changed since.
    """
    rows = [{"url": stored_url(record.url), "fetched_at": record.fetched_at} for record in records]
    _set(connection, rows, "fetched_at")
    lost = list(connection.execute(_LOST, {"b_urls": [row["url"] for row in rows]}).scalars())
    _mark(connection, [{"url": url, "gone_at": None} for url in lost])
    settle_copies(connection, lost)


def mark_gone(connection: Connection, records: Sequence[PageRecord]) -> None:
    """Note that the pages of these articles, if there are any, are not there any more, or of another type."""
    times = {stored_url(record.url): record.fetched_at for record in records}
    if times:
        there = _of_urls("url", is_gone=False)
        found = list(connection.execute(there, {"b_urls": list(times)}).scalars())
        _mark(connection, [{"url": url, "gone_at": times[url]} for url in found])
        settle_copies(connection, _linked(connection, found))


def _mark(connection: Connection, rows: list[dict[str, Any]]) -> None:
    _number(connection, rows)
    _set(connection, rows, "gone_at", "change_number")


def _set(connection: Connection, rows: list[dict[str, Any]], *names: str) -> None:
    """Put the rows' values into these columns of the articles with their URLs."""
    if rows:
        values = [{"b_url": row["url"], **{name: row[name] for name in names}} for row in rows]
        execute_many(connection, _changing(names), values)


def _number(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Give the rows the next change numbers. Writers of articles come one at a time, so that no number comes late."""
    if rows:
        last = connection.execute(_LAST_NUMBER).scalar() or 0
        for number, row in enumerate(rows, last + 1):
            row["change_number"] = number


# Statements are built once: that takes longer than to carry them out for a few rows.

_NEW: Final = insert(articles)
_LAST_NUMBER: Final = select(func.max(articles.c.change_number))


@cache
def _of_urls(*names: str, is_gone: bool | None = None) -> Select[Any]:
    """Return the query for columns of the articles with the URLs ``b_urls``: all, those gone, or those there."""
    query = select(*(articles.c[name] for name in names)).where(among(articles.c.url, "b_urls"))
    if is_gone is None:
        return query
    return query.where(articles.c.gone_at.is_not(None) if is_gone else articles.c.gone_at.is_(None))


_KNOWN: Final = _of_urls(
    "url", "headline", "content_hash", "revision", "duplicate_of", "duplicate_kind", "cluster_id", "first_fetched_at",
    "gone_at", "body_hash", "method", "site", "pages",
)  # fmt: skip
_OF_OTHER_TYPE: Final = select(pages.c.url).where(pages.c.url == articles.c.url, pages.c.outcome == Outcome.NOT_ARTICLE)
_LOST: Final = _of_urls("url", is_gone=True).where(~_OF_OTHER_TYPE.exists())
_DATES: Final = ("url", "date_published", "date_published_utc", "date_published_raw", "field_sources")
_OF_COPY: Final = ("duplicate_of", "duplicate_kind", "cluster_id")
_COMPARED: Final = (
    *_OF_COPY, "id", "url", "content_hash", "url_key", "canonical_url", "headline", "date_published_utc", "simhash",
    "article_body",
)  # fmt: skip
_IN_CLUSTER: Final = select(articles.c.url).where(
    articles.c.cluster_id.in_(select(articles.c.cluster_id).where(among(articles.c.url, "b_urls")))
)
_COPIES: Final = select(articles.c.url).where(
    among(articles.c.duplicate_of, "b_urls"), articles.c.duplicate_of.is_not(None)
)
_ENDED: Final = (
    update(pages)
    .where(pages.c.url == bindparam("b_url"))
    .where(or_(pages.c.outcome == Outcome.STORED, pages.c.outcome == Outcome.DUPLICATE))
    .values({name: bindparam(name) for name in ("outcome", "reason", "detail")})
)


@cache
def _changing(names: tuple[str, ...]) -> Update:
    return (
        update(articles).where(articles.c.url == bindparam("b_url")).values({name: bindparam(name) for name in names})
    )


def _judge_anew(connection: Connection, rows: list[dict[str, Any]], known: Mapping[str, Row[Any]]) -> dict[str, Change]:
    """Judge articles by all that is read of them; return URL → change."""
    names = tuple(sorted(rows[0].keys() - OF_VISIT))
    query = _of_urls(*names)
    facts = {row["url"]: row for row in connection.execute(query, {"b_urls": [row["url"] for row in rows]}).mappings()}
    changes = {}
    for row in rows:
        url = row["url"]
        is_same = all(is_same_fact(row[name], facts[url][name]) for name in names)
        other = Change.REVISED if has_other_text(row, known[url]) else Change.CORRECTED
        changes[url] = Change.UNCHANGED if is_same else other
    return changes


def _decide(row: dict[str, Any], before: Row[Any] | None, kept: KeptArticles, change: Change) -> frozenset[str]:
    """Fill in revision, duplicate and cluster; return the addresses of those kept that are to be judged after it."""
    row["revision"] = (before.revision if before is not None else 0) + (change is not Change.CORRECTED)
    row["gone_at"] = None
    if before is not None:
        row["first_fetched_at"] = before.first_fetched_at
    found = _place(row, kept)
    return found.repeating | found.beside if found.kind is None else frozenset()


def _verdict(duplicate_of: str | None, kind: str | None, revision: int, change: str) -> RecordEnd:
    outcome = Outcome.DUPLICATE if duplicate_of else Outcome.STORED
    return RecordEnd(outcome=outcome, duplicate_of=duplicate_of, duplicate_kind=kind, revision=revision, change=change)


def _write_texts(
    connection: Connection,
    new: list[dict[str, Any]],
    changed: list[dict[str, Any]],
    *,
    revised: list[dict[str, Any]],
    reread: Collection[str],
) -> None:
    """Insert new articles, and put texts and facts of others in the place of those before.

    :param revised: those of the changed ones whose text before is kept as a revision.
    :param reread: addresses of the articles that are read anew.
    """
    if revised:
        names = [column.name for column in article_revisions.c if column.name not in ("article_id", "is_reread")]
        of_urls = articles.c.url.in_([row["url"] for row in revised])
        before = select(articles.c.id, *(articles.c[name] for name in names), articles.c.url.in_(reread)).where(of_urls)
        connection.execute(insert(article_revisions).from_select(["article_id", *names, "is_reread"], before))
    for rows in filter(None, (new, changed)):
        stored = [row | {"simhash": to_signed(row["simhash"])} for row in rows]
        if rows is new:
            execute_many(connection, _NEW, stored)
        else:
            _set(connection, stored, *(name for name in rows[0] if name != "url"))
        found = connection.execute(_of_urls("id", "url"), {"b_urls": [row["url"] for row in rows]})
        ids = {row.url: row.id for row in found}
        index_bands(connection, [row | {"id": ids[row["url"]]} for row in rows], anew=rows is changed)
