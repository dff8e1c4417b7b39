"""Who wrote the article: people first, in the roles the page states; organisations where no person is named."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urljoin

from lxml import etree

from newscrawl.extract.facts.chinese_authors import (
    authors_by_label,
    own_line,
    reporters_by_label,
    signature,
    staff_by_label,
    stated,
    texts_with_names,
)
from newscrawl.extract.facts.facts import is_source_mark
from newscrawl.extract.facts.names import (
    ORGANISATION,
    REPORTER,
    chinese_names,
    is_chinese_name,
    is_label,
    is_organisation,
    split_names,
)
from newscrawl.items import Author
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold
from newscrawl.page.jsonld import text_of, types_of
from newscrawl.page.statements import in_other_part, is_named
from newscrawl.urls.domains import same_site
from newscrawl.urls.series import same_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement

    from newscrawl.page.places import Line, PageLines
    from newscrawl.page.statements import Evidence

AUTHOR_METAS: Final = (
    "author article:author og:article:author byl byline dc.creator dcterms.creator dc.creator.author sailthru.author "
    "parsely-author cxenseparse:author article.author article:author_name authors creator citation_author "
    "rnews:creator bt:author mediaid:author og:author"
).split()

_BYLINE: Final = WordPattern(
    r"^[^\w©]{0,3}(?:{people.written_by,people.by_line,people.by,people.label,people.label_word})\b(?:\s*+:)?\s++(?=\w)",
    re.IGNORECASE,
)
_PART_BYLINE: Final = WordPattern(rf"{_BYLINE.template}(?-i:(?![a-zß-ÿ]))", re.IGNORECASE)
"""In a part of a line: *Text* may begin the name of a button, too."""
_LABEL_ALONE: Final = WordPattern(
    r"(?:{people.written_by,people.by_inside,people.label,people.label_alone})\s*:?", re.IGNORECASE
)
"""A label whose names stand on the next line."""
_AUTHOR_WORD: Final = re.compile(r"(?<!co-)author", re.IGNORECASE)
_BYLINE_WORD: Final = re.compile(r"byline", re.IGNORECASE)
"""Often the name of what holds date and section, too."""
_USER: Final = re.compile(r"user-?name", re.IGNORECASE)
_NO_NAME_WORD: Final = re.compile(
    r"prep[-_]+author|(?:author|byline)s?[-_]*(?:desc|intro|prep|motto|slogan|sign|avatar|ima?ge?|count|badge"
    r"|rank|level|role)",
    re.IGNORECASE,
)
_AUTHOR_NAME_WORD: Final = re.compile(r"author[-_]*(?:name|link)|byline[-_]*(?:name|author)|authorname", re.IGNORECASE)
_MAX_BYLINE: Final = 160
_ORGANISATION_TYPES: Final = frozenset(("organization", "newsmediaorganization", "corporation"))
_INNER_BYLINE: Final = WordPattern(r"(?:^|\s){people.by_inside}\s+(?=[^\W\d_])", re.IGNORECASE)
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_KOREAN_TITLE: Final = r"\s?(?:{ko:people.rank_before}\s?)?{ko:people.reporter_after}"
_KOREAN_TITLED: Final = WordPattern(rf"([가-힣]{{2,4}}){_KOREAN_TITLE}")
_KOREAN: Final = WordPattern(
    rf"(?<![가-힣])([가-힣]{{2,4}}(?:\s?[·,/ㆍ]\s?[가-힣]{{2,4}}){{0,4}}){_KOREAN_TITLE}"
    r"(?=\s*(?:$|[=\d\[(|·,/]|[\w.+-]+@|{ko:people.after_byline})|\s{2})"
)
"""What follows tells a byline from a sentence."""
_KOREAN_LINE: Final = 80
_KANA: Final = re.compile("[ぁ-ヿ]")
_JAPANESE_NAME: Final = r"[々一-鿿][々ヶぁ-ヿ一-鿿]{0,4}[ \u3000]?[々ぁ-ヿ一-鿿]{1,5}?"
_JAPANESE: Final = WordPattern(
    rf"(?:^|[\s（(【|｜])(?:{{ja:people.author}}\s?[:：＝=／/]\s?(?P<behind>{_JAPANESE_NAME})"
    rf"|(?P<before>{_JAPANESE_NAME})\s?{{ja:people.reporter_after}})(?=$|[\s）)】|｜／/、,(（])"
)
_JAPANESE_SIGNATURE: Final = re.compile(r"[（(【]([々一-鿿]{3,5}|[々一-鿿]{1,3}[ \u3000][々ぁ-ゖ一-鿿]{1,3})[）)】]")
_NO_SIGNATURE: Final = WordPattern("{ja:people.no_signature}$|{ja:people.no_signature_in}")
"""Words in brackets that close a text as names do: honorifics left out, pictures lent, a desk, the title of a list of
links.
"""
_PARTS: Final = re.compile(r"\s[|•·]\s")
_LABELLED: Final = WordPattern(r"\W{0,3}{people.label_colon}\s*:\s*(?=\w)", re.IGNORECASE)
"""Labels that are common words as well: only with their colon."""
_POSTED_BY: Final = WordPattern(r"{people.posted}.{0,40}?{en:people.by}\s+(?=\w)", re.IGNORECASE)
_PARTICLE: Final = WordPattern("{people.name_particles}")
_PERSON: Final = WordPattern(
    r"(?:[^\W\d_a-zß-ÿ][\w'’.\-]*\s+(?:{people.name_particles}\s+){0,2}){1,3}[^\W\d_a-z][\w'’.\-]+"
)
"""Two to four capitalised words, particles between them."""
_BETWEEN: Final = WordPattern(r"[/,]|\s(?:{people.and}|&)\s")
_SHORT: Final = 60  # characters
_PERSONS_PAGE: Final = re.compile(
    r"author|autor|auteur|people|person|profile?|contribut|columnist|writer|reporter|journalist|redakt|redact|staff|team"
    r"|member|user|expert",
    re.IGNORECASE,
)
_MAX_NAMED: Final = 200  # links, or pictures
_NOT_PEN_NAME: Final = WordPattern(r"[:：\d《》]|{zh:people.no_pen_name}|[。，！？]")
_HAN_LABEL: Final = WordPattern(r"^\s*{zh:people.prefix}\s*[:：/]?\s*")


def choose_authors(evidence: Evidence, language: str | None, sites: frozenset[str]) -> tuple[tuple[Author, ...], str]:
    """Return the authors in the order of the page, and where they came from; ``()`` where it names none.

    The first list that names a person wins; the first of organisations alone, where no list does; a name without any
    label, where there is no list at all.

    :param sites: folded names that the site goes by.
    """
    sites -= _stated_people(evidence)
    texts = texts_with_names(evidence) if language == "zh" else None
    names: list[Author] = []
    origin = ""
    for listed, found_in in _candidates(evidence, texts):
        found = [_with_role(author, sites) for author in listed]
        people = {author.name for author in found if author.role != ORGANISATION}
        if people:
            names = [author for author in found if author.name in people or not _is_site(author.name, sites)]
            origin = found_in
            break
        if texts is not None and found_in == "meta":
            found = [author for author in found if not _is_site(author.name, sites)]
        if not names:
            names, origin = found, found_in if found else ""
    if not names:
        guessed = ([] if texts is not None else _beside(evidence, chinese=False)) or _named_once(evidence)
        names, origin = [_with_role(author, sites) for author in guessed], "visible" if guessed else ""
    staff = staff_by_label(texts or ())
    distinct: dict[str, Author] = {}
    for author in (*names, *staff):
        distinct.setdefault(fold(author.name), author)
    return tuple(distinct.values()), origin or ("visible" if staff else "")


def _with_role(author: Author, sites: frozenset[str]) -> Author:
    """Return the author, told to be an organisation where the name is a press's or the site's."""
    if author.role is None and (is_organisation(author.name) or _is_site(author.name, sites)):
        return replace(author, role=ORGANISATION)
    return author


def _candidates(evidence: Evidence, texts: Sequence[str] | None) -> Iterator[tuple[list[Author], str]]:
    """Yield lists of authors in order of trust, each with its origin.

    On Chinese pages the printed label comes first: the metas hold the site, or who entered the page.

    :param texts: where a Chinese page may name people; None for a page in another language.
    """
    if texts is not None:
        yield authors_by_label(texts), "visible"
        yield reporters_by_label(texts), "visible"
        yield stated(evidence), "visible"
        yield signature(evidence), "visible"
        yield own_line(evidence), "visible"
        yield _beside(evidence, chinese=True), "visible"
    yield _linked_data(evidence), "json-ld"
    yield _bylines(evidence), "visible"
    if _HANGUL.search(evidence.title):  # portals state the press alone
        yield _korean(evidence), "visible"
    if _KANA.search(evidence.title):
        yield _japanese(evidence), "visible"
    yield _metas(evidence), "meta"
    yield _marked(evidence), "visible"


def _is_site(name: str, sites: frozenset[str]) -> bool:
    """Tell whether a name is the site's, or the beginning of a Chinese site's (网易 of 网易新闻)."""
    folded = fold(name)
    return folded in sites or (bool(HAN_LETTER.match(name)) and any(site.startswith(folded) for site in sites))


def _stated_people(evidence: Evidence) -> frozenset[str]:
    """Return the folded full names that JSON-LD gives to persons alone: many a site signs with its own name."""
    people: set[str] = set()
    others: set[str] = set()
    for node in (*evidence.nodes, *evidence.articles):
        for value in (node, *_as_list(node.get("author")), *_as_list(node.get("publisher"))):
            name = text_of(value.get("name")) if isinstance(value, dict) else None
            if name and (" " in name or is_chinese_name(name)):
                (people if "person" in types_of(value) else others).add(fold(name))
    return frozenset(people - others)


def people_in(texts: Iterable[str]) -> tuple[Author, ...]:
    """Return the people that the texts of a byline name, each once."""
    found = {author.name: author for text in texts for author in _people(text)}
    return tuple(found.values())


def _people(text: str) -> list[Author]:
    """Return the authors a byline names."""
    text = " ".join(text.split())
    names = chinese_names(_HAN_LABEL.sub("", text), strict=False) if HAN_LETTER.search(text) else split_names(text)
    return [_author(name, text) for name in names]


def _author(name: str, raw: str) -> Author:
    """Return the author of a name as a byline has it, the reporter's title of Korean names read as a role."""
    titled = _KOREAN_TITLED.fullmatch(name)
    if titled:
        return Author(name=titled[1], nameRaw=raw, role=REPORTER)
    return Author(name=name, nameRaw=raw if raw != name else None)


def _linked_data(evidence: Evidence) -> list[Author]:
    for node in evidence.articles:
        values = _as_list(node.get("author") or node.get("creator"))
        authors = [author for value in values for author in _from_value(value)]
        if authors:
            return authors
    return []


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _from_value(value: Any) -> Iterator[Author]:
    if isinstance(value, dict) and isinstance(value.get("name"), list):
        for name in value["name"]:
            yield from _from_value({**value, "name": name})
        return
    text = text_of(value.get("name") if isinstance(value, dict) else value)
    if not text:
        return
    types = types_of(value) if isinstance(value, dict) else frozenset()
    if types & _ORGANISATION_TYPES and "person" not in types:  # of both types is a person whose own site it is
        yield Author(name=text[:100], role=ORGANISATION)
        return
    yield from _people(text)


def _metas(evidence: Evidence) -> list[Author]:
    for name in AUTHOR_METAS:
        contents = [text for text in evidence.metas.get(name, ()) if "://" not in text and not text.startswith("/")]
        authors = [author for content in contents for author in _people(content)]
        if authors:
            return authors
    return []


def _marked(evidence: Evidence) -> list[Author]:
    """Read elements marked as the author by ``rel``, microdata or class; the innermost ones near the headline win."""
    places = evidence.places
    header, tail = places.header, places.tail
    ranked: list[tuple[float, HtmlElement, int]] = []
    for element in evidence.marked:
        strength = _author_strength(element)
        line = evidence.line_of.get(element)
        if not strength or line is None or line in places.others:
            continue
        if in_other_part(evidence, element, is_above=0 <= places.headline < line < places.body_start):
            continue
        near = 1.0 if line in header else 0.3 if line in tail else -0.5
        if near < 0 and strength < 2.0:
            continue
        ranked.append((strength + near, element, line))
    ranked.sort(key=lambda item: -item[0])
    for _, group in groupby(ranked, key=lambda item: item[0]):
        alike = [item for item in group if item[1].text_content().strip()]
        around = {ancestor for _, element, _ in alike for ancestor in element.iterancestors()}
        alike = [item for item in alike if item[1] not in around]
        # who is named within the text replies to it
        first = [item for item in alike if item[2] <= places.body_start] or alike
        texts = [_inner_text(element) for _, element, _ in first]
        authors = [author for text in texts if 2 <= len(text) <= _MAX_BYLINE for author in _people(text)]
        if authors:
            return authors
    return []


def _author_strength(element: HtmlElement) -> float:
    if element.tag in {"meta", "time", "img", "input", "form", "section", "article", "body", "html", "main"}:
        return 0.0
    if (element.get("itemprop") or "").lower() == "author" or "author" in (element.get("rel") or "").lower().split():
        return 2.0
    if is_named(element, _AUTHOR_NAME_WORD) or any(
        _LABEL_ALONE.fullmatch(element.get(name) or "") for name in ("title", "aria-label")
    ):
        return 1.8
    if is_named(element, _NO_NAME_WORD):
        return 0.0
    strengths = ((_AUTHOR_WORD, 1.5), (_BYLINE_WORD, 1.4), (_USER, 1.2))
    return next((strength for word, strength in strengths if is_named(element, word)), 0.0)


def _inner_text(element: HtmlElement) -> str:
    """Return the element's text, lines kept apart; its microdata ``name`` alone where it has one."""
    names = element.xpath(".//*[@itemprop='name']")
    if names:
        return "; ".join(" ".join(name.text_content().split()) for name in names[:8])
    spaced = "  ".join(" ".join(part.split()) for part in element.itertext() if part and part.strip())
    byline = _INNER_BYLINE.search(spaced)
    if byline:
        return _cut_byline(spaced[byline.end() :]).strip()
    label, _, rest = spaced.partition("  ")
    if rest and label.endswith((":", "：")):
        return _cut_byline(rest).strip()
    badges = {badge.text for badge in element.iterdescendants("*") if is_named(badge, _NO_NAME_WORD)}
    parts = [part.strip() for part in element.itertext(with_tail=False) if part.strip() and part not in badges]
    if len(parts) > 1 and element.xpath("boolean(.//a)"):
        links = [" ".join(link.text_content().split()) for link in element.iter("a")]
        links = [text for text in links if text and len(text.split()) <= 4]
        if links:
            return "; ".join(links[:8])
    return " ".join(parts) or " ".join(spaced.split())  # without links: an icon, then the name


def _bylines(evidence: Evidence) -> list[Author]:
    places = evidence.places
    for index in places.around:
        line = evidence.lines[index]
        if len(line.text) > _MAX_BYLINE or (index == places.headline and line.tag):
            continue
        text = line.spaced
        if _LABEL_ALONE.fullmatch(text) and index + 1 < len(evidence.lines):
            below = evidence.lines[index + 1]
            if " " not in below.text or below.tag or _is_common(evidence.lines, below.text):
                continue
            text = f"{text} {below.spaced}"
        date = next(find_dates(text[:_SHORT]), None) if index in places.header else None
        is_dated = date is not None and date.start == 0
        if date is not None and is_dated:
            text = text[date.end :].lstrip(" ,;|·•–—-")
        labelled = (_PART_BYLINE.match(part) or _LABELLED.match(part) for part in _PARTS.split(text))
        match = _BYLINE.match(text) or _POSTED_BY.match(text) or next(filter(None, labelled), None)
        if match is None or _is_in_menu(evidence.lines, index):
            continue
        authors = [author for author in _people(_cut_byline(match.string[match.end() :])) if author.name]
        first = authors[0].name if authors else ""
        if match[0].split()[-1].lower() in words("people.label_word") and not _PERSON.fullmatch(first):
            continue
        is_name = is_dated or first[:1].isupper() or not match[0].islower()
        if first and is_name and not _is_clause(first):
            return authors
    return []


def _is_in_menu(lines: PageLines, index: int) -> bool:
    """Tell whether a link begins with a label, and the line before or after is another: *By country*, *By rating*."""
    beside = (number for number in (index - 1, index + 1) if 0 <= number < len(lines))
    return lines[index].linked and any(lines[n].linked and _BYLINE.match(lines[n].text) for n in beside)


def _is_clause(name: str) -> bool:
    """Tell whether several words are no name: none has a capital, or the first has none and is no particle or article.

    *Por qué se retrasa*, *By using Example you agree*.
    """
    first, *others = name.split()
    return bool(others) and (name.islower() or (first.islower() and not _PARTICLE.fullmatch(first)))


def _korean(evidence: Evidence) -> list[Author]:
    """Read the names before *reporter*, in short lines around the text or at its start: ``(통신) 김하늘 기자``."""
    lines, places = evidence.lines, evidence.places
    for index in places.around:
        text = lines[index].spaced
        found = _KOREAN.search(text[:_KOREAN_LINE] if places.body_start == index else text)
        if found is None or lines[index].tag or (len(text) > _KOREAN_LINE and places.body_start != index):
            continue
        names = [name for name in re.split(r"\s?[·,/ㆍ]\s?", found[1]) if not is_organisation(name)]
        if names:
            return [Author(name=name, nameRaw=found[0], role=REPORTER) for name in names]
    return []


def _japanese(evidence: Evidence) -> list[Author]:
    """Read the name behind a label or before *reporter* in short lines around the text, or in brackets at its end."""
    lines, places = evidence.lines, evidence.places
    for index in places.around:
        text = lines[index].spaced
        if len(text) > _KOREAN_LINE or lines[index].tag:
            continue
        if found := _JAPANESE.search(text):
            name = " ".join((found["behind"] or found["before"]).split())
            return [Author(name=name, nameRaw=found[0].strip(), role=REPORTER if found["before"] else None)]
        signed = _JAPANESE_SIGNATURE.fullmatch(text) if index >= places.body_start else None
        if signed and not is_organisation(signed[1]) and not _NO_SIGNATURE.search(signed[1]):
            return [Author(name=" ".join(signed[1].split()), nameRaw=text)]
    return []


_BYLINE_END: Final = WordPattern(r"\s(?:{people.name_end}|@)\s|\s[|•·–—-]\s|\b\d", re.IGNORECASE)
_GOES_ON: Final = WordPattern(r"\s*(?:{people.and}|[,&/、])", re.IGNORECASE)
_WILL_GO_ON: Final = WordPattern(r"(?:[,&/]|\s{people.and})$")


def _cut_byline(text: str) -> str:
    """Return the names after ``By``: up to a date, a place sign, or a text node that does not go on with a name."""
    end = _BYLINE_END.search(text)
    text = text[: end.start()] if end else text
    kept = ""
    for part in text.split("  "):
        if kept and not (_GOES_ON.match(part) or _WILL_GO_ON.search(kept.rstrip())):
            break
        kept += f" {part}"
    names, _, place = kept.rpartition(",")
    is_place = " " in names.strip() and place.strip().isalpha() and not place.isupper() and not is_organisation(place)
    return names if is_place else kept  # of "Von Anna Muster, Berlin" the place goes


_COUNT: Final = re.compile(r"\D{0,16}\d{1,6}\D{0,16}")
"""How long a text takes to read, how many words it has, how often it was read."""


def _beside(evidence: Evidence, *, chinese: bool) -> list[Author]:
    """Read a name without label: beside the date under the headline, or alone on the line above the body."""
    lines, places = evidence.lines, evidence.places
    sources = {evidence.line_of.get(element) for element in evidence.marked if is_source_mark(element)}
    for line in evidence.below_headline():
        index = line.number
        if len(line.text) > _MAX_BYLINE or index in sources:
            continue
        spans = [(found.start, found.end) for found in find_dates(line.spaced)]
        rest = line.spaced
        for start, end in reversed(spans):
            rest = f"{rest[:start]}  {rest[end:]}"
        parts = [part.strip(" \t·•|-–—,[]【】") for part in re.split(r"\s{2,}|[|·•]|\s[-–—]\s", rest)]
        parts = [
            part for part in parts if part and part not in words("people.no_author") and not _COUNT.fullmatch(part)
        ]
        if chinese:  # what stands after the date is the source
            is_before = bool(spans and parts) and line.spaced.find(parts[0]) < spans[0][0]
            if is_before and len(parts) == 1 and _is_pen_name(parts[0]):
                return [_author(parts[0], parts[0])]
            continue
        names = [name for part in parts for name in _BETWEEN.split(part)]
        if not names or not all(map(_PERSON.fullmatch, names)) or any(_is_common(lines, name) for name in names):
            continue
        next_to = not line.linked and (index + 1 == places.body_start or index == places.headline + 1)
        is_alone = (next_to or _is_by_a_date(lines, index)) and not _is_section(evidence, line)
        if is_alone or (spans and len(parts) == 1):
            return [author for part in parts for author in _people(part)]
    return []


def _is_by_a_date(lines: PageLines, index: int) -> bool:
    """Tell whether a short line above or below states a date."""
    around = (lines[number] for number in range(max(0, index - 2), min(index + 4, len(lines))))
    return any(len(line.text) <= _SHORT and next(find_dates(line.spaced), None) is not None for line in around)


def _is_section(evidence: Evidence, line: Line) -> bool:
    """Tell whether a line names a section: it stands in the navigation, too, or leads to a page that is nobody's."""
    if line.linked:
        nodes, start = evidence.document.measures.nodes, evidence.lines.starts[line.number]
        link = next((node for node in (nodes[start], *nodes[start].iterancestors()) if node.tag == "a"), None)
        href = (link.get("href") or "") if link is not None else ""
        if not _PERSONS_PAGE.search(href) and same_host(urljoin(evidence.base or "", href), evidence.url or ""):
            return True
    return any(evidence.lines[number].text == line.text for number in range(evidence.places.headline))


def _is_common(lines: PageLines, name: str) -> bool:
    """Tell whether the words of a name are no proper ones: the page has each of them without its capital."""
    return all(lines.has_word(word.lower()) for word in name.split())


_AUTHOR_PICTURES: Final = etree.XPath("/descendant::*/@class[contains(., 'author')]/..//img[@alt]")
_AUTHOR_PAGE: Final = re.compile(r"/authors?/(?:\d+[/-])?([^/?#]+?)(?:\.\w{3,5})?/?(?:[?#].*)?$")


def _named_once(evidence: Evidence) -> list[Author]:
    """Read the one person whose page all links to author pages lead to, or whom all authors' pictures show.

    For pages that name their author in a sidebar. A link counts if its address holds the name, or if it stands between
    headline and text, and is the site's own: other sites' people are those whom the article cites.
    """
    root = evidence.document.root
    if root is None:
        return []
    found: dict[str, str] = {}
    places, lines, measures = evidence.places, evidence.lines, evidence.document.measures
    links = [link for link in evidence.document.by_tag["a"] if "/author" in link.get("href", "")][:_MAX_NAMED]
    above = {
        measures.nodes[row]
        for row in measures.rows_among(links).tolist()
        if 0 <= places.headline < lines.of_row(row) < places.body_start
    }
    for link in links:
        match = _AUTHOR_PAGE.search(link.get("href", ""))
        text = " ".join(link.text_content().split())
        is_spelled = match and text and fold(unquote(match[1])) == fold(text)
        is_signed = link.xpath("boolean(ancestor::footer/ancestor::article)")
        if (is_spelled or (text and (is_signed or link in above))) and _is_own(evidence, link):
            found[fold(text)] = text
    for picture in _AUTHOR_PICTURES(root)[:_MAX_NAMED] if not found else ():
        text = " ".join(picture.get("alt").split())
        found[fold(text)] = text
    names = [name for name in found.values() if _PERSON.fullmatch(name) or is_chinese_name(name) or _is_caseless(name)]
    return [_author(names[0], names[0])] if len(found) == len(names) == 1 else []


def _is_caseless(name: str) -> bool:
    """Tell whether a name is written in a script without capitals."""
    return name.upper() == name.lower() and split_names(name) == [name]


def _is_own(evidence: Evidence, link: HtmlElement) -> bool:
    """Tell whether a link stays on the page's site; without the page's address, whether it names no host."""
    try:
        url = urljoin(evidence.base or "", link.get("href"))
        return same_site(url, evidence.url) if evidence.url else "//" not in url
    except ValueError:
        return False


def _is_pen_name(text: str) -> bool:
    return 2 <= len(text) <= 12 and not (is_organisation(text) or is_label(text) or _NOT_PEN_NAME.search(text))
