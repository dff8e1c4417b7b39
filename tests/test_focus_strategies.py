"""Scorers: what comes first, what is learnt, and that equal crawls are equal."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from lab.experiments.focused_simulation import Crawled, simulate
from lab.experiments.focused_site import StoredPage, stored_feeds, stored_pages
from newscrawl.classify.model_file import load_model
from newscrawl.exceptions import UserError
from newscrawl.focus import RelevanceModel, parse_topic
from newscrawl.focus.crawl import Focus, pack_state, unpack_state
from newscrawl.focus.estimators import ARTICLE, HUB, INPUTS, KIND, MODEL, PriorLogistic, first_weights
from newscrawl.focus.labels import spelling
from newscrawl.focus.learned import FOLDER_SCORE, SURENESS, LearnedScorer
from newscrawl.focus.link_state import (
    ANCHOR_TERMS,
    AROUND_TERMS,
    COLUMN,
    FACTS,
    NO_TERM,
    GroupRing,
    LinkQueue,
    NamedCounts,
)
from newscrawl.focus.strategies import make_scorer
from newscrawl.links.context import LinkContext, PageView, SeenLink
from newscrawl.links.model import Link, LinkPosition
from tests.focused_site import (
    FEED,
    HOST,
    IN_FEED,
    TOPIC,
    article_url,
    is_relevant,
    relevant_urls,
    write_site,
)

if TYPE_CHECKING:
    from pathlib import Path

HOME = f"{HOST}/"
ELSEWHERE = LinkPosition.ELSEWHERE


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StoredPage]:
    folder: Path = tmp_path_factory.mktemp("site")
    return stored_pages(write_site(folder / "site.warc.gz"), None, advance=lambda: None)


def crawl(pages: dict[str, StoredPage], strategy: str = "learned", budget: int = 60, seed: int = 1) -> Crawled:
    return simulate(pages, Focus(parse_topic(TOPIC), strategy, seed=seed), [HOME], budget)


def n_relevant(crawled: Crawled) -> int:
    return sum(map(is_relevant, crawled.urls))


def seen(anchor: str, position: LinkPosition = LinkPosition.ELSEWHERE, url: str = "http://e.org/x") -> SeenLink:
    context = LinkContext(path="p>a", around="", heading="")
    return SeenLink(link=Link(url=url, anchor=anchor, position=position), context=context)


def scores_of(strategy: str, *links: SeenLink) -> dict[str, float]:
    scorer = make_scorer(strategy, RelevanceModel(parse_topic(TOPIC)))
    return scorer.add(PageView(url="http://e.org/", is_article=False, relevance=0.0, links=links))


@pytest.mark.parametrize(
    ("strategy", "order"),
    [
        ("ata", ["keyword elsewhere", "keyword adjacent", "body"]),
        ("blocks", ["body", "keyword adjacent", "keyword elsewhere"]),
        ("ata+blocks", ["body", "keyword adjacent", "keyword elsewhere"]),
    ],
)
def test_the_order_of_the_paper(strategy: str, order: list[str]) -> None:
    found = scores_of(
        strategy,
        seen("a phone", url="keyword elsewhere"),
        seen("phones", LinkPosition.ADJACENT, url="keyword adjacent"),
        seen("a rose", LinkPosition.IN_BODY, url="body"),
    )
    assert sorted(found, key=lambda url: -found[url]) == order


def test_anchor_text_scores_as_stated() -> None:
    found = scores_of("ata", seen("a phone, 手机", url="two"), seen("phone phone", url="one"), seen("none", url="none"))
    assert found == {"two": pytest.approx(2 / 3), "one": 0.5, "none": 0.0}


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(UserError, match="strategy = 'best'; accepted: breadth, random, ata"):
        make_scorer("best", RelevanceModel(parse_topic(TOPIC)))


def test_the_made_up_site_is_judged_as_it_was_made(pages: dict[str, StoredPage]) -> None:
    assert sum(page.is_article for page in pages.values()) == 120
    crawled = crawl(pages, "breadth", 150)
    wrong = [
        url
        for url, own in zip(crawled.urls, crawled.judged, strict=True)
        if own is not None and own != is_relevant(url)
    ]
    assert wrong == []


MENU = ("Phones", "Phone of the year", "手机 reviews", "Garden", "Music", "Opinion")


def careless(pages: dict[str, StoredPage]) -> dict[str, StoredPage]:
    """Return the pages under four addresses each; links take turns, and a menu on every page names the topic."""

    def spelt(url: str, turn: int) -> str:
        bare = url.rstrip("/")
        other = bare.replace("://news.", "://www.news.")
        return (bare, f"{bare}/", f"{bare}/index.html", f"{other}/")[zlib.crc32(f"{turn} {url}".encode()) % 4]

    found = {}
    for number, page in enumerate(pages.values()):
        turned = tuple(link._replace(url=spelt(link.url, number)) for link in page.links)
        menu = tuple(
            Link(url=spelt(f"{HOST}/tag/{name.lower().replace(' ', '-')}/", number), anchor=name, position=ELSEWHERE)
            for place, name in enumerate(MENU)
            if place != number % len(MENU)
        )
        contexts = (*[LinkContext(path="body>nav>ul>li>a") for _ in menu], *page.contexts)
        for url in {spelt(page.url, turn) for turn in range(40)}:
            found[url] = replace(page, url=url, links=(*menu, *turned), contexts=contexts)
    return found


@pytest.mark.parametrize("strategy", ["learned", "breadth"])
def test_a_menu_of_a_careless_server_makes_no_page_relevant(pages: dict[str, StoredPage], strategy: str) -> None:
    focus = Focus(parse_topic(TOPIC), strategy)
    crawled = simulate(careless(pages), focus, [HOME, HOME.replace("news.", "www.news.")], 150)
    called = [is_relevant(_bare(url)) for url, own in zip(crawled.urls, crawled.judged, strict=True) if own]
    assert len(called) >= 10
    assert sum(called) >= 0.95 * len(called)
    labels = {name for name in focus.model.labels.counts if any(name == spelling(item) for item in MENU[:3])}
    assert labels == set()


def _bare(url: str) -> str:
    return url.replace("www.", "").removesuffix("index.html").rstrip("/")


def test_a_feed_is_judged_before_its_articles_are_asked_for(pages: dict[str, StoredPage], tmp_path: Path) -> None:
    feeds = stored_feeds(write_site(tmp_path / "site.warc.gz"))
    focus = Focus(parse_topic(TOPIC))
    crawled = simulate(pages, focus, [HOME], 60, feeds=feeds)
    about = {url for n in IN_FEED if is_relevant(url := article_url(n))}
    first, without = ({*crawled.urls[:8]}, {*crawl(pages).urls[:8]})
    assert len(about & first) > len(about & without)  # their titles in the feed name nothing
    assert crawled.requests[1] - crawled.requests[0] == 2  # the feed, and a page
    assert n_relevant(crawled) >= n_relevant(crawl(pages))
    again = Focus(parse_topic(TOPIC))
    again.restore(unpack_state(pack_state(focus.state())) or {})
    assert again.choose_feed([FEED]) is None  # it is not asked for again after a stop


@pytest.mark.parametrize(
    ("offered", "asked"),
    [
        ([["/feed/", "/category/a/feed/"]], ["/feed/"]),
        ([["/tag/phone/index.xml"], ["/index.xml"], ["/tag/a/index.xml"]], ["/tag/phone/index.xml", "/index.xml"]),
        ([[], ["/feed/"]], ["/feed/"]),
    ],
    ids=["the shortest", "another one after a dead one", "of a later page"],
)
def test_feeds_that_are_asked_for(offered: list[list[str]], asked: list[str]) -> None:
    pages = [[HOST + path for path in paths] for paths in offered]
    focus = Focus(parse_topic(TOPIC))
    assert [url.removeprefix(HOST) for feeds in pages if (url := focus.choose_feed(feeds))] == asked
    assert not any(map(Focus(parse_topic(TOPIC), "ata").choose_feed, pages))  # others do not look at texts


def test_learning_beats_anchors_and_breadth(pages: dict[str, StoredPage]) -> None:
    learned = n_relevant(crawl(pages))
    assert learned >= 0.9 * len(relevant_urls())
    assert learned >= n_relevant(crawl(pages, "ata"))
    assert learned > 1.5 * n_relevant(crawl(pages, "breadth"))


@pytest.mark.parametrize(("fetched", "same"), [("", "page/1/"), ("page/1/", "")])
def test_a_list_is_not_asked_for_again_as_its_first_page(fetched: str, same: str) -> None:
    scorer = make_scorer("learned", RelevanceModel(parse_topic(TOPIC)))
    address = f"{HOST}/tag/phone/"
    links = [seen("phone", url=address + number) for number in (same, "page/3/")]
    pages = [
        PageView(url=address + number, is_article=False, relevance=0.0, links=links) for number in (fetched, "page/2/")
    ]
    assert address + same not in scorer.add(pages[0]) | scorer.add(pages[1])
    unfetched = make_scorer("learned", RelevanceModel(parse_topic(TOPIC))).add(pages[1])
    assert set(unfetched) == {address + same, address + "page/3/"}


@pytest.mark.parametrize(
    ("names", "raised"),
    [(("phone", "garden"), True), (("rose", "garden"), False)],
    ids=["one of its lists names the topic", "none does"],
)
def test_the_page_above_lists_of_the_topic_is_asked_for(names: tuple[str, str], raised: bool) -> None:
    scorer, again = (LearnedScorer(RelevanceModel(parse_topic(TOPIC))) for _ in range(2))
    tags, other = f"{HOST}/tags/", f"{HOST}/authors/"
    links = [seen("Tags", url=tags), seen("Authors", url=other)]
    links += [seen(name, url=f"{tags}{name}/") for name in names]
    scores = scorer.add(PageView(url=HOME, is_article=False, relevance=0.0, links=links))
    assert (scores[tags] > 2 * scores[other]) is raised
    assert scores[f"{tags}garden/"] < FOLDER_SCORE  # it stands beside it
    again.restore(unpack_state(pack_state(scorer.state())) or {})
    assert bool(again.evidence.folders()) is raised  # it is still known after a stop


@pytest.mark.parametrize(
    ("dead", "address", "least", "most"),
    [
        (["2024/03/some-{}/"], "2024/03/an-end/", 0.34, 0.63),
        (["2024/03/some-{}/"], "2025/01/an-end/", 0.45, 0.79),
        (["2024/03/some-{}/"] * 6, "2024/03/an-end/", 0.0, 0.07),
        (["2024/03/some-{}/"] * 6, "2025/01/an-end/", 0.07, 0.34),
        (["post/4210/"], "post/4399/", 0.13, 0.45),
        (["post/4210/"], "post/5399/", 0.45, 0.79),
        (["tag/some-{}/"], "tag/an-end/", 0.34, 0.63),
        (["tag/some-{}/"] * 5, "tag/an-end/", 0.0, 0.13),
        (["tag/some-{}/"] * 5, "2025/01/an-end/", 0.13, 0.45),
        (["tag/phone/page/32/"], "tag/phone/page/2/", 0.34, 0.63),
        (["article-7712-1.html"], "article-9001-1.html", 0.45, 0.79),
        (["新闻/手机-{}.html"], "新闻/电脑-x.html", 0.34, 0.63),
        (["?p=4210"], "?p=9001", 0.34, 0.79),
    ],
)
def test_a_dead_link_speaks_once(dead: list[str], address: str, least: float, most: float) -> None:
    """One dead address leaves others of its form a chance; many close the form, and little more."""
    scorer = LearnedScorer(RelevanceModel(parse_topic(TOPIC)))
    ended = [f"{HOST}/{form.format(word)}" for word, form in zip("abcdef", dead, strict=False)]
    links = [seen("a phone", url=url) for url in (*ended, f"{HOST}/{address}")]
    scorer.add(PageView(url=HOME, is_article=False, relevance=0.0, links=links))
    for url in ended:
        scorer.forget(url, is_dead=True)
    slots = np.array([scorer.tables.queue.slot(f"{HOST}/{address}")])
    assert least <= scorer.features.look_at(slots).alive[0] ** (1 / SURENESS) <= most


def test_equal_crawls_are_equal(pages: dict[str, StoredPage]) -> None:
    assert crawl(pages) == crawl(pages)


def test_only_random_choice_asks_for_a_seed(pages: dict[str, StoredPage]) -> None:
    assert crawl(pages, seed=1) == crawl(pages, seed=2)
    drawn = [crawl(pages, "random", seed=seed).urls for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_was_learnt_survives_as_bytes(pages: dict[str, StoredPage]) -> None:
    first = Focus(parse_topic(TOPIC))
    simulate(pages, first, [HOME], 40)
    state = unpack_state(pack_state(first.state()))
    assert state is not None
    again = Focus(parse_topic(TOPIC))
    again.restore(state)
    scorers = [focus.scorer for focus in (first, again)]
    queues = []
    for scorer in scorers:
        assert isinstance(scorer, LearnedScorer)
        slots = scorer.tables.queue.slots()
        article, relevant, value = scorer._parts(scorer.features.look_at(slots))
        queues.append(
            {
                scorer.tables.queue.url(slot): (a, p, v)
                for slot, a, p, v in zip(slots.tolist(), article, relevant, value, strict=True)
            }
        )
    assert queues[0].keys() == queues[1].keys()
    for url, parts in queues[0].items():
        assert parts == pytest.approx(queues[1][url], abs=0.1)  # word weights are counted anew


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x00" * 40, pack_state({"a": 1})[:-30]])
def test_damaged_bytes_are_no_state(data: bytes) -> None:
    assert unpack_state(data) is None


def test_arrays_come_back_where_they_stood() -> None:
    state = unpack_state(pack_state({"a": {"b": np.arange(3)}, "c": [1, "x"], "d": 0.5}))
    assert state is not None
    assert state["a"]["b"].tolist() == [0, 1, 2]
    assert (state["c"], state["d"]) == ([1, "x"], 0.5)


def test_memory_of_a_queue_is_bounded() -> None:
    queue = LinkQueue(capacity=100)
    for number in range(1000):
        slot = queue.add(f"http://e.org/{number}", template=0, pattern=0)
        queue.see(np.array([slot]), np.zeros((1, len(FACTS))), [[0]])
        queue.score[slot] = number % 100
    assert len(queue) <= 100
    assert min(queue.score[queue.slots()]) > 0  # the least promising went
    assert len(queue.score) <= 1024


def test_a_queue_knows_its_best() -> None:
    queue = LinkQueue()
    for number in range(50):
        queue.score[queue.add(str(number), template=0, pattern=0)] = zlib.crc32(bytes([number])) / 2**32
    best = {queue.url(slot) for slot in queue.best(5).tolist()}
    expected = sorted(range(50), key=lambda number: -zlib.crc32(bytes([number])))[:5]
    assert best == set(map(str, expected))


def test_what_is_free_or_without_a_score_is_never_best() -> None:
    queue = LinkQueue()
    for number in range(60):
        queue.score[queue.add(str(number), template=0, pattern=0)] = 0.5
    for number in range(0, 60, 2):
        queue.remove(str(number))
    for number in range(100, 110):
        queue.add(str(number), template=0, pattern=0)
    assert len(queue) == 40
    assert {queue.url(slot) for slot in queue.best(38).tolist()} == {str(number) for number in range(1, 60, 2)}


def test_places_of_a_link_add_up() -> None:
    queue = LinkQueue()
    slots = np.array([queue.add(name, template=0, pattern=0) for name in ("a", "b")])
    facts = np.zeros((2, len(FACTS)))
    facts[:, COLUMN["anchor_keywords"]] = 0.3, 0.6
    facts[:, COLUMN["own_links"]] = 1.0
    queue.see(slots, facts, [[7], [8, 9]])
    queue.see(slots[:1], facts[1:], [[9]])
    assert queue.facts[slots, COLUMN["anchor_keywords"]].tolist() == [0.6, 0.6]
    assert queue.facts[slots, COLUMN["own_links"]].tolist() == [2.0, 1.0]
    assert queue.groups[slots].tolist() == [[9, 7, -1, -1], [9, 8, -1, -1]]


def test_words_of_a_link_have_bounded_room() -> None:
    queue = LinkQueue()
    slot = queue.add("a", template=0, pattern=0)
    queue.set_terms([slot], [(1, 2)], [tuple(range(10, 100))])
    terms = queue.terms[slot].tolist()
    assert terms[:ANCHOR_TERMS] == [1, 2] + [NO_TERM] * (ANCHOR_TERMS - 2)
    assert terms[ANCHOR_TERMS:] == list(range(10, 10 + AROUND_TERMS))
    assert queue.n_terms[slot].tolist() == [2, AROUND_TERMS]


def test_a_used_slot_is_empty_when_it_is_used_again() -> None:
    queue = LinkQueue()
    slot = queue.add("a", template=3, pattern=4)
    queue.see(np.array([slot]), np.ones((1, len(FACTS))), [[5]])
    queue.set_terms([slot], [(1,)], [(2,)])
    queue.remove("a")
    assert queue.add("b", template=0, pattern=0) == slot
    assert not queue.facts[slot].any()
    assert set(queue.terms[slot].tolist()) == {NO_TERM}
    assert set(queue.groups[slot].tolist()) == {-1}


def test_forgotten_groups_read_as_nothing() -> None:
    ring = GroupRing(2, capacity=3)
    numbers = [ring.new() for _ in range(5)]
    for number in numbers:
        ring.add(number, 0, 1.0)
    assert ring.rows_of(np.array([*numbers, -1]))[:, 0].tolist() == [0, 0, 1, 1, 1, 0]


def test_names_keep_their_rows() -> None:
    counts = NamedCounts(2)
    rows = [counts.row(str(number)) for number in range(200)]
    assert rows == [counts.row(str(number)) for number in range(200)]
    assert len(counts.counts) >= 200


def test_a_model_starts_from_its_prior_and_follows_examples() -> None:
    model = PriorLogistic([-2.0, 4.0], [1.0, 1.0])
    model.fit()
    assert model.weights == pytest.approx([-2.0, 4.0])
    for _ in range(200):
        model.add(np.array([1.0, 1.0]), 0.0)  # what was believed does not hold here
        model.add(np.array([1.0, 0.0]), 1.0)
    model.fit(20)
    assert model.predict(np.array([[1.0, 1.0], [1.0, 0.0]])) == pytest.approx([0.0, 1.0], abs=0.1)


def test_a_crawl_starts_from_what_other_crawls_taught() -> None:
    scorer = LearnedScorer(RelevanceModel(parse_topic(TOPIC)))
    for model, taught, believed in zip((scorer.articles, scorer.hubs), first_weights(), (ARTICLE, HUB), strict=True):
        assert model.weights.tolist() == taught.tolist()
        assert len(taught) == len(believed)
        assert np.isfinite(taught).all()
        assert model.precision == pytest.approx([spread**-2 for _, spread in believed.values()])
    about = load_model(MODEL, kind=KIND, features=INPUTS).provenance
    assert about["counts"]["sites"] >= 3
    assert "focused_prior" in about["command"]


def test_a_crawl_does_not_change_what_the_next_starts_from(pages: dict[str, StoredPage]) -> None:
    before = [weights.tolist() for weights in first_weights()]
    crawl(pages, budget=30)
    assert [weights.tolist() for weights in first_weights()] == before


OWN = "examples.focused_strategy:SharedRelevance"


def test_a_strategy_of_ones_own_stands_behind_the_same_protocol(pages: dict[str, StoredPage]) -> None:
    assert n_relevant(crawl(pages, OWN)) > n_relevant(crawl(pages, "breadth"))
    scorer, again = (make_scorer(OWN, RelevanceModel(parse_topic(TOPIC))) for _ in range(2))
    view = PageView(url=HOME, is_article=False, relevance=0.5, links=[seen("a phone", url="a"), seen("b", url="b")])
    assert scorer.add(view) == {"a": 0.5, "b": 0.25}
    assert scorer.forget("a", is_dead=True) == {}
    again.restore(scorer.state())
    assert again.state() == {"scores": {"b": 0.25}}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no.such.module:Class", "strategy='no.such.module:Class' cannot be imported: No module named 'no'"),
        ("json:Absent", "cannot be imported: module 'json' has no attribute 'Absent'"),
        ("json:JSONDecoder", "lacks add, forget, state, restore: see newscrawl.focus.strategies.LinkScorer"),
        (":Class", "cannot be imported"),
    ],
)
def test_a_strategy_that_cannot_be_used_is_one_line(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        make_scorer(name, RelevanceModel(parse_topic(TOPIC)))
    assert "\n" not in str(caught.value)
