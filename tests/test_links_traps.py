from __future__ import annotations

import gzip
import json
from itertools import count
from typing import TYPE_CHECKING

import pytest

from newscrawl.links import traps
from newscrawl.links.extract import robots_directives
from newscrawl.links.rules import Wanted, judge_url
from newscrawl.links.traps import BARREN_PAGES, FRUITLESS_PAGES, RecentUrls, TrapGuard, shape_alarm
from newscrawl.outcomes import Rejection
from newscrawl.page.document import Document
from newscrawl.sites.model import site_from_url
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.patterns import mask
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a/b/a/b/a/b/",
        "http://example.org/" + "x/" * 3,
        "http://example.org/" + "/".join("abcdefghijklmnopqrs"),
        "http://example.org/?" + "&".join(f"p{i}=1" for i in range(12)),
    ],
)
def test_loops_are_seen_at_once(url: str) -> None:
    alarm = shape_alarm(url)
    assert alarm is not None
    assert alarm[0] is Rejection.TRAP


@pytest.mark.parametrize(
    "url",
    ["http://example.org", "http://example.org/2011/11/11/11/", "http://example.org/news/tech/a/b/story.html?a=1&b=2"],
)
def test_usual_addresses_raise_no_alarm(url: str) -> None:
    assert shape_alarm(url) is None


def accepted(guard: TrapGuard, urls: Iterable[str], at_most: int = 20_000) -> int:
    n = 0
    for url, _ in zip(urls, range(at_most), strict=False):
        refusal = guard.judge(url, url_shape(url))
        if refusal:
            assert refusal[0] in (Rejection.TRAP, Rejection.BUDGET)
            return n
        n += 1
    return n


@pytest.mark.parametrize(
    "form",
    [
        "http://example.org/calendar/{0}/{1}/",
        "http://example.org/events/{0}-{1:02}-01/",
        "http://example.org/show.php?month={1}&year={0}",
    ],
)
def test_a_calendar_ends(form: str) -> None:
    days = (form.format(1990 + i // 12, i % 12 + 1) for i in count())
    assert accepted(TrapGuard(), days) <= traps.CALENDAR_BUDGET


def test_parameter_combinations_end() -> None:
    urls = (f"http://example.org/products?sort={i % 7}&colour={i}" for i in count())
    assert accepted(TrapGuard(), urls) == traps.QUERY_BUDGET


def test_patterns_of_hubs_have_a_budget_articles_do_not() -> None:
    hubs = (f"http://example.org/tag/{i}/" for i in count())
    assert accepted(TrapGuard(pattern_budget=50), hubs) == 50
    articles = (f"http://example.org/article-{i}-1.html" for i in count())
    assert accepted(TrapGuard(pattern_budget=50), articles, at_most=500) == 500
    assert accepted(TrapGuard(pattern_budget=0), hubs, at_most=500) == 500


def test_host_budget_counts_everything() -> None:
    guard = TrapGuard(host_budget=3)
    assert accepted(guard, (f"http://example.org/article-{i}-1.html" for i in count())) == 3
    assert guard.judge("http://www.example.org/", UrlKind.HUB) is None


def test_depth() -> None:
    refusal = TrapGuard(max_depth=2).judge("http://example.org/", UrlKind.HUB, depth=3)
    assert refusal is not None
    assert refusal[0] is Rejection.DEPTH


def test_mask_takes_names_of_single_pages_together() -> None:
    assert mask("http://x.org/2024/03/05/one-long-title.html") == mask("http://x.org/2023/12/1/and-another-one.html")
    assert mask("http://x.org/tags/a/page/2/") != mask("http://x.org/tags/b/page/2/")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "MAX_REMEMBERED", 100)
    guard = TrapGuard()
    for i in range(1000):
        letters = "".join(chr(97 + int(digit)) for digit in str(i))
        guard.judge(f"http://h{letters}.org/{letters}/", UrlKind.HUB)
    assert len(guard._hosts) <= 101
    assert len(guard._patterns) <= 101


def test_recent_urls_forget_the_oldest() -> None:
    recent = RecentUrls(capacity=3)
    assert recent.add("a")
    assert not recent.add("a")
    for url in "bcde":
        assert recent.add(url)
    assert "a" in recent
    for url in "fghijk":
        recent.add(url)
    assert "a" not in recent
    assert "k" in recent


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("linuxcn", "http://linuxcn.undefined.today/"),
        ("deemable", "http://deemable.rayhollister.com/"),
        ("opensourceway", "http://www.opensourceway.community/"),
    ],
)
def test_no_reachable_page_of_a_real_site_is_refused(shared: Path, name: str, home: str) -> None:
    with gzip.open(shared / "sites" / f"{name}.pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in lines]
    site, guard = site_from_url(home), TrapGuard()
    urls = [page["url"] for page in pages]
    assert len({canonicalize(url) for url in urls}) == len(set(urls))
    refused = [
        (url, decision.why)
        for url in urls
        if (decision := judge_url(url, site, Wanted())).rejection or guard.judge(url, decision.kind)
    ]
    assert refused == []


@pytest.mark.parametrize(
    ("html", "headers", "expected"),
    [
        ("<meta name=robots content='NOINDEX, follow'>", None, {"noindex", "follow"}),
        ("<meta name=Robots content=none>", None, {"none", "noindex", "nofollow"}),
        ("<meta name=newscrawl content=nofollow><meta name=googlebot content=noindex>", None, {"nofollow"}),
        ("<p>x", ["noindex", "otherbot: nofollow"], {"noindex"}),
        ("<p>x", ["newscrawl: nofollow", "unavailable_after: 25 Jun 2010 15:00:00 PST"], {"nofollow"}),
        ("<p>x", None, set()),
    ],
)
def test_robots_directives(html: str, headers: list[str] | None, expected: set[str]) -> None:
    assert robots_directives(Document.from_html(html).by_tag["meta"], headers) == expected
    assert robots_directives((), headers) <= expected


def note_days(guard: TrapGuard, n: int, stories: Callable[[int], list[str]]) -> None:
    for day in range(n):
        days = [f"http://example.org/day.php?d=2023-1-{other}" for other in (day - 1, day + 1)]
        menu = ["http://example.org/", "http://example.org/sport/"]
        links = dict.fromkeys([*menu, *days, *stories(day)], "")
        guard.note(f"http://example.org/day.php?d=2023-1-{day}", links, is_article=False)


def test_pages_that_say_nothing_are_not_asked_for_any_more() -> None:
    guard = TrapGuard()
    note_days(guard, BARREN_PAGES + 1, lambda _: [])
    refusal = guard.judge("http://example.org/day.php?d=2023-2-1", UrlKind.OTHER)
    assert refusal is not None
    assert refusal[0] is Rejection.TRAP
    assert guard.judge("http://example.org/week.php?d=2023-2-1", UrlKind.OTHER) is None
    assert guard.judge("http://example.org/day.php?d=2023-2-2", UrlKind.ARTICLE) is None


@pytest.mark.parametrize("every", [1, 50])
def test_lists_go_on_though_all_they_list_is_known(every: int) -> None:
    guard = TrapGuard()
    note_days(guard, 3 * BARREN_PAGES, lambda day: [f"http://example.org/story/{day // every}.html"])
    assert guard.judge("http://example.org/day.php?d=2023-2-1", UrlKind.OTHER) is None


def test_an_article_among_them_is_enough() -> None:
    guard = TrapGuard()
    note_days(guard, BARREN_PAGES, lambda _: [])
    guard.note("http://example.org/day.php?d=2023-1-99", {}, is_article=True)
    note_days(guard, BARREN_PAGES - 1, lambda _: [])
    assert guard.judge("http://example.org/day.php?d=2023-2-1", UrlKind.OTHER) is None


def test_pages_of_very_many_links_are_never_barren() -> None:
    guard = TrapGuard()
    links = {f"http://example.org/story/{number}.html": "" for number in range(traps.MAX_BARREN_LINKS + 1)}
    for day in range(2 * BARREN_PAGES):
        guard.note(f"http://example.org/day.php?d=2023-1-{day}", links, is_article=False)
    assert guard.judge("http://example.org/day.php?d=2023-2-1", UrlKind.OTHER) is None


def test_a_page_that_is_read_again_gives_nothing_old() -> None:
    guard = TrapGuard()
    assert guard.note_text("http://example.org/1", "This is a story of its own.")
    assert guard.note_text("http://example.org/1", "This is a story of its own.")
    assert not guard.note_text("http://example.org/2", "This is a story of its own.")


def test_hosts_that_give_no_new_text_are_left() -> None:
    guard = TrapGuard()
    for number in range(FRUITLESS_PAGES):
        assert guard.judge(f"http://n{number}.example.org/next/", UrlKind.HUB) is None
        guard.note_text(f"http://n{number}.example.org/next/", "")
    refusal = guard.judge("http://news.example.org/2026/11/22/story.html", UrlKind.ARTICLE)
    assert refusal is not None
    assert refusal[0] is Rejection.TRAP
    assert guard.judge("http://example.net/", UrlKind.HUB) is None


def test_texts_that_differ_in_their_numbers_only_are_not_new() -> None:
    guard = TrapGuard()
    for number in range(FRUITLESS_PAGES + 1):
        guard.note_text(f"http://example.org/{number}", f"This is story {number} of a site without end.")
    assert guard.judge("http://example.org/next", UrlKind.ARTICLE) is not None
    guard.note_text("http://example.org/other", "A story that nobody has read before.")
    assert guard.judge("http://example.org/next", UrlKind.ARTICLE) is None


def test_pages_asked_again_need_not_be_new() -> None:
    guard = TrapGuard()
    guard.n_revisits = 500
    for number in range(FRUITLESS_PAGES + 499):
        guard.note_text(f"http://example.org/list/{number}", "")
    assert guard.judge("http://example.org/story.html", UrlKind.ARTICLE) is None
    guard.note_text("http://example.org/list/", "")
    assert guard.judge("http://example.org/story2.html", UrlKind.ARTICLE) is not None


LISTS = (
    "http://e.org/mesa/?p={}",
    "http://e.org/?pagina={}",
    "http://e.org/news/page/{}/",
    "http://e.org/xw/index_{}.shtml",
    "http://e.org/list-7-{}.html",
    "http://e.org/2024/05/page/{}",
    "http://e.org/haber.php?kategori=12&sayfa={}",
    "http://e.org/news/?PAGEN_1={}",
    "http://e.org/news/{}",
    "http://e.org/i.php?start={}&order=date",
    "http://e.org/col/col1390/index.html?uid=3&pageNum={}",
    "http://e.org/%E6%96%B0%E9%97%BB/{}.htm",
)


def walk_list(guard: TrapGuard, form: str, pages: Iterable[dict[str, str]]) -> int:
    """Walk a list as its pages lead on; return how many of its pages were asked for."""
    for number, stories in enumerate(pages, start=1):
        url, following = form.format(number), form.format(number + 1)
        menu = {"http://e.org/": "Home", "http://e.org/sport/": "Sport"}
        guard.note(url, menu | stories | {following: "Next"}, is_article=False)
        if guard.is_behind_end(following, url):
            return number
    return -1


def stories_of(page: int, *, n: int = 5, session: str = "") -> dict[str, str]:
    return {f"http://e.org{session}/story-{page}-{i}.html": f"The {i}th story that page {page} tells" for i in range(n)}


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize("beyond", ["first", "last", "empty", "spelled anew"])
def test_a_list_ends_where_it_shows_nothing_new(form: str, beyond: str) -> None:
    more = {"first": stories_of(1), "last": stories_of(7), "empty": {}}
    pages = [stories_of(page) for page in range(1, 8)]
    pages += [more.get(beyond, stories_of(1, session=f"/s/{page:016x}")) for page in range(40)]
    assert walk_list(TrapGuard(), form, pages) == (12 if form.endswith("/news/{}") else 9)


@pytest.mark.parametrize("form", LISTS)
def test_a_long_list_is_walked_to_its_end(form: str) -> None:
    gap = [{}, stories_of(0)]
    pages = [*(stories_of(page) for page in range(1, 200)), *gap, *(stories_of(page) for page in range(200, 400))]
    assert walk_list(TrapGuard(), form, pages) == -1


@pytest.mark.parametrize(
    "text", ["Read more", "Continue reading this story of ours", "阅读全文", "", "Leer la noticia completa aquí"]
)
def test_stories_behind_links_of_one_name_are_told_apart(text: str) -> None:
    pages = (dict.fromkeys(stories_of(page), text) for page in range(100))
    assert walk_list(TrapGuard(), LISTS[0], pages) == -1


@pytest.mark.parametrize("form", ["http://e.org/archiv/2024/05/{}", "http://e.org/a.do?ano=2024&mes=5&dia={}"])
def test_days_without_a_story_end_no_archive(form: str) -> None:
    pages = [stories_of(0), *({} for _ in range(20))]
    assert walk_list(TrapGuard(), form, pages) == -1


def test_only_the_list_that_has_ended_is_left() -> None:
    guard = TrapGuard()
    walk_list(guard, "http://e.org/a/?p={}", [{}] * 9)
    assert guard.is_behind_end("http://e.org/a/?p=12", "http://e.org/a/?p=9")
    for url, page in (("/b/?p=12", "/a/?p=9"), ("/a/?p=12", "/b/?p=9"), ("/a/?q=12", "/a/?p=9"), ("/a/", "/a/?p=9")):
        assert not guard.is_behind_end(f"http://e.org{url}", f"http://e.org{page}")


CALENDARS = (
    ("http://e.org/calendario.do?ano={0}&mes={1}&dia={2}", "http://e.org/calendario.do?ano={0}&mes={1}"),
    ("http://e.org/agenda/{0}/{1:02}/{2:02}", "http://e.org/agenda/{0}/{1:02}"),
    ("http://e.org/rili/{0}-{1:02}-{2:02}.html", "http://e.org/rili/{0}-{1:02}.html"),
    ("http://e.org/huodong?riqi={0}-{1:02}-{2:02}", "http://e.org/huodong?riqi={0}-{1:02}"),
    ("http://e.org/termin/{0}{1:02}{2:02}/", "http://e.org/termin/{0}{1:02}/"),
    ("http://e.org/c.php?lang=pl&d={2}.{1}.{0}", "http://e.org/c.php?lang=pl&m={1}.{0}"),
)


@pytest.mark.parametrize(("day", "month"), CALENDARS)
def test_a_calendar_without_stories_ends_within_a_month(day: str, month: str) -> None:
    guard, asked = TrapGuard(), 0
    queue = [month.format(2024, 1)]
    known = set(queue)
    while queue and asked < 1_000:
        url = queue.pop(0)
        if guard.barren(url, url_shape(url)):
            continue
        asked += 1
        number = (len(known) // 28) % 12 + 1
        links = [month.format(2024 + asked // 300, number), *(day.format(2024, number, d) for d in range(1, 29))]
        guard.note(url, dict.fromkeys([*links, "http://e.org/", "http://e.org/sport/"], "x"), is_article=False)
        queue += [link for link in links if link not in known]
        known.update(links)
    assert asked <= traps.FRUITLESS_START + 2


def test_a_family_that_was_empty_in_earlier_runs_ends_soon() -> None:
    guard = TrapGuard()
    day = "http://e.org/today/2024/{}/{}/"
    days = [day.format(1 + number // 28, 1 + number % 28) for number in range(traps.FRUITLESS_START)]
    guard.recall_empty([*days, *(f"http://e.org/list/{number}.html" for number in range(traps.FRUITLESS_AGAIN))])
    asked = 0
    while not guard.barren(day.format(7, 1 + asked), UrlKind.OTHER):
        guard.note(day.format(7, 1 + asked), {"http://e.org/": "Home"}, is_article=False)
        asked += 1
    assert asked <= traps.FRUITLESS_AGAIN + 1
    assert not guard.barren("http://e.org/list/9.html", UrlKind.HUB), "few pages tell nothing"
    guard.note(day.format(8, 1), stories_of(1), is_article=False)
    assert not guard.barren(day.format(8, 2), UrlKind.OTHER), "a day with stories opens the family again"


@pytest.mark.parametrize(("day", "month"), CALENDARS)
def test_an_archive_of_days_goes_on_while_it_shows_stories(day: str, month: str) -> None:
    guard = TrapGuard()
    for number in range(400):
        url = day.format(2022 + number // 336, number // 28 % 12 + 1, number % 28 + 1)
        assert not guard.barren(url, url_shape(url))
        links = [month.format(2022, 1), day.format(2023, 1, 1)]
        stories = stories_of(number) if number % 25 == 0 else {}
        guard.note(url, dict.fromkeys(links, "x") | stories, is_article=False)


@pytest.mark.parametrize(
    "form", ["http://e.org/enviar?id={}", "http://e.org/comentar/{}", "http://e.org/news/{}/a-friend-of-yours.html"]
)
def test_forms_that_each_story_leads_to_are_left_as_their_links_are_called_the_same(form: str) -> None:
    guard = TrapGuard()
    for number in range(traps.FRUITLESS_START + 1):
        url = form.format(number + 100_000)
        assert guard.judge(url, UrlKind.ARTICLE, 0, "Send to a friend") is None
        guard.note(url, {"http://e.org/": "Home"}, is_article=False, called="Send to a friend")
    following = form.format(200_000)
    assert guard.barren(following, UrlKind.ARTICLE, "Send to a friend")
    assert not guard.barren(following, UrlKind.ARTICLE, "A bridge opens early"), "a headline is a story's"
    guard.note(form.format(300_000), {}, is_article=True)
    assert not guard.barren(following, UrlKind.ARTICLE, "Send to a friend")


def test_dead_stories_called_by_their_headlines_do_not_end_their_family() -> None:
    guard = TrapGuard()
    for number in range(200):
        url = f"http://e.org/node/{number + 100_000}"
        assert guard.judge(url, UrlKind.ARTICLE, 0, f"Headline {number}") is None
        guard.note(url, {"http://e.org/": "Home"}, is_article=False, called=f"Headline {number}")
