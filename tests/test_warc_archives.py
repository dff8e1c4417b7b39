from __future__ import annotations

import gzip
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from newscrawl.commands.extract import ExtractCommand
from newscrawl.exceptions import UserError
from newscrawl.read.model import Wants
from newscrawl.warc.archives import archives_of
from newscrawl.warc.files import FileJob, extract_file, finished_report
from tests.archives import write_warc
from tests.commands_run import run_command
from tests.test_warc_files import SITE, rows, story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MONTH = "crawl-data/CC-NEWS/2026/05"
ELSEWHERE = "http://other.example.com/2024/03/01/bridge.html"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """The folders of a bucket with a month of two archives."""
    folder = tmp_path / "mirror" / MONTH
    folder.mkdir(parents=True)
    write_warc(folder / "a.warc.gz", story(1), story(2) | {"url": ELSEWHERE})
    write_warc(folder / "b.warc.gz", story(3), story(4) | {"url": SITE.replace("news.", "") + "/2024/03/04/x.html"})
    lines = f"{MONTH}/a.warc.gz\n{MONTH}/b.warc.gz\n"
    (folder / "warc.paths.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path / "mirror"


@pytest.fixture
def server(mirror: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:  # pytest's output is no log of a server
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(mirror))) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


def test_a_month_is_below_the_root(mirror: Path) -> None:
    both = [f"{mirror}/{MONTH}/{name}.warc.gz" for name in "ab"]
    assert archives_of(["cc-news:2026-05"], f"{mirror}/") == both
    assert archives_of([f"{mirror}/{MONTH}/warc.paths.gz", both[0]]) == both


def test_a_list_names_what_lies_beside_it_or_anywhere(tmp_path: Path) -> None:
    (tmp_path / "some.txt").write_text("# mine\n\na.warc\n/b.warc\nhttps://example.org/c.warc.gz\n")
    named = [f"{tmp_path}/a.warc", "/b.warc", "https://example.org/c.warc.gz"]
    assert archives_of([str(tmp_path / "some.txt"), "d.warc"]) == [*named, "d.warc"]
    assert archives_of([str(tmp_path / "some.txt")], "https://mirror.example/")[0] == "https://mirror.example/a.warc"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cc-news:2026-13", "is no month; accepted: e.g. cc-news:2026-05"),
        ("{folder}/none.paths", "cannot read the list"),
        ("{folder}/empty.txt", "names no WARC file"),
        ("{folder}/cut.paths.gz", "cannot read the list"),
        ("{server}/none.paths.gz", "cannot fetch .*: there is no such file"),
        ("{server}/outward.txt", "accepted: paths below its own server"),
    ],
)
def test_a_wrong_list_is_a_line(tmp_path: Path, mirror: Path, server: str, name: str, expected: str) -> None:
    pytest.importorskip("fsspec", reason="needs requirements-remote.txt")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "cut.paths.gz").write_bytes(gzip.compress(b"a.warc" * 99)[:20])
    (mirror / "outward.txt").write_text("/etc/passwd\n")
    with pytest.raises(UserError, match=expected) as told:
        archives_of([name.format(folder=tmp_path, server=server)])
    assert "\n" not in str(told.value)


def test_only_pages_of_the_hosts_are_read_from_a_server(tmp_path: Path, server: str) -> None:
    pytest.importorskip("fsspec", reason="needs requirements-remote.txt")
    paths = archives_of([f"{server}/{MONTH}/warc.paths.gz"])
    assert paths == [f"{server}/{MONTH}/{name}.warc.gz" for name in "ab"]
    jobs = [
        FileJob(
            path=path,
            folder=tmp_path,
            wants=Wants(method="rules"),
            form="jsonl.gz",
            hosts=frozenset({"news.example.org"}),
        )
        for path in paths
    ]
    reports = [extract_file(job) for job in jobs]
    assert [report.reasons for report in reports] == [{"offsite": 1, "stored": 1}] * 2
    assert [row["url"] for job in jobs for row in rows(job.output)] == [story(1)["url"], story(3)["url"]]
    assert [finished_report(job) for job in jobs] == reports
    assert not list(tmp_path.glob("*.part"))


def test_a_host_holds_the_hosts_below_it_and_no_others(tmp_path: Path, mirror: Path) -> None:
    path = str(mirror / MONTH / "b.warc.gz")
    job = FileJob(
        path=path,
        folder=tmp_path,
        wants=Wants(method="rules"),
        form="jsonl.gz",
        hosts=frozenset({"example.org", "ple.org"}),
    )
    assert extract_file(job).reasons == {"stored": 2}
    other = FileJob(path=path, folder=tmp_path, wants=job.wants, form=job.form, hosts=frozenset({"ple.org"}))
    assert finished_report(other) is None
    assert extract_file(other).reasons == {"offsite": 2}


def test_the_user_s_sites_count(tmp_path: Path, mirror: Path) -> None:
    sites = tmp_path / "sites"
    sites.mkdir()
    rules = '[rules]\nheadline = "p"\n'
    (sites / "own.toml").write_text(f'title = "Own"\nhosts = [".example.org"]\nseeds = ["{SITE}/"]\n{rules}')
    wants, path = Wants(method="rules"), str(mirror / MONTH / "a.warc.gz")
    job = FileJob(path=path, folder=tmp_path, wants=wants, form="jsonl.gz", sites=sites)
    extract_file(job)
    headlines = [row["headline"] for row in rows(job.output)]
    assert headlines[0].startswith("Paragraph 1-0.")
    assert headlines[1] == "Bridge 2"


@pytest.mark.slow
def test_the_command_reads_a_month_of_a_mirror(
    tmp_path: Path, mirror: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--warc", "cc-news:2026-05", "--root", str(mirror), "--out", str(tmp_path / "out"), "--workers", "1"]
    assert run_command(ExtractCommand(), *words, "--host", "Other.example.com", "--json") == 0
    assert "2 of 2 files: " in capsys.readouterr().err
    found = [row["url"] for name in "ab" for row in rows(tmp_path / "out" / f"{name}.warc.gz.jsonl.gz")]
    assert found == [ELSEWHERE]
