"""Harvests of whole sites beside the truth: what is found, lost and stored besides, on a made site."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from lab.experiments.base import Options
from lab.experiments.harvest import run, stored_sites
from newscrawl.exceptions import UserError
from tests.archives import write_warc
from tests.newspages import SUBJECTS, article

if TYPE_CHECKING:
    from pathlib import Path

HOST = "http://made.example.org"
N = 4


def story(n: int) -> str:
    return f"{HOST}/2024/03/0{n + 1}/story-{n}.html"


@pytest.fixture
def options(tmp_path: Path) -> Options:
    """A site of a home page, four articles, one that no link leads to, and one that is not in the archive."""
    links = "".join(f"<li><a href='{story(n)}'>{SUBJECTS[n]}取得新进展</a> 2024-03-0{n + 1}</li>" for n in range(N))
    dead = f"<li><a href='{story(8)}'>{SUBJECTS[8]}取得新进展</a> 2024-03-09</li>"
    home = f"<html><head><title>测试网</title></head><body><ul>{links}{dead}</ul></body></html>"
    records = [{"url": f"{HOST}/", "body": home.encode()}]
    records += [{"url": story(n), "body": article(n).encode()} for n in (*range(N), 7)]
    write_warc(tmp_path / "made.warc.gz", *records)
    rows = [{"i": 0, "url": f"{HOST}/", "kind": "list", "links": [[n + 1, "", 0] for n in range(N)] + [[6, "", 0]]}]
    rows += [{"i": n + 1, "url": story(n), "kind": "article", "links": []} for n in range(N)]
    rows += [{"i": 5, "url": story(7), "kind": "article", "links": []}]
    rows += [{"i": 6, "url": story(8), "kind": "article", "links": []}]
    rows[2]["kind"] = "list"  # what the site calls a list is told as stored wrongly
    texts = [{"url": story(0), "date": "2024-03-01T10:20:00+08:00", "text": "城市轨道交通"}]
    for name, lines in (("pages", rows), ("texts", texts)):
        with gzip.open(tmp_path / f"made.{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
    return Options(corpus=tmp_path / "corpus", values={"sites": str(tmp_path)})


def test_what_is_found_lost_and_stored_besides(options: Options) -> None:
    result = run(options)
    articles, lost, others = result.tables
    row = dict(zip(articles.columns, articles.rows[0], strict=True))

    assert (row["articles reachable"], row["stored"], row["share"]) == (N, N - 1, (N - 1) / N)
    assert (row["lists stored"], row["pages stored"]) == (1, 0)
    assert (row["dated of stored"], row["days right"], row["days judged"]) == (N - 1, 1, 1)
    assert row["texts"] == 1
    assert lost.rows == (("made", "http_error 404", 1, story(8)),)
    assert others.rows == (("made", "list", 1, story(1)),)
    assert result.as_json(command="", seed=1)["counts"] == {"pages": 7, "sites": 1, "sets": {"made": 7}}


def test_a_site_that_is_not_there_is_refused(options: Options) -> None:
    wrong = Options(corpus=options.corpus, values={**options.values, "only": "nowhere"})
    with pytest.raises(UserError, match=r"no site \['nowhere'\] in .*; there: \['made'\]"):
        list(stored_sites(wrong))
