"""Heuristics by which builders of text corpora refuse pages, as columns beside a text: ``newscrawl export --quality``.

Rae et al. (2021), "Scaling Language Models: Methods, Analysis & Insights from Training Gopher", appendix A.1.1 and
table A1 (repetition); Raffel et al. (2020), "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
Transformer", section 2.2 (C4). A word is what stands between white space; in scripts without spaces each character,
with the marks beside it, is one. A line is a paragraph, so that Gopher's rules of lines and of paragraphs are one.

Departures: C4's list of bad words, and its search for spans that stand in other pages, are left out. Gopher's eight
English words are the function words of the text's language, where its table has some.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, TypedDict

from newscrawl.items import fields_of
from newscrawl.languages.characters import SPACELESS
from newscrawl.languages.tables import language

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LEAST_LINE: Final = 5
"""Words of a line that C4 keeps."""
_WORD: Final = re.compile(rf"[^\w\s]*[{SPACELESS}][^\w\s]*|[^\s{SPACELESS}]+")
_EDGE: Final = re.compile(r"^\W+|\W+$")
_BULLET: Final = ("•", "-", "‣", "·", "*")
_ELLIPSIS: Final = ("...", "…")
_ENDED: Final = re.compile(r"[.!?。！？؟۔।॥][\"'”’»)\]）」』]*$|[\"”’»」』]$")
_SENTENCE: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s|$)|[。！？؟۔।॥]+")
_PLACEHOLDER: Final = re.compile(r"lorem ipsum|[{}]", re.IGNORECASE)


class Quality(TypedDict):
    """Heuristics of an article's text. A share lies between 0 and 1."""

    gopherWords: Annotated[int, "Words. Gopher keeps 50 to 100,000."]
    gopherWordLength: Annotated[
        float | None, "Mean length of the words; absent where most are written without spaces. Gopher keeps 3 to 10."
    ]
    gopherSymbols: Annotated[float, "Number signs, or ellipses where there are more, for each word. At most 0.1."]
    gopherBullets: Annotated[float, "Share of lines that begin with a bullet. At most 0.9."]
    gopherEllipses: Annotated[float, "Share of lines that end with an ellipsis. At most 0.3."]
    gopherAlphabetic: Annotated[float, "Share of words with a letter. At least 0.8."]
    gopherFunctionWords: Annotated[
        int | None, "Different function words of the language; absent where no table has them. At least 2."
    ]
    gopherPasses: Annotated[bool, "Whether all rules above hold."]
    repeatedLines: Annotated[float, "Share of lines that stood before. At most 0.3."]
    repeatedLineChars: Annotated[float, "Share of characters in them. At most 0.2."]
    top2gram: Annotated[float, "Share of characters in the most frequent pair of words. At most 0.2."]
    top3gram: Annotated[float, "… in the most frequent three words. At most 0.18."]
    top4gram: Annotated[float, "… in the most frequent four words. At most 0.16."]
    repeated5grams: Annotated[float, "Share of characters in five words that stood before. At most 0.15."]
    repeated6grams: Annotated[float, "… in six words. At most 0.14."]
    repeated7grams: Annotated[float, "… in seven words. At most 0.13."]
    repeated8grams: Annotated[float, "… in eight words. At most 0.12."]
    repeated9grams: Annotated[float, "… in nine words. At most 0.11."]
    repeated10grams: Annotated[float, "… in ten words. At most 0.1."]
    repetitionPasses: Annotated[bool, "Whether all rules of repetition hold."]
    c4Lines: Annotated[
        float, "Share of lines that C4 keeps: they end as a sentence does, have five words, and no *Javascript*."
    ]
    c4Sentences: Annotated[int, "Sentences of the lines that C4 keeps. At least 3."]
    c4Placeholder: Annotated[bool, "Whether the text has *lorem ipsum* or a curly bracket. C4 refuses it."]
    c4Passes: Annotated[bool, "Whether C4 would keep the page, apart from its lists of words."]
    languageScore: Annotated[
        float | None,
        "Probability of `inLanguage` by py3langid (of the likeliest language, where the article has none).",
    ]


QUALITY: Final = fields_of(Quality)
INFINITE: Final = math.inf
#: Column → least and greatest value: Rae et al. (2021), appendix A.1.1.
GOPHER: Final[Mapping[str, tuple[float, float]]] = {
    "gopherWords": (50, 100_000),
    "gopherWordLength": (3, 10),
    "gopherSymbols": (0, 0.1),
    "gopherBullets": (0, 0.9),
    "gopherEllipses": (0, 0.3),
    "gopherAlphabetic": (0.8, 1),
    "gopherFunctionWords": (2, INFINITE),
}
#: Column → least and greatest value: Rae et al. (2021), table A1.
REPETITION: Final[Mapping[str, tuple[float, float]]] = {
    "repeatedLines": (0, 0.3),
    "repeatedLineChars": (0, 0.2),
    "top2gram": (0, 0.2),
    "top3gram": (0, 0.18),
    "top4gram": (0, 0.16),
    "repeated5grams": (0, 0.15),
    "repeated6grams": (0, 0.14),
    "repeated7grams": (0, 0.13),
    "repeated8grams": (0, 0.12),
    "repeated9grams": (0, 0.11),
    "repeated10grams": (0, 0.1),
}


def quality_of(text: str, code: str | None) -> dict[str, Any]:
    """Return the columns of a text.

    :param code: its language, ISO 639-1; None where it is not known.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    words = _WORD.findall(text)
    found = gopher(words, lines, code) | repetition(words, lines) | c4(lines, text)
    found["gopherPasses"] = _holds(found, GOPHER)
    found["repetitionPasses"] = _holds(found, REPETITION)
    found["languageScore"] = language_score(text, code)
    return found


def _holds(found: Mapping[str, Any], rules: Mapping[str, tuple[float, float]]) -> bool:
    values = {name: found[name] for name in rules}
    return all(value is None or rules[name][0] <= value <= rules[name][1] for name, value in values.items())


def gopher(words: Sequence[str], lines: Sequence[str], code: str | None) -> dict[str, Any]:
    """Return the columns of Rae et al. (2021), appendix A.1.1; marks at the ends of words do not count.

    >>> found = gopher("- the ferry sails …".split(), ["- the ferry sails …"], "en")
    >>> found["gopherWords"], found["gopherBullets"], found["gopherEllipses"], found["gopherFunctionWords"]
    (3, 1.0, 1.0, 1)
    """
    plain = [word for word in (_EDGE.sub("", word) for word in words) if word]
    n_single = sum(len(word) == 1 and _is_spaceless(word) for word in plain)
    text = "\n".join(lines)
    symbols = max(text.count("#"), sum(text.count(mark) for mark in _ELLIPSIS))
    table = language(code)
    known = frozenset(table.words.get("lines.function_words", ())) if table is not None else frozenset()
    return {
        "gopherWords": len(plain),
        "gopherWordLength": _share(sum(map(len, plain)), len(plain)) if 2 * n_single < len(plain) else None,
        "gopherSymbols": _share(symbols, len(plain)),
        "gopherBullets": _share(sum(line.lstrip().startswith(_BULLET) for line in lines), len(lines)),
        "gopherEllipses": _share(sum(line.rstrip().endswith(_ELLIPSIS) for line in lines), len(lines)),
        "gopherAlphabetic": _share(sum(any(map(str.isalpha, word)) for word in words), len(words)),
        "gopherFunctionWords": len(known & {word.lower() for word in plain}) if known else None,
    }


@cache
def _is_spaceless(char: str) -> bool:
    return re.match(f"[{SPACELESS}]", char) is not None


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def repetition(words: Sequence[str], lines: Sequence[str]) -> dict[str, Any]:
    """Return the columns of Rae et al. (2021), table A1: shares of lines, and of the characters of words."""
    found: dict[str, Any] = {}
    again = _again(lines)
    found["repeatedLines"] = _share(len(again), len(lines))
    found["repeatedLineChars"] = _share(sum(map(len, again)), sum(map(len, lines)))
    lengths = [len(word) for word in words]
    whole = sum(lengths)
    for n in (2, 3, 4):
        found[f"top{n}gram"] = _share(top_chars(words, n), whole)
    for n in range(5, 11):
        found[f"repeated{n}grams"] = _share(repeated_chars(words, n), whole)
    return found


def _again(lines: Sequence[str]) -> list[str]:
    """Return the lines that stood before."""
    return list((Counter(lines) - Counter(set(lines))).elements())


def top_chars(words: Sequence[str], n: int) -> int:
    """Return the characters in the most frequent ``n`` words, each counted once; 0 where none stands twice.

    >>> top_chars("a b a b a b c".split(), 2), top_chars("a b c".split(), 2)
    (6, 0)
    """
    grams = list(zip(*(words[i:] for i in range(n)), strict=False))
    if not grams:
        return 0
    top, times = Counter(grams).most_common(1)[0]
    return _chars(words, n, lambda place: grams[place] == top) if times > 1 else 0


def repeated_chars(words: Sequence[str], n: int) -> int:
    """Return the characters in any ``n`` words that stood before, each counted once.

    >>> repeated_chars("a b c d e x a b c d e".split(), 5)
    5
    """
    grams = list(zip(*(words[i:] for i in range(n)), strict=False))
    if len(set(grams)) == len(grams):
        return 0
    seen: set[tuple[str, ...]] = set()

    def is_again(place: int) -> bool:
        gram = grams[place]
        if gram in seen:
            return True
        seen.add(gram)
        return False

    return _chars(words, n, is_again)


def _chars(words: Sequence[str], n: int, is_counted: Callable[[int], bool]) -> int:
    """Return the characters of the runs of ``n`` words that count, from the first on; none overlaps another."""
    place = chars = 0
    while place <= len(words) - n:
        if is_counted(place):
            chars += sum(map(len, words[place : place + n]))
            place += n
        else:
            place += 1
    return chars


def c4(lines: Sequence[str], text: str) -> dict[str, Any]:
    """Return the columns of Raffel et al. (2020), section 2.2; sentences end as those of any script do.

    >>> c4(["渡轮今天中午开航。", "更多"], "")["c4Lines"]
    0.5
    """
    kept = [line.rstrip() for line in lines if _is_kept(line.rstrip())]
    n_sentences = sum(max(1, len(_SENTENCE.findall(line))) for line in kept)
    placeholder = _PLACEHOLDER.search(text) is not None
    return {
        "c4Lines": _share(len(kept), len(lines)),
        "c4Sentences": n_sentences,
        "c4Placeholder": placeholder,
        "c4Passes": n_sentences >= 3 and not placeholder,
    }


def _is_kept(line: str) -> bool:
    is_whole = _ENDED.search(line) is not None and not line.endswith(_ELLIPSIS)
    return is_whole and len(_WORD.findall(line)) >= LEAST_LINE and "javascript" not in line.lower()


def language_score(text: str, code: str | None) -> float | None:
    """Return the probability of a language; None for a text without letters, and a language that is not known."""
    if not any(map(str.isalpha, text[:SAMPLE])):
        return None
    scores = dict(_identifier().rank(text[:SAMPLE]))
    return round(float(max(scores.values()) if code is None else scores.get(code, 0.0)), 4)


SAMPLE: Final = 10_000


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415  4.6 MB of model

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
