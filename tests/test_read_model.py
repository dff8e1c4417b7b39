from __future__ import annotations

import pytest

from newscrawl.exceptions import UserError
from newscrawl.items import Article
from newscrawl.methods.base import Extraction
from newscrawl.page.document import Document
from newscrawl.read.model import format_names, with_formats

PAGE = "<body><h2>The bridge</h2><p>It is to be <a href='https://e.org/b'>mended</a> &lt;soon&gt;.</p></body>"
ARTICLE = Article(url="https://e.org/a", articleBody="The bridge\nIt is to be mended <soon>.")


def test_names_are_read_once_each() -> None:
    assert format_names(" html,markdown, html,") == ("html", "markdown")
    assert format_names("") == ()


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UserError, match=r"unknown format 'pdf' of the text; accepted: markdown, html"):
        format_names("html,pdf")


@pytest.mark.parametrize(
    ("formats", "markdown", "html"),
    [
        ((), None, None),
        (("markdown",), "## The bridge\n\nIt is to be [mended](https://e.org/b) \\<soon\\>.", None),
        (
            ("html",),
            None,
            '<h2>The bridge</h2>\n<p>It is to be <a href="https://e.org/b">mended</a> &lt;soon&gt;.</p>',
        ),
    ],
)
def test_an_article_has_the_formats_asked_for(formats: tuple[str, ...], markdown: str | None, html: str | None) -> None:
    extraction = Extraction(text=ARTICLE.articleBody, method="rules")
    article = with_formats(ARTICLE, extraction, Document.from_html(PAGE, ARTICLE.url), formats)
    assert (article.articleBodyMarkdown, article.articleBodyHtml) == (markdown, html)
