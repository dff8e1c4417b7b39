from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lab.evaluation.corpus import default_folder, digest, load, load_all, set_names
from lab.evaluation.gold import BlockGold
from newscrawl.exceptions import UserError
from tests.corpora import write_set


def test_fields(tmp_path: Path) -> None:
    record = {
        "id": "1",
        "site": "example.org",
        "url": "http://example.org/1",
        "lang": "zh",
        "page_type": "article",
        "encoding": "gb18030",
        "gold": {
            "text": "正文",
            "with": ["正"],
            "without": ["菜单"],
            "title": "标题",
            "author": "甲; 乙",
            "date": "2012-01-02",
            "blocks": {"main": ["//p"], "exclude": [], "related_links": ["//ul"], "other": [], "ambiguous": []},
        },
        "markup": "<p>x</p>",
    }
    (page,) = load(write_set(tmp_path, "own", [record]))
    assert (page.id, page.set, page.site, page.lang, page.encoding) == ("1", "own", "example.org", "zh", "gb18030")
    assert page.read() == b"<p>x</p>"
    assert page.gold.authors == ("甲", "乙")
    assert page.gold.must_have == ("正",)
    assert page.gold.blocks == BlockGold(main=("//p",), related_links=("//ul",))


def test_choice_of_sets_languages_and_limit(tmp_path: Path) -> None:
    write_set(tmp_path, "a", [{"id": "1"}, {"id": "2", "lang": "de"}, {"id": "3"}])
    write_set(tmp_path, "b", [{"id": "1"}])
    assert set_names(tmp_path) == ("a", "b")
    assert [page.id for page in load(tmp_path, ["a"])] == ["1", "2", "3"]
    assert [page.id for page in load(tmp_path, ["a"], langs=["en"])] == ["1", "3"]
    assert [(page.set, page.id) for page in load(tmp_path, limit=1)] == [("a", "1"), ("b", "1")]


def test_records_without_a_page_are_left_out(tmp_path: Path) -> None:
    write_set(tmp_path, "a", [{"id": "1"}])
    with (tmp_path / "a" / "index.jsonl").open("a") as index:
        index.write('\n{"id": "2", "html": null, "warc": "sample.warc.gz"}\n')
    assert [page.id for page in load(tmp_path)] == ["1"]


def test_a_second_corpus_with_gzipped_pages_is_read_beside_the_first(tmp_path: Path) -> None:
    first = write_set(tmp_path / "corpus", "a", [{"id": "1"}])
    second = write_set(tmp_path / "corpus2", "a", [{"id": "2", "markup": "<p>later</p>"}])
    write_set(second, "b", [{"id": "3"}])
    page = second / "a" / "pages" / "2.html"
    page.with_name("2.html.gz").write_bytes(gzip.compress(page.read_bytes()))
    index = second / "a" / "index.jsonl"
    index.write_text(index.read_text().replace("2.html", "2.html.gz"))
    found = load_all(first, ["a", "b"])
    assert [(page.set, page.id, page.corpus) for page in found] == [
        ("a", "1", "corpus"),
        ("a", "2", "corpus2"),
        ("b", "3", "corpus2"),
    ]
    assert found[1].read() == b"<p>later</p>"
    with pytest.raises(UserError, match="no set c"):
        load_all(first, ["a", "c"])


def test_digest_depends_on_bytes_and_labels_not_on_order(tmp_path: Path) -> None:
    one = load(write_set(tmp_path / "1", "a", [{"id": "1"}, {"id": "2"}]))
    same = load(write_set(tmp_path / "2", "a", [{"id": "2"}, {"id": "1"}]))
    other = load(write_set(tmp_path / "3", "a", [{"id": "1"}, {"id": "2", "markup": "<p>texts</p>"}]))
    relabelled = load(write_set(tmp_path / "4", "a", [{"id": "1"}, {"id": "2", "gold": {"text": "text"}}]))
    assert digest(one) == digest(same)
    assert len({digest(one), digest(other), digest(relabelled)}) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not a page record"),
        ('{"html": "pages/1.html"}', "no 'id'"),
        ('{"id": "1", "html": "pages/none.html"}', "no such page file"),
        ('{"id": "1", "html": "../../secret"}', "no such page file"),
        ("[1]", "is not a page record"),
    ],
)
def test_a_wrong_record_is_named(tmp_path: Path, line: str, message: str) -> None:
    write_set(tmp_path, "a", [{"id": "1"}])
    (tmp_path.parent / "secret").write_text("x")
    with (tmp_path / "a" / "index.jsonl").open("a") as index:
        index.write("\n" + line + "\n")
    with pytest.raises(UserError, match=message) as caught:
        load(tmp_path)
    assert "index.jsonl:2" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_folder_set_or_language(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no corpus in"):
        load(tmp_path / "none")
    with pytest.raises(UserError, match="no set in"):
        load(tmp_path)
    write_set(tmp_path, "a", [{"id": "1"}])
    with pytest.raises(UserError, match="unknown set 'b': one of a"):
        load(tmp_path, ["b"])
    with pytest.raises(UserError, match="no page in sets 'a', languages 'zh'"):
        load(tmp_path, langs=["zh"])


def test_default_folder_follows_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSCRAWL_SHARED", "/somewhere")
    assert default_folder() == Path("/somewhere/corpus")
    monkeypatch.delenv("NEWSCRAWL_SHARED")
    assert default_folder() == Path("../shared/corpus")


def test_the_real_corpus_is_read_whole(shared: Path) -> None:
    pages = load(shared / "corpus")
    assert len(pages) == 1643
    assert len({page.set for page in pages}) == 22
    assert sum(page.gold.blocks is not None for page in pages) == 37
    labelled = [page for page in pages if page.gold.text is not None or page.gold.has_snippets]
    assert len(labelled) == 1463
