"""A crawl's memory, from one run to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, text

from tests.archives import write_warc
from tests.crawling import crawl
from tests.records import chinese

if TYPE_CHECKING:
    from pathlib import Path

HOME = "https://news.example/"
NOTICE = "本网每天早晨在河边的老楼里排印，晚上由三位邻居送到镇上的每一户人家。"


def story(number: int) -> str:
    paragraphs = "".join(f"<p>{chinese(10 * number + place, 200)}</p>" for place in range(4))
    return (
        f"<title>{chinese(number, 12)}</title><div class=story><h1 class=title>{chinese(number, 12)}</h1>"
        f"<div class=text>{paragraphs}<p>{NOTICE}</p></div></div>"
    )


def harvest(folder: Path, numbers: range, database: str) -> tuple[dict[str, object], list[str]]:
    """Return the stats and the articles' texts."""
    urls = {number: f"{HOME}2024/{1 + number // 28:02}/{1 + number % 28:02}/story.html" for number in numbers}
    links = "".join(f"<li><a href='{url}'>{chinese(number, 12)}</a>" for number, url in urls.items())
    pages = {HOME: f"<ul>{links}</ul>"} | {url: story(number) for number, url in urls.items()}
    warc = write_warc(folder / "a.warc.gz", *({"url": url, "body": html.encode()} for url, html in pages.items()))
    settings = {"NEWSCRAWL_REPLAY": warc, "NEWSCRAWL_DATABASE": database, "NEWSCRAWL_BODY_FORMATS": "markdown"}
    done = crawl(folder, "crawl", "site", "-a", f"url={HOME}", settings={"LOG_LEVEL": "WARNING", **settings})
    assert "Traceback" not in done.log
    return done.stats, [item["articleBody"] for item in done.items]


def stored_texts(database: str) -> list[str]:
    """Return the articles' texts, plain and as Markdown."""
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT article_body, article_body_markdown FROM articles")).all()
        texts = [one for row in rows for one in row]
    engine.dispose()
    return texts


@pytest.mark.slow
def test_what_a_run_remembers_the_next_one_knows(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/news.sqlite"
    stats, texts = harvest(tmp_path, range(1, 12), database)
    assert sum(NOTICE in body for body in texts) == 1, "the first article has it as it comes, the others do not"
    assert stats["newscrawl/memory/refined"] == 10
    assert stats["newscrawl/memory/corrected"] == 1
    stored = stored_texts(database)
    assert len(stored) == 22
    assert all(len(body) > 800 and NOTICE not in body for body in stored), "when all have come, none has it"
    stats, texts = harvest(tmp_path, range(91, 94), database)
    assert not any(NOTICE in body for body in texts)
    assert stats["newscrawl/memory/refined"] == len(texts) == 3
    engine = create_engine(database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT host, n_pages FROM site_memories")).all() == [("news.example", 14)]
        assert connection.execute(text("SELECT count(*) FROM article_lines")).scalar() == 0
    engine.dispose()
