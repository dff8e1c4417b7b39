"""A made harvest for the tests of the server: Chinese and English articles, a copy, a revision, hostile texts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from starlette.testclient import TestClient

from newscrawl.items import PageType
from newscrawl.outcomes import Outcome
from newscrawl.serve.app import make_app
from newscrawl.serve.desk import Options
from newscrawl.store import PageRecord
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.focused import FocusedPageRecord, save_state
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import begin_run, end_run, save_site
from newscrawl.store.storage import write_batch
from tests.archives import write_warc
from tests.labelled_site import made_page
from tests.records import NOW, chinese, stored

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "<script>window.pwned=1</script><img src=x onerror=window.pwned=2>'\"--></style>"
LATER = NOW + timedelta(hours=3)
BRIDGE = "https://town.example/bridge"
CRAWL = "focused town example"
PHONES = "https://example.org/手机"
TICKERS = [f"https://town.example/2024/05/{number}.html" for number in range(12)]


def harvest(database: str, *, is_running: bool = False) -> None:
    """Fill a new database."""
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        asked = {"url": HOSTILE}
        run_id = begin_run(connection, spider="site", site="town", arguments=asked, started_at=NOW, versions={})
        row = {"name": "town", "title": f"Town Press {HOSTILE}", "hosts": ["town.example"], "seeds": []}
        save_site(connection, row | {"language": "en", "timezone": "UTC", "last_run_id": run_id})
        body = "The old bridge is closed.\nNobody was hurt."
        records = [
            stored(BRIDGE, body, headline="Bridge closed", inLanguage="en", site="town"),
            stored("https://copy.example/b", body, headline="Copied", inLanguage="en", site="town"),
            stored(PHONES, f"新手机上市。{chinese(1)}", headline="手机价格下降", inLanguage="zh", site="town"),
            stored("https://e.org/x", HOSTILE + chinese(2), headline=HOSTILE, source=HOSTILE, site=HOSTILE),
            PageRecord(url="https://e.org/gone", outcome=Outcome.HTTP_ERROR, reason="500", status=500, fetched_at=NOW),
        ]
        records += [
            PageRecord(url=url, outcome=Outcome.NOT_ARTICLE, reason="hub", status=200, fetched_at=NOW, site="town",
                       page_type=PageType.HUB, page_type_confidence=0.3 + 0.05 * number)
            for number, url in enumerate(TICKERS)
        ]  # fmt: skip
        write_batch(connection, [replace(record, run_id=run_id) for record in records])
        text = "The old bridge is open.\nNobody was hurt."
        new = stored(BRIDGE, text, headline="Bridge open", inLanguage="en", site="town")
        write_batch(connection, [replace(new, fetched_at=LATER, run_id=run_id)])
        pages = [
            FocusedPageRecord(url=f"https://e.org/{n}", topic=HOSTILE, number=n, is_article=True, probability=n / 4,
                              threshold=0.5, words=((HOSTILE, 2.0),), found_on="https://e.org/", anchor=HOSTILE)
            for n in range(1, 5)
        ]  # fmt: skip
        judged = [
            FocusedPageRecord(url=url, topic="town", number=9, is_article=True, probability=share, threshold=0.5)
            for url, share in ((BRIDGE, 0.45), ("https://e.org/x", 0.7))
        ]
        write_batch(connection, [*pages, *judged])
        save_state(connection, CRAWL, 2, b"")
        if not is_running:
            end = {"finished_at": LATER, "finish_reason": "finished", "outcomes": {"stored": 3}, "rejections": {}}
            end_run(connection, run_id, {**end, "stats": {"newscrawl/store/new": 3}})
    engine.dispose()


def archive(path: Path) -> Path:
    """Write the ticker's pages into a WARC file."""
    pages = [{"url": url, "body": made_page(number).html.encode()} for number, url in enumerate(TICKERS)]
    hostile = f"<h1>Bridge</h1><p>{HOSTILE}</p><a href=javascript:alert(1)>x</a><p>The bridge is open again.</p>"
    return write_warc(path, *pages, {"url": BRIDGE, "body": hostile.encode()})


def client(database: str, **options: Any) -> TestClient:
    return TestClient(make_app(Options(database=database, **options)), base_url="http://127.0.0.1:8460")


def form_token(page: str) -> str:
    """Return the token of the page's first form."""
    return page.partition('name="form_token" value="')[2].partition('"')[0]
