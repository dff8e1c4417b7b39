"""What is wrong with a crawl's settings, said before Scrapy's process and its log begin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scrapy.utils.misc import load_object

from newscrawl.files import check_writable
from newscrawl.readers.crawl import check_reading
from newscrawl.replay.archive import paths_of
from newscrawl.replay.records import WarcFile
from newscrawl.storage.engine import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import Settings


def check_crawl(settings: Settings) -> None:
    """Refuse what a crawl would stumble over at its start, or, as with the files it writes, at its end.

    :raises UserError: for the first mistake that is found.
    """
    trial = settings.copy()
    for addon in settings.getdict("ADDONS"):
        if str(addon).startswith("newscrawl."):
            load_object(addon)().update_settings(trial)
    check_reading(settings)
    if settings["NEWSCRAWL_REPLAY"]:
        for path in paths_of(settings["NEWSCRAWL_REPLAY"]):
            WarcFile(path).close()
    if settings["NEWSCRAWL_DATABASE"]:
        parse_url(str(settings["NEWSCRAWL_DATABASE"]))
    for path in _files_to_write(settings):
        check_writable(path)


def _files_to_write(settings: Settings) -> Iterator[Path]:
    """Give the files of feeds and the recorded archive; a name with a placeholder stands for its folder."""
    if settings["NEWSCRAWL_WARC"]:
        yield Path(settings["NEWSCRAWL_WARC"])
    for uri in map(str, settings.getdict("FEEDS")):
        parts = urlsplit(uri)
        if parts.scheme in ("", "file") and uri != "-":
            path = url2pathname(parts.path) if parts.scheme else uri
            yield Path(path.partition("%(")[0] + "x") if "%(" in path else Path(path)
