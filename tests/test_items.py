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
