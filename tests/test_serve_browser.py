"""The server as a reader uses it, in a real browser: search, read, label by keys, and no text that runs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from newscrawl.console.files import find_chromium
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.focused import FocusedPageRecord, known_decisions, save_state
from newscrawl.store.runs import end_run, note_alive
from newscrawl.store.storage import write_batch
from tests.conftest import PROJECT, unavailable
from tests.frontiers import Crawl
from tests.records import NOW, chinese, stored
from tests.served import CRAWL, HOSTILE, archive, harvest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.browser]

PAGES = (
    *"/ /?q=bridge /articles/1 /articles/4 /articles/1/page /sites /sites/town /runs /runs/1 /frontier /topics".split(),
    *"/stories /changes /kinds/town /label /label/town /add-site /none /explain?url=https://town.example/bridge".split(),
    f"/topics/{HOSTILE}",
    f"/judge?crawl={CRAWL}",
)
TOWN = """title = "Town"
hosts = ["town.example"]
seeds = ["https://town.example/"]
feeds = ["https://town.example/2024/05/0.html"]
"""
#: Buttons, and links of tables, for which one has to move the page or a table sideways.
OUT_OF_VIEW = """[...document.querySelectorAll('button, td a')]
  .filter(shown => shown.getBoundingClientRect().right > innerWidth).map(shown => shown.outerHTML)"""
#: Faults that axe finds serious or critical, one line each.
FAULTS = """async () => (await axe.run()).violations
  .filter(fault => ['serious', 'critical'].includes(fault.impact))
  .map(fault => `${fault.id}: ${fault.nodes[0].html}`)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("walk")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Of a server started as a user starts it."""
    database = f"sqlite:///{folder}/news.sqlite"
    harvest(database)
    worker = Crawl(database, name="town")
    worker.queue("https://town.example/1", "https://other.example/2")
    worker.lease()
    record = archive(folder / "a.warc.gz")
    command = [sys.executable, "-m", "scrapy", "serve", "--port", "0", "--allow-changes", "--database", database]
    command += ["--archive", str(record), "--labels", str(folder / "labels")]
    command += ["-s", f"NEWSCRAWL_SITES_DIR={folder}/sites", "-s", f"NEWSCRAWL_SCHEDULE={folder}/schedule.toml"]
    (folder / "sites").mkdir()
    (folder / "sites" / "town.toml").write_text(TOWN, encoding="utf-8")
    (folder / "schedule.toml").write_text("[harvest.town]\nevery = '1h'\n", encoding="utf-8")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as server:  # noqa: S603
        assert server.stdout is not None
        yield server.stdout.readline().strip().rstrip("/")
        server.send_signal(signal.SIGINT)
        assert server.wait(20) in {0, -signal.SIGINT, 130}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = find_chromium()
    if find_spec("axe_playwright_python") is None or path is None:
        unavailable("no playwright with axe (pip install -r requirements-browser.txt), or no chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (optional)

    with sync_playwright() as player:
        opened = player.chromium.launch(executable_path=path, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(base_url=address, locale="en-GB", viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")])
def test_no_text_runs_and_every_page_is_within_reach(browser: Any, address: str, width: int, scheme: str) -> None:
    """Hostile texts, requests to elsewhere, overflow, and what axe finds; pictures go to ``NEWSCRAWL_SCREENSHOTS``."""
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown = context.new_page()
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        shown.goto(path)
        assert shown.evaluate("window.pwned") is None
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(OUT_OF_VIEW) == [], path
        if not path.endswith("/page"):  # in a sandbox no script runs: axe neither
            shown.evaluate(axe)
            assert shown.evaluate(FAULTS) == [], path
        if pictures := os.environ.get("NEWSCRAWL_SCREENSHOTS"):
            shown.screenshot(path=f"{pictures}/{re.sub(r'[^a-z0-9]+', '-', path)[:30]}-{width}-{scheme}.png")
    assert [url for url in asked if not url.startswith(address)] == []
    context.close()


def test_articles_are_found_as_one_types_in_chinese_and_english(page: Any) -> None:
    page.goto("/")
    page.keyboard.type("手机")
    page.wait_for_selector("text=1 article")
    assert page.inner_text(".hits .headline") == "手机价格下降"
    assert page.inner_text(".hits mark") == "手机"
    page.keyboard.press("Control+A")
    page.keyboard.type("bridge open")
    page.wait_for_selector("text=Bridge open")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=bridge+open*")
    page.click("text=Bridge open")
    assert page.inner_text("h1") == "Bridge open"
    assert "The old bridge is closed." in page.inner_text("details[open]")
    page.click("text=中文")
    page.wait_for_selector("text=早先版本")


def test_a_site_is_labelled_by_keys_alone(page: Any, folder: Path) -> None:
    page.goto("/label/town")
    press(page, page.get_by_role("button", name="Collect pages"))
    page.wait_for_selector("iframe")
    for _ in range(5):
        for words, label in (("says", "main"), ("From the archive", "other"), ("since 199", "related")):
            frame = page.frame_locator("iframe")
            box = frame.locator("section.guess, section.none").filter(has_text=words).first
            button = box.get_by_role("button", name=label, exact=True)
            value = button.get_attribute("value")
            press(page, button)
            frame.locator(f"button[aria-pressed=true][value='{value.partition(':')[0]}:none']").wait_for()
        following = page.frame_locator("iframe").get_by_role("link", name="Next page")
        before = page.frames[-1].url
        press(page, following)
        page.wait_for_function("before => frames[0].location.href.split('#')[0] !== before.split('#')[0]", arg=before)
    press(page, page.get_by_role("button", name="Train"))
    page.wait_for_selector("text=Trained on 15 blocks of 5 pages.")
    press(page, page.get_by_role("button", name="Use for this site"))
    page.wait_for_selector("text=The model is in use.")
    assert (folder / "sites" / "town.npz").is_file()


def test_articles_are_judged_by_key(page: Any) -> None:
    page.goto(f"/judge?crawl={CRAWL}")
    page.keyboard.press("y")
    page.wait_for_selector("text=1 judged")
    page.keyboard.press("n")
    page.wait_for_selector("text=Nothing is left to judge.")
    page.keyboard.press("u")
    page.wait_for_selector("article")


def test_ten_pages_are_said_to_be_articles_or_lists_by_key(page: Any, folder: Path) -> None:
    page.goto("/kinds/town")
    for number, key in enumerate("ahoahahahh", start=1):
        page.keyboard.press(key)
        page.wait_for_selector(f"text={number} judged")
    page.wait_for_selector("text=Nothing is left to judge.")
    page.keyboard.press("u")
    page.wait_for_selector("iframe.page")
    said = json.loads((folder / "sites" / "town.pages.json").read_text(encoding="utf-8"))
    assert list(said.values()) == ["article", "hub", "other", "article", "hub", "article", "hub", "article", "hub"]


def test_ten_articles_of_a_topic_are_judged_by_key(page: Any, folder: Path) -> None:
    """The most doubtful come first; the last verdict is taken back and given anew."""
    crawl, urls = "focused bicycles example", [f"https://e.org/bicycle/{n}" for n in range(12)]
    engine = make_engine(f"sqlite:///{folder}/news.sqlite")
    with writing(engine) as connection:
        write_batch(connection, [stored(url, chinese(100 + n), headline=f"Bicycle {n}") for n, url in enumerate(urls)])
        judged: dict[str, Any] = {"topic": "bicycles", "is_article": True, "threshold": 0.5}
        pages = [FocusedPageRecord(url=url, number=n, probability=0.5 + n / 30, **judged) for n, url in enumerate(urls)]
        write_batch(connection, pages)
        save_state(connection, crawl, len(urls), b"")
    page.goto("/topics")
    press(page, page.locator(f"a[href*='{quote(crawl)}']"))
    for number, key in enumerate("ynynyynnyn"):
        assert page.inner_text("article h2") == f"Bicycle {number}"
        page.keyboard.press(key)
        page.wait_for_selector(f"text={number + 1} judged")
    page.keyboard.press("u")
    page.wait_for_selector("text=9 judged")
    assert page.inner_text("article h2") == "Bicycle 9"
    page.keyboard.press("y")
    page.wait_for_selector("text=10 judged")
    with engine.connect() as connection:
        said = known_decisions(connection, crawl)[1]
    engine.dispose()
    assert said == {url: key == "y" for url, key in zip(urls, "ynynyynnyy", strict=False)}


def press(page: Any, one: Any) -> None:
    one.focus()
    page.keyboard.press("Enter")


def test_articles_are_filtered_and_the_schedule_shown_by_keys_alone(page: Any) -> None:
    page.goto("/sites")
    page.get_by_role("textbox", name="Name of a site").focus()
    page.keyboard.type("nobody")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=no site of this name is known")
    page.goto("/")
    press(page, page.locator("summary", has_text="Filters"))
    page.get_by_label("Topic").focus()
    page.keyboard.type("town")
    page.wait_for_selector("text=1 article")
    assert "topic=town" in page.url
    page.goto("/sites/town")
    assert page.get_by_role("button", name="Start a harvest").count() == 1
    assert "no feed not_article:hub" in page.inner_text("main")
    page.goto("/runs")
    assert page.get_by_role("button", name="Start town now").count() == 1


def test_a_run_is_stopped_by_key_and_seen_to_end(browser: Any, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/live.sqlite"
    harvest(database, is_running=True)
    command = [sys.executable, "-m", "scrapy", "serve", "--port", "0", "--database", database, "--allow-changes"]
    engine = make_engine(database)
    with writing(engine) as connection:
        assert not note_alive(connection, 1, datetime.now(UTC))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT) as server:  # noqa: S603
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        shown = browser.new_page(locale="en-GB")
        shown.goto(f"{address}runs/1")
        assert "addresses done" in shown.inner_text("#live")
        press(shown, shown.get_by_role("button", name="Stop"))
        shown.wait_for_selector("text=It was asked to stop")
        shown.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
        assert shown.evaluate(FAULTS) == []
        with writing(engine) as connection:
            assert note_alive(connection, 1, datetime.now(UTC)), "its crawl is told"
            end_run(connection, 1, {"finished_at": NOW, "finish_reason": "finished"})
        engine.dispose()
        shown.wait_for_selector("text=finished", timeout=15_000)
        shown.close()
        time.sleep(0.2)
        server.send_signal(signal.SIGINT)
        server.wait(20)
