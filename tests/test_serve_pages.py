"""Pages and API of the server over a made harvest."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import feedparser
import pytest
from lxml import html
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.frontier.records import RequestEnd
from newscrawl.outcomes import Outcome
from newscrawl.serve import crawls, desk
from newscrawl.serve.api import ENDPOINTS
from newscrawl.serve.reports import runs
from newscrawl.serve.reports.runs import NAMES
from newscrawl.serve.search.index import catch_up
from newscrawl.serve.shown import chinese as chinese_words
from newscrawl.sites.files import with_verdicts
from newscrawl.sites.memory import Drift
from newscrawl.sites.model import NewsSite
from newscrawl.store import PageRecord, explained
from newscrawl.store.columns import State
from newscrawl.store.coverage import DOORS, note_sightings
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.focused import known_decisions
from newscrawl.store.runs import RunState
from newscrawl.store.site_memory import add_drift
from newscrawl.store.storage import write_batch
from newscrawl.urls.shape import UrlKind
from tests.frontiers import Crawl
from tests.records import NOW, chinese, stored
from tests.served import BRIDGE, CRAWL, HOSTILE, PHONES, TICKERS, archive, client, form_token, harvest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.testclient import TestClient

PAGES = (
    *"/ /?q=bridge /articles/1 /articles/4 /articles/1/page /sites /sites/town /runs /runs/1 /frontier /topics".split(),
    *"/changes /changes?site=town /label /label/town /login /add-site /none".split(),
    *f"/topics/%00 /articles/{20 * '9'}".split(),
    *(f"{path}{HOSTILE}" for path in ("/topics/", "/sites/", "/?q=")),
    f"/explain?url={BRIDGE}",
    f"/judge?crawl={CRAWL}",
)


SAY_MORE: Any = (explained, runs, crawls)
"""Modules whose words are shown in both languages, beside the templates."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Shows only."""
    folder = tmp_path_factory.mktemp("served")
    database = f"sqlite:///{folder}/news.sqlite"
    harvest(database)
    with client(database, sites=folder, labels=folder, archives=(archive(folder / "a.warc.gz"),)) as opened:
        yield opened


def test_a_search_does_not_wait_for_a_large_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = f"sqlite:///{tmp_path}/news.sqlite"
    harvest(database)

    def slow(engine: Any) -> Iterator[int]:
        time.sleep(1)
        yield from catch_up(engine)

    monkeypatch.setattr(desk, "catch_up", slow)
    monkeypatch.setattr(desk, "INDEX_SECONDS", 0.1)
    with client(database) as opened:
        early = opened.get("/api/v1/articles").json()
        assert (early["total"], "not in the index yet" in early["notes"][-1]) == (0, True)
        time.sleep(2)
        late = opened.get("/api/v1/articles").json()
        assert (late["total"] > 0, late["notes"]) == (True, [])


def test_the_page_of_a_site_tells_its_coverage_and_events(tmp_path: Path) -> None:
    database, day = f"sqlite:///{tmp_path}/news.sqlite", datetime.now(UTC) - timedelta(days=1)
    harvest(database)
    urls = [f"https://town.example/{n}" for n in range(20)]
    engine = make_engine(database)
    with writing(engine) as connection:
        made = (stored(url, chinese(100 + n), datePublished=day, site="town") for n, url in enumerate(urls))
        write_batch(connection, list(made))
        note_sightings(connection, "town", dict.fromkeys(urls[:15], DOORS["feed"]), day)
        note_sightings(connection, "town", dict.fromkeys(urls[5:], DOORS["hub"]), day)
        dry = Drift(host="town.example", reason="list", old=f"20 stories on {HOSTILE}", new="0 stories", n_pages=9)
        add_drift(connection, dry, None)
    engine.dispose()
    with client(database) as opened:
        page = opened.get("/sites/town").text
    rows = [[cell.text_content() for cell in row.iter("td")] for row in html.fromstring(page).iter("tr")]
    told = next(row for row in rows if row[:1] == [f"{day:%Y-%m-%d}"])
    assert told[1:] == ["20", "15", "0", "15"]  # stored; feeds, sitemaps, lists
    assert "0 stories" in text_of(page)
    assert "<script>window" not in page


def text_of(page: str) -> str:
    return str(html.fromstring(page).text_content())


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_text_of_a_page_becomes_markup(server: TestClient, path: str, language: str) -> None:
    answer = server.get(path, headers={"accept-language": language})
    assert answer.status_code in {200, 404}, answer.text
    tree = html.fromstring(answer.text)
    assert tree.xpath("//script/@src") in (["/app.js"], [])
    assert not tree.xpath("//script[not(@src)] | //style | //img | //*[@style] | //@*[starts-with(name(), 'on')]")
    assert not tree.xpath("//a[starts-with(@href, 'javascript:')]")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_articles_are_found_in_chinese_and_english(server: TestClient) -> None:
    for words, headline in (
        ("手机", "手机价格下降"),
        ("bridge open", "Bridge open"),
        ('"bridge is open"', "Bridge open"),
    ):
        found = html.fromstring(server.get("/", params={"q": words}).text)
        assert found.xpath("//a[@class='headline']/text()") == [headline]
        assert found.xpath("//mark/text()")
    part = server.get("/", params={"q": "手机"}, headers={"x-part": "1"}).text
    assert "手机价格下降" in part
    assert "<nav" not in part


def test_what_a_search_asks_for_in_vain_is_said(server: TestClient) -> None:
    for query, says in (
        ("q=site:twon", "no stored article has site:twon; stored are: town"),
        ("q=date:2020", "date: is no field"),
        ("since=foo", "unknown 'since' in the address; accepted: q, site,"),
    ):
        assert says in text_of(server.get(f"/?{query}").text), query
    assert server.get("/api/v1/articles?q=site:twon").json()["notes"]
    for path in ("/feed.atom?since=foo", "/api/v1/articles?since=foo", "/api/v1/changes?since=foo"):
        assert server.get(path).status_code == 400, path


def test_a_state_that_no_request_has_is_refused(server: TestClient) -> None:
    answer = server.get("/frontier?state=gone")
    assert (answer.status_code, "one of queued" in answer.text) == (400, True)


@pytest.mark.postgres
def test_pages_and_api_are_the_same_on_postgresql(postgres_database: str, tmp_path: Path) -> None:
    harvest(postgres_database)
    with client(postgres_database, sites=tmp_path, labels=tmp_path, allow_changes=True) as server:
        form = {"form_token": form_token(server.get("/explain").text), "crawl": "\0"}
        assert server.post("/frontier", data=form).status_code == 404
        api = (
            "/api/v1/changes",
            "/api/v1/sites",
            "/api/v1/runs/1",
            "/feed.atom?site=town",
            "/?q=site:none lang:xx author:nobody topic:none source:none",
            "/frontier?crawl=town&state=failed",
        )
        for path in (*PAGES, *api):
            assert server.get(path).status_code in {200, 404}, path
        assert server.get("/api/v1/articles", params={"q": "手机"}).json()["total"] == 1
    engine = make_engine(postgres_database, read_only=True)
    with engine.connect() as connection, pytest.raises(SQLAlchemyError, match="read-only"):
        connection.exec_driver_sql("DELETE FROM runs")
    engine.dispose()


def test_articles_are_filtered_by_topic_and_confidence(server: TestClient) -> None:
    page = html.fromstring(server.get("/").text)
    assert page.xpath("//select[@name='topic']/option/text()") == ["all", HOSTILE, "town"]
    assert "<0.5" in page.xpath("//select[@name='confidence']/option/text()")
    found = html.fromstring(server.get("/", params={"topic": "town", "confidence": ">0.1"}).text)
    assert found.xpath("//a[@class='headline']/text()") == [HOSTILE]
    assert "confidence 0.9" in found.xpath("//p[@class='about']")[0].text_content()
    (low,) = html.fromstring(server.get("/sites").text).xpath("//td/a[contains(@href, 'confidence')]/@href")
    assert "Nothing found." in server.get(low).text


def test_a_query_that_is_not_accepted_is_one_line(server: TestClient) -> None:
    answer = server.get("/", params={"q": "before:tomorrow"})
    assert answer.status_code == 200
    assert "not a day" in text_of(answer.text)
    assert server.get("/", params={"page": "0"}).status_code == 400


def test_an_article_has_its_copies_revisions_and_archived_page(server: TestClient) -> None:
    number = server.get("/api/v1/articles", params={"q": "bridge open"}).json()["hits"][0]["article_id"]
    shown = text_of(server.get(f"/articles/{number}").text)
    for words in (
        "The old bridge is open.",
        "The old bridge is closed.",
        "json-ld",
        "rules",
        "张三",
        "headline, a word",
    ):
        assert words in shown
    phones = server.get("/api/v1/articles", params={"q": "手机"}).json()["hits"][0]["article_id"]
    assert "Copied" not in text_of(server.get(f"/articles/{phones}").text)
    page = server.get(f"/articles/{number}/page")
    assert "The bridge is open again." in page.text
    assert page.headers["content-security-policy"].startswith("sandbox")
    assert not html.fromstring(page.text).xpath("//a | //script | //img")


def test_texts_run_in_the_direction_of_their_script(server: TestClient) -> None:
    assert set(html.fromstring(server.get("/").text).xpath("//ol/li/@dir")) == {"auto"}
    assert html.fromstring(server.get("/articles/1").text).xpath("//article/@dir") == ["auto"]


def test_a_topic_has_its_name_and_its_articles(server: TestClient) -> None:
    page = html.fromstring(server.get("/topics/town").text)
    assert page.xpath("//h1/text()") == ["town"]
    assert "/?topic=town" in page.xpath("//main//a/@href")


def test_both_languages_say_all_they_say() -> None:
    said = set()
    for template in files("newscrawl.serve").joinpath("templates").iterdir():
        text = template.read_text(encoding="utf-8")
        said |= {words.replace('\\"', '"') for words in re.findall(r'\b_\("((?:[^"\\]|\\.)*)"', text)}
        for one, many in re.findall(r'\bquantity\([^"]*"(\w[^"]*)"(?:, "([^"]+)")?\)', text):
            said.add(f"{{n}} {many or one + 's'}")
    lines, pictures, pages = (Path(module.__file__).read_text(encoding="utf-8") for module in SAY_MORE)
    said |= {*re.findall(r'yield "([a-z ]+)",', lines), "changed", "event", "new template"}
    said |= {*re.findall(r'(?:title=|\()"([A-Z][A-Za-z, ]+)"', pictures + pages)}
    said |= {NAMES[name].capitalize() for name in ("answered", "new", "changed", "blocked", "failed")}
    macros = files("newscrawl.serve.reports").joinpath("templates/macros.html.jinja").read_text(encoding="utf-8")
    said |= {*re.findall(r'\b_\("([^"]+)"\)', macros)}
    words = chinese_words()
    assert said - words.keys() == set()
    labels = {"main", "main text", "related", "related links", "other", "no label", "silent", "no feed"}
    assert set(words) - said == {*map(str, State), *map(str, RunState), *NAMES.values()} - said | labels
    holes = {english: re.findall(r"{\w+}", english) for english in words}
    assert all(sorted(re.findall(r"{\w+}", words[english])) == sorted(found) for english, found in holes.items())


def test_an_address_is_explained_in_the_words_of_the_command(server: TestClient) -> None:
    page = html.fromstring(server.get("/explain", params={"url": BRIDGE}).text)
    rows = {row.xpath("string(td[1])"): row.xpath("string(td[2])") for row in page.iter("tr")}
    assert rows["page type"] == "article, confidence 0.90"
    assert rows["published"].startswith("2024-03-05")
    assert "page_type" not in page.text_content()
    own, run_link = page.xpath("//p[@class='pages']/a/@href")
    assert BRIDGE in server.get(own).text
    run = text_of(server.get(run_link).text)
    assert "stored: an article" in run


def test_the_language_is_the_browsers_until_another_is_chosen(server: TestClient) -> None:
    assert "文章" in text_of(server.get("/", headers={"accept-language": "de, zh;q=0.8, en;q=0.2"}).text)
    assert "Articles" in text_of(server.get("/", headers={"accept-language": "de"}).text)
    assert "文章" in text_of(server.get("/?lang=zh", headers={"accept-language": "en"}).text)
    assert "文章" in text_of(server.get("/sites", headers={"accept-language": "en"}).text)
    server.cookies.clear()


def test_the_api_gives_articles_changes_sites_runs_and_reasons(server: TestClient) -> None:
    def asked(path: str, **query: Any) -> Any:
        return server.get(f"/api/v1{path}", params=query).json()

    (hit,) = asked("/articles", q="手机")["hits"]
    assert (hit["url"], hit["language"]) == (PHONES, "zh")
    assert asked(f"/articles/{hit['article_id']}")["articleBody"].startswith("新手机上市。")
    first = asked("/changes", limit=1)
    rest = asked("/changes", after=first["next"])
    assert len(first["articles"]) == 1
    assert len(rest["articles"]) == 3
    assert asked("/changes", after=rest["next"]) == {"articles": [], "next": rest["next"]}
    (site,) = asked("/sites")
    assert (site["name"], site["n_latest"]) == ("town", 3), "a copy counts in no share"
    assert asked("/runs/1")["figures"]["new"] == 3
    assert asked("/explain", url=BRIDGE)["summary"] == "Fetched, judged an article, and stored."
    assert "expected" in asked("/articles", limit="many")["error"]
    assert "expected" in asked("/articles", limit=f"{'0' * 20}{'9' * 20}")["error"]
    assert asked("/articles/99") == {"error": "no such article"}


def test_searches_and_sites_are_feeds(server: TestClient) -> None:
    found = server.get("/feed.json", params={"q": "手机"}).json()
    assert [item["url"] for item in found["items"]] == [PHONES]
    atom = html.fromstring(server.get("/feed.atom", params={"site": "town"}).content)
    assert {"Bridge open", "手机价格下降"} <= {title.text for title in atom.iter("title")}


def test_changes_are_a_page_and_a_feed(tmp_path: Path) -> None:
    database, url = f"sqlite:///{tmp_path}/news.sqlite", "https://e.org/edited"
    harvest(database)
    engine = make_engine(database)
    with writing(engine) as connection:
        for text in ("3 ships & a <b>boat</b>.", "4 ships & a <b>boat</b>.", "4  ships & a <b>boat</b>!"):
            write_batch(connection, [stored(url, text, headline=HOSTILE, site="sea")])
    engine.dispose()
    with client(database) as server:
        shown = html.fromstring(server.get("/changes").text)
        assert [link.text for link in shown.xpath("//main//h2/a")] == [HOSTILE, "Bridge open"]
        assert shown.xpath("//p[@class='ins']/text()")[0] == "4 ships & a <b>boat</b>."
        assert "numbers" in shown.xpath("string(//details/summary)")
        assert len(html.fromstring(server.get("/changes?site=town").text).xpath("//details[@class='card']")) == 1
        assert "Nothing was changed." in server.get("/changes", params={"site": "' OR 1=1 --"}).text
        assert server.get("/changes?since=3").status_code == 400
        first = server.get("/changes.atom")
        read = feedparser.parse(first.content)
        assert not read.bozo
        assert [entry.title for entry in read.entries] == [f"{HOSTILE} (numbers)", "Bridge open (headline, word)"]
        assert len({entry.id for entry in read.entries}) == 2
        came = html.fromstring(read.entries[0].content[0].value)[1]
        assert (came.tag, came[0].tag, came.text_content()) == ("p", "ins", "4 ships & a <b>boat</b>.")
        assert "<script>" not in read.entries[0].content[0].value
        assert server.get("/changes.atom", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
        assert [entry.link for entry in feedparser.parse(server.get("/changes.atom?site=town").content).entries] == [
            BRIDGE
        ]


def test_workers_of_all_crawls_are_on_one_page(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/news.sqlite"
    harvest(database, is_running=True)
    crawl = Crawl(database, name=HOSTILE)
    crawl.queue("https://town.example/1", "https://other.example/2")
    crawl.lease()
    with client(database) as server:
        (worker,) = server.get("/api/v1/workers").json()["workers"]
        assert (worker["crawl"], worker["hosts"], worker["requests"]) == (HOSTILE, 2, 2)
        table = html.fromstring(server.get("/frontier").text).xpath("//h2[.='Workers']/following-sibling::div[1]//td")
        assert [cell.text for cell in table][:3] == [HOSTILE, worker["machine"], worker["process"]]
    with client(database, allow_changes=True) as server:
        page = server.get("/frontier").text
        token = {"form_token": form_token(page)}
        told = {"action": "drain", "process": worker["process"], "machine": worker["machine"]}
        assert "1 worker is told" in server.post("/frontier", data=token | told).text
        assert server.get("/api/v1/workers").json()["workers"][0]["drains"] is True
        assert "Resume" in server.get("/frontier").text
        crawl.queue("https://more.example/tag/1", "https://more.example/2")
        for form, says in (
            ({"action": "raise", "host": "more.example"}, "2 requests come first now."),
            ({"action": "forget", "address": "*/tag/*"}, "1 request is dropped."),
            ({"action": "forget"}, "which requests?"),
            ({"action": "eat"}, "unknown action"),
        ):
            assert says in text_of(server.post("/frontier", data=token | form).text), form
    crawl.close()


def test_prometheus_reads_the_newest_run_of_each_site(server: TestClient) -> None:
    figures = {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(server.get("/metrics").text)
        for sample in family.samples
    }
    (run,) = server.get("/api/v1/runs", params={"limit": 1}).json()
    name = run["site"] or run["spider"]
    assert figures["newscrawl_run_state", name, run["state"]] == 1
    assert figures["newscrawl_run_stored_articles", name] == run["figures"]["stored"]
    assert figures["newscrawl_run_running", name] == 0


def test_the_api_describes_itself(server: TestClient) -> None:
    described = server.get("/api/v1/openapi.json").json()
    assert len(described["paths"]) == len(ENDPOINTS)
    assert described["paths"]["/articles/{number}"]["get"]["parameters"][0]["in"] == "path"
    schemas = described["components"]["schemas"]
    answers = {end.path.partition("{")[0]: end.schema for end in ENDPOINTS if end.method == "GET"}
    for path, name in {**answers, "/articles": "Found", "/articles/1": "Article", "/runs/1": "Run"}.items():
        if "properties" in schemas[name] and not path.endswith("/"):
            assert schemas[name]["properties"].keys() == server.get(f"/api/v1{path}").json().keys(), path
    for path, name in (("/sites", "Site"), ("/runs", "Run")):
        assert schemas[name]["properties"].keys() == server.get(f"/api/v1{path}").json()[0].keys()
    assert schemas["Hit"]["properties"].keys() == server.get("/api/v1/articles").json()["hits"][0].keys()
    json.dumps(described)


@pytest.mark.parametrize("path", ["/feed.atom", "/feed.json"])
def test_a_feed_that_is_as_before_is_not_sent_again(server: TestClient, path: str) -> None:
    first = server.get(path)
    assert (first.status_code, len(first.content) > 1000) == (200, True)
    again = server.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert server.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_server_that_shows_only_changes_nothing(server: TestClient) -> None:
    page = server.get("/explain").text
    form = {"form_token": form_token(page), "crawl": "x", "name": "new", "url": "https://x.example/", "action": "train"}
    for path in ("/add-site", "/label/town", "/kinds/town", f"/judge?crawl={CRAWL}"):
        shown = server.get(path).text
        assert ("<button" in shown, "--allow-changes" in shown) == (False, True), path
    for path in ("/frontier", "/add-site", "/label/town"):
        answer = server.post(path, data=form)
        assert (answer.status_code, "--allow-changes" in answer.text) == (403, True), path


def test_dead_feeds_are_told(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/feeds.sqlite"
    harvest(database)
    feed = "https://town.example/rss.xml"
    engine = make_engine(database)
    with writing(engine) as connection:
        gone = PageRecord(url=feed, outcome=Outcome.HTTP_ERROR, reason="404", status=404, fetched_at=NOW)
        write_batch(connection, [gone])
    engine.dispose()
    with client(database, sites=tmp_path) as server:
        assert "Dead feeds" not in server.get("/sites/town").text
        (tmp_path / "town.toml").write_text("title = 1", encoding="utf-8")
        assert "Dead feeds" not in server.get("/sites/town").text
        site = f'title = "T"\nhosts = ["town.example"]\nseeds = ["https://town.example/"]\nfeeds = ["{feed}"]\n'
        (tmp_path / "town.toml").write_text(site, encoding="utf-8")
        (cells,) = [
            list(row) for row in html.fromstring(server.get("/sites/town").text).xpath("//tr[td/a='" + feed + "']")
        ]
        assert [cell.text_content().strip() for cell in cells] == [
            feed,
            "failed http_error:404",
            "2024-03-05 02:30",
            "never",
        ]
        assert server.get("/api/v1/sites/town/dead-feeds").json()[0]["why"] == "http_error:404"


def test_failed_requests_are_asked_again(tmp_path: Path) -> None:
    crawl = Crawl(f"sqlite:///{tmp_path}/f.sqlite", "town")
    crawl.queue("https://town.example/a", "https://town.example/b")
    row = crawl.lease().rows[0]
    end = RequestEnd(row_id=row.id, worker_id=crawl.member.worker_id, state=State.FAILED, reason="failed:timeout")
    with writing(crawl.engine) as connection:
        write_batch(connection, [end])
    crawl.close()
    with client(f"sqlite:///{tmp_path}/f.sqlite", allow_changes=True) as server:
        page = server.get("/frontier?crawl=town").text
        assert "failed:timeout" in text_of(page)
        form = {"form_token": form_token(page), "crawl": "town", "reason": "failed:timeout"}
        answer = server.post("/frontier", data=form)
        assert "1 request is asked again." in text_of(answer.text)


def test_doubtful_articles_are_judged_the_most_doubtful_first(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/judge.sqlite"
    harvest(database)
    address = f"/judge?crawl={CRAWL}"
    with client(database, allow_changes=True) as server:
        assert CRAWL in text_of(server.get("/topics").text)
        page = server.get(address).text
        form = {"form_token": form_token(page), "url": BRIDGE}
        assert html.fromstring(page).xpath("//article/h2/text()") == ["Bridge open"]
        after = server.post(address, data=form | {"verdict": "yes"}).text
        assert html.fromstring(after).xpath("//article/h2/text()") == [HOSTILE]
        assert "1 judged" in text_of(after)
        assert "Bridge open" in server.post(address, data=form | {"verdict": "undo"}).text
        server.post(address, data=form | {"verdict": "no"})
        server.post(address, data=form | {"url": "https://e.org/x", "verdict": "no"})
        assert "Nothing is left" in server.get(address).text
        assert server.post(address, data=form | {"url": "https://none.example/", "verdict": "no"}).status_code == 404
        refused = server.post(address, data=form | {"verdict": "maybe"})
        assert (refused.status_code, "expected one of yes, no, undo" in refused.text) == (400, True)
        (back,) = html.fromstring(refused.text).xpath("//main//a/@href")
        assert "Nothing is left" in server.get(back).text
    engine = make_engine(database, read_only=True)
    with engine.connect() as connection:
        assert known_decisions(connection, CRAWL)[1] == {BRIDGE: False, "https://e.org/x": False}
    engine.dispose()


def test_pages_of_doubtful_type_are_judged_and_the_next_crawl_goes_by_it(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/kinds.sqlite"
    harvest(database)
    options: dict[str, Any] = {"sites": tmp_path / "sites", "archives": (archive(tmp_path / "a.warc.gz"),)}
    with client(database, allow_changes=True, **options) as server:

        def asked(page: str) -> list[str]:
            return [str(url) for url in html.fromstring(page).xpath("//article/h2/text()")]

        page = server.get("/kinds/town").text
        assert asked(page) == [TICKERS[0]]
        frame = html.fromstring(page).xpath("//iframe")[0]
        assert "sandbox" in frame.attrib
        assert server.get(frame.get("src")).headers["content-security-policy"].startswith("sandbox")
        form = {"form_token": form_token(page), "url": TICKERS[0]}
        after = server.post("/kinds/town", data=form | {"verdict": "article"}).text
        assert asked(after) == [TICKERS[1]]
        assert asked(server.post("/kinds/town", data=form | {"verdict": "undo"}).text) == [TICKERS[0]]
        for url in TICKERS[:10]:  # of the others it is sure
            after = server.post("/kinds/town", data=form | {"url": url, "verdict": "article"}).text
        assert "Nothing is left" in after
        assert "town.example/0/0/0.html" in text_of(after)
        assert server.post("/kinds/town", data=form | {"verdict": "cat"}).status_code == 400
        assert server.post("/kinds/town", data=form | {"url": "https://e.org/x", "verdict": "hub"}).status_code == 404
        assert server.get("/kinds/none").status_code == 404
    site = with_verdicts(NewsSite(name="town", title="", hosts=("town.example",), seeds=()), tmp_path / "sites")
    assert site.url_kind(TICKERS[11]) is UrlKind.ARTICLE
    with client(database, **options) as server:
        assert server.post("/kinds/town", data=form | {"verdict": "hub"}).status_code == 403


def test_a_run_is_told_while_it_goes_on(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/live.sqlite"
    harvest(database, is_running=True)
    with client(database) as server:
        page = text_of(server.get("/runs/1").text)
        assert "addresses done" in page
        assert "https://e.org/gone" in page
    harvest_ended = f"sqlite:///{tmp_path}/ended.sqlite"
    harvest(harvest_ended)
    with client(harvest_ended) as server:
        events = server.get("/runs/1/live")
        assert events.headers["content-type"].startswith("text/event-stream")
        assert events.text == "event: end\ndata: end\n\n"
