"""Alerts: the log, and a webhook or a command if set, are told that a run failed or shrank."""

from __future__ import annotations

import asyncio
import json
import logging
import shlex
import shutil
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from newscrawl.exceptions import UserError
from newscrawl.frontier.model import HarvestSpider

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerts:
    """Where alerts go. The webhook may have a private address: the user names it."""

    webhook: str = ""
    command: tuple[str, ...] = ()
    """Program and arguments; no shell. It gets the alert as JSON on standard input."""
    seconds: float = 10.0
    """Most that either may take."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """:raises UserError: a value is not accepted."""
        webhook = (settings["NEWSCRAWL_ALERT_WEBHOOK"] or "").strip()
        if webhook and (urlsplit(webhook).scheme not in {"http", "https"} or not urlsplit(webhook).hostname):
            raise UserError(f"NEWSCRAWL_ALERT_WEBHOOK={webhook!r} is not accepted; give an http or https address")
        return cls(webhook=webhook, command=_words(settings["NEWSCRAWL_ALERT_COMMAND"]))

    async def tell(self, crawler: Crawler, run_id: int | None, event: str, why: str, **more: Any) -> None:
        """Send an alert of a crawl from its event loop."""
        spider = crawler.spider
        alert = {
            "event": event,
            "why": why,
            "run": run_id,
            "spider": spider.name if spider is not None else None,
            "site": spider.site.name if isinstance(spider, HarvestSpider) else None,
            "harvest": crawler.settings["NEWSCRAWL_HARVEST"] or None,
        }
        await asyncio.to_thread(self.send, alert | more)

    def send(self, alert: Mapping[str, Any]) -> None:
        """Log the alert and hand it on. Errors are logged, never raised. Blocks for a limited time."""
        logger.error("Alert: %s %s: %s", alert.get("site"), alert.get("event"), alert.get("why"))
        body = json.dumps(alert, ensure_ascii=False, default=str).encode("utf-8", "replace")
        if self.webhook:
            self._post(body)
        if self.command:
            self._call(body)

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "newscrawl"}
        request = urllib.request.Request(self.webhook, data=body, headers=headers, method="POST")  # noqa: S310 (http only)
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            with opener.open(request, timeout=self.seconds):
                pass
        except urllib.error.HTTPError as error:
            logger.error("Alert webhook %s answered %s", _shown(self.webhook), error.code)
            error.close()
        except (OSError, ValueError, HTTPException) as error:
            logger.error("Alert webhook %s: %s", _shown(self.webhook), error)

    def _call(self, body: bytes) -> None:
        try:
            done = subprocess.run(  # noqa: S603 (no shell; the user's own setting) # nosec B603
                self.command, input=body, capture_output=True, timeout=self.seconds, check=False
            )
        except (OSError, subprocess.SubprocessError) as error:
            logger.error("Alert command %s: %s", self.command[0], error)
            return
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-300:]
            logger.error("Alert command %s ended with %d: %s", self.command[0], done.returncode, said)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow no redirect: an alert goes to the address that the user named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _words(value: object) -> tuple[str, ...]:
    if not value:
        return ()
    try:
        words = tuple(shlex.split(value)) if isinstance(value, str) else tuple(map(str, value))  # type: ignore[call-overload]
    except ValueError as error:
        raise UserError(f"NEWSCRAWL_ALERT_COMMAND={value!r}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise UserError(f"NEWSCRAWL_ALERT_COMMAND={value!r}: no program {words[0] if words else ''!r}")
    return words


def _shown(url: str) -> str:
    """Return the address without its path and query, which often hold a secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}/…"
