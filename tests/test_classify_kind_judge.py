from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given

from newscrawl.classify.kind.features import FEATURES, page_features
from newscrawl.classify.kind.judge import (
    CLASSES,
    INPUTS,
    LEAST_LOG_PROBABILITY,
    MODEL,
    NETWORK_SHARE,
    SHARPNESS,
    page_evidence,
    page_kind,
    shipped_model,
)
from newscrawl.classify.lines.model import judge_lines
from newscrawl.items import PageType
from newscrawl.page.document import Document
from tests.page_strategies import PAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from newscrawl.classify.kind.judge import PageEvidence, PageJudgement

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


def judgement_of(html: str, url: str | None = URL, **known: str) -> PageJudgement:
    document = Document.from_html(html, url)
    return page_kind(document, document.once(judge_lines), **known)


def features_of(html: str) -> NDArray[np.float64]:
    document = Document.from_html(html, URL)
    return page_features(document, document.once(judge_lines))


def evidence_of(html: str, url_kind: str) -> PageEvidence:
    document = Document.from_html(html, URL)
    return page_evidence(document, document.once(judge_lines), url_kind)


def type_of(html: str, url: str | None = URL, **known: str) -> PageType:
    return judgement_of(html, url, **known).page_type


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
        f"<ul class=menu>{MENU}</ul><h1>River rises</h1>{SHORT}<ul class=related>{LINKS}</ul>",
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
    ],
    ids=["h2", "h4", "lines", "bylines", "og", "one", "links"],
)
def test_hubs(html: str) -> None:
    assert type_of(html) is PageType.HUB


@pytest.mark.parametrize("html", ["<title>Empty</title><body></body>", ""], ids=["empty", "nothing"])
def test_a_page_without_a_line_lists_nothing(html: str) -> None:
    assert type_of(html) is PageType.OTHER


def test_a_page_of_one_announcement_is_a_hub_as_far_as_its_heading_leads_elsewhere() -> None:
    page = f"<title>Tag: floods</title><body><h1>Tag: floods</h1><h3><a href={{}}>{HEADLINES[0]}</a></h3>{BODY}"
    assert type_of(page.format("/a/1"), url_kind="hub") is PageType.HUB
    assert type_of(page.format("/a/1"), url_kind="article") is PageType.ARTICLE
    assert type_of(page.format(URL)) is PageType.ARTICLE


def test_a_tags_page_of_one_story_may_be_a_hub_where_its_title_is_no_heading() -> None:
    story = f"<h1>Stories with the tag floods</h1><div><a href=/a/1><span>{HEADLINES[0]}</span></a></div>{BODY}"
    page = f"<title>Weekly</title><body>{story}"
    byline = page.replace("/a/1", "/by/9").replace(f"<span>{HEADLINES[0]}</span>", "A. Writer")
    assert evidence_of(page, "hub").may_announce
    assert not evidence_of(byline, "hub").may_announce
    assert not evidence_of(page, "unknown").may_announce
    assert type_of(page, url_kind="hub") is PageType.HUB


def test_an_article_that_declares_itself_at_an_articles_address_is_told_without_the_model() -> None:
    page = f"<title>River rises</title><body><h1>River rises</h1>{BODY}{BODY}"
    declared = '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2024-03-05"}</script>'
    assert evidence_of(declared + page, "article").stated is not None
    assert evidence_of(page, "article").stated is None
    assert evidence_of(declared + page, "hub").stated is None
    thread = "<meta name=generator content=phpBB>" + declared + page
    assert evidence_of(thread, "article").stated is None


def test_a_list_of_goods() -> None:
    goods = "".join(
        f"<div class=product><p>Chair {n}</p><b>€ {n}9.95</b><a href=/c/{n}>Add to cart</a></div>" for n in range(30)
    )
    page = f"<title>Chairs</title><body><h1>Chairs</h1><p>{SENTENCES[1]}</p><p>Sort by price</p>{goods}"
    assert type_of(page, "http://shop.example.org/collections/chairs") is PageType.LISTING


def test_a_thread_of_posts() -> None:
    posts = "".join(
        f"<div class=post id=p{n}><p class=postauthor>User {n}</p><p>Joined: 2011 Posts: {n}2</p><p>#{n}</p>"
        f"<div class=postbody><p>{SENTENCES[n % 4]}</p></div><a href=/r/{n}>Reply</a> <a href=/q/{n}>Quote</a></div>"
        for n in range(9)
    )
    page = (
        "<meta name=generator content=phpBB><title>Flooded cellar - Forum</title><body><h1>Flooded cellar</h1>"
        f"{posts}<form><textarea></textarea></form>"
    )
    judgement = judgement_of(page, "http://forum.example.org/viewtopic.php?t=17")
    assert judgement.page_type is PageType.FORUM
    assert judgement.confidence > 0.5


def test_the_shipped_model_is_small_and_of_these_features() -> None:
    assert MODEL.stat().st_size < 80_000
    model = shipped_model()
    assert model.weights.shape == (len(CLASSES), len(INPUTS))
    assert model.hidden.shape[:2] == (len(model.output), len(INPUTS))


def test_pages_are_judged_together_as_each_alone() -> None:
    pages = np.random.default_rng(1).normal(size=(3, len(INPUTS)))
    alone = [shipped_model().log_odds(page) for page in pages]
    assert np.allclose(shipped_model().log_odds(pages), alone)


def test_a_network_alone_rules_no_type_out() -> None:
    model = shipped_model()
    page = np.array(model.mean)
    bias = model.output_bias.copy()
    bias[0, :, 0] -= 1e6
    less = model.log_odds(page) - replace(model, output_bias=bias).log_odds(page)
    others = np.log(len(CLASSES)) + 1
    assert 0 < less[0] <= -SHARPNESS * NETWORK_SHARE * LEAST_LOG_PROBABILITY / len(bias)
    assert (np.abs(less[1:]) < others).all()


@given(PAGES)
def test_any_page_has_a_type_with_a_probability(html: str) -> None:
    judgement = judgement_of(html, URL)
    assert 0.0 < judgement.confidence <= 1.0


def test_the_address_is_a_prior_only() -> None:
    article = f"<title>River rises</title><body><h1>River rises</h1><p>March 5, 2024</p>{BODY}"
    assert type_of(article, url_kind="hub") is PageType.ARTICLE
    assert type_of(listing(), url_kind="article") is PageType.HUB


def test_a_page_about_the_site_is_no_article() -> None:
    page = f"<h1>About us</h1>{BODY}"
    for path in ("search/", "about", "en/about-us.html", "privacy/index.html", "隐私政策/", "pedoman-media-siber"):
        assert type_of(page, f"http://example.org/{path}", url_kind="other") is PageType.OTHER
    assert type_of(page, "http://example.org/2024/05/about/", url_kind="unknown") is PageType.ARTICLE
    for title in ("隐私政策-示例网", "Privacy Policy | Example", "Über uns – Beispiel", "About us", "Örnek - Künye"):
        assert type_of(f"<title>{title}</title>{page}", "http://example.org/?page_id=7") is PageType.OTHER
    assert type_of(f"<title>About us: the flood in films</title>{page}") is PageType.ARTICLE


def test_an_error_page_that_is_sent_as_an_article_is_none() -> None:
    sorry = "<h1>Page not found</h1><p>Sorry, the page you are looking for does not exist. Go back to the front page."
    for title in (
        "Page not found - Daily Courier",
        "404 | Example",
        "Example – Error 404",
        "页面不存在_晨报网",
        "Not Found",
    ):
        assert type_of(f"<title>{title}</title><body>{sorry}", url_kind="article") is PageType.OTHER
    found = "Page not found in the king's diary"
    assert type_of(f"<title>{found}</title><body><h1>{found}</h1>{BODY}") is PageType.ARTICLE


WIKI = """<title>Bridge from 1911 holds once more - Riverwiki</title><meta name=generator content="MediaWiki 1.39.5">
<body class="mediawiki skin-vector"><h1 class=firstHeading>Bridge from 1911 holds once more</h1>
<div class=mw-parser-output>{}<h2>Sources<i class=mw-editsection><a href=/w/index.php?action=edit>edit</a></i></h2>
<ul><li><a href=http://wire.example>Bridge holds</a></ul></div>
<div id=catlinks><a href=/wiki/Category:Rivers>Rivers</a></div>
<ul><li><a href=/wiki/Main_Page>Main Page</a><li><a href=/wiki/Special:RecentChanges>Recent changes</a></ul>"""


def test_a_page_of_a_wiki_with_a_date_below_its_title_is_an_article() -> None:
    url = "http://example.org/wiki/Bridge_from_1911_holds_once_more"
    told = f"{BODY}{BODY}"
    assert type_of(WIKI.format(told), url, url_kind="article") is PageType.OTHER
    dated = f"<p><b>Tuesday, March 5, 2024</b></p>{told}"
    assert type_of(WIKI.format(dated), url, url_kind="article") is PageType.ARTICLE
    dated = f"<p>Last checked in the archive on March 5, 2024</p>{told}"
    assert type_of(WIKI.format(dated), url, url_kind="article") is PageType.OTHER


def test_a_list_of_tags_without_text_is_no_article() -> None:
    tags = "".join(f"<a href=/t/{n}>Tag {n}</a> <span>{n}</span> " for n in range(3))
    scripts = '<script type="application/ld+json">{"@type": "BlogPosting"}</script>'
    page = f"<title>Tags - Example</title>{scripts}<body><article><h1>Tags</h1></article><div>{tags}</div>"
    assert type_of(page, "http://example.org/tags/", url_kind="hub") is not PageType.ARTICLE


def test_a_home_page_is_a_hub() -> None:
    page = f"<title>Example</title><body><h1>Welcome</h1><p>{SENTENCES[0]}</p>"
    assert type_of(page, "http://example.org/") is PageType.HUB


def goods_list(price: str = "19.95") -> str:
    items = "".join(
        f"<li class=product><a href=/products/lamp-{n}><img src=/{n}.jpg></a>"
        f"<a href=/products/lamp-{n}>Lamp model {n}</a>"
        f"<span class=price>€ {n}{price}</span></li>"
        for n in range(24)
    )
    return f"<title>Lamps</title><body><ul>{MENU}</ul><h1>Lamps</h1><p>Sort by price</p><ul class=grid>{items}</ul>"


def story_list() -> str:
    items = "".join(
        f"<article class=post><h2><a href=/2014/03/{n}/{title.replace(' ', '-').lower()}>{title}</a></h2>"
        f"<p>March {n + 1}, 2014</p><p>{SENTENCES[n % 4]}</p><a href=/2014/03/{n}/>Read more</a></article>"
        for n, title in enumerate(HEADLINES)
    )
    return (
        f"<title>Floods - Example</title><body><ul>{MENU}</ul><h1>Floods</h1>{items}<a href=/tag/floods/page/2/>2</a>"
    )


def test_what_a_list_is_made_of_tells_goods_from_stories() -> None:
    goods = judgement_of(goods_list(), "http://example.org/lamps/")
    stories = judgement_of(story_list(), "http://example.org/floods/")
    assert goods.page_type is PageType.LISTING
    assert stories.page_type is PageType.HUB


def test_a_page_of_goods_without_text_of_its_own_is_no_hub() -> None:
    page = goods_list().replace("<p>Sort by price</p>", "")
    assert type_of(page, "http://example.org/collections/lamps") is PageType.LISTING


def test_prompts_of_a_shell_are_no_prices() -> None:
    commands = "".join(f"<pre>$ dust --depth {n} $HOME/path</pre><p>{SENTENCES[n % 4]}</p>" for n in range(12))
    page = f"<title>Finding large files</title><body><h1>Finding large files</h1>{commands}"
    assert type_of(page, url_kind="article") is PageType.ARTICLE
    assert n_prices(page) == 0
    assert n_prices(page.replace("$ dust --depth ", "$ ").replace(" $HOME/path", "")) == 12


def n_prices(html: str) -> int:
    return round(float(np.expm1(features_of(html)[FEATURES.index("prices")])))
