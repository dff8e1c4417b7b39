"""What a page tells of its kind, as a value that goes to other processes and to the database."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from newscrawl.extract.simhash import url_key
from newscrawl.languages.text import fold

if TYPE_CHECKING:
    from newscrawl.items import PageType
    from newscrawl.outcomes import Rejection

MIN_TITLE: Final = 2
"""Letters of a title that can be compared."""
TITLE_PREFIX: Final = 12
"""Letters by which titles are compared: lists cut them."""


class Said(StrEnum):
    """What a page calls itself, in so many words of its markup."""

    ARTICLE = "article"
    LIST = "list"
    PAGE = "page"  # about the site, goods, a form: neither of the others


class Asks(StrEnum):
    """What the forms of a page ask for, before it shows anything."""

    LOGIN = "login"
    CONSENT = "consent"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindEvidence:
    """What reading tells of a page, for its site to judge by."""

    page_type: PageType
    """By the page alone, as ``confidence`` and ``odds``."""
    confidence: float
    odds: float
    """Log odds of an article against the likeliest other type."""
    said: Said | None = None
    is_told: bool = False
    """``said`` comes from the user or the site's description, and is final."""
    titles: tuple[int, ...] = ()
    """Keys of the titles that the page shows: its ``title``, headings, first lines of the body."""
    places: tuple[int, ...] = ()
    """Keys of the places of headline and first lines of the body: a sketch of its template."""
    announced: tuple[tuple[int, int], ...] = ()
    """Keys of addresses that a list announces as stories, and of their titles."""
    letters: float = 0.0
    """Letters of its body."""
    is_called: bool | None = None
    """Whether it has the title of the link that led to it; None where that has none, or the text is long."""
    is_titled: bool = True
    """Whether a line of the page is what its ``title`` says, or no heading says anything else."""
    asks: Asks | None = None
    is_signed: bool = False
    """The page shows a date or an author of its article."""
    says_missing: bool = False
    """A heading is what pages are called that are not there."""
    text: int = 0
    """Key of what it shows first, without numbers and its own address; 0 for a long text."""
    absence: Rejection | None = None
    """Why it has no story, by the page alone."""
    is_foreign: bool = False
    """It shows no word of the link that led to it, and its text is short."""
    instead: PageType | None = None
    """Type of what it shows below its heading in place of a text; ``is_signed`` leaves that out."""

    def told(self, *, is_article: bool) -> KindEvidence:
        """Return the evidence of a page whose kind its user or the site's description tells."""
        return replace(self, said=Said.ARTICLE if is_article else Said.LIST, is_told=True)


def text_key(text: str) -> int:
    """Return 40 bits that stand for a text, the same in every process: a site has few enough for them."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=5).digest(), "big")


def address_key(url: str) -> int:
    """Return what an address is known by, however its scheme, ``www.`` and final slash are written."""
    return text_key(url_key(url))


def title_key(title: str | None) -> int:
    """Return what a title is compared by: a key of its first letters; 0 for a title too short to be compared.

    >>> title_key("Night ferry returns to Lowmere") == title_key("NIGHT FERRY, returns …"), title_key("§")
    (True, 0)
    """
    folded = fold(title) if title else ""
    return text_key(folded[:TITLE_PREFIX]) if len(folded) >= MIN_TITLE else 0
