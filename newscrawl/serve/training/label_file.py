"""A user's own labels: ``labels.jsonl``, one JSON object a line, beside a folder of saved pages.

    {"page": "story.html", "xpath": "/html/body/div[3]", "label": "main"}

``page`` is a file of the folder, ``xpath`` selects elements (or text nodes) of it, ``label`` is ``main``, ``related``
or ``other``. A label holds for the whole subtree, unless an XPath deeper in the tree says otherwise; what no XPath
covers is not labelled. ``url``, the page's address, may stand on any line of the page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from newscrawl.classify.lines.model import judge_lines
from newscrawl.console.files import read_text
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from newscrawl.classify.verdict import Verdict

PAGE_SUFFIXES: Final = (".html", ".htm")
#: The last one counts where a node has several labels.
_ORDER: Final = (BlockLabel.MAIN, BlockLabel.OTHER, BlockLabel.RELATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPage:
    name: str
    document: Document
    labels: tuple[tuple[str, BlockLabel], ...] = ()
    """XPath and label; of two for one node the later one counts."""
    judge: Callable[[Document], Verdict] = judge_lines
    """What judges its lines before the labels do."""

    @property
    def verdict(self) -> Verdict:
        return self.document.once(self.judge)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    number: int
    page: str
    xpath: str
    label: BlockLabel
    url: str | None


def read_user_pages(folder: Path, labels: Path | None) -> tuple[list[UserPage], list[str]]:
    """Return the pages of ``folder``, sorted by name, and the mistakes in ``labels``, one line each.

    :param labels: None: there are none.

    :raises UserError: if the folder or the file is missing, or there is no page.
    """
    names = page_names(folder)
    lines, mistakes = _read(labels, names) if labels is not None else ([], [])
    of_page: dict[str, list[_Line]] = {}
    for line in lines:
        of_page.setdefault(line.page, []).append(line)
    pages = []
    for name in names:
        found = of_page.get(name, [])
        url = next((line.url for line in found if line.url), None)
        document = Document.from_html((folder / name).read_bytes(), url)
        wrong = list(_unmatched(document, found))
        mistakes += [(line.number, what) for line, what in wrong]
        good = [line for line in found if line not in [line for line, _ in wrong]]
        said = sorted(((line.xpath, line.label) for line in good), key=lambda pair: _ORDER.index(pair[1]))
        pages.append(UserPage(name=name, document=document, labels=tuple(said)))
    return pages, [f"{labels.name}:{number}: {what}" for number, what in sorted(mistakes) if labels is not None]


def page_names(folder: Path) -> list[str]:
    """Return the names of the HTML files in ``folder``, sorted.

    :raises UserError: if there is none.
    """
    if not folder.is_dir():
        raise UserError(f"no folder {str(folder)!r}: --pages names a folder of saved HTML pages")
    names = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in PAGE_SUFFIXES and path.is_file())
    if not names:
        raise UserError(f"no page in {str(folder)!r}: expected files ending in {' or '.join(PAGE_SUFFIXES)}")
    return names


def _read(labels: Path, names: Iterable[str]) -> tuple[list[_Line], list[tuple[int, str]]]:
    what = f"labels {str(labels)!r}"
    text = read_text(labels, what=what, absent=f"no {what}")
    known = frozenset(names)
    lines: list[_Line] = []
    mistakes: list[tuple[int, str]] = []
    for number, content in enumerate(text.splitlines(), start=1):
        if not content.strip():
            continue
        try:
            lines.append(_line(number, content, known))
        except UserError as error:
            mistakes.append((number, str(error)))
    return lines, mistakes


def _line(number: int, content: str, known: frozenset[str]) -> _Line:
    try:
        record: Any = json.loads(content)
    except ValueError as error:
        raise UserError(f"not JSON: {error}") from error
    if not isinstance(record, dict):
        raise UserError(f"{content[:40]!r} is not an object with page, xpath and label")
    for name in ("page", "xpath", "label"):
        if not isinstance(record.get(name), str) or not record[name].strip():
            raise UserError(f"{name} is {record.get(name)!r}: expected a text")
    if record["page"] not in known:
        raise UserError(f"no page {record['page']!r} in the folder")
    accepted = [label.value for label in BlockLabel]
    if record["label"] not in accepted:
        raise UserError(f"label is {record['label']!r}: one of {', '.join(accepted)}")
    url = record.get("url")
    if url is not None and not isinstance(url, str):
        raise UserError(f"url is {url!r}: expected a text")
    return _Line(number=number, page=record["page"], xpath=record["xpath"], label=BlockLabel(record["label"]), url=url)


def _unmatched(document: Document, lines: Iterable[_Line]) -> Iterable[tuple[_Line, str]]:
    for line in lines:
        try:
            selected = document.root.xpath(line.xpath) if document.root is not None else []
        except etree.XPathError as error:
            yield line, f"xpath {line.xpath!r}: {error}"
            continue
        if not isinstance(selected, list) or not selected:
            hint = ": browsers add tbody, the file has none" if "/tbody" in line.xpath else ""
            yield line, f"xpath {line.xpath!r} selects nothing in {line.page!r}{hint}"
