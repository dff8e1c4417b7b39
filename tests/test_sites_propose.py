from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from newscrawl.commands.rules import RulesCommand
from newscrawl.page.document import Document
from newscrawl.page.line_features import line_features
from newscrawl.sites.memory.facts import FactPlace
from newscrawl.sites.memory.host import HostMemory, sighting
from newscrawl.sites.memory.keys import page_keys
from newscrawl.sites.propose import MIN_PAGES, Proposal, body_rule, ftr_rules, proposals
from newscrawl.sites.rules import SiteRules
from newscrawl.sites.toml import parse_site, rules_table
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.migrations import migrate
from newscrawl.store.runs import save_site
from newscrawl.store.site_memory import merge_memories
from tests.commands_run import answer, refusal

if TYPE_CHECKING:
    from pathlib import Path

FTR = """# a comment
title: //h1[@class='title']
body: //div[@id='story']
body: concat(//p
author: //a[@rel='author']
strip: //div[@class='ad']
strip_id_or_class: newsletter
strip_id_or_class: a'b
test_url: https://www.example.org/
"""


DAY = "2024-03-05"


def memory(n: int, classes: str = "story post-17", *, inside: str = "") -> HostMemory:
    """Return what n articles leave behind; ``inside`` stands between their paragraphs."""
    found = HostMemory()
    for number in range(n):
        text = inside.join(f"<p>Paragraph {number}.{line} says that the bridge was opened.</p>" for line in range(4))
        page = f"<div class='page'><p>Menu</p><div class='{classes}'><section>{text}</section></div></div>"
        document = Document.from_html(page.encode(), f"https://news.example/{number}.html")
        keys = document.once(page_keys)
        chosen = np.array(["Paragraph" in line for line in document.once(line_features).lines.shown])
        article = sighting(keys, chosen, np.where(chosen, 4.0, -4.0))
        found.count(replace(article, facts=(FactPlace("headline", "h1.title", agrees=True),), day=DAY))
    return found


def test_the_innermost_element_with_the_text_becomes_a_rule() -> None:
    rule = body_rule(memory(MIN_PAGES, "story main"))
    assert rule == ("body", "div.story.main", 1.0, MIN_PAGES, DAY)
    assert body_rule(memory(MIN_PAGES - 1)) is None


def test_an_element_named_by_a_number_is_passed_over() -> None:
    rule = body_rule(memory(MIN_PAGES))
    assert rule is not None
    assert rule.selector == "div.page"


def test_what_always_stands_beside_the_text_inside_the_body_is_left_out() -> None:
    letter = "<div class=letter><div class=form><p>Write us what you think of it.</p></div></div>"
    rules = proposals(memory(MIN_PAGES, "story", inside=letter))
    assert [rule for rule in rules if rule.field == "not_body"] == [("not_body", "div.letter", 1.0, MIN_PAGES, DAY)]
    assert "not_body" not in [rule.field for rule in proposals(memory(MIN_PAGES, "story"))]


def test_a_place_that_holds_text_too_is_not_left_out() -> None:
    text = "<div class=story><p class=quote>They came to see it.</p><p>Paragraph.</p></div>"
    found = memory(MIN_PAGES, "story", inside="<p class=quote>Paragraph. Read more here.</p>")
    keys = page_keys(Document.from_html(text.encode()))
    found.count(sighting(keys, np.array([False, True]), np.array([-4.0, 4.0])))
    assert "not_body" not in [rule.field for rule in proposals(found)]


def test_a_place_of_a_fact_is_a_rule_once_it_is_sure() -> None:
    found = memory(MIN_PAGES)
    place = Proposal("headline", "h1.title", 1.0, MIN_PAGES, DAY)
    assert place in proposals(found)
    assert str(place) == "h1.title is headline in 5 of 5 articles asked for it, last on 2024-03-05"
    found.facts.count([FactPlace("headline", "h1.title", agrees=False)], DAY)
    assert "headline" not in [rule.field for rule in proposals(found)]


def test_a_file_of_another_collection_becomes_rules() -> None:
    rules, unusable = ftr_rules(FTR.splitlines())
    assert rules == SiteRules(
        body=("//div[@id='story']",),
        not_body=("//div[@class='ad']", "//*[contains(@class, 'newsletter') or contains(@id, 'newsletter')]"),
        headline=("//h1[@class='title']",),
        authors=("//a[@rel='author']",),
    )
    assert unusable == ["body: concat(//p"]
    text = 'title = "T"\nhosts = ["a.example"]\nseeds = ["https://a.example/"]\n' + rules_table(rules)
    assert parse_site("a", text).rules == rules


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/news.sqlite"
    engine = make_engine(url)
    migrate(engine)
    site = {"name": "news.example", "title": "News", "hosts": ["news.example"], "seeds": ["https://news.example/"]}
    with writing(engine) as connection:
        save_site(connection, site)
        merge_memories(connection, {"news.example": memory(MIN_PAGES, "story")})
    engine.dispose()
    return url


def test_the_command_prints_a_table_for_the_sites_file(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(RulesCommand(), capsys, "news.example", "--database", database).splitlines() == [
        "# news.example: div.story holds 100% of the text of 5 articles, last on 2024-03-05",
        "# news.example: h1.title is headline in 5 of 5 articles asked for it, last on 2024-03-05",
        "[rules]",
        'body = ["div.story"]',
        'headline = ["h1.title"]',
    ]
    printed = json.loads(answer(RulesCommand(), capsys, "news.example", "--json", "--database", database))
    assert printed["rules"] == {"body": ["div.story"], "headline": ["h1.title"]}
    support = {"field": "headline", "selector": "h1.title", "share": 1.0, "n_pages": 5, "day": DAY}
    assert printed["support"][1] == {"host": "news.example", **support}
    file = tmp_path / "example.txt"
    file.write_text(FTR, encoding="utf-8")
    printed = answer(RulesCommand(), capsys, "--ftr", str(file))
    assert printed.startswith("# not used, as neither CSS nor XPath: body: concat(//p\n[rules]\nbody = [")
    printed = json.loads(answer(RulesCommand(), capsys, "--ftr", str(file), "--json"))
    assert printed["unusable"] == ["body: concat(//p"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody",), "no site 'nobody'; harvested are: news.example"),
        (("sina",), "'sina': no host has 5 remembered articles"),
        (("--ftr", "none.txt"), "no file 'none.txt'"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    database: str, arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refusal(RulesCommand(), capsys, *arguments, "--database", database)
