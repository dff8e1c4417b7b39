"""Authors as Chinese pages print them: behind labels, in brackets at the end, or alone on a line."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from newscrawl.extract.facts.names import EDITOR, PHOTOGRAPHER, REPORTER, chinese_names, is_chinese_name
from newscrawl.items import Author
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import words
from newscrawl.page.statements import CLOSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from newscrawl.page.statements import Evidence

_AUTHOR: Final = WordPattern(
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
    r"({zh:people.reporter}(?:[\u4e00-\u9fff]{2,3}、)*[\u4e00-\u9fff]{3})[\u4e00-\u9fff]{2,3}\d{1,2}"
    r"{~zh:dates.day}.{0,6}{zh:people.wire}"
)
"""Names and place as Taiwan's agency runs them together: ``記者林小美高雄5日電``."""
_HINT: Final = WordPattern("{zh:people.hint}")
"""Each label above holds one of these: texts without any are not searched for the labels."""
_SIGNATURE: Final = re.compile(r"(?:^|[。！？!?.…”」』])\s*[(（]\s*+([^()（）]{2,40})\s*[)）]\s*$")
"""Names behind a whole sentence: brackets behind a word explain it."""
_STATED: Final = WordPattern(
    r"{zh:people.taken_over}[\u4e00-\u9fff]?{zh:people.author_bare}[\s:：]{0,6}([^\s。，,:：][^。，,:：]{1,39}?)\s{0,3}"
    r"{zh:people.taken_over_verb}"
)
_HEAD_CHARS: Final = 140
_TAIL_CHARS: Final = 100
_SHORT_LINE: Final = 40
_LABEL_LINE: Final = WordPattern(
    r"{zh:people.label_line}\s*[:：/|丨]|^\W{0,2}{zh:people.author_short}\s*[:：/|丨]"
    r"|^\W{0,2}[\u4e00-\u9fff]{0,8}{zh:people.reporter}\s?"
)


def texts_with_names(evidence: Evidence) -> tuple[str, ...]:
    """Return the texts in which a Chinese page may name people by a label."""
    return tuple(filter(_HINT.search, _snippets(evidence)))


def _snippets(evidence: Evidence) -> Iterator[str]:
    """Yield where people are named: lines around the text, short labelled ones in it, brackets that end paragraphs."""
    lines, places = evidence.lines, evidence.places
    header, tail = places.header, places.tail
    for index in places.around:
        text = lines[index].spaced
        if len(text) <= _HEAD_CHARS + _TAIL_CHARS:
            yield text
        elif index in header:
            yield text[:_HEAD_CHARS]
        else:
            yield text[-_TAIL_CHARS:]
    for index, text in enumerate(lines.texts[header.start : tail.stop], header.start):
        if index in places.others:
            continue
        if len(text) <= _SHORT_LINE:
            if header.stop <= index < tail.start and _HINT.search(text) and _LABEL_LINE.search(text):
                yield lines[index].spaced
        elif text.endswith(("）", ")")):
            opening = max(text.rfind("（"), text.rfind("("))
            if 0 < len(text) - opening <= _SHORT_LINE:
                yield text[opening:]


def authors_by_label(texts: Sequence[str]) -> list[Author]:
    """Return the people behind ``作者：`` and the like in the first text that has some."""
    return _labelled(texts, _AUTHOR, role=None)


def reporters_by_label(texts: Sequence[str]) -> list[Author]:
    """Return the people behind ``记者`` and the like."""
    return _labelled([_WIRE.sub(r"\1 ", text) for text in texts], _REPORTER, role=REPORTER)


def staff_by_label(texts: Sequence[str]) -> list[Author]:
    """Return editors, then photographers."""
    return [
        *_labelled(texts, _EDITOR, role=EDITOR),
        *_labelled(texts, _PHOTO, role=PHOTOGRAPHER, strict=True),
        *_labelled(texts, _REPORTER, role=PHOTOGRAPHER),
    ]


def _labelled(
    snippets: Iterable[str], label: WordPattern, *, role: str | None, strict: bool | None = None
) -> list[Author]:
    authors: list[Author] = []
    for text in snippets:
        for match in label.finditer(text):
            if label is _REPORTER and bool(_PICTURED.match(text, match.end())) != (role == PHOTOGRAPHER):
                continue
            printed = match[0].strip()
            exact = strict if strict is not None else not printed.endswith((":", "：", "/", "／", "丨", "|", "｜"))
            names = chinese_names(text[match.end() : match.end() + 60], strict=exact)
            authors += [Author(name=name, nameRaw=f"{printed}{name}", role=role) for name in names]
        if authors and role is None:
            break
    return authors


def stated(evidence: Evidence) -> list[Author]:
    """Read the sentence that says whose text is taken over: ``本文由作者 Jane Doe 发表在……``."""
    lines, places = evidence.lines, evidence.places
    for index in range(places.header.start, min(places.tail.stop, len(lines))):
        is_said = any(map(lines.texts[index].__contains__, words("people.taken_over")))
        match = _STATED.search(lines[index].spaced) if is_said else None
        if match:
            names = chinese_names(match[1], strict=bool(HAN_LETTER.match(match[1])))
            return [Author(name=name, nameRaw=match[0]) for name in names]
    return []


def own_line(evidence: Evidence) -> list[Author]:
    """Read a Chinese name that fills, or begins, a line between headline and body."""
    lines, places = evidence.lines, evidence.places
    for index in range(max(0, places.headline + 1), min(places.body_start, len(lines))):
        first = lines.parts(index)[0].strip()
        near = index - places.headline <= CLOSE or places.body_start - index <= 2
        if near and not lines[index].linked and not lines[index].tag and is_chinese_name(first):
            return [Author(name=first)]
    return []


def signature(evidence: Evidence) -> list[Author]:
    """Read names in brackets that close a paragraph, the last such paragraph first: ``（张三 上海报道）``."""
    lines, places = evidence.lines, evidence.places
    for index in range(min(places.body_end + 2, len(lines)) - 1, places.body_start - 1, -1):
        text = lines.texts[index]
        match = _SIGNATURE.search(text[-_TAIL_CHARS:]) if text.endswith(("）", ")")) else None
        if match is None:
            continue
        found = [word for word in re.split(r"[\s、，,/]+", match[1]) if word]
        names = list(takewhile(is_chinese_name, found))
        if names and (len(names) == len(found) or found[-1].endswith(words("people.reported"))):
            return [Author(name=name, nameRaw=match[0].strip()) for name in names]
    return []
