"""A site that lies about another one changes nothing there: a crawl of two hosts, one of which attacks the other."""

from __future__ import annotations

import json
import random
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from newscrawl.items import Article
from newscrawl.links.next_page import Continuation
from newscrawl.read.parts import ArticleParts
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.schema import articles
from newscrawl.store.storage import write_batch
from newscrawl.urls.domains import same_site
from tests.archives import HTML, write_warc
from tests.crawling import Crawl, crawl
from tests.records import chinese, stored

if TYPE_CHECKING:
    from pathlib import Path

EVIL, GOOD = "http://www.example.net/", "http://www.example.org/"
ATTACKS = ("canonical", "og:url", "json-ld", "base", "feed", "sitemap", "redirect", "part", "refresh")
SPIDER = f"""
from newscrawl.sites.model import NewsSite
from newscrawl.spiders.news import NewsSpider

class Two(NewsSpider):
    name = "two"
    site = NewsSite(name="two", title="Two", hosts=("www.example.net", "www.example.org"), seeds=("{EVIL}",))
"""


def sentences(seed: str, n: int = 40) -> list[str]:
    rng = random.Random(seed)
    words = ["".join(rng.choices("aeioubcdfglmnprst", k=rng.randrange(3, 9))) for _ in range(300)]
    return [f"The {' '.join(rng.choices(words, k=9))} of {seed}, they said." for _ in range(n)]


def altered(lines: list[str]) -> list[str]:
    """Change one sentence in eight: too much for a copy, little enough for a claim to be believed on one site."""
    other = sentences("evil", len(lines))
    return [other[i] if i % 8 == 5 else line for i, line in enumerate(lines)]


def good_url(attack: str) -> str:
    return f"{GOOD}2024/03/05/{attack.replace(':', '-')}-story.html"


def evil_url(attack: str) -> str:
    return f"{EVIL}2024/03/05/{attack.replace(':', '-')}-trap.html"


def page(url: str, headline: str, lines: list[str], *, head: str = "", tail: str = "") -> dict[str, Any]:
    body = "".join(f"<p>{' '.join(lines[i : i + 4])}</p>" for i in range(0, len(lines), 4))
    html = (
        f"<html><head><title>{headline}</title>{head}"
        "<meta property='article:published_time' content='2024-03-05T08:00:00+00:00'></head>"
        f"<body><h1>{headline}</h1><article>{body}</article>{tail}</body></html>"
    )
    return {"url": url, "body": html.encode()}


def links(*urls: str) -> bytes:
    anchors = "".join(f"<li><a href='{url}'>The story at number {i} of today</a></li>" for i, url in enumerate(urls))
    return f"<html><head><title>Home</title></head><body><ul>{anchors}</ul></body></html>".encode()


def headline(attack: str) -> str:
    return f"The true story of {attack} by those who saw it"


def to(location: str) -> list[tuple[str, str]]:
    return [*HTML, ("Location", location)]


def records() -> list[dict[str, Any]]:
    """The attacker's pages, each with what it says of the other host, and the pages attacked."""
    heads = {
        "canonical": f"<link rel=canonical href='{good_url('canonical')}'>",
        "og:url": f"<meta property='og:url' content='{good_url('og:url')}'>",
        "json-ld": '<script type="application/ld+json">'
        + json.dumps({"@type": "NewsArticle", "url": good_url("json-ld"), "mainEntityOfPage": good_url("json-ld")})
        + "</script>",
        "base": f"<base href='{GOOD}'><link rel=canonical href='{good_url('base').removeprefix(GOOD)}'>",
    }
    traps = [page(evil_url(a), headline(a), altered(sentences(a)), head=head) for a, head in heads.items()]
    first, second = evil_url("part"), evil_url("part").replace(".html", "_2.html")
    traps.append(page(first, headline("part"), sentences("evil part"), tail=f"<a href='{second}'>Next page</a>"))
    feed = "".join(
        f"<item><title>A lie</title><link>{url}</link><pubDate>Thu, 01 Feb {year} 08:00:00 GMT</pubDate></item>"
        for url, year in ((good_url("feed"), 2018), (evil_url("redirect"), 2024), (evil_url("refresh"), 2024))
    )
    sitemap = (
        f"<url><loc>{good_url('sitemap')}</loc><lastmod>2018-01-01</lastmod>"
        "<news:news><news:publication_date>2018-01-01</news:publication_date><news:title>A lie</news:title>"
        "</news:news></url>"
    )
    news = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:news='http://www.google.com/schemas/sitemap-news/0.9'"
    xml, text = [("Content-Type", "text/xml")], [("Content-Type", "text/plain")]
    refresh = f"<html><head><meta http-equiv=refresh content='0;url={good_url('refresh')}'></head></html>"
    home = links(*(evil_url(attack) for attack in (*heads, "part")), EVIL + "copy.html", GOOD)
    home = home.replace(b"</head>", b"<link rel=alternate type='application/rss+xml' href='/rss.xml'></head>")
    return [
        {"url": EVIL, "body": home},
        {"url": EVIL + "robots.txt", "body": f"User-agent: *\nSitemap: {EVIL}map.xml\n".encode(), "headers": text},
        {"url": EVIL + "rss.xml", "body": f"<rss><channel>{feed}</channel></rss>".encode(), "headers": xml},
        {"url": EVIL + "map.xml", "body": f"<urlset {news}>{sitemap}</urlset>".encode(), "headers": xml},
        {"url": evil_url("redirect"), "status": 302, "headers": to(good_url("redirect"))},
        {"url": second, "status": 302, "headers": to(good_url("part"))},
        {"url": evil_url("refresh"), "body": refresh.encode()},
        *traps,
        page(EVIL + "copy.html", headline("copy"), sentences("copy")),
        {"url": GOOD, "body": links(*map(good_url, ATTACKS), good_url("copy"))},
        *(page(good_url(attack), headline(attack), sentences(attack)) for attack in (*ATTACKS, "copy")),
    ]


@pytest.fixture(scope="module")
def harvest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Crawl, dict[str, sqlite3.Row]]:
    """The crawl, and its articles by address."""
    folder: Path = tmp_path_factory.mktemp("trust")
    (folder / "two.py").write_text(SPIDER, encoding="utf-8")
    settings = {
        "NEWSCRAWL_REPLAY": write_warc(folder / "two.warc.gz", *records()),
        "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'two.sqlite'}",
        "CONCURRENT_REQUESTS": 1,
        "NEWSCRAWL_READERS": 0,
    }
    run = crawl(folder, "runspider", str(folder / "two.py"), "-a", "since=2024-01-01", settings=settings)
    with sqlite3.connect(folder / "two.sqlite") as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT * FROM articles ORDER BY id").fetchall()
    return run, {row["url"]: row for row in rows}


@pytest.mark.parametrize("attack", ATTACKS)
def test_that_an_article_is_its_own_whatever_another_site_says_of_it(
    attack: str, harvest: tuple[Crawl, dict[str, sqlite3.Row]]
) -> None:
    article = harvest[1][good_url(attack)]
    assert article["duplicate_of"] is None
    assert article["headline"] == headline(attack)
    assert article["date_published"].startswith("2024-03-05")
    assert sentences(attack)[5] in article["article_body"].replace("\n", " ")
    assert json.loads(article["pages"]) == [good_url(attack)]


def test_that_the_attacks_were_made(harvest: tuple[Crawl, dict[str, sqlite3.Row]]) -> None:
    """The traps were read before what they are about, or the test above says nothing."""
    run, articles = harvest
    assert run.status == 0
    order = list(articles)
    for attack in ("canonical", "og:url", "json-ld", "base"):
        assert articles[evil_url(attack)]["canonical_url"] == good_url(attack)
        assert order.index(evil_url(attack)) < order.index(good_url(attack))
    assert articles[evil_url("part")]["duplicate_of"] is None
    assert run.stats["newscrawl/discovery/feed"] == 3
    assert run.stats["newscrawl/discovery/sitemap"] == 1
    assert run.stats["newscrawl/outcome/redirected"] == 3


def test_that_a_copy_is_linked_to_its_original_and_both_are_stored(
    harvest: tuple[Crawl, dict[str, sqlite3.Row]],
) -> None:
    """The copy was read first, but states the same day and no earlier one."""
    articles = harvest[1]
    copy, first = articles[EVIL + "copy.html"], articles[good_url("copy")]
    assert (first["duplicate_of"], copy["duplicate_of"]) == (None, first["url"])
    assert copy["duplicate_kind"] == "content"
    assert copy["article_body"] == first["article_body"]


@pytest.mark.parametrize(
    ("url", "other", "same"),
    [
        ("https://www.example.co.uk/a", "http://m.example.co.uk:8080/b", True),
        ("https://a.example.co.uk/", "https://b.other.co.uk/", False),
        ("https://a.github.io/", "https://b.github.io/", False),
        ("http://127.0.0.1:1/", "http://127.0.0.1:2/", True),
        ("http://127.0.0.1/", "http://127.0.0.2/", False),
        ("http://localhost/", "http://localhost/a", True),
        ("http://[::1", "http://[::1", False),
        ("", "", False),
    ],
)
def test_same_site(url: str, other: str, same: bool) -> None:
    assert same_site(url, other) is same
    assert same_site(other, url) is same


FIRST, COPY = "https://www.example.net/bait", "https://www.example.org/a-story"


def test_that_nothing_hides_behind_a_text_that_is_gone(tmp_path: Path) -> None:
    """A page shows the copy of an article until the article is linked to it, and then something else."""
    engine = make_engine(f"sqlite:///{tmp_path / 'bait.sqlite'}")
    migrate(engine)

    def write(url: str, body: str) -> None:
        with writing(engine) as connection:
            write_batch(connection, [stored(url, body, headline="Headline")])

    def seen() -> dict[str, tuple[str | None, str]]:
        with engine.connect() as connection:
            query = select(articles.c.url, articles.c.duplicate_of, articles.c.cluster_id)
            return {url: (first, cluster) for url, first, cluster in connection.execute(query)}

    for url in (FIRST, COPY, f"{COPY}?print=1"):
        write(url, chinese(1))
    assert seen()[COPY][0] == FIRST
    write(FIRST, chinese(1) + "又一句。")  # nearly the same hides nothing across sites
    assert [seen()[url][0] for url in (FIRST, COPY, f"{COPY}?print=1")] == [None, None, COPY]
    write(FIRST, chinese(2))
    found = seen()
    assert [found[url][0] for url in (FIRST, COPY, f"{COPY}?print=1")] == [None, None, COPY]
    assert found[COPY][1] == found[f"{COPY}?print=1"][1] != found[FIRST][1]
    write(f"{COPY}?print=2", chinese(1))
    assert seen()[f"{COPY}?print=2"][0] == COPY
    engine.dispose()


def test_that_a_part_is_not_taken_from_another_site() -> None:
    """A next page that redirects to another site's article, under the same headline."""
    own = f"{EVIL}2024/story.html"
    first = Article(url=own, headline="Story", articleBody="One.", pages=(own,))
    parts = ArticleParts(first, Continuation(f"{EVIL}2024/story_2.html"))
    other = Article(
        url=f"{GOOD}2024/story.html", headline="Story", articleBody="Two.", pages=(f"{GOOD}2024/story.html",)
    )
    assert not parts.add(other, requested_url=f"{EVIL}2024/story_2.html")
    article, is_complete = parts.join()
    assert (article.articleBody, is_complete) == ("One.", False)
