from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from lab.experiments.url_rules import portals
from newscrawl.exceptions import UserError
from newscrawl.spiders.loader import SiteSpider, site_spider
from newscrawl.spiders.options import parse_options

NOW = datetime(2024, 3, 5, 12, tzinfo=UTC)
SINA = portals()["sina"]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-03-05", datetime(2024, 3, 4, 16, tzinfo=UTC)),  # midnight in Shanghai
        ("2024-03-05T10:20", datetime(2024, 3, 5, 2, 20, tzinfo=UTC)),
        ("2024-03-05 10:20:30+00:00", datetime(2024, 3, 5, 10, 20, 30, tzinfo=UTC)),
        ("3d", NOW - timedelta(days=3)),
        ("12h", NOW - timedelta(hours=12)),
        ("30m", NOW - timedelta(minutes=30)),
        ("2 w", NOW - timedelta(weeks=2)),
    ],
)
def test_moments(text: str, moment: datetime) -> None:
    assert parse_options({"since": text}, SINA, now=NOW).wanted.since == moment


@pytest.mark.parametrize(
    ("first", "last", "since", "until"),
    [
        ("2019", "2020", "2018-12-31T16:00", "2020-12-31T16:00"),
        ("2019-12", "2019-12", "2019-11-30T16:00", "2019-12-31T16:00"),
        ("2020-02-29", "2020-02-29", "2020-02-28T16:00", "2020-02-29T16:00"),
    ],
)
def test_a_time_of_the_past_is_whole(first: str, last: str, since: str, until: str) -> None:
    wanted = parse_options({"from": first, "to": last}, SINA, now=NOW).wanted
    assert wanted.is_history
    found = (moment.astimezone(UTC).isoformat()[:16] for moment in (wanted.since, wanted.until) if moment)
    assert tuple(found) == (since, until)


def test_all_options() -> None:
    options = parse_options({"limit": "10", "channels": "tech, finance", "dry_run": "yes"}, SINA, now=NOW)
    assert (options.limit, options.wanted.channels, options.dry_run) == (10, ("tech", "finance"), True)
    none = parse_options({}, SINA, now=NOW)
    assert (none.limit, none.wanted.channels, none.dry_run, none.wanted.since) == (None, (), False, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"since": "tomorrow"}, "since = 'tomorrow'; accepted: a day 2024-03-05"),
        ({"since": "2024-02-31"}, "since = '2024-02-31'; accepted: a day"),
        ({"until": "1y"}, "until = '1y'; accepted: as since"),
        ({"since": "1d", "until": "2d"}, "since='1d' is not before until='2d'"),
        ({"limit": "0"}, "limit = '0'; accepted: a whole number above 0"),
        ({"limit": "many"}, "limit = 'many'; accepted: a"),
        ({"channels": "tech,foo"}, "channels = 'tech,foo'; accepted: news, china"),
        ({"dry_run": "maybe"}, "dry_run = 'maybe'; accepted: 1 or 0"),
        ({"from": "19"}, "from = '19'; accepted: a year 2019, a month 2019-05 or a day 2019-05-12"),
        ({"to": "2019-13"}, "to = '2019-13'; accepted: a year"),
        ({"from": "3d"}, "from = '3d'; accepted: a year"),
        ({"from": "2020", "to": "2019"}, "from='2020' is not before to='2019'"),
        ({"from": "2020", "since": "3d"}, "from='2020' and since='3d' are one thing"),
        ({"history": "https://index.example.org/cdx"}, "history = 'https://index.example.org/cdx'; accepted: cdx:URL"),
        ({"captures": "https://web.example.org/web"}, "needs history=cdx:URL"),
        ({"captures": "ftp://e.org/", "history": "cdx:https://i.org/"}, "captures = 'ftp://e.org/'; accepted: with"),
        ({"history": "cdx:file:///etc/passwd"}, "history = 'cdx:file:///etc/passwd'; accepted: cdx:URL"),
    ],
)
def test_refusals_are_one_line(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)) as error:
        parse_options(arguments, SINA, now=NOW)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs -a url="),
        ({"url": "foo"}, "url='foo' is not an http(s) address"),
        ({"url": "http://example.org/", "subdomains": "x"}, "subdomains = 'x'; accepted: 1 or 0"),
        ({"ur": "http://example.org/"}, "unknown option 'ur'; accepted: since, until, limit"),
        (
            {"url": "http://example.org/", "channels": "a"},
            "channels = 'a'; accepted: none (example.org has no channel 'a')",
        ),
    ],
)
def test_the_site_spider_refuses(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        SiteSpider(**arguments)


def test_seeds_are_the_channels_asked_for() -> None:
    assert site_spider(SINA)(channels="tech").seeds() == ("https://tech.sina.com.cn/",)
    everything = site_spider(SINA)(_job="17").seeds()
    assert everything[: len(SINA.seeds)] == SINA.seeds
    assert "https://tech.sina.com.cn/" in everything
    assert len(everything) == len(set(everything))


def test_modes() -> None:
    site = portals()["sina"]
    assert parse_options({}, site, now=NOW).mode == "due"
    assert parse_options({"mode": "new"}, site, now=NOW).mode == "new"
    with pytest.raises(UserError, match="mode = 'fresh'; accepted: new"):
        parse_options({"mode": "fresh"}, site, now=NOW)
