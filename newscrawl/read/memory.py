"""Site memory applied to an article: the same knowledge of a host gives the same text.

A line stands at a place: the chain of tags, classes and ids from its block outwards, with digits masked. It ends at the
third element with a class or id, or at the root: elements further out often change from page to page.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from newscrawl.extract.simhash import with_text
from newscrawl.items import Article, BodyImage
from newscrawl.languages.text import fold
from newscrawl.page.charset import EncodingDecision
from newscrawl.page.lines import line_features
from newscrawl.page.tags import HEADINGS
from newscrawl.read.model import ArticleLines, RawPage, SiteFacts
from newscrawl.read.parts import join_bodies, joined_fields
from newscrawl.sites.memory import MEMORY_EVIDENCE, in_question, known_odds
from newscrawl.sites.sightings import PageKeys, Sighting, sighting, text_keys
from newscrawl.urls.series import series_key
from newscrawl.urls.shape import UrlKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from newscrawl.methods.base import Extraction
    from newscrawl.page.document import Document
    from newscrawl.page.measures import Bools
    from newscrawl.read.model import Reading
    from newscrawl.sites.memory import Refined

    Refine = Callable[[PageKeys, Bools, Any], Refined]


MAX_LONGER: Final = 2
MAX_MARKS: Final = 10
"""Most characters other than letters and digits in a line that is compared."""


MAX_NAMES: Final = 3
"""Elements with class or id that a place names."""
MAX_CLASSES: Final = 3
"""Classes of an element that count: some sites append the topics of each article."""
MAX_CHAIN: Final = 200
"""Characters of a place's chain as people read it."""
_DIGITS: Final = re.compile(r"\d+")


def page_keys(document: Document) -> PageKeys:
    features = document.once(line_features)
    lines = features.lines
    chains = document.once(_Chains)
    numbers: dict[int, int] = {}
    first: list[int] = []
    place = []
    for row in lines.block.tolist():
        key = chains.key(row)
        if key not in numbers:
            numbers[key] = len(first)
            first.append(row)
        place.append(numbers[key])
    texts = lines.shown
    return PageKeys(
        address=zlib.crc32(series_key(document.url)[0].encode("utf-8", "replace")) if document.url else None,
        lines=tuple(texts),
        keys=text_keys(texts),
        weight=features.weight,
        is_links=features.is_links,
        is_heading=features.is_heading,
        places=tuple(numbers),
        chains=tuple(map(chains.shown, first)),
        place=np.array(place, dtype=np.intp),
    )


def place_keys(document: Document, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the keys of the places where some of a page's lines stand, each once, in their order."""
    lines = document.once(line_features).lines
    chains = document.once(_Chains)
    return tuple(dict.fromkeys(chains.key(int(lines.block[number])) for number in numbers))


class _Chains:
    """The chains that end at the elements of a page, and their hashes."""

    def __init__(self, document: Document) -> None:
        measures = document.measures
        self.nodes, self.tags, self.parents = measures.nodes, measures.tags, measures.parent.tolist()
        self.known: tuple[dict[int, int], ...] = tuple({} for _ in range(MAX_NAMES + 1))
        """By names left to take: row → hash."""

    def key(self, row: int) -> int:
        known, left = self.known, MAX_NAMES
        climbed = []
        while row >= 0 and left and row not in known[left]:
            node = self.nodes[row]
            _, label, is_named = _label(self.tags[row], node.get("class"), node.get("id"))
            climbed.append((known[left], row, label))
            left -= is_named
            row = self.parents[row]
        key = known[left].get(row, 0)
        for hashes, row, label in reversed(climbed):
            key = hashes[row] = zlib.crc32(label, key)
        return key

    def shown(self, row: int) -> str:
        """Return the chain that ends at an element as people read it."""
        left, length, labels = MAX_NAMES, 0, []
        while row >= 0 and left and length < MAX_CHAIN:  # no more is kept
            node = self.nodes[row]
            label, _, is_named = _label(self.tags[row], node.get("class"), node.get("id"))
            labels.append(label)
            length += len(label) + (3 if length else 0)
            left -= is_named
            row = self.parents[row]
        return " > ".join(reversed(labels))[-MAX_CHAIN:]


@lru_cache(maxsize=16384)
def _label(tag: str, css: str | None, identity: str | None) -> tuple[str, bytes, bool]:
    """Return an element's part of a chain, as people read it and as it is hashed, and whether it has a name."""
    names = css.split(None, MAX_CLASSES)[:MAX_CLASSES] if css else []
    own = "#" + identity if identity and tag not in HEADINGS else ""  # theirs are for links to parts of one article
    label = ".".join([tag, *names]) + own
    hashed = _DIGITS.sub("0", label).encode("utf-8", "replace")
    return hashed.decode(), hashed, bool(names or own)


class Remembered(NamedTuple):
    """The text of an article after the host's memory was asked."""

    text: str
    positions: tuple[int, ...]
    """Where the article's pictures stand."""
    evidence: tuple[str, ...]
    chosen: tuple[tuple[int, ...], ...]
    """Which lines of each page were taken."""

    def source(self, before: str | None) -> str:
        """Return the origin of the text. Notes of earlier memory are replaced."""
        said = [part for part in (before or "").split("; ") if part and not part.startswith(MEMORY_EVIDENCE)]
        return "; ".join([*said, *self.evidence])


def article_lines(document: Document, extraction: Extraction, article: Article) -> tuple[ArticleLines, ...]:
    """Return the lines of a page that site memory needs; none if the text is not made of lines."""
    chosen = extraction.chosen
    if chosen is None or not chosen.any():
        return ()
    keys = document.once(page_keys)
    if keys.joined(chosen) != article.articleBody:
        return ()
    odds = known_odds(chosen, extraction.odds)
    numbers = np.flatnonzero(in_question(keys, chosen, odds))
    lines = ArticleLines(
        keys=keys.only(numbers),
        chosen=chosen[numbers],
        odds=odds[numbers].round(3),
        seen=sighting(keys, chosen, odds),
        images=tuple((image.url, image.position) for image in article.images),
        numbers=tuple(numbers.tolist()),
    )
    return (lines,)


def remember_text(pages: Sequence[ArticleLines], headline: str | None, refine: Refine) -> Remembered:
    """Leave out lines that recur on the host or stand in odd places; add lines from its usual places of text.

    :param pages: lines of each page of the article, in reading order.
    """
    refined = [refine(page.keys, page.chosen, page.odds) for page in pages]
    texts = [page.keys.joined(now.chosen) for page, now in zip(pages, refined, strict=True)]
    pictures = [
        [(url, _moved(at, page.chosen, now.chosen) if now.evidence else at) for url, at in page.images]
        for page, now in zip(pages, refined, strict=True)
    ]
    body, positions = texts[0], tuple(at for _, at in pictures[0])
    if len(pages) > 1:
        images = [tuple(BodyImage(url=url, position=at) for url, at in of) for of in pictures]
        parts = [Article(url="", articleBody=text, images=of) for text, of in zip(texts, images, strict=True)]
        body = join_bodies(texts, headline=headline)
        positions = tuple(image.position for image in joined_fields(parts, body)["images"])
    return Remembered(
        text=body,
        positions=positions,
        evidence=tuple(dict.fromkeys(said for now in refined for said in now.evidence)),
        chosen=tuple(
            tuple(np.asarray(page.numbers)[now.chosen].tolist()) for page, now in zip(pages, refined, strict=True)
        ),
    )


def with_remembered(reading: Reading, found: Remembered, formats: Mapping[str, Any] = MappingProxyType({})) -> Reading:
    """Return the reading of an article with the text that its host's memory has for it.

    :param formats: fields with the text in other formats.
    """
    article = reading.article
    if article is None or not found.evidence:
        return reading
    sources = article.fieldSources | {"articleBody": found.source(article.fieldSources.get("articleBody"))}
    images = article.images
    if len(images) == len(found.positions):
        images = tuple(replace(image, position=at) for image, at in zip(images, found.positions, strict=True))
    return replace(
        reading,
        text=found.text,
        simhash=None,
        article=with_text(article, found.text, fieldSources=sources, images=images, **formats),
        evidence=(*reading.evidence, *found.evidence),
    )


def _moved(position: int, before: Bools, now: Bools) -> int:
    """Return the new place of something that had ``position`` chosen lines before it."""
    lines = np.flatnonzero(before)
    if not len(lines):
        return position
    end = lines[min(position, len(lines)) - 1] + 1 if position else lines[0]
    return int(now[:end].sum())


def with_lines(extraction: Extraction, document: Document, chosen: Sequence[int]) -> Extraction:
    """Return the extraction with these lines instead of those that the method chose."""
    lines = document.once(line_features).lines
    taken = np.zeros(len(lines), dtype=np.bool_)
    taken[list(chosen)] = True
    return replace(extraction, chosen=taken, text="\n".join(lines.texts(chosen)))


def without_headline(extraction: Extraction, document: Document, article: Article) -> tuple[Extraction, Article]:
    """Return both without lines of the text that repeat the headline, if others remain."""
    told, lines = fold(article.headline or ""), extraction.text.split("\n")
    n_told = sum(_says(line, told) for line in lines) if told and article.articleBody == extraction.text else 0
    if n_told in {0, len(lines)}:
        return extraction, article
    text, chosen = "\n".join(line for line in lines if not _says(line, told)), extraction.chosen
    if chosen is not None:
        numbers = chosen.nonzero()[0].tolist()
        again = [
            number
            for number, line in zip(numbers, document.once(line_features).lines.texts(numbers), strict=True)
            if _says(line, told)
        ]
        chosen = chosen.copy()
        chosen[again] = False
    return replace(extraction, text=text, chosen=chosen), replace(article, articleBody=text)


def _says(line: str, told: str) -> bool:
    return len(told) <= len(line) <= MAX_LONGER * len(told) + MAX_MARKS and fold(line) == told


def pack_lines(pages: Sequence[ArticleLines]) -> bytes:
    """Return lines as bytes, as the database keeps them until the harvest ends.

    The host's sightings come first, because they are read more often than the lines.
    """
    sightings, lines = [], []
    for page in pages:
        keys, seen = page.keys, page.seen
        places = [[key, round(mean, 3), *held] for key, mean, *held in seen.places]
        sightings.append([seen.texts, sorted(seen.body), places, seen.length, seen.key])
        arrays = (keys.is_links, keys.is_heading, keys.place, page.chosen, page.odds)
        plain = [keys.address, keys.lines, keys.places, *(array.tolist() for array in arrays)]
        lines.append([plain, page.images, page.numbers, None if page.raw is None else _plain_page(page.raw)])
    texts = (_encode(values).encode("utf-8", "surrogatepass") for values in (sightings, lines))
    return b"".join(zlib.compress(text, 1) for text in texts)


_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Letters as they are: escapes make Chinese twice as long, and twice as dear to pack."""


def unpack_sightings(octets: bytes) -> list[Sighting]:
    """Return the host's sightings from :func:`pack_lines`."""
    return [_sighting(*values) for values in _parts(octets)[0]]


def unpack_lines(octets: bytes) -> tuple[ArticleLines, ...]:
    """Return the lines from :func:`pack_lines`."""
    sightings, rest = _parts(octets)
    pages = json.loads(zlib.decompress(rest)) if isinstance(rest, bytes) else rest
    return tuple(_lines(page, _sighting(*seen)) for page, seen in zip(pages, sightings, strict=True))


def _parts(octets: bytes) -> tuple[list[Any], bytes | list[Any]]:
    """Return the sightings and the rest: packed, or unpacked where an earlier version packed both at once."""
    head = zlib.decompressobj()
    first = json.loads(head.decompress(octets))
    if head.unused_data:
        return first, head.unused_data
    return [[*page[1], page[0][0]] for page in first], [[page[0], *page[2:]] for page in first]


def _sighting(texts: Sequence[int], body: Sequence[int], places: Sequence[Any], length: Any, key: Any) -> Sighting:
    held = tuple(map(tuple, places))
    return Sighting(texts=tuple(texts), body=frozenset(body), places=held, length=length, key=key)


def _lines(values: Sequence[Any], seen: Sighting) -> ArticleLines:
    (address, lines, places, is_links, is_heading, place, chosen, odds), images, numbers, raw = values
    keys = PageKeys(
        address=address,
        lines=tuple(lines),
        keys=text_keys(lines),
        weight=np.zeros(len(lines)),
        is_links=np.array(is_links, dtype=np.bool_),
        is_heading=np.array(is_heading, dtype=np.bool_),
        places=tuple(places),
        chains=(),
        place=np.array(place, dtype=np.intp),
    )
    return ArticleLines(
        keys=keys,
        chosen=np.array(chosen, dtype=np.bool_),
        odds=np.array(odds),
        seen=seen,
        images=tuple((url, at) for url, at in images),
        numbers=tuple(numbers),
        raw=None if raw is None else _page(raw),
    )


def _plain_page(raw: RawPage) -> list[Any]:
    body = raw.body if isinstance(raw.body, bytes) else raw.body.encode("utf-8", "surrogatepass")
    charset = None if raw.charset is None else [raw.charset.encoding, raw.charset.source, raw.charset.is_exact]
    told = [base64.b64encode(body).decode(), isinstance(raw.body, str), raw.url, raw.fetched_at.isoformat()]
    return [*told, raw.content_type, charset]


def _page(values: Sequence[Any]) -> RawPage:
    """Return a page whose text is an article's, whatever its site says now: the site decided when it came."""
    body, is_text, url, fetched_at, content_type, charset = values
    octets = base64.b64decode(body)
    return RawPage(
        octets.decode("utf-8", "surrogatepass") if is_text else octets,
        url=url,
        fetched_at=datetime.fromisoformat(fetched_at),
        content_type=content_type,
        charset=charset and EncodingDecision(encoding=charset[0], source=charset[1], is_exact=charset[2]),
        site=SiteFacts(url_kind=UrlKind.ARTICLE, told=UrlKind.ARTICLE),
    )
