from __future__ import annotations

from datetime import UTC, datetime

import pytest

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.page.document import Document

TITLE = "Council approves a new bridge over the river"
STORY = (
    "The town council voted on Tuesday to build a new bridge over the river, after a debate that lasted for hours. ",
    "Residents had waited for a decision for more than ten years, and many of them came to listen to the debate. ",
    "Work is expected to begin next spring and to last for two years, and trams will cross the bridge as well. ",
)


def found(lang: str = "en", *, above: str = "", below: str = "", head: str = "") -> list[str]:
    paragraphs = "".join(f"<p>{text}</p>" for text in STORY)
    html = (
        f"<html lang={lang}><title>{TITLE}</title>{head}<article><h1>{TITLE}</h1>{above}{paragraphs}</article>{below}"
    )
    document = Document.from_html(html.encode(), "https://demo.example.org/news/story.html")
    facts = extract_metadata(document, fetched_at=datetime(2026, 11, 1, tzinfo=UTC), body_text="\n".join(STORY))
    return [author.name for author in facts.authors]


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("<p>Anna Marlow, MD; Peter Quill, PhD & Tom Reed, DVM</p>", ["Anna Marlow", "Peter Quill", "Tom Reed"]),
        ("<p>Anna Marlow on behalf of the Bridge Team</p>", ["Anna Marlow"]),
        ("<p>Authored by: Anna Marlow</p>", ["Anna Marlow"]),
        ("<p>Opinion by Anna Marlow</p>", ["Anna Marlow"]),
        ("<p>Guest post by Anna Marlow</p>", ["Anna Marlow"]),
        ("<p>By Anna Marlow, CEO and Founder</p>", ["Anna Marlow"]),
        ("<p><a href=/staff/a>Anna Marlow</a> and <a href=/staff/t>Tom Reed</a></p>", ["Anna Marlow", "Tom Reed"]),
        ("<b itemprop=author itemscope><meta itemprop=name content='Anna Marlow'></b>", ["Anna Marlow"]),
        ("<p>Anna Marlow (with AFP)</p>", ["Anna Marlow"]),
        ("<p>Anna Marlow | Editor: Peter Quill</p>", ["Anna Marlow"]),
        ("<p>Chiefs foul</p><p>Trams, too</p><p>For years</p><p>For ever</p><p>Anna Marlow/Tom Reed</p>",
         ["Anna Marlow", "Tom Reed"]),
        ("<p>Chiefs foul</p><p>Trams, too</p><p>For years</p><p>For ever</p><p>Anna Marlow, Example Inc</p>", []),
    ],
)  # fmt: skip
def test_names_above_the_text(above: str, expected: list[str]) -> None:
    assert found(above=above) == expected


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("<p>Author</p><p>AM</p><p>Anna Marlow</p><p>Staff Engineer</p>", ["Anna Marlow"]),
        ("<h4>Meet the author</h4><p><b>Anna Marlow</b></p>", ["Anna Marlow"]),
        ("<h4>About the Author</h4><h5>Anna Marlow</h5><p>Anna writes about bridges.</p>", ["Anna Marlow"]),
        ("<p>About the author: Anna Marlow is an architect.</p>", ["Anna Marlow"]),
        ("<p><em>Anna Marlow is a professor of history at the University of Rome.</em></p>", ["Anna Marlow"]),
        ("<p>Anna Marlow is a professor of history at the University of Rome.</p>", []),
        ("<h3>Anna Marlow</h3><a href='/author/anna'>All stories by Anna Marlow</a>", ["Anna Marlow"]),
        ("<p>— Anna Marlow</p>", ["Anna Marlow"]),
        ("<h4>Latest Notices</h4><ul><li>03.12.2025 <a href=/n/a>Nine oaks for the wood</a></li></ul>", []),
        ("<h4>Ähnliche Nachrichten</h4><ul><li>03.12.2025 <a href=/n/a>Neun Eichen im Wald</a></li></ul>", []),
        ("<p>(Anna Marlow)</p>", ["Anna Marlow"]),
        ("<p>This article was written by Anna Marlow.</p>", ["Anna Marlow"]),
        ("<p>This entry was posted on March 5, 2026 by Anna Marlow.</p>", ["Anna Marlow"]),
        ("<p><a href='/authors/anna-marlow'>More from Anna Marlow</a></p>", ["Anna Marlow"]),
        ("<div><h4>Anna Marlow</h4><p>Anna Marlow writes about towns.</p></div>", ["Anna Marlow"]),
        ("<div><h4>Anna Marlow</h4><p>Content writer at Example</p></div>", ["Anna Marlow"]),
        ("<h4>Anna Marlow</h4><p><a href='/people/jobs'>Anna Marlow jobs</a></p>", []),
        ("<p>Anna Marlow</p>", []),
    ],
)
def test_names_below_the_text(below: str, expected: list[str]) -> None:
    assert found(below=below) == expected


@pytest.mark.parametrize(
    ("label", "expected"), [("Written by", ["Anna Marlow"]), ("Verfasst von", ["Anna Marlow"]), ("Estimated time", [])]
)
def test_a_card_for_messages_names_the_author(label: str, expected: list[str]) -> None:
    head = f"<meta name=twitter:label1 content='{label}'><meta name=twitter:data1 content='Anna Marlow'>"
    assert found(head=head) == expected
