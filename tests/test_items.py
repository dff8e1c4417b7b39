from __future__ import annotations

import dataclasses

import pytest
from itemadapter import ItemAdapter

from newscrawl.items import Article, Author, PageType


def test_an_article_is_a_value() -> None:
    made = Article(url="http://example.org/1", authors=(Author(name="Ada Fenn"),))
    assert dataclasses.replace(made, headline="River rises").headline == "River rises"
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.headline = "x"  # type: ignore[misc]


def test_feeds_export_an_article_with_the_names_of_the_common_schema() -> None:
    exported = ItemAdapter(Article(url="http://example.org/1", authors=(Author(name="Ada Fenn"),))).asdict()
    names = {
        "url",
        "headline",
        "articleBody",
        "datePublished",
        "datePublishedRaw",
        "authors",
        "inLanguage",
        "mainImage",
    }
    assert names <= exported.keys()
    assert exported["authors"] == ({"name": "Ada Fenn", "nameRaw": None, "role": None},)
    assert exported["pageType"] is PageType.ARTICLE


def test_the_log_shows_an_article_in_one_short_line() -> None:
    made = Article(
        url="http://example.org/1", headline="River rises\n" * 50, articleBody="text " * 9_000, method="news"
    )
    assert repr(made).startswith("<Article http://example.org/1 'River rises")
    assert repr(made).endswith("45,000 characters by news>")
    assert len(repr(made)) < 200
