"""The readers that a crawl's settings ask for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from newscrawl.console.place import sites_folder
from newscrawl.exceptions import UserError
from newscrawl.read.model import FULL_TEXTS, Wants, format_names
from newscrawl.read.pool import Readers, prepare

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

AUTO: Final = "auto"


def n_readers(settings: BaseSettings) -> int:
    """Return how many readers a crawl may start: none for the one page that ``CLOSESPIDER_PAGECOUNT`` may allow.

    ``NEWSCRAWL_READERS``: ``auto`` is one less than the number of cores, from 2 to 4: on two cores the second reads
    while the crawl waits for answers, and four can read more than one crawl hands out. On one core a reader still
    guards against hanging pages.

    :raises UserError: for what is neither ``auto`` nor a whole number from 0 on.
    """
    value = str(settings["NEWSCRAWL_READERS"])
    if value.strip().lower() == AUTO:
        n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        n = min(max(n_cores - 1, 2), 4) if n_cores > 1 else 1
    else:
        n = int(value) if value.strip().isdecimal() else -1
    if n < 0:
        raise UserError(f"NEWSCRAWL_READERS is {value!r}; accepted: {AUTO}, or a whole number from 0 on")
    return 0 if settings.getint("CLOSESPIDER_PAGECOUNT") == 1 else n


def wants_of(settings: BaseSettings) -> Wants:
    """Return what a crawl with these settings wants of a page.

    ``NEWSCRAWL_EXTRACTOR``, ``NEWSCRAWL_CLASSIFIER`` (named by project or command line, it comes before sites' own
    models), ``NEWSCRAWL_FULL_TEXT``, ``NEWSCRAWL_BODY_FORMATS``, ``NEWSCRAWL_COMMENTS``, ``NEWSCRAWL_STORE_BLOCKS``,
    ``NEWSCRAWL_SITE_MEMORY``, ``NEWSCRAWL_KEEP``.

    :raises UserError: for a value that is not accepted.
    """
    full_text = settings["NEWSCRAWL_FULL_TEXT"]
    if full_text not in FULL_TEXTS:
        raise UserError(f"NEWSCRAWL_FULL_TEXT is {full_text!r}; accepted: {', '.join(FULL_TEXTS)}")
    is_named = (settings.getpriority("NEWSCRAWL_CLASSIFIER") or 0) > 0
    return Wants(
        method=settings["NEWSCRAWL_EXTRACTOR"],
        classifier=settings["NEWSCRAWL_CLASSIFIER"],
        models=None if is_named else sites_folder(settings),
        full_text=full_text,
        formats=format_names(settings["NEWSCRAWL_BODY_FORMATS"]),
        comments=settings.getbool("NEWSCRAWL_COMMENTS"),
        blocks=settings.getbool("NEWSCRAWL_STORE_BLOCKS"),
        pages="pages" in settings["NEWSCRAWL_KEEP"],
        lines=settings.getbool("NEWSCRAWL_SITE_MEMORY"),
    )


def readers_for(settings: BaseSettings, wants: Wants) -> Readers:
    """Return the readers that the settings ask for.

    ``NEWSCRAWL_READERS``, ``NEWSCRAWL_READ_SECONDS``, ``NEWSCRAWL_READER_MEGABYTES``.

    :raises UserError: for a setting that is not accepted.
    """
    return Readers(
        wants,
        n=n_readers(settings),
        seconds=_positive(settings, "NEWSCRAWL_READ_SECONDS"),
        megabytes=round(_positive(settings, "NEWSCRAWL_READER_MEGABYTES")),
    )


def prepare_readers(settings: BaseSettings) -> None:
    """Begin to load what the readers of a crawl need, before the crawl itself does anything."""
    if n_readers(settings):
        prepare()


def check_reading(settings: BaseSettings) -> None:
    """Refuse what :func:`wants_of` and :func:`readers_for` refuse; models are loaded only where the user names one.

    :raises UserError: for a setting that is not accepted.
    """
    readers_for(settings, wants_of(settings))


def _positive(settings: BaseSettings, name: str) -> float:
    value = settings.getfloat(name)
    if not value > 0:
        raise UserError(f"{name} is {settings[name]!r}; accepted: a number above 0")
    return value
