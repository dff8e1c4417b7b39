"""``scrapy addsite NAME URL``: write a new site's file from its home page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from newscrawl.commands.source import PageSpider, fetch
from newscrawl.console.command import QuietCommand, no_more_options
from newscrawl.console.files import write_text
from newscrawl.console.place import sites_folder
from newscrawl.console.program import as_typed, program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.links.sitemap import sitemaps_of_robots
from newscrawl.page.charset import decode
from newscrawl.page.document import parse
from newscrawl.sites.guess import guess_site
from newscrawl.sites.toml import NAME_PATTERN, parse_site, to_toml
from newscrawl.spiders.loader import SiteSpiderLoader
from newscrawl.spiders.responses import content_type, kind_of
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    import argparse

    from scrapy.http import Response

    from newscrawl.sites.model import NewsSite


class HomePageSpider(PageSpider):
    """Fetches a home page, then the robots.txt of the host that gave it."""

    name = "addsite"

    def parse(self, response: Response, url: str = "") -> Any:
        super().parse(response, url)
        robots = canonicalize("/robots.txt", response.url)
        if robots:
            yield self.request(robots, dont_obey_robotstxt=True).replace(callback=super().parse)


class AddSiteCommand(QuietCommand):
    requires_crawler_process = True
    usage = "[options] NAME URL"
    summary = "Describe a new site from its home page, for: scrapy crawl NAME"
    details = (
        "Reads the home page and robots.txt, and writes hosts, channels, feeds, sitemaps and the form of an article's "
        "address to NAME.toml in data/sites (setting NEWSCRAWL_SITES_DIR). The folder is made if it is missing. "
        "Correct the file by hand. Example: scrapy addsite example https://www.example.org/"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--print", action="store_true", dest="print_only", help="show the file, write nothing")
        parser.add_argument("--force", action="store_true", help="overwrite the site's file")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        no_more_options(args)
        if len(args) != 2:
            raise UserError(f"expected NAME URL, got {quantity(len(args), 'argument')}: {' '.join(args)!r}")
        name, url = args
        self._check_name(name, force=opts.force or opts.print_only)
        site, text = self._describe(name, canonicalize(url) or url)
        if not site.timezone_known:
            sys.stderr.write(f"{program()} addsite: no time zone is known for this site: set timezone in its file\n")
        if opts.print_only:
            sys.stdout.write(text)
            return
        path = sites_folder(self.project_settings) / f"{name}.toml"
        write_text(path, text)
        sys.stdout.write(f"wrote {path}; read it, then: {program()} crawl {name} -a dry_run=1\n")

    def _check_name(self, name: str, *, force: bool) -> None:
        if not NAME_PATTERN.fullmatch(name):
            raise UserError(f"{name!r} is no name for a site: a lower-case letter, then letters, digits, '-' or '_'")
        folder = sites_folder(self.project_settings)
        mine = (folder / f"{name}.toml").exists()
        loader = None if self.crawler_process is None else self.crawler_process.spider_loader
        if isinstance(loader, SiteSpiderLoader) and loader.is_class(name):
            raise UserError(f"{name!r} is a spider of the project; choose another name")
        if mine and not force:
            raise UserError(f"{folder / name}.toml exists; give --force to overwrite it")

    def _describe(self, name: str, url: str) -> tuple[NewsSite, str]:
        home, *robots = fetch(HomePageSpider, url, self.crawler_process)
        root = parse(decode(home.body, content_type(home))[0]) if kind_of(home) == "html" else None
        if root is None:
            raise UserError(f"{url} is not an HTML page ({content_type(home) or 'no Content-Type'})")
        sitemaps = [address for answer in robots for address in sitemaps_of_robots(answer.body)]
        site = guess_site(name, home.url, root, sitemaps=sitemaps, asked=url)
        text = as_typed(to_toml(site))
        parse_site(name, text)  # what we write, we can read
        return site, text
