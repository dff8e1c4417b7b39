from __future__ import annotations

import pytest

from newscrawl.blocks.page_type import judge
from newscrawl.blocks.teasers import site_of
from newscrawl.dom.document import Document
from newscrawl.items import PageType

URL = "http://example.org/x/17"
SENTENCES = (
    "The river rose by two metres over night, and the lower bridge was closed at six in the morning.",
    "Schools in the valley stay shut until Thursday; the buses run as far as the station.",
    "Engineers expect the peak at noon, two hours later than in the flood of ten years ago.",
    "The army has sent forty soldiers and two boats, and more are on their way from the coast.",
)
BODY = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
MENU = "".join(f"<li><a href=/s{n}>Section {n}</a>" for n in range(60))
HEADLINES = [
    "Council votes on a new flood wall",
    "Volunteers fill ten thousand sandbags",
    "Bridge from 1911 holds once more",
    "Insurers send inspectors to the valley",
    "Why the gauge at the mill was wrong",
    "Farmers move cattle to the hills",
]


def listing(level: str = "h2", rest: str = "") -> str:
    items = "".join(
        f"<div><{level}><a href=/a/{n}>{title}</a></{level}><p>{SENTENCES[n % 4]}</p>{rest}</div>"
        for n, title in enumerate(HEADLINES)
    )
    return f"<title>News - Example</title><body><ul>{MENU}</ul><h1>News</h1>{items}"


def type_of(html: str, url: str | None = URL, **known: str) -> PageType:
    return judge(Document.from_html(html, url), **known).page_type  # type: ignore[arg-type]


LINKS = "".join(f"<li><a href=/a/{n}>{title}</a>" for n, title in enumerate(HEADLINES))
SHORT = f"<p>{SENTENCES[0]}</p><p>{SENTENCES[1]}</p>"
BOX = f"<h3><a href=/a/1>{HEADLINES[0]}</a></h3><p>{SENTENCES[3]}</p>"
COMMENTED = "".join(
    f"<h3><a href=http://s{n}.example.com/>{title}</a></h3><p>{SENTENCES[n % 4]}</p>"
    for n, title in enumerate(HEADLINES)
)


@pytest.mark.parametrize(
    "inner",
    [
        f"<ul>{MENU}</ul><h1>River rises</h1>{BODY}",
        f"<ul>{MENU}</ul><h1>River rises</h1>{SHORT}<ul>{LINKS}</ul>",
        f"<h1><a href='{URL}'>River rises</a></h1>{BODY}",
        f"<h1>River rises</h1>{BODY}{BOX}{BODY}",
        f"<h1>River rises</h1>{COMMENTED}",
    ],
    ids=["plain", "short beside lists", "title links to itself", "box inside", "digest of other sites"],
)
def test_articles(inner: str) -> None:
    assert type_of(f"<title>River rises - Example</title><body>{inner}") is PageType.ARTICLE


@pytest.mark.parametrize(
    "html",
    [
        listing(),
        listing(level="h4"),
        listing(level="div"),
        listing(rest="<h5>by Ada Fenn</h5>"),
        "<meta property=og:type content=article>" + listing(),
        f"<title>Tag: floods</title><body><h1>Tag: floods</h1>{BOX}",
        f"<title>News</title><body><ul>{LINKS}</ul>",
        "<title>Shop</title><body><h1>Shop</h1>"
        + "".join(f"<div><p>Chair {n}</p><b>€ {n}9.95</b></div>" for n in range(30)),
        "<title>Empty</title><body></body>",
        "",
    ],
    ids=["h2", "h4", "lines", "bylines", "og", "one", "links", "goods", "empty", "nothing"],
)
def test_hubs(html: str) -> None:
    assert type_of(html) is PageType.HUB


def test_the_address_is_a_prior_only() -> None:
    article = f"<title>River rises</title><body><h1>River rises</h1>{BODY}"
    assert type_of(article, url_kind="hub") is PageType.ARTICLE
    assert type_of(listing(), url_kind="article") is PageType.HUB


def test_a_home_page_is_a_hub() -> None:
    page = f"<title>Example</title><body><h1>Welcome</h1><p>{SENTENCES[0]}</p>"
    assert type_of(page, "http://example.org/") is PageType.HUB


def test_evidence_names_the_reasons_weightiest_first() -> None:
    judgement = judge(Document.from_html(listing(), URL))
    weights = [abs(float(reason.split()[0])) for reason in judgement.evidence]
    assert weights == sorted(weights, reverse=True)
    assert any("announcements" in reason for reason in judgement.evidence)


@pytest.mark.parametrize(
    ("url", "expected"),
    [("http://a.b.example.com.cn/", "example.com.cn"), ("http://localhost/x", "localhost"), ("http://x.cn/", "x.cn")],
)
def test_site_of_a_host(url: str, expected: str) -> None:
    assert site_of(url) == expected
