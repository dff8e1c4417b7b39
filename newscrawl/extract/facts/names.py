"""Names of people and organisations as bylines write them, split and cleaned."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from newscrawl.languages.characters import HAN, HAN_LETTER
from newscrawl.languages.date_parts import is_date_word
from newscrawl.languages.patterns import WordPattern
from newscrawl.languages.tables import languages, words
from newscrawl.languages.text import fold, folded_words

ORGANISATION: Final = "organization"
REPORTER: Final = "reporter"
EDITOR: Final = "editor"
PHOTOGRAPHER: Final = "photographer"

_SIGNS: Final = r"[\w\u0900-\u0963\u0970-\u109f\u1780-\u17d3'’.\-]"
"""Letters, the vowel signs of scripts from India to Cambodia, and what stands within a name."""
PERSON: Final = WordPattern(
    rf"(?:[^\W\d_a-zß-ÿ]{_SIGNS}*\s+(?:{{people.name_particles}}\s+){{0,2}}){{1,3}}[^\W\d_a-z]{_SIGNS}+"
)
"""Two to four capitalised words, or words of a script without capitals, particles between them."""
MAX_NAME_CHARS: Final = 60
MAX_NAME_WORDS: Final = 6
MAX_BYLINE_CHARS: Final = 400
"""Characters of a byline worth splitting."""
MAX_NAMES: Final = 20
MAX_HAN_NAME: Final = 8
"""Characters of a pen name; longer words without a word for an office or press are sentences."""

MAX_MIXED_NAME: Final = 20
MAX_LATIN_NAME: Final = 40
"""Characters of names behind a Chinese label that hold other letters, too, and that hold only those."""

_PREFIX: Final = WordPattern(
    r"^\W*(?:(?:{people.by_line,people.by,people.label,people.label_word,people.prefix})\s*[:：/|]?\s+"
    r"|(?:{people.label_colon,people.prefix_colon,people.by,people.label})\s*[:：]\s*|(?:{people.written_by})\s*:?\s+)",
    re.IGNORECASE,
    is_led=True,
)
"""What stands before a name and is no part of it."""
MAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,64}+(?:\.[\w-]{1,64}+)+")
_LOGIN: Final = re.compile(r"[a-z]+\d+|[a-z0-9]+(?:\.[a-z0-9_]+)+|[a-z]+(?:_[a-z]*)+\d+")
"""An account's name: a word with a number, or parts with points between them."""
_PICTURED: Final = WordPattern(
    r"(?:^|[\s,;|/(·&]+){people.photographer,people.photographer_slash}"
    r"(?:\s*[:：/／]|\s(?:{people.by,people.by_inside,people.label_word})\s).*?"
    r"(?=\s(?:{people.label_colon,people.label,people.label_word})\s*[:：]|$)",
    re.IGNORECASE,
)
"""Who took the pictures, up to the next label."""
_PHOTO_WORD: Final = WordPattern("{people.photographer,people.photographer_slash}", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\([^)]*\)|（[^）]*）")
_HELPED: Final = WordPattern(r"[\s,;(–-]*{people.helped_by}(?=\s)", re.IGNORECASE)
PLACE_BEHIND: Final = WordPattern(r"(?<=\w)\s{people.name_place}\s(?=[^\W\d_a-z])")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_HANDLE: Final = re.compile(r"(?<!\w)@\w[\w.]*")
_BETWEEN_WORDS: Final = re.compile(r"[\s\d.,;:|/()\[\]–—-]+")
_SPLIT: Final = WordPattern(
    r"(?:(?<!\s)\s++)?(?:[;；、|｜•&，]|/(?=[A-Z\u4e00-\u9fff]))\s*"
    r"|(?<!\s)\s++(?:/|{people.and}|[–—-])\s+"
)
_ROLE_WORDS: Final = WordPattern("{people.jobs,people.not_names}", re.IGNORECASE)
_NOISE: Final = re.compile(
    r"https?(?:://|$)|www\.|\.(?:html?|php)\b|@[\w-]+\.\w|\d{3,}|[<>{}\[\]=#]|\b_|_\b|^\W*$|[^\W\d_]{5}[.!?]\s"
)
"""The last: a sentence ends, and another begins; what initials and titles shorten is shorter."""
_ORGANISATION: Final = WordPattern(
    r"{people.organisations}|\.(?:com?|de|at|ch|org|net|is|fr|it)\b|{people.organisations_end}$"
    r"|^{people.agencies}(?:$|\s*[/,(–-])",
    re.IGNORECASE,
)

_HAN_ONLY: Final = re.compile(rf"[{HAN}·•]+")
_HANGUL_NAME: Final = re.compile("[가-힣]{3}")
_DESK_CODE: Final = re.compile(r"[A-Z]{1,3}\d{0,4}")
"""What portals print after an editor's name: ``王五 NF1``."""
_HAN_STOP: Final = WordPattern(r"[|｜。！!？?（）()【】\[\]<>《》“”\"：:]|{zh:people.stop}|\d{2,}")
_BEHIND_COMMA: Final = WordPattern(r"(?:{people.degrees}[.\s]*)+|{people.name_place}\s.+")
"""What may stand behind a name and a comma: degrees, or the place that is reported from."""
_CREDENTIAL: Final = re.compile(r"[A-Z][A-Z.&-]{1,7}")
"""Capitals behind a name in small letters: a degree, a member of some body, or a press."""
_NICKNAME: Final = re.compile(r"(?<=[A-Za-z.])\s*\([A-Z][A-Za-z.]{1,14}\)\s*(?=[A-Z])")
"""``J. (Jane) Doe``."""
_COLONS: Final = (":", "：")
_PLACE: Final = re.compile(r"(?<!\s)\s*+[/／][^/／]{2,8}$")
"""Where it was reported from: ``林小美／高雄報導``."""
_EDGES: Final = " \t　:：/|丨-—,，、;；.·"
_JOB: Final = WordPattern(r"(?:{people.ranks}\s+)+{people.titles}|{people.edited_by}\s*:? .+", re.IGNORECASE)
"""A title behind a name, or who edited; without a name before they stand for the press."""


def is_east_asian_name(text: str) -> bool:
    """Tell whether ``text`` is built like a name without spaces: a common surname and what follows one.

    >>> [is_east_asian_name(text) for text in ("张三", "佐藤健太", "김민수", "图书馆", "김치")]
    [True, True, True, False, False]
    """
    is_hangul = _HANGUL_NAME.fullmatch(text) is not None
    if (
        not (is_hangul or _HAN_ONLY.fullmatch(text))
        or text in folded_words("people.nobody")
        or text in folded_words("people.no_author")
        or text.endswith(words("people.photographer_after"))
    ):
        return False
    if text.startswith(words("people.compound_surnames")):
        return 3 <= len(text) <= 5
    return (is_hangul or 2 <= len(text) <= 3) and text[0] in _surnames()


def is_spaced_name(text: str) -> bool:
    """Tell whether ``text`` is two to four words built like a name; without capitals, words of no author tell."""
    if PERSON.fullmatch(text) is None:
        return False
    if HAN_LETTER.search(text):
        return is_east_asian_name(text.replace(" ", ""))
    return text.upper() != text.lower() or folded_words("people.no_author").isdisjoint(map(fold, text.split()))


@cache
def _surnames() -> frozenset[str]:
    return frozenset("".join(words("people.surnames")))


@cache
def _places() -> frozenset[str]:
    """Return the folded names of countries and cities that have as many words as a person's."""
    return frozenset(fold(place) for table in languages() for place in table.places)


def is_nobody(name: str) -> bool:
    """Tell whether a name stands for nobody: *unknown*, *admin2*, *the internet*, *Buenos Aires* in any language."""
    folded = fold(name).rstrip("0123456789")
    return folded in folded_words("people.nobody") or (" " in name and folded in _places())


def is_login(name: str) -> bool:
    """Tell whether a name is that of an account rather than a person.

    >>> [is_login(name) for name in ("tmarlow7", "t.marlow", "marlow", "Tessa Marlow")]
    [True, True, False, False]
    """
    return _LOGIN.fullmatch(name) is not None and not is_organisation(name)


def chinese_names(text: str, *, strict: bool) -> list[str]:
    """Return the names at the beginning of ``text``, which follows a label such as ``作者：`` or ``记者``.

    :param strict: take only what is built like a person's name; else any short word.

    >>> chinese_names("张三 李四 责任编辑：王五", strict=False)
    ['张三', '李四']
    """
    text = _NICKNAME.sub(" ", text)
    stop = _HAN_STOP.search(text)
    if stop:
        text = text[: stop.start()]
        if stop[0] in _COLONS:  # the word before it is another label
            text = text.rstrip().rpartition(" ")[0]
        elif stop[0] in words("people.name_end_reported"):
            text = _PLACE.sub("", text)
    text = text.strip(_EDGES)[:80]
    names: list[str] = []
    for chunk in text.split("  "):  # a chunk of another text node is a second name, or a button
        found = _names_in(chunk, strict=strict or bool(names), ends_at_stop=stop is not None)
        if not found:
            break
        names.extend(found)
    return names[:MAX_NAMES]


def _names_in(text: str, *, strict: bool, ends_at_stop: bool) -> list[str]:
    text, _, clause = text.strip(_EDGES).partition("，")
    first = _words(text)
    later = _words(clause)
    names: list[str] = []
    for at, word in enumerate([*first, *later]):
        if names and _DESK_CODE.fullmatch(word):
            continue
        strict = strict or at >= len(first)
        is_last = ends_at_stop and word == (later or first)[-1]
        if strict and not (is_east_asian_name(word) or (is_last and len(word) == 4 and word[0] in _surnames())):
            break
        longest = 4 if strict else MAX_LATIN_NAME
        if not strict and HAN_LETTER.search(word):
            longest = MAX_HAN_NAME if _HAN_ONLY.fullmatch(word) and not is_organisation(word) else MAX_MIXED_NAME
        if (
            not 2 <= len(word) <= longest
            or fold(word) in folded_words("people.nobody")
            or _NOISE.search(word)
            or is_label(word)
        ):
            break
        names.append(word)
    return names


_BETWEEN_NAMES: Final = WordPattern(
    rf"[、,，;；/／&丨]|(?<=[{HAN}]){{people.and_joined}}(?=[{HAN}])|\s(?:{{zh:people.and,en:people.and}})\s"
)


def _words(text: str) -> list[str]:
    """Return the names, with what white space cut joined: characters (``张 三``), words of one in Latin letters."""
    found: list[str] = []
    for name in _BETWEEN_NAMES.split(text):
        last = ""
        for word in name.split():
            if len(word) == len(last) == 1 and HAN_LETTER.match(word) and HAN_LETTER.match(last):
                last = found[-1] = last + word
            elif last and not HAN_LETTER.search(word) and not HAN_LETTER.search(last):
                last = found[-1] = f"{last} {word}"
            else:
                last = word
                found.append(word)
    return found


def split_names(text: str) -> list[str]:
    """Return the names of a byline in any language, roles, addresses and connecting words left out.

    >>> split_names("By Jane Doe, Senior Reporter and John Roe")
    ['Jane Doe', 'John Roe']
    """
    text = without_helpers(" ".join(text.split())[:MAX_BYLINE_CHARS])
    text = _HANDLE.sub(" ", MAIL.sub(" ", text)) if "@" in text else text
    text = _PICTURED.sub(" ", text) if _PHOTO_WORD.search(text) else text
    text = _BRACKETS.sub(" ", text)
    names: list[str] = []
    for part in _SPLIT.split(text):
        names.extend(name for piece in _pieces(part) if (name := clean_name(piece)))
        if len(names) >= MAX_NAMES:
            break
    people = [name for name in names if not _JOB.fullmatch(name)]
    return list(dict.fromkeys(people or names))


def without_helpers(text: str) -> str:
    """Return a byline up to what says who helped.

    >>> without_helpers("Jane Doe, with additional reporting by John Roe")
    'Jane Doe'
    """
    found = _HELPED.search(text)
    return text[: found.start()] if found else text


def _joined_names(name: str) -> list[str]:
    """Split two whole names before a word that begins with *and*, where a language writes that together with it."""
    told = name.split()
    for at in range(2, len(told) - 1):
        for prefix in words("people.and_prefix"):
            if told[at].startswith(prefix) and len(told[at]) > len(prefix) + 1:
                return [" ".join(told[:at]), " ".join((told[at].removeprefix(prefix), *told[at + 1 :]))]
    return [name]


def _pieces(part: str) -> list[str]:
    """Split at commas, unless the comma stands before a first name or a title."""
    pieces = [piece.strip() for piece in part.split(",") if piece.strip() and not is_label(piece)]
    if len(pieces) == 2 and all(" " not in piece for piece in pieces) and not _ORGANISATION.search(part):
        return [f"{pieces[1]} {pieces[0]}"] if not pieces[1].isupper() else pieces[:1]
    return [name for piece in pieces if not is_behind_name(piece, pieces[0]) for name in _joined_names(piece)]


def is_behind_name(piece: str, first: str) -> bool:
    """Tell whether a piece behind a name and a comma is a degree, a credential or a place rather than another name.

    >>> [is_behind_name(piece, "Jane Doe") for piece in ("PhD", "DVM", "in Paris", "AP", "John Roe")]
    [True, True, True, False, False]
    """
    if _BEHIND_COMMA.fullmatch(piece):
        return True
    return _CREDENTIAL.fullmatch(piece) is not None and not (first.isupper() or is_organisation(piece))


def clean_name(text: str) -> str | None:
    """Return the name in ``text`` without ``By`` and the like, None where it is no name."""
    name = text.strip(" \t.,;:-–—|/•●■*\"'“”„»«")
    for _ in range(2):
        prefix = _PREFIX.match(name := name + " ")
        name = name[prefix.end() if prefix else 0 :].strip(" \t.,;:-–—|/•*")
    name = str(PLACE_BEHIND.split(name, 1)[0])
    if text.rstrip().endswith(".") and re.search(r"\b[A-Z][a-z]?$", name):
        name += "."
    if not 2 <= len(name) <= MAX_NAME_CHARS or len(name.split()) > MAX_NAME_WORDS:
        return None
    if (
        name.startswith("@")
        or any(sign in name for sign in _COLONS)
        or (any(map(str.isdigit, name)) and not name.isalnum())
    ):
        return None
    if is_label(name) or _NOISE.search(name) or is_nobody(name) or not any(letter.isalpha() for letter in name):
        return None
    if _ROLE_WORDS.search(name) and not _ORGANISATION.search(name):
        return None
    return name


@lru_cache(maxsize=4096)
def is_label(text: str) -> bool:
    """Tell whether a text is words of dates, or a label of the template, with nothing beside them but particles.

    >>> [is_label(text) for text in ("Posted on", "Thu, Sep", "By", "Jane May", "Le An")]
    [True, True, False, False, False]
    """
    found = [word for word in _BETWEEN_WORDS.split(text) if word]
    known = [is_date_word(word) or fold(word) in _label_words() for word in found]
    return any(known) and all(
        is_known or fold(word) in folded_words("people.particles") for is_known, word in zip(known, found, strict=True)
    )


@cache
def _label_words() -> frozenset[str]:
    """Return the folded words that templates print before a name or a date."""
    said = " ".join((*words("people.written_by"), *words("people.template")))
    return frozenset(map(fold, _WORDS.findall(said))) - folded_words("people.particles")


def is_organisation(name: str) -> bool:
    """Tell whether a name is that of a press, agency or office rather than a person."""
    return bool(_ORGANISATION.search(name))


def is_whole_name(name: str) -> bool:
    """Tell whether a text is built like a person's name in its script."""
    is_caseless = name.upper() == name.lower() and split_names(name) == [name]
    return is_caseless or is_east_asian_name(name) or is_spaced_name(name)
