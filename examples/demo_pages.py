"""Articles of the demo portal with their true text, for the notebooks. Take pages of your own in their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from newscrawl.extractors import get_extractor
from newscrawl.methods.base import Needs
from newscrawl.page.document import Document
from newscrawl.serve.training.metrics import summarise, text_score
from newscrawl.warc.archive import responses
from newscrawl.warc.records import WarcFile

if TYPE_CHECKING:
    from collections.abc import Sequence

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"


class LabelledPage(NamedTuple):
    """A page and the text that is to be found on it."""

    document: Document
    truth: str


def labelled_pages(most: int = 30) -> list[LabelledPage]:
    """Return articles that stand on one page, in the order of their addresses."""
    rows = map(json.loads, (DEMO / "truth.jsonl").read_text(encoding="utf-8").splitlines())
    truth = {row["url"]: row["text"] for row in rows if row["kind"] == "article" and len(row.get("pages") or ()) < 2}
    with WarcFile(DEMO / "demo.warc.gz") as file:
        bodies = {one.url: one.body for _, one in responses(file) if not isinstance(one, str | None)}
    chosen = sorted(truth.keys() & bodies.keys())[:most]
    return [LabelledPage(Document.from_html(bodies[url], url), truth[url]) for url in chosen]


def scored(name: str, pages: Sequence[LabelledPage], **constants: object) -> str:
    """Return precision, recall and F1 of a method with these constants; it learns from all pages, if it learns."""
    method = get_extractor(name, **constants)
    if method.needs is not Needs.PAGE:
        for page in pages:
            method.observe(page.document)
    mean = summarise([text_score(page.truth, method.extract(page.document).text) for page in pages])
    return f"P {mean.precision:.3f}  R {mean.recall:.3f}  F1 {mean.f1:.3f}"
