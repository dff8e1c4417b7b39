"""Articles of a batch: new, unchanged, changed, or the same as another."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import cache
from math import isclose
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, func, insert, or_, select, update

from newscrawl.extract.simhash import simhash
from newscrawl.outcomes import Outcome
from newscrawl.sites.forms import ArticleForms
from newscrawl.store.columns import among
from newscrawl.store.engine import execute_many
from newscrawl.store.kept import KeptArticles, forget_bands, index_bands, to_signed, to_unsigned
from newscrawl.store.records import RecordEnd, article_row, stored_url
from newscrawl.store.resemble import is_same_document
from newscrawl.store.schema import article_revisions, articles, pages, sites

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row, Select, Update

    from newscrawl.store.kept import Kept
    from newscrawl.store.records import PageRecord


def urls_of_site(connection: Connection, name: str, covers: Callable[[str], bool]) -> list[str]:
    """Return the addresses of the articles stored under a site's name, or that of one of its hosts (``crawl site``).

    :param covers: tells whether an address is of the site.
    """
    hosts = connection.execute(
        select(sites.c.name).where(sites.c.name.like("%.%"), ~sites.c.name.like("% %"))
    ).scalars()
    names = {name, *(host for host in hosts if covers(f"https://{host}/"))}
    return list(connection.execute(select(articles.c.url).where(articles.c.site.in_(names))).scalars())


def article_forms(connection: Connection, names: Sequence[str]) -> dict[str, ArticleForms]:
    """Return the forms of the addresses of the articles that these sites have, and that are there; by site."""
    forms = {name: ArticleForms() for name in names}
    there = articles.c.gone_at.is_(None), articles.c.duplicate_of.is_(None)
    query = select(articles.c.site, articles.c.url).where(articles.c.site.in_(names), *there)
    for name, url in connection.execute(query):
        forms[name].add(url)
    return forms


class _Change(Enum):
    """What is written of an article."""

    NEW = auto()
    REVISED = auto()  # its text or headline is another: the one before is kept as a revision
    CORRECTED = auto()  # its facts are others: they are replaced
    UNCHANGED = auto()


#: Columns that tell of a visit, not of the article.
_OF_VISIT: Final = frozenset({"fetched_at", "first_fetched_at", "run_id", "body_hash"})
_TICK: Final = timedelta(milliseconds=1)
#: Confidence depends on the pages that a model judges together, by so much.
_NOISE: Final = 1e-6


def write_articles(connection: Connection, records: Sequence[PageRecord]) -> dict[str, RecordEnd]:
    """Write the records' articles, each URL at most once in them; return page URL → verdict."""
    of_url = {record.url: record for record in records}
    rows = {record.url: article_row(record.article, record) for record in records if record.article}
    if not rows:
        return {}
    known = _known(connection, (row["url"] for row in rows.values()))
    changes = {row["url"]: _judge(of_url[url], row, known.get(row["url"])) for url, row in rows.items()}
    anew = [row for url, row in rows.items() if _is_anew(of_url[url], row, known.get(row["url"]))]
    changes |= _judge_anew(connection, anew, known)
    judged = [row for row in rows.values() if changes[row["url"]] is not _Change.UNCHANGED]
    made = {row["url"]: of_url[url].simhash for url, row in rows.items()}
    for row in judged:
        row["simhash"] = made[row["url"]] or simhash(row["article_body"])
    kept = KeptArticles.load(connection, judged) if judged else KeptArticles()
    verdicts: dict[str, RecordEnd] = {}
    yielding: dict[str, str] = {}
    of: dict[_Change, list[dict[str, Any]]] = {change: [] for change in _Change}
    for page_url, row in rows.items():
        before, change = known.get(row["url"]), changes[row["url"]]
        of[change].append(row)
        if before is not None and change is _Change.UNCHANGED:
            verdicts[page_url] = _verdict(before.duplicate_of, before.duplicate_kind, before.revision, "unchanged")
            continue
        yielding.update({one.url: row["url"] for one in _decide(row, before, kept, change)})
        told = "new" if before is None else "changed"
        verdicts[page_url] = _verdict(row["duplicate_of"], row["duplicate_kind"], row["revision"], told)
    _number(connection, judged)
    _insert(connection, of[_Change.NEW])
    _keep_texts(connection, [row["url"] for row in of[_Change.REVISED]])
    _change(connection, [*of[_Change.REVISED], *of[_Change.CORRECTED]])
    _set(connection, of[_Change.UNCHANGED], "fetched_at", "body_hash")
    _yield(connection, yielding)
    as_before = [row["url"] for change in (_Change.CORRECTED, _Change.UNCHANGED) for row in of[change]]
    _come_back(connection, [url for url in as_before if known[url].gone_at is not None])
    return verdicts


def touch_articles(connection: Connection, records: Sequence[PageRecord]) -> None:
    """Note that the articles of these pages were looked at and had not changed; those that were gone are back.

    Not so where the page, as read last, is of another type: nothing of it has changed since.
    """
    rows = [{"url": stored_url(record.url), "fetched_at": record.fetched_at} for record in records]
    _set(connection, rows, "fetched_at")
    lost = connection.execute(_LOST, {"b_urls": [row["url"] for row in rows]})
    _come_back(connection, list(lost.scalars()))


def mark_gone(connection: Connection, records: Sequence[PageRecord]) -> None:
    """Note that the pages of these articles, if there are any, are not there any more, or of another type."""
    times = {stored_url(record.url): record.fetched_at for record in records}
    if times:
        there = _of_urls("url", is_gone=False)
        found = list(connection.execute(there, {"b_urls": list(times)}).scalars())
        _mark(connection, [{"url": url, "gone_at": times[url]} for url in found])
        _succeed(connection, found)


def _succeed(connection: Connection, urls: list[str]) -> list[str]:
    """Keep the first duplicate of each of these articles instead of it: the text is still there, elsewhere.

    Return the addresses kept.
    """
    heirs = _first_copies(connection, urls)
    if not heirs:
        return []
    others = [{"b_gone": gone, "b_heir": heir["url"]} for gone, heir in heirs.items()]
    rows = [heir | {"duplicate_of": None, "duplicate_kind": None} for heir in heirs.values()]
    _number(connection, rows)
    _set(connection, rows, "duplicate_of", "duplicate_kind", "change_number")
    of_gone = articles.c.duplicate_of == bindparam("b_gone")
    connection.execute(update(articles).where(of_gone).values(duplicate_of=bindparam("b_heir")), others)
    index_bands(connection, [row | {"simhash": to_unsigned(row["simhash"])} for row in rows])
    return [row["url"] for row in rows]


def _first_copies(connection: Connection, urls: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the first duplicate of each of these articles that has one, by the article's URL."""
    if not urls:
        return {}
    found = connection.execute(_HEIRS, {"b_urls": list(urls)}).mappings().all()
    return {row["duplicate_of"]: dict(row) for row in reversed(found)}


def _release(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Keep the first duplicate of each article that says something else from now on: nothing hides behind it."""
    kept = {row["url"]: row["article_body"] for row in rows if row["duplicate_of"] is None}
    heirs = _first_copies(connection, kept)
    others = [url for url, heir in heirs.items() if not is_same_document(kept[url], heir["article_body"])]
    for url in _succeed(connection, others):
        its_own = or_(articles.c.url == url, articles.c.duplicate_of == url)
        connection.execute(update(articles).where(its_own).values(cluster_id=_cluster_id(url)))


def _come_back(connection: Connection, urls: list[str]) -> None:
    """Take articles for there again; one kept instead of them meanwhile repeats them now."""
    if not urls:
        return
    _mark(connection, [{"url": url, "gone_at": None} for url in urls])
    columns = (articles.c[name] for name in ("id", "url", "cluster_id", "content_hash", "headline"))
    back = select(*columns).where(articles.c.url.in_(urls), articles.c.duplicate_of.is_(None))
    for row in connection.execute(back).all():
        later = articles.c.id > row.id, articles.c.duplicate_of.is_(None)
        same = articles.c.content_hash == row.content_hash, articles.c.headline.is_not_distinct_from(row.headline)
        heirs = connection.execute(select(articles.c.id, articles.c.url).where(*same, *later)).all()
        if row.content_hash and heirs:
            linked = update(articles).values(duplicate_of=row.url, cluster_id=row.cluster_id)
            connection.execute(linked.where(articles.c.duplicate_of.in_([heir.url for heir in heirs])))
            ids = [heir.id for heir in heirs]
            connection.execute(linked.values(duplicate_kind="content").where(articles.c.id.in_(ids)))
            forget_bands(connection, ids)
            copies = [{"url": heir.url} for heir in heirs]
            _number(connection, copies)
            _set(connection, copies, "change_number")


def _yield(connection: Connection, first: Mapping[str, str]) -> None:
    """Make articles kept duplicates of those that they name as canonical, and their duplicates, too.

    :param first: URL of an article → URL of the one that it names.
    """
    for url, named in first.items():
        rows = [{"url": url, "duplicate_of": named, "duplicate_kind": "canonical_url"}]
        _number(connection, rows)
        _set(connection, rows, "duplicate_of", "duplicate_kind", "change_number")
        of_it = articles.c.duplicate_of == url
        connection.execute(update(articles).where(of_it).values(duplicate_of=named))
        ids = select(articles.c.id).where(articles.c.url == url)
        forget_bands(connection, ids)


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


def _known(connection: Connection, urls: Iterable[str]) -> dict[str, Row[Any]]:
    names = (
        "url", "headline", "content_hash", "revision", "duplicate_of", "duplicate_kind", "cluster_id",
        "first_fetched_at", "gone_at", "body_hash", "method", "site", "pages",
    )  # fmt: skip
    query = _of_urls(*names)
    return {row.url: row for row in connection.execute(query, {"b_urls": list(urls)})}


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


_OF_OTHER_TYPE: Final = select(pages.c.url).where(pages.c.url == articles.c.url, pages.c.outcome == Outcome.NOT_ARTICLE)
_LOST: Final = _of_urls("url", is_gone=True).where(~_OF_OTHER_TYPE.exists())
_HEIRS: Final = (
    select(*(articles.c[name] for name in ("id", "url", "duplicate_of", "simhash", "article_body")))
    .where(among(articles.c.duplicate_of, "b_urls"), articles.c.gone_at.is_(None))
    .where(articles.c.duplicate_of.is_not(None))
    .order_by(articles.c.id)
)


@cache
def _changing(names: tuple[str, ...]) -> Update:
    return (
        update(articles).where(articles.c.url == bindparam("b_url")).values({name: bindparam(name) for name in names})
    )


def _judge(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> _Change:
    """Tell whether the article is new, or its text or headline another.

    Another reading of the same bytes by the same method tells of a newer model, not of the site.
    """
    if before is None:
        return _Change.NEW
    if _is_shortened(record, row, before):
        return _Change.UNCHANGED
    is_same_body = row["body_hash"] is not None and row["body_hash"] == before.body_hash
    if is_same_body and row["method"] == before.method:
        return _Change.UNCHANGED
    return _Change.REVISED if _has_other_text(row, before) else _Change.UNCHANGED


def _is_shortened(record: PageRecord, row: dict[str, Any], before: Row[Any]) -> bool:
    """Tell whether the article has fewer pages than before only because a part is missing: what is stored stays."""
    return record.is_incomplete and len(row["pages"]) < len(before.pages)


def _has_other_text(row: dict[str, Any], before: Row[Any]) -> bool:
    has_other_headline = row["headline"] is not None and row["headline"] != before.headline
    return row["content_hash"] != before.content_hash or has_other_headline


def _is_anew(record: PageRecord, row: dict[str, Any], before: Row[Any] | None) -> bool:
    """Tell whether what is read now replaces what is stored, though the page be the same.

    A crawl of an address or a topic goes by the name of a host, which no named site has: the site takes its articles
    over as it reads them.
    """
    if before is None or _is_shortened(record, row, before):
        return False
    return record.anew or ("." in (before.site or "") and "." not in (row["site"] or "."))


def _judge_anew(
    connection: Connection, rows: list[dict[str, Any]], known: Mapping[str, Row[Any]]
) -> dict[str, _Change]:
    """Judge articles by all that is read of them; return URL → change."""
    if not rows:
        return {}
    names = tuple(sorted(rows[0].keys() - _OF_VISIT))
    query = _of_urls(*names)
    facts = {row["url"]: row for row in connection.execute(query, {"b_urls": [row["url"] for row in rows]}).mappings()}
    changes = {}
    for row in rows:
        url = row["url"]
        is_same = all(_is_same(row[name], facts[url][name]) for name in names)
        other = _Change.REVISED if _has_other_text(row, known[url]) else _Change.CORRECTED
        changes[url] = _Change.UNCHANGED if is_same else other
    return changes


def _is_same(value: Any, stored: Any) -> bool:
    """Compare a value with what came back from its column: SQLite keeps milliseconds."""
    if isinstance(value, datetime) and isinstance(stored, datetime):
        return abs(value - stored) <= _TICK
    if isinstance(value, float) and isinstance(stored, float):
        return isclose(value, stored, abs_tol=_NOISE)
    return bool(value == stored)


def _decide(row: dict[str, Any], before: Row[Any] | None, kept: KeptArticles, change: _Change) -> list[Kept]:
    """Fill in revision, duplicate and cluster. An article once kept stays kept: others may hang on it.

    Return the articles kept that repeat this one by their own word.
    """
    naming: list[Kept] = []
    row["revision"] = (before.revision if before is not None else 0) + (change is not _Change.CORRECTED)
    row["duplicate_of"] = row["duplicate_kind"] = row["gone_at"] = None
    if before is not None:
        row["first_fetched_at"] = before.first_fetched_at
    if before is not None and before.duplicate_of is None:
        row["cluster_id"] = before.cluster_id
    elif (match := kept.match(row)) is not None:
        found, row["duplicate_kind"] = match
        row["duplicate_of"], row["cluster_id"] = found.url, found.cluster_id
    else:
        naming, beside = kept.naming(row), kept.beside(row)
        row["cluster_id"] = next((one.cluster_id for one in (*naming, beside) if one), _cluster_id(row["url"]))
    if row["duplicate_of"] is None:
        kept.add(row, row["cluster_id"])
    return naming


def _cluster_id(url: str) -> str:
    return hashlib.blake2b(url.encode(), digest_size=8).hexdigest()


def _verdict(duplicate_of: str | None, kind: str | None, revision: int, change: str) -> RecordEnd:
    outcome = Outcome.DUPLICATE if duplicate_of else Outcome.STORED
    return RecordEnd(outcome=outcome, duplicate_of=duplicate_of, duplicate_kind=kind, revision=revision, change=change)


def _insert(connection: Connection, rows: list[dict[str, Any]]) -> None:
    if rows:
        execute_many(connection, _NEW, [_stored(row) for row in rows])
        _index(connection, rows)


def _keep_texts(connection: Connection, urls: list[str]) -> None:
    if urls:
        names = [column.name for column in article_revisions.c if column.name != "article_id"]
        before = select(articles.c.id, *(articles.c[name] for name in names)).where(articles.c.url.in_(urls))
        connection.execute(insert(article_revisions).from_select(["article_id", *names], before))


def _change(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Put the new texts and facts in the place of those before."""
    if not rows:
        return
    urls = [row["url"] for row in rows]
    ids = list(connection.execute(select(articles.c.id).where(articles.c.url.in_(urls))).scalars())
    _set(connection, [_stored(row) for row in rows], *(name for name in rows[0] if name != "url"))
    forget_bands(connection, ids)
    _index(connection, rows)
    _release(connection, rows)


def _stored(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"simhash": to_signed(row["simhash"])}


def _index(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Index the SimHashes of new texts."""
    found = connection.execute(_of_urls("id", "url"), {"b_urls": [row["url"] for row in rows]})
    ids = {row.url: row.id for row in found}
    index_bands(connection, [row | {"id": ids[row["url"]]} for row in rows])
