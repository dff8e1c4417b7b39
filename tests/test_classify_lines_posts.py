from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.decision import take_entries
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.posts import drop_heads, find_posts, unite_posts
from newscrawl.page.document import Document

HEAD = "<h4>{title}</h4><p>By {name}, 12 May 2023, 11:38</p><div class=user>{name}</div><div class=posts>Posts: 7</div>"
POST = "<div class='post n{0}'>{head}<div class=content><p>{1}</p></div></div>"
TEXT = "The river rose by {} metres, and the bridge was closed."
NAMES = ("Jane", "Bob", "Jane", "Amir", "Bob", "Jane")
HEADLINE = "What the river did to the bridge"


def thread(head: str = HEAD, names: tuple[str, ...] = NAMES, title: str = f"Re: {HEADLINE}") -> str:
    posts = [
        POST.format(n, TEXT.format(n), head=head.format(name=name, n=n, title=title)) for n, name in enumerate(names)
    ]
    return f"<title>{HEADLINE}</title><body><h1>{HEADLINE}</h1><div>{''.join(posts)}</div></body>"


@pytest.mark.parametrize(
    ("odds", "n_text"),
    [
        pytest.param((2, 2, 2, 2, -1, -1), 6, id="most"),
        pytest.param((2, -1, -1, -1, -1, -1), 6, id="the first: the others answer it"),
        pytest.param((-2, 1, -2, -2, -2, -2), 1, id="few"),
        pytest.param((-1, 9, -1, -1, -1, -1), 1, id="a sure one counts for four"),
    ],
)
def test_posts_are_text_together(odds: tuple[float, ...], n_text: int) -> None:
    page = page_lines(Document.from_html(thread()))
    assert page is not None
    posts = find_posts(page)
    assert posts is not None
    assert page.lines.text(posts.opening[0]).startswith("The river rose by 0")
    said = np.full(len(page.lines), -1.0)
    said[posts.body] = odds
    is_body = said > 0
    unite_posts(is_body, posts, (1 / (1 + np.exp(-said))).astype(np.float32), 0.5)
    assert is_body[posts.body].sum() == n_text


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        pytest.param(thread(), {"The"}, id="title, date, name and label"),
        pytest.param(thread(title="Height of the day"), {"The", "Height"}, id="headings of their own stay"),
        pytest.param(
            thread("<p>{n}2 May 2023, 11:38</p><b>Level {n}</b>"), {"The", "Level"}, id="nothing comes again but a date"
        ),
        pytest.param(
            thread("<a href=/{n}>The river, part {n} of the report</a><p>Posts: 123456</p>"),
            {"The", "Posts:"},
            id="a list",
        ),
    ],
)
def test_heads_of_posts_go(html: str, kept: set[str]) -> None:
    page = page_lines(Document.from_html(html))
    assert page is not None
    is_body = np.ones(len(page.lines), dtype=np.bool_)
    is_body[0] = False
    drop_heads(find_posts(page), is_body, page)
    found = {page.lines.text(line).split()[0] for line in np.flatnonzero(is_body).tolist()}
    assert {word for word in found if not word[0].isdigit()} == kept


def test_posts_within_an_inline_element() -> None:
    post = "<span class=post><p>{}</p><div class=when>2 May 2023, 11:38</div>Reply</span>"
    posts = "".join(post.format(TEXT.format(n)) for n in range(4))
    page = page_lines(Document.from_html(f"<body><div><b>{posts}</b></div><p>End"))
    assert page is not None
    found = find_posts(page)
    assert found is not None
    assert page.lines.texts(found.body) == [TEXT.format(n) for n in range(4)]


def test_posts_of_great_depth() -> None:
    depth = 150
    posts = "".join(f"<p>{TEXT.format(n)}</p>{'<div>' * depth}12 May 2023{'</div>' * depth}" for n in range(40))
    page = page_lines(Document.from_html(f"<body>{''.join(f'<div class=post>{posts}</div>' for _ in range(4))}"))
    assert page is not None
    posts_found = find_posts(page)
    assert posts_found is not None
    assert len(posts_found.body) == 160


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(thread(names=NAMES[:2]), id="two of them"),
        pytest.param(thread("<div class=user>{name}</div>"), id="nothing that says when"),
        pytest.param(
            "<body><p>" + "</p><p>".join(["The bridge was closed for the night, and nobody crossed."] * 5),
            id="paragraphs",
        ),
        pytest.param("<body></body>", id="nothing"),
    ],
)
def test_no_thread(html: str) -> None:
    page = page_lines(Document.from_html(html))
    assert page is None or find_posts(page) is None


ENTRIES = (
    ("5:20", "下坝队以四分十二秒冲过终点。"),
    ("下午4点05分", "六条龙舟排开，裁判两次召回抢划的队。"),
    ("午後3時5分", "最後の樽が積み込まれた。"),
)


@pytest.mark.parametrize("n_entries", [2, 3])
@pytest.mark.parametrize("entry", ["<li><span>{}</span><div>{}</div></li>", "<div><p class=t>{}</p><p>{}</p></div>"])
def test_entries_below_their_times_are_text(entry: str, n_entries: int) -> None:
    told = ENTRIES[:n_entries]
    entries = "".join(entry.format(time, text) for time, text in told)
    page = f"<h1>端午龙舟赛决赛</h1><p>今天下午，县里举行龙舟赛决赛。</p><div>{entries}</div><h3>热门</h3>"
    document = Document.from_html(f"<title>端午龙舟赛决赛</title><body>{page}<p><a href=/a>菜价小幅回落</a></body>")
    numbers = page_lines(document)
    assert numbers is not None
    is_body = np.array([number == 1 for number in range(len(numbers.lines))])
    take_entries(is_body, numbers)
    assert numbers.lines.texts(is_body.nonzero()[0].tolist())[1:] == [part for one in told for part in one]
