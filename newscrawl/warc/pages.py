"""One archived answer → the row of its article, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree
from scrapy.http import Response

from newscrawl.items import ARTICLE, values_of
from newscrawl.outcomes import Outcome, Rejection
from newscrawl.page.packed import UnpackError, unpack
from newscrawl.read.model import RawPage, Wants, is_kept, site_facts
from newscrawl.read.read import PAGE_ERRORS, reader_for
from newscrawl.read.worker import PageTimeoutError, page_alarm
from newscrawl.sites import catalogued_host
from newscrawl.spiders.responses import kind_of
from newscrawl.store.columns import storable_row
from newscrawl.urls.canonical import host_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from newscrawl.sites.model import NewsSite
    from newscrawl.warc.archive import Answer


class PageResult(NamedTuple):
    """The fields of an article, by name (``newscrawl.items.ARTICLE``), or None and why."""

    row: dict[str, Any] | None
    reason: str  # ``stored``, a page type, ``no_text``, a rejection, ``http_error``, ``broken`` or ``timeout``


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReader:
    """Reads archived answers as the crawl does, page by page.

    :ivar hosts: whose pages are read, and those of the hosts below them; empty: all.
    :ivar site_at: gives the site of an address.
    :ivar max_bytes: of an unpacked page.
    :ivar seconds: of work on one page; 0 for any. The alarm needs the main thread of a process.
    """

    wants: Wants = field(default_factory=Wants)
    hosts: frozenset[str] = frozenset()
    site_at: Callable[[str], NewsSite | None] = catalogued_host
    max_bytes: int = 16 * 2**20
    seconds: float = 30.0
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    """Time of fetch of a record without a date."""

    def is_wanted(self, url: str) -> bool:
        """Tell whether the address is on one of the hosts."""
        host = host_of(url)
        while host and host not in self.hosts:
            host = host.partition(".")[2]
        return bool(host) or not self.hosts

    def read(self, answer: Answer) -> PageResult:
        """Return the page's row or reason; never raises for what is in the answer."""
        if answer.status != 200:
            return PageResult(None, Outcome.HTTP_ERROR)
        if answer.truncated:
            return PageResult(None, Rejection.TOO_LARGE)
        try:
            with page_alarm(self.seconds):
                return self._read(answer)
        except UnpackError as error:
            return PageResult(None, str(error))
        except PageTimeoutError:
            return PageResult(None, "timeout")
        except (*PAGE_ERRORS, RecursionError, etree.LxmlError):
            return PageResult(None, Rejection.BROKEN)

    def _read(self, answer: Answer) -> PageResult:
        page = archived_page(answer, site_at=self.site_at, max_bytes=self.max_bytes, now=self.now)
        if not isinstance(page, RawPage):
            return PageResult(None, page)
        reading = reader_for(self.wants.of_site(page.site.name)).read(page)
        if reading.failures and reading.article is None:
            return PageResult(None, Rejection.BROKEN)
        if reading.absence is not None or not is_kept(reading.page_type, pages=self.wants.pages):
            return PageResult(None, reading.absence or reading.page_type)
        if reading.article is None:
            return PageResult(None, "no_text")
        return PageResult(storable_row(values_of(reading.article, ARTICLE)), Outcome.STORED)


def archived_page(
    answer: Answer, *, site_at: Callable[[str], NewsSite | None], max_bytes: int, now: datetime
) -> RawPage | Rejection:
    """Return an archived answer as it is read, or why it is no page.

    :param now: taken as the time of fetch where the record has no date.
    :raises UnpackError: its body cannot be unpacked.
    """
    headers = {name.lower(): value for name, value in answer.headers}
    content_type = headers.get("content-type", "")
    body = unpack(answer.body, headers.get("content-encoding", ""), max_bytes)
    kind = kind_of(Response(answer.url, headers={"Content-Type": content_type.encode("latin-1")}, body=body))
    if kind != "html":
        return kind if isinstance(kind, Rejection) else Rejection.NOT_HTML
    return RawPage(
        body=body,
        url=answer.url,
        fetched_at=answer.fetched_at or now,
        content_type=content_type or None,
        site=site_facts(site_at(answer.url), answer.url),
    )
