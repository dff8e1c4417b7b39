from __future__ import annotations

from newscrawl.items import Article, BodyImage
from newscrawl.read.parts import join_articles, joined_fields

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
        "images": (),
    }


def test_marks_of_lists_and_short_lines_come_again() -> None:
    html = "<p>Yes.</p>\n<ul>\n<li>a</li>\n</ul>"
    assert joined_fields([part(1, "Yes.", html), part(2, "Yes.", html)], "") == {
        "articleBodyMarkdown": "Yes.\n\nYes.",
        "articleBodyHtml": f"{html}\n{html}",
        "images": (),
    }


def test_pictures_keep_their_places_in_the_whole() -> None:
    first, second = "One is long enough.\nTwo is long enough.", "Two is long enough.\nThree is long enough."
    parts = [
        Article(url="1", articleBody=first, images=(BodyImage(url="a"), BodyImage(url="b", position=2))),
        Article(
            url="2", articleBody=second, images=tuple(BodyImage(url=url, position=i) for i, url in enumerate("acd"))
        ),
    ]
    whole = join_articles(parts)
    assert whole.articleBody.split("\n") == ["One is long enough.", "Two is long enough.", "Three is long enough."]
    assert [(image.url, image.position) for image in whole.images] == [("a", 0), ("b", 2), ("c", 2), ("d", 3)]


def test_a_format_that_a_part_lacks_is_none() -> None:
    assert joined_fields([part(1, "One", None), part(2, None, None)], "") == {
        "articleBodyMarkdown": None,
        "articleBodyHtml": None,
        "images": (),
    }
