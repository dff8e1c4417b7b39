"""What the forms of a word have in common, by the Snowball algorithms for languages that put spaces between words."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ALGORITHMS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
COMPOUNDING: Final = frozenset({"da", "de", "fi", "hu", "nl", "no", "sv"})
"""Languages that write compounds as one word."""
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
