"""Stories in the database: grouped as articles come, and shown with who had them first and who copied whom.

Which articles make a story depends on those around them, not on the order in which they came: the days on which
something changed are grouped anew, with the days beside them.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from sqlalchemy import bindparam, delete, func, select, update

from newscrawl.exceptions import UserError
from newscrawl.languages.text import tokens
from newscrawl.serve.story_groups import MAX_DAYS, MAX_STORY, Report, marks_of, stories_of
from newscrawl.store.engine import execute_many, reported, upsert, writing
from newscrawl.store.resemble import changes
from newscrawl.store.schema import articles, story_marks
from newscrawl.urls.domains import site_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Engine

N_OTHERS: Final = 1_500
"""Articles before the days that are grouped, and behind them, that tell which words are rare at no time."""
CHUNK: Final = 500
"""Articles marked in one transaction."""
CHUNK_DAYS: Final = 14
"""Days grouped in one transaction, at most."""
MAX_SHOWN: Final = 50
"""Articles of a story that are compared with each other when it is shown."""
RUN: Final = 8
"""Words, or characters of scripts without spaces, behind one another: where two texts have the same, one has them from
the other, or both from a third."""
COPIED: Final = 0.25
"""Share of a text's runs that stand in an earlier text from which it is called a copy of it."""
_NEWEST: Final = select(func.max(articles.c.change_number))
_MARKED: Final = select(func.max(story_marks.c.change_number))
_DAY: Final = 86_400


def catch_up(engine: Engine, *, anew: bool = False) -> int:
    """Group the articles that came or changed since the last time; return how many those were.

    A crawl may store meanwhile: what takes long is read and computed without a lock.

    :param anew: all of them.
    """
    if anew:
        with reported(engine), writing(engine) as connection:
            connection.execute(delete(story_marks))
    n_all = 0
    while n := _mark_some(engine):
        n_all += n
    while _group_some(engine):
        pass
    return n_all


def _mark_some(engine: Engine) -> int:
    a = articles.c
    columns = (a.id, a.change_number, a.date_published_utc, a.headline, a.article_body)
    with reported(engine), engine.connect() as connection:
        held = connection.execute(_MARKED).scalar() or 0
        if held >= (connection.execute(_NEWEST).scalar() or 0):
            return 0
        query = select(*columns).where(a.change_number > held).order_by(a.change_number).limit(CHUNK)
        found = connection.execute(query).all()
    rows = [
        {
            "article_id": row.id,
            "change_number": row.change_number,
            "day": None if row.date_published_utc is None else int(row.date_published_utc.timestamp() // _DAY),
            "packed": marks_of(row.headline, row.article_body).tobytes(),
            "is_new": True,
        }
        for row in found
    ]
    with reported(engine), writing(engine) as connection:
        before = select(a.story).where(a.id.in_([row["article_id"] for row in rows]), a.story.is_not(None))
        beside = select(a.id).where(a.story.in_(before))  # an article that changed may leave its story
        connection.execute(update(story_marks).where(story_marks.c.article_id.in_(beside)).values(is_new=True))
        upsert(connection, story_marks, rows, "article_id")
    return len(rows)


class _Region(NamedTuple):
    """Articles of some days on which something is new, and of those beside them."""

    days: Sequence[int]
    rows: Sequence[Any]
    others: Sequence[Report]


def _group_some(engine: Engine) -> bool:
    """Group the earliest days on which something is new; tell whether there were any."""
    with reported(engine), engine.connect() as connection:
        region = _region(connection)
    if region is None:
        return False
    dated = {row.article_id: _report(row) for row in region.rows if row.day is not None}
    groups = stories_of(dated.values(), region.others)
    story_of = {one.number: min(each.number for each in group) for group in groups for one in group}
    near = {day + gap for day in region.days for gap in range(-MAX_DAYS, MAX_DAYS + 1)} | {None}
    touched = _touched(region.rows, story_of, {row.article_id for row in region.rows if row.day in near})
    moved = [
        {"b_id": row.article_id, "story": story_of.get(row.article_id)}
        for row in region.rows
        if row.article_id in touched and row.story != story_of.get(row.article_id)
    ]
    seen = [
        {"b_id": row.article_id, "b_number": row.change_number}
        for row in region.rows
        if row.is_new and (row.day is None or row.day in region.days)
    ]
    with reported(engine), writing(engine) as connection:
        execute_many(connection, _MOVE, moved)
        execute_many(connection, _SEE, seen)
    return True


def _region(connection: Connection) -> _Region | None:
    m, a = story_marks.c, articles.c
    new = connection.execute(select(m.day).where(m.is_new).distinct()).scalars().all()
    if not new:
        return None
    known = sorted(day for day in new if day is not None)
    days = [day for day in known if day < known[0] + CHUNK_DAYS]
    columns = (m.article_id, m.change_number, m.is_new, m.day, m.packed, a.site, a.url, a.in_language)
    query = select(*columns, a.date_published_utc, a.story).join(articles, a.id == m.article_id)
    rows = list(connection.execute(query.where(m.day.is_(None), m.is_new).limit(CHUNK)))
    others: list[Report] = []
    if days:
        start, end = days[0] - 2 * MAX_DAYS, days[-1] + 2 * MAX_DAYS
        rows += connection.execute(query.where(m.day.between(start, end)))
        earlier = query.where(m.day < start).order_by(m.day.desc(), a.url).limit(N_OTHERS)
        later = query.where(m.day > end).order_by(m.day, a.url).limit(N_OTHERS)
        others = [_report(row) for some in (earlier, later) for row in connection.execute(some)]
    return _Region(days, rows, others)


def _report(row: Any) -> Report:
    moment = 0.0 if row.date_published_utc is None else row.date_published_utc.timestamp() / _DAY
    marks = np.frombuffer(row.packed, dtype="<u4")
    return Report(row.article_id, row.site or site_of(row.url), moment, row.in_language or "", marks)


def _touched(rows: Sequence[Any], story_of: Mapping[int, int], near: set[int]) -> set[int]:
    """Return the articles whose story may be another: those near what is new, and whatever shares a story with them."""
    before = {row.article_id: row.story for row in rows if row.story is not None}
    touched, n_touched = set(near), -1
    while len(touched) > n_touched:
        n_touched = len(touched)
        for stories in (before, story_of):
            names = {stories[one] for one in touched & stories.keys()}
            touched |= {one for one, story in stories.items() if story in names}
    return touched


_MOVE: Final = update(articles).where(articles.c.id == bindparam("b_id")).values(story=bindparam("story"))
_SEE: Final = (
    update(story_marks)
    .where(story_marks.c.article_id == bindparam("b_id"), story_marks.c.change_number == bindparam("b_number"))
    .values(is_new=False)
)


def day_after(day: str | None, name: str) -> datetime | None:
    """Return the moment at which a day ends, in UTC; None where none is given.

    :raises UserError: for what is no day.
    """
    if not day:
        return None
    try:
        return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        raise UserError(f"{name} {day[:40]!r} is no day; accepted: e.g. 2024-03-05") from None


def newest_stories(connection: Connection, most: int, *, until: datetime | None = None) -> list[dict[str, Any]]:
    """Return the stories with the latest articles: number, how many articles and sites, first and last publication.

    :param until: a story's articles up to here count, and those of which none is as old are left out.
    """
    a = articles.c
    latest = select(a.story, a.date_published_utc).where(a.story.is_not(None))
    if until is not None:
        latest = latest.where(a.date_published_utc < until)
    some = latest.order_by(a.date_published_utc.desc()).limit(most * MAX_STORY).subquery()
    last = func.max(some.c.date_published_utc)
    numbers = select(some.c.story).group_by(some.c.story).order_by(last.desc(), some.c.story).limit(most)
    found = []
    for number in connection.execute(numbers).scalars().all():
        rows = _articles_of(connection, number, "date_published", "headline", "site", "url")
        if rows:
            first, sites = rows[0], {row["site"] or site_of(row["url"]) for row in rows}
            found.append(
                {
                    "story": number,
                    "headline": first["headline"],
                    "firstSite": first["site"] or site_of(first["url"]),
                    "firstPublished": first["date_published"],
                    "lastPublished": rows[-1]["date_published"],
                    "nSites": len(sites),
                    "nArticles": len(rows),
                }
            )
    return found


def _articles_of(connection: Connection, number: int, *names: str) -> list[dict[str, Any]]:
    query = select(*(articles.c[name] for name in names)).where(articles.c.story == number)
    query = query.order_by(articles.c.date_published_utc, articles.c.url).limit(MAX_STORY)
    return [dict(row) for row in connection.execute(query).mappings()]


def one_story(connection: Connection, number: int) -> list[dict[str, Any]]:
    """Return the articles of a story, the first to be published first, and how each differs from those before it.

    ``copiedFrom`` is the earlier article that has most of its wording, ``copied`` the share; ``changes`` are the
    paragraphs in which a copy differs. ``numbers`` stand in no other article of the story.
    """
    names = "id url site source headline date_published first_fetched_at duplicate_of article_body".split()
    rows = _articles_of(connection, number, *names)[:MAX_SHOWN]
    runs = [_runs(row["article_body"]) for row in rows]
    numbers = [set(_NUMBER.findall(f"{row['headline'] or ''} {row['article_body']}")) for row in rows]
    n_with = Counter(one for some in numbers for one in some)
    found = []
    for place, row in enumerate(rows):
        shares = [len(runs[place] & runs[earlier]) / max(1, len(runs[place])) for earlier in range(place)]
        copied = max(shares, default=0.0)
        origin = rows[shares.index(copied)] if copied >= COPIED else None
        found.append(
            {
                "id": row["id"],
                "url": row["url"],
                "site": row["site"] or site_of(row["url"]),
                "source": row["source"],
                "headline": row["headline"],
                "datePublished": row["date_published"],
                "firstFetchedAt": row["first_fetched_at"].astimezone(UTC).isoformat(),
                "copied": round(copied, 2),
                "copiedFrom": origin and origin["url"],
                "changes": list(changes(origin["article_body"], row["article_body"])) if origin else [],
                "numbers": sorted(one for one in numbers[place] if n_with[one] == 1),
            }
        )
    return found


_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    return set(zip(*(words[start:] for start in range(RUN)), strict=False))
