"""What the index holds of an article: its text and headline; day, site, language, source, authors as marked terms."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from newscrawl.serve.search.terms import is_spaceless, runs, term_text, terms
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: Marks of terms; no term of a text has a colon.
HEADLINE: Final = "h:"
AUTHOR: Final = "a:"
_DAY, _MONTH, _YEAR, _SITE, _SOURCE, _LANGUAGE = "d:", "m:", "y:", "s:", "o:", "l:"
#: Days before are taken for this one.
EARLIEST: Final = date(1600, 1, 1)
#: Day of articles that state none, and of those whose date cannot be read: they come after all others.
UNDATED: Final = EARLIEST - timedelta(days=1)
#: Places of a day: seconds from the midnight before it on, up to the tenth after.
_SECONDS: Final = 1_000_000
#: Longest value, and most authors, that are indexed.
_MAX_CHARS: Final = 100
_MAX_AUTHORS: Final = 20
_OTHER: Final = re.compile(r"[^\w.-]+")


def text_terms(headline: str | None, body: str) -> str:
    """Return the terms of an article's text and headline between spaces; those of the headline marked, too.

    >>> text_terms("Mate", "mate x").split()
    ['mate', 'h:mate', 'mate', 'x']
    """
    titled = terms(headline or "")
    # pairs of characters are not marked: most such would be of one article alone
    marked = (HEADLINE + term for term in titled if len(term) != 2 or not is_spaceless(term))
    return " ".join([*titled, *marked, term_text(body)])


def indexed_facts(row: Mapping[Any, Any]) -> str:
    """Return the facts of an article's row as terms between spaces, the day's first.

    :param row: columns ``url``, ``site``, ``source``, ``in_language``, ``authors``, ``date_published``, ``fetched_at``
        and ``first_fetched_at``.
    """
    day = index_day(row["date_published"], row["first_fetched_at"], row["fetched_at"])
    found = [_DAY + f"{day:%Y%m%d}", _MONTH + f"{day:%Y%m}", _YEAR + f"{day:%Y}"]
    # the site's name, the host, and the domains above it
    labels = host_of(row["url"]).split(".")
    names = [row["site"] or "", *(".".join(labels[i:]) for i in range(max(1, len(labels) - 1)))]
    found += [site_term(name) for name in dict.fromkeys(names) if name]
    if row["source"]:
        found.append(source_term(runs(row["source"])))
    if row["in_language"]:
        found.append(language_term(row["in_language"]))
    plain = sorted(terms(" ".join(names_of(row["authors"]))))
    return " ".join([*found, *plain, *(AUTHOR + term for term in plain)])


def names_of(authors: Iterable[Mapping[str, Any]] | None) -> list[str]:
    return [author["name"] for author in list(authors or ())[:_MAX_AUTHORS] if author.get("name")]


def index_day(published: str | None, first_fetched_at: datetime, fetched_at: datetime) -> date:
    """Return the day that an article is found under: the page's own, else ``UNDATED``.

    A day that is still to come is taken for that of the visit.

    :param published: ISO 8601 with the page's offset.
    """
    latest = max(first_fetched_at, fetched_at).astimezone(UTC).date()
    try:
        day = date.fromisoformat((published or "")[:10])
    except ValueError:
        return UNDATED
    return max(day, EARLIEST) if day <= latest + timedelta(days=1) else latest


def first_place(day: date) -> int:
    """Return the lowest place of a day; that of the day after is higher than all of the day's."""
    return int(f"{day:%Y%m%d}") * _SECONDS


def day_of(place: int) -> date:
    day = place // _SECONDS
    return date(day // 10_000, day // 100 % 100, day % 100)


def place_of(facts: str, moment: datetime) -> int:
    """Return the number that orders articles: the later day is higher, and on a day the later moment.

    :param facts: as :func:`indexed_facts` gives them.
    """
    day = datetime.strptime(facts[len(_DAY) :][:8], "%Y%m%d").replace(tzinfo=UTC)
    # at the page's place the day may begin before midnight of UTC, and end after
    since = int((moment - day).total_seconds()) + 86_400
    return first_place(day.date()) + min(max(since, 0), _SECONDS - 1)


def site_term(name: str) -> str:
    return _SITE + _OTHER.sub("_", name.strip().lower())[:_MAX_CHARS]


def source_term(found: Sequence[str]) -> str:
    return _SOURCE + "_".join(found)[:_MAX_CHARS]


def language_term(code: str) -> str:
    return _LANGUAGE + _OTHER.sub("_", code.strip().lower())[:_MAX_CHARS]


def day_terms(first: date, last: date) -> list[str]:
    """Return the terms that together cover the days from first to last: years, months and days.

    >>> day_terms(date(2023, 12, 30), date(2025, 2, 1))
    ['d:20231230', 'd:20231231', 'y:2024', 'm:202501', 'd:20250201']
    """
    found, day = [], first
    while day <= last:
        year_end, month_end = date(day.year, 12, 31), day.replace(day=monthrange(day.year, day.month)[1])
        if (day.month, day.day) == (1, 1) and year_end <= last:
            found.append(_YEAR + f"{day:%Y}")
            end = year_end
        elif day.day == 1 and month_end <= last:
            found.append(_MONTH + f"{day:%Y%m}")
            end = month_end
        else:
            found.append(_DAY + f"{day:%Y%m%d}")
            end = day
        if end == date.max:
            break
        day = end + timedelta(days=1)
    return found
