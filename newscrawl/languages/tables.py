"""The files of languages, each read once a process, when it is first asked for.

``NEWSCRAWL_LANGUAGES`` in the environment names a folder of further files; one of a code that is there replaces it.
Files are TOML, lines of words alone, which is read twenty times faster than TOML in general: all languages are read
where a page's language is not known. A file with anything else in it is left to :mod:`tomllib`.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from newscrawl.languages.model import Language, language_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable


_LINE: Final = re.compile(
    r"""
    \[ (?P<table> \w+ (?: \.\w+ )? ) \]
    | (?P<key> [\w-]+ | "[^"\\\n]+" ) \ =\ (?:
        '''\n? (?P<lines> (?s:.*?) ) '''
        | '(?P<text> [^'\n]* )'
        | "(?P<quoted> [^"\\\n]* )"
        | \[ (?P<list> (?: (?: '[^'\n]*' | "[^"\\\n]*" ) (?: ,\  )? )* ) \]
        | (?P<number> -?\d+ )
    )
    | \#[^\n]*
    |
    """,
    re.VERBOSE,
)
_ITEM: Final = re.compile(r"""'([^']*)'|"([^"]*)\"""")


def read_toml(text: str) -> dict[str, Any]:
    r"""Return what a file says.

    :raises tomllib.TOMLDecodeError: for what is no TOML.

    >>> read_toml("name = 'German'\n[links]\nnext = 'weiter | nächste'\n")
    {'name': 'German', 'links': {'next': 'weiter | nächste'}}
    """
    found: dict[str, Any] = {}
    table = found
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        at = line.end() + 1 if line is not None else at
        if line is None or (at <= len(text) and text[at - 1] != "\n"):
            return tomllib.loads(text)
        if line["table"]:
            table = found
            for name in line["table"].split("."):
                table = table.setdefault(name, {})
        elif line["key"]:
            table[line["key"].strip('"')] = _value(line)
    return found


def _value(line: re.Match[str]) -> Any:
    if line["number"] is not None:
        return int(line["number"])
    if line["list"] is not None:
        return [one or other for one, other in _ITEM.findall(line["list"])]
    return next(line[kind] for kind in ("text", "lines", "quoted") if line[kind] is not None)


FOLDER_VARIABLE: Final = "NEWSCRAWL_LANGUAGES"
_SUFFIX: Final = ".toml"
_FIRST: Final = """
en de fr es pt it nl sv da no ru uk bg pl cs sk hr sr sl hu ro tr id ms el fi is lt lv et sq ca sw be mk kk az
uz gl af tl ka hy mr ar fa he ur hi bn
""".split()
"""Languages whose meaning of a word counts before that of others; the rest follows by code."""
_OTHER_CODES: Final = {
    "nb": "no",
    "nn": "no",
    "fil": "tl",
    "iw": "he",
    "in": "id",
    "prs": "fa",
    "yue": "zh",
    "cmn": "zh",
}


@cache
def _files() -> Mapping[str, Traversable]:
    """Return code → file, those of the user's folder last."""
    own = os.environ.get(FOLDER_VARIABLE)
    folders: list[Traversable] = [files(__package__), *([Path(own)] if own else [])]
    found = {file.name: file for folder in folders for file in folder.iterdir() if file.name.endswith(_SUFFIX)}
    return {name.removesuffix(_SUFFIX): found[name] for name in sorted(found)}


@cache
def language(code: str | None) -> Language | None:
    """Return the table of a language, None for one without a file."""
    name = _OTHER_CODES.get(code or "", code or "")
    file = _files().get(name)
    if file is None:
        return None
    try:
        return language_of(name, read_toml(file.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from error


@cache
def languages() -> tuple[Language, ...]:
    """Return all languages, those first whose meaning of a word counts first."""
    codes = [code for code in _FIRST if code in _files()]
    codes += [code for code in _files() if code not in codes]
    return tuple(table for code in codes if (table := language(code)) is not None)


def first_languages() -> tuple[str, ...]:
    """Return the codes of the languages whose meaning of a word counts first."""
    return tuple(_FIRST)


@cache
def words(group: str) -> tuple[str, ...]:
    """Return the words of a group in all languages, each once."""
    return tuple(dict.fromkeys(word for table in languages() for word in table.words.get(group, ())))
