"""Facts of strangers kept to what a fact is: plain texts of a sane length."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.languages.plain import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.items import Article

MAX_NAME_CHARS: Final = 100
"""Characters of a name of a person, a press or a section; what is longer is a sentence, and no name."""
MAX_CHARS: Final[Mapping[str, int]] = MappingProxyType(
    {"headline": 500, "description": 5_000, "datePublishedRaw": 100, "dateModifiedRaw": 100}
)
"""Characters of a fact that are kept."""
MAX_VALUES: Final = 100
"""Authors, and keywords, that are kept."""
_NAMES: Final = ("source", "section")


def sane(article: Article) -> Article:
    """Return the article with plain texts, without names that are none, and with no fact longer than a fact is."""
    values: dict[str, Any] = {name: _cut(getattr(article, name), n) for name, n in MAX_CHARS.items()}
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


def _cut(text: str | None, n_chars: int) -> str | None:
    return text and (plain(text[:n_chars]).strip() or None)


def _name(text: str | None) -> str | None:
    found = text and plain(text).strip()
    return found if found and len(found) <= MAX_NAME_CHARS else None
