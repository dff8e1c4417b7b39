"""A user's mistake is one line that names the value, a status of its own, and no traceback: a table of them."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from newscrawl.addon import NewscrawlAddon
from newscrawl.commands.crawl import brought_nothing, ending, verdict
from newscrawl.commands.direct import load_command
from newscrawl.middlewares.outcome import FirstOfHost, SilentHosts
from tests.commands_run import DEMO, REPLAY, refusal, scrapy
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

SITE = "site -a url=http://x.example/"
MISTAKES = [
    # arguments
    ("crawl", "", "expected one name of a site or spider"),
    ("crawl", "sina people", "expected one name of a site or spider (the command sites lists them), got 2"),
    ("crawl", "sinaa", "unknown spider 'sinaa'"),
    ("crawl", "sina -a lmit=1", "lmit"),
    ("crawl", "sina -a limit=many", "limit"),
    ("crawl", "sina -a since=yesteryear", "since"),
    ("crawl", "sina -a mode=quick", "mode"),
    ("crawl", "sina -a channels=tec", "no channel 'tec'"),
    ("crawl", "sina -a limit", "use -a NAME=VALUE"),
    ("crawl", "sina -s LOG_LEVEL", "use -s NAME=VALUE"),
    ("crawl", "site", "url"),
    ("crawl", "site -a url=mailto:x", "url"),
    ("crawl", "focused", "topic"),
    ("crawl", "focused -a seeds=http://x.example/ -a topic={folder}/none.toml", "none.toml"),
    (
        "crawl",
        f"focused -a seeds=http://x.example/ -a topic={{folder}}/topic.toml -a threshold={'9' * 5_000}",
        "999…999",
    ),
    ("crawl", "focused -a seeds=http://x.example/ -a topic={folder}/hexadecimal.toml", "threshold = 0xffff"),
    (
        "crawl",
        "focused -a seeds=http://x.example/ -a topic={folder}/decimal.toml",
        "is no whole number that is accepted",
    ),
    ("tick", "--schedule {folder}/schedule.toml", "limit = 0xffff"),
    # settings of the project
    ("crawl", 'sina -s ITEM_PIPELINES={{"mine.Pipe":1}}', "names 'mine.Pipe', which cannot be loaded"),
    ("crawl", 'sina -s ADDONS={{"mine.Addon":1}}', "names 'mine.Addon', which cannot be loaded"),
    ("crawl", f"sina -s NEWSCRAWL_READER_MEGABYTES={'9' * 400}", "a whole number from 0 up, 1e+12 at most"),
    ("crawl", "sina -s NEWSCRAWL_EXTRACTR=news", "did you mean NEWSCRAWL_EXTRACTOR"),
    ("crawl", "sina -s NEWSCRAWL_EXTRACTOR=nope", "'nope'; known are"),
    ("crawl", "sina -s NEWSCRAWL_CLASSIFIER=nope", "NEWSCRAWL_CLASSIFIER is 'nope'"),
    ("crawl", "sina -s NEWSCRAWL_READERS=all", "NEWSCRAWL_READERS is 'all'"),
    ("crawl", "sina -s NEWSCRAWL_READ_SECONDS=0", "a number above 0"),
    ("crawl", "sina -s NEWSCRAWL_STORE_LINKS=some", "accepted: rejected, all, none"),
    ("crawl", "sina -s NEWSCRAWL_STORE_BLOCKS=perhaps", "True or False"),
    ("crawl", "sina -s NEWSCRAWL_BODY_FORMATS=pdf", "'pdf'"),
    ("crawl", "sina -s NEWSCRAWL_FRONTIER=disk", "accepted: database, memory"),
    ("crawl", "sina -s NEWSCRAWL_LEASE_SECONDS=1", "NEWSCRAWL_LEASE_SECONDS"),
    ("crawl", "sina -s NEWSCRAWL_ALLOW_NETS=home", "networks such as"),
    ("crawl", "sina -s NEWSCRAWL_CONTACT=me", "a mail address"),
    ("crawl", "sina -s NEWSCRAWL_REPLAY={folder}/none.warc", "cannot read WARC file"),
    ("crawl", "sina -s NEWSCRAWL_REPLAY={folder}/picture.png", "is not a WARC file"),
    ("crawl", "sina -s NEWSCRAWL_WARC={folder}/page.html/x.warc.gz", "cannot make the folder"),
    ("crawl", "sina -s NEWSCRAWL_REPLAY={demo} -s NEWSCRAWL_WARC={demo}", "record to another file"),
    ("crawl", "sina -s NEWSCRAWL_DATABASE=news.db", "is not a database URL"),
    ("crawl", "sina -s NEWSCRAWL_DATABASE=mysql://x/y", "accepted: sqlite:///FILE"),
    # settings of Scrapy's
    ("crawl", "sina -s DOWNLOAD_DELAY=soon", "DOWNLOAD_DELAY is 'soon'; accepted: a number from 0 up"),
    ("crawl", "sina -s DOWNLOAD_DELAY=-1", "DOWNLOAD_DELAY is '-1'"),
    ("crawl", "sina -s CONCURRENT_REQUESTS=1.5", "CONCURRENT_REQUESTS is '1.5'; accepted: a whole number"),
    ("crawl", "sina -s ROBOTSTXT_OBEY=perhaps", "ROBOTSTXT_OBEY is 'perhaps'; accepted: True or False"),
    ("crawl", "sina -s LOG_LEVEL=LOUD", "LOG_LEVEL is 'LOUD'"),
    ("crawl", "sina --logfile {folder}/page.html/x.log", "cannot make the folder"),
    # files to write
    ("crawl", "sina -O {folder}/page.html/x.jsonl", "cannot make the folder"),
    ("crawl", "sina -O {folder}/folder.jsonl", "Is a directory"),
    ("crawl", "sina -O x.unknown", "'unknown'"),
    ("crawl", "sina -O gopher://x.example/x.jsonl", "nothing writes to 'gopher'"),
    # pages
    ("extract", "", "expected one URL, file or -"),
    ("extract", "{folder}/none.html", "no file"),
    ("extract", "-i {folder}/none.txt", "cannot read the list"),
    ("extract", "-i {folder}/page.html x.html", "unexpected argument 'x.html'"),
    ("extract", "-i {folder}/page.html --format html", "-i writes JSON lines"),
    ("fields", "x", "unexpected argument 'x'"),
    ("extract", "{folder}", "cannot read"),
    ("extract", "{folder}/picture.png", "is no page"),
    ("extract", "{folder}/noise.html", "its bytes are no text in any charset"),
    ("extract", "{folder}/page.html --frmat=json", "unknown option '--frmat=json'"),
    ("extract", "{folder}/page.html --format xml", "unknown format 'xml'"),
    ("extract", "{folder}/page.html --method magic", "unknown method 'magic'"),
    ("extract", "{folder}/page.html -s NEWSCRAWL_CLASSIFIER=nope", "NEWSCRAWL_CLASSIFIER is 'nope'"),
    ("extract", "--warc {folder}/none.warc --out {folder}/articles", "none.warc"),
    ("extract", "--warc {demo} --out {folder}/page.html", "page.html"),
    ("extract", "--warc {demo} --out {folder}/articles --host https://x.example/", "--host 'https://x.example/'"),
    ("extract", f"--warc {{demo}} --out {{folder}}/articles --workers {'9' * 5_000}", "a whole number from 1 to 256"),
    ("extract", "--warc cc-news:may --out {folder}/articles", "'cc-news:may' is no month"),
    ("segment", "{folder}/picture.png", "is no page"),
    ("segment", "{folder}/page.html --classifier nope", "'nope'"),
    ("segment", "{folder}/page.html --html {folder}/page.html/x.html", "cannot make the folder"),
    # databases
    ("report", "--database sqlite:///{folder}/none.sqlite", "no database"),
    ("report", "--database news.db", "is not a database URL"),
    ("report", "--database sqlite:///{folder}/page.html", "page.html"),
    ("report", "{folder}/page.html", "given as --database URL"),
    ("report", "--run last", "--run 'last'"),
    ("export", "--database sqlite:///{folder}/none.sqlite", "no database"),
    ("export", "--output x.xls", "xls"),
    ("export", "--since someday", "--since 'someday'"),
    ("frontier", "--database sqlite:///{folder}/none.sqlite", "no database"),
    ("explain", "", "expected one URL"),
    ("explain", "http://x.example/ -s NEWSCRAWL_DATABASE=news.db", "is not a database URL"),
    ("explain", "http://x.example/ --database news.db", "is not a database URL"),
    ("tick", "--schedule {folder}/none.toml", "none.toml"),
    ("train", "{folder}/none.jsonl", "none.jsonl"),
    ("evaluate", "--corpus {folder}/none", "no corpus in"),
    ("evaluate", "--corpus {folder} --methods magic", "unknown extraction method 'magic'"),
    ("export", "--database sqlite:///{folder}/none.sqlite --files {folder}/x --format xls", "unknown format 'xls'"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mistakes")
    (made / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (made / "noise.html").write_bytes(random.Random(1).randbytes(4_000))
    (made / "page.html").write_text("<p>The river rose.</p>", encoding="utf-8")
    (made / "folder.jsonl").mkdir()
    topic, large = "name = 'x'\nkeywords = ['a']\n", f"0x{'f' * 5_000}"
    (made / "topic.toml").write_text(topic, encoding="utf-8")
    (made / "hexadecimal.toml").write_text(f"{topic}threshold = {large}\n", encoding="utf-8")
    (made / "decimal.toml").write_text(f"{topic}threshold = {'9' * 5_000}\n", encoding="utf-8")
    (made / "schedule.toml").write_text(f"[harvest.a]\nevery = '1d'\narguments.limit = {large}\n", encoding="utf-8")
    return made


@pytest.mark.parametrize(("name", "words", "expected"), MISTAKES, ids=lambda value: str(value)[:60])
def test_a_mistake_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, words: str, expected: str
) -> None:
    command = load_command(name)
    line = refusal(command, capsys, *words.format(folder=folder, demo=DEMO).split())
    assert line.startswith(f"scrapy {name}: ")
    assert expected in line
    assert "Traceback" not in line
    assert len(line) < 1_000


def test_a_feed_whose_client_is_not_installed_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    line = refusal(load_command("crawl"), capsys, "sina", "-O", "s3://news/x.jsonl")
    assert line == "scrapy crawl: 's3://news/x.jsonl' needs boto3: pip install boto3\n"


def test_a_harvest_that_could_fetch_nothing_says_what_was_tried() -> None:
    stats = {
        "finish_reason": "finished",
        "downloader/request_count": 9,
        "newscrawl/seeds/asked": 1,
        "newscrawl/failed/connection_refused": 2,
        "newscrawl/tried/sitemaps_asked": 1,
        "newscrawl/rejected/duplicate": 99,
    }
    tried = "pages to start from (1), feeds (none found), sitemaps (0 of 1 read, 0 addresses in them), "
    tried += "links (of 0 pages read)"
    assert brought_nothing(stats)
    assert verdict(stats) == [
        "no article: no usable answer",
        f"tried: {tried}",
        "in the way: 2 failed connection_refused",
        "to do: look at the address and the network (scrapy extract URL fetches one page); in a replay, at the archive",
    ]


@pytest.mark.parametrize(
    ("stats", "advice"),
    [
        ({"newscrawl/rejected/script_only": 3}, "NEWSCRAWL_RENDER_SCRIPTS"),
        ({"newscrawl/rejected/before_since": 3}, "since="),
        ({"newscrawl/rejected/noindex": 443, "newscrawl/rejected/script_only": 1}, "NEWSCRAWL_OBEY_META_ROBOTS=False"),
        ({"newscrawl/rejected/language": 3}, "-a language="),
        ({"newscrawl/rejected/offsite": 3}, "dry_run=1"),
    ],
)
def test_an_empty_site_is_no_failure_but_has_advice(stats: dict[str, int], advice: str) -> None:
    answered = {"finish_reason": "finished", "downloader/request_count": 9, "downloader/response_status_count/200": 9}
    assert not brought_nothing(answered | stats)
    assert advice in verdict(answered | stats)[-1]


@pytest.mark.parametrize("reason", [None, "shutdown"])
def test_a_crawl_that_its_user_stopped_says_so_and_goes_on(reason: str | None) -> None:
    stats = {"finish_reason": reason, "downloader/request_count": 9, "downloader/response_status_count/200": 9}
    lines = verdict(stats)
    assert lines[0] == "no article: stopped by you before an article was stored"
    assert lines[-1] == "to do: the same command goes on with the addresses left"
    lines = ending(stats | {"newscrawl/outcome/stored": 3}, database="x.sqlite")
    assert "run: partial (stopped by you)" in lines
    assert lines[-1].startswith("next: the same command goes on")


def test_a_certificate_that_is_not_valid_is_one_warning_a_host(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("scrapy.core.downloader.tls")
    once = FirstOfHost()
    logger.addFilter(once)
    try:
        for host in ("a.example", "b.example", "a.example", "a.example"):
            logger.warning('Remote certificate is not valid for hostname "%s"; %s', host, "expired")
    finally:
        logger.removeFilter(once)
    assert [record.getMessage().split('"')[1] for record in caplog.records] == ["a.example", "b.example"]


def test_a_later_harvest_without_news_and_one_with_articles_say_nothing() -> None:
    answered = {"finish_reason": "finished", "downloader/request_count": 9, "downloader/response_status_count/200": 9}
    assert verdict(answered | {"newscrawl/recrawl/woken": 4}) == []
    assert verdict(answered | {"newscrawl/outcome/stored": 1}) == []


def test_a_host_that_does_not_answer_is_one_warning_and_one_in_the_sum(caplog: pytest.LogCaptureFixture) -> None:
    silent = SilentHosts()
    for path in "abc":
        silent.add(Request(f"http://x.example/{path}"), "timeout", "no answer")
    silent.add(Request("http://y.example/"), "dns", "no such name")
    silent.closed()
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == [
        "http://x.example/a: timeout (no answer)",
        "http://y.example/: dns (no such name)",
        "Requests without a usable answer, by host: x.example timeout (3); y.example dns (1)",
    ]


@pytest.mark.parametrize(
    ("agent", "contact", "sent"),
    [
        ("news/1", "https://x.example/bot", "news/1 (+https://x.example/bot)"),
        ("news/1", "ada@x.example", "news/1 (+ada@x.example)"),
        ("news/1", "", "news/1"),
        ("news/1 (+https://y.example/)", "ada@x.example", "news/1 (+https://y.example/)"),
    ],
)
def test_the_contact_is_part_of_the_user_agent(agent: str, contact: str, sent: str) -> None:
    settings = get_crawler(settings_dict={"USER_AGENT": agent, "NEWSCRAWL_CONTACT": contact}).settings.copy()
    settings.frozen = False
    NewscrawlAddon().update_settings(settings)
    assert settings["USER_AGENT"] == sent


@pytest.mark.parametrize(
    ("words", "target", "why"),
    [
        ("fields", ">/dev/full", "No space left on device"),
        ("--help", ">/dev/full", "No space left on device"),
        ("crawl --help", ">/dev/full", "No space left on device"),
        ("--help", ">&-", "Bad file descriptor"),
        ("--help", "| true", ""),
    ],
)
def test_an_answer_that_nothing_takes_is_one_line(words: str, target: str, why: str) -> None:
    """Python is not to keep it back: what is written at the end alone is told by another way."""
    command = f"{sys.executable} -m newscrawl {words} {target}"
    for unbuffered in ("", "1") if "crawl" in words else ("",):
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        done = subprocess.run(command, shell=True, cwd=PROJECT, env=environment, capture_output=True, check=False)  # noqa: S602 (our own words)
        assert done.returncode == bool(why)
        assert done.stderr.decode().partition(": ")[2] == (why and f"cannot write all of the answer: {why}\n")


@pytest.mark.slow
def test_a_crawl_of_a_host_that_does_not_answer() -> None:
    local = ("-s", "NEWSCRAWL_ALLOW_NETS=127.0.0.0/8", "-s", "NEWSCRAWL_DATABASE=", "-s", "DOWNLOAD_DELAY=0")
    done = scrapy("crawl", "site", "-a", "url=http://127.0.0.1:9/", *local, "-s", "RETRY_ENABLED=False")
    error = done.stderr.decode()
    assert done.returncode == 1, error
    assert "Traceback" not in error
    assert error.count("connection_refused (Connection was refused") == 1
    assert [line.partition(": ")[2].partition(":")[0] for line in error.splitlines()[-4:]] == [
        "no article", "tried", "in the way", "to do"
    ]  # fmt: skip


@pytest.mark.slow
def test_a_feed_that_cannot_be_stored_is_one_line_and_a_failed_crawl(tmp_path: Path) -> None:
    database = f"NEWSCRAWL_DATABASE=sqlite:///{tmp_path}/news.sqlite"
    done = scrapy("crawl", "sina", "-a", "limit=1", *REPLAY, "-s", database, "-O", "ftp://u:p@127.0.0.1:9/x.jsonl")
    error = done.stderr.decode()
    assert done.returncode == 1, error
    assert "Traceback" not in error
    assert "Error storing jsonl feed (1 items) in: ftp://" in error
    where, *_, last = [line for line in error.splitlines() if line.startswith("scrapy crawl: ")][-3:]
    assert where == f"scrapy crawl: where: sqlite:///{tmp_path}/news.sqlite"
    assert last.startswith("scrapy crawl: not written: a feed")


@pytest.mark.slow
def test_a_site_that_an_archive_does_not_have_is_a_failed_harvest() -> None:
    done = scrapy("crawl", *SITE.split(), *REPLAY, "-s", "NEWSCRAWL_DATABASE=", "--nolog")
    assert done.returncode == 1
    assert "no usable answer" in done.stderr.decode()


@pytest.mark.slow
def test_a_proxy_on_a_private_address_names_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    done = scrapy("extract", "http://x.example/")
    assert done.returncode == 2
    assert "the proxy 127.0.0.1 is not public (-s NEWSCRAWL_ALLOW_NETS=" in done.stderr.decode()
