from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from lxml import html

from lab.truth.harvest import TruthRow, compare
from lab.truth.report import comparison
from newscrawl.page.segment import Block, BlockLabel
from newscrawl.serve.reports.harvest import Cluster, Harvest, Sample, channel_of
from newscrawl.serve.reports.painting import paint, painted_page
from newscrawl.serve.reports.report import report_page
from newscrawl.serve.reports.runs import view

HOSTILE = "</style></title><script>alert('标题')</script><img src=x onerror=alert(1)>"
STARTED = datetime(2025, 1, 2, 3, 4, tzinfo=UTC)


def block(index: int, text: str, label: BlockLabel | None = BlockLabel.MAIN) -> Block:
    n = len(text)
    return Block(
        index=index,
        tag="p",
        xpath=HOSTILE,
        text=text,
        n_chars=n,
        n_link_chars=0,
        n_links=0,
        label=label,
        confidence=0.9,
    )


def harvest() -> Harvest:
    listed = dict.fromkeys(("headline", "excerpt", "source", "authors"), HOSTILE)
    figures = {"url": "javascript:alert(1)", "date": "2025-01-02 10:00", "n_chars": 12345, "n_pages": 2}
    run = view(
        {
            "id": 2,
            "spider": HOSTILE,
            "site": None,
            "arguments": {},
            "started_at": STARTED,
            "finished_at": STARTED + timedelta(seconds=10),
            "finish_reason": HOSTILE,
            "heard_at": None,
            "stop_asked_at": None,
            "stats": {},
            "outcomes": {},
            "rejections": {},
            "rate": {"seconds": 5.0, "counts": [10, 20]},
        }
    )
    return Harvest(
        database=HOSTILE,
        run=run,
        n_runs=2,
        sites=("sina",),
        n_articles=1234,
        n_duplicates=1,
        n_reserved=0,
        n_joined=1,
        outcomes={"stored": 2, HOSTILE: 1},
        rejections={HOSTILE: 3},
        days={"2024-01-01": 1, "2025-01-02": 2},
        channels={HOSTILE: 3},
        facts={"headline": {"h1": 1, HOSTILE: 2}, "source": {"none": 3}},
        latest=(listed | figures,),
        clusters=(Cluster(headline=HOSTILE, url="data:text/html,x", copies=((HOSTILE, "near"),)),),
        sample=Sample(url="vbscript:x", title=HOSTILE, blocks=(block(0, HOSTILE), block(1, HOSTILE, None))),
    )


def test_nothing_harvested_becomes_markup() -> None:
    wrong = compare([TruthRow(url=HOSTILE, kind="hub", outcomes=("not_article",))], [], {})
    page = report_page(harvest(), comparison(wrong))
    root = html.fromstring(page)
    assert root.xpath("//script | //img | //iframe | //@onerror | //@style | //link") == []
    assert set(root.xpath("//a/@href")) == {"#"}
    assert page.count("&lt;script&gt;") >= 10


def test_the_policy_allows_the_one_style_sheet_and_nothing_else() -> None:
    page = report_page(harvest())
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = html.fromstring(page).xpath("string(//meta[@http-equiv='Content-Security-Policy']/@content)")
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")


def test_figures_are_shown() -> None:
    text = html.fromstring(report_page(harvest())).text_content()
    assert "1,234" in text
    assert "3.0" in text  # 30 answers in 10 seconds
    assert "31 days up to 2025-01-02; 1 article is older" in text


def test_an_empty_harvest_is_a_page_too() -> None:
    empty = Harvest(
        database="x", run=None, n_runs=0, sites=(), n_articles=0, n_duplicates=0, n_reserved=0, n_joined=0, outcomes={},
        rejections={}, days={}, channels={}, facts={}, latest=(), clusters=(), sample=None,
    )  # fmt: skip
    assert "Harvest of nothing yet" in report_page(empty)


@pytest.mark.parametrize(
    ("sites", "title"),
    [
        (("sina",), "Harvest of sina"),
        (("hkfp", "sina", "people"), "Harvest of hkfp, sina, people"),
        (("a", "b", "c", "d"), "Harvest of 4 sites"),
    ],
)
def test_the_title_names_all_that_the_page_counts(sites: tuple[str, ...], title: str) -> None:
    assert f"<h1>{title}</h1>" in report_page(replace(harvest(), sites=sites))


def test_painting_keeps_main_text_whole_and_cuts_the_rest() -> None:
    painting = paint([block(0, "长" * 500), block(1, "短" * 500, BlockLabel.OTHER)], max_chars=100)
    assert [len("".join(painted.lines)) for painted in painting.blocks] == [500, 100]
    assert [painted.cut for painted in painting.blocks] == [False, True]
    assert painting.chars == {"main": 500, "other": 500}


def test_a_painted_page_is_text_only() -> None:
    root = html.fromstring(painted_page(HOSTILE, [block(0, HOSTILE), block(1, "\x00\ud800", None)]))
    assert root.xpath("//script | //img") == []
    assert len(root.xpath("//div[contains(@class, 'block')]")) == 2


@pytest.mark.parametrize(
    ("url", "channel"),
    [
        ("https://news.example.org/c/2025-01-02/a.html", "news.example.org/c"),
        ("https://example.org/2025/a.html", "example.org"),
        ("https://example.org/a", "example.org"),
        ("", ""),
    ],
)
def test_channels(url: str, channel: str) -> None:
    assert channel_of(url) == channel


def test_years_without_articles_are_shown_and_the_far_past_is_not() -> None:
    days = {"1950-01-01": 1, "2020-03-04": 2, "2023-01-01": 3, "2023-05-01": 4}
    root = html.fromstring(report_page(replace(harvest(), days=days)))
    (plot,) = root.xpath("//section[h3='Articles a year']")
    tips = plot.xpath(".//rect[@class='bar']/title/text()")
    assert len(tips) == 40
    assert [tip for tip in tips if not tip.endswith(" 0")] == ["2020: 2", "2023: 7"]
    assert "1 article is older" in plot.text_content()
