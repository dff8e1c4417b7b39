"""Records and texts for the tests of storage and duplicates."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from newscrawl.items import Article, Author, Image, PageType
from newscrawl.outcomes import Outcome
from newscrawl.store import PageRecord

NOW = datetime(2024, 3, 5, 2, 30, tzinfo=UTC)
PUBLISHED = datetime(2024, 3, 5, 10, 20, tzinfo=timezone(timedelta(hours=8)))
#: Common characters: enough for texts that have nothing in common.
CHARACTERS = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小"


def chinese(seed: int, n: int = 400) -> str:
    """A text of ``n`` characters without meaning; texts of two seeds have little in common."""
    return "".join(random.Random(seed).choices(CHARACTERS, k=n))


def article(url: str, body: str, **fields: Any) -> Article:
    given: dict[str, Any] = {
        "headline": f"头条 {url}",
        "datePublished": PUBLISHED,
        "authors": (Author(name="张三", role="reporter"),),
        "mainImage": Image(url="https://example.org/a.jpg"),
        "keywords": ("新闻", "测试"),
        "pages": (url,),
        "fieldSources": {"headline": "json-ld"},
        "method": "rules",
        "confidence": 0.9,
    }
    return Article(url=url, articleBody=body, **(given | fields))


def stored(url: str, body: str, *, fetched_at: datetime = NOW, **fields: Any) -> PageRecord:
    """The record of an article's page."""
    return PageRecord(
        url=url,
        outcome=Outcome.STORED,
        fetched_at=fetched_at,
        status=200,
        page_type=PageType.ARTICLE,
        page_type_confidence=0.9,
        encoding="gb18030",
        depth=2,
        site="example",
        article=article(url, body, **fields),
    )
