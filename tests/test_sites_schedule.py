from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.console.wording import parse_age, show_age
from newscrawl.exceptions import MistakesError, UserError
from newscrawl.sites.schedule import DEFAULT_TIME_LIMIT, load_schedule, parse_schedule
from tests.conftest import PROJECT

NOW = datetime(2025, 11, 20, 12, tzinfo=UTC)


def test_defaults_are_those_of_every_harvest() -> None:
    sina, week = parse_schedule(
        """
        [defaults]
        arguments = { mode = "new" }
        time_limit = "2h"
        [harvest.sina]
        every = "30m"
        [harvest.sina-week]
        spider = "sina"
        every = "1w"
        arguments = { mode = "all", dry_run = false, limit = 5 }
        settings = { DOWNLOAD_DELAY = 0.5 }
        [harvest.off]
        every = "1d"
        enabled = false
        """
    )
    assert (sina.name, sina.spider, sina.every) == ("sina", "sina", timedelta(minutes=30))
    assert dict(sina.arguments) == {"mode": "new"}
    assert dict(week.arguments) == {"mode": "all", "dry_run": "0", "limit": "5"}
    assert dict(week.settings) == {"DOWNLOAD_DELAY": "0.5"}
    assert sina.time_limit == week.time_limit == timedelta(hours=2)
    assert sina.site == week.site == "sina"


def test_sites_by_their_address_are_told_apart() -> None:
    text = """
    [harvest.{0}]
    spider = "site"
    every = "1h"
    arguments = {{ url = "{1}" }}
    """
    (a,) = parse_schedule(text.format("a", "https://www.example.org/"))
    (b,) = parse_schedule(text.format("b", "example.org/news"))
    (c,) = parse_schedule(text.format("c", "https://example.com/"))
    assert a.site == b.site != c.site
    assert a.time_limit == DEFAULT_TIME_LIMIT


def test_every_mistake_has_its_line() -> None:
    with pytest.raises(MistakesError) as caught:
        parse_schedule(
            """
            evry = "1h"
            [defaults]
            spider = "sina"
            [harvest.a]
            every = "soon"
            [harvest.b]
            time_limit = "0m"
            arguments = { channels = ["a"] }
            [harvest.C]
            every = "1h"
            settings = { download_delay = 1, NEWSCRAWL_DATABASE = "sqlite:///x" }
            enabled = "no"
            [harvest.d]
            every = 60
            arguments = "mode=new"
            colour = "red"
            [harvest.e]
            every = "1h"
            arguments = { url = "http://[" }
            """,
            origin="s.toml",
        )
    lines = caught.value.lines
    assert len(lines) == 14
    assert all(line.startswith("s.toml: ") for line in lines)
    for words in (
        "evry is not a key",
        "defaults.spider is not a key",
        "harvest.a.every = 'soon'; accepted: a time of a minute or more",
        "harvest.b: every is missing",
        "harvest.b.time_limit = '0m'",
        "harvest.b.arguments.channels",
        "harvest.C is no name; accepted: small letters",
        "harvest.C.settings.download_delay is no name; accepted: names in capitals",
        "harvest.C.settings.NEWSCRAWL_DATABASE is no name",
        "harvest.C.enabled",
        "harvest.d.every = 60",
        "harvest.d.arguments = 'mode=new'; accepted: a table",
        "harvest.d.colour is not a key",
        "harvest.e.arguments.url",
    ):
        assert sum(words in line for line in lines) == 1, words


@pytest.mark.parametrize("text", ["", "harvest = 3", "[harvest]", "not toml ="])
def test_a_schedule_without_harvests_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_schedule(text)


def test_the_example_is_read() -> None:
    assert [harvest.name for harvest in load_schedule(PROJECT / "data" / "schedule.toml")] == ["sina", "people"]


def test_due_when_the_interval_is_over() -> None:
    (harvest,) = parse_schedule('[harvest.sina]\nevery = "1h"')
    assert harvest.is_due(None, NOW)
    assert not harvest.is_due(NOW - timedelta(minutes=59), NOW)
    assert harvest.is_due(NOW - timedelta(hours=1), NOW)
    assert harvest.is_due(NOW + timedelta(days=300), NOW), "a clock set back stops nothing for good"


@given(st.integers(1, 99_999), st.sampled_from("mhdw"))
def test_a_span_is_read_as_it_is_shown(number: int, unit: str) -> None:
    span = parse_age(f"{number}{unit}")
    assert span is not None
    assert parse_age(show_age(span)) == span or len(show_age(span)) > 6
