"""Where a command's page comes from: a file, standard input, or a URL through Scrapy's downloader."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.spidermiddlewares.httperror import HttpError

from newscrawl.console.command import is_url
from newscrawl.console.program import program
from newscrawl.exceptions import UserError
from newscrawl.read.model import RawPage, site_facts
from newscrawl.sites import site_at, site_mistakes
from newscrawl.spiders.responses import content_type, fetched_at, no_page
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.http import Response
    from twisted.python.failure import Failure

STDIN = "-"


def with_site(page: RawPage, folder: Path) -> RawPage:
    """Return the page with what its site says of it: one of the user's in ``folder``, or of the catalogue."""
    return page if page.url is None else page._replace(site=site_facts(site_at(page.url, folder), page.url))


def tell_of_mistakes(folder: Path, command: str) -> None:
    """Say on standard error which files of the user's sites are left out, and what is wrong with each first."""
    for mistake in site_mistakes(folder):
        sys.stderr.write(f"{program()} {command}: a site is left out: {mistake}\n")


def read_page(argument: str, url: str | None, process: CrawlerProcessBase | None) -> RawPage:
    """Read the page.

    :param url: the address a file came from.
    :raises UserError: for what is neither a file, ``-`` nor a URL, for a URL that gives no page, and for a picture,
        an archive or the like.
    """
    if url is not None and canonicalize(url) is None:
        raise UserError(f"--url {url!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
    if is_url(argument):
        return fetched_page(fetch(PageSpider, argument, process)[0], argument)
    body, moment = _read_bytes(argument)
    return _refuse_other_file(RawPage(body=body, url=url, fetched_at=moment), argument)


def fetched_page(answer: Response, argument: str) -> RawPage:
    """Return what was fetched.

    :raises UserError: it is a picture, an archive or the like.
    """
    kind = content_type(answer) or None
    page = RawPage(body=answer.body, url=answer.url, fetched_at=fetched_at(answer), content_type=kind)
    return _refuse_other_file(page, argument)


def _refuse_other_file(page: RawPage, argument: str) -> RawPage:
    why = no_page(page.body, page.content_type) if isinstance(page.body, bytes) else None
    if why is None:
        return page
    said = (f" ({page.content_type})" if page.content_type else "") + (why and f": {why}")
    raise UserError(f"{argument!r} is no page{said}; accepted: HTML or text, e.g. a page saved by a browser")


def _read_bytes(argument: str) -> tuple[bytes, datetime]:
    """Return what is there, and since when: a file tells by its own time when its page was saved."""
    if argument == STDIN:
        return sys.stdin.buffer.read(), datetime.now(UTC)
    try:
        file = Path(argument)
        return file.read_bytes(), datetime.fromtimestamp(file.stat().st_mtime, UTC)
    except FileNotFoundError:
        raise UserError(
            f"no file {argument!r}; accepted: a file, - for standard input, http://… or https://…"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot read {argument!r}: {reason}; accepted: a file, -, http://… or https://…") from None


class PageSpider(Spider):
    """Fetches addresses with the project's settings: robots.txt, address guard, replay.

    :param take: is given each address that was asked for, and its answer.
    :param fail: is given each that has none, and why.
    """

    name = "page"
    custom_settings = {"NEWSCRAWL_DATABASE": "", "NEWSCRAWL_WARC": ""}  # noqa: RUF012

    def __init__(
        self, urls: Iterable[str], take: Callable[[str, Response], None], fail: Callable[[str, str], None]
    ) -> None:
        super().__init__()
        self.urls = urls
        self.take = take
        self.fail = fail

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield self.request(url)

    def request(self, url: str, **meta: Any) -> Request:
        asked = {"url": url}
        return Request(
            url, callback=self.parse, errback=self.fail_request, dont_filter=True, meta=meta, cb_kwargs=asked
        )

    def parse(self, response: Response, url: str = "") -> Any:
        self.take(url, response)

    def fail_request(self, failure: Failure) -> None:
        error = failure.value
        status = f"the server answered {error.response.status}" if isinstance(error, HttpError) else ""
        self.fail(failure.request.cb_kwargs["url"], status or str(error) or type(error).__name__)  # type: ignore[attr-defined]


def fetch(spider: type[PageSpider], url: str, process: CrawlerProcessBase | None) -> list[Response]:
    """Run the spider and return its answers, the page's first.

    :raises UserError: the address is none, or gives no page.
    """
    if canonicalize(url) is None:
        raise UserError(f"{url!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
    if process is None:
        raise TypeError("scrapy gives the command its crawler process")
    answers: list[Response] = []
    errors: list[str] = []
    process.crawl(
        spider, urls=[url], take=lambda _, answer: answers.append(answer), fail=lambda _, why: errors.append(why)
    )
    process.start()
    if not answers:
        raise UserError(f"no page at {url!r}: {errors[0] if errors else 'refused'}")
    return answers
