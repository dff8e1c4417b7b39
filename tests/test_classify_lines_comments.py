from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.comments import COMMENTS, drop_headed_comments, drop_named_comments
from newscrawl.classify.lines.features import page_lines
from newscrawl.extractors import extract
from newscrawl.page.document import Document

POST = "<div class=entry><p>The river rose by two metres over night, and the bridge was closed.</p></div>"
ITEM = "<li class={0}><p>{1}</p><div class={0}-content><p>Nobody told us anything, and we waited long.</p></div></li>"
FORM = "<div class={0}-respond><form><p>Write to us</p><textarea></textarea></form></div>"


NAMES = ("Jane", "Bob", "Amir", "Lucy", "Chen", "Ola")


def page(item: str = "comment", *, form: bool = True, post: str = POST, reply: str = "") -> str:
    thread = f"<ol class={item}-list>{''.join(ITEM.format(item, name) + reply for name in NAMES)}</ol>"
    return f"<body><h1>River</h1>{post}<div id={item}s>{thread}{FORM.format(item) if form else ''}</div></body>"


@pytest.mark.parametrize(
    ("address", "name", "is_text"),
    [("/forum/thread/a-question/", "answer", True), ("/discussion/205826/a-question", "answer", True),
     ("/showthread.php?tid=7", "answer", True), ("/2024/06/a-question", "Message", True),
     ("/2024/06/a-question", "answer", False)],
)  # fmt: skip
@pytest.mark.parametrize("heading", ["6 Comments", "6 Kommentare", "6 комментариев", "コメント 6件", "评论 6"])
def test_answers_of_a_forum_stay_whatever_it_calls_them(heading: str, address: str, name: str, is_text: bool) -> None:
    told = "The river rose by two metres over night, and the bridge was closed for the {}."
    posted = "".join(f"<p>{told.format(day)}</p>" for day in ("day", "week", "month"))
    answers = "".join(f"<li><b>{who}</b> <i>2024-06-05</i><div class={name}><p>Nobody told {who} anything, and we "
                      "waited long.</p></div><a href=x>Reply</a></li>" for who in NAMES)  # fmt: skip
    html = f"<h1>River</h1><div class=Message>{posted}</div><section><h2>{heading}</h2><ul>{answers}</ul></section>"
    lines = page_lines(Document.from_html(html, f"https://www.example.org{address}"))
    assert lines is not None
    is_body = np.ones(len(lines.lines), dtype=np.bool_)
    drop_headed_comments(is_body, lines)
    assert is_body.all() == is_text


@pytest.mark.parametrize(
    ("html", "left"),
    [
        pytest.param(page(), 1, id="comments"),
        pytest.param(page(form=False), 13, id="no form"),
        pytest.param(page(form=False, reply="<a href=x>Antworten</a>"), 1, id="calls to reply"),
        pytest.param(page("reply"), 13, id="a forum"),
        pytest.param(page(post=""), 12, id="nothing but comments"),
        pytest.param(f"<body class=comments>{page()}</body>", 13, id="the page is named so"),
    ],
)
def test_comments_below_a_post_go(html: str, left: int) -> None:
    lines = page_lines(Document.from_html(html))
    assert lines is not None
    texts = lines.lines.texts(range(len(lines.lines)))
    is_body = np.array([text not in ("River", "Write to us") for text in texts])
    drop_named_comments(is_body, lines)
    assert is_body.sum() == left


def test_no_body_stays_none() -> None:
    lines = page_lines(Document.from_html(page()))
    assert lines is not None
    is_body = np.zeros(len(lines.lines), dtype=np.bool_)
    drop_named_comments(is_body, lines)
    assert not is_body.any()


@pytest.mark.parametrize(
    ("name", "is_comments"),
    [
        ("comments", True),
        ("comment-body", True),
        ("commentlist", True),
        ("wp-block-post-comments", True),
        ("disqus_thread", True),
        ("comments-open", False),
        ("no-comments", False),
        ("message", False),
        ("forum-post", False),
    ],
)
def test_names_of_comments(name: str, *, is_comments: bool) -> None:
    assert (COMMENTS.fullmatch(name) is not None) == is_comments


def test_a_post_shorter_than_its_comments() -> None:
    text = extract(page(), method="news").text
    assert "The river rose" in text
    assert "Nobody told us" not in text
