"""``scrapy sites``: the news sites in the box, and whether they still answer."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scrapy import Request, Spider

from newscrawl.commands.source import tell_of_mistakes
from newscrawl.console.command import (
    FOLDERS_ARE_MADE,
    PlainCommand,
    make_console,
    no_more_options,
    one_of,
    print_json,
    print_rows,
)
from newscrawl.console.files import check_writable, write_text
from newscrawl.console.place import sites_folder
from newscrawl.console.program import program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError, did_you_mean
from newscrawl.extract.lists.read import read_hub
from newscrawl.links.feed import feed_links, parse_feed
from newscrawl.links.sitemap import parse_sitemap, sitemaps_of_robots
from newscrawl.page.charset import decode
from newscrawl.page.document import Document, parse
from newscrawl.sites import catalogue, catalogue_names, countries, list_sites, named_site, own_sites
from newscrawl.sites.files import to_state, to_tables
from newscrawl.sites.forms import main_forms
from newscrawl.sites.memory import describe_drift
from newscrawl.spiders.responses import content_type, fetched_at, kind_of, requested_url
from newscrawl.store.articles import article_forms
from newscrawl.store.command import existing_database
from newscrawl.store.kinds import KINDS
from newscrawl.store.migrations import is_there
from newscrawl.store.site_memory import drifts_of
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newscrawl.sites.model import NewsSite

#: Fields of a site that ``--json`` prints.
_SHOWN: Final = (
    "name", "title", "country", "language", "timezone", "hosts", "seeds", "feeds", "sitemaps", "source", "checked",
)  # fmt: skip
#: Feeds that a home page offers, and sitemaps that robots.txt names, asked for beyond those of the entry.
MAX_NAMED = 5


class Door(StrEnum):
    """What an address is for."""

    HOME = "home"
    ROBOTS = "robots.txt"
    FEED = "feed"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoorAnswer:
    door: Door
    url: str
    named_by: str
    """``entry``, or where the site itself names the address: ``home``, ``robots.txt``."""
    answer: str
    """The status of the server, or why there is none."""
    n_records: int = 0
    """Entries of a feed; addresses, or further sitemaps, of a sitemap; stories of a home page."""
    newest: str | None = None
    """The latest day that a record states."""

    @property
    def is_good(self) -> bool:
        return self.n_records > 0


@dataclass(slots=True, kw_only=True)
class SiteCheck:
    site: NewsSite
    day: date | None
    """None: an archive answered, not the site."""
    answers: list[DoorAnswer] = field(default_factory=list)

    @property
    def is_reached(self) -> bool:
        """Whether the site gave anything: if it gave nothing, that may be our network's fault."""
        return any(answer.answer == "200" for answer in self.answers)

    def entry(self) -> NewsSite:
        """Return the site with the feeds and sitemaps that gave records; as it was where nothing was reached."""
        if not self.is_reached:
            return self.site
        feeds, sitemaps = (tuple(dict.fromkeys(self._good(door))) for door in (Door.FEED, Door.SITEMAP))
        checked = self.day.isoformat() if self.day else self.site.checked
        return replace(self.site, feeds=feeds, sitemaps=sitemaps, checked=checked)

    def notes(self) -> dict[str, str]:
        return {answer.url: _remark(answer) for answer in self.answers if answer.is_good}

    def as_json(self) -> dict[str, Any]:
        doors = [asdict(answer) for answer in self.answers]
        day = self.day.isoformat() if self.day else None
        return {"name": self.site.name, "checked": day, "reached": self.is_reached, "doors": doors}

    def _good(self, door: Door) -> list[str]:
        return [answer.url for answer in self.answers if answer.door is door and answer.is_good]


def newest_day(moments: Iterable[date | None]) -> str | None:
    """Return the latest day, in UTC, as ISO 8601; None of none.

    >>> newest_day([None, date(2024, 3, 5), datetime(2024, 3, 6, 23, tzinfo=UTC)])
    '2024-03-06'
    """
    known = (moment for moment in moments if moment is not None)
    days = [m.astimezone(UTC).date() if isinstance(m, datetime) else m for m in known]
    return max(days).isoformat() if days else None


def _remark(answer: DoorAnswer) -> str:
    return quantity(answer.n_records, "record") + (f", newest {answer.newest}" if answer.newest else "")


class SitesCommand(PlainCommand):
    log_level = "CRITICAL"  # what an address answers is told in a line
    usage = "[options] [name …]"
    summary = "List the news sites in the box, and check whether they answer"
    details = (
        "Lists the sites that 'scrapy crawl NAME' knows: those in the box, and yours. --toml prints their "
        "entries. That of one site is a site file, which replaces the one in the box once it is among yours. --check "
        "asks the sites' home pages, robots.txt, feeds and sitemaps, as politely as a crawl. It writes the entries "
        "with the addresses that gave records, and the day. "
        "Example: scrapy sites --language zh --search 新闻; scrapy sites spiegel --check --out spiegel.toml"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--country", metavar="CODE", help="sites of a country: de, cn, us …")
        parser.add_argument("--language", metavar="CODE", help="sites in a language: de, zh, en …")
        parser.add_argument("--search", metavar="WORDS", help="sites with these words in name, title or host")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--toml", action="store_true", help="print the entries instead of a table")
        parser.add_argument("--check", action="store_true", help="ask the sites, and print what they gave")
        parser.add_argument("--out", metavar="FILE", help=f"of --check: write the entries there; {FOLDERS_ARE_MADE}")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        if opts.out and not opts.check:
            raise UserError("--out is where --check writes: give --check, too")
        found = self._chosen(args, opts)
        if opts.check:
            self._check(found, opts)
        elif opts.json:
            print_json([{name: getattr(site, name) for name in _SHOWN} for site in found])
        elif opts.toml:
            sys.stdout.write(to_tables(found))
        else:
            _show(found)
            for line in lines_of_articles(args, self.project_settings["NEWSCRAWL_DATABASE"]):
                make_console().print(line, markup=False, soft_wrap=True)

    def _chosen(self, names: Sequence[str], opts: argparse.Namespace) -> list[NewsSite]:
        folder = sites_folder(self.project_settings)
        tell_of_mistakes(folder, "sites")
        country = opts.country and one_of(opts.country.lower(), countries(), "country")
        sites = [_find_site(name, folder) for name in names] if names else _all_sites(folder)
        words = (opts.search or "").lower().split()
        found = [
            site
            for site in sites
            if (not country or site.country == country)
            and (not opts.language or site.language == opts.language.lower())
            and all(word in " ".join((site.name, site.title, *site.hosts)).lower() for word in words)
        ]
        if not found:
            raise UserError("no such site; scrapy sites lists all; any site: scrapy crawl site -a url=https://…")
        return found

    def _check(self, found: list[NewsSite], opts: argparse.Namespace) -> None:
        if self.crawler_process is None:
            raise TypeError("scrapy gives the command its crawler process")
        if opts.out:
            check_writable(Path(opts.out))
        is_archive = bool(self.project_settings["NEWSCRAWL_REPLAY"])
        checks = [SiteCheck(site=site, day=None if is_archive else datetime.now(UTC).date()) for site in found]
        self.crawler_process.crawl(SiteCheckSpider, checks=checks)
        self.crawler_process.start()
        if opts.out:
            notes = {url: note for check in checks for url, note in check.notes().items()}
            write_text(Path(opts.out), to_tables([check.entry() for check in checks], notes))
        if opts.json:
            print_json([check.as_json() for check in checks])
        else:
            _show_checks(checks)
            if is_archive:
                sys.stdout.write("an archive answered, not the sites: their day of the last check stays\n")
            if opts.out:
                is_whole = not any(to_state(check.entry()) for check in checks)
                more = "" if is_whole else "; for the catalogue, fill in the lines that begin with #"
                sys.stdout.write(f"wrote {opts.out}{more}\n")
        self.exitcode = int(not all(check.is_reached for check in checks))


def _find_site(name: str, folder: Path) -> NewsSite:
    site = named_site(name, folder)
    if site is None:
        meant = did_you_mean(name, [*list_sites(folder), *catalogue_names()])
        raise UserError(f"no site {name!r}; {meant or f'scrapy sites --search {name} looks for one'}")
    return site


def _all_sites(folder: Path) -> list[NewsSite]:
    """Return the user's sites, then those of the catalogue that have no name of theirs."""
    own = set(list_sites(folder))
    return [*own_sites(folder), *(site for site in catalogue() if site.name not in own)]


def lines_of_articles(names: Sequence[str], database: str) -> Iterator[str]:
    """Yield what is to be said of the articles that the sites of these names have brought: forms, contradictions."""
    if names and database and is_there(database):
        with existing_database(database) as engine, engine.connect() as connection:
            for form in main_forms(article_forms(connection, names)):
                yield from (f"{form.site}: {line}" for line in form.lines())
            for drift in (one for name in names for one in drifts_of(connection, name) if one["reason"] == KINDS):
                yield describe_drift(*(drift[part] for part in ("host", "reason", "old", "new")))


def _show(found: Iterable[NewsSite]) -> None:
    rows = [
        {
            **{name: getattr(site, name) or "–" for name in ("name", "title", "country", "language", "checked")},
            **{name: len(getattr(site, name)) for name in ("feeds", "sitemaps")},
            "home page": site.seeds[0],
        }
        for site in found
    ]
    columns = ("name", "title", "country", "language", "feeds", "sitemaps", "checked", "home page")
    print_rows("Sites", columns, rows, right=("feeds", "sitemaps"))
    make_console().print(f"{quantity(len(rows), 'site')}; harvest one: {program()} crawl NAME", markup=False)


def _show_checks(checks: Iterable[SiteCheck]) -> None:
    columns = ("site", "door", "answer", "records", "newest", "named by", "address")
    rows = (
        (check.site.name, door.door, door.answer, door.n_records, door.newest or "–", door.named_by, door.url)
        for check in checks
        for door in check.answers
    )
    print_rows("Checked", columns, (dict(zip(columns, row, strict=True)) for row in rows), right=("records",))


class SiteCheckSpider(Spider):
    """Fills the checks it is given, with the project's settings: robots.txt, address guard, delays."""

    name = "site-check"
    custom_settings = {"NEWSCRAWL_DATABASE": "", "NEWSCRAWL_WARC": ""}  # noqa: RUF012

    def __init__(self, checks: list[SiteCheck]) -> None:
        super().__init__()
        self.checks = checks

    async def start(self) -> AsyncIterator[Any]:
        for check in self.checks:
            for seed in check.site.seeds:
                yield self._request(check, Door.HOME, seed, "entry")
                yield self._request(check, Door.ROBOTS, canonicalize("/robots.txt", seed) or seed, "entry")
            for url in check.site.feeds:
                yield self._request(check, Door.FEED, url, "entry")
            for url in check.site.sitemaps:
                yield self._request(check, Door.SITEMAP, url, "entry")

    def _request(self, check: SiteCheck, door: Door, url: str, named_by: str) -> Request:
        meta = {"handle_httpstatus_all": True, "allow_offsite": True, "dont_obey_robotstxt": door is Door.ROBOTS}
        return Request(
            url,
            callback=self.parse,
            errback=self.fail_request,
            meta=meta,
            cb_kwargs={"check": check, "door": door, "named_by": named_by},
        )

    def parse(self, response: Response, check: SiteCheck, door: Door, named_by: str) -> Iterator[Request]:
        n_records, newest, named = _records(response, door) if response.status == 200 else (0, None, [])
        check.answers.append(
            DoorAnswer(
                door=door,
                url=requested_url(response),
                named_by=named_by,
                answer=str(response.status),
                n_records=n_records,
                newest=newest,
            )
        )
        further = Door.FEED if door is Door.HOME else Door.SITEMAP
        known = {*check.site.feeds, *check.site.sitemaps}
        for url in [url for url in named if url not in known][:MAX_NAMED]:
            yield self._request(check, further, url, door)

    def fail_request(self, failure: Failure) -> None:
        request = failure.request  # type: ignore[attr-defined]
        why = (str(failure.value) or type(failure.value).__name__).partition("\n")[0][:200]
        door = {name: request.cb_kwargs[name] for name in ("door", "named_by")}
        request.cb_kwargs["check"].answers.append(DoorAnswer(url=request.url, answer=why, **door))


def _records(response: Response, door: Door) -> tuple[int, str | None, list[str]]:
    """Return how many records an answer has, the latest day among them, and the addresses that it names."""
    body, url = response.body, response.url
    if door in (Door.FEED, Door.SITEMAP):
        is_feed = door is Door.FEED
        listed = list(
            parse_feed(body, url, {"content-type": content_type(response)}) if is_feed else parse_sitemap(body, url)
        )
        return len(listed), newest_day(entry.moment for entry in listed), []
    if door is Door.ROBOTS:
        named = [canonical for entry in sitemaps_of_robots(body) if (canonical := canonicalize(entry, url))]
        return len(named), None, named
    root = parse(decode(body, content_type(response))[0]) if kind_of(response) == "html" else None
    if root is None:
        return 0, None, []
    document = Document.from_html(body, url, content_type(response))
    stories = read_hub(document, url, fetched_at=fetched_at(response)).records
    return (
        len(stories),
        max((story.date[:10] for story in stories if story.date), default=None),
        [*feed_links(root, url)],
    )
