"""A replay: WARC files answer every request, without sockets or name look-ups, the same each time."""

from __future__ import annotations

import logging
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.exceptions import DownloadCancelledError, NotConfigured
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from newscrawl.signals import ARCHIVED, FETCHED_AT, Component, hears
from newscrawl.warc.archive import WarcArchive, paths_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from newscrawl.warc.archive import Answer

logger = logging.getLogger(__name__)

MAX_FORESEEN: Final = 64
"""Most answers that are kept until their requests come."""
MAX_FORESEEN_BYTES: Final = 2**20
"""Most bytes of such an answer, as it was sent. Larger ones are looked up twice."""


class ReplayExtension(Component):
    """Opens the archive before the crawl starts, so that a wrong file is refused in one line.

    Setting ``NEWSCRAWL_REPLAY``: WARC files. Stats ``newscrawl/replay/records``, ``newscrawl/replay/broken``.
    """

    def __init__(self, crawler: Crawler) -> None:
        files = crawler.settings["NEWSCRAWL_REPLAY"]
        if not files:
            raise NotConfigured  # without a word: most crawls ask the network
        super().__init__(crawler)
        self.archive = WarcArchive(paths_of(files))
        self.max_size = crawler.settings.getint("DOWNLOAD_MAXSIZE")
        self._foreseen: dict[str, Response] = {}
        crawler.signals.connect(self.archive.close, signals.spider_closed)

    @hears(signals.spider_opened)
    def _open(self) -> None:
        stats = self.crawler.stats
        stats.set_value("newscrawl/replay/records", len(self.archive))
        if self.archive.broken:
            stats.set_value("newscrawl/replay/broken", self.archive.broken)
        logger.info("Replaying %d archived URLs", len(self.archive))

    def answer(self, request: Request, *, is_early: bool = False) -> Response:
        """Return the archive's answer to a request.

        :param is_early: whether this request will come again: the answer is kept for it, of the last ``MAX_FORESEEN``.
        :raises DownloadCancelledError: it is larger than ``DOWNLOAD_MAXSIZE``.
        """
        if request.method not in ("GET", "HEAD"):
            return Response(request.url, status=405, headers={"Allow": "GET, HEAD"}, request=request)
        known = self._foreseen.pop(request.url, None)
        if known is not None and known.request is request:
            return known
        limit = request.meta.get("download_maxsize", self.max_size)
        answer = self.archive.get(request.url, limit=limit)
        if answer is None:
            return self._missing(request)
        if answer.truncated:
            raise DownloadCancelledError(f"{request.url} is larger than DOWNLOAD_MAXSIZE ({limit} bytes)")
        request.meta.pop(FETCHED_AT, None)
        request.meta[ARCHIVED] = answer.place
        if answer.fetched_at:
            request.meta[FETCHED_AT] = answer.fetched_at
        response = _response(request, answer)
        if is_early and len(answer.body) <= MAX_FORESEEN_BYTES:
            self._foreseen[request.url] = response
            if len(self._foreseen) > MAX_FORESEEN:
                self._foreseen.pop(next(iter(self._foreseen)))
        return response

    def _missing(self, request: Request) -> Response:
        stored = self.archive.stored_form(request.url)
        if stored is None:
            return Response(request.url, status=404, request=request)
        scheme = request.url.partition(":")[0]
        location = f"{scheme}:{stored.partition(':')[2]}"
        return Response(request.url, status=301, headers={"Location": location}, request=request)


class ReplayDownloadHandler(BaseDownloadHandler):
    """Answers http and https from the archive that ``ReplayExtension`` opened.

    An address that is not there gives 404, or 301 to a stored form that differs only by a final slash or
    ``index.html``. A matching validator gives 304. ``DOWNLOAD_MAXSIZE`` holds. ``meta["newscrawl_fetched_at"]`` is the
    record's date, ``meta["newscrawl_archived"]`` its place.
    """

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        extension = crawler.get_extension(ReplayExtension)
        if extension is None:
            raise NotConfigured("NEWSCRAWL_REPLAY is empty, or newscrawl.addon.NewscrawlAddon not in ADDONS")
        self._answer = extension.answer

    async def download_request(self, request: Request) -> Response:
        return self._answer(request)


def _response(request: Request, answer: Answer) -> Response:
    headers = Headers()
    for name, value in answer.headers:
        headers.appendlist(name, value.encode("latin-1"))
    if answer.status == 200 and is_unchanged(request.headers, headers):
        return Response(request.url, status=304, headers=headers, request=request)
    body = b"" if request.method == "HEAD" else answer.body
    cls = responsetypes.from_args(headers=headers, url=request.url, body=body)
    return cls(request.url, status=answer.status, headers=headers, body=body, request=request)


def is_unchanged(asked: Headers, stored: Headers) -> bool:
    """Tell whether a conditional request is answered by 304 (RFC 9110, §13.2.2: by the tag, else by the date)."""
    tags = asked.get("If-None-Match")
    if tags is not None:
        known = _weak(stored.get("ETag") or b"")
        return bool(known) and (tags.strip() == b"*" or known in map(_weak, tags.split(b",")))
    since, modified = asked.get("If-Modified-Since"), stored.get("Last-Modified")
    if since is None or modified is None:
        return False
    try:
        return parsedate_to_datetime(modified.decode("latin-1")) <= parsedate_to_datetime(since.decode("latin-1"))
    except (TypeError, ValueError, OverflowError):
        return False


def _weak(tag: bytes) -> bytes:
    return tag.strip().removeprefix(b"W/")
