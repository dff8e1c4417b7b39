from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from newscrawl.commands.sites import Door, DoorAnswer, SiteCheck, SitesCommand, lines_of_articles
from newscrawl.sites import load_site
from newscrawl.sites.files import parse_site
from newscrawl.sites.memory import Drift
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import save_site
from newscrawl.store.site_memory import add_drift
from tests.archives import write_warc
from tests.commands_run import answer, refusal, run_command, scrapy
from tests.hostile import answer as served
from tests.hostile import serving

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

STORY = "<li><a href='/2026/11/23/s-{0}.html'>The council votes on bridge number {0}</a> <time>2026-11-2{0}</time></li>"
HOME = (
    "<html><head><title>Made News</title><link rel=alternate type='application/rss+xml' href='/extra.xml'></head><body>"
    f"<h1>News</h1><ul>{''.join(STORY.format(n) for n in range(4))}</ul></body></html>"
)
THROTTLE = "AUTOTHROTTLE_ENABLED=False"
FEED = (
    "<rss version='2.0'><channel><item><title>One</title><link>/a.html</link>"
    "<pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate></item>"
    "<item><title>Two</title><link>/b.html</link></item></channel></rss>"
)
MAP = "<urlset><url><loc>http://127.0.0.1/a.html</loc><lastmod>2026-11-20</lastmod></url></urlset>"


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    return [site["name"] for site in json.loads(answer(SitesCommand(), capsys, *words, "--json"))]


def test_sites_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert set(listed(capsys, "--country", "at")) == {
        "derstandard",
        "diepresse",
        "kleinezeitung",
        "orf",
        "salzburger-nachrichten",
    }
    assert "tagesspiegel" in listed(capsys, "--search", "Spiegel")
    assert len(listed(capsys, "--language", "zh")) >= 40
    assert listed(capsys, "spiegel", "bbc") == ["spiegel", "bbc"]
    shown = answer(SitesCommand(), capsys, "--search", "spiegel.de")
    assert "Spiegel Online" in shown
    assert "never" in shown
    assert parse_site("spiegel", answer(SitesCommand(), capsys, "spiegel", "--toml")).hosts == (".spiegel.de",)


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in (
        (("--country", "xx"), "unknown country 'xx'; accepted: ae"),
        (("--search", "no such words"), "no such site"),
        (("spiegl",), "no site 'spiegl'; did you mean spiegel?"),
        (("--out", "a.toml"), "give --check"),
        (("--chekc",), "unknown option '--chekc'"),
    ):
        assert expected in refusal(SitesCommand(), capsys, *words)


def test_the_users_site_is_listed_instead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "spiegel.toml").write_text('title = "Mine"\nhosts = ["spiegel.de"]\nseeds = ["https://spiegel.de/"]\n')
    told = answer(SitesCommand(), capsys, "--search", "spiegel.de", "--json", "-s", f"NEWSCRAWL_SITES_DIR={tmp_path}")
    assert [site["title"] for site in json.loads(told)] == ["Mine", "Tagesspiegel"]


def test_a_check_of_an_archive_counts_days_back_from_its_time(tmp_path: Path) -> None:
    home = HOME.replace("2026/11/23/", "").replace("<time>2026-11-2", "<time>2 hours ago ")
    archive = write_warc(
        tmp_path / "a.warc.gz", {"url": "https://e.org/", "body": home.encode()}, {"url": "https://e.org/robots.txt"}
    )
    (tmp_path / "made.toml").write_text('title = "Made"\nhosts = ["e.org"]\nseeds = ["https://e.org/"]\n')
    words = ("-s", f"NEWSCRAWL_SITES_DIR={tmp_path}", "-s", f"NEWSCRAWL_REPLAY={archive}")
    out = tmp_path / "out.toml"
    (told,) = json.loads(scrapy("sites", "made", "--check", "--json", "--out", str(out), *words).stdout)
    newest = [door["newest"] for door in told["doors"] if door["door"] == "home"]
    assert newest == ["2024-03-05"]
    assert told["checked"] is None  # nobody asked the site
    assert '# checked = "' in out.read_text()
    assert b"an archive answered, not the sites" in scrapy("sites", "made", "--check", *words).stdout


def test_a_check_writes_what_it_found(tmp_path: Path) -> None:
    feed = served(FEED, content_type="text/xml")
    robots = served("User-agent: *\nDisallow: /secret.xml\nSitemap: /map.xml", content_type="text/plain")
    sitemap = served(MAP, content_type="text/xml")
    found = {"/": served(HOME), "/feed.xml": feed, "/extra.xml": feed, "/secret.xml": feed, "/robots.txt": robots}
    out = tmp_path / "found" / "checked.toml"
    with serving({**found, "/map.xml": sitemap}) as server:
        home = server.url.rstrip("/") + "/"
        feeds = [f"{home}feed.xml", f"{home}gone.xml", f"{home}secret.xml", "http://10.0.0.1/feed.xml"]
        entry = f'title = "Made"\nhosts = ["127.0.0.1"]\nseeds = ["{home}"]\nfeeds = {feeds}\n'
        (tmp_path / "made.toml").write_text(entry)
        settings = (f"NEWSCRAWL_SITES_DIR={tmp_path}", "DOWNLOAD_DELAY=0", "NEWSCRAWL_ALLOW_NETS=127.0.0.0/8", THROTTLE)
        words = [word for setting in settings for word in ("-s", setting)]
        done = scrapy("sites", "made", "--check", "--json", "--out", str(out), *words)
    assert done.returncode == 0, done.stderr
    doors = {door["url"].removeprefix(home): door for door in json.loads(done.stdout)[0]["doors"]}
    told = {path: (door["answer"], door["n_records"], door["newest"], door["named_by"]) for path, door in doors.items()}
    assert "robots.txt" in told.pop("secret.xml")[0]
    assert "10.0.0.1" in told.pop("http://10.0.0.1/feed.xml")[0]  # the guard of addresses holds here, too
    assert told == {
        "": ("200", 4, "2026-11-23", "entry"),
        "robots.txt": ("200", 1, None, "entry"),
        "feed.xml": ("200", 2, "2026-11-22", "entry"),
        "gone.xml": ("404", 0, None, "entry"),
        "extra.xml": ("200", 2, "2026-11-22", "home"),
        "map.xml": ("200", 1, "2026-11-20", "robots.txt"),
    }
    assert "/secret.xml" not in server.asked
    site = load_site("checked", out.parent)
    assert set(site.feeds) == {f"{home}feed.xml", f"{home}extra.xml"}
    assert site.sitemaps == (f"{home}map.xml",)
    assert site.checked == datetime.now(UTC).date().isoformat()
    assert "# 2 records, newest 2026-11-22" in out.read_text()
    assert '# country = "' in out.read_text()
    assert "checked =" in out.read_text()


def test_a_site_that_was_not_reached_stays_as_it_is() -> None:
    site = parse_site(
        "made", 'title = "M"\nhosts = ["m.example"]\nseeds = ["http://m.example/"]\nfeeds = ["http://m.example/f"]'
    )
    check = SiteCheck(site=site, day=date(2026, 11, 23))
    check.answers.append(DoorAnswer(door=Door.FEED, url=site.feeds[0], named_by="entry", answer="timeout"))
    assert check.entry() == site
    check.answers.append(DoorAnswer(door=Door.HOME, url=site.seeds[0], named_by="entry", answer="200"))
    assert (check.entry().feeds, check.entry().checked) == ((), "2026-11-23")


def test_a_list_needs_no_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(SitesCommand(), "orf") == 0
    assert "rss.orf.at" in answer(SitesCommand(), capsys, "orf", "--toml")


def test_a_site_s_contradiction_is_told(database: str) -> None:
    engine = make_engine(database)
    migrate(engine)
    row = {"title": "Made", "language": "en", "timezone": "UTC", "hosts": ["news.example.org"], "seeds": []}
    with writing(engine) as connection:
        for host, reason in (("example.org", "kinds"), ("example.org", "list"), ("example.net", "kinds")):
            add_drift(connection, Drift(host=host, reason=reason, old="9 articles", new="4 lists", n_pages=13), None)
        save_site(connection, row | {"name": "made"})
    engine.dispose()
    assert list(lines_of_articles(["made", "none"], database)) == [
        "example.org contradicts itself: 9 articles, and 4 lists"
    ]
