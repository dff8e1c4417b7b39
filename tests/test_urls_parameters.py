"""Parameters that a host's own pages leave out of their addresses."""

from newscrawl.urls.parameters import WITNESSES, ParameterWatch, without

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
