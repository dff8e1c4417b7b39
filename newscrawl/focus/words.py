"""Words of a text: its terms, hashed for tables, and a topic's keywords in it."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final

from newscrawl.languages.characters import SPACELESS, SPACELESS_LETTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from newscrawl.focus.topic import Topic

HASH_BITS: Final = 18
N_HASHES: Final = 1 << HASH_BITS

_RUNS: Final = re.compile(r"[㐀-鿿぀-ヿ豈-﫿]+|[^\W_㐀-鿿぀-ヿ豈-﫿]+(?:[+#]+)?")
_IDEOGRAPH: Final = re.compile(r"[㐀-鿿぀-ヿ豈-﫿]")
MAX_WORD: Final = 30
_LETTER: Final = rf"[^\W\d_{SPACELESS}]"
COMPOUNDING: Final = frozenset({"da", "de", "fi", "hu", "nl", "no", "sv"})
"""Languages that write compounds as one word."""


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, repeated as often as they stand there.

    Ideographs give overlapping pairs, so that no segmentation is needed; a word of another script is itself in
    lower case, an English plural without its ``s``. Bare numbers and single letters are left out.

    >>> terms("苹果手机 and 3 Phones")
    ['苹果', '果手', '手机', 'and', 'phone']
    """
    found = []
    for run in _RUNS.findall(text.lower()):
        if _IDEOGRAPH.match(run):
            found += [run[i : i + 2] for i in range(len(run) - 1)]
        elif len(run) > 1 and not run.isdecimal():
            found.append(stem(run[:MAX_WORD]))
    return found


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """Return an English noun's singular; other words as they are.

    >>> stem("phones"), stem("stories"), stem("news"), stem("glass")
    ('phone', 'story', 'news', 'glass')
    """
    if len(word) > 4 and word.endswith("ies") and word.isascii():
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "news", "os")) and word.isascii():
        return word[:-1]
    return word


@lru_cache(maxsize=1 << 16)
def term_hash(term: str) -> int:
    """Return the term's place in tables of ``N_HASHES`` rows: the same on every machine and in every run."""
    return zlib.crc32(term.encode("utf-8", "replace")) & (N_HASHES - 1)


@lru_cache(maxsize=8192)
def term_hashes(text: str) -> tuple[int, ...]:
    """Return the places of the different terms of a short text, in order of first appearance."""
    return tuple(term_hash(term) for term in dict.fromkeys(terms(text)))


_JOINTS: Final = re.compile(r"[\s_-]")
_JOINED: Final = re.compile(r"(?<!\w)#\w{4,}|\b[A-Z][a-z]+(?:\d*[A-Z][a-z]+){2,}")
"""Words without space between: of a hashtag, or three and more that begin with capitals. Two are a name (WordPress)."""
MAX_KNOWN: Final = 8192
"""Short texts remembered: anchors and headings come again and again."""
LEAST_STEM: Final = 3
LEAST_IN_COMPOUND: Final = 5
"""Shorter words stand in others by chance."""


class KeywordMatcher:
    """Counts mentions. Ideographs match anywhere; other words match as whole words.

    A word in lower case matches in all its forms, ``tour`` in "touring"; one with a capital is a name and matches in
    its plural alone, as ``Windows`` is no window, except in German, where all nouns have one. In languages that write
    compounds as one word, a keyword also matches at the beginning and the end of one.
    """

    def __init__(self, topic: Topic) -> None:
        self._weights: dict[str, float] = {}
        self._names: dict[str, str] = {}
        given = [(word, keyword) for keyword in topic.keywords for word in (keyword.term, *keyword.synonyms)]
        self.languages = languages_of([word for word, _ in given], topic.languages)
        #: Language, stem and keyword.
        self._stems: list[tuple[str, str, str]] = []
        inflected: dict[str, list[str]] = {}
        for word, keyword in given:
            self._names.setdefault(_bare(word), keyword.term)
            self._weights.setdefault(keyword.term, keyword.weight)
            if _has_forms(word, self.languages):
                stems = [stem_in(_bare(word), language) for language in self.languages]
                self._stems += [
                    (language, stem_, keyword.term) for language, stem_ in zip(self.languages, stems, strict=True)
                ]
                inflected[word.lower()] = stems
        bare = [(_bare(word), keyword.term) for word, keyword in given if word.lower() in inflected]
        joins = not COMPOUNDING.isdisjoint(self.languages)
        self._compounds = [(part, name) for part, name in bare if joins and len(part) >= LEAST_IN_COMPOUND]
        self._pattern = _pattern([word.lower() for word, _ in given], inflected)
        self._in_compounds = _compounds([part for part, _ in self._compounds])
        self._heads = sorted({_head(word.lower(), inflected.get(word.lower())) for word, _ in given})
        """What each keyword and all its forms begin with: a text with none of it mentions nothing."""
        self.distinct_weight = lru_cache(maxsize=MAX_KNOWN)(self._distinct_weight)
        self._exclusions = _pattern([word.lower() for word in topic.exclusions])

    def counts(self, text: str) -> Counter[str]:
        """Return keyword → mentions of it or a synonym."""
        return Counter(self._mentions(text))

    def _mentions(self, text: str) -> list[str]:
        if self._pattern is None or not text:
            return []
        given, text = text, text.lower()
        if not any(head in text for head in self._heads):
            return []
        joined = _JOINED.findall(given)
        found = [name for word in self._pattern.findall(text) if (name := self._name_of(_bare(word)))]
        for words in joined:
            if not self._mentions(words.lower().lstrip("#")):
                found += self._mentions(words_of_joined(words).lower())
        if self._in_compounds is not None:
            found += [name for word in self._in_compounds.findall(text) if (name := self._name_in(word))]
        return found

    def _name_of(self, bare: str) -> str | None:
        """Return the keyword that a word is, or is a form of."""
        name = self._names.get(bare)
        if name is None:
            for language, stem_, keyword in self._stems:
                if stem_in(bare, language) == stem_:
                    return keyword
            name = self._names.get(bare.removesuffix("s")) or self._names.get(bare.removesuffix("es"))
        return name

    def _name_in(self, compound: str) -> str | None:
        if self._name_of(compound) is not None:
            return None  # counted already
        return next((name for part, name in self._compounds if part in compound), None)

    def coverage(self, text: str) -> float:
        """Return the share of a short text's letters that keywords cover, 0..1: a label may be far wider than one.

        >>> from newscrawl.focus.topic import Keyword, Topic
        >>> matcher = KeywordMatcher(Topic(name="", keywords=(Keyword(term="law"), Keyword(term="法规"))))
        >>> matcher.coverage("Law"), matcher.coverage("政策法规"), matcher.coverage("Law and order")
        (1.0, 0.5, 0.2727272727272727)
        """
        if self._pattern is None:
            return 0.0
        letters = sum(map(str.isalnum, text))
        words = [word for word in self._pattern.findall(text.lower()) if self._name_of(_bare(word))]
        covered = sum(character.isalnum() for word in words for character in word)
        return min(1.0, covered / letters) if letters else 0.0

    def weight(self, counts: Counter[str]) -> float:
        """Return the weighted number of mentions."""
        return sum(self._weights[name] * count for name, count in counts.items())

    def _distinct_weight(self, text: str) -> float:
        """Return the weights of the different keywords in a short text, summed."""
        return sum((self._weights[name] for name in sorted(set(self._mentions(text)))), start=0.0)

    def has_exclusion(self, text: str) -> bool:
        return self._exclusions is not None and self._exclusions.search(text.lower()) is not None


def words_of_joined(joined: str) -> str:
    """Return words joined by capitals or digits apart.

    >>> words_of_joined("#OpJustice4Savannah"), words_of_joined("#МирВсем")
    ('Op Justice 4 Savannah', 'Мир Всем')
    """
    letters = joined.lstrip("#")
    apart = letters[:1]
    for before, letter in pairwise(letters):
        is_joint = (letter.isupper() and not before.isupper()) or before.isdigit() != letter.isdigit()
        apart += f" {letter}" if is_joint else letter
    return apart


def _has_forms(word: str, languages: Sequence[str]) -> bool:
    """Tell whether a keyword is no name: names have no forms but a plural."""
    letters = _JOINTS.sub("", word)
    is_word = letters.isalpha() and len(letters) >= LEAST_STEM and not SPACELESS_LETTER.search(word)
    return is_word and bool(languages) and (word.islower() or "de" in languages)


def _compounds(words: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of longer words that begin or end with one of the words."""
    parts = "|".join(sorted(map(re.escape, set(words)), key=lambda part: (-len(part), part)))
    word = rf"(?:{parts}){_LETTER}{{3,}}|{_LETTER}{{3,}}(?:{parts}){_LETTER}{{0,2}}(?!{_LETTER})"
    return re.compile(rf"(?<!{_LETTER})(?:{word})") if parts else None


def _bare(spelling: str) -> str:
    """Return what is the same for all ways to join the words of a phrase: ``cell phone``, ``cell-phone``."""
    return _JOINTS.sub("", spelling.lower())


def _pattern(words: Iterable[str], inflected: Mapping[str, Sequence[str]] | None = None) -> re.Pattern[str] | None:
    """Return a pattern whose matches are the words, or words that begin as they do; longer ones first.

    :param inflected: word → its stems, for words that have other forms.
    """
    stems = inflected or {}
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    parts = [
        f"{before}(?:{'|'.join(_expression(word, stems.get(word)) for word in group)}){after}"
        for (before, after), group in groupby(ordered, key=lambda word: _bounds(word, has_forms=word in stems))
    ]  # words apart would each look back at every place
    return re.compile("|".join(parts)) if parts else None


def _bounds(word: str, *, has_forms: bool) -> tuple[str, str]:
    """Return what must stand before and after a word."""
    if SPACELESS_LETTER.search(word):
        return "", ""
    before = rf"(?<!{_LETTER})(?<![0-9])" if word[0].isalnum() else ""
    after = "" if has_forms else rf"(?=(?:e?s)?(?!{_LETTER})(?![0-9]))" if word[-1].isalnum() else ""
    return before, after


def _expression(word: str, stems: Sequence[str] | None) -> str:
    spelt = re.escape(_kept(word, stems)).replace(r"\ ", r"[\s_-]?")
    return spelt if stems is None else rf"{spelt}{_LETTER}*"


def _head(word: str, stems: Sequence[str] | None) -> str:
    """Return the letters before the first joint that a word has in all its forms.

    >>> _head("cell phones", None), _head("stories", ["stori"])
    ('cell', 'stori')
    """
    return _JOINTS.split(_kept(word, stems))[0]


def _kept(word: str, stems: Sequence[str] | None) -> str:
    """Return what a word has in common with its stems."""
    if stems is None:
        return word
    common = min(_n_common(_bare(word), stem_) for stem_ in stems)
    dropped = min(len(_bare(word)) - common, len(_JOINTS.split(word)[-1]) - 1)
    return word[: len(word) - dropped]


def _n_common(first: str, second: str) -> int:
    """Return how many letters two words have in common before they differ."""
    pairs = zip(first, second, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


ALGORITHMS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
DEFAULT: Final = "en"
_SCRIPTS: Final = (("\u0370", "\u03ff", "el"), ("\u0400", "\u04ff", "ru"), ("\u0600", "\u06ff", "ar"))


def languages_of(words: Sequence[str], stated: Sequence[str]) -> tuple[str, ...]:
    """Return the languages whose forms of the words count: those stated, else what the script tells.

    >>> languages_of(["Выборы"], []), languages_of(["tour"], []), languages_of(["Tour"], ["de"])
    (('ru',), ('en',), ('de',))
    """
    known = tuple(language for language in stated if language in ALGORITHMS)
    if known or stated:
        return known
    letters = "".join(words).lower()
    by_script = tuple(code for first, last, code in _SCRIPTS if any(first <= c <= last for c in letters))
    return by_script or (DEFAULT,)


@lru_cache(maxsize=1 << 15)
def stem_in(word: str, language: str) -> str:
    """Return the stem of a word in lower case.

    >>> stem_in("touring", "en") == stem_in("tour", "en"), stem_in("tourism", "en") == stem_in("tour", "en")
    (True, False)
    """
    return _stemmer(language)(word)


@cache
def _stemmer(language: str) -> Callable[[str], str]:
    import snowballstemmer  # noqa: PLC0415 (half a hundred modules, of use to focused crawls alone)

    found: Any = snowballstemmer.stemmer(ALGORITHMS[language]).stemWord
    return lambda word: str(found(word))
