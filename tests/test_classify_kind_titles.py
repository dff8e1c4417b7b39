from __future__ import annotations

import pytest

from newscrawl.classify.kind.titles import absence_named, holds_error, names_no_story
from newscrawl.outcomes import Rejection


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Page not found", Rejection.SOFT_404),
        ("404 – Seite nicht gefunden!", Rejection.SOFT_404),
        ("页面不存在", Rejection.SOFT_404),
        ("503", Rejection.SOFT_404),
        ("HTTP Error 500", Rejection.SOFT_404),
        ("Sign in", Rejection.LOGIN),
        ("We value your privacy", Rejection.CONSENT),
        ("Subscribers only", Rejection.NOTICE),
        ("2024", None),
        ("404 houses burnt down", None),
        ("Page not found in the king's diary", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_title_that_says_nothing_else_names_the_reason(title: str, reason: Rejection | None) -> None:
    assert absence_named(title) is reason


def test_a_title_stands_before_or_behind_the_name_of_the_site() -> None:
    assert names_no_story("500 — Заречные новости")
    assert names_no_story("Example | Page not found")
    assert names_no_story("About us")
    assert not names_no_story("The long name of a story that ran on Monday | Contact us")
    assert not names_no_story("The bridge opens | Example")


def test_a_line_holds_the_title_of_an_error() -> None:
    assert holds_error("Sorry, the page you requested could not be found on this server")
    assert holds_error("非常抱歉，您访问的页面不存在，请返回")
    assert not holds_error("Gone fishing")
