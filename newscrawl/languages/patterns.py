"""Regular expressions over word lists of all languages, compiled at their first use."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from newscrawl.languages.tables import language, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet


_GROUP: Final = r"(?:[a-z]{2,3}:)?[a-z]+\.[a-z_]+"
_PLACE: Final = re.compile(rf"\{{(~?)({_GROUP}(?:,{_GROUP})*)\}}")
_SPACELESS: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Thai, Lao, Burmese, Khmer, kana, ideographs, Hangul: words are not set apart, or endings are joined to them."""
_OPEN: Final = re.compile(f"[\\W{_SPACELESS}]")
_INDIC: Final = re.compile("[\u0900-\u0dff]")
_IDEOGRAPH: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_ANY_END: Final = r"\w*"
_END: Final = r"\b"
"""Behind a letter, the same as ``(?!\\w)``, and compiled in a fifth of the time."""
_INDIC_END: Final = r"(?![\w\u0900-\u0963\u0970-\u0dff])"
"""Vowel signs of India's scripts are no letters to regular expressions."""
_ENDS: Final = (_ANY_END, _END, _INDIC_END)
_NEVER: Final = "(?!)"
_AT_START: Final = ("match", "fullmatch")
_METHODS: Final = (*_AT_START, "search", "finditer", "findall", "split", "sub")

N_BEGUN: Final = 5
"""Letters of a word by which it is looked for first."""
MAX_BEGINNINGS: Final = 20_000
"""Beginnings of texts whose patterns are kept."""
_FIRST_WORD: Final = re.compile(rf"[\W_]*(\w{{1,{N_BEGUN}}})")

Trie = dict[str, "Trie"]
_escape: Final = lru_cache(maxsize=4096)(re.escape)


def fold_case(text: str) -> str:
    """Return a key that is the same for all spellings that patterns without case take for one.

    >>> fold_case("MAYIS") == fold_case("mayıs"), fold_case("χρόνος") == fold_case("ΧΡΌΝΟΣ")
    (True, True)
    """
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i").replace("\u03c2", "\u03c3")


class WordPattern:
    """A regular expression in which ``{people.by}`` stands for the words of that group.

    ``{people.by,people.label}`` stands for those of two groups, ``{zh:people.author}`` for those of one language. A
    word begins and ends where words do. A star before or behind it lets it begin or end within a word, a star inside
    stands for any word. Between ideographs a space stands for one or none. ``{~dates.hour}`` stands for signs: they may
    touch other letters. The methods are those of
    :class:`re.Pattern`.
    """

    if TYPE_CHECKING:
        search: Any
        match: Any
        fullmatch: Any
        finditer: Any
        findall: Any
        split: Any
        sub: Any

    def __init__(self, template: str, flags: re.RegexFlag = re.NOFLAG, *, is_led: bool = False) -> None:
        """Keep the template.

        :param is_led: whether what matches begins with one of the words, signs before it aside: with those of the first
            place, or of one behind a bar. A text is then matched by a pattern of the words that begin as it does. Few
            texts begin so, and the pattern of all words compiles slowly.
        """
        self.template, self.flags, self.is_led = template, flags, is_led
        self._by_beginning: dict[str, re.Pattern[str] | None] = {}

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern, and keep its methods."""
        if name not in _METHODS:
            raise AttributeError(name)
        if self.is_led and name in _AT_START:
            setattr(self, name, partial(self._led_match, name))
        else:
            compiled = re.compile(self.filled(), self.flags)
            for method in _METHODS[self.is_led * len(_AT_START) :]:
                setattr(self, method, getattr(compiled, method))
        return getattr(self, name)

    def _led_match(self, method: str, text: str, at: int = 0) -> re.Match[str] | None:
        first, known = _FIRST_WORD.match(text, at), self._by_beginning
        begun = first[1] if first else ""
        if begun not in known:
            if len(known) >= MAX_BEGINNINGS:
                known.clear()
            whole, open_ended = self._leads
            letters = fold_case(begun)
            fit = [*whole.get(letters, ())]
            for size in range(N_BEGUN + 1) if open_ended else ():
                fit += open_ended.get(letters[:size], ())
            known[begun] = re.compile(self.filled(frozenset(fit)), self.flags) if fit else None
        pattern = known[begun]
        found: re.Match[str] | None = getattr(pattern, method)(text, at) if pattern else None
        return found

    @cached_property
    def _leads(self) -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
        """The words by their first letters: those that end or are enough, and those behind which a word may go on."""
        whole, open_ended = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for groups, is_first in self._places():
            for word in chain.from_iterable(map(_said, groups)) if is_first else ():
                first = _FIRST_WORD.match(word)
                letters = first[1] if first else ""
                rest = word[first.end() :] if first else ""
                may_go_on = len(letters) < N_BEGUN and (rest[:1] == "*" or _OPEN.match(letters[-1:]) is not None)
                (open_ended if may_go_on or not letters else whole)[fold_case(letters)].append(word)
        return whole, open_ended

    def _places(self) -> Iterator[tuple[Sequence[str], bool]]:
        """Yield the groups of each place of the template, and whether what matches may begin there."""
        end = 0
        for place in _PLACE.finditer(self.template):
            yield place[2].split(","), not end or "|" in self.template[end : place.start()]
            end = place.end()

    def filled(self, fit: AbstractSet[str] | None = None) -> str:
        """Return the template with the words in their places: in lower case where case does not count.

        :param fit: the words that count where what matches begins; all if None.
        """
        to_case = str.lower if self.flags & re.IGNORECASE else str
        places = self._places()

        def put(place: re.Match[str]) -> str:
            groups, is_first = next(places)
            asked = fit if is_first else None
            found = [to_case(word) for group in groups for word in _said(group) if asked is None or word in asked]
            return signs(found) if place[1] else alternatives(found)

        return _PLACE.sub(put, self.template)


def _said(group: str) -> Sequence[str]:
    """Return the words of a group, or those that one language has of it."""
    code, _, name = group.rpartition(":")
    table = language(code) if code else None
    return table.words.get(name, ()) if table is not None else () if code else words(name)


def alternatives(found: Iterable[str], *, may_go_on: bool = False) -> str:
    """Return a pattern that matches each of the words, the longest first where one begins another.

    :param may_go_on: let the words end within a word.

    >>> re.findall(alternatives(["von", "vom", "veröffentlich*"]), "Vom Haus, davon, vom Ort, veröffentlicht")
    ['vom', 'veröffentlicht']
    """
    pieces = map(_pieces, found)
    return _joined([piece for piece in one if piece not in _ENDS] for one in pieces) if may_go_on else _joined(pieces)


def signs(found: Iterable[str]) -> str:
    """Return a pattern that matches each of the words wherever it stands.

    >>> re.findall(signs(["h", "Uhr"]), "12h30, 14Uhr")
    ['h', 'Uhr']
    """
    return _joined([*map(re.escape, word.strip("*")), *([_ANY_END] if word.endswith("*") else ())] for word in found)


def _joined(found: Iterable[Iterable[str]]) -> str:
    trie: Trie = {}
    for pieces in found:
        node = trie
        for piece in pieces:
            node = node.setdefault(piece, {})
        node[""] = {}
    return f"(?:{_pattern(trie)})" if trie else _NEVER


def _pieces(word: str) -> Iterator[str]:
    """Yield the parts of a word's pattern: its characters, and what stands at its ends."""
    bare = word.strip("*")
    has_ideographs = _IDEOGRAPH.search(bare) is not None
    for number, char in enumerate(bare):
        piece = r"\w+" if char == "*" else r"\s*" if char == " " and has_ideographs else _escape(char)
        is_start = number == 0 and not word.startswith("*") and not _OPEN.match(char)
        yield rf"{piece}(?<!\w{piece})" if is_start else piece
    if word.endswith("*"):
        yield _ANY_END
    elif not _OPEN.match(bare[-1]):
        yield _INDIC_END if _INDIC.match(bare) else _END


def _pattern(trie: Trie) -> str:
    """Return the branches of a trie, its own end last."""
    pieces = sorted(trie, key=_ENDS.__contains__)  # the longest first
    branches = []
    for piece in filter(None, pieces):
        straight, node = piece, trie[piece]
        while len(node) == 1:
            [(following, node)] = node.items()
            straight += following
        branches.append(f"{straight}(?:{_pattern(node)})" if node else straight)
    return "|".join([*branches, ""] if "" in trie else branches)
