"""The only wiring: ``ADDONS = {"newscrawl.addon.NewscrawlAddon": 500}`` turns newscrawl on in any Scrapy project.

Tables name components by path. Scrapy loads a component only when a crawl builds it.
"""

from __future__ import annotations

import logging
import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name

from newscrawl.console.check import check_settings
from newscrawl.console.files import find_chromium
from newscrawl.console.place import anchor_database
from newscrawl.console.wording import ShortRecord, separated
from newscrawl.exceptions import UserError
from newscrawl.languages.tables import check_own_languages
from newscrawl.net.addresses import parse_networks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

#: Setting → component → its order. A component whose own setting is off turns itself off.
COMPONENTS: Final[Mapping[str, Mapping[str, int]]] = {
    # A page passes from the lowest order to the highest; each step reads what the steps before it wrote.
    "ITEM_PIPELINES": {
        "newscrawl.pipelines.read.ReadPipeline": 100,  # segment, classify, extract; join articles
        "newscrawl.pipelines.relevance.RelevancePipeline": 300,  # the scores that order the links
        "newscrawl.pipelines.links.LinksPipeline": 400,
        "newscrawl.pipelines.wanted.WantedPipeline": 550,
        "newscrawl.pipelines.wanted.RightsPipeline": 560,  # add what robots.txt says of a wanted article
        "newscrawl.pipelines.store.StorePipeline": 900,  # after a project's own steps
    },
    # A request passes from the lowest order to the highest, its answer the other way. Scrapy's own are at: robots.txt
    # 100, retries 550, meta refresh 580, decompression 590, redirects 600, cache 900.
    "DOWNLOADER_MIDDLEWARES": {
        "newscrawl.middlewares.outcome.OutcomeMiddleware": 40,  # the first of a request, the last of its answer
        "newscrawl.middlewares.requests.KnownPageMiddleware": 55,
        "newscrawl.middlewares.requests.AddressMiddleware": 60,  # before robots.txt is asked for
        "newscrawl.middlewares.render.RenderMiddleware": 560,  # sees an unpacked and decoded answer
        "newscrawl.middlewares.requests.CharsetMiddleware": 585,  # after decompression, before meta refresh
        "newscrawl.middlewares.requests.ConditionalMiddleware": 595,  # sees an answer before redirects do
        "newscrawl.middlewares.requests.WaitingMiddleware": 940,  # after every wait of a request
        "newscrawl.middlewares.requests.CaptureMiddleware": 945,  # answers in place of the downloader
        "newscrawl.warc.recorder.RecordMiddleware": 950,  # next to the downloader: records the raw answer
    },
    # Extensions listen to signals. Those of the lowest order are built and called first.
    "EXTENSIONS": {
        "newscrawl.net.resolver.WiringCheckExtension": 0,  # refuses a crawl before others begin
        "newscrawl.store.crawl.StorageExtension": 0,  # a database that cannot be used is refused before others begin
        "newscrawl.warc.handler.ReplayExtension": 0,  # a wrong archive is refused before others begin
        "newscrawl.extensions.delays.CrawlDelayExtension": 100,  # after AutoThrottle (0) has set its delay
        "newscrawl.extensions.delays.RetryAfterExtension": 100,  # after AutoThrottle, too
        "newscrawl.extensions.coverage.CoverageExtension": 500,
        "newscrawl.extensions.focus_state.FocusStateExtension": 500,
        "newscrawl.extensions.files.FilesExtension": 500,
        "newscrawl.extensions.harvest_rate.HarvestRateExtension": 500,
        "newscrawl.extensions.watch.LiveExtension": 500,
        "newscrawl.extensions.runs.RunsExtension": 500,
        "newscrawl.extensions.site_memory.SiteMemoryExtension": 500,
        "newscrawl.extensions.watch.SlotsExtension": 500,
        "newscrawl.extensions.watch.StallExtension": 500,
        "newscrawl.extensions.watch.StoppingExtension": 510,
        "newscrawl.extensions.watch.GarbageExtension": 900,  # last: excludes everything loaded until then
    },
}
#: Component of Scrapy → its replacement, at the same order. A project that names Scrapy's own keeps it.
REPLACED: Final[Mapping[str, str]] = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": (
        "newscrawl.middlewares.robots.RememberedRobotsTxtMiddleware"
    ),
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": (
        "newscrawl.middlewares.redirect.ReportedMetaRefreshMiddleware"
    ),
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": (
        "newscrawl.middlewares.requests.ReportedCompressionMiddleware"
    ),
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": (
        "newscrawl.middlewares.redirect.ReportedRedirectMiddleware"
    ),
    "scrapy.extensions.throttle.AutoThrottle": "newscrawl.extensions.delays.RevisitThrottle",
}
#: Large component of Scrapy → the setting that turns it on.
SWITCHES: Final[Mapping[str, str]] = {
    "scrapy.extensions.remote_control.RemoteControl": "REMOTE_CONTROL_ENABLED",
    "scrapy.extensions.telnet.TelnetConsole": "TELNETCONSOLE_ENABLED",
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": "COOKIES_ENABLED",
}
#: Pipelines of a dry run: they end with the links, which are planned and not fetched.
PLANNING: Final = {path: order for path, order in COMPONENTS["ITEM_PIPELINES"].items() if order <= 400}
EXPORTERS: Final = {
    "csv": "newscrawl.store.row_files.ArticleCsvExporter",
    "marshal": "newscrawl.store.row_files.ArticleMarshalExporter",
    "xml": "newscrawl.store.row_files.ArticleXmlExporter",
}
SCHEDULER: Final = "newscrawl.frontier.scheduler.FrontierScheduler"

#: A replay overrules a project's and a spider's settings; the command line overrules the replay.
REPLAY_PRIORITY: Final = SETTINGS_PRIORITIES["spider"] + 5
_REPLAY_HANDLER: Final = "newscrawl.warc.handler.ReplayDownloadHandler"
#: Settings of a replay: no latency to measure, no server to spare, and every answer final.
REPLAY_SETTINGS: Final[Mapping[str, Any]] = {
    "DOWNLOAD_HANDLERS": {"http": _REPLAY_HANDLER, "https": _REPLAY_HANDLER}
    | dict.fromkeys(("file", "data", "ftp", "s3")),
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_SLOTS": {},
    "NEWSCRAWL_CRAWL_DELAY_ENABLED": False,
    "NEWSCRAWL_RETRY_AFTER_ENABLED": False,
    "RETRY_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "HTTPPROXY_ENABLED": False,
}

#: Priority of the browser's handlers: above the project's, which may name handlers that are off.
RENDER_PRIORITY: Final = SETTINGS_PRIORITIES["project"] + 1
_BROWSER_HANDLER: Final = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"


_CONTACT: Final = re.compile(r"https?://[^\s()]+|(?:mailto:)?[^\s()@]+@[^\s()@]+")


class NewscrawlAddon:
    """Sets components, scheduler and handlers, unless the project or the command line has set them."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Check the settings of the project, and fill in the others.

        :raises UserError: a setting is misspelt, or its value is not accepted.
        """
        settings.setmodule("newscrawl.default_settings", priority="default")
        check_settings(settings)
        check_own_languages()
        parse_networks(settings["NEWSCRAWL_ALLOW_NETS"])
        refuse_absent_components(settings)
        logging.setLogRecordFactory(ShortRecord)
        wire_contact(settings)
        wire_components(settings)
        forget_switched_off(settings)
        wire_replay(settings)
        wire_recording(settings)
        wire_rendering(settings)
        wire_storage(settings)
        wire_frontier(settings)
        if settings.getbool("NEWSCRAWL_DRY_RUN"):  # planned addresses skip the project's own steps
            settings.set("ITEM_PIPELINES", PLANNING, priority="cmdline")


def wire_contact(settings: BaseSettings) -> None:
    """Add the contact to ``USER_AGENT``, unless that names one.

    :raises UserError: a header cannot hold the contact.
    """
    contact, agent = str(settings["NEWSCRAWL_CONTACT"] or "").strip(), str(settings["USER_AGENT"] or "")
    if not contact or "+" in agent:
        return
    if not (_CONTACT.fullmatch(contact) and contact.isascii()):
        raise UserError(f"NEWSCRAWL_CONTACT is {contact!r}; accepted: https://… or a mail address")
    settings.set("USER_AGENT", f"{agent} (+{contact})", settings.getpriority("USER_AGENT") or 0)


def refuse_absent_components(settings: BaseSettings) -> None:
    """Refuse names of components that stand for nothing: Scrapy would print a traceback.

    :raises UserError: for the first one.
    """
    for setting in (*COMPONENTS, "SPIDER_MIDDLEWARES"):
        for path, order in settings.getdict(setting).items():
            try:
                if order is not None and isinstance(path, str):
                    load_object(path)
            except (ImportError, NameError, ValueError) as error:
                raise UserError(f"{setting} names {path!r}, which cannot be loaded: {error}") from error


def wire_components(settings: BaseSettings) -> None:
    """Name the components of the tables above, except those that the project gives an order or sets to None."""
    for setting, orders in COMPONENTS.items():
        named, base = _paths(settings, setting), settings.getdict(f"{setting}_BASE")
        new: dict[str, int | None] = {path: order for path, order in orders.items() if path not in named}
        for scrapys, ours in REPLACED.items():
            if scrapys in base and scrapys not in named:
                new |= {scrapys: None, ours: base[scrapys]}
        settings.set(setting, settings.getdict(setting) | new, settings.getpriority(setting) or 0)


def forget_switched_off(settings: BaseSettings) -> None:
    """Take out Scrapy's components that are set to None, or that their own setting turns off.

    Scrapy loads them all: RemoteControl brings aiohttp, the telnet console Twisted's terminals.
    """
    for setting in (*COMPONENTS, "SPIDER_MIDDLEWARES"):
        own, base = settings.getdict(setting), settings.getdict(f"{setting}_BASE")
        off = {path for path in base if path in own and own[path] is None}
        off |= {path for path, switch in SWITCHES.items() if path in base and not settings.getbool(switch)} - own.keys()
        if off:
            for name, orders in ((setting, own), (f"{setting}_BASE", base)):
                left = {path: order for path, order in orders.items() if path not in off}
                settings.set(name, left, settings.getpriority(name) or 0)


def _paths(settings: BaseSettings, setting: str) -> frozenset[str]:
    """Return the paths of the components that the project names, as paths or as classes."""
    return frozenset(one if isinstance(one, str) else global_object_name(one) for one in settings.getdict(setting))


def wire_replay(settings: BaseSettings) -> None:
    """Let an archive answer all requests, without delays."""
    if settings["NEWSCRAWL_REPLAY"]:
        for name, value in REPLAY_SETTINGS.items():
            settings.set(name, value, priority=REPLAY_PRIORITY)


def wire_recording(settings: BaseSettings) -> None:
    """:raises UserError: the crawl is to be recorded to the archive that it replays."""
    name, replayed = settings["NEWSCRAWL_WARC"], settings["NEWSCRAWL_REPLAY"] or ""
    if name and Path(name).absolute() in {Path(other).absolute() for other in separated(replayed)}:
        raise UserError(f"NEWSCRAWL_WARC={name!r} is also in NEWSCRAWL_REPLAY; record to another file")


def wire_rendering(settings: BaseSettings) -> None:
    """Let a browser answer the requests that ask for one.

    :raises UserError: rendering is asked for and scrapy-playwright is not installed.
    """
    if not settings.getbool("NEWSCRAWL_RENDER_SCRIPTS") or settings["NEWSCRAWL_REPLAY"]:
        return
    if find_spec("scrapy_playwright") is None:
        how = "pip install -r requirements-js.txt, or 'newscrawl[js]'"
        raise UserError(f"NEWSCRAWL_RENDER_SCRIPTS needs scrapy-playwright: {how}")
    from newscrawl.middlewares.render import NAVIGATION_MILLISECONDS, Forbidden  # noqa: PLC0415 (reads pages)

    launch: dict[str, Any] = {"chromium_sandbox": os.geteuid() != 0}
    if path := find_chromium():
        launch["executable_path"] = path
    handlers = settings.getdict("DOWNLOAD_HANDLERS") | dict.fromkeys(("http", "https"), _BROWSER_HANDLER)
    settings.set("DOWNLOAD_HANDLERS", handlers, priority=RENDER_PRIORITY)
    for name, value in (
        ("PLAYWRIGHT_LAUNCH_OPTIONS", launch),
        ("PLAYWRIGHT_ABORT_REQUEST", Forbidden(parse_networks(settings["NEWSCRAWL_ALLOW_NETS"]))),
        ("PLAYWRIGHT_DEFAULT_NAVIGATION_TIMEOUT", NAVIGATION_MILLISECONDS),
        ("PLAYWRIGHT_MAX_PAGES_PER_CONTEXT", 4),
    ):
        if settings.get(name) is None:
            settings.set(name, value, priority="addon")


def wire_storage(settings: BaseSettings) -> None:
    """Set the database, and how feeds of articles are written."""
    anchor_database(settings)
    settings.set("FEED_EXPORTERS", EXPORTERS | settings.getdict("FEED_EXPORTERS"), priority="addon")


def wire_frontier(settings: BaseSettings) -> None:
    """Queue requests in the database if there is one. A project keeps a scheduler of its own."""
    is_stored = settings["NEWSCRAWL_DATABASE"] and not settings.getbool("NEWSCRAWL_DRY_RUN")
    if settings["NEWSCRAWL_FRONTIER"] == "database" and is_stored:
        settings.set("SCHEDULER", SCHEDULER, priority="addon")
