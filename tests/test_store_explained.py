from __future__ import annotations

import pytest

from newscrawl.sites.model import NewsSite
from newscrawl.sites.rules import SiteRules
from newscrawl.store.explained import explanation_lines
from newscrawl.store.facts import Facts, explain, summary
from tests.records import NOW


@pytest.mark.parametrize(
    ("outcome", "confidence", "expected"),
    [
        ("not_article", 0.25, "Fetched, but not stored: judged hub (confidence 0.25)."),
        ("not_article", None, "Fetched, but not stored: judged hub, page type hub."),
        ("held", None, "Asked for; it ended as held, which is not known here."),
    ],
)
def test_a_row_that_others_wrote_is_one_sentence(outcome: str, confidence: float | None, expected: str) -> None:
    page = {"outcome": outcome, "reason": "hub", "page_type": "hub", "page_type_confidence": confidence}
    assert summary(Facts(page=page)) == expected


def test_a_field_that_a_rule_gave_names_the_rule() -> None:
    site = NewsSite(
        name="own",
        title="Own",
        hosts=("own.org",),
        seeds=("https://own.org/",),
        timezone="UTC",
        rules=SiteRules(body=(".story", "main"), date_published=("time",)),
    )
    sources = {
        "headline": "h1",
        "source": "rule",
        "datePublished": "rule",
        "datePublishedRaw": "rule",
        "articleBody": "rule; 2 lines recur",
    }
    names = ("headline", "date_published", "source", "method", "confidence", "revision", "duplicate_of")
    article = {**dict.fromkeys(names), "n_chars": 2, "confidence": 1.0, "gone_at": None, "first_fetched_at": NOW}
    drift = {"noticed_at": NOW, "reason": "rule", "old": "body = .story, main", "new": "matches nothing"}
    facts = Facts(article=article | {"field_sources": sources}, drifts=(drift,))
    lines = list(explanation_lines(explain("https://own.org/1", facts, [site])))
    assert [value for title, value in lines if title == "by rule"] == [
        "source, gone by now (own.toml)",
        "date_published = time (own.toml)",
        "body = .story, main (own.toml)",
    ]
    assert ("", "2 lines recur") in lines
    assert ("broken rule", f"body = .story, main: matches nothing; noticed {NOW:%Y-%m-%d %H:%M} UTC") in lines
    assert "rule" not in [value for _, value in lines]
