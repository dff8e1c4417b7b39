"""Where a project's files are: beside ``scrapy.cfg``. Whether those that a crawl is to write can be written."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import closest_scrapy_cfg

from newscrawl.console.files import check_writable
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

_SETTING: Final = "NEWSCRAWL_DATABASE"
_SQLITE: Final = "sqlite:///"
#: Scheme of a feed → what Scrapy imports to write it, and the package that has it.
_CLIENTS: Final = {"s3": ("boto3", "boto3"), "gs": ("google.cloud.storage", "google-cloud-storage")}


def anchor_database(settings: BaseSettings) -> None:
    """Set ``NEWSCRAWL_DATABASE`` to the environment's, else make a relative file one of the project's folder, in place.

    The environment outweighs the settings of the project: a password belongs there, and containers are told by it. What
    it or the command line names is relative to the folder that they are used in.
    """
    priority = settings.getpriority(_SETTING) or 0
    if priority > SETTINGS_PRIORITIES["project"]:  # the command line's, or a spider's that stores nothing
        return
    if named := os.environ.get(_SETTING):
        settings.set(_SETTING, named, "project")
        return
    name = str(settings[_SETTING] or "")
    file = name.removeprefix(_SQLITE)
    config = closest_scrapy_cfg()
    if not config or not name.startswith(_SQLITE) or not file or file.startswith(("/", ":")):
        return
    folder = Path(config).parent
    if folder != Path.cwd():  # else the shorter name will do
        settings.set(_SETTING, f"{_SQLITE}{folder / file}", priority)


def sites_folder(settings: BaseSettings) -> Path:
    """``NEWSCRAWL_SITES_DIR``; a relative one is below the folder of ``scrapy.cfg``."""
    config = closest_scrapy_cfg()
    return (Path(config).parent if config else Path.cwd()) / (settings.get("NEWSCRAWL_SITES_DIR") or "data/sites")


def check_outputs(settings: BaseSettings) -> None:
    """Refuse feeds and a recorded archive that nothing can write: Scrapy would crawl without them.

    :raises UserError: for the first of them.
    """
    for path in _files_to_write(settings):
        check_writable(path)
    storages = {scheme for scheme, storage in settings.getwithbase("FEED_STORAGES").items() if storage is not None}
    for uri in map(str, settings.getdict("FEEDS")):
        scheme = urlsplit(uri).scheme
        if scheme not in storages:
            accepted = ", ".join(sorted(filter(None, storages)))
            raise UserError(f"{uri!r}: nothing writes to {scheme!r}; accepted: {accepted}")
        if scheme in _CLIENTS:
            module, package = _CLIENTS[scheme]
            try:
                import_module(module)
            except ImportError:
                raise UserError(f"{uri!r} needs {package}: pip install {package}") from None


def _files_to_write(settings: BaseSettings) -> Iterator[Path]:
    """Give the files of feeds and the recorded archive; a name with a placeholder stands for its folder."""
    if settings["NEWSCRAWL_WARC"]:
        yield Path(settings["NEWSCRAWL_WARC"])
    for uri in map(str, settings.getdict("FEEDS")):
        parts = urlsplit(uri)
        if parts.scheme in ("", "file") and uri != "-":
            path = url2pathname(parts.path) if parts.scheme else uri
            yield Path(path.partition("%(")[0] + "x") if "%(" in path else Path(path)
