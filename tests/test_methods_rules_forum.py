from __future__ import annotations

from newscrawl.extractors import extract
from newscrawl.methods.rules import forum_lines
from newscrawl.page.document import Document

POSTS = (
    "My cellar is flooded since the river rose by two metres over night, and the pump does not start. What can I do?",
    "Look whether the float moves freely; mine was stuck after ten years, and a knock with a stick was enough.",
    "And do not stand in the water while it is plugged in, please, whatever the neighbours say about it.",
    "Thank you all, the float it was. The cellar is dry, and the pump has run for an hour now.",
)
URL = "http://forum.example.org/viewtopic.php?t=17"


def thread(posts: tuple[str, ...]) -> str:
    items = "".join(
        f"<div class=post id=p{n}><p class=postauthor>User {n}</p><p>Joined: 2011 Posts: {n}2</p><p>#{n}</p>"
        f"<div class=postbody><p>{text}</p></div><a href=/r/{n}>Reply</a> <a href=/q/{n}>Quote</a></div>"
        for n, text in enumerate(posts, 1)
    )
    head = "<meta name=generator content=phpBB><title>Flooded cellar - Forum</title>"
    return f"{head}<body><h1>Flooded cellar</h1>{items}<form><textarea></textarea></form></body>"


def test_all_posts_of_a_thread_are_taken() -> None:
    extraction = extract(thread(POSTS * 2), URL, method="rules")
    assert [line for line in extraction.text.splitlines() if line in POSTS] == [*POSTS, *POSTS]
    assert "Quote" not in extraction.text
    assert extraction.evidence[-1] == "a forum: all posts"


def test_other_pages_have_no_posts() -> None:
    article = "<title>River rises</title><h1>River rises</h1>" + "".join(f"<p>{text}</p>" for text in POSTS)
    assert forum_lines(Document.from_html(article, "http://www.example.org/2024/0301/river-rises-12345.html")) is None
    assert forum_lines(Document.from_html("", URL)) is None
