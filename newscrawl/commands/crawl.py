"""``scrapy crawl``: Scrapy's own, which refuses a user's mistake in one line, and says at its end what came of it."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.commands.crawl import Command as ScrapyCrawlCommand
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.conf import closest_scrapy_cfg
from scrapy.utils.misc import load_object

from newscrawl.commands.plan import show_neighbours, show_plan
from newscrawl.console.command import PlainCommand, one_argument
from newscrawl.console.place import check_outputs
from newscrawl.console.program import as_typed
from newscrawl.console.wording import quantity
from newscrawl.exceptions import NewscrawlError, UserError
from newscrawl.extensions.watch import is_quiet
from newscrawl.links.rules import PlannedUrl
from newscrawl.outcomes import Rejection
from newscrawl.read.readers import check_reading, prepare_readers
from newscrawl.signals import links_rejected
from newscrawl.sites import catalogued_site
from newscrawl.spiders.loader import unknown_spider
from newscrawl.spiders.news import NewsSpider
from newscrawl.store.crawl import FINISH_REASON
from newscrawl.store.engine import parse_url
from newscrawl.store.migrations import is_there
from newscrawl.store.runs import Figures, RunState, counts_below, state_of
from newscrawl.urls.canonical import host_of
from newscrawl.warc.archive import paths_of
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

    from newscrawl.links.model import RefusedLink
    from newscrawl.sites.model import NewsSite

_ASK_CONTACT = (
    "scrapy crawl: sites cannot tell who crawls them; give an address or a mail: -s NEWSCRAWL_CONTACT=you@example.org, "
    "or in the settings of your project\n"
)
_NO_PROJECT = (
    "scrapy crawl: no project here: {name} is the site of the box, {seed}; articles go to {where}. Sites of yours are "
    "known in the folder of their project\n"
)
#: ``-a channels=?`` asks which there are.
QUESTION = "?"


SITE_NAME: Final = "name of a site or spider (the command sites lists them)"


class CrawlCommand(PlainCommand, ScrapyCrawlCommand):
    usage = "[options] <spider>"
    summary = "Harvest a site"
    details = (
        "Harvest a site: one of the box (see sites), one of yours (see addsite), or any with "
        "'crawl site -a url=https://example.org/'. Options by -a: since=, until=, limit=, channels= (channels=? "
        "lists them), mode=, dry_run=1. Missing folders of files to write are made. "
        "Example: scrapy crawl sina -a since=1d -a limit=200 -O articles.jsonl"
    )
    #: What is printed instead of a crawl.
    answer: str | None = None

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--verbose", action="store_true", help="Scrapy's log instead of the view of the crawl")

    def refuse_early(self, args: list[str], opts: argparse.Namespace) -> None:
        super().refuse_early(args, opts)
        if opts.verbose and not opts.loglevel:
            self.project_settings.set("LOG_LEVEL", "INFO", priority="cmdline")
        spidercls = self._load(one_argument(args, SITE_NAME))
        check_crawl(self.project_settings)
        if not issubclass(spidercls, NewsSpider):
            return
        asks_channels = opts.spargs.get("channels", "").strip() == QUESTION
        given = {name: value for name, value in opts.spargs.items() if not (asks_channels and name == "channels")}
        spider = spidercls(**given)
        if asks_channels:
            self.answer = channel_lines(spider.site)
            self.requires_crawler_process = False
        else:
            prepare_readers(self.project_settings)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.answer is not None:
            sys.stdout.write(self.answer)
            return
        process = self.crawler_process
        if process is None:
            raise TypeError("scrapy gives the command its crawler process")
        crawler = process.create_crawler(self._load(one_argument(args, SITE_NAME)))
        self._say_beginning(crawler.spidercls.name or "")
        plan: list[PlannedUrl] = []

        def collect(item: Any) -> None:
            if isinstance(item, PlannedUrl):
                plan.append(item)

        offsite: Counter[str] = Counter()

        def note(refused: Sequence[RefusedLink]) -> None:
            offsite.update(host_of(link.url) for link in refused if link.reason is Rejection.OFFSITE)

        crawler.signals.connect(collect, signals.item_scraped)
        crawler.signals.connect(note, links_rejected)
        if is_quiet(self.project_settings):
            logging.getLogger("scrapy.extensions.feedexport").addFilter(_in_a_line)
        running = process.crawl(crawler, **opts.spargs)
        refusals: list[NewscrawlError] = []
        if isinstance(running, asyncio.Task):
            running.add_done_callback(lambda task: _catch(task, refusals))
        process.start()
        for refusal in refusals:
            raise refusal
        spider = crawler.spider
        if isinstance(spider, NewsSpider) and spider.options.dry_run:
            show_plan(plan, Counter(counts_below(crawler.stats.get_stats(), _LINKS)))
            show_neighbours(offsite, spider.site)
        if process.bootstrap_failed or crawler.stats.get_value("finish_reason") == FINISH_REASON:
            self.exitcode = 1  # said by the storage
        elif isinstance(spider, NewsSpider) and not plan:
            self._say_end(crawler)
            stats = crawler.stats.get_stats()
            self.exitcode = int(brought_nothing(stats) or lost_feeds(stats))

    def _say_beginning(self, name: str) -> None:
        settings = self.project_settings
        if asks_contact(settings):
            sys.stderr.write(as_typed(_ASK_CONTACT))
        if (entry := catalogued_site(name)) and not closest_scrapy_cfg():
            where = _shown_address(settings["NEWSCRAWL_DATABASE"]) or "no database"
            sys.stderr.write(as_typed(_NO_PROJECT.format(name=entry.name, seed=entry.seeds[0], where=where)))

    def _say_end(self, crawler: Crawler) -> None:
        stats, settings = crawler.stats.get_stats(), crawler.settings
        lines = verdict(stats)
        if not lines and is_quiet(settings):
            feeds = [] if lost_feeds(stats) else list(map(str, settings.getdict("FEEDS")))
            lines = ending(stats, database=_shown_address(settings["NEWSCRAWL_DATABASE"]), feeds=feeds)
        if lost_feeds(stats):
            lines.append("not written: a feed, see the error above; `scrapy export` writes what the database has")
        for line in lines:
            sys.stderr.write(as_typed(f"scrapy crawl: {line}\n"))

    def _load(self, name: str) -> type[Spider]:
        loader = get_spider_loader(self.project_settings)
        try:
            return loader.load(name)
        except KeyError:
            raise UserError(unknown_spider(name, loader)) from None


def _shown_address(database: str | None) -> str:
    """Return a database's address without its password; ``""`` for none."""
    return parse_url(str(database)).render_as_string() if database else ""


def asks_contact(settings: Settings) -> bool:
    """Tell whether this is the first harvest, of live sites, and these would not learn who harvests them."""
    database = settings["NEWSCRAWL_DATABASE"]
    is_named = "+" in settings["USER_AGENT"] or settings["NEWSCRAWL_CONTACT"]
    return not (is_named or settings["NEWSCRAWL_REPLAY"] or (database and is_there(database)))


def _in_a_line(record: logging.LogRecord) -> bool:
    """Say an error without its traceback; a filter of a logger."""
    if record.exc_info and record.exc_info[1] is not None:
        record.msg, record.args = f"{record.getMessage()}: {' '.join(str(record.exc_info[1]).split())}", ()
        record.exc_info = None
    return True


def _catch(task: asyncio.Task[None], refusals: list[NewscrawlError]) -> None:
    """Take the user's mistakes that components found at start; Scrapy would print a traceback."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, NewscrawlError):
        refusals.append(error)
    elif error is not None:
        raise error


def channel_lines(site: NewsSite) -> str:
    """Return a line for each channel of the site: its name, and the hubs it starts from."""
    if not site.channels:
        return f"{site.name} has no channels\n"
    width = max(map(len, site.channels))
    return "".join(f"{name:<{width}}  {' '.join(urls)}\n" for name, urls in site.channels.items())


def check_crawl(settings: Settings) -> None:
    """Refuse what a crawl would stumble over at its start, or, as with the files it writes, at its end.

    :raises UserError: for the first mistake that is found.
    """
    trial = settings.copy()
    for addon in settings.getdict("ADDONS"):
        try:
            made = load_object(addon)
        except (ImportError, NameError, ValueError) as error:
            raise UserError(f"ADDONS names {addon!r}, which cannot be loaded: {error}") from error
        if str(addon).startswith("newscrawl."):
            made().update_settings(trial)
    check_reading(settings)
    if settings["NEWSCRAWL_REPLAY"]:
        for path in paths_of(settings["NEWSCRAWL_REPLAY"]):
            WarcFile(path).close()
    if settings["NEWSCRAWL_DATABASE"]:
        parse_url(str(settings["NEWSCRAWL_DATABASE"]))
    check_outputs(settings)


#: Counts of one kind that are named.
_NAMED: Final = 3
_LINKS: Final = "newscrawl/rejected/"
_COUNTED: Final = "newscrawl/run/refused/"
_PAGES: Final = ("newscrawl/failed/", "newscrawl/http_error/", "newscrawl/blocked/", "newscrawl/outcome/not_article")
#: Says nothing of why a site is empty: such links were followed, or judged, elsewhere.
_KNOWN: Final = frozenset({"newscrawl/rejected/duplicate"})
#: What the name of a stat says beside the reason.
_UNNAMED: Final = re.compile("newscrawl/(?:outcome/|rejected/|run/refused/)?")


_GO_ON: Final = "the same command goes on with the addresses left"
_OTHER_DATES: Final = "ask for other dates: -a since=30d, or none at all"
#: Why articles were refused → what to do, the likeliest first.
_WAYS_OUT: Final = {
    "script_only": "the pages are empty until their scripts run: -s NEWSCRAWL_RENDER_SCRIPTS=True",
    "noindex": (
        "the pages ask not to be kept (noindex), and are not; for use of your own, -s NEWSCRAWL_OBEY_META_ROBOTS=False "
        "stores them, and follows links that say nofollow"
    ),
    "before_since": _OTHER_DATES,
    "after_until": _OTHER_DATES,
    "language": "ask for other languages, or for all: -a language= names the only ones that are stored",
}


def brought_nothing(stats: Mapping[str, Any]) -> bool:
    """Tell whether a crawl failed: it ended badly or got no usable answer, and no article is the better for it."""
    figures = Figures.of(stats)
    return state_of(stats.get("finish_reason"), figures)[0] is RunState.FAILED and not _has_articles(figures)


def lost_feeds(stats: Mapping[str, Any]) -> bool:
    """Tell whether a feed that was asked for could not be stored."""
    return any(name.startswith("feedexport/failed_count/") for name in stats)


def verdict(stats: Mapping[str, Any]) -> list[str]:
    """Return the lines for a crawl that has no article, new or known; none where it has one.

    :param stats: Scrapy's, when the crawl has ended.
    """
    figures = Figures.of(stats)
    # of a site harvested before, or a queue that others emptied: nothing new is no news
    is_later = any(_count(stats, f"newscrawl/{name}") for name in ("recrawl/woken", "run/earlier")) or not figures.asked
    if _has_articles(figures) or (is_later and not brought_nothing(stats)):
        return []
    return list(_lines(stats, figures))


def ending(stats: Mapping[str, Any], *, database: str = "", feeds: Sequence[str] = ()) -> list[str]:
    """Return the lines for a crawl that has articles: what came, how it ended, what did not, where it is, what next.

    :param stats: Scrapy's, when the crawl has ended.
    :param database: where articles are stored, empty without one.
    :param feeds: files that hold what came.
    """
    figures, where = Figures.of(stats), [*filter(None, [database]), *feeds]
    state, why = state_of(stats.get("finish_reason"), figures)
    if _is_stopped(stats):
        state, why = RunState.PARTIAL, "stopped by you"
    same = quantity(figures.unchanged, "page")  # answers "not modified" to lists, too
    came = f"{quantity(figures.new, 'new article')}, {figures.changed:,} changed, {same} unchanged"
    if figures.stored and not (figures.new or figures.changed or figures.unchanged):  # nothing was there to compare
        came = quantity(figures.stored, "article")
    if figures.duplicates:
        came += f", {quantity(figures.duplicates, 'copy', 'copies')} set aside"
    seconds = float(stats.get("elapsed_time_seconds") or 0)
    asked = f"{quantity(figures.addresses, 'address', 'addresses')} asked for, {figures.fetched:,} fetched"
    answers = f"{quantity(figures.answered, 'answer')} (robots.txt and repeats included) in {seconds:.0f} s"
    lines = [
        f"came: {came}; {asked}; {answers}",
        *([f"topic: {said}"] if (said := stats.get("newscrawl/relevance/result")) else []),
        f"run: {state}{f' ({why})' if why else ''}",
        f"not taken: pages: {_top(stats, *_PAGES) or 'none'}; refused: {_top(stats, _reasons(stats)) or 'none'}",
        f"where: {', '.join(where) or 'nowhere: NEWSCRAWL_DATABASE is empty and no feed was asked for'}",
    ]
    if not where:
        return [*lines, "next: keep what comes: -O articles.jsonl, or -s NEWSCRAWL_DATABASE=sqlite:///newscrawl.sqlite"]
    if not database:
        return [*lines, "next: another run brings all of it again; a database (NEWSCRAWL_DATABASE) knows what is new"]
    if figures.pages_left or _is_stopped(stats):
        return [*lines, f"next: {_GO_ON}; `scrapy report` says more"]
    return [
        *lines,
        "next: `scrapy report` says more, `scrapy search WORDS` finds articles, another run brings what is new",
    ]


def _has_articles(figures: Figures) -> bool:
    return bool(figures.stored or figures.unchanged or figures.not_modified)


def _lines(stats: Mapping[str, Any], figures: Figures) -> Iterator[str]:
    state, why = state_of(stats.get("finish_reason"), figures)
    if is_stopped := _is_stopped(stats):
        why = "stopped by you before an article was stored"
    yield f"no article: {why or 'no page that was read is an article that was asked for'}"
    if figures.asked:
        yield f"tried: {', '.join(_attempts(stats))}"
        lost = "newscrawl/failed/", "newscrawl/http_error/", "newscrawl/blocked/"
        if in_the_way := _top(stats, *lost, _reasons(stats)):
            yield f"in the way: {in_the_way}"
    advice = _GO_ON if is_stopped else _advice(stats, figures, has_failed=state is RunState.FAILED)
    yield f"to do: {advice}"


def _is_stopped(stats: Mapping[str, Any]) -> bool:
    """Tell whether Ctrl-C ended the crawl: pressed twice, it leaves no reason."""
    return stats.get("finish_reason") in (None, "shutdown")


def _attempts(stats: Mapping[str, Any]) -> Iterator[str]:
    yield f"pages to start from ({_count(stats, 'newscrawl/seeds/asked')})"
    for kind in ("feed", "sitemap"):
        asked, read = (_count(stats, f"newscrawl/tried/{kind}s_{done}") for done in ("asked", "read"))
        listed = _count(stats, f"newscrawl/discovery/{kind}")
        held = quantity(listed, "address", "addresses")
        yield f"{kind}s ({read} of {asked} read, {held} in them)" if asked else f"{kind}s (none found)"
    yield f"links (of {quantity(_count(stats, 'newscrawl/read/pages'), 'page')} read)"


def _advice(stats: Mapping[str, Any], figures: Figures, *, has_failed: bool) -> str:
    """Return the most likely way out."""
    if figures.is_shut_out and figures.seeds_private:
        return "allow the network: -s NEWSCRAWL_ALLOW_NETS=127.0.0.0/8 for this machine, for example"
    if figures.is_shut_out:
        return "ask the site for leave; robots.txt is obeyed unless -s ROBOTSTXT_OBEY=False says so"
    if has_failed and not figures.bodies:
        return "look at the address and the network (scrapy extract URL fetches one page); in a replay, at the archive"
    otherwise = (
        "see what each link is taken for (-a dry_run=1), name feeds and hubs of the site (scrapy addsite NAME URL)"
    )
    most = max(_WAYS_OUT, key=lambda reason: _count(stats, f"{_LINKS}{reason}"))  # of as many the first
    return _WAYS_OUT[most] if _count(stats, f"{_LINKS}{most}") else otherwise


def _top(stats: Mapping[str, Any], *prefixes: str) -> str:
    counts = {
        _UNNAMED.sub("", name): int(n) for name, n in stats.items() if name.startswith(prefixes) and name not in _KNOWN
    }
    most = sorted(counts.items(), key=lambda pair: -pair[1])[:_NAMED]
    return ", ".join(f"{n:,} {name.replace('/', ' ')}" for name, n in most)


def _reasons(stats: Mapping[str, Any]) -> str:
    """Return the prefix of the stats that say why addresses were refused: each address once, where a database tells."""
    return _COUNTED if _COUNTED[:-1] in stats else _LINKS


def _count(stats: Mapping[str, Any], name: str) -> int:
    return int(stats.get(name) or 0)
