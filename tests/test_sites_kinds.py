"""What a page is by its site: hand-worked scores, and laws of the score."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.items import PageType
from newscrawl.outcomes import Rejection
from newscrawl.sites.kinds import (
    ANNOUNCED,
    FURNITURE,
    GOODS,
    OWN,
    SAID,
    TITLED,
    PageKind,
    contradiction,
    judge_kind,
    probe_address,
    suspects,
)
from newscrawl.sites.settle import PageEnd, Step, next_step
from newscrawl.sites.shown import (
    MAX_PAGES,
    KindEvidence,
    Said,
    SiteEvidence,
    address_key,
    pack_site,
    title_key,
    unpack_site,
)
from newscrawl.urls.patterns import address_folder, address_form

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = "https://lowmere.example.org"
STORY = f"{HOST}/2024/06/night-ferry-returns/"


def evidence(odds: float = 2.0, **values: Any) -> KindEvidence:
    page_type = PageType.ARTICLE if odds > 0 else PageType.HUB
    return KindEvidence(**{"page_type": page_type, "confidence": 0.6, "odds": odds, **values})


def site_of(*pages: tuple[str, KindEvidence]) -> SiteEvidence:
    site = SiteEvidence()
    for url, page in pages:
        site.observe(url, page)
    return site


def stories(n: int, odds: float = 2.0) -> list[tuple[str, KindEvidence]]:
    return [(f"{HOST}/2024/0{1 + i % 9}/story-of-{'abcdefghij'[i % 10]}{i}/", evidence(odds)) for i in range(n)]


# --- what a page is, step by step ------------------------------------------------------------------------------------


@pytest.mark.parametrize("odds", [-2.5, -0.4, 0.4, 2.5])
def test_a_page_of_a_silent_site_is_judged_by_itself(odds: float) -> None:
    kind = judge_kind(SiteEvidence(), STORY, evidence(odds))
    assert kind.score == pytest.approx(OWN * odds)
    assert (kind.page_type is PageType.ARTICLE) == (odds > 0)
    assert kind.reason == ""


def test_a_short_note_among_articles_of_its_form_is_one() -> None:
    kind = judge_kind(site_of(*stories(10)), STORY, evidence(-1.0), anew=True)
    chance = 1 / (1 + math.exp(-OWN * 2.0))
    share = (10 * chance + 1) / 12
    of_folder = share  # no other page stands in a folder of its own
    assert kind.score == pytest.approx(-OWN + math.log(of_folder / (1 - of_folder)))
    assert kind.page_type is PageType.ARTICLE
    assert "8 of 10 other pages of the form lowmere.example.org/#/#/*/ are articles" in kind.reason


def test_a_list_announces_a_story_by_its_title() -> None:
    site = site_of()
    site.announce(address_key(STORY), title_key("Night ferry returns after eleven years"))
    titled = judge_kind(site, STORY, evidence(-1.0, titles=(title_key("Night ferry returns"),)))
    other = judge_kind(site, STORY, evidence(-1.0, titles=(title_key("Page not found"),)))
    assert titled.score - other.score == pytest.approx(TITLED)
    assert other.score == pytest.approx(-OWN + ANNOUNCED)
    assert titled.reason == "lists announce it by its title"


def test_a_page_does_not_announce_itself() -> None:
    site = site_of((STORY, evidence(announced=((address_key(STORY), title_key("Night ferry returns")),))))
    assert site.announced == {}


def test_where_lists_announce_the_articles_a_page_of_which_they_say_nothing_is_none() -> None:
    site = site_of(*stories(20))
    for url, _ in stories(20):
        site.announce(address_key(url))
    page = evidence(1.0)
    kind = judge_kind(site, f"{HOST}/annual-report/", page, anew=True)
    assert kind.score == pytest.approx(OWN - math.log((20 + 2) / 1 / 2))
    assert kind.page_type is PageType.OTHER
    assert kind.reason == "no list announces it, as lists do 20 of 20 articles"


def test_what_all_pages_link_to_and_no_list_announces_is_no_news() -> None:
    site = SiteEvidence()
    for url, page in stories(12):
        site.observe(url, page, [address_key(f"{HOST}/jobs/"), address_key(url)])
    kind = judge_kind(site, f"{HOST}/jobs/", evidence(2.0), anew=True)
    assert site.linked_share(address_key(f"{HOST}/jobs/")) == 1.0
    assert kind.score == pytest.approx(2 * OWN - FURNITURE)
    assert kind.reason == "100% of the pages link to it"


@pytest.mark.parametrize(("announced", "is_article"), [(0, False), (1, True)])
def test_pages_of_a_folder_that_no_list_announces_speak_against_each_other(announced: int, is_article: bool) -> None:
    """Offices and leaders of a council have the template of its news; where one of a folder is announced, one may be.

    Where lists announce no article either, nothing does.
    """
    offices = [(f"{HOST}/council/offices/{number}.html", evidence(2.0)) for number in range(21, 25)]
    site = site_of(*stories(30), *offices)
    for url, _ in [*stories(30), *offices[:announced]]:
        site.announce(address_key(url))
    kind = judge_kind(site, *offices[-1], anew=True)
    assert (kind.page_type is PageType.ARTICLE) == is_article
    assert judge_kind(site_of(*stories(2), offices[0]), *offices[0], anew=True).page_type is PageType.ARTICLE


def test_a_page_in_doubt_among_pages_in_doubt_of_its_form_is_none() -> None:
    """Games of a sports paper. A list that has the title of such a page answers for it; a page alone may be new."""
    title = title_key("Tarn hold Eastmoor")
    games = [(f"{HOST}/game/{number}", evidence(0.4, titles=(title,))) for number in range(700, 720)]
    site = site_of(*stories(12), *games)
    kind = judge_kind(site, *games[0], anew=True)
    assert kind.page_type is PageType.OTHER
    assert "no page that is an article by itself has an address of its form" in kind.reason
    site.announce(address_key(games[0][0]), title)
    assert judge_kind(site, *games[0], anew=True).page_type is PageType.ARTICLE
    assert judge_kind(site, f"{HOST}/specials/ferry", evidence(0.4), anew=True).page_type is PageType.ARTICLE
    assert judge_kind(site, f"{HOST}/2024/01/story-of-b7/", evidence(0.4), anew=True).page_type is PageType.ARTICLE


@pytest.mark.parametrize("n", [3, 5, 8])
def test_a_list_of_questions_does_not_make_them_stories(n: int) -> None:
    """A list of pages that are no articles by themselves is believed less than the site's lists of stories."""
    titles = [title_key(f"{number}. Where do I get a permit?") for number in range(n)]
    questions = [(f"{HOST}/help/{number}", evidence(-1.5, titles=(title,))) for number, title in enumerate(titles)]
    told = stories(12)
    home = evidence(-3.0, announced=tuple((address_key(url), 0) for url, _ in told))
    listed = zip((address_key(url) for url, _ in questions), titles, strict=True)
    site = site_of((f"{HOST}/", home), (f"{HOST}/help/", evidence(-3.0, announced=tuple(listed))), *told, *questions)
    assert {judge_kind(site, *page, anew=True).page_type for page in questions} == {PageType.HUB}
    assert {judge_kind(site, *page, anew=True).page_type for page in told} == {PageType.ARTICLE}


@pytest.mark.parametrize(("all_are", "is_article"), [(True, False), (False, True)])
def test_a_form_that_hangs_in_all_menus_is_no_story_though_a_list_has_its_title(
    all_are: bool, is_article: bool
) -> None:
    """It has no date where all articles of the site have one; a box of the most read hangs on all pages, too."""
    site = SiteEvidence()
    url, titles = f"{HOST}/2024/05/your-view/", (title_key("Your view"),)
    site.announce(address_key(url), *titles)
    for place, page in stories(12, odds=1.5):
        site.observe(place, replace(page, is_signed=all_are), [address_key(url)])
    page = evidence(-3.0, titles=titles)
    assert (judge_kind(site, url, page, anew=True).page_type is PageType.ARTICLE) == is_article
    assert judge_kind(site, url, replace(page, is_signed=True), anew=True).page_type is PageType.ARTICLE


@pytest.mark.parametrize(("said", "score"), [(Said.ARTICLE, SAID), (Said.LIST, -SAID), (Said.PAGE, -SAID)])
def test_what_a_page_calls_itself_counts(said: Said, score: float) -> None:
    assert judge_kind(SiteEvidence(), STORY, evidence(0.5, said=said)).score == pytest.approx(0.5 * OWN + score)


def test_a_page_that_says_nothing_where_the_articles_call_themselves_so_is_none() -> None:
    site = site_of(*((url, replace(page, said=Said.ARTICLE)) for url, page in stories(30)))
    kind = judge_kind(site, f"{HOST}/album-4.html", evidence(0.9), anew=True)
    assert kind.page_type is PageType.OTHER
    assert kind.reason.startswith("it does not call itself an article, as the site's articles do")


@pytest.mark.parametrize(
    ("address", "is_signed", "is_article"),
    [
        ("/abo/", False, False),
        ("/gywm/", False, False),
        ("/autoren/lena-holt.html", False, False),
        ("/weather/", True, True),
        ("/2024/07/31/flash.html", False, True),
        ("/show?id=7", False, True),
    ],
)
def test_a_page_without_date_and_number_where_articles_have_both_is_none(
    address: str, is_signed: bool, is_article: bool
) -> None:
    dated = [(f"{HOST}/n/2024/06/71{i}.html", evidence(is_signed=True)) for i in range(10, 14)]
    page = evidence(titles=(title_key("Night ferry returns"),), is_signed=is_signed)
    site = site_of(*dated, (f"{HOST}{address}", page))
    site.announce(address_key(f"{HOST}{address}"), title_key("Night ferry returns"))
    assert (judge_kind(site, f"{HOST}{address}", page, anew=True).page_type is PageType.ARTICLE) is is_article


def test_goods_that_a_shop_announces_stay_goods() -> None:
    site = site_of(*stories(20))
    url = f"{HOST}/2024/06/red-lamp/"
    site.announce(address_key(url), title_key("Red lamp"))
    goods = evidence(-0.6, page_type=PageType.PRODUCT, titles=(title_key("Red lamp"),))
    kind = judge_kind(site, url, goods, anew=True)
    assert kind.page_type is PageType.PRODUCT
    assert judge_kind(site, url, replace(goods, page_type=PageType.HUB), anew=True).score - kind.score == GOODS


def test_pages_of_a_template_of_lists_are_none() -> None:
    lists = [(f"{HOST}/{name}", evidence(-2.0, places=(1, 2))) for name in "abcdef"]
    kind = judge_kind(site_of(*lists), f"{HOST}/2024/list-of-all/", evidence(0.5, places=(1, 2)), anew=True)
    assert kind.score < 0
    assert "other pages of its template are no articles" in kind.reason


def test_no_site_makes_a_story_of_a_page_that_shows_none() -> None:
    title = title_key("Night ferry returns")
    for said in (None, Said.ARTICLE):
        page = evidence(-3.0, absence=Rejection.LOGIN, titles=(title,), said=said)
        hub = evidence(-3.0, announced=((address_key(STORY), title),))
        kind = judge_kind(site_of(*stories(40), (f"{HOST}/", hub), (STORY, page)), STORY, page, anew=True)
        assert (kind.page_type, kind.absence) == (PageType.OTHER, Rejection.LOGIN)


def test_a_page_does_not_speak_for_itself() -> None:
    alone = site_of((STORY, evidence(-1.0, places=(1,))))
    assert judge_kind(alone, STORY, evidence(-1.0, places=(1,)), anew=True).score == pytest.approx(-OWN)


@pytest.mark.parametrize(("is_list", "absence"), [(True, None), (False, Rejection.NOTICE)])
def test_a_page_of_a_list_with_another_title_than_its_link_is_no_notice(
    is_list: bool, absence: Rejection | None
) -> None:
    """A list is asked for again, and what it announces is followed."""
    announced = tuple((address_key(url), title_key(url)) for url, _ in stories(8))
    site, url = site_of(*stories(30)), f"{HOST}/index7.html"
    for key, title in announced:
        site.announce(key, title)
    page = evidence(-2.0, is_called=False, is_titled=False, announced=announced if is_list else ())
    kind = judge_kind(site, url, page, anew=True)
    assert (kind.absence, kind.page_type) == (absence, PageType.HUB if is_list else PageType.OTHER)


@pytest.mark.parametrize(("is_foreign", "absence"), [(True, Rejection.NOTICE), (False, None)])
def test_a_short_page_without_a_word_of_its_announced_title_has_no_story(
    is_foreign: bool, absence: Rejection | None
) -> None:
    """A queue or a closed region answers at a story's address, under a heading of its own."""
    site = site_of(*stories(8))
    site.announce(address_key(STORY), title_key("Three colleges take on carpenters"))
    page = evidence(3.0, is_called=False, is_foreign=is_foreign, said=Said.ARTICLE)
    assert judge_kind(site, STORY, page, anew=True).absence == absence


# --- forms of address ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("http://e.org/2018/09/fixing-chrome-69-urls/", "e.org/#/#/*/"),
        ("http://e.org/2018/09/coming-back/", "e.org/#/#/*/"),
        ("http://e.org/post-17.html", "e.org/post-#.html"),
        ("http://e.org/index_10.html", "e.org/index_#.html"),
        ("http://e.org/news/a-2-b.html?id=7", "e.org/news/*.html?id"),
        ("http://e.org/news/articleView.html?idxno=7", "e.org/news/articleView.html?idxno"),
        ("http://e.org/talk.php?id=7", "e.org/talk.php?id"),
        ("http://e.org/night-ferry.html?id=7", "e.org/*.html?id"),
        ("http://e.org/weather.html", "e.org/*.html"),
        ("http://e.org/", "e.org/"),
    ],
)
def test_forms(url: str, form: str) -> None:
    assert address_form(url) == form


def test_folders_tell_parts_of_a_site_apart_that_have_one_form() -> None:
    law, office = "http://e.org/law/text/21.html", "http://e.org/law/offices/22.html"
    assert address_form(law) == address_form(office)
    assert address_folder(law) != address_folder(office)


# --- laws ------------------------------------------------------------------------------------------------------------

URLS = [f"{HOST}/2024/0{n}/{name}/" for n in (1, 2) for name in ("a-b", "c-7-d", "e")] + [
    f"{HOST}/{name}/" for name in ("tag", "jobs", "about")
]
PAGES = st.lists(
    st.tuples(
        st.sampled_from(URLS),
        st.floats(-4, 4).filter(bool),
        st.sampled_from([None, *Said]),
        st.lists(st.integers(1, 4), max_size=3).map(tuple),
        st.lists(st.sampled_from(URLS), max_size=4),
        st.lists(st.sampled_from(URLS), max_size=3),
    ),
    max_size=9,
    unique_by=lambda page: page[0],
)
Made = tuple[str, float, Said | None, tuple[int, ...], list[str], list[str]]


def made(pages: Sequence[Made]) -> SiteEvidence:
    site = SiteEvidence()
    for url, odds, said, places, links, announced in pages:
        stories = tuple((address_key(other), title_key(other)) for other in announced)
        page = evidence(odds, said=said, places=places, announced=stories)
        site.observe(url, page, list(map(address_key, links)))
    return site


def judged(site: SiteEvidence, page: KindEvidence, url: str = URLS[0]) -> PageKind:
    return judge_kind(site, url, page, anew=True)


@given(pages=PAGES, order=st.randoms(), odds=st.floats(-4, 4).filter(bool))
@settings(max_examples=60, deadline=None)
def test_the_order_of_pages_does_not_matter_at_the_end(pages: list[Made], order: Any, odds: float) -> None:
    shuffled = list(pages)
    order.shuffle(shuffled)
    first, second = (judged(made(each), evidence(odds, places=(1, 2))) for each in (pages, shuffled))
    assert first.score == pytest.approx(second.score)
    assert first.reason == second.reason


@given(pages=PAGES, odds=st.floats(-4, 4).filter(bool))
@settings(max_examples=60, deadline=None)
def test_an_announcement_never_lowers_the_score(pages: list[Made], odds: float) -> None:
    site, page = made(pages), evidence(odds, titles=(title_key("A title"),))
    before = judged(site, page).score
    site.announce(address_key(URLS[0]), title_key("A title"))
    assert judged(site, page).score >= before - 1e-9


@given(pages=PAGES, odds=st.floats(-4, 4).filter(bool), own=st.floats(1, 4), is_announced=st.booleans())
@settings(max_examples=60, deadline=None)
def test_one_more_article_like_a_page_never_lowers_its_score(
    pages: list[Made], odds: float, own: float, *, is_announced: bool
) -> None:
    """An article of the page's form and template that lists treat as they treat the page.

    Links are left out: the share of pages with one counts from a number of pages on.
    """
    unlinked: list[Made] = [
        (url, chance, said, places, [], announced) for url, chance, said, places, _, announced in pages
    ]
    site, page, other = made(unlinked), evidence(odds, places=(1,)), f"{HOST}/2024/01/one-more/"
    if is_announced:
        site.announce(address_key(URLS[0]))
    if (address_key(URLS[0]) in site.announced) != is_announced:
        return
    before = judged(site, page).score
    site.observe(other, evidence(max(own, 3.0), said=Said.ARTICLE if page.said else None, places=(1,)))
    if is_announced:
        site.announce(address_key(other))
    assert judged(site, page).score >= before - 1e-9


@given(first=st.floats(-4, 4).filter(bool), second=st.floats(-4, 4).filter(bool), pages=PAGES)
@settings(max_examples=40, deadline=None)
def test_a_page_that_looks_more_like_an_article_scores_no_less(first: float, second: float, pages: list[Made]) -> None:
    low, high = sorted((first, second))
    site = made(pages)
    page_type = PageType.HUB
    scores = [judged(site, evidence(odds, page_type=page_type)).score for odds in (low, high)]
    assert scores[0] <= scores[1]


def test_of_a_large_site_the_same_pages_are_kept_in_any_order() -> None:
    urls = [f"{HOST}/{n}/" for n in range(MAX_PAGES + 50)]
    kept = [site_of(*((url, evidence()) for url in order)).pages for order in (urls, urls[::-1])]
    assert kept[0] == kept[1]
    assert len(kept[0]) == MAX_PAGES


# --- what a database keeps -------------------------------------------------------------------------------------------


def known(n: int) -> SiteEvidence:
    """Return a site of ``n`` stories, which lists of ten announce."""
    site = SiteEvidence()
    pages = stories(n)
    for number, (url, page) in enumerate(pages):
        titles = tuple(title_key(f"{word} {url}") for word in ("first", "second", "third", "fourth"))
        site.observe(url, replace(page, titles=titles, places=(7, 8, 9), text=0), range(number, number + 80))
    for number in range(0, n, 10):
        announced = tuple((address_key(url), title_key(f"first {url}")) for url, _ in pages[number : number + 10])
        site.observe(f"{HOST}/page/{number}/", evidence(-2.0, announced=announced))
    return site


def test_a_site_is_judged_as_before_when_it_is_read_back() -> None:
    site = known(200)
    site.missing.add(5)
    again = unpack_site(pack_site(site))
    for url, page in (*stories(3), (f"{HOST}/about/", evidence(0.3)), (STORY, evidence(-0.5, text=5))):
        first, second = (judge_kind(one, url, page, anew=True) for one in (site, again))
        assert second.score == pytest.approx(first.score, abs=0.01)
        assert (second.page_type, second.absence) == (first.page_type, first.absence)


def test_a_site_is_kept_in_a_few_bytes_a_page() -> None:
    assert len(pack_site(known(2_000))) / 2_200 < 32


# --- addresses that are not there ------------------------------------------------------------------------------------


def test_what_a_host_answers_to_an_address_that_cannot_be_is_no_story() -> None:
    dead = [(url, evidence(1.5, text=5, letters=300.0, is_signed=True)) for url, _ in stories(4)]
    site = site_of(*dead)
    kinds = [(url, page, judge_kind(site, url, page, anew=True)) for url, page in dead]
    assert {kind.page_type for _, _, kind in kinds} == {PageType.ARTICLE}
    assert suspects(site, kinds) == {"lowmere.example.org": min(url for url, _ in dead)}
    site.missing.add(5)
    kinds = [(url, page, judge_kind(site, url, page)) for url, page in dead]
    assert {kind.absence for _, _, kind in kinds} == {Rejection.SOFT_404}
    assert not suspects(site, kinds)


def test_a_host_whose_pages_differ_is_not_asked_for_what_cannot_be() -> None:
    pages = [(url, evidence(1.5, text=number, letters=300.0)) for number, (url, _) in enumerate(stories(9))]
    site = site_of(*pages)
    assert not suspects(site, [(url, page, judge_kind(site, url, page, anew=True)) for url, page in pages])


@pytest.mark.parametrize(
    ("url", "beside"),
    [
        ("https://a.example/2024/05/story.html", "https://a.example/2024/05/nothing-cc8844b3c5d6320e.html"),
        ("https://a.example/2024/05/story/", "https://a.example/2024/05/nothing-cc8844b3c5d6320e/"),
        ("https://a.example/", "https://a.example/nothing-cc8844b3c5d6320e"),
        ("https://a.example/?p=7", "https://a.example/nothing-cc8844b3c5d6320e"),
    ],
)
def test_an_address_that_cannot_be_stands_beside_the_suspect(url: str, beside: str) -> None:
    assert probe_address(url) == beside


# --- a site that contradicts itself ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_lists", "is_one"), [(0, False), (2, False), (4, True)])
def test_a_template_of_articles_with_lists_among_them_contradicts_itself(n_lists: int, is_one: bool) -> None:
    site = site_of(*((url, replace(page, said=Said.ARTICLE, places=(7,))) for url, page in stories(12)))
    for number in range(n_lists):
        site.observe(f"{HOST}/tag/{number}/", evidence(-2.0, said=Said.LIST, places=(7,)))
    found = contradiction(site)
    assert (found is not None) is is_one
    if found is not None:
        assert found.articles == "12 articles of a template, as lowmere.example.org/#/#/*/"
        assert found.others == f"{n_lists} other pages of it, as lowmere.example.org/tag/#/"


# --- what becomes of a page at the end -------------------------------------------------------------------------------

ARTICLE, HUB, DEAD = (
    PageKind(page_type=page_type, confidence=0.9, score=0.0, reason="", absence=absence)
    for page_type, absence in (
        (PageType.ARTICLE, None),
        (PageType.HUB, None),
        (PageType.OTHER, Rejection.SOFT_404),
    )
)


@pytest.mark.parametrize(
    ("outcome", "reason", "as_article", "as_hub", "as_dead"),
    [
        ("not_article", "hub", Step.STORE, Step.NOTHING, Step.END),
        ("not_article", "other", Step.STORE, Step.END, Step.END),
        ("rejected", "soft_404", Step.STORE, Step.END, Step.NOTHING),
        ("stored", None, Step.NOTHING, Step.END, Step.END),
        ("duplicate", "near", Step.NOTHING, Step.END, Step.END),
        ("duplicate", "not_modified", Step.NOTHING, Step.NOTHING, Step.NOTHING),
        ("rejected", "before_since", Step.NOTHING, Step.END, Step.END),
        ("rejected", "too_slow", Step.NOTHING, Step.NOTHING, Step.NOTHING),
        ("part", None, Step.NOTHING, Step.NOTHING, Step.NOTHING),
        ("not_article", "script_only", Step.NOTHING, Step.NOTHING, Step.NOTHING),
    ],
)
def test_what_becomes_of_a_page(
    outcome: str, reason: str | None, as_article: Step, as_hub: Step, as_dead: Step
) -> None:
    end = PageEnd(outcome, reason)
    assert [next_step(end, kind, evidence()) for kind in (ARTICLE, HUB, DEAD)] == [as_article, as_hub, as_dead]


@pytest.mark.parametrize(("odds", "step"), [(1.0, Step.NOTHING), (-1.0, Step.END)])
def test_an_article_by_itself_that_wants_not_to_be_kept_is_refused_whatever_its_site_says(
    odds: float, step: Step
) -> None:
    assert next_step(PageEnd("rejected", "noindex"), HUB, evidence(odds)) is step
