"""Pages and small archives that were read wrongly once, each judged by what its case in the shared folder expects."""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.extractors import extract
from tests.conftest import shared_folder, unavailable
from tests.crawling import crawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from newscrawl.items import Article

CASES = shared_folder() / "cases" / "cases.jsonl"
ROLES_ASIDE = {"editor", "photographer", "organization"}
TEXTS = ("with", "without", "once")
SLACK = timedelta(minutes=1)


def cases(*, of_crawls: bool) -> list[Any]:
    """Return the cases; one of None where there are none, so that the test says why it does not run."""
    lines = CASES.read_text(encoding="utf-8").splitlines() if CASES.is_file() else []
    found = [case for case in map(json.loads, lines) if bool(case.get("crawl")) is of_crawls]
    return [pytest.param(case, id=case["id"]) for case in found] or [None]


def folded(text: str | None) -> str:
    return "".join(unicodedata.normalize("NFC", text or "").split())


def is_moment(stated: str | None, found: datetime | None) -> bool:
    """Tell whether a moment is the one that a case states, in one of the forms that the README of the cases lists."""
    if stated is None or found is None:
        return stated is None and found is None
    if re.fullmatch(r"-\d+h", stated):
        return abs(found - (datetime.now(UTC) - timedelta(hours=int(stated[1:-1])))) < timedelta(hours=1) + SLACK
    if stated.startswith("recent:"):
        now = datetime.now(UTC)
        years = (datetime.fromisoformat(f"{year}-{stated[7:]}") for year in (now.year, now.year - 1))
        return found == next(moment for moment in years if moment <= now)
    if len(stated) == len("2024-06-05"):
        return found.date().isoformat() == stated
    wanted = datetime.fromisoformat(stated)
    if wanted.tzinfo and found.tzinfo:
        return abs(found - wanted) <= SLACK
    return found.replace(tzinfo=None) == wanted.replace(tzinfo=None)


def wrong_texts(text: str, expect: dict[str, Any]) -> Iterator[tuple[str, str]]:
    counts = {name: {piece: text.count(folded(piece)) for piece in expect.get(name, ())} for name in TEXTS}
    yield from (("with", piece) for piece, n in counts["with"].items() if n == 0)
    yield from (("without", piece) for piece, n in counts["without"].items() if n > 0)
    yield from (("once", piece) for piece, n in counts["once"].items() if n != 1)


def wrong_facts(article: Article, expect: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields that are not as expected, with what was found."""
    for name in ("headline", "source", "inLanguage", "canonicalUrl"):
        if name in expect and folded(getattr(article, name)) != folded(expect[name]):
            yield name, getattr(article, name)
    for name in ("datePublished", "dateModified"):
        if name in expect and not is_moment(expect[name], getattr(article, name)):
            yield name, getattr(article, name)
    if "authors" in expect:
        named = {author.name for author in article.authors if author.role not in ROLES_ASIDE}
        may_be = {*expect["authors"], *expect.get("authorsMay", ())}
        if not {*expect["authors"]} <= {author.name for author in article.authors} or not named <= may_be:
            yield "authors", article.authors
    images = [image.url for image in (*article.images, *filter(None, [article.mainImage]))]
    if not {*expect.get("images", ())} <= {*images} or any(
        piece in url for piece in expect.get("noimages", ()) for url in images
    ):
        yield "images", images
    if expect.get("anyimage") and not any(piece in url for piece in expect["anyimage"] for url in images):
        yield "anyimage", images


@pytest.mark.shared
@pytest.mark.parametrize("case", cases(of_crawls=False))
def test_a_page_is_read_as_its_case_says(case: dict[str, Any] | None, shared: Path) -> None:
    if case is None:
        unavailable(f"no cases in {shared}")
        return
    found = extract((shared / "cases" / case["file"]).read_bytes(), url=case["url"])
    wrong = list(wrong_texts(folded(found.text), case["expect"]))
    assert found.article is not None
    assert [*wrong, *wrong_facts(found.article, case["expect"])] == [], case["note"]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("case", cases(of_crawls=True))
def test_a_harvest_stores_what_its_case_says(case: dict[str, Any] | None, shared: Path, tmp_path: Path) -> None:
    if case is None:
        unavailable(f"no cases in {shared}")
        return
    settings = {"NEWSCRAWL_REPLAY": shared / "cases" / case["file"], "NEWSCRAWL_READERS": 0, "LOG_LEVEL": "WARNING"}
    settings["NEWSCRAWL_DATABASE"] = f"sqlite:///{tmp_path}/news.sqlite"
    done = crawl(tmp_path, "crawl", "site", "-a", f"url={case['url']}", settings=settings)
    expect, texts = case["expect"], {item["url"]: folded(item["articleBody"]) for item in done.items}
    assert {*expect["stored"]} <= texts.keys(), case["note"]
    assert texts.keys().isdisjoint(expect.get("notStored", ())), case["note"]
    assert len(texts) == expect.get("count", len(texts)), case["note"]
    for url, pieces in expect.get("with", {}).items():
        assert [piece for piece in pieces if folded(piece) not in texts[url]] == []
