"""Pages from the network, by a crawl of their own: robots.txt, refused networks, limits and replay hold as ever.

The server never connects to an address itself: it starts ``scrapy``, which records what it gets, and reads the record.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.exceptions import UserError
from newscrawl.serve.safety import RefusedError
from newscrawl.urls.canonical import canonicalize
from newscrawl.warc.archive import WarcArchive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newscrawl.warc.archive import Answer

FETCH_SECONDS: Final = 120.0
MAX_AT_ONCE: Final = 2
MAX_SAID: Final = 400
_room = asyncio.Semaphore(MAX_AT_ONCE)


async def run_scrapy(*arguments: str, settings: Mapping[str, str], seconds: float = FETCH_SECONDS) -> str:
    """Run a Scrapy command of the project and return what it prints.

    :param settings: handed on to it.
    :raises RefusedError: it failed, with the line that it says, or took too long.
    """
    given = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    async with _room:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "scrapy", *arguments, *given,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            out, said = await asyncio.wait_for(process.communicate(), seconds)
        except TimeoutError:
            raise RefusedError(f"no answer within {seconds:g} s", 504) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines()
        raise RefusedError((lines[-1] if lines else "it failed").partition(": ")[2][:MAX_SAID] or "it failed", 502)
    return out.decode("utf-8", "replace")


async def fetch(url: str, settings: Mapping[str, str]) -> Answer:
    """Return the page at an address, as ``scrapy extract`` fetches it.

    :raises RefusedError: for what is no address, or gives no page.
    """
    if canonicalize(url) is None or "\0" in url:
        raise RefusedError(f"{url[:MAX_SAID]!r} is not a URL; accepted: http://HOST/… or https://HOST/…")
    with tempfile.TemporaryDirectory(prefix="newscrawl-") as folder:
        record = Path(folder) / "page.warc.gz"
        await run_scrapy("extract", url, settings=dict(settings) | {"NEWSCRAWL_WARC": str(record)})
        try:
            with WarcArchive([record]) as archive:
                answers = [archive.get(known) for known in archive.urls]
        except UserError:
            raise RefusedError("the answer was not recorded", 502) from None
    pages = [answer for answer in answers if answer and answer.status == 200 and not answer.url.endswith("/robots.txt")]
    if not pages:
        raise RefusedError("no page came", 502)
    return pages[-1]
