"""Keywords in other forms than the user's, in compounds, and in scripts without spaces."""

from __future__ import annotations

import pytest

from newscrawl.focus import Keyword, Topic
from newscrawl.focus.words import KeywordMatcher


@pytest.mark.parametrize(
    ("word", "languages", "text", "n"),
    [
        ("tour", (), "Touring the world; tours. A tourist, tourism, a detour", 2),
        ("story", (), "Stories of a story-teller", 2),
        ("cell phone", (), "cell-phones, cellphones and cell phone", 3),
        ("Windows", (), "Windows by a window", 1),
        ("AI", (), "AIs aid an AI", 2),
        ("phone", (), "phone手机, a phonetic telephone", 1),
        ("Handy", ("de",), "Handys, Diensthandy und Handyhersteller, handlich", 3),
        ("Fußball", ("de",), "Fußballweltmeister", 1),
        ("phone", ("en",), "headphones and phonebook", 0),
        ("выборы", (), "на выборах после выборов", 2),
        ("élection", ("fr",), "les élections, un électron", 1),
        ("手机", ("zh",), "新款手机壳和手机", 2),
        ("tour", ("zh",), "touring tour", 1),
        ("justice", (), "#JusticeForAnna and #AnnaJustice", 2),
        ("justice", (), "OpJustice4Savannah", 1),
        ("savannah", (), "#opjustice4savannah", 1),
        ("grève", ("fr",), "#GrèveGénérale", 1),
        ("мир", ("ru",), "#МирВсем", 1),
        ("Klima", ("de",), "#KlimaStreik2024", 1),
        ("απεργία", ("el",), "#ΓενικήΑπεργία", 1),
        ("FreeAnons", (), "#FreeAnons", 1),
        ("press", (), "WordPress, JavaScript", 0),
        ("phone", (), "iPhone, MacBook", 0),
        ("justice", (), "#injustice", 0),
    ],
)
def test_forms_of_a_keyword(word: str, languages: tuple[str, ...], text: str, n: int) -> None:
    topic = Topic(name="x", keywords=(Keyword(term=word),), languages=languages)
    assert KeywordMatcher(topic).counts(text)[word] == n


def test_a_form_counts_for_the_keyword_it_is_the_name_of() -> None:
    topic = Topic(name="x", keywords=(Keyword(term="game", synonyms=("gamer",)), Keyword(term="gaming chair")))
    assert KeywordMatcher(topic).counts("gaming chairs, games, gamers") == {"gaming chair": 1, "game": 2}
