"""Which WARC files a batch reads: files, addresses, and lists of them as Common Crawl publishes for each month.

A list names a file a line. Common Crawl's lists name files below the root of its bucket; a mirror of it has the same
folders below a root of its own.
"""

from __future__ import annotations

import gzip
import re
import tempfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

COMMON_CRAWL: Final = "https://data.commoncrawl.org"
_MONTH: Final = re.compile(r"cc-news:(\d{4})-(0[1-9]|1[0-2])")
_LISTS: Final = (".paths", ".paths.gz", ".txt", ".txt.gz")
#: Silence of a server after which a fetch fails.
_SECONDS: Final = 60


def archives_of(names: Iterable[str], root: str | None = None) -> list[str]:
    """Return the paths and addresses of all WARC files that are named, each once.

    :param names: WARC files, lists of them (``.paths``, ``.txt``, also with ``.gz``), months as ``cc-news:2026-05``.
    :param root: what months and the lines of lists are below; None: Common Crawl's server, and where the list lies.
    :raises UserError: a list cannot be read, names nothing, or leads from a server to files of this machine.
    """
    found: list[str] = []
    for name in names:
        month = _MONTH.fullmatch(name)
        if month is None and name.startswith("cc-news:"):
            raise UserError(f"{name!r} is no month; accepted: e.g. cc-news:2026-05")
        if month is not None:
            name = f"{(root or COMMON_CRAWL).rstrip('/')}/crawl-data/CC-NEWS/{month[1]}/{month[2]}/warc.paths.gz"  # noqa: PLW2901
        found += _names_in(name, root) if name.endswith(_LISTS) else [name]
    return list(dict.fromkeys(found))


def local_path(name: str) -> Path | None:
    """Return where a file of this machine is; None for an address that fsspec opens."""
    scheme, colon, rest = name.partition("://")
    if colon and scheme != "file":
        return None
    return Path(rest if colon else name)


def _names_in(name: str, root: str | None) -> list[str]:
    with local_copy(name) as path:
        try:
            data = path.read_bytes()
            lines = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode().splitlines()
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise UserError(f"cannot read the list {name!r}: {getattr(error, 'strerror', None) or error}") from None
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not found:
        raise UserError(f"the list {name!r} names no WARC file; accepted: one path or address a line")
    return [_resolve(line, name, root) for line in found]


def _resolve(line: str, listed_in: str, root: str | None) -> str:
    """Return where a list's file is: below the root, or below the folder that makes one path of both.

    >>> _resolve("cc/05/a.warc.gz", "/mirror/cc/05/warc.paths.gz", None), _resolve("a.warc", "/mirror/all.txt", None)
    ('/mirror/cc/05/a.warc.gz', '/mirror/a.warc')
    """
    if "://" in line or line.startswith("/"):
        if local_path(listed_in) is None:
            raise UserError(f"the list {listed_in!r} leads to {line!r}; accepted: paths below its own server")
        return line
    folder = listed_in.rpartition("/")[0]
    if root is not None:
        folder = root.rstrip("/")
    elif below := line.rpartition("/")[0]:
        folder = f"/{folder}".removesuffix(f"/{below}")[1:]
    return f"{folder}/{line}" if folder or listed_in.startswith("/") else line


@contextmanager
def local_copy(
    name: str, copy: Path | None = None, progress: Callable[[int], object] = lambda _bytes: None
) -> Iterator[Path]:
    """Give a file of this machine: the path itself, or a copy of what fsspec opens, gone afterwards.

    :param copy: where the copy lies meanwhile; None: the system's folder for such files.
    :param progress: called with how many more bytes of a copy came.
    :raises UserError: an address other than ``file:`` without fsspec, or one that gives nothing.
    """
    path = local_path(name)
    if path is not None:
        yield path
        return
    with ExitStack() as stack:
        path = copy or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "copy"
        stack.callback(path.unlink, missing_ok=True)
        _fetch(name, path, progress)
        yield path


def _fetch(name: str, path: Path, progress: Callable[[int], object]) -> None:
    try:
        import fsspec  # noqa: PLC0415 (optional)
        from aiohttp import ClientTimeout  # noqa: PLC0415 (slow to load, and files need none of it)
    except ImportError:
        how = "pip install -r requirements-remote.txt, or 'newscrawl[remote]'"
        raise UserError(f"{name!r} needs fsspec: {how}") from None
    came = 0

    def report(_size: int | None, so_far: int) -> None:
        nonlocal came
        progress(so_far - came)
        came = so_far

    # An archive of a gigabyte takes longer than the five minutes that a whole answer may take by default
    waits = {"client_kwargs": {"timeout": ClientTimeout(sock_connect=_SECONDS, sock_read=_SECONDS)}}
    try:
        system, remote = fsspec.url_to_fs(name, **(waits if name.startswith("http") else {}))
        system.get_file(remote, str(path), callback=fsspec.Callback(hooks={"report": report}))
    except Exception as error:  # noqa: BLE001 (each of fsspec's systems has errors of its own)
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error or type(error).__name__
        raise UserError(f"cannot fetch {name!r}: {why}") from None
