from __future__ import annotations

import io
import json
from dataclasses import fields, replace
from typing import Any

import pytest
from itemadapter import ItemAdapter
from scrapy.exporters import JsonLinesItemExporter
from sqlalchemy import select

from newscrawl.items import (
    ARTICLE,
    Article,
    Author,
    BodyImage,
    Comment,
    Field,
    FieldKind,
    PageType,
    Reservation,
    Update,
    iso,
    json_schema,
    values_of,
)
from newscrawl.store.engine import make_engine, writing
from newscrawl.store.export import KEPT_ARTICLE, REVISION, Selection, read_articles
from newscrawl.store.migrations import migrate
from newscrawl.store.row_files import row_writer
from newscrawl.store.schema import articles
from newscrawl.store.storage import write_batch
from tests.records import NOW, PUBLISHED, article, stored

URL = "https://e.org/a"
#: No field has the value that it has without being given.
FULL: dict[str, Any] = {
    "canonicalUrl": "https://e.org/a?x=1",
    "articleBodyHtml": "<p>一。</p>",
    "articleBodyMarkdown": "一。",
    "datePublishedRaw": "3月5日",
    "dateModified": NOW,
    "dateModifiedRaw": "10:30",
    "authors": (Author(name="张三", nameRaw="记者 张三", role="reporter"), Author(name="李四")),
    "inLanguage": "zh",
    "images": (
        BodyImage(url="https://e.org/1.jpg", caption="图：大桥", alt="大桥", position=1),
        BodyImage(url="https://e.org/2.jpg"),
    ),
    "description": "提要",
    "source": "新华社",
    "section": "国内",
    "comments": (Comment(text="Well told.", author="Ann", datePublished="2024-06-05"),),
    "updates": (
        Update(text="渡轮开航。", headline="开航", datePublished="2024-03-05T10:25:00+08:00", url="https://e.org/a#1"),
    ),
    "isAccessibleForFree": False,
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "copyrightHolder": "示例日报",
    "reservations": (Reservation(source="robots.txt", value="GPTBot, CCBot"),),
    "encoding": "gb18030",
    "contentHash": "0" * 32,
    "site": "e",
    "fetchedAt": NOW,
}


def line(write: Any) -> dict[str, Any]:
    file = io.BytesIO()
    write(file)
    found: dict[str, Any] = json.loads(file.getvalue())
    return found


def test_articles_are_as_the_schema_says() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="pip install jsonschema")
    for item in (Article(url=URL), Article(url=URL, **FULL)):
        written = json.loads(json.dumps(values_of(item, ARTICLE), default=iso))
        jsonschema.validate(written, json_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"url": 1}, json_schema())


def test_every_field_is_in_the_table_with_a_sentence() -> None:
    assert list(ARTICLE) == [field.name for field in fields(Article)]
    every = [
        *KEPT_ARTICLE.values(),
        *REVISION.values(),
        *(part for one in ARTICLE.values() for part in one.parts.values()),
    ]
    assert [field.name for field in every if not field.doc.endswith((".", "…"))] == []


@pytest.mark.parametrize(
    ("name", "kind", "column"),
    [
        ("articleBodyHtml", FieldKind.TEXT, "article_body_html"),
        ("datePublished", FieldKind.ZONED_MOMENT, "date_published"),
        ("fetchedAt", FieldKind.MOMENT, "fetched_at"),
        ("authors", FieldKind.RECORDS, "authors"),
        ("mainImage", FieldKind.RECORD, "main_image"),
        ("keywords", FieldKind.TEXTS, "keywords"),
        ("fieldSources", FieldKind.FACTS, "field_sources"),
        ("confidence", FieldKind.NUMBER, "confidence"),
        ("pageType", FieldKind.TEXT, "page_type"),
    ],
)
def test_kinds_and_columns_follow_from_types_and_names(name: str, kind: FieldKind, column: str) -> None:
    assert (ARTICLE[name].kind, ARTICLE[name].column) == (kind, column)
    assert column in articles.c


def test_plain_values_of_an_article() -> None:
    plain = values_of(article(URL, "一。", **FULL), ARTICLE)
    assert plain["datePublished"] == PUBLISHED.isoformat() == "2024-03-05T10:20:00+08:00"
    assert plain["fetchedAt"] is NOW
    assert plain["authors"][1] == {"name": "李四", "nameRaw": None, "role": None}
    assert plain["mainImage"] == {"url": "https://example.org/a.jpg"}
    assert type(plain["pageType"]) is str
    bare = values_of(Article(url=URL), ARTICLE)
    assert (bare["authors"], bare["mainImage"], bare["datePublished"], bare["pageType"]) == (
        [],
        None,
        None,
        PageType.ARTICLE,
    )


def test_feeds_batches_and_exports_say_the_same(database: str) -> None:
    """One article by three ways: field by field, names and values are equal."""
    full = article(URL, "一。", **FULL)
    left = {field.name for field in fields(Article) if getattr(full, field.name) == field.default}
    assert left == {"pageType"}
    engine = make_engine(database)
    migrate(engine)
    with writing(engine) as connection:
        write_batch(connection, [replace(stored(URL, ""), article=full)])
    with engine.connect() as connection:
        (kept,) = read_articles(connection, Selection())
        assert connection.execute(select(articles.c.date_published_utc)).scalar_one() == PUBLISHED
    engine.dispose()

    def feed(file: Any) -> None:
        JsonLinesItemExporter(file, encoding="utf-8").export_item(full)

    def own(row: dict[str, Any], names: dict[str, Field]) -> Any:
        def write(file: Any) -> None:
            with row_writer(file, names, "jsonl") as write_row:
                write_row(row)

        return write

    fed = line(feed)
    assert fed == line(own(values_of(full, ARTICLE), dict(ARTICLE)))
    exported = line(own(kept, dict(KEPT_ARTICLE)))
    assert {name: exported[name] for name in fed} == fed
    assert list(fed) == list(ItemAdapter(full).field_names())
    assert (exported["revision"], exported["duplicateOf"], exported["goneAt"]) == (1, None, None)
