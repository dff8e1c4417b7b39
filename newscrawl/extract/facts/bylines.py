"""Bylines as pages print them: behind labels, before titles, in brackets at the end, or alone beside a date."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.extract.facts.names import (
    EDITOR,
    PERSON,
    PHOTOGRAPHER,
    REPORTER,
    chinese_names,
    is_organisation,
    split_names,
    without_helpers,
)
from newscrawl.items import Author
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.date_parts import MONTH_LETTER
from newscrawl.languages.date_text import find_dates
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.extract.facts.cues import FactPage
    from newscrawl.page.places import Line, PageLines

_PARTICLE: Final = WordPattern("{people.name_particles}")
_BYLINE: Final = WordPattern(
    r"^[^\w©]{0,3}(?:{people.written_by,people.by_line,people.by,people.label,people.label_word})(?!\w)(?:\s*+[:,])?\s++(?=\w)",
    re.IGNORECASE,
    is_led=True,
)
_PART_BYLINE: Final = WordPattern(rf"{_BYLINE.template}(?-i:(?![a-zß-ÿ]))", re.IGNORECASE, is_led=True)
"""In a part of a line: *Text* may begin the name of a button, too."""
WRITTEN_BY: Final = WordPattern(r"(?:{people.written_by})\s*:?\s+", re.IGNORECASE, is_led=True)
LABEL_ALONE: Final = WordPattern(
    r"(?:{people.written_by,people.by_inside,people.label,people.label_alone})(?:\(s\))?\s*:?",
    re.IGNORECASE,
    is_led=True,
)
"""A label whose names stand on the next line, or on several."""
MAX_BYLINE: Final = 160
_INNER_BYLINE: Final = WordPattern(r"(?:^|\s){people.by_inside}\s+(?=[^\W\d_])", re.IGNORECASE)
_PARTS: Final = re.compile(r"\s[|•·]\s")
_LABELLED: Final = WordPattern(
    r"\W{0,3}(?:{people.label_colon}\s*:|{ar:people.label_colon,fa:people.label_colon}\s[-–])\s*(?=\w)",
    re.IGNORECASE,
    is_led=True,
)
"""Labels that are common words as well: only with their colon, or a dash in Arabic script."""
_BORDERED: Final = WordPattern(
    rf"\W{{0,3}}{{people.label_colon,people.label}}\s{{2,}}(?=(?-i:{PERSON.template})|[\u0590-\u10ff])",
    re.IGNORECASE,
    is_led=True,
)
"""Such a label in an element of its own, before one that holds a name."""
_NAME_AND_JOB: Final = WordPattern(
    r"(?P<name>[^\W\d_][^\d,:;–—]{3,40}?)(?:,\s|\s[–—-]\s|\s{2,})(?:[\w-]+\s){0,3}{people.jobs}", re.IGNORECASE
)
"""A name and what its bearer is, on a line of their own."""
_POSTED_BY: Final = WordPattern(r"{people.posted}.{0,40}?{en:people.by},?\s+(?=\w)", re.IGNORECASE, is_led=True)
MAX_ACRONYM: Final = 5
"""Capitals that may be an agency's; a longer word of capitals behind a name is a place."""
_PLACE_WORD: Final = re.compile(f"{MONTH_LETTER}+")
_MAX_LISTED: Final = 8
"""Lines from a label to the last of the names that are links below it."""
SHORT: Final = 60
"""Characters of a short line, or of the beginning of one."""
BYLINE_END: Final = WordPattern(r"\s(?:{people.name_end,people.edited_by}|@)\s|\s[|•·–—-]\s|\b\d", re.IGNORECASE)
_LAST_BRACKETS: Final = re.compile(r"(?<=\S)\s?\([^()]{1,40}\)$")
"""An agency, or an account, behind the last name."""
_GOES_ON: Final = WordPattern(r"\s*(?:{people.and}|[,&/、])", re.IGNORECASE)
_CHINESE_LABEL: Final = WordPattern(
    r"{zh:people.author}\s*[:：/／|｜丨]\s*(?:[\u4e00-\u9fff]{0,6}{zh:people.reporter})?\s*"
    r"|(?:^|[\s（(|｜【]){zh:people.author_short}\s*[/／｜丨:：]\s*"
    r"(?:[\u4e00-\u9fff]{0,8}(?:{zh:people.reporter,zh:people.author_bare}))?\s*"
    r"|(?:^|\s){zh:people.author_bare}\s+|{zh:people.author_sentence}\s*"
)
_REPORTER: Final = WordPattern(r"{zh:people.reporter}\s*[:：/／|｜丨]?\s*")
_EDITOR: Final = WordPattern(
    r"(?<!{zh:people.editor_not}){zh:people.editor}\s*(?:[:：/／|｜丨]|\s(?=\S{2,4}(?:\s|$)))\s*"
)
_PICTURED: Final = WordPattern(
    r"[\u4e00-\u9fff]{2,4}(?:[、，,\s]{1,2}[\u4e00-\u9fff]{2,4}){0,3}?\s*"
    r"{zh:people.photographer_after}(?![\u4e00-\u9fff])"
)
"""What follows *reporter* below a picture: ``记者 张三 摄``."""
_PHOTO: Final = WordPattern(r"(?:{zh:people.photographer}|{zh:people.photographer_slash}\s*[/／])\s*[:：/／|]?\s*")
_WIRE: Final = WordPattern(
    r"({zh:people.reporter}(?:[\u4e00-\u9fff]{2,3}、)*[\u4e00-\u9fff]{3})[\u4e00-\u9fff]{2,3}"
    r"(?:\d{1,2}{~zh:dates.day}.{0,6}{zh:people.wire}|{zh:people.name_end_reported}(?=$|\s))"
)
"""Names and place as Taiwan's press runs them together: ``記者林小美高雄5日電``, ``記者林小美高雄報導``."""
_HINT: Final = WordPattern("{zh:people.hint}")
"""Each label above holds one of these: texts without any are not searched for the labels."""
_HEAD_CHARS: Final = 140
_TAIL_CHARS: Final = 100
_INNER_CHARS: Final = 2_000
"""An element that is named after authors may hold a note on each; what stands after so many letters is no byline."""
_SHORT_LABELLED: Final = 40
_LABEL_LINE: Final = WordPattern(
    r"{zh:people.label_line}\s*[:：/|丨]|^\W{0,2}{zh:people.author_short}\s*[:：/|丨]"
    r"|^\W{0,2}[\u4e00-\u9fff]{0,8}{zh:people.reporter}\s?"
)
_KOREAN_TITLE: Final = r"\s?(?:{ko:people.rank_before}\s?)?{ko:people.reporter_after}"
_KOREAN_TITLED: Final = WordPattern(rf"([가-힣]{{2,4}}){_KOREAN_TITLE}")
_KOREAN: Final = WordPattern(
    rf"(?<![가-힣])([가-힣]{{2,4}}(?:\s?[·,/ㆍ]\s?[가-힣]{{2,4}}){{0,4}}){_KOREAN_TITLE}"
    r"(?=\s*(?:$|[=\d\[(|·,/\]）)]|[\w.+-]+@|{ko:people.after_byline})|\s{2})"
)
"""What follows tells a byline from a sentence."""
_JAPANESE_NAME: Final = r"[々一-鿿][々ヶぁ-ヿ一-鿿]{0,4}[ \u3000]?[々ぁ-ヿ一-鿿]{1,5}?"
_JAPANESE_WRITER: Final = rf"(?!{{ja:people.photographer}}){_JAPANESE_NAME}"
_JAPANESE_NAMES: Final = rf"({_JAPANESE_WRITER}(?:[、・,]\s?{_JAPANESE_WRITER}){{0,3}})"
_JAPANESE_END: Final = r"(?=$|[\s）)】|｜／/、,(（])"
_JAPANESE_LABEL: Final = WordPattern(
    r"(?:^|[\s（(【|｜＝])(?:{ja:people.author}\s?[:：＝=／/・]\s?|[々ァ-ヶー一-鿿]{1,6}{~ja:people.desk}[\s・]\s?)"
    rf"{_JAPANESE_NAMES}{_JAPANESE_END}"
)
_JAPANESE_OFFICE: Final = WordPattern("(?<=[々一-鿿]{2}){ja:people.reporter_after}$")
_JAPANESE_TITLE: Final = WordPattern(
    rf"(?:^|[\s（(【|｜])({_JAPANESE_NAME})\s?{{ja:people.reporter_after}}{_JAPANESE_END}"
)
_JAPANESE_JOB: Final = WordPattern(rf"^({_JAPANESE_NAME})[（(]{{ja:people.author,ja:people.reporter_after}}[）)]$")
_JAPANESE_SIGNED: Final = r"(?:[々一-鿿]{3,5}|[々一-鿿]{1,3}[ \u3000][々ぁ-ゖ一-鿿]{1,3}|[々一-鿿]{2}[ぁ-ゖ]{2,3})"
_SIGNED_NAMES: Final = rf"({_JAPANESE_SIGNED}(?:[、・]\s?{_JAPANESE_SIGNED}){{0,4}})"
_JAPANESE_SIGNATURE: Final = WordPattern(
    rf"(?:^|[。！？」]\s?)[（(【](?:[^\s（(【）)】＝=]{{1,10}}[＝=]\s?)?{_SIGNED_NAMES}[）)】]$"
)
_JAPANESE_SIGNED_LINE: Final = WordPattern(rf"^[（(【\[［]\s*{_SIGNED_NAMES}(?:[,，]\s*[A-Za-z][\w .]+)?[）)】\]］]$")
_NO_SIGNATURE: Final = WordPattern("{ja:people.no_signature}$|{ja:people.no_signature_in}")
"""Words in brackets that close a text as names do: honorifics left out, pictures lent, a desk, the title of a list of
links.
"""
_HAN_LABEL: Final = WordPattern(r"^\s*{zh:people.prefix}\s*[:：/]?\s*")
_WILL_GO_ON: Final = WordPattern(r"(?:[,&/]|\s{people.and})$")
_LABEL_ENDS: Final = (":", "：", "/", "／", "丨", "|", "｜")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_KANA: Final = re.compile("[ぁ-ヿ]")
_FORM_SPLIT: Final = re.compile(r"\s?[·,/ㆍ、・]\s?")
_FORM_CHARS, _BEHIND_CHARS = 80, 60
"""Characters of a line that prints a byline in a form of its language, and behind a Chinese label before names end."""
_LATIN_LETTER: Final = re.compile("[A-Za-z]")


class Named(NamedTuple):
    """The people or presses that one statement of a page names."""

    authors: list[Author]
    signs: tuple[str, ...] = ()
    """What speaks for or against the statement."""


class BylineForm(NamedTuple):
    """How a language prints who wrote a text; the names stand in the pattern's group."""

    script: re.Pattern[str]
    """A letter that titles in this language have."""
    pattern: re.Pattern[str] | WordPattern
    role: str | None = None
    below: bool = False
    """True where it is a byline only below the beginning of the text."""
    signed: bool = False
    """True where names stand in brackets, as other words do."""


class Label(NamedTuple):
    """A Chinese label that names stand behind."""

    pattern: re.Pattern[str] | WordPattern
    role: str | None = None
    is_strict: bool | None = None
    """True where only what is built like a name counts; None: behind bare labels, unless Latin letters follow."""
    is_pictured: bool | None = None
    """Whether who took a picture follows; None: it does not matter."""


FORMS: Final = (
    BylineForm(_HANGUL, _KOREAN, REPORTER),
    BylineForm(_KANA, _JAPANESE_LABEL),
    BylineForm(_KANA, _JAPANESE_TITLE, REPORTER),
    BylineForm(_KANA, _JAPANESE_JOB),
    BylineForm(_KANA, _JAPANESE_SIGNED_LINE, signed=True),
    BylineForm(_KANA, _JAPANESE_SIGNATURE, below=True, signed=True),
)
AUTHOR_LABEL: Final = Label(_CHINESE_LABEL)
REPORTER_LABEL: Final = Label(_REPORTER, REPORTER, is_pictured=False)
STAFF_LABELS: Final = (
    Label(_EDITOR, EDITOR),
    Label(_PHOTO, PHOTOGRAPHER, is_strict=True),
    Label(_REPORTER, PHOTOGRAPHER, is_pictured=True),
)
"""``作者：``, ``记者``, and the like; of staff editors, then photographers."""


def people(text: str) -> list[Author]:
    """Return the authors a byline names; the reporter's title of Korean names is read as a role."""
    text = " ".join(text.split())
    names = chinese_names(_HAN_LABEL.sub("", text), strict=False) if HAN_LETTER.search(text) else split_names(text)
    titled = ((name, _KOREAN_TITLED.fullmatch(name)) for name in names)
    return [
        Author(name=title[1], nameRaw=text, role=REPORTER)
        if title
        else Author(name=name, nameRaw=text if text != name else None)
        for name, title in titled
    ]


def labelled_texts(page: FactPage) -> tuple[str, ...]:
    """Return where a Chinese page may name people by a label.

    Lines around the text, short labelled ones in it, and brackets that end its paragraphs. For :meth:`FactPage.once`.
    """
    lines, places = page.evidence.lines, page.evidence.places
    header, tail = places.header, places.tail
    texts: list[str] = []
    for index in places.around:
        text = lines[index].spaced
        if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
            texts.append(text)
        else:
            texts.append(text[:_HEAD_CHARS] if index in header else text[-_TAIL_CHARS:])
    for index, text in enumerate(lines.texts[header.start : tail.stop], header.start):
        if index in places.others:
            continue
        if len(text) <= _SHORT_LABELLED:
            if header.stop <= index < tail.start and _HINT.search(text) and _LABEL_LINE.search(text):
                texts.append(lines[index].spaced)
        elif text.endswith(("）", ")")):
            opening = max(text.rfind("（"), text.rfind("("))
            if 0 < len(text) - opening <= _SHORT_LABELLED:
                texts.append(text[opening:])
    return tuple(filter(_HINT.search, texts))


def behind_label(page: FactPage, label: Label) -> list[Author]:
    """Return the people behind a label: writers in the first text that has some, those of other roles in all."""
    authors: list[Author] = []
    for said in page.once(labelled_texts):
        text = _WIRE.sub(r"\1 ", said) if label is REPORTER_LABEL else said
        for match in label.pattern.finditer(text):
            if label.is_pictured is not None and bool(_PICTURED.match(text, match.end())) != label.is_pictured:
                continue
            printed = match[0].strip()
            behind = text[match.end() : match.end() + _BEHIND_CHARS]
            is_open = not printed.endswith(_LABEL_ENDS) and not _LATIN_LETTER.match(behind)
            names = chinese_names(behind, strict=is_open if label.is_strict is None else label.is_strict)
            authors += [Author(name=name, nameRaw=f"{printed}{name}", role=label.role) for name in names]
        if authors and label.role is None:
            break
    return authors


def printed(page: FactPage) -> Iterator[Named]:
    """Yield the names of the first line around the text that prints them in a form of its language."""
    forms = [form for form in FORMS if form.script.search(page.evidence.title)]
    yield from _formed_lines(page, forms) if forms else ()
    yield from _labelled_line(page)


def _formed_lines(page: FactPage, forms: Sequence[BylineForm]) -> Iterator[Named]:
    lines, places = page.evidence.lines, page.evidence.places
    for index in places.around:
        text = lines[index].spaced
        text = text[:_FORM_CHARS] if index == places.body_start else text
        is_long = len(text) > _FORM_CHARS
        if lines[index].tag:
            continue
        for form in forms:
            is_asked = index >= places.body_start if form.below else not is_long
            found = form.pattern.search(text[-_FORM_CHARS:]) if is_asked else None
            parts = (_JAPANESE_OFFICE.sub("", part) for part in _FORM_SPLIT.split(found[1])) if found else ()
            names = [" ".join(part.split()) for part in parts if not is_organisation(part)]
            names = [name for name in names if not (form.signed and _NO_SIGNATURE.search(name))]
            if found and names:
                yield Named([Author(name=name, nameRaw=found[0].strip(), role=form.role) for name in names])
                return


def _labelled_line(page: FactPage) -> Iterator[Named]:
    """Yield the names behind a label that begins a short line around the text, what follows its date, or a part."""
    lines, places = page.evidence.lines, page.evidence.places
    for index in places.around:
        line = lines[index]
        if len(line.text) > MAX_BYLINE or (index == places.headline and line.tag):
            continue
        text = _with_next_line(lines, line)
        date = next(find_dates(text[:SHORT]), None) if text and index in places.header else None
        is_dated = date is not None and date.start == 0
        if date is not None and is_dated:
            text = text[date.end :].lstrip(" ,;|·•–—-")
        forms = (_PART_BYLINE, _LABELLED, _BORDERED) if "  " in text else (_PART_BYLINE, _LABELLED)
        in_parts = (form.match(part) for part in _PARTS.split(text) for form in forms)
        match = _BYLINE.match(text) or _POSTED_BY.match(text) or next(filter(None, in_parts), None)
        titled = _NAME_AND_JOB.match(text) if match is None and len(text) <= SHORT and index in places.header else None
        if titled is not None and not titled["name"].islower() and not line.linked:
            yield Named(people(titled["name"]))
            return
        if match is None or _is_in_menu(lines, index):
            continue
        authors = people(cut_byline(match.string[match.end() :]))
        if authors and _is_labelled_name(match[0], authors[0].name, is_dated=is_dated):
            is_below = places.body_start < places.body_end < index
            yield Named(authors, ("below the text",) if is_below else ())
            if not all(is_organisation(author.name) for author in authors):
                return


def _with_next_line(lines: PageLines, line: Line) -> str:
    """Return a line's text, with that of the next one behind a label that stands alone; ``""`` if that is no name."""
    if not LABEL_ALONE.fullmatch(line.spaced) or line.number + 1 >= len(lines):
        return line.spaced
    below = lines[line.number + 1]
    is_name = " " in below.text and not below.tag
    is_name = is_name and not any(is_common(lines, part) for part in lines.parts(below.number))
    behind = (lines[number] for number in range(line.number + 2, min(line.number + _MAX_LISTED, len(lines))))
    listed = takewhile(lambda one: one.linked and PERSON.fullmatch(one.text), behind if below.linked else ())
    label = line.spaced.partition("(")[0]
    return "; ".join((f"{label} {below.spaced}", *(one.text for one in listed))) if is_name else ""


def _is_labelled_name(label: str, name: str, *, is_dated: bool) -> bool:
    """Tell whether what follows a label is a name rather than the rest of a clause.

    Several words are none if none has a capital, or the first has none and is no particle or article: *Por qué se
    retrasa*, *By using Example you agree*.
    """
    if label.rsplit(maxsplit=1)[-1].lower() in words("people.label_word") and not PERSON.fullmatch(name):
        return False
    first, *others = name.split()
    if others and (name.islower() or (first.islower() and not _PARTICLE.fullmatch(first))):
        return False
    return is_dated or name[:1].isupper() or not label.islower()


def _is_in_menu(lines: PageLines, index: int) -> bool:
    """Tell whether a link begins with a label, and the line before or after is another: *By country*, *By rating*."""
    beside = (number for number in (index - 1, index + 1) if 0 <= number < len(lines))
    return lines[index].linked and any(lines[n].linked and _BYLINE.match(lines[n].text) for n in beside)


def cut_byline(text: str) -> str:
    """Return the names after ``By``: up to a date, a place sign, or a text node that does not go on with a name."""
    text = _LAST_BRACKETS.sub("", text)
    end = BYLINE_END.search(text)
    text = text[: end.start()] if end else text
    kept = ""
    for part in text.split("  "):
        if kept and not (_GOES_ON.match(part) or _WILL_GO_ON.search(kept.rstrip())):
            break
        kept += f" {part}"
    kept = str(_WILL_GO_ON.sub("", kept.rstrip()))
    names, _, place = (part.strip() for part in kept.replace(" / ", ", ").rpartition(","))
    is_loud = place.isupper() and (names.isupper() or len(place) <= MAX_ACRONYM)
    is_place = " " in names and _PLACE_WORD.fullmatch(place) and not is_loud and not is_organisation(place)
    return names if is_place else kept  # of "Von Anna Muster, Berlin" the place goes


def inner_byline(text: str) -> str | None:
    """Return the names behind a label within the text of an element, or behind its first part, if that is a label."""
    text = without_helpers(text[:_INNER_CHARS])
    byline = _INNER_BYLINE.search(text)
    if byline:
        return cut_byline(text[byline.end() :]).strip()
    label, _, rest = text.partition("  ")
    return cut_byline(rest).strip() if rest and label.endswith((":", "：")) else None


def is_common(lines: PageLines, name: str) -> bool:
    """Tell whether the words of a name are no proper ones: the page has each of them without its capital.

    In a script without capitals, the page has one of them beside the name.
    """
    if name.lower() == name.upper():
        return any(lines.count(word) > lines.count(name) for word in name.split())
    return all(lines.has_word(word.lower()) for word in name.split())
