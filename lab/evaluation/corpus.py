"""Reader of a corpus: a folder for each set with ``index.jsonl`` and the saved pages beside it, gzipped or not.

There are two, ``corpus`` and ``corpus2``. They share names of sets, and sites, but no page.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lab.evaluation.gold import CLASSES, BlockGold
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

INDEX: Final = "index.jsonl"
SHARED_VARIABLE: Final = "NEWSCRAWL_SHARED"
SECOND: Final = "2"
"""What the folder of the second corpus has behind the name of the first."""
THIRD: Final = "3"
"""What that of the third one has: page types of many sites, and articles of systems that the others lack."""
GZIPPED: Final = ".gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What the makers of a set labelled; None, or an empty tuple, where they did not."""

    text: str | None = None
    must_have: tuple[str, ...] = ()
    """Snippets of the field ``with``."""
    must_not_have: tuple[str, ...] = ()
    """Snippets of the field ``without``."""
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    """ISO 8601, with the time where it is known."""
    blocks: BlockGold | None = None

    @property
    def has_snippets(self) -> bool:
        return bool(self.must_have or self.must_not_have)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPage:
    """A saved page and its labels. Only :meth:`read` and ``url`` may reach code that is measured."""

    id: str
    set: str
    path: Path
    url: str | None = None
    site: str | None = None
    """Registrable host; None where the source kept neither address nor host."""
    lang: str = ""
    """ISO 639-1."""
    page_type: str | None = None
    encoding: str = "utf-8"
    """Charset that decodes the bytes: a label too."""
    gold: Gold = field(default_factory=Gold)
    gold_origin: str | None = None
    gold_where: str | None = None
    """``"script"`` where the text stands only inside scripts, else ``"dom"`` or None."""
    extra: dict[str, Any] = field(default_factory=dict)

    def read(self) -> bytes:
        """Return the page's bytes as the site sent them."""
        stored = self.path.read_bytes()
        return gzip.decompress(stored) if self.path.suffix == GZIPPED else stored

    @property
    def corpus(self) -> str:
        """Name of the corpus's folder."""
        return self.path.parents[2].name

    @property
    def group(self) -> str:
        """The site; pages without a site stand alone."""
        return self.site or f"{self.set}/{self.id}"


def default_folder() -> Path:
    """``$NEWSCRAWL_SHARED/corpus``, else ``../shared/corpus``."""
    return Path(os.environ.get(SHARED_VARIABLE) or Path("..") / "shared") / "corpus"


def corpora(folder: Path) -> tuple[Path, ...]:
    """Return the folder of a corpus, and that of the second one where it stands beside it."""
    second = folder.with_name(folder.name + SECOND)
    return (folder, second) if second.is_dir() else (folder,)


def typed_corpora(folder: Path) -> tuple[Path, ...]:
    """Return the folders of all corpora with page types, where they stand beside the first."""
    third = folder.with_name(folder.name + THIRD)
    return (*corpora(folder), third) if third.is_dir() else corpora(folder)


def set_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the sets in ``folder``, sorted.

    :raises UserError: if the folder is missing or holds no set.
    """
    if not folder.is_dir():
        raise UserError(
            f"no corpus in {str(folder)!r}: give a folder that holds <set>/{INDEX}, or set {SHARED_VARIABLE}"
        )
    names = tuple(sorted(path.parent.name for path in folder.glob(f"*/{INDEX}")))
    if not names:
        raise UserError(f"no set in {str(folder)!r}: expected <set>/{INDEX}")
    return names


def load(
    folder: Path, sets: Sequence[str] | None = None, *, langs: Sequence[str] = (), limit: int | None = None
) -> tuple[CorpusPage, ...]:
    """Return the pages of ``sets`` (all when None) in the order of the index files.

    Records without a saved page (those of ``warc``) are left out.

    :param langs: keep only these languages; all when empty.
    :param limit: at most this many pages of each set.
    :raises UserError: if the folder, a set, a language or a record is wrong.
    """
    known = set_names(folder)
    wanted = known if sets is None else tuple(dict.fromkeys(sets))
    for name in wanted:
        if name not in known:
            raise UserError(f"unknown set {name!r}: one of {', '.join(known)}")
    pages: list[CorpusPage] = []
    for name in wanted:
        found = [page for page in _read_set(folder / name) if not langs or page.lang in langs]
        pages += found[:limit]
    if not pages:
        raise UserError(
            f"no page in sets {', '.join(wanted)!r}, languages {', '.join(langs) or 'all'!r}: "
            "expected sets with saved pages and ISO 639-1 codes such as zh, en"
        )
    return tuple(pages)


def load_all(folder: Path, sets: Sequence[str] | None = None, *, limit: int | None = None) -> tuple[CorpusPage, ...]:
    """Return the pages of ``sets`` (all when None) in ``folder`` and in the second corpus, where it stands beside it.

    :raises UserError: as :func:`load`, and for a set that is in neither.
    """
    pages: tuple[CorpusPage, ...] = ()
    if sets is None:
        return tuple(page for corpus in corpora(folder) for page in load(corpus, limit=limit))
    missing = set(sets)
    for corpus in corpora(folder):
        known = [name for name in sets if name in set_names(corpus)]
        missing.difference_update(known)
        pages += load(corpus, known, limit=limit) if known else ()
    if missing:
        raise UserError(f"no set {', '.join(sorted(missing))} in {', '.join(map(str, corpora(folder)))}")
    return pages


def digest(pages: Iterable[CorpusPage]) -> str:
    """Return a SHA-256 over the pages' names, bytes and labels, whatever their order."""
    lines = []
    for page in pages:
        labels = repr((page.url, page.site, page.lang, page.page_type, page.encoding, page.gold, page.extra))
        content = hashlib.sha256(page.read()).hexdigest()
        lines.append(f"{page.set}/{page.id} {content} {hashlib.sha256(labels.encode()).hexdigest()}")
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def _read_set(folder: Path) -> Iterator[CorpusPage]:
    index = folder / INDEX
    with index.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                if record.get("html"):
                    yield _page(record, folder)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                detail = f"no {error}" if isinstance(error, KeyError) else str(error)
                raise UserError(f"{index}:{number} is not a page record: {detail}") from error


def _page(record: dict[str, Any], folder: Path) -> CorpusPage:
    path = folder / record["html"]
    if folder.resolve() not in path.resolve().parents or not path.is_file():
        raise ValueError(f"no such page file: {record['html']}")
    return CorpusPage(
        id=record["id"],
        set=folder.name,
        path=path,
        url=record.get("url"),
        site=record.get("site"),
        lang=record.get("lang") or "",
        page_type=record.get("page_type"),
        encoding=record.get("encoding") or "utf-8",
        gold=_gold(record.get("gold") or {}),
        gold_origin=record.get("gold_origin"),
        gold_where=record.get("gold_where"),
        extra=record.get("extra") or {},
    )


def _gold(labels: dict[str, Any]) -> Gold:
    author = labels.get("author")
    authors = author if isinstance(author, list) else (author or "").split(";")
    blocks = labels.get("blocks")
    return Gold(
        text=labels.get("text"),
        must_have=tuple(labels.get("with") or ()),
        must_not_have=tuple(labels.get("without") or ()),
        title=labels.get("title"),
        authors=tuple(name.strip() for name in authors if name.strip()),
        date=labels.get("date"),
        blocks=BlockGold(**{name: tuple(blocks.get(name) or ()) for name in CLASSES}) if blocks else None,
    )


def site_fold(group: str, n_folds: int) -> int:
    """Return the fold of a site, ``0 .. n_folds - 1``: the same in every set, whatever the other sites are."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % n_folds
