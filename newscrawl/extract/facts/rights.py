"""What a page states about its rights: is it free, under which licence, whose is it, and what it reserves.

A reservation is told as the page, its headers or its host state it, against the mining of texts or the training of
models. It is data, and no judgement of what it binds whom to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from newscrawl.items import Reservation
from newscrawl.page.jsonld import text_of
from newscrawl.urls.canonical import absolute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from newscrawl.page.statements import Evidence

MAX_CHARS: Final = 200
"""Characters of a licence's name, a holder's name, or a directive."""
RIGHTS_HEADERS: Final = ("tdm-reservation", "tdm-policy")
"""Headers beside ``X-Robots-Tag`` that reserve rights (W3C, TDM Reservation Protocol, §4)."""
_FREE: Final = {"true": True, "free": True, "false": False, "locked": False, "metered": False, "paid": False}
_TIER_METAS: Final = ("article:content_tier", "isaccessibleforfree", "og:article:content_tier")
_LICENSE_METAS: Final = ("dcterms.license", "dc.rights.license", "license", "dcterms.rights", "dc.rights")
_HOLDER_METAS: Final = (
    "dcterms.rightsholder", "dc.rightsholder", "copyrightholder", "copyright-holder", "article:copyright", "copyright",
)  # fmt: skip
_HOLDER_SIGN: Final = re.compile(r"^(?:copyright|\(c\)|©|[\s\d,–-])+", re.IGNORECASE)
_AI_WORD: Final = re.compile(r"(?<![\w-])(?:noai|noimageai|noml)(?![\w-])", re.IGNORECASE)
_DEED: Final = re.compile(r"(?<=/)(?:deed|legalcode)(?:\.\w{2,8})?/?$")
"""What an address of Creative Commons has behind that of the licence: its text, or a summary, in a language."""
_RSL: Final = "application/rsl+xml"


def choose_access(evidence: Evidence) -> tuple[bool, str] | None:
    """Return whether all of the article can be read without paying; None where nothing says so."""
    for node in evidence.articles:
        free = _as_bool(node.get("isAccessibleForFree"))
        if free is not None:
            return free, "json-ld"
    stated = evidence.meta(*_TIER_METAS)
    free = _as_bool(stated[0]) if stated else None
    return (free, "meta") if free is not None else None


def _as_bool(value: Any) -> bool | None:
    return value if isinstance(value, bool) else _FREE.get(str(value).rpartition("/")[2].strip().lower())


def choose_license(evidence: Evidence) -> tuple[str, str] | None:
    """Return the address of the licence, else its name: of JSON-LD, a link, Dublin Core, or Creative Commons."""
    found = _license(evidence)
    return (_DEED.sub("", found[0]), found[1]) if found and "//creativecommons.org/" in found[0] else found


def _license(evidence: Evidence) -> tuple[str, str] | None:
    for node in evidence.articles:
        value = node.get("license")
        text = _addressed(value) or text_of(value)
        if text:
            return text[:MAX_CHARS], "json-ld"
    named = evidence.document.by_tag["link"] if "license" in evidence.links else []
    named = [
        link for link in named if "license" in (link.get("rel") or "").lower().split() and link.get("type") != _RSL
    ]
    for link in (*named, *(link for link, rel in evidence.related if "license" in rel.lower().split())):
        address = absolute(link.get("href") or "about:blank", evidence.base)
        if address:
            return address, "link"
    stated = evidence.meta(*_LICENSE_METAS)
    return (stated[0][:MAX_CHARS], "meta") if stated and not _HOLDER_SIGN.match(stated[0]) else None


def _addressed(value: Any) -> str | None:
    found = value.get("url") or value.get("@id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and "://" in found else None


def choose_holder(evidence: Evidence) -> tuple[str, str] | None:
    """Return the name of the copyright's holder."""
    stated = [(text_of(node.get("copyrightHolder")), "json-ld") for node in evidence.articles]
    meta = evidence.meta(*_HOLDER_METAS)
    stated += [(_HOLDER_SIGN.sub("", meta[0]).strip(), "meta")] if meta else []
    return next(((text[:MAX_CHARS], origin) for text, origin in stated if text and "://" not in text), None)


def page_reservations(
    evidence: Evidence, robots_headers: Iterable[str] = (), headers: Iterable[tuple[str, str]] = ()
) -> tuple[Reservation, ...]:
    """Return what a page and the headers of its answer reserve, each source once.

    :param robots_headers: values of ``X-Robots-Tag``.
    :param headers: those of :data:`RIGHTS_HEADERS`, in lower case, with their values.
    """
    found: dict[str, dict[str, None]] = {}
    for source, value in _stated(evidence, robots_headers, dict(headers)):
        found.setdefault(source, {})[value[:MAX_CHARS]] = None
    return tuple(Reservation(source=source, value=", ".join(values)) for source, values in found.items())


def _stated(evidence: Evidence, robots_headers: Iterable[str], headers: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, contents in evidence.metas.items():
        if "robot" in name or "bot" in name or name in {"ai", "googlebot", "robots"}:
            for content in contents:
                yield from (("meta", word[0].lower()) for word in _AI_WORD.finditer(content))
    for header in robots_headers:
        yield from (("x-robots-tag", word[0].lower()) for word in _AI_WORD.finditer(header))
    if headers.get("tdm-reservation", "").strip() == "1":
        yield "tdmrep", headers.get("tdm-policy", "").strip() or "header"
    if "1" in (value.strip() for value in evidence.metas.get("tdm-reservation", ())):
        policy = evidence.meta("tdm-policy")
        yield "tdmrep", policy[0] if policy else "meta"
    for link in evidence.document.by_tag["link"]:
        if (link.get("type") or "").strip().lower() == _RSL:
            yield "rsl", absolute(link.get("href") or "about:blank", evidence.base) or "link"
