"""The pictures of a text: what stands between its lines, and is no icon, counter or part of the page's frame."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from lxml import etree

from newscrawl.extract.formats.pictures import address, holds_picture, image_source
from newscrawl.items import BodyImage
from newscrawl.languages.characters import plain
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.text import fold_space
from newscrawl.page.hints import BOILERPLATE_TAGS, is_named, speaks_for_boilerplate
from newscrawl.page.lines import find_headline, line_features
from newscrawl.page.places import PageLines
from newscrawl.page.tags import FORMATTING, kinds_among
from newscrawl.urls.canonical import base_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.page.document import Document
    from newscrawl.page.lines import Lines
    from newscrawl.page.measures import Bools, Ints, Measures

MIN_MATCHED: Final = 0.5
"""Least share of a text's lines that the page shows if the text stands on it."""
MIN_IMAGE_PIXELS: Final = 60
"""Smaller pictures are icons and counters."""
MIN_LEAD_PIXELS: Final = 160
"""Smaller ones between headline and text are faces and badges."""
_NO_PICTURE: Final = re.compile(r"avatar|author|byline|logo|icon|smiley|emoji", re.IGNORECASE)
"""Classes and ids of faces and buttons; of a picture itself, and below the headline of what is around it, too."""
_SIGN_FOLDER: Final = re.compile(
    r"/(?:smil(?:ies|eys?)|emojis?|emoticons?|icons?|file-?types?(?:images)?)/", re.IGNORECASE
)
"""Where systems keep faces among words, and signs beside files to be loaded."""
_FILE_NAME: Final = re.compile(
    r"\S+\.(?:jpe?g|png|webp|avif|gif|bmp|heic)(?:\?\S*)?|(?:IMG|DSC[NF]?|PXL|P|I)[-_]?\d{5,}", re.IGNORECASE
)
"""What stands for no picture: the name of its file, the camera's or its address."""
_PICTURE_FILE: Final = re.compile(r"\.(?:jpe?g|png|webp|avif|gif)(?:$|\?)", re.IGNORECASE)
_IMAGES: Final = frozenset(("img", "picture", "amp-img"))
"""An image after ``<source>``, which libxml2 closes too late, has no row; its ``picture`` stands for it."""
_STYLED: Final = etree.XPath("descendant::*[contains(@style, 'url(') or @data-bg or @data-background-image]")
_HOLDERS: Final = frozenset(("div", "span", "figure"))
_FIGURE: Final = frozenset(("figure",))
_CAPTION: Final = frozenset(("figcaption",))
_IS_CAPTION: Final = kinds_among(_CAPTION)
MAX_ALT_CHARS: Final = 2_000
"""Characters kept of a text that stands for a picture, which no reader sees."""
_CREDIT_NAME: Final = re.compile(r"credit|copyright|photographer|image-?source|rights|quelle", re.IGNORECASE)
_PICTURED: Final = (
    r"(?:{people.photographer,people.photographer_slash}"
    r"(?:\s?[:：/／|・＝]|(?<=\.)\s|\s(?:{people.by,people.by_inside})\s)|©|\([cC]\)\s)"
)
_BARE_CREDIT: Final = WordPattern(rf"^[(（\[\s]*{_PICTURED}\s*", re.IGNORECASE)
_CREDIT: Final = WordPattern(
    rf"(?:^|\s|(?<=[。．)）＝=]))[(（\[]?{_PICTURED}[^()（）\[\]。]{{2,80}}[)）\]]?\.?$"
    r"|[(（\[]\s?{people.agencies}[^()（）\[\]]{0,60}[)）\]]\.?$",
    re.IGNORECASE,
)
"""Who took a picture, at the end of its caption: ``Foto: dpa``, ``© Ann Lee``, ``(AP Photo/Ann Lee)``."""
_NO_PARTS: Final = FORMATTING | _FIGURE | _CAPTION
MAX_REPEATED: Final = 2
"""Places of a page that show a picture; what more show stands for pictures that are loaded late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    src: str
    alt: str
    caption: str
    """All that the page shows with it."""
    credit: str = ""
    """The part of it that says whose the picture is."""


def figures(document: Document, numbers: Sequence[int]) -> Iterator[tuple[int, Figure]]:
    """Yield the rows of the pictures between some lines, with each picture; each address once.

    They stand in the innermost element around all lines, outside parts named as boilerplate, before the last line; or,
    large and no link to somewhere else, in a figure right behind it, or between the page's headline and the first line.

    :param numbers: of lines, ascending, at least one.
    """
    lines: Lines = document.once(line_features).lines
    measures, base = lines.measures, document.once(base_address)
    frames = measures.rows_of(_FIGURE)
    bounds = _bounds(lines, numbers, document.once(find_headline), frames)
    has_styled = document.may_hold(b"url(", b"url&", b"data-b")
    images = _pictured(measures, frames, bounds.whole, has_styled=has_styled)
    seen: set[str] = set()
    below = {bounds.around: False, -1: False}
    beside = {bounds.whole: False, -1: False}
    counts = Counter(measures.nodes[row].get("src") for row in images.tolist())
    often = frozenset(address(src, base) for src, n in counts.items() if src and n > MAX_REPEATED)
    covered = 0
    for row in images[(images > bounds.first) & (images < bounds.end)].tolist():
        node = next(measures.nodes[row].iter("img", "amp-img"), measures.nodes[row])
        if row < covered or is_named(node, _NO_PICTURE):
            continue
        covered = int(measures.end[row])
        is_lead = not bounds.around < row < bounds.last
        least, known = (MIN_LEAD_PIXELS, beside) if is_lead else (MIN_IMAGE_PIXELS, below)
        sizes = (node.get("width"), node.get("height"))
        if any(int(size) < least for size in sizes if size and size.isdecimal() and len(size) < 6):
            continue
        if _stands_apart(measures, row, known, is_lead=is_lead):
            continue
        src = image_source(measures.nodes[row], base)
        if src and src not in seen and src not in often and not _SIGN_FOLDER.search(src):
            seen.add(src)
            alt = fold_space(plain((node.get("alt") or "")[:MAX_ALT_CHARS]))
            caption, credit = _caption(lines, row, frames)
            alt = "" if _FILE_NAME.fullmatch(alt) else alt
            yield row, Figure(src=src, alt=alt, caption=caption, credit=credit)


class _Bounds(NamedTuple):
    """Rows between which the pictures of some lines stand."""

    around: int
    """The innermost element around all lines."""
    whole: int
    """The one around the headline, too."""
    first: int
    """Behind it pictures begin: the headline, or ``around``."""
    last: int
    """The last text of the lines."""
    end: int
    """Pictures end before it: behind the last line, or the figures right below it."""


def _bounds(lines: Lines, numbers: Sequence[int], headline: int, frames: Ints) -> _Bounds:
    measures = lines.measures
    last = int(lines.rows[lines.first[numbers[-1] + 1] - 1])
    around = int(measures.parent[lines.start[numbers[0]]])
    while around > 0 and measures.end[around] <= last:
        around = int(measures.parent[around])
    above = int(lines.start[headline]) if 0 <= headline < numbers[0] else last
    whole = around
    while whole > above:
        whole = int(measures.parent[whole])
    following = int(lines.start[numbers[-1] + 1]) if numbers[-1] + 1 < len(lines.start) else len(measures)
    below = frames[(frames > last) & (frames < min(int(measures.end[around]), following))]
    return _Bounds(around, whole, min(around, above), last, int(measures.end[below].max(initial=last)))


def _pictured(measures: Measures, frames: Ints, whole: int, *, has_styled: bool) -> Ints:
    """Return the rows of pictures: their elements, what holds no text but one in its style or ``noscript``, and what
    holds nothing, and states a picture for scripts to show there.

    :param whole: the row in which pictures by style, and for scripts, are looked for.
    """
    images = measures.rows_of(_IMAGES)
    ends = measures.end[frames]
    bare = frames[images.searchsorted(frames) == images.searchsorted(ends)]
    styled = measures.rows_among(_STYLED(measures.nodes[whole])) if has_styled else bare[:0]
    empty = measures.rows_of(_HOLDERS)
    empty = empty[(empty > whole) & (empty < measures.end[whole]) & (measures.end[empty] == empty + 1)]
    late = []
    for row in empty.tolist():
        stated = (value for name, value in measures.nodes[row].items() if name.startswith("data-"))
        if any(map(holds_picture, stated)):
            late.append(row)
    shown = {*images.tolist(), *bare.tolist(), *styled[measures.chars[styled] == 0].tolist(), *late}
    return np.array(sorted(shown), dtype=np.int32)  # not by np.unique, which loads numpy.ma


def _stands_apart(measures: Measures, row: int, known: dict[int, bool], *, is_lead: bool) -> bool:
    """Tell whether an element around a picture, up to one that is known, is boilerplate.

    :param known: what is known of elements, the one around all to begin with; it learns those on the way.
    :param is_lead: the picture stands below the headline, where faces, buttons and links elsewhere stand as well.
    """
    passed = []
    row = int(measures.parent[row])
    while row not in known:
        passed.append(row)
        node = measures.nodes[row]
        is_link = node.tag == "a" and not _PICTURE_FILE.search(node.get("href") or "")
        names = f"{node.get('class', '')} {node.get('id', '')}"
        is_part = node.tag not in _NO_PARTS and measures.chars[row] > 0
        if (is_lead and (is_link or is_named(node, _NO_PICTURE))) or (
            is_part and (node.tag in BOILERPLATE_TAGS or speaks_for_boilerplate(names))
        ):
            known[row] = True
            break
        row = int(measures.parent[row])
    known |= dict.fromkeys(passed, known[row])
    return known[row]


def body_images(text: str, document: Document, chosen: Bools | None) -> tuple[BodyImage, ...]:
    """Return the pictures of a text; none where a method gives a text that is not the page's lines.

    :param chosen: which of the page's lines make the text; None where the method does not say.
    """
    places = body_lines(text, document, chosen)
    if not places:
        return ()
    numbers = list(places)
    starts = document.once(line_features).lines.start[numbers]
    before = [0, *(place + 1 for place in places.values())]
    found = []
    for row, figure in figures(document, numbers):
        caption, credit = figure.caption, figure.credit
        if credit:  # without it, and without what stood between them
            caption = caption.replace(credit, " ", 1).strip(" |–—-/·•＝=")
            credit = _BARE_CREDIT.sub("", credit).strip(" ()（）[]")
        place = before[int(starts.searchsorted(row))]
        image = BodyImage(
            url=figure.src, caption=caption or None, credit=credit or None, alt=figure.alt or None, position=place
        )
        found.append(image)
    return tuple(found)


def lines_of(text: str, document: Document) -> dict[int, int]:
    """Return the numbers of the page's lines that are equal to those of the text, in their order, with their places.

    A place is the number of the text's paragraphs before.
    """
    page = document.once(PageLines)
    at: dict[str, list[int]] = {}
    for number, shown in enumerate(page.texts):
        at.setdefault(shown, []).append(number)
    found: dict[int, int] = {}
    last = -1
    for place, line in enumerate(filter(str.strip, text.splitlines())):
        first = next((number for number in at.get(fold_space(line), ()) if number > last), None)
        if first is not None:
            found[first] = place
            last = first
    return found


def body_lines(text: str, document: Document | None, chosen: Bools | None) -> dict[int, int]:
    """Return the numbers of the page's lines that make the text, ascending, with their places in it.

    Empty where a method gives a text that is not the page's lines.

    :param chosen: which of the page's lines make the text; None where the method does not say, and they are looked for.
    """
    if document is None:
        return {}
    if chosen is None:
        found = lines_of(text, document)
    else:
        found = {number: place for place, number in enumerate(chosen.nonzero()[0].tolist())}
    n_lines = sum(1 for line in text.splitlines() if line.strip())
    return found if len(found) >= MIN_MATCHED * n_lines else {}


def _caption(lines: Lines, image: int, frames: Ints) -> tuple[str, str]:
    """Return the visible text of the first caption of the figure, one of ``frames``, around a picture, and its credit.

    The credit is the part of it that an element named for credits holds, else that its words tell apart.
    """
    measures = lines.measures
    around = frames[(frames < image) & (measures.end[frames] > image)]
    if not len(around):
        return "", ""
    below = int(around[-1]) + 1
    captions = _IS_CAPTION.take(measures.kinds[below : measures.end[around[-1]]]).nonzero()[0]
    if not len(captions):
        return "", ""
    row = below + int(captions[0])
    caption = _text_of(lines, row)
    inner = range(row + 1, int(measures.end[row]))
    named = (_text_of(lines, at) for at in inner if is_named(measures.nodes[at], _CREDIT_NAME))
    told = next(filter(None, named), "")
    words = _CREDIT.search(caption)
    return caption, told if told and told in caption else (words[0].strip() if words else "")


def _text_of(lines: Lines, row: int) -> str:
    first, end = lines.rows.searchsorted((row, lines.measures.end[row])).tolist()
    return fold_space(" ".join(lines.pieces[first:end]))
