from __future__ import annotations

from newscrawl.items import Article
from newscrawl.joining.body_fields import joined_fields

LAST = "The council met again in the evening and agreed."


def part(number: int, markdown: str | None, html: str | None) -> Article:
    return Article(url=f"https://e.org/{number}", articleBodyMarkdown=markdown, articleBodyHtml=html)


def test_what_a_part_repeats_is_left_out() -> None:
    parts = [
        part(1, f"# One\n\n{LAST}", f"<h1>One</h1>\n<p>{LAST}</p>"),
        part(2, f"{LAST}\n\n- a\n- b", f"<p>{LAST}</p>\n<ul>\n<li>a</li>\n</ul>"),
    ]
    assert joined_fields(parts, "") == {
        "articleBodyMarkdown": f"# One\n\n{LAST}\n\n- a\n- b",
        "articleBodyHtml": f"<h1>One</h1>\n<p>{LAST}</p>\n<ul>\n<li>a</li>\n</ul>",
    }


def test_marks_of_lists_and_short_lines_come_again() -> None:
    html = "<p>Yes.</p>\n<ul>\n<li>a</li>\n</ul>"
    assert joined_fields([part(1, "Yes.", html), part(2, "Yes.", html)], "") == {
        "articleBodyMarkdown": "Yes.\n\nYes.",
        "articleBodyHtml": f"{html}\n{html}",
    }


def test_a_format_that_a_part_lacks_is_none() -> None:
    assert joined_fields([part(1, "One", None), part(2, None, None)], "") == {
        "articleBodyMarkdown": None,
        "articleBodyHtml": None,
    }
