"""The form that most article addresses of a site have: what a line ``article_patterns`` of its file would settle."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from newscrawl.urls.patterns import address_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MIN_ARTICLES: Final = 20
"""Articles of a site before anything is said of their addresses."""
MIN_SHARE: Final = 0.75
"""Share of the articles that have one form."""
MAX_KEPT: Final = 40
"""Addresses of a form that are looked at for days."""
MAX_SHOWN: Final = 5

_MASKED: Final = re.compile(r"\*|#")
_DAY: Final = tuple(map(re.compile, ("(?:19|20)[0-9]{2}", "[0-9]{2}", "[0-9]{2}")))
_DAY_NAMES: Final = (("YYYY", r"(?P<y>\d{4})"), ("MM", r"(?P<m>\d{2})"), ("DD", r"(?P<d>\d{2})"))
_NAMES: Final = {"*": ("slug", r"[^/]+"), "#": ("N", r"\d+")}


@dataclass(frozen=True, slots=True, kw_only=True)
class MainForm:
    """The form of most article addresses of a site, and the addresses that have another one."""

    site: str
    form: str
    """For people: ``/YYYY/MM/DD/slug/``."""
    pattern: str
    """For ``article_patterns``."""
    n_articles: int
    n_others: int
    others: tuple[str, ...]
    """Some addresses of another form."""

    def lines(self) -> tuple[str, str]:
        """Return what is so, and what settles it."""
        n, have = self.n_articles, "has" if self.n_others == 1 else "have"
        more = ", …" if self.n_others > len(self.others) else ""
        so = f"{n - self.n_others:,} of {n:,} articles have the form {self.form}; {self.n_others:,} {have} not: "
        settled = f"article_patterns = ['{self.pattern}'] in the site's file, then mode=again, takes these out"
        return so + ", ".join(self.others) + more, settled

    def as_json(self) -> dict[str, Any]:
        names = ("site", "form", "pattern", "n_articles", "n_others", "others")
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class ArticleForms:
    """Counts the forms of the article addresses of one site."""

    counts: Counter[str] = field(default_factory=Counter)
    kept: dict[str, list[str]] = field(default_factory=dict)

    def add(self, url: str) -> None:
        form = address_form(url).partition("/")[2]
        self.counts[form] += 1
        kept = self.kept.setdefault(form, [])
        if len(kept) < MAX_KEPT:
            kept.append(url)

    def main(self, site: str) -> MainForm | None:
        """Return the form that most addresses have; None where there is none, or all have it."""
        total = self.counts.total()
        if total < MIN_ARTICLES:
            return None
        (form, _), *_ = self.counts.most_common(1)
        shown, pattern = _described(form, self.kept[form])
        is_such = re.compile(pattern).search
        rest = {name: urls for name, urls in self.kept.items() if not all(is_such(_target(url)) for url in urls)}
        n = total - sum(self.counts[name] for name in rest)
        if not rest or n < MIN_SHARE * total:
            return None
        others = [_path(url) for urls in rest.values() for url in urls]
        return MainForm(
            site=site,
            form=shown,
            pattern=pattern,
            n_articles=total,
            n_others=total - n,
            others=tuple(sorted(others, key=lambda path: (len(path), path))[:MAX_SHOWN]),
        )


def main_forms(sites: Mapping[str, ArticleForms]) -> tuple[MainForm, ...]:
    """Return the sites with articles of another form than most, the most such articles first."""
    found = (forms.main(site) for site, forms in sites.items())
    return tuple(sorted((one for one in found if one is not None), key=lambda one: (-one.n_others, one.site)))


def _target(url: str) -> str:
    """Return what patterns are searched in: the address without its scheme."""
    return url.partition("://")[2]


def _path(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _described(form: str, urls: Iterable[str]) -> tuple[str, str]:
    r"""Return a form for people, and as a regular expression.

    >>> _described("#/#/*/", ["https://e.org/2024/05/a-b/", "https://e.org/2023/11/c-d/"])
    ('/YYYY/MM/slug/', '^[^/]+/(?P<y>\\d{4})/(?P<m>\\d{2})/[^/]+/$')
    """
    path, _, query = form.partition("?")
    segments = path.split("/")
    days = _day_places(segments, [urlsplit(url).path.lstrip("/").split("/") for url in urls])
    pairs = [days.get(place) or _named(segment) for place, segment in enumerate(segments)]
    names = query.split("&") if query else []
    shown = "/" + "/".join(name for name, _ in pairs) + ("?" + "&".join(f"{name}=" for name in names) if names else "")
    asked = "".join(rf"(?=.*[?&]{re.escape(name)}=)" for name in names) + (r"\?.*" if names else "")
    return shown, "^[^/]+/" + "/".join(pattern for _, pattern in pairs) + asked + "$"


def _day_places(segments: Sequence[str], paths: Sequence[Sequence[str]]) -> dict[int, tuple[str, str]]:
    """Return the places of year, month and day, where they stand in folders of their own."""
    for start in range(len(segments)):
        found: dict[int, tuple[str, str]] = {}
        for part, name in zip(_DAY, _DAY_NAMES, strict=True):
            place = start + len(found)
            if not all(place < len(path) - 1 and part.fullmatch(path[place]) for path in paths):
                break
            found[place] = name
        if found:
            return found
    return {}


def _named(segment: str) -> tuple[str, str]:
    """Return a segment of a form for people, and as a regular expression."""
    shown = _MASKED.sub(lambda mark: _NAMES[mark[0]][0], segment)
    escaped = re.escape(segment).replace(r"\-", "-").replace(r"\*", "*").replace(r"\#", "#")
    return shown, _MASKED.sub(lambda mark: _NAMES[mark[0]][1], escaped)
