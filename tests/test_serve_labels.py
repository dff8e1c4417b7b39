"""Labels by clicks: a made site that the default reads wrongly is labelled, trained, and read by its model."""

from __future__ import annotations

import gzip
import json
import re
from statistics import mean
from typing import TYPE_CHECKING

import pytest
from lxml import html

from newscrawl.commands.extract import ExtractCommand as Extract
from newscrawl.commands.segment import SegmentCommand as Segment
from newscrawl.read.model import Wants
from newscrawl.serve.training.metrics import text_score
from tests.archives import write_warc
from tests.commands_run import answer, scrapy
from tests.labelled_site import made_page
from tests.reading import read
from tests.served import TICKERS, archive, client, form_token, harvest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

# Each test goes on where the one before ended: one process runs the file (`make slow-test`).
pytestmark = pytest.mark.slow

UNSEEN = [made_page(number) for number in range(200, 212)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("label")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[TestClient]:
    database = f"sqlite:///{folder}/news.sqlite"
    harvest(database)
    wants = Wants(blocks=True, any_type=True, models=folder / "sites")
    given = {"sites": folder / "sites", "labels": folder / "labels", "archives": (archive(folder / "a.warc.gz"),)}
    with client(database, allow_changes=True, wants=wants, **given) as opened:
        yield opened


def act(server: TestClient, **fields: str) -> str:
    form = {"form_token": form_token(server.get("/label/town").text)} | fields
    done = server.post("/label/town", data=form)
    assert done.status_code == 200, done.text
    return str(html.fromstring(done.text).text_content())


def bodies(folder: Path) -> list[str]:
    with gzip.open(folder / "pages.warc.gz.jsonl.gz", "rt", encoding="utf-8") as rows:
        return [json.loads(row)["articleBody"] for row in rows]


def frame_of(page: str) -> str:
    return str(html.fromstring(page).xpath("//iframe/@src")[0])


def click(server: TestClient, frame: str, words: tuple[str, ...], label: str) -> None:
    """Press the button of the first block that holds one of the words and has no label of the user's."""
    page = server.get(frame)
    for box in html.fromstring(page.text).xpath("//section"):
        if "guess" in box.get("class") and any(word in box.text_content() for word in words):
            say = box.xpath(f".//button[contains(@class, '{label}')]/@value")[0]
            done = server.post(frame, data={"form_token": form_token(page.text), "say": say})
            assert done.status_code == 200, done.text
            return
    pytest.fail(f"no block with {words} on {frame}")


def test_a_site_is_mended_by_twenty_clicks_on_five_pages(server: TestClient, folder: Path) -> None:
    act(server, action="collect")
    assert len(list((folder / "labels/town/pages").glob("*.html"))) == len(TICKERS)
    old = ("Many years", "It was a time", "The papers of")
    for _ in range(5):
        frame = frame_of(server.get("/label/town").text)
        for words, label in (
            (("says",), "main"),
            (("From the archive",), "other"),
            (old, "other"),
            (("since 199",), "related"),
        ):
            click(server, frame, words, label)
    said = act(server, action="train")
    assert "Trained on 20 blocks of 5 pages." in said
    right, before = (float(share) for share in re.findall(r"([\d.]+) %", said)[:2])
    assert (right >= 95, before <= 70) == (True, True)
    act(server, action="use")
    own = str(folder / "sites/town.npz")
    scores = [
        text_score(page.text, read(page.html, f"https://town.example/{page.name}", wants=Wants(classifier=own)).text).f1
        for page in UNSEEN
    ]
    assert mean(scores) >= 0.95


def test_the_sites_model_reaches_commands_by_the_pages_address(
    server: TestClient, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sites = folder / "sites"
    (sites / "town.toml").write_text('title = "Town"\nhosts = ["town.example"]\nseeds = ["https://town.example/"]\n')
    (folder / "page.html").write_text(UNSEEN[0].html, encoding="utf-8")
    monkeypatch.setattr("newscrawl.default_settings.NEWSCRAWL_SITES_DIR", str(sites))
    given = str(folder / "page.html"), "--url", "https://town.example/2024/05/200.html"
    assert answer(Extract(), capsys, *given).strip() == UNSEEN[0].text
    assert answer(Extract(), capsys, given[0]).strip() != UNSEEN[0].text
    labels = re.findall(r'"label": "(\w+)"', answer(Segment(), capsys, *given, "--lossless", "--json"))
    assert labels.count("main") == 1
    posted = server.post("/api/v1/extract", params={"url": given[2]}, content=UNSEEN[0].html.encode())
    assert posted.json()["articleBody"] == UNSEEN[0].text
    record = write_warc(folder / "pages.warc.gz", {"url": given[2], "body": UNSEEN[0].html.encode()})
    collection = "--warc", str(record), "--workers", "1", "--out"
    answer(Extract(), capsys, *collection, str(folder / "own"))
    assert bodies(folder / "own") == [UNSEEN[0].text]
    act(server, action="unuse")
    assert answer(Extract(), capsys, *given).strip() != UNSEEN[0].text
    answer(Extract(), capsys, *collection, str(folder / "default"))
    assert bodies(folder / "default") != [UNSEEN[0].text]
    act(server, action="use")


def test_the_sites_model_reaches_its_crawl(server: TestClient, folder: Path) -> None:
    urls = {f"https://town.example/2024/05/{page.name}": page for page in UNSEEN}
    home = "".join(f"<li><a href={url}>The ticker of the day, number {page.name}</a>" for url, page in urls.items())
    pages = [{"url": url, "body": page.html.encode()} for url, page in urls.items()]
    record = write_warc(folder / "crawl.warc.gz", {"url": "https://town.example/", "body": home.encode()}, *pages)
    out = folder / "crawled.jsonl"
    given = {"REPLAY": record, "SITES_DIR": folder / "sites", "DATABASE": "", "SITE_MEMORY": True}
    settings = [part for name, value in given.items() for part in ("-s", f"NEWSCRAWL_{name}={value}")]
    done = scrapy("crawl", "town", "-O", str(out), *settings)
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    scores = [text_score(urls[row["url"]].text, row["articleBody"]).f1 for row in found]
    assert len(scores) >= len(UNSEEN) - 2
    assert mean(scores) >= 0.95


def test_a_page_to_label_holds_nothing_that_runs_or_loads(server: TestClient) -> None:
    act(server, action="collect")
    page = server.get(frame_of(server.get("/label/town").text))
    assert page.headers["content-security-policy"].startswith("sandbox allow-same-origin allow-forms;")
    tree = html.fromstring(page.text)
    assert not tree.xpath("//script | //img | //section//a | //iframe")
    assert server.get("/label/town/..%2f..%2fa.html").status_code == 404
    assert server.get("/label/nosuch").status_code == 404


def test_what_cannot_be_trained_is_one_line(server: TestClient, folder: Path) -> None:
    (folder / "labels/town/labels.jsonl").unlink(missing_ok=True)
    form = {"form_token": form_token(server.get("/label/town").text), "action": "train"}
    done = server.post("/label/town", data=form)
    assert done.status_code == 400
    assert "label at least one of each" in done.text
