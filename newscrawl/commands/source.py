"""Where a command's page comes from: a file, standard input, or a URL through Scrapy's downloader."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.spidermiddlewares.httperror import HttpError

from newscrawl.command import is_url
from newscrawl.exceptions import UserError
from newscrawl.program import program
from newscrawl.reading.model import NO_SITE, RawPage, site_facts
from newscrawl.sites import site_at, site_mistakes
from newscrawl.spiders.responses import content_type, is_other_file
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from newscrawl.sites.model import NewsSite

STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    body: bytes
    url: str | None
    """Address of the answer; None for a file."""
    content_type: str | None
    fetched_at: datetime

    def site(self, folder: Path) -> NewsSite | None:
        """Return the site that the page is of: one of the user's in ``folder``, or of the catalogue."""
        return None if self.url is None else site_at(self.url, folder)

    def raw(self, site: NewsSite | None) -> RawPage:
        """Return the page as it is read; with what its site says of it."""
        return RawPage(
            body=self.body,
            url=self.url,
            fetched_at=self.fetched_at,
            content_type=self.content_type,
            site=NO_SITE if site is None or self.url is None else site_facts(site, self.url),
        )


def tell_of_mistakes(folder: Path, command: str) -> None:
    """Say on standard error which files of the user's sites are left out, and what is wrong with each first."""
    for mistake in site_mistakes(folder):
        sys.stderr.write(f"{program()} {command}: a site is left out: {mistake}\n")


def read_page(argument: str, url: str | None, process: CrawlerProcessBase | None) -> PageSource:
    """Read the page.

    :param url: the address a file came from.
    :raises UserError: for what is neither a file, ``-`` nor a URL, for a URL that gives no page, and for a picture,
        an archive or the like.
    """
    if url is not None and canonicalize(url) is None:
        raise UserError(f"--url {url!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
    if is_url(argument):
        return page_source(fetch(OnePageSpider, argument, process)[0], argument)
    source = PageSource(body=_read(argument), url=url, content_type=None, fetched_at=datetime.now(UTC))
    return _checked(source, argument)


def page_source(answer: Response, argument: str) -> PageSource:
    """Return what was fetched.

    :raises UserError: it is a picture, an archive or the like.
    """
    from newscrawl.replay.handler import FETCHED_AT  # noqa: PLC0415 (a file needs no downloader)

    fetched_at = answer.meta.get(FETCHED_AT)
    source = PageSource(
        body=answer.body,
        url=answer.url,
        content_type=content_type(answer) or None,
        fetched_at=fetched_at if isinstance(fetched_at, datetime) else datetime.now(UTC),
    )
    return _checked(source, argument)


def _checked(source: PageSource, argument: str) -> PageSource:
    if is_other_file(source.body):
        said = f" ({source.content_type})" if source.content_type else ""
        raise UserError(f"{argument!r} is no page{said}; accepted: HTML or text, e.g. a page saved by a browser")
    return source


def _read(argument: str) -> bytes:
    if argument == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(argument).read_bytes()
    except FileNotFoundError:
        raise UserError(
            f"no file {argument!r}; accepted: a file, - for standard input, http://… or https://…"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read {argument!r}: {reason}; accepted: a file, -, http://… or https://…") from None


class OnePageSpider(Spider):
    """Fetches one address with the project's settings: robots.txt, address guard, replay."""

    name = "one-page"
    custom_settings = {  # noqa: RUF012
        "NEWSCRAWL_DATABASE": "",
        "NEWSCRAWL_WARC": "",
    }

    def __init__(self, url: str, answers: list[Response], errors: list[str]) -> None:
        super().__init__()
        self.url = url
        self.answers = answers
        self.errors = errors

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self.url, callback=self.parse, errback=self.failed, dont_filter=True)

    def parse(self, response: Response) -> Any:
        self.answers.append(response)

    def failed(self, failure: Failure) -> None:
        error = failure.value
        if isinstance(error, HttpError):
            self.errors.append(f"the server answered {error.response.status}")
        else:
            self.errors.append(str(error) or type(error).__name__)


def fetch(spider: type[OnePageSpider], url: str, process: CrawlerProcessBase | None) -> list[Response]:
    """Run the spider and return its answers, the page's first.

    :raises UserError: the address is none, or gives no page.
    """
    if canonicalize(url) is None:
        raise UserError(f"{url!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
    if process is None:
        raise TypeError("scrapy gives the command its crawler process")
    answers: list[Response] = []
    errors: list[str] = []
    process.crawl(spider, url=url, answers=answers, errors=errors)
    process.start()
    if not answers:
        raise UserError(f"no page at {url!r}: {errors[0] if errors else 'refused'}")
    return answers
