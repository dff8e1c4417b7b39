"""One file an article: Markdown, text, HTML or JSON, in folders by site and day, with all its facts.

    example/2024/05/30/the-bridge-opens-1f0c9a.md

The name is made of the address, or of the headline where the address says nothing, and six digits of the address's
hash: two articles never share one, and an article always has the same. Names hold letters, digits and hyphens, are in
lower case and short, so that any file system takes them.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import blake2b
from html import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from newscrawl.exceptions import UserError
from newscrawl.extract.formats.output import as_html, as_markdown, body_parts
from newscrawl.items import iso
from newscrawl.languages.characters import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    Row = Mapping[str, Any]

MAX_NAME: Final = 60
"""Characters of a name before its hash."""
MAX_BYTES: Final = 120
"""Bytes of it in UTF-8: a name of 255 bytes is the most that file systems take."""
UNDATED: Final = "undated"
"""Folder in place of year, month and day."""
BODIES: Final = frozenset({"articleBody", "articleBodyHtml", "articleBodyMarkdown"})
_OTHER: Final = re.compile(r"[\W_]+")
_RESERVED: Final = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names of devices, which Windows takes for no file."""
_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_UNPRINTED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
"""Characters that YAML does not take as they are."""


def path_of(row: Row, form: str) -> PurePosixPath:
    """Return the file of an article below the folder of all: ``site/2024/05/30/name.md``.

    :param row: by field name; ``url``, ``site``, ``headline`` and ``datePublished`` count.
    """
    day = _DAY.match(iso(row.get("datePublished") or ""))
    folders = day.groups() if day else (UNDATED,)
    site = safe_name(row.get("site") or urlsplit(row["url"]).hostname or "") or "site"
    digits = blake2b(row["url"].encode("utf-8", "replace"), digest_size=3).hexdigest()
    return PurePosixPath(site, *folders, f"{_slug(row)}-{digits}.{form}")


def _slug(row: Row) -> str:
    steps = [step for step in unquote(urlsplit(row["url"]).path, errors="replace").split("/") if step]
    words = safe_name(steps[-1].partition(".")[0]) if steps else ""
    told = [word for word in words.split("-") if word.isalpha()]  # not a number, nor a code of letters and digits
    if len(told) > 1 or (told and not told[0].isascii()):
        return words
    return safe_name(row.get("headline") or "") or words or "article"


def safe_name(text: str) -> str:
    """Return a name that any file system takes; ``""`` where nothing is left.

    >>> safe_name("  The Bridge: “open” at last?  "), safe_name("城市轨道/交通"), safe_name("../.."), safe_name("NUL")
    ('the-bridge-open-at-last', '城市轨道-交通', '', 'nul-')
    """
    plain = normalize(text.replace("\ufffd", " "), "NFC").lower()
    name = _OTHER.sub("-", plain).strip("-")[:MAX_NAME]
    name = name.encode("utf-8", "ignore")[:MAX_BYTES].decode("utf-8", "ignore").strip("-")
    return f"{name}-" if _RESERVED.fullmatch(name) else name


def write_article(row: Row, folder: Path, form: str) -> Path:
    """Write an article's file and return its path.

    A file that is there with another text keeps it under the next number: ``name.1.md``.

    :raises UserError: it cannot be written.
    """
    path = folder / path_of(row, form)
    text = FORMATS[form](row)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not _has_text(path, row):
            path.rename(_next_free(path))
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        part.write_text(text, encoding="utf-8", errors="replace")
        part.replace(path)
    except OSError as error:
        raise UserError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    return path


def _has_text(path: Path, row: Row) -> bool:
    known = path.read_text(encoding="utf-8", errors="replace")
    return not row.get("contentHash") or str(row["contentHash"]) in known


def _next_free(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    return kept


def write_article_files(rows: Iterable[Row], folder: Path, form: str) -> int:
    """Write a file for each row; return how many."""
    n = 0
    for row in rows:
        write_article(row, folder, form)
        n += 1
    return n


# --- formats -----------------------------------------------------------------------------------------------


def facts_of(row: Row) -> dict[str, Any]:
    """Return what an article says beside its text; what it does not say is left out."""
    return {name: value for name, value in row.items() if name not in BODIES and value not in (None, "", [], {}, ())}


def _front_matter(row: Row) -> str:
    """Return the facts between ``---``: YAML, each value as JSON writes it."""
    lines = [f"{name}: {_value(value)}" for name, value in facts_of(row).items()]
    return "\n".join(["---", *lines, "---", ""])


def _value(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=iso)
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _markdown(row: Row) -> str:
    body = row.get("articleBodyMarkdown") or as_markdown(body_parts(row["articleBody"] or "", None, None))
    title = as_markdown(body_parts(row.get("headline") or "", None, None))
    return "\n".join([_front_matter(row), *([f"# {title}", ""] if title else []), body, ""])


def _text(row: Row) -> str:
    title = row.get("headline")
    return "\n".join([_front_matter(row), *([title, ""] if title else []), row["articleBody"] or "", ""])


def _html(row: Row) -> str:
    body = row.get("articleBodyHtml") or as_html(body_parts(row["articleBody"] or "", None, None))
    title, language = escape(row.get("headline") or row["url"]), escape(row.get("inLanguage") or "")
    facts = json.dumps(facts_of(row), ensure_ascii=False, indent=1, default=iso).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<script type="application/json" id="facts">\n{facts}\n</script>\n</head>\n<body>\n<article dir="auto">\n'
        f"<h1>{title}</h1>\n{body}\n</article>\n</body>\n</html>\n"
    )


def _json(row: Row) -> str:
    return json.dumps(dict(row), ensure_ascii=False, indent=1, default=iso) + "\n"


FORMATS: Final[Mapping[str, Callable[[Row], str]]] = {"md": _markdown, "txt": _text, "html": _html, "json": _json}
"""Ending of a file → what writes an article so."""
