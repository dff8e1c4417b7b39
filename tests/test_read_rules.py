"""A site's rules: text and facts come from where its file says; where that matches nothing, as on any page."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from lxml import html

from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.classify.lines.model import judge_lines
from newscrawl.classify.lines.site_model import block_odds, fit_site, places_of, save_site_model
from newscrawl.exceptions import UserError
from newscrawl.page.document import Document
from newscrawl.page.segment import BlockLabel
from newscrawl.read.model import Wants
from newscrawl.sites.files import parse_site, to_toml
from newscrawl.sites.rules import BROKEN_PAGES, RuleWatch, SiteRules, matches
from tests.archives import write_warc
from tests.crawling import crawl
from tests.newspages import SUBJECTS
from tests.reading import read

if TYPE_CHECKING:
    from pathlib import Path

    from newscrawl.read.model import Reading

HOME = "https://news.example/"

NOW = datetime(2024, 6, 1, tzinfo=UTC)
URL = "https://news.example/2024/05/02/bridge.html"
TEXT = "The bridge over the river was opened on Thursday after three years of work, the town council said. "
SITE = """title = "Town News"
hosts = ["news.example"]
seeds = ["https://news.example/"]
"""
RULES = """
[rules]
body = ["#none", "div.story"]
not_body = ".aside"
headline = "//p[@class='top']"
authors = ".by"
date_published = ["time.none", "span.day::text"]
source = ".press"
section = ".path a"
keywords = ".words a"
"""
PAGE = f"""<html><head><title>Page 7 - Town News</title></head><body>
<p class="top">Bridge  opens</p><h1>Town News</h1><p class="by">By Jane Doe and John Roe</p>
<p>Printed <span class="day">2 May 2024, 10:30</span></p>
<div class="lead"><p>{TEXT * 3}</p></div>
<div class="story"><p>Only these lines are the story.</p><p class="aside">{TEXT * 2}</p><p>They are short.</p></div>
<p class="press">Town Press</p><p class="path"><a href="/l/">Local</a> <a href="/l/b/">Bridges</a></p>
<p class="words"><a href="/t/1">river</a> <a href="/t/2">bridge</a> <a href="/t/1">river</a></p></body></html>"""


def reading(rules: str, page: str = PAGE) -> Reading:
    site = parse_site("town", SITE + rules)
    return read(
        page, URL, site=site, fetched_at=datetime(2024, 6, 1, tzinfo=UTC), wants=Wants(any_type=True, lines=True)
    )


def test_text_and_facts_come_from_where_the_rules_say() -> None:
    found = reading(RULES)
    article = found.article
    assert article is not None
    assert found.text == "Only these lines are the story.\nThey are short."
    assert article.headline == "Bridge opens"
    assert [author.name for author in article.authors] == ["Jane Doe", "John Roe"]
    assert article.datePublished == datetime(2024, 5, 2, 10, 30, tzinfo=UTC)
    assert (article.source, article.section, article.keywords) == ("Town Press", "Local", ("river", "bridge"))
    ruled = ("articleBody", "headline", "authors", "datePublished", "source", "section", "keywords")
    assert {article.fieldSources[field] for field in ruled} == {"rule"}
    assert found.rules_missed == ()


def test_a_users_labels_do_not_move_a_body_that_the_rules_name(tmp_path: Path) -> None:
    document = Document.from_html(PAGE.encode(), URL)
    blocks = crawl_blocks(document)
    places = places_of(blocks, document.measures)
    model = fit_site(places, block_odds(document.once(judge_lines), document, blocks), [BlockLabel.OTHER] * len(blocks))
    save_site_model(tmp_path / "town.npz", model, {})
    wants = Wants(any_type=True, classifier=str(tmp_path / "town.npz"))
    ruled = parse_site("town", SITE + RULES)
    assert read(PAGE, URL, site=ruled, wants=wants).text == reading(RULES).text
    assert read(PAGE, URL, site=parse_site("town", SITE), wants=wants).text == ""


def test_a_page_where_they_match_nothing_is_read_without_them() -> None:
    changed = PAGE.replace("story", "tale").replace('"top"', '"head"').replace('"by"', '"who"')
    for name in ("day", "aside", "press", "path", "words"):
        changed = changed.replace(f'"{name}"', '"other"')
    found, without = reading(RULES, changed), reading("", changed)
    assert found.text == without.text
    assert found.article is not None
    assert without.article is not None
    assert found.article == replace(without.article, fieldSources=found.article.fieldSources)
    if found.page_type == "article":
        assert found.rules_missed == ("body", "headline", "authors", "date_published", "source", "section")


def test_not_body_alone_takes_lines_from_what_the_network_says() -> None:
    page = f"<html><body><h1>Bridge opens</h1><p>{TEXT}<p class=ad>{TEXT} Advertised.<p>{TEXT} End.</body></html>"
    assert "Advertised." in reading("", page).text
    found = reading('[rules]\nnot_body = "p.ad"\n', page)
    assert "Advertised." not in found.text
    assert "End." in found.text
    assert [left.reason for left in found.left_out if "Advertised" in left.line] == ["the site's rule not_body"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            'body = "div["',
            "rules.body = 'div['; accepted: a selector, or a list of them ('div[' is neither CSS nor XPath",
        ),
        (
            'body = "//p[1"',
            "rules.body = '//p[1'; accepted: a selector, or a list of them ('//p[1' is neither CSS nor XPath",
        ),
        ("body = 3", "rules.body = 3; accepted: a selector, or a list of them"),
        (
            'title = "h1"',
            "rules.title is not a key; accepted: authors, body, date_published, headline, keywords, not_body",
        ),
    ],
)
def test_a_wrong_rule_is_one_line(line: str, said: str) -> None:
    with pytest.raises(UserError, match="rules") as caught:
        parse_site("town", f"{SITE}\n[rules]\n{line}\n")
    assert said in str(caught.value)


def test_a_rule_is_broken_after_articles_in_a_row() -> None:
    watch = RuleWatch()
    told = [list(watch.note("news.example", ("body",), ("body", "headline"))) for _ in range(BROKEN_PAGES + 1)]
    assert told == [*[[]] * (BROKEN_PAGES - 1), ["body"], []]
    assert list(watch.note("news.example", (), ("body",))) == []


def test_a_rule_that_never_matched_few_articles_is_told_at_the_end() -> None:
    watch = RuleWatch()
    list(watch.note("news.example", ("headline", "body"), ("body", "headline")))
    list(watch.note("news.example", ("headline",), ("body", "headline")))
    assert list(watch.never_matched()) == [(("news.example", "headline"), 2)]


@pytest.mark.slow
def test_a_redesign_in_the_middle_of_a_harvest_is_noticed(tmp_path: Path) -> None:
    n, urls = 6, [f"{HOME}2024/0301/{number}.html" for number in range(12)]
    pages = [{"url": HOME, "body": f"<ul><li><a href={urls[0]}>{SUBJECTS[0]}取得新进展</a></ul>".encode()}]
    for number, url in enumerate(urls):  # each leads to one more, so that they come in order
        name = "content" if number < n else "text"
        words = "".join(chr(ord("一") + 40 * number + step) for step in range(30))
        text = "".join(f"<p>{step}{words[step:]}，{words}，{words[::-1]}。</p>" for step in range(8))
        more = f"<a href={urls[number + 1]}>{words[:12]}的新消息</a>" if number + 1 < len(urls) else ""
        body = f"<title>{words[:9]}</title><h1>{words[:9]}</h1><div class={name}>{text}</div><div>{more}</div>"
        pages.append({"url": url, "body": f"<meta charset=utf-8>{body}".encode()})
    (tmp_path / "town.toml").write_text(
        f'title = "Town"\nhosts = ["news.example"]\nseeds = ["{HOME}"]\n[rules]\nbody = "div.content"\n',
        encoding="utf-8",
    )
    settings = {
        "NEWSCRAWL_REPLAY": write_warc(tmp_path / "a.warc.gz", *pages),
        "NEWSCRAWL_DATABASE": f"sqlite:///{tmp_path / 'news.sqlite'}",
        "NEWSCRAWL_SITES_DIR": tmp_path,
        "CONCURRENT_REQUESTS": 1,
    }
    run = crawl(tmp_path, "crawl", "town", settings=settings)
    assert run.counts("newscrawl/rules/body/") == {"used": n, "missed": n}
    with sqlite3.connect(tmp_path / "news.sqlite") as connection:
        (drift,) = connection.execute("SELECT host, reason, old FROM site_drifts WHERE reason = 'rule'").fetchall()
        texts = [text for (text,) in connection.execute("SELECT article_body FROM articles")]
    assert drift == ("news.example", "rule", "body = div.content")
    assert len(texts) == len(urls)
    assert all(text.count("\n") == 7 for text in texts)


def test_what_selectors_give() -> None:
    root = html.fromstring("<div><p class=a title=t>x <b>y</b></p></div>")
    assert matches("p.a::attr(title)", root) == ["t"]
    assert matches("(//p)[1]/b/text()", root) == ["y"]
    assert matches("(string(//p))", root) == ["x y"]
    assert matches("p.b", root) == []


def test_the_file_that_addsite_writes_shows_how() -> None:
    written = to_toml(parse_site("town", SITE))
    assert "# [rules]" in written
    assert all(f"# {field} = " in written for field in SiteRules._fields)
