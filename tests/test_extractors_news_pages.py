"""What must be in the text and what must not, on hand-made pages of each kind."""

from __future__ import annotations

import pytest

from newscrawl.extractors import extract
from tests.news_pages import CHINESE, ENGLISH, TONGUES, Tongue, page, paragraphs


def text_of(html: str) -> str:
    return extract(html, method="news").text


def comments(tongue: Tongue) -> str:
    items = "".join(f"<li><b>Name {n}</b><p>{text}</p></li>" for n, text in enumerate(tongue.comments * 2))
    return f"<div class='comments'><h3>{len(tongue.comments) * 2}</h3><ol>{items}</ol></div>"


OTHER_STORIES = {
    "en": (
        "From June on there will be four crossings a day, not six, the operator announced, citing the price of fuel.",
        "Wild orchids, seal pups and the longest beach of the archipelago: readers name walks that they like.",
        "Crews lost nets worth thousands, and ask the government for loans without interest until the autumn.",
        "Visitors will see lamps, lenses and logbooks of two centuries, and may climb the tower on weekends.",
    ),
    "zh": (
        "运营方宣布，六月起每天的航班由六班减为四班，理由是燃油价格上涨，月票价格不变。",
        "野兰花、小海豹和群岛最长的沙滩：读者评选出他们最喜爱的步行路线，附交通指南。",
        "船员们损失了价值数千元的渔网，希望政府在秋天之前提供无息贷款，渡过难关。",
        "展品包括两个世纪以来的灯具、透镜和航海日志，周末还可以登塔远眺，门票五元。",
    ),
    "de": (
        "Ab Juni gibt es täglich vier statt sechs Überfahrten, teilte der Betreiber mit: Treibstoff sei teuer.",
        "Wilde Orchideen, junge Robben und der längste Strand des Archipels: Leser nennen ihre liebsten Wege.",
        "Die Besatzungen verloren Netze im Wert von Tausenden und bitten um zinslose Kredite bis zum Herbst.",
        "Besucher sehen Lampen, Linsen und Logbücher aus zwei Jahrhunderten und dürfen am Wochenende auf den Turm.",
    ),
}


def teasers(tongue: Tongue, lang: str) -> str:
    return "".join(
        f"<div class='box'><h3><a href='/n/{n}.html'>{title}</a></h3><p>{text[:90]} ...</p></div>"
        for n, (title, text) in enumerate(zip(tongue.related, OTHER_STORIES[lang], strict=False))
    )


@pytest.mark.parametrize("lang", sorted(TONGUES))
def test_the_paragraphs_and_nothing_else(lang: str) -> None:
    tongue = TONGUES[lang]
    assert text_of(page(tongue, paragraphs(tongue))).splitlines() == list(tongue.paragraphs)


@pytest.mark.parametrize("lang", sorted(TONGUES))
def test_comments_are_left_out(lang: str) -> None:
    tongue = TONGUES[lang]
    assert text_of(page(tongue, paragraphs(tongue), after=comments(tongue))).splitlines() == list(tongue.paragraphs)


@pytest.mark.parametrize("lang", sorted(OTHER_STORIES))
def test_teasers_with_sentences_are_left_out(lang: str) -> None:
    tongue = TONGUES[lang]
    html = page(tongue, paragraphs(tongue), after=teasers(tongue, lang))
    assert text_of(html).splitlines() == list(tongue.paragraphs)


@pytest.mark.parametrize("tongue", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_an_article_split_over_containers(tongue: Tongue) -> None:
    first, second, third, fourth = (f"<p>{text}</p>" for text in tongue.paragraphs)
    advert = "<div class='ad'><a href='http://ads.example/1'>Ad</a></div>"
    body = f"<div class='part'>{first}{second}</div>{advert}<div class='part'>{third}{fourth}</div>"
    assert text_of(page(tongue, body)).splitlines() == list(tongue.paragraphs)


@pytest.mark.parametrize("tongue", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_lines_divided_by_breaks(tongue: Tongue) -> None:
    assert text_of(page(tongue, "<br><br>".join(tongue.paragraphs))).splitlines() == list(tongue.paragraphs)


@pytest.mark.parametrize("tongue", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_short_article(tongue: Tongue) -> None:
    body = f"<p>{tongue.paragraphs[0]}</p>"
    assert text_of(page(tongue, body)) == tongue.paragraphs[0]


def test_sub_headings_quotes_and_lists_in_the_body() -> None:
    first, second, third, fourth = ENGLISH.paragraphs
    items = ("Ferries to the islands: cancelled until Thursday", "Trains: an hour late", "Buses: running as usual")
    html = page(
        ENGLISH,
        f"<p>{first}</p><h2>Forty cellars under water</h2><p>{third}</p><blockquote><p>{second}</p></blockquote>"
        f"<ul>{''.join(f'<li>{item}.</li>' for item in items)}</ul><p>{fourth}</p>",
    )
    expected = [first, "Forty cellars under water", third, second, *(f"{item}." for item in items), fourth]
    assert text_of(html).splitlines() == expected


def test_a_table_in_the_body() -> None:
    first, second, third, fourth = ENGLISH.paragraphs
    cells = "".join(f"<tr><td>Island {n}</td><td>{n + 3} hours</td></tr>" for n in range(4))
    text = text_of(page(ENGLISH, f"<p>{first}</p><p>{second}</p><table>{cells}</table><p>{third}</p><p>{fourth}</p>"))
    assert [line for line in ENGLISH.paragraphs if line not in text] == []
    assert "Island 2" in text


def test_questions_and_answers() -> None:
    pairs = zip(
        ("How long will it last?", "Who was hurt?", "When do ferries sail?"), ENGLISH.paragraphs[1:], strict=True
    )
    body = f"<p>{ENGLISH.paragraphs[0]}</p>" + "".join(f"<p><b>{ask}</b></p><p>{say}</p>" for ask, say in pairs)
    text = text_of(page(ENGLISH, body))
    assert "Who was hurt?" in text
    assert [line for line in ENGLISH.paragraphs if line not in text] == []


def test_a_live_ticker() -> None:
    entries = "".join(
        f"<div class='entry'><span class='time'>1{n}:0{n}</span><h3>Update {n} from the harbour</h3><p>{text}</p></div>"
        for n, text in enumerate(ENGLISH.paragraphs)
    )
    text = text_of(page(ENGLISH, f"<div class='ticker'>{entries}</div>"))
    assert [line for line in ENGLISH.paragraphs if line not in text] == []
    assert ENGLISH.notice not in text


def test_evidence_confidence_and_blocks() -> None:
    extraction = extract(page(ENGLISH, paragraphs(ENGLISH), after=comments(ENGLISH)), method="news")
    assert extraction.confidence > 0.8
    assert any("lines are body" in reason for reason in extraction.evidence)
    main = "\n".join(block.text for block in extraction.blocks if block.label == "main")
    assert [line for line in extraction.text.splitlines() if line not in main] == []
    assert ENGLISH.paragraphs[0] in main
    related = [block for block in extraction.blocks if block.label == "related"]
    assert any(ENGLISH.related[0] in block.text for block in related)
    assert all(0 <= block.confidence <= 1 for block in extraction.blocks)


def test_a_title_that_was_never_closed() -> None:
    whole = page(ENGLISH, paragraphs(ENGLISH))
    broken = whole.replace("</title></head>", "")
    assert text_of(broken).splitlines() == list(ENGLISH.paragraphs)
