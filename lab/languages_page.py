"""The page of languages, ``docs/languages.md``, made from their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.languages.groups import GROUPS
from newscrawl.languages.tables import languages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.languages.tables import Language

_INTRODUCTION: Final = """\
# Languages

Written from `newscrawl/languages/*.toml` by `python -m lab.reference_pages docs`; a test compares the two.

Text is found by shape, in any language. Dates, bylines, sources and links to next pages are found by words, which
stand in one file a language. Written dates, months in full and shortened, and relative times such as *3 hours ago*
are read in each language below: the tests make some of each from CLDR's patterns and read them back.

A file of your own: `CODE.toml` in a folder that the environment names, `NEWSCRAWL_LANGUAGES=FOLDER newscrawl crawl
…`. One of a code that is there replaces it.

Names of months and weekdays, relative times, halves of the day, zones and places are from [CLDR](https://cldr.unicode.org/),
© Unicode, Inc., under the [Unicode License v3](../newscrawl/languages/LICENSE-CLDR.txt); `python -m lab.languages`
writes them. All else is written by hand.
"""
_FACTS: Final = {
    "Bylines": ("people.by", "people.label", "people.label_colon", "people.author", "people.reporter_after"),
    "Written by": ("people.written_by",),
    "Sources": ("people.source",),
    "Labels of dates": ("dates.published", "dates.changed"),
    "Next page": ("links.next",),
    "Whole article": ("links.whole",),
    "Pages about the site": ("pages.about", "pages.errors"),
}
_FORM: Final = """\
## The form of a file

```toml
name = 'Made-up'
home = 'mu'                          # domain of the country in which most of its news is written
months = ['ona', 'duwa', 'trina', 'kwara', 'pinka', 'zesta', 'septa', 'okta', 'nova', 'deka', 'unda', 'doza']
weekdays = 'lunda | marda'           # words of a list are parted by bars
today = 'hodi'
yesterday = 'jeri'
frames = '{} zu'                     # what says ago around a span of time
calendars = 'gregorian'              # those that its dates are of, the usual one first
am = 'mat.'
pm = 'vesp.'
digits = ''                          # ten characters for each script with digits of its own
charsets = 'cp1250'                  # of one byte a letter, that its pages were in before UTF-8
letters = 'čšž'                      # small letters beyond ASCII, the most frequent first

[units]                              # second, minute, hour, day, week, month, year
hour = '{0} oro | {0} orin'

[numbers]
1 = 'un'

[zones]                              # an offset, or a zone's name in IANA's data
MUT = '+01:00'

[people]
by = 'bi'
```

A word begins and ends where words do. A star before or behind it (`*publish*`) lets it begin or end within a word;
between ideographs a space (`作 者`) stands for one or none.
"""


def languages_page() -> str:
    """Return what is known of each language, and what each list of words is for."""
    return "\n".join([_INTRODUCTION, *_table(), "", _FORM, *_lists()]) + "\n"


def _table() -> Iterator[str]:
    """Yield a row for each language: how many words there are of a kind."""
    yield f"| Language | | Calendars | {' | '.join(_FACTS)} |"
    yield f"|---|---|---|{'--:|' * len(_FACTS)}"
    for table in sorted(languages(), key=lambda one: one.name):
        yield f"| {table.name} | `{table.code}` | {', '.join(table.calendars)} | {' | '.join(_counts(table))} |"


def _counts(table: Language) -> Iterator[str]:
    for groups in _FACTS.values():
        yield str(sum(len(table.words.get(group, ())) for group in groups) or "")


def _lists() -> Iterator[str]:
    section = ""
    yield "## Lists of words"
    for name, meaning in GROUPS.items():
        if name.partition(".")[0] != section:
            section = name.partition(".")[0]
            yield from ("", f"### {section}", "", "| Key | |", "|---|---|")
        yield f"| `{name.partition('.')[2]}` | {meaning} |"
