"""What a site's user says of where its pages hold what: selectors, in the table ``[rules]`` of the site's file.

A rule counts on the pages where it matches; on all others, and for what no rule names, the network and the usual
evidence answer.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lxml import etree

from newscrawl.console.check import ValueKind, table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from lxml.html import HtmlElement


_NEED_NOT_MATCH: Final = frozenset(("not_body", "keywords"))


class SiteRules(NamedTuple):
    """Selectors by field: XPath where one begins with ``/``, ``./`` or ``(``, else CSS with ``::text``, ``::attr()``.

    Of several for one field the first that matches counts; ``not_body`` takes what any matches.
    """

    body: tuple[str, ...] = ()
    """Elements whose lines are the text, all of them but those in ``not_body``."""
    not_body: tuple[str, ...] = ()
    headline: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date_published: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """What must match on every article: the fields with a rule, but those that an article may do without."""
        return tuple(field for field in self._fields if field not in _NEED_NOT_MATCH and getattr(self, field))

    def line(self, field: str) -> str:
        """Return a field with its selectors, as events tell it."""
        return f"{field} = {', '.join(getattr(self, field))}"


NO_RULES: Final = SiteRules()


def stands(event: Mapping[str, Any], rules: SiteRules) -> bool:
    """Tell whether an event is none of a rule, or of one that its site still has."""
    return event["reason"] != "rule" or event["old"] in map(rules.line, rules.fields)


def rules_of(table: Mapping[str, Any]) -> SiteRules:
    """Return the rules of a table without mistakes."""
    return SiteRules(**{field: _as_tuple(value) for field, value in table.items()})


def _as_tuple(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _selectors(value: object) -> tuple[str, ...] | None:
    """Return the selectors of a field; None for what is no text, or list of texts.

    :raises ValueError: one of them is no selector.
    """
    if not isinstance(value, str) and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        return None
    for selector in _as_tuple(value):
        try:
            _compile(selector)(etree.Element("html"))
        except (etree.XPathError, ValueError, TypeError) as error:
            raise ValueError(f"{selector!r} is neither CSS nor XPath: {error}") from None
    return _as_tuple(value)


#: The table ``[rules]`` of a site's file.
RULES: Final = table(
    "a table of field = selector",
    table=dict.fromkeys(SiteRules._fields, ValueKind("a selector, or a list of them", _selectors)),
)


def matches(selector: str, root: HtmlElement) -> list[HtmlElement | str]:
    """Return what a selector without mistakes matches: elements, or the text of texts and attributes."""
    found = _compile(selector)(root)
    return found if isinstance(found, list) else [str(found)] if found else []


@lru_cache(maxsize=512)
def _compile(selector: str) -> etree.XPath:
    """:raises ValueError, XPathError: for what is no selector."""
    text = selector.strip()
    if text.startswith(("/", "./", "(")):
        return etree.XPath(text)
    from cssselect import SelectorError  # noqa: PLC0415 (few sites have rules)
    from parsel.csstranslator import HTMLTranslator  # noqa: PLC0415

    try:
        return etree.XPath(HTMLTranslator().css_to_xpath(text))
    except SelectorError as error:
        raise ValueError(error) from error


BROKEN_PAGES: Final = 5
"""A rule that matches none of so many articles in a row is broken: the site has a new template."""


class RuleWatch:
    """Counts the articles in a row that a rule did not match, by host and field."""

    def __init__(self) -> None:
        self.missed: Counter[tuple[str, str]] = Counter()
        self.matched: set[tuple[str, str]] = set()

    def note(self, host: str, missed: Collection[str], fields: Iterable[str]) -> Iterator[str]:
        """Take note of an article; yield the fields whose rule has just broken.

        :param missed: fields whose rule matched nothing.
        :param fields: those that have a rule.
        """
        for field in fields:
            key = host, field
            self.missed[key] = self.missed[key] + 1 if field in missed else 0
            if field not in missed:
                self.matched.add(key)
            if self.missed[key] == BROKEN_PAGES:
                yield field

    def never_matched(self) -> Iterator[tuple[tuple[str, str], int]]:
        """Yield host and field of each rule that matched nothing, on too few articles to be told as broken."""
        for key, n in self.missed.items():
            if key not in self.matched and n < BROKEN_PAGES:
                yield key, n
