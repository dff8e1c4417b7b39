"""A site as TOML text with comments; ``newscrawl.sites.toml`` reads it back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.sites.model import NewsSite

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def to_toml(site: NewsSite) -> str:
    """Write every field, each with what it means."""
    lines = [
        f"# {_comment(site.title)}: written from the home page. Correct it, then: scrapy crawl {site.name}",
        f"title = {_string(site.title)}",
        '# "example.org" is that host alone, ".example.org" also every host below it.',
        _list("hosts", site.hosts),
        "# Pages to start from.",
        _list("seeds", site.seeds),
        "# For times printed without a zone: an IANA name.",
        f"timezone = {_string(site.timezone)}",
    ]
    if site.language:
        lines.append(f"language = {_string(site.language)}")
    lines += [
        "# How the site calls itself: cut from titles, never taken for an author.",
        _list("site_names", site.site_names),
        _list("feeds", site.feeds),
        "# Those in robots.txt are found anyway.",
        _list("sitemaps", site.sitemaps),
        "# Regular expressions searched in host/path?query. Groups y, m and d give the day of publication.",
        "# Guessed ones add articles to those that their addresses' shape tells. Move them to article_patterns once a",
        "# harvest has confirmed them: where article_patterns has any, no other address is taken for an article's.",
        _list("guessed_patterns", site.guessed_patterns),
        _list("article_patterns", site.article_patterns),
        _list("hub_patterns", site.hub_patterns),
        "# Never asked for.",
        _list("deny_patterns", site.deny_patterns),
        "# false: the query of an article's address never changes the page, and is dropped.",
        f"article_query = {str(site.article_query).lower()}",
        "",
        "# Hub pages by channel, for -a channels=NAME,NAME.",
        "[channels]",
    ]
    lines += [_list(name if _BARE_KEY.fullmatch(name) else _string(name), urls) for name, urls in site.channels.items()]
    return "\n".join(lines) + "\n"


def _list(key: str, values: Sequence[str]) -> str:
    if len(values) <= 1:
        return f"{key} = [{''.join(map(_string, values))}]"
    return f"{key} = [\n" + "".join(f"    {_string(value)},\n" for value in values) + "]"


def _string(value: str) -> str:
    if "\\" in value and "'" not in value and value.isprintable():
        return f"'{value}'"  # a literal string, for regular expressions
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in value) + '"'


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
