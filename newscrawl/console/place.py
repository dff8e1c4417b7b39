"""Where a project's files are, whatever the folder a command is run in: beside ``scrapy.cfg``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import closest_scrapy_cfg

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_SETTING: Final = "NEWSCRAWL_DATABASE"
_SQLITE: Final = "sqlite:///"


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
