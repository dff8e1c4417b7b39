from __future__ import annotations

import json
import logging
import socket
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings
from werkzeug import Response

from newscrawl.exceptions import UserError
from newscrawl.extensions.alerts import Alerts
from tests.archives import write_warc
from tests.crawling import crawl

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_httpserver import HTTPServer

ALERT = {"event": "run_failed", "site": "新浪", "why": "no usable answer"}


def alerts(*, seconds: float = 5, **settings: object) -> Alerts:
    given = {f"NEWSCRAWL_ALERT_{name.upper()}": value for name, value in settings.items()}
    return replace(Alerts.from_settings(Settings(given)), seconds=seconds)


def test_a_webhook_gets_json(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/hook", method="POST", json=ALERT).respond_with_data("ok")
    alerts(webhook=httpserver.url_for("/hook")).send(ALERT)
    httpserver.check()


def test_redirects_are_not_followed(httpserver: HTTPServer, caplog: pytest.LogCaptureFixture) -> None:
    httpserver.expect_request("/hook").respond_with_response(Response(status=307, headers={"Location": "/other"}))
    alerts(webhook=httpserver.url_for("/hook?token=secret")).send(ALERT)
    assert [request.path for request, _ in httpserver.log] == ["/hook"]
    assert "answered 307" in caplog.text
    own = [record.getMessage() for record in caplog.records if record.name.startswith("newscrawl")]
    assert not any("secret" in message for message in own)


def test_a_slow_webhook_is_given_up(httpserver: HTTPServer, caplog: pytest.LogCaptureFixture) -> None:
    def slow(_request: object) -> Response:
        time.sleep(1.5)
        return Response()

    httpserver.expect_request("/hook").respond_with_handler(slow)
    began = time.monotonic()
    alerts(webhook=httpserver.url_for("/hook"), seconds=0.3).send(ALERT)
    assert time.monotonic() - began < 1.4
    assert "timed out" in caplog.text


def test_a_webhook_that_speaks_no_http_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def babble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"hello\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        alerts(webhook=f"http://127.0.0.1:{server.getsockname()[1]}/hook").send(ALERT)
        thread.join()
    assert "Alert webhook http://127.0.0.1/…: hello" in caplog.text


def test_a_command_gets_json_without_a_shell(tmp_path: Path) -> None:
    program = tmp_path / "tell.py"
    program.write_text("import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())", encoding="utf-8")
    target = tmp_path / "a; touch b"
    alerts(command=[sys.executable, str(program), str(target)]).send(ALERT)
    assert json.loads(target.read_bytes()) == ALERT
    alerts(command=f"{sys.executable} {program} {tmp_path}/c").send(ALERT)
    assert json.loads((tmp_path / "c").read_bytes()) == ALERT


@pytest.mark.parametrize("code", ["raise SystemExit('no network')", "import time; time.sleep(9)"])
def test_what_goes_wrong_is_logged(code: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        alerts(command=[sys.executable, "-c", code], seconds=0.8).send(ALERT)
    assert "no network" in caplog.text or "timed out" in caplog.text


def test_nothing_is_set_nothing_is_told(caplog: pytest.LogCaptureFixture) -> None:
    alerts().send(ALERT)
    assert "run_failed" in caplog.text


@pytest.mark.parametrize(
    "settings",
    [
        {"webhook": "file:///etc/passwd"},
        {"webhook": "example.org"},
        {"command": "no-such-program-here"},
        {"command": "'"},
    ],
)
def test_wrong_values_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="NEWSCRAWL_ALERT_"):
        alerts(**settings)


def test_a_failed_run_is_told(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "other.warc.gz", {"url": "http://other.org/", "body": b"<p>x"})
    program = tmp_path / "tell.py"
    program.write_text("import sys; open(sys.argv[1], 'ab').write(sys.stdin.buffer.read())", encoding="utf-8")
    done = crawl(
        tmp_path,
        *("crawl", "site", "-a", "url=http://news.example.org/"),
        settings={
            "NEWSCRAWL_REPLAY": archive,
            "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path}/news.sqlite",
            "NEWSCRAWL_ALERT_COMMAND": f"{sys.executable} {program} {tmp_path}/alert.json",
        },
    )
    assert done.stats["finish_reason"] == "finished", done.log
    alert = json.loads((tmp_path / "alert.json").read_bytes())
    assert (alert["event"], alert["site"], alert["why"]) == ("run_failed", "news.example.org", "no usable answer")
    assert alert["figures"]["http_errors"] == 2, "the home page and its sitemap"
