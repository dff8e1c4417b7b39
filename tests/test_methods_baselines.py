"""The adapter of readability-lxml."""

from __future__ import annotations

import sys

import pytest
from lxml import etree

from newscrawl.exceptions import UserError
from newscrawl.methods.base import get_extractor
from newscrawl.methods.baselines import ReadabilityExtractor
from newscrawl.page import Document

TEXT = "The text of the article, long enough, with commas, so that it is found. " * 6


def test_the_text_of_the_summary() -> None:
    html = f"<html><body><ul><li><a href=1>menu</a></li></ul><div><p>{TEXT}</p><p>{TEXT}</p></div></body></html>"
    document = Document.from_html(html)
    assert document.root is not None
    before = etree.tostring(document.root)
    assert ReadabilityExtractor().extract(document).text.splitlines() == [TEXT.strip()] * 2
    assert etree.tostring(document.root) == before


@pytest.mark.parametrize("html", ["", " ", "<!-- -->", "<body></body>"])
def test_a_page_without_text_gives_none(html: str) -> None:
    assert ReadabilityExtractor().extract(Document.from_html(html)).text == ""


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "readability", None)
    with pytest.raises(UserError, match=r"needs readability-lxml: pip install -r requirements-readability\.txt"):
        get_extractor("readability")
