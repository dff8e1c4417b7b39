"""The language of a page: as it says, checked against the script of its text, else detected on the text."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from newscrawl.languages.characters import HAN, SPACELESS_LETTER
from newscrawl.languages.tables import language, languages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from newscrawl.page.statements import Evidence

MIN_DETECT_CHARS: Final = 60
"""Shorter texts are guessed wrong more often than not. An ideograph, kana or syllable counts as three."""
SAMPLE_CHARS: Final = 3_000
SAMPLE_LINES: Final = 12
"""Longest lines of a page that are its sample where it has no text."""
SCRIPT_CHARS: Final = 800
_NOT_LETTERS: Final = re.compile(r"[\W\d_]+")
_CODE: Final = re.compile(r"^([a-z]{2,3})(?:[-_].*)?$", re.IGNORECASE)
_MACRO: Final = {"yue": "zh", "wuu": "zh", "cmn": "zh", "cn": "zh", "jp": "ja", "nb": "no", "nn": "no", "iw": "he",
                 "in": "id", "gr": "el", "ua": "uk"}  # fmt: skip
"""Codes of dialects, and of countries where a language was meant."""
_LETTERS: Final = {
    "ja": r"\u3040-\u30ff", "ko": r"\uac00-\ud7af", "zh": HAN, "el": r"\u0370-\u03ff", "ar": r"\u0600-\u06ff",
    "he": r"\u0590-\u05ff", "th": r"\u0e00-\u0e7f", "ru": r"\u0400-\u04ff", "hi": r"\u0900-\u097f",
    "bn": r"\u0980-\u09ff",
}  # fmt: skip
_SCRIPTS: Final = tuple((code, re.compile(f"[{letters}]+")) for code, letters in _LETTERS.items())
_ANY_SCRIPT: Final = re.compile(f"[{''.join(_LETTERS.values())}]")
_SAME_SCRIPT: Final = {
    "ru": {"ru", "uk", "bg", "sr", "be", "mk", "kk", "mn", "ky", "tg"},
    "ar": {"ar", "fa", "ur", "ps", "ckb", "ug"},
    "hi": {"hi", "mr", "ne", "sa"},
    "bn": {"bn", "as"},
    "he": {"he", "yi"},
}
_SCRIPT_LANGUAGES: Final = frozenset({"ja", "ko", "zh", "el", "th"}) | frozenset().union(*_SAME_SCRIPT.values())
MIN_WORDS: Final = 15
MIN_FUNCTION_WORDS: Final = 0.04
MIN_LEAD: Final = 0.06
"""Least share of words by which another language's function words must lead."""
MIN_MORE: Final = 0.4
"""Least lead per function word of the stated language."""
MAX_OTHER_LETTERS: Final = 0.01
"""Share of letters that a text may have from names and quotations in another language of its script."""
_OF_TEMPLATES: Final = "en"
_MARKS: Final = ".,;:!?\"'()«»“”„’‘…،؛؟।۔"


def choose_language(evidence: Evidence, body_text: str | None) -> tuple[str, str] | None:
    """Return the ISO 639-1 code and where it came from; None for a page with too little text to tell."""
    sample = (body_text or "")[:SAMPLE_CHARS]
    if not _is_enough(sample):
        text = " ".join([line.text for line in evidence.lines.longest(SAMPLE_LINES)])
        sample = (text if len(text) >= MIN_DETECT_CHARS else f"{evidence.title} {text}")[:SAMPLE_CHARS]
    script = script_language(sample)
    for value, origin in _stated(evidence):
        code = normalise(value)
        if code and _is_contradicted(code, sample):
            continue  # templates come with a code, whatever is written in them
        if script is None:
            agrees = code not in _SCRIPT_LANGUAGES or not _is_enough(sample)
        else:
            agrees = code == script or code in _SAME_SCRIPT.get(script, ())
        if code and agrees:
            return code, origin
    if script in {"ja", "ko", "zh", "el", "th"}:
        return script, "script"
    detected = detect(sample)
    if detected:
        return detected, "text"
    return (script, "script") if script else None


def _has_other_letters(code: str, text: str) -> bool:
    """Tell whether a text has Cyrillic letters that the language's alphabet lacks: *і* and *ї* are not Russian."""
    table = language(code) if code in _SAME_SCRIPT["ru"] else None
    if table is None or not table.letters:
        return False
    letters = [letter for letter in text[:SCRIPT_CHARS].lower() if "\u0400" <= letter <= "\u04ff"]
    return sum(letter not in table.letters for letter in letters) > MAX_OTHER_LETTERS * len(letters)


def _is_contradicted(code: str, text: str) -> bool:
    """Tell whether a text has letters of another language, far more of its function words, or none of the own ones.

    A short text is judged by its letters alone.
    """
    if _has_other_letters(code, text):
        return True
    n_words, times = _count_function_words(text)
    if n_words < MIN_WORDS or code not in _function_words()[""]:
        return False
    own, most = times[code], max(times.values(), default=0)
    if most < MIN_FUNCTION_WORDS * n_words:  # names and numbers, or a language without a table
        return code == _OF_TEMPLATES
    return own < MIN_FUNCTION_WORDS * n_words or most - own > max(MIN_LEAD * n_words, MIN_MORE * own)


@lru_cache(maxsize=1)
def _count_function_words(text: str) -> tuple[int, Counter[str]]:
    """Return the words of a text, and the function words of each language; remembered, as a page states several."""
    found = text.casefold().split()
    of = _function_words()
    return len(found), Counter(known for word in found for known in of.get(word.strip(_MARKS), ()))


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    """Return the languages that each function word is of; all that have some stand under the empty word."""
    of: dict[str, set[str]] = {"": set()}
    for table in languages():
        for word in ("", *own) if (own := table.words.get("lines.function_words", ())) else ():
            of.setdefault(word, set()).add(table.code)
    return {word: frozenset(codes) for word, codes in of.items()}


def _stated(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield what the page says of its language, first what its templates say best."""
    yield evidence.html_lang, "html"
    for name in ("og:locale", "content-language", "language", "dc.language"):
        yield from ((text, "opengraph" if name == "og:locale" else "meta") for text in evidence.metas.get(name, ())[:1])
    for node in evidence.articles:
        if isinstance(node.get("inLanguage"), str):
            yield node["inLanguage"], "json-ld"


def normalise(value: str) -> str | None:
    """Return the two-letter code of a language tag, None where it is none.

    >>> normalise("zh-Hant-TW"), normalise("yue"), normalise("en_US"), normalise("x-default")
    ('zh', 'zh', 'en', None)
    """
    match = _CODE.match(value.strip().split(",")[0].strip())
    if match is None:
        return None
    code = match[1].lower()
    code = _MACRO.get(code, code)
    return code if len(code) == 2 else None


def script_language(text: str) -> str | None:
    """Return the language a script stands for, where a fifth or more of the letters are in it; None for Latin text."""
    text = text[:SCRIPT_CHARS]
    if _ANY_SCRIPT.search(text) is None:
        return None
    letters = len(_NOT_LETTERS.sub("", text))
    if not letters:
        return None
    for code, pattern in _SCRIPTS:
        share = sum(map(len, pattern.findall(text))) / letters
        if share >= (0.05 if code == "ja" else 0.2):
            return code
    return None


def _is_enough(text: str) -> bool:
    return len(text) >= MIN_DETECT_CHARS or len(text) + 2 * len(SPACELESS_LETTER.findall(text)) >= MIN_DETECT_CHARS


def detect(text: str) -> str | None:
    """Return the language py3langid finds, None for texts under ``MIN_DETECT_CHARS``."""
    if len(text) < MIN_DETECT_CHARS:
        return None
    import py3langid  # noqa: PLC0415  4.6 MB of model, read at the first call

    code, _ = py3langid.classify(text)
    return normalise(str(code))
