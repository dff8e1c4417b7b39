"""The judge: keywords at first, then also words of the crawl's own pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.focus import Keyword, PageText, RelevanceModel, Topic
from newscrawl.focus.crawl import pack_state, unpack_state
from newscrawl.focus.words import KeywordMatcher

PHONES = Topic(
    name="phones",
    keywords=(Keyword(term="phone"), Keyword(term="手机", synonyms=("智能机",)), Keyword(term="cell phone")),
    exclusions=("headphone",),
)
FILLER = "The committee met on Monday to discuss the budget of the coming year. " * 6


def page(headline: str = "", text: str = FILLER, *labels: str) -> PageText:
    return PageText(headline=headline, text=text, labels=labels)


def probability(text: PageText, topic: Topic = PHONES) -> float:
    return RelevanceModel(topic).judge(text).probability


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("AI芯片 and AI", {"AI芯片": 1, "AI": 1}),
        ("AIs, aix, xai", {"AI": 1}),
        ("C++ in the mac, not machine", {"C++": 1, "mac": 1}),
        ("a hard-drive, harddrives", {"hard drive": 2}),
        ("人工智能手机", {"手机": 1}),
        ("", {}),
    ],
)
def test_words_match_whole_and_ideographs_anywhere(text: str, found: dict[str, int]) -> None:
    words = ("AI", "AI芯片", "C++", "mac", "hard drive", "手机")
    assert KeywordMatcher(Topic(name="x", keywords=tuple(map(_keyword, words)))).counts(text) == found


def _keyword(term: str) -> Keyword:
    return Keyword(term=term)


@pytest.mark.parametrize(
    ("text", "is_relevant"),
    [
        (page("A new phone is out"), True),
        (page("新款手机发布", "这是一段没有关键词的正文。" * 20), True),
        (page("A new product is out", "The phone is good. " * 8 + FILLER), True),
        (page("A new product is out", "The phone is good. " + FILLER * 4), False),
        (page("A meeting"), False),
        (page("A phonetic alphabet"), False),
        (page("New headphones for your phone"), False),
        (page("A meeting", "On Monday the phone rang once and then the phone was out. " + FILLER, "phone"), True),
        (page("", ""), False),
    ],
)
def test_keywords_decide_from_the_first_page_on(text: PageText, is_relevant: bool) -> None:
    assert RelevanceModel(PHONES).judge(text).is_relevant is is_relevant


def test_pages_of_other_languages_need_more() -> None:
    topic = replace(PHONES, languages=("en",))
    texts = [replace(page("A new phone is out"), language=language) for language in ("en", "de", None)]
    assert [RelevanceModel(topic).judge(text).is_relevant for text in texts] == [True, False, True]


def test_the_words_that_decided_are_named() -> None:
    judgement = RelevanceModel(PHONES).judge(page("智能机评测"))
    assert judgement.words[0][0] == "手机"
    assert judgement.words[0][1] > 0


def test_words_of_sure_pages_come_to_count() -> None:
    model = RelevanceModel(PHONES)
    unknown = page("Which screen has better pixels", "The pixels of the screen and its antenna were measured. " * 8)
    before = model.judge(unknown).probability
    for number in range(30):
        for text in (
            page(f"Phone {number}", "The phone has a screen with many pixels and a good antenna. " * 8),
            page(f"Meeting {number}", f"Minutes of meeting {number}. " + FILLER),
        ):
            model.learn(text, model.judge(text))
    after = model.judge(unknown)
    assert after.probability > 3 * before
    assert {"pixel", "screen", "antenna"} & {word for word, _ in after.words}


def test_what_was_learnt_does_not_teach_itself() -> None:
    model = RelevanceModel(PHONES)
    doubtful = page("", "The phone rang. A phone again, and a phone. " + FILLER)
    model.learn(doubtful, model.judge(doubtful))
    assert model.table.n_relevant + model.table.n_other == 0


@pytest.mark.parametrize(
    ("keyword", "language", "headline", "section", "other"),
    [
        ("law", "en", "A law for the harbour", "Law", "Sport"),
        ("法规", "zh", "一批新的法规开始施行", "法规", "热点话题"),
        ("公告", "zh", "关于节目调整的公告", "公告", "各省资讯"),
        ("Wahlen", "de", "Nach den Wahlen beginnt die Arbeit", "Wahlen", "Kultur"),
        ("música", "es", "La música de la ciudad", "Música", "Historia"),
        ("музыка", "ru", "Городская музыка", "Музыка", "Школа"),
        ("موسيقى", "ar", "موسيقى المدينة", "موسيقى", "رياضة"),
        ("音楽", "ja", "街の音楽", "音楽", "教育"),
        ("kolam", "id", "Air di dalam kolam", "Kolam", "Berita"),
        ("musique", "fr", "La musique de la ville", "Musique", "Histoire"),
    ],
)
def test_where_a_site_files_articles_under_the_topic_those_filed_elsewhere_need_more(
    keyword: str, language: str, headline: str, section: str, other: str
) -> None:
    topic = Topic(name="x", languages=(language,), keywords=(Keyword(term=keyword),))
    unfiled, elsewhere = page(headline), page(headline, FILLER, other)
    before = probability(elsewhere, topic)
    assert before == probability(unfiled, topic)
    model = RelevanceModel(topic)
    for number in range(12):
        text = page(f"{number}", FILLER, section if number % 2 else other)
        model.learn(text, model.judge(text))
    assert model.judge(elsewhere).by_keywords < 0.5 < before
    assert model.judge(unfiled).by_keywords == before
    assert model.judge(page(headline, FILLER, section)).probability > 0.9


def test_examples_stand_for_keywords() -> None:
    texts = tuple(f"The orchestra number {n} played a symphony with violins and cellos." for n in range(8))
    others = tuple(f"The committee number {n} met to discuss the budget of the year." for n in range(8))
    topic = Topic(name="music", examples=texts, counterexamples=others)
    music = page("", "An orchestra with violins played a symphony tonight.")
    assert probability(music, topic) > 0.5 > probability(page(), topic)


def test_a_judge_survives_as_bytes() -> None:
    model, again = RelevanceModel(PHONES), RelevanceModel(PHONES)
    for number in range(10):
        for text in (page(f"Phone {number}"), page(f"Meeting {number}")):
            model.learn(text, model.judge(text))
    state = unpack_state(pack_state(model.state()))
    assert state is not None
    again.restore(state)
    assert (again.table.weights == model.table.weights).mean() > 0.99
    assert again.scale.state() == model.scale.state()


@given(st.text(), st.text(), st.lists(st.text(max_size=10), max_size=3))
def test_a_probability_is_one_for_any_text(headline: str, text: str, labels: list[str]) -> None:
    assert 0.0 <= probability(PageText(headline=headline, text=text, labels=tuple(labels))) <= 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Phones, a phone; telephone and phonebook", 2),
        ("cell-phone cell phones", 2),
        ("手机和智能机", 2),
        ("", 0),
    ],
)
def test_mentions(text: str, expected: int) -> None:
    assert sum(KeywordMatcher(PHONES).counts(text).values()) == expected
