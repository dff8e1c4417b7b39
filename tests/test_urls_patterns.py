"""Spellings of addresses that a host redirects, learnt from the first few."""

from __future__ import annotations

import pytest

from newscrawl.urls.patterns import AddressForms, folder_names, url_pattern, url_words

HOST = "http://e.org"


def test_a_final_slash_is_learnt_for_addresses_of_one_kind() -> None:
    forms = AddressForms()
    for name in ("rose", "soil"):
        assert forms.spell(f"{HOST}/tag/tree") == f"{HOST}/tag/tree"
        forms.note(f"{HOST}/tag/{name}", f"{HOST}/tag/{name}/")
    assert forms.spell(f"{HOST}/tag/tree") == f"{HOST}/tag/tree/"
    assert forms.spell(f"{HOST}/news/12.html") == f"{HOST}/news/12.html"
    assert forms.spell(f"{HOST}/tag/tree?page=2") == f"{HOST}/tag/tree?page=2"
    forms.note(f"{HOST}/tag/piano", f"{HOST}/tag/piano")  # answered as asked
    assert forms.spell(f"{HOST}/tag/tree") == f"{HOST}/tag/tree"


def test_scheme_and_host_are_learnt() -> None:
    forms = AddressForms()
    for number in range(2):
        forms.note(f"{HOST}/{number}.html", f"https://www.e.org/{number}.html")
    assert forms.spell(f"{HOST}/a/b?c=1") == "https://www.e.org/a/b?c=1"
    assert forms.spell("http://other.org/a") == "http://other.org/a"


def test_a_redirect_to_another_page_says_nothing() -> None:
    forms = AddressForms()
    for number in range(5):
        forms.note(f"{HOST}/old/{number}", f"https://e.org/new/{number}/")
    assert forms.spell(f"{HOST}/old/9") == f"{HOST}/old/9"


def test_an_index_file_leads_to_its_folder() -> None:
    forms = AddressForms()
    for name in ("rose", "soil"):
        forms.note(f"{HOST}/tag/{name}/index.html", f"{HOST}/tag/{name}/")
    assert forms.spell(f"{HOST}/tag/tree/index.html") == f"{HOST}/tag/tree/"
    assert forms.spell(f"{HOST}/tag/tree") == f"{HOST}/tag/tree"


def test_a_host_that_answers_every_spelling_is_asked_by_one() -> None:
    forms = AddressForms()
    for name in ("rose", "soil"):
        forms.note(f"{HOST}/tag/{name}/", f"{HOST}/tag/{name}/")
    for spelling in ("https://www.e.org/tag/tree/index.html", "http://www.e.org/tag/tree/", f"{HOST}/tag/tree/"):
        assert forms.spell(spelling) == f"{HOST}/tag/tree/"
    assert forms.spell("http://other.org/tag/tree/index.html") == "http://other.org/tag/tree/index.html"


SLASHES = [(f"{HOST}/2024/story-{n}/", f"{HOST}/2024/story-{n}") for n in range(4)]


@pytest.mark.parametrize("n_pages", [2, 3])
@pytest.mark.parametrize("is_said", [True, False])
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_pages_that_are_the_same_under_two_addresses_are_asked_for_under_the_first(
    n_pages: int, is_said: bool, first: int, second: int
) -> None:
    forms = AddressForms()
    for pair in SLASHES[:n_pages]:
        if is_said:
            forms.note_own(pair[second], pair[first])
        else:
            forms.note_text(pair[first], f"The text of {pair[0]}.")
            forms.note_text(pair[second], f"The text of {pair[0]}.")
    asked = SLASHES[3]
    assert forms.spell(asked[second]) == (asked[first] if n_pages == 3 else asked[second])
    assert forms.spell(asked[first]) == asked[first]
    for other in (f"{HOST}/2024/story.html", f"{HOST}/?p=7", f"{HOST}/", "http://other.org/a/b"):
        assert forms.spell(other) == other


@pytest.mark.parametrize("change", [("http://", "https://"), ("//", "//www."), ("/2024/", "/2024/index.html")])
def test_where_two_spellings_are_two_pages_each_is_asked_for(change: tuple[str, str]) -> None:
    forms = AddressForms()
    urls = [f"{HOST}/story-{n}/2024/" for n in range(4)]
    for url in urls[:3]:
        forms.note(url, url)
        forms.note_text(url, f"The paper's {url}.")
        forms.note_text(url.replace(*change), f"Another paper's {url}.")
    other = urls[3].replace(*change)
    assert forms.spell(other) == other


def test_it_survives() -> None:
    forms, again = AddressForms(), AddressForms()
    for name in ("rose", "soil"):
        forms.note(f"{HOST}/tag/{name}", f"{HOST}/tag/{name}/")
    again.restore(forms.state())
    assert again.spell(f"{HOST}/tag/tree") == f"{HOST}/tag/tree/"


def test_an_index_file_changes_nothing_of_what_an_address_says() -> None:
    folder = f"{HOST}/cell-phones/2010/08/story/"
    for read in (url_pattern, url_words, folder_names):
        assert read(folder + "index.html") == read(folder)
    assert folder_names(folder) == ("cell phones",)
