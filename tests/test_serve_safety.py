"""Who may ask the server, under which name, how often, and what it fetches."""

from __future__ import annotations

import re
import socket
import threading
import time
import urllib.request
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.testclient import TestClient

from newscrawl.exceptions import StorageError
from newscrawl.serve.app import make_app
from newscrawl.serve.commands.serve import ServeCommand, bound
from newscrawl.serve.connections import BoundedProtocol, server_config
from newscrawl.serve.desk import Options
from newscrawl.serve.safety import CSRF_COOKIE, MAX_BODY, PER_MINUTE, client_of, is_loopback
from newscrawl.store.engine import make_engine
from tests.commands_run import refusal
from tests.served import client, form_token, harvest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOKEN = "a token of some length"
PAGE = (
    "<title>A</title><h1>Bridge closed</h1>" + "<p>The old bridge is closed until noon, the mayor says today.</p>" * 9
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    database = f"sqlite:///{tmp_path_factory.mktemp('safe')}/news.sqlite"
    harvest(database)
    return database


@pytest.fixture
def server(database: str) -> Iterator[TestClient]:
    with client(database) as opened:
        yield opened


@pytest.fixture
def locked(database: str) -> Iterator[TestClient]:
    with client(database, token=TOKEN, allow_changes=True) as opened:
        yield opened


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example:8460",
        "",
        "localhost.evil.example",
        "evil@127.0.0.1",
        "::1, evil.example",
    ],
)
def test_a_name_that_somebody_pointed_here_is_not_answered(server: TestClient, host: str) -> None:
    assert server.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8460", "127.0.0.1", "[::1]:8460", "192.0.2.7:8460", "LOCALHOST"])
def test_own_names_and_literal_addresses_are_answered(server: TestClient, host: str) -> None:
    assert server.get("/", headers={"host": host}).status_code == 200


def test_without_the_token_nothing_is_shown(locked: TestClient) -> None:
    assert locked.get("/", follow_redirects=False).headers["location"] == "/login"
    assert locked.get("/api/v1/articles").status_code == 401
    assert locked.post("/api/v1/extract", content=PAGE).status_code == 401
    assert locked.get("/api/v1/articles", headers={"authorization": "Bearer nonsense"}).status_code == 401
    assert locked.get("/api/v1/articles", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_the_token_opens_a_session(locked: TestClient) -> None:
    token = form_token(locked.get("/login").text)
    assert "not the token" in locked.post("/login", data={"form_token": token, "token": "wrong"}).text
    assert "Bridge open" in locked.post("/login", data={"form_token": token, "token": TOKEN}).text
    assert locked.get("/runs").status_code == 200
    cookie = next(cookie for cookie in locked.cookies.jar if cookie.name == "newscrawl_session")
    assert cookie.has_nonstandard_attr("HttpOnly")


def test_a_form_needs_the_token_of_its_page(database: str) -> None:
    with client(database, allow_changes=True) as server:
        token = form_token(server.get("/explain").text)
        good = {"form_token": token, "crawl": "x"}
        assert server.post("/frontier", data=good).status_code == 200
        assert server.post("/frontier", data={"crawl": "x"}).status_code == 403
        assert server.post("/frontier", data=good | {"form_token": "é"}).status_code == 403
        for headers in (
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": "http://["},
            {"sec-fetch-site": "cross-site"},
        ):
            assert server.post("/frontier", data=good, headers=headers).status_code == 403, headers
        server.cookies.delete(CSRF_COOKIE)
        assert server.post("/frontier", data=good).status_code == 403


def test_what_no_form_and_no_database_holds_is_refused(database: str) -> None:
    with client(database, allow_changes=True) as server:
        token = form_token(server.get("/explain").text)
        many = {str(number): "" for number in range(101)}
        assert server.post("/frontier", data=many | {"form_token": token}).status_code == 400
        form = {"form_token": token, "url": "http://192.0.2.7/\0"}
        assert server.post("/explain", data=form).status_code == 400
        assert server.post(f"/api/v1/runs/{10**30}/stop", json={}).status_code == 404


def test_a_page_that_is_posted_is_read_but_not_too_often(server: TestClient) -> None:
    answer = server.post("/api/v1/extract?url=https://town.example/1", content=PAGE)
    assert (answer.json()["headline"], answer.json()["pageType"]) == ("Bridge closed", "article")
    statuses = [server.post("/api/v1/extract", content="<p>x").status_code for _ in range(PER_MINUTE)]
    assert statuses == [200] * (PER_MINUTE - 1) + [429]


def test_a_request_that_is_too_large_is_refused(server: TestClient) -> None:
    assert server.post("/api/v1/extract", content=b"x" * (MAX_BODY + 1)).status_code == 413
    for declared in (str(MAX_BODY + 1), "9" * 20, "9" * 5_000):  # before anything of it has come
        headers = {"content-length": declared}
        assert server.post("/api/v1/extract", content=b"x", headers=headers).status_code == 413


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "http://169.254.169.254/latest", "http://localhost/", "file:///etc/passwd"]
)
@pytest.mark.slow
def test_what_is_fetched_is_fetched_by_the_rules_of_the_crawl(server: TestClient, url: str) -> None:
    form = {"form_token": form_token(server.get("/explain").text), "url": url}
    answer = server.post("/explain", data=form)
    assert answer.status_code in {400, 502}
    assert any(words in answer.text for words in ("not public", "is not a URL"))


def test_the_database_refuses_what_would_change_it(database: str) -> None:
    engine = make_engine(database, read_only=True)
    with engine.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.exec_driver_sql("DELETE FROM articles")
    engine.dispose()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--host", "0.0.0.0"), "give --token"),  # noqa: S104 (refused)
        (("--host", "0.0.0.0", "--token", "short"), "at least 12"),  # noqa: S104
        (("--database", "sqlite:///no-such.sqlite"), "no database"),
        (("--port", "eighty"), "--port"),
        (("--port", "99999"), "cannot listen"),
        (("now",), "unexpected argument 'now'"),
        (("--archive", "no-such.warc"), "no-such.warc"),
        (("--proxy", "frontend"), "--proxy='frontend'"),
    ],
)
def test_wrong_use_is_one_line(
    arguments: tuple[str, ...],
    words: str,
    database: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: Any,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = arguments if "--database" in arguments else (*arguments, "--database", database)
    assert words in refusal(ServeCommand(), capsys, "--port", "0", *given)


def test_what_is_not_installed_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.serve.commands.serve.find_spec", lambda _name: None)
    assert "requirements-serve.txt" in refusal(ServeCommand(), capsys)


def test_loopback_addresses_are_told() -> None:
    told = [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "::", "name")]  # noqa: S104
    assert told == [True, True, True, False, False, False, False]


def test_what_holds_no_harvest_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    for content, says in ((b"", "holds no harvest"), (b"no database\n" * 100, "file is not a database")):
        file.write_bytes(content)
        with pytest.raises(StorageError, match=re.escape(f"database sqlite:///{file}") + f".*{says}"):
            make_app(Options(database=f"sqlite:///{file}"))
        assert file.read_bytes() == content


def test_bearer_tokens_are_not_tried_without_end(locked: TestClient) -> None:
    right = {"authorization": f"Bearer {TOKEN}"}
    statuses = [
        locked.get("/api/v1/articles", headers={"authorization": f"Bearer {number}"}).status_code
        for number in range(PER_MINUTE + 3)
    ]
    assert statuses == [401] * PER_MINUTE + [429] * 3
    assert locked.get("/api/v1/articles", headers=right).status_code == 429  # else the right one would be found
    assert locked.get("/login").status_code == 200


@pytest.mark.parametrize(("proxies", "last"), [((), 429), (("192.0.2.0/24",), 429), (("127.0.0.1/32",), 401)])
def test_an_address_that_is_forwarded_counts_from_a_named_proxy_alone(
    database: str, proxies: tuple[str, ...], last: int
) -> None:
    app = server_config(make_app(Options(database=database, token=TOKEN)), proxies)
    app.load()
    with TestClient(app.loaded_app, base_url="http://127.0.0.1", client=("127.0.0.1", 4711)) as asked:
        statuses = [
            asked.get(
                "/api/v1/articles",
                headers={"authorization": f"Bearer {number}", "x-forwarded-for": f"198.51.100.{number}"},
            ).status_code
            for number in range(PER_MINUTE + 1)
        ]
    assert statuses == [401] * PER_MINUTE + [last]


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("127.0.0.1", "127.9.8.7", True),
        ("127.0.0.1", "::1", True),
        ("::ffff:127.0.0.1", "127.0.0.1", True),
        ("::ffff:198.51.100.1", "198.51.100.1", True),
        ("198.51.100.1", "198.51.100.2", False),
        ("::ffff:198.51.100.1", "::ffff:198.51.100.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_a_client_that_picks_its_address_stays_one(one: str, other: str, is_one: bool) -> None:
    clients = {client_of(Request({"type": "http", "client": (host, 1)})) for host in (one, other)}
    assert (len(clients) == 1) is is_one


HALF = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": b"POST /api/v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
    "a chunk that does not end": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nx",
}


@pytest.fixture
def listening(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server whose limits are small."""
    monkeypatch.setattr(BoundedProtocol, "seconds", 1.5)
    monkeypatch.setattr(BoundedProtocol, "most", 8)
    with bound("127.0.0.1", 0) as listener:
        running = uvicorn.Server(server_config(make_app(Options(database=database))))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        running.should_exit = True
        thread.join()


def test_half_requests_end_and_keep_nobody_out(listening: int) -> None:
    """Ten of each kind, and a request behind them."""
    opened = []
    for begun in HALF.values():
        for _ in range(10):
            connection = socket.create_connection(("127.0.0.1", listening), timeout=10)
            connection.sendall(begun)
            opened.append(connection)
    with urllib.request.urlopen(f"http://127.0.0.1:{listening}/app.css", timeout=10) as answer:
        assert answer.status == 200
    began = time.monotonic()
    for connection in opened:
        with suppress(ConnectionError):
            assert connection.recv(10) in {b"", b"HTTP/1.1 4"}
        connection.close()
    assert time.monotonic() - began < 8
