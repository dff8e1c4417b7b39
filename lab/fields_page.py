"""The reference of an article's fields, ``docs/fields.md``, written from their table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.extract.quality import QUALITY
from newscrawl.items import ARTICLE, FieldKind
from newscrawl.store.export import KEPT_ARTICLE, REVISION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.items import Fields

_INTRODUCTION: Final = """\
# Fields of an article

Written from `newscrawl/items.py` by `python -m lab.reference_pages docs`; a test compares the two.

Feeds, `newscrawl extract --json`, `newscrawl extract --warc`, Spark and `newscrawl export` use these names and values.
The column is that of the table `articles`. A *moment with its zone* is ISO 8601 text with the offset that the page
states; a second column, ending in `_utc`, has the same moment in UTC. Names are those of
[zyte-common-items](https://zyte-common-items.readthedocs.io/) where it has the field.
`newscrawl fields --json-schema` prints the [JSON Schema](fields.schema.json).
"""
_QUALITY: Final = """\
Heuristics of the text, as builders of corpora use them: Rae et al. (2021), appendix A.1.1 and table A1 (Gopher), and
Raffel et al. (2020), section 2.2 (C4). A word is what stands between white space, or a character of a script without
spaces; a line is a paragraph. C4's list of bad words is left out, and so are spans that stand in other articles.
"""


def as_markdown() -> str:
    """Return the reference of all fields."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield _INTRODUCTION
    yield from _table(ARTICLE)
    yield "\n## In exports of a database\n"
    yield from _table({name: one for name, one in KEPT_ARTICLE.items() if name not in ARTICLE})
    yield "\n## With `newscrawl export --quality`\n"
    yield _QUALITY
    yield from _table(QUALITY, with_columns=False)
    yield "\n## In a revision (`newscrawl export --revisions`)\n"
    yield from _table(REVISION, with_columns=False)


def _table(fields: Fields, *, with_columns: bool = True) -> Iterator[str]:
    yield "| Field | Column | Holds | |" if with_columns else "| Field | Holds | |"
    yield "|---|---|---|---|" if with_columns else "|---|---|---|"
    for one in fields.values():
        column = f"`{one.column}` | " if with_columns else ""
        yield f"| `{one.name}` | {column}{one.kind} | {one.doc} |"
        for part in one.parts.values():
            yield f"| `{one.name}{'[]' * (one.kind is FieldKind.RECORDS)}.{part.name}` | | {part.kind} | {part.doc} |"
