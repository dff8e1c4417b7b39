"""The sources of the documentation's site: the project's pages and what they link to, with the links checked.

``python -m lab.docs_site FOLDER`` copies them, and fails where a link leads nowhere.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
_PAGES: Final = ("*.md", "docs/*.md", "deploy/*.md", "data/**/*.md")
_LINK: Final = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)
_CODE: Final = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Return the Markdown pages of the project, sorted."""
    return sorted({path for pattern in _PAGES for path in ROOT.glob(pattern)})


def targets(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Give each link of a page to a file of the project: as written, the file, and the heading behind ``#``."""
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        if "://" not in link and not link.startswith("mailto:"):
            name, _, anchor = link.partition("#")
            yield link, (page.parent / unquote(name)).resolve() if name else page, anchor


def mistakes() -> list[str]:
    """Return a line for each link that leads nowhere."""
    found = []
    for page in pages():
        for link, path, anchor in targets(page):
            if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
                found.append(f"{page.relative_to(ROOT)}: {link} leads nowhere")
    return found


def anchors(page: Path) -> set[str]:
    """Return what the headings of a page are linked by."""
    titles = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\s-]", "", title).strip().lower().replace(" ", "-") for title in titles}


def copy(folder: Path) -> None:
    """Copy the pages and the files that they link to, where they stand in the project."""
    shutil.rmtree(folder, ignore_errors=True)
    wanted = pages()
    wanted += [path for page in wanted for _, path, _ in targets(page)]
    for path in dict.fromkeys(wanted):
        if path.is_file():
            place = folder / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


if __name__ == "__main__":
    copy(Path(sys.argv[1]))
    sys.exit("\n".join(mistakes()) or 0)
