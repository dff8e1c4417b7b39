from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from lab.truth.harvest import Share, StoredArticle, TruthRow, compare, read_truth
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2025, 1, 2, 12, tzinfo=UTC)


def row(url: str, text: str = "甲乙丙丁戊己庚辛", **values: object) -> TruthRow:
    fields = {"kind": "article", "outcomes": ("stored",), "headline": "题", "date": NOON, "text": text}
    return TruthRow(url=url, **{**fields, **values})  # type: ignore[arg-type]


def stored(url: str, text: str = "甲乙丙丁戊己庚辛", **values: object) -> StoredArticle:
    fields = {"headline": "题", "date": NOON, "text": text, "pages": (url,)}
    return StoredArticle(url=url, **{**fields, **values})  # type: ignore[arg-type]


def test_a_perfect_harvest() -> None:
    report = compare([row("https://e.org/a")], [stored("http://e.org/a/")], {"http://e.org/a": "stored"})
    assert report.stored == Share(right=1, of=1)
    assert report.text.f1 == report.headline.ratio == report.date.ratio == report.outcomes.ratio == 1.0
    assert (report.missing, report.stored_twice, report.wrongly_stored, report.wrong_outcomes) == ((), (), (), ())


def test_missing_and_wrongly_stored() -> None:
    report = compare([row("https://e.org/a")], [stored("https://e.org/hub")], {"https://e.org/a": "not_article"})
    assert report.missing == ("https://e.org/a",)
    assert report.wrongly_stored == ("https://e.org/hub",)
    assert report.wrong_outcomes == (("https://e.org/a", "not_article"),)


def test_a_copy_stands_for_its_original_and_two_kept_ones_are_one_too_many() -> None:
    copy = row("https://e.org/copy", kind="duplicate", duplicate_of="https://e.org/a")
    truth = [row("https://e.org/a"), copy]
    assert compare(truth, [stored("https://e.org/copy")], {}).stored.ratio == 1.0
    both = [stored("https://e.org/a"), stored("https://e.org/copy")]
    assert compare(truth, both, {}).stored_twice == ("https://e.org/a",)
    linked = [both[0], stored("https://e.org/copy", duplicate_of="https://e.org/a")]
    assert compare(truth, linked, {}).stored_twice == ()
    known = [stored("https://e.org/copy", duplicate_of="https://e.org/other")]
    assert [compare(truth, found, {}).as_copies for found in (both, linked, known)] == [0, 0, 1]


def test_fields_are_judged_one_by_one() -> None:
    truth = [row("https://e.org/a", authors=("张三",), source="某报", pages=("https://e.org/a", "https://e.org/a_2"))]
    late = stored("https://e.org/a", headline="题 ", date=NOON + timedelta(hours=1), authors=("李四",), source="某報")
    report = compare(truth, [late], {})
    found = (report.headline, report.date, report.authors, report.source, report.joined)
    assert [share.right for share in found] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(("seconds", "right"), [(3600, 1), (3601, 0)])
def test_a_date_has_its_own_tolerance(seconds: int, right: int) -> None:
    truth = [row("https://e.org/a", date_tolerance_seconds=3600)]
    found = stored("https://e.org/a", date=NOON + timedelta(seconds=seconds))
    assert compare(truth, [found], {}).date.right == right


def test_never_fetched_can_be_right_and_wrong() -> None:
    truth = [
        row("https://e.org/x", kind="nofollow", outcomes=(None,)),
        row("https://e.org/hub", kind="hub", outcomes=("not_article",)),
    ]
    report = compare(truth, [], {})
    assert report.outcomes == Share(right=1, of=2)
    assert report.wrong_outcomes == (("https://e.org/hub", "never fetched"),)


def test_what_may_be_stored_is_not_wrongly_stored() -> None:
    truth = [row("https://e.org/odd", kind="nested", outcomes=("stored", "not_article"))]
    report = compare(truth, [stored("https://e.org/odd")], {})
    assert (report.wrongly_stored, report.open) == ((), 1)


_LATE = '{"url": "x", "kind": "article", "outcome": [], "date_tolerance_seconds": 1' + "0" * 400 + "}"


def test_reading(tmp_path: Path) -> None:
    file = tmp_path / "truth.jsonl"
    file.write_text(json.dumps({"url": "https://e.org/", "kind": "hub", "outcome": ["not_article"]}), encoding="utf-8")
    assert read_truth(file)[0].outcomes == ("not_article",)
    for bad in ("{", "[]", '{"url": 1}', '{"url": "x", "kind": "article", "outcome": [], "date": "soon"}', _LATE):
        file.write_text(bad, encoding="utf-8")
        with pytest.raises(UserError, match=r"truth\.jsonl, line 1"):
            read_truth(file)
    with pytest.raises(UserError, match="cannot read truth file"):
        read_truth(tmp_path / "nothing")
