from __future__ import annotations

import pytest

from newscrawl.extensions.harvest_rate import few_words, focused_figures, nothing_found, result_line
from newscrawl.focus import Keyword, Relevance, Topic
from newscrawl.focus.crawl import Focus
from newscrawl.focus.progress import Estimate, Payers, Tally


def test_payers_keep_the_best() -> None:
    payers = Payers()
    for name, is_relevant in (("a", True), ("b", False), ("a", False), ("c", True), ("c", True)):
        payers.add(name, is_relevant=is_relevant)
    assert payers.best() == [("c", 2, 2), ("a", 2, 1)]


def test_a_tally_of_nothing() -> None:
    assert Tally().harvest_rate == Tally().latest_rate(10) == 0.0


def tally_of(n: int, *, n_named: int) -> Tally:
    tally = Tally()
    for number in range(n):
        relevance = Relevance(
            probability=0.9, by_keywords=0.9, by_text=0.9, threshold=0.5, is_named=number < n_named, words=()
        )
        tally.add(f"http://e.org/{number}", f"Story {number}", relevance, hub="", place="", anchor="")
    tally.add("http://e.org/", "", None, hub="", place="", anchor="")
    return tally


def test_the_crawls_own_judgement_stands_beside_what_speaks_for_it() -> None:
    tally, focus = tally_of(20, n_named=15), Focus(Topic(name="phones", keywords=(Keyword(term="phone"),)))
    said = result_line(tally, focus)
    assert "20 of 21 pages are about phones by the crawl's own judgement; 15 of them (75%) name it" in said
    assert "topic judge --sample` asks about 10 articles" in said
    for place, url in enumerate(tally.sample):
        focus.verdicts[url] = place < 8
    focus.verdicts["http://e.org/other"] = True  # not of the sample: counts nothing
    assert "8 of 10 judged are about the topic: 80%, 95 % interval 49% to 94%" in result_line(tally, focus)
    figures = focused_figures(tally)
    assert (figures["n_named"], len(figures["sample"])) == (15, 10)


def test_a_sample_does_not_depend_on_the_order_of_the_crawl() -> None:
    one, other = Tally(), Tally()
    relevance = Relevance(probability=0.9, by_keywords=0.9, by_text=0.9, threshold=0.5, words=())
    for tally, numbers in ((one, range(40)), (other, reversed(range(40)))):
        for number in numbers:
            tally.add(f"http://e.org/{number}", "", relevance, hub="", place="", anchor="")
    assert list(one.sample) == list(other.sample)
    assert len(one.sample) == 10


@pytest.mark.parametrize(
    ("n", "k", "low", "high"),
    [(0, 0, 0.0, 1.0), (10, 10, 0.72, 1.0), (10, 0, 0.0, 0.28), (100, 50, 0.40, 0.60), (1, 1, 0.21, 1.0)],
)
def test_the_interval_of_a_sample(n: int, k: int, low: float, high: float) -> None:
    found = Estimate.from_verdicts([True] * k + [False] * (n - k))
    assert (round(found.low, 2), round(found.high, 2)) == (low, high)


def test_a_topic_of_few_words_asks_for_examples() -> None:
    words = [Keyword(term=word) for word in ("phone", "display", "battery")]
    said = few_words(Topic(name="phones", keywords=tuple(words[:2])))
    assert said is not None
    assert "'phones' has 2 words and no examples" in said
    assert "\n" not in said
    assert few_words(Topic(name="phones", keywords=tuple(words))) is None
    assert few_words(Topic(name="phones", keywords=(Keyword(term="phone", synonyms=("handset", "cell")),))) is None
    assert few_words(Topic(name="phones", example_pages=("http://e.org/1",))) is None
    assert "None of the first 1 pages (0 articles) is about 'phones'" in nothing_found(
        tally_of(0, n_named=0), Topic(name="phones")
    )
