"""``scrapy addsite NAME URL``: describe a site by its home page, in a file that a person corrects."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from newscrawl.commands.source import PageSpider, fetch
from newscrawl.console.command import QuietCommand, no_more_options
from newscrawl.console.files import write_text
from newscrawl.console.place import sites_folder
from newscrawl.console.program import as_typed, program
from newscrawl.console.wording import quantity
from newscrawl.exceptions import UserError
from newscrawl.languages.characters import HAN, HAN_LETTER
from newscrawl.languages.tables import words
from newscrawl.languages.text import fold, fold_space
from newscrawl.links.feed import feed_links
from newscrawl.links.sitemap import sitemaps_of_robots
from newscrawl.page.charset import decode
from newscrawl.page.document import Document, parse
from newscrawl.sites import catalogued_host
from newscrawl.sites.files import NAME_PATTERN, parse_site, to_toml
from newscrawl.sites.model import NewsSite, site_from_url
from newscrawl.spiders.loader import SiteSpiderLoader
from newscrawl.spiders.responses import content_type, kind_of
from newscrawl.urls.canonical import base_of, canonicalize
from newscrawl.urls.domains import zone_of_host, zone_of_language
from newscrawl.urls.patterns import folded
from newscrawl.urls.series import is_later_page
from newscrawl.urls.shape import HUB_WORDS, UrlKind, url_date, url_shape

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.html import HtmlElement
    from scrapy.http import Response

#: Addresses of one form that make a pattern.
MIN_ADDRESSES = 3
MAX_PATTERNS = 8
MAX_CHANNELS = 24
#: Characters of a channel's name; words for scripts that have them.
_MAX_CHANNEL_NAME = 16
#: Words that do not name a channel though the address looks like one.
_NO_CHANNEL = HUB_WORDS - {"latest", "hot", "rank", "ranking"}
#: Lists that are hubs, but not channels.
_PERSONAL = frozenset({"tag", "tags", "author", "authors", "user", "users", "profile", "keywords"})
_SEPARATORS = re.compile(rf"(?:(?<!\s)\s++)?[|_–—·»]\s*|(?<!\s)\s++-\s+|[-_]{{2,}}|(?<=[{HAN}])-(?=[{HAN}])")
_KANA = re.compile(r"[\u3040-\u30ff]")
#: A locale whose country is told, as in ``zh-Hant-HK`` and ``en_HK``.
_LOCALE = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})", re.IGNORECASE)
#: A name that counts and says nothing: ``index1``, ``node_12``, ``list-3``, ``7``.
_NUMBERED = re.compile(
    r"(?:(?:index|default|node|list|channel|column|col|category|cat|section|menu|page|class|type|sub|c?id)[-_]?)?\d+"
)
_LANGUAGE = re.compile(r"[a-z]{2}(?=$|[-_])", re.IGNORECASE)
#: A date among the parts of a pattern, as ``_number`` writes them.
_DATE = re.compile(r"\\d\{4\}(\\?[-/_]|)\\d\{2\}(\\?[-/_]|)\\d\{2\}")
_YEAR = re.compile(r"(?:19[89]|20[0-4])\d")


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


def guess_site(
    name: str, url: str, root: HtmlElement, *, sitemaps: Iterable[str] = (), asked: str | None = None
) -> NewsSite:
    """Describe the site whose home page is ``root``.

    :param url: address of the home page, after redirects.
    :param sitemaps: what robots.txt names.
    :param asked: address before redirects. A digital edition sends it to the pages of the day: it stays the seed.
    """
    base = _with_hosts_of_channels(site_from_url(url), root, url)
    is_of_a_day = asked is not None and base.covers(asked) and url_date(url) is not None and url_date(asked) is None
    links = _links(root, url, base)
    seeds = (asked,) if asked is not None and is_of_a_day else base.seeds
    title = _title(root, url, home=seeds[0]) or base.title
    language = _language(root)
    zone = base.timezone if base.timezone_known else _zone(root, url) or zone_of_language(language)
    return NewsSite(
        name=name,
        title=title,
        hosts=base.hosts,
        seeds=seeds,
        channels=MappingProxyType(_channels(links, url)),
        feeds=feed_links(root, url),
        sitemaps=tuple(canonical for entry in sitemaps if (canonical := canonicalize(entry, url))),
        guessed_patterns=article_patterns([address for address, _ in links]),
        timezone=zone or base.timezone,
        timezone_known=zone is not None,
        language=language,
        site_names=(title,),
    )


def _with_hosts_of_channels(site: NewsSite, root: HtmlElement, url: str) -> NewsSite:
    """Return the site with all hosts of its domain if most links of the domain's home page lead to others of them.

    Portals give each channel a host. A host below its domain, as that of a university's paper, stays alone.
    """
    wide = site_from_url(url, subdomains=True)
    own, known = len(_links(root, url, site)), len(_links(root, url, wide))
    is_home = any(f".{host}" in wide.hosts for host in site.hosts)
    return replace(site, hosts=wide.hosts) if is_home and known - own >= max(MIN_ADDRESSES, own) else site


def article_patterns(urls: Sequence[str]) -> tuple[str, ...]:
    r"""Return regular expressions of the forms that several article-like addresses share, the most common first.

    >>> article_patterns([f"http://x.org/news/{n}.html" for n in (175, 186, 197)])
    ('^[^/]+/news/\\d+\\.html$',)
    """
    forms = Counter(_pattern(url) for url in dict.fromkeys(urls) if url_shape(url) is UrlKind.ARTICLE)
    return tuple(form for form, n in forms.most_common(MAX_PATTERNS) if n >= MIN_ADDRESSES)


def _pattern(url: str) -> str:
    parts = urlsplit(url)
    segments = parts.path.split("/")
    end = max((i for i, segment in enumerate(segments) if segment), default=0)
    path = "/".join(_segment(segment, last=i == end) for i, segment in enumerate(segments))
    path = _DATE.sub(r"(?P<y>\\d{4})\1(?P<m>\\d{2})\2(?P<d>\\d{2})", path, count=1)
    names = [pair.partition("=")[0] for pair in parts.query.split("&") if pair]
    query = r"\?" + "&".join(f"{re.escape(name)}=[^&]*" for name in names) if names else ""
    return f"^[^/]+{path}{query}$".replace(r"\-", "-")


def _segment(segment: str, *, last: bool) -> str:
    stem, dot, extension = segment.rpartition(".")
    if not last or not dot or len(extension) > 5:
        stem, dot, extension = segment, "", ""
    ending = re.escape(dot + extension)
    if re.fullmatch(r"\d+", stem):
        return _number(stem) + ending
    if last and (stem.count("-") + stem.count("_") >= 2 or "%" in stem or len(stem) > 24) and not stem[:4].isdigit():
        letters = re.match(r"[a-z]+(?=[-_]\d)", stem)  # article-1-1, c_1115815908
        if letters is None:
            return "[^/]+" + ending
    return re.sub(r"\d+", lambda match: _number(match[0]), re.escape(stem)) + ending


def _number(digits: str) -> str:
    """Dates keep their number of digits, so that they are told from other numbers."""
    if _YEAR.fullmatch(digits):
        return r"\d{4}"
    if re.fullmatch(_YEAR.pattern + r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", digits):
        return r"\d{4}\d{2}\d{2}"
    return r"\d{2}" if re.fullmatch(r"0[1-9]|[12]\d|3[01]", digits) else r"\d+"


def _links(root: HtmlElement, url: str, site: NewsSite) -> list[tuple[str, str]]:
    """The site's own addresses with their texts, in page order."""
    found, relative_to = [], base_of(root, url)
    for anchor in root.iter("a"):
        address = canonicalize(anchor.get("href") or "about:blank", relative_to)
        if address and site.covers(address):
            found.append((address, fold_space("".join(anchor.itertext()))))
    return found


def _title(root: HtmlElement, url: str, *, home: str) -> str:
    for meta in root.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").lower() == "og:site_name" and meta.get("content"):
            return str(meta.get("content")).strip()
    title = fold_space(Document(root).title)
    parts = [part for part in _SEPARATORS.split(title) if part and part.lower() not in words("pages.home")]
    logos = set(_logos(root, url, home))
    return min(parts, key=lambda part: (fold(part) not in logos, len(part)), default="")


def _logos(root: HtmlElement, url: str, home: str) -> Iterator[str]:
    """Yield the folded texts of the links to the home page, those of their pictures included."""
    relative_to, homes = base_of(root, url), {folded(home), folded(canonicalize("/", home) or home)}
    for anchor in root.iter("a"):
        href = anchor.get("href")
        if href and folded(canonicalize(href, relative_to) or href) in homes:
            yield fold("".join(anchor.itertext()))
            yield from (fold(picture.get("alt") or "") for picture in anchor.iter("img"))


def _language(root: HtmlElement) -> str | None:
    stated = _LANGUAGE.match((root.get("lang") or root.get("xml:lang") or "").strip())
    text = "".join(root.itertext())
    n_han = len(HAN_LETTER.findall(text))
    if n_han > 50 and n_han > len(text) / 20:  # a template's lang="en" stands on many Chinese sites
        return "ja" if len(_KANA.findall(text)) > n_han / 4 else "zh"
    return stated[0].lower() if stated else None


def _zone(root: HtmlElement, url: str) -> str | None:
    """Return the zone of the site's entry in the box, else of the country that the page's locale names."""
    known = catalogued_host(url)
    if known is not None and known.timezone_known:
        return known.timezone
    stated = [root.get("lang"), root.get("xml:lang")]
    stated += [meta.get("content") for meta in root.iter("meta") if meta.get("property") == "og:locale"]
    locales = (_LOCALE.fullmatch(locale.strip()) for locale in stated if locale)
    return next((zone for found in locales if found and (zone := zone_of_host(f".{found[1].lower()}"))), None)


def _channels(links: Sequence[tuple[str, str]], home: str) -> dict[str, tuple[str, ...]]:
    """Hubs that short texts link to, named after the last part of their address, else by that text.

    Of addresses that one page is likely to have, such as a folder and its index file, the first counts.
    """
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    seen = {folded(home)}
    for url, text in links:
        path = unquote(urlsplit(url).path)
        if "?" in url or not 1 < len(text) <= _MAX_CHANNEL_NAME or path.count("/") > 3:
            continue
        if folded(url) in seen or _PERSONAL & set(path.lower().split("/")) or is_later_page(url):
            continue
        seen.add(folded(url))
        name = _channel_name(url, path)
        if _NUMBERED.fullmatch(name or "0"):
            name = text.replace(",", " ") if any(map(str.isalpha, text)) else name
        if url_shape(url) is UrlKind.HUB and name and name not in _NO_CHANNEL and len(found) < MAX_CHANNELS:
            found[name][url] = None
    return {name: tuple(urls) for name, urls in found.items()}


def _channel_name(url: str, path: str) -> str:
    segments = [segment for segment in path.split("/") if segment and not segment.startswith(("index.", "default."))]
    label = segments[-1] if segments else (urlsplit(url).hostname or "").partition(".")[0]
    name = re.sub(r"[^\w-]+", "-", label.rpartition(".")[0] or label).strip("-").lower()
    return "" if name in {"www", "m", "wap"} or name.isdigit() else name
