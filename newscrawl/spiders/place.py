"""Where a database of the project's settings lies: beside ``scrapy.cfg``, whatever folder a command is typed in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import closest_scrapy_cfg

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_SQLITE: Final = "sqlite:///"


def anchor_database(settings: BaseSettings) -> None:
    """Make a relative file of ``NEWSCRAWL_DATABASE`` one of the project's folder, in place.

    What the command line or the environment name is relative to the folder that they are used in.
    """
    database, priority = settings["NEWSCRAWL_DATABASE"], settings.getpriority("NEWSCRAWL_DATABASE") or 0
    if priority >= SETTINGS_PRIORITIES["cmdline"] or database == os.environ.get("NEWSCRAWL_DATABASE"):
        return
    name = str(database or "")
    file = name.removeprefix(_SQLITE)
    config = closest_scrapy_cfg()
    if not config or not name.startswith(_SQLITE) or not file or file.startswith(("/", ":")):
        return
    folder = Path(config).parent
    if folder != Path.cwd():  # else the shorter name will do
        settings.set("NEWSCRAWL_DATABASE", f"{_SQLITE}{folder / file}", priority)
