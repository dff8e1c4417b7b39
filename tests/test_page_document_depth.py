from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.document import Document, flatten


@pytest.mark.parametrize("tag", ["div", "b", "font", "table", "span", "blockquote"])
@pytest.mark.parametrize("closed", [True, False])
def test_text_below_and_after_any_depth_is_kept(tag: str, *, closed: bool) -> None:
    n = 25_000
    end = f"</{tag}>" * n if closed else ""
    started = time.monotonic()
    document = Document.from_html(f"<html><body>{f'<{tag}>' * n}<p>deepest</p>{end}<p>after</p></body></html>")
    assert document.root is not None
    text = "".join(document.root.itertext())
    assert "deepest" in text
    assert "after" in text
    assert document.measures.chars[0] == len("deepestafter")
    assert time.monotonic() - started < 10


def test_paragraphs_that_are_never_closed_are_not_deep() -> None:
    markup = "<div>" + "<p>text" * 3000 + "</div>"
    assert flatten(markup) == markup


def test_scripts_and_comments_are_not_markup() -> None:
    markup = "<!-- <b><b><b> --><script>'<b><b><b>'</script><b>x</b>"
    assert flatten(markup, max_depth=1) == markup


@given(st.lists(st.sampled_from(["<i>", "</i>", "<b>", "</b>", "<p>", "</p>", "<br>", "text", "<!-- <i> -->"])))
def test_only_tags_are_taken_out(pieces: list[str]) -> None:
    markup = "".join(pieces)
    flat = flatten(markup, max_depth=3)
    without_tags = re.compile(r"</?[ibp]>")
    assert without_tags.sub("", flat) == without_tags.sub("", markup)
    assert flatten(markup) == markup
