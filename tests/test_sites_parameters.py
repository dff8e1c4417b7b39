"""Parameters that a host's own pages leave out of their addresses."""

from newscrawl.sites.parameters import WITNESSES, ParameterWatch, without

FROM = ("example.org", "from")


def _told(watch: ParameterWatch, asked: str, own: str, times: int = WITNESSES) -> frozenset[tuple[str, str]]:
    told: frozenset[tuple[str, str]] = frozenset()
    for number in range(times):
        told |= watch.sees(asked.replace("#", str(number)), own.replace("#", str(number)))
    return told


def test_three_pages_tell() -> None:
    watch = ParameterWatch()
    assert not _told(watch, "http://example.org/a#?from=top&id=7", "http://example.org/a#?id=7", WITNESSES - 1)
    assert watch.sees("http://example.org/z?from=list", "https://example.org/z") == {FROM}


def test_one_page_asked_for_often_tells_nothing() -> None:
    watch = ParameterWatch()
    for place in range(5):
        assert not watch.sees(f"http://example.org/a?from=top{place}", "http://example.org/a")


def test_parameters_that_pages_keep_stay() -> None:
    watch = ParameterWatch()
    watch.sees("http://example.org/b?from=top", "http://example.org/b?from=top")
    assert not _told(watch, "http://example.org/a#?from=top", "http://example.org/a#")


def test_pages_of_a_list_stay() -> None:
    assert not _told(ParameterWatch(), "http://example.org/a#?page=2", "http://example.org/a#")
    assert not _told(ParameterWatch(), "http://example.org/a#?blatt=2", "http://example.org/a#")


def test_another_path_or_another_value_tells_nothing() -> None:
    assert not _told(ParameterWatch(), "http://example.org/a#?from=top", "http://example.org/b#")
    assert not _told(ParameterWatch(), "http://example.org/a#?from=top&id=7", "http://example.org/a#?id=8")


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


def test_another_headline_clears_what_differs() -> None:
    watch = ParameterWatch()
    for number in range(WITNESSES + 1):
        assert not watch.reads(f"http://example.org/news.php?story=a{number}", f"Story {number}", "Text.")
    assert not _told(watch, "http://example.org/news#?story=top", "http://example.org/news#")
