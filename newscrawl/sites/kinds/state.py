"""What the pages of a site have shown, as bytes: small, as a database keeps it of each site for its next harvest."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from newscrawl.sites.kinds.evidence import Said
from newscrawl.sites.kinds.site import SeenPage, SiteEvidence

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION: Final = 1
MIN_LINKED: Final = 0.1
"""Share of the sampled pages that must link to an address for its links to be kept."""


def pack_site(site: SiteEvidence) -> bytes:
    """Return what the site has shown. Titles that no list announces are left out but for a page's first."""
    forms = _numbered(name for page in site.pages.values() for name in (page.form, page.folder))
    addresses = _numbered(site.announced)
    state = {
        "version": VERSION,
        "forms": list(forms),
        "pages": [_plain(site, key, page, forms) for key, page in sorted(site.pages.items())],
        "announced": [[key, *titles] for key, titles in site.announced.items()],
        "lists": [[key, *(addresses[address] for address in of if address in addresses)] for key, of in _some(site)],
        "links": _links(site),
        "missing": sorted(site.missing),
    }
    return lzma.compress(json.dumps(state, separators=(",", ":")).encode())


def unpack_site(octets: bytes) -> SiteEvidence:
    """Return what :func:`pack_site` wrote; nothing of another version."""
    site = SiteEvidence()
    state: dict[str, Any] = json.loads(lzma.decompress(octets))
    if state["version"] != VERSION:
        return site
    forms, announced = state["forms"], state["announced"]
    for key, odds, said, is_goods, form, folder, titles, places, asked, text in state["pages"]:
        site.pages[key] = SeenPage(
            odds=odds,
            said=Said(said) if said else None,
            is_goods=bool(is_goods),
            form=forms[form],
            folder=forms[folder],
            titles=tuple(titles),
            places=tuple(places),
            asked=asked,
            text=text,
        )
    site.announced = {key: tuple(titles) for key, *titles in announced}
    site.lists = {key: tuple(announced[number][0] for number in numbers) for key, *numbers in state["lists"]}
    site.links = {key: frozenset(of) for key, *of in state["links"]}
    site.missing = set(state["missing"])
    site.n_changes = len(site.pages)
    return site


def _plain(site: SiteEvidence, key: int, page: SeenPage, forms: dict[str, int]) -> list[Any]:
    announced = site.titles_of(key, page) or ()
    titles = [title for title in page.titles if title in announced] or page.titles[:1]
    return [
        key,
        round(page.odds, 2),
        page.said and page.said.value,
        int(page.is_goods),
        forms[page.form],
        forms[page.folder],
        list(titles),
        list(page.places),
        page.asked,
        page.text,
    ]


def _some(site: SiteEvidence) -> list[tuple[int, tuple[int, ...]]]:
    return sorted(site.lists.items())


def _links(site: SiteEvidence) -> list[list[int]]:
    n_linking = Counter(address for of in site.links.values() for address in of)
    least = max(2.0, MIN_LINKED * len(site.links))
    return [[key, *sorted(one for one in of if n_linking[one] >= least)] for key, of in sorted(site.links.items())]


def _numbered(values: Iterable[Any]) -> dict[Any, int]:
    return {value: number for number, value in enumerate(dict.fromkeys(values))}
