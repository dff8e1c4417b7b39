"""Parameters that a host's own pages leave out of their addresses, and sessions that are new in each answer."""

from hashlib import md5

import pytest

from newscrawl.urls.parameters import WITNESSES, ParameterWatch, SessionWatch, is_random, without, without_session

FROM = ("example.org", "from")


def _told(watch: ParameterWatch, asked: str, own: str, times: int = WITNESSES) -> frozenset[tuple[str, str]]:
    told: frozenset[tuple[str, str]] = frozenset()
    for number in range(times):
        told |= watch.sees(asked.replace("#", str(number)), own.replace("#", str(number)))
    return told


def test_three_pages_tell() -> None:
    watch = ParameterWatch()
    assert not _told(
        watch,
        "http://example.org/2024/03/story-10#.html?from=top&id=7",
        "http://example.org/2024/03/story-10#.html?id=7",
        WITNESSES - 1,
    )
    assert watch.sees(
        "http://example.org/2024/03/story-109.html?from=list", "https://example.org/2024/03/story-109.html"
    ) == {FROM}


def test_one_page_asked_for_often_tells_nothing() -> None:
    watch = ParameterWatch()
    for place in range(5):
        assert not watch.sees(
            f"http://example.org/2024/03/story-1.html?from=top{place}", "http://example.org/2024/03/story-1.html"
        )


def test_parameters_that_pages_keep_stay() -> None:
    watch = ParameterWatch()
    watch.sees("http://example.org/2024/03/story-9.html?from=top", "http://example.org/2024/03/story-9.html?from=top")
    assert not _told(
        watch, "http://example.org/2024/03/story-10#.html?from=top", "http://example.org/2024/03/story-10#.html"
    )


def test_pages_of_a_list_stay() -> None:
    assert not _told(
        ParameterWatch(),
        "http://example.org/2024/03/story-10#.html?page=2",
        "http://example.org/2024/03/story-10#.html",
    )
    assert not _told(
        ParameterWatch(),
        "http://example.org/2024/03/story-10#.html?blatt=2",
        "http://example.org/2024/03/story-10#.html",
    )


def test_another_path_or_another_value_tells_nothing() -> None:
    assert not _told(
        ParameterWatch(),
        "http://example.org/2024/03/story-10#.html?from=top",
        "http://example.org/2024/03/other-10#.html",
    )
    assert not _told(
        ParameterWatch(),
        "http://example.org/2024/03/story-10#.html?from=top&id=7",
        "http://example.org/2024/03/story-10#.html?id=8",
    )


def test_without() -> None:
    known = frozenset({FROM})
    assert without("http://example.org/a?from=top", known) == "http://example.org/a"
    assert without("http://example.org/a?id=7&from=top&x=1", known) == "http://example.org/a?id=7&x=1"
    assert without("http://example.net/a?from=top", known) == "http://example.net/a?from=top"
    assert without("http://example.org/a", known) == "http://example.org/a"


def test_equal_texts_of_three_paths_tell() -> None:
    watch = ParameterWatch()
    told: frozenset[tuple[str, str]] = frozenset()
    for path in "abc":
        for value in ("x1", "x2"):
            told |= watch.reads(f"http://example.org/{path}?from={value}", path, f"The text of {path}.")
    assert told == {FROM}


def test_equal_texts_tell_of_small_numbers_too() -> None:
    watch = ParameterWatch()
    told: frozenset[tuple[str, str]] = frozenset()
    for number in range(WITNESSES):
        for query in ("", "?size=1", "?size=2", "?teil=1", "?page=2"):
            told |= watch.reads(f"http://example.org/story-{number}{query}", f"Story {number}", f"Text {number}")
    assert told == {("example.org", "size")}


def test_another_text_below_the_same_headline_is_another_page_of_the_article() -> None:
    watch = ParameterWatch()
    watch.reads("http://example.org/story-9", "Story 9", "Begin")
    watch.reads("http://example.org/story-9?teil=2", "Story 9", "End")
    for number in range(WITNESSES):
        for query in ("", "?teil=2"):
            assert not watch.reads(f"http://example.org/story-{number}{query}", f"Story {number}", "All of it")


def test_another_headline_clears_what_differs() -> None:
    watch = ParameterWatch()
    for number in range(WITNESSES + 1):
        assert not watch.reads(f"http://example.org/news.php?story=a{number}", f"Story {number}", "Text.")
    assert not _told(watch, "http://example.org/news-10#.html?story=top", "http://example.org/news-10#.html")


def test_a_template_that_forgets_the_query_tells_nothing() -> None:
    watch = ParameterWatch()
    for section in ("news", "sport", "local", "world"):
        own = f"http://example.org/{section}/view.php"
        assert not watch.sees(f"{own}?id=184220", own)


def test_what_was_thought_to_change_nothing_is_cleared_by_another_headline() -> None:
    watch = ParameterWatch()
    assert _told(
        watch, "http://example.org/2024/03/story-10#.html?from=top", "http://example.org/2024/03/story-10#.html"
    )
    assert not watch.find_needed(frozenset({FROM}))
    watch.reads("http://example.org/view?from=a1", "One", "Text.")
    watch.reads("http://example.org/view?from=a2", "Two", "Another.")
    assert watch.find_needed(frozenset({FROM})) == {FROM}


SESSIONS = (
    ("http://e.org/s/{}/news/{}.html", "/s/"),
    ("http://e.org/{}/news/{}.html", "/"),
    ("http://e.org/web/~{}/a_{}.shtml", "/web/"),
    ("http://e.org/news/{1}.html?zx={0}", "zx"),
    ("http://e.org/view.php?id={1}&zx={0}", "zx"),
    ("http://e.org/ver.do;tok={}?materia={}", ";tok"),
    ("http://e.org/index.php?s={}&option=com&id={}", "s"),
    ("http://e.org/S-{}/xw/t2024_{}.htm", "/"),
)


def _session(number: int, *, length: int = 16) -> str:
    return md5(str(number).encode(), usedforsecurity=False).hexdigest()[:length]


@pytest.mark.parametrize(("form", "place"), SESSIONS)
@pytest.mark.parametrize("length", [8, 12, 16, 32])
def test_a_session_of_any_name_is_learnt_by_three_stories(form: str, place: str, length: int) -> None:
    watch = SessionWatch()
    found: dict[tuple[str, str], str] = {}
    for visit in range(30):
        number = 100 + visit % 10
        url = form.format(_session(visit, length=length), number)
        found |= watch.reads(url, f"Story {number}", f"The text of {number}.")
    assert list(found) == [("e.org", place)]
    if place.startswith(("/", ";")):
        cleaned = {without_session(form.format(_session(n, length=length), 7), found) for n in range(40, 60)}
        assert len(cleaned) <= 4, "few values are not seen to be random"


@pytest.mark.parametrize(
    "form", ["http://e.org/article/{}.html", "http://e.org/a/{}/", "http://e.org/n?id={}", "http://e.org/{}/story.html"]
)
def test_values_that_number_articles_are_no_sessions(form: str) -> None:
    watch = SessionWatch()
    for number in range(40):
        assert not watch.reads(form.format(_session(number)), f"Story {number}", f"The text of {number}.")
    for number in range(40, 80):  # dead ones
        assert not watch.reads(form.format(_session(number)), "Not found", "There is no such story.")


def test_two_sessions_of_one_address_are_learnt_together() -> None:
    watch = SessionWatch()
    found: dict[tuple[str, str], str] = {}
    for visit in range(20):
        url = f"http://e.org/s/{_session(visit)}/{visit % 5}.html?zx={_session(99 - visit)}"
        found |= watch.reads(url, f"Story {visit % 5}", f"The text of {visit % 5}.")
    assert found.keys() == {("e.org", "/s/"), ("e.org", "zx")}


def test_a_counter_in_a_text_clears_no_session() -> None:
    watch = SessionWatch()
    found: dict[tuple[str, str], str] = {}
    for visit in range(30):
        number = visit % 6
        text = f"The text of {number}." + (f" Read {visit} times." if number == 2 else "")
        found |= watch.reads(f"http://e.org/s/{_session(visit)}/{number}.html", f"Story {number}", text)
    assert found.keys() == {("e.org", "/s/")}


@pytest.mark.parametrize(
    "value", ["2024-05-18", "story12345", "iphone15", "20240518", "covid19", "the-new-bridge", "t123"]
)
def test_names_and_days_are_not_random(value: str) -> None:
    assert not is_random(value)


def test_a_session_does_not_make_the_number_beside_it_needless() -> None:
    watch = ParameterWatch()
    for visit in range(12):
        watch.reads(f"http://e.org/ver?materia={visit}&zx={_session(visit)}", f"Story {visit}", f"Text {visit}")
    assert not watch.find_needed(frozenset({("e.org", "zx")}))
    assert watch.find_needed(frozenset({("e.org", "materia")}))
