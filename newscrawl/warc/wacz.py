"""The WARC files in a WACZ file, as browsertrix, ArchiveWeb.page and Webrecorder write it: a ZIP with ``archive/``."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path

ZIP_MAGIC: Final = b"PK\x03\x04"
_WARC: Final = re.compile(r"archive/[^/]+\.warc(?:\.gz)?")


def copy_warcs(path: Path, file: IO[bytes]) -> IO[bytes]:
    """Return a temporary file with all WARC files of a WACZ file, one after the other.

    WACZ keeps them unpacked in its ZIP, so that the copy is as long as the file is. One that is packed once more, and
    unpacks to more than half of what is free on its disk, is refused.

    :raises UserError: the file is broken, has no WARC file, or the disk takes no more.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            members = [one for one in packed.infolist() if _WARC.fullmatch(one.filename)]
            if not members:
                raise UserError(f"{str(path)!r} is a ZIP file, and no WACZ: it has no archive/*.warc.gz")
            if sum(one.file_size for one in members) > shutil.disk_usage(tempfile.gettempdir()).free // 2:
                raise UserError(f"{str(path)!r} unpacks to more than half of what is free: set TMPDIR to a larger disk")
            copy = tempfile.TemporaryFile()  # noqa: SIM115 (the caller closes it)
            for one in members:
                with packed.open(one) as source:
                    shutil.copyfileobj(source, copy)
    except (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error) as error:
        raise UserError(f"cannot read WACZ file {str(path)!r}: {error}") from error
    copy.flush()
    copy.seek(0)
    return copy
