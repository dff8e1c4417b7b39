"""Stories without what is said of those who made them, and without what a page puts between their paragraphs."""

from __future__ import annotations

import pytest

from newscrawl.extractors import extract

STORIES = {
    "en": ("Harbor lights burn again", "By Grace Lin", "Grace Lin", "The lights of the harbor burn again after years."),
    "de": ("Wieder Licht im Hafen", "Von Anna Muster", "Anna Muster", "Im Hafen brennt nach Jahren wieder Licht."),
    "es": ("Vuelve la luz al puerto", "Por Lucía Ferrer", "Lucía Ferrer", "El puerto vuelve a tener luz tras años."),
    "ru": ("В порту снова свет", "Автор: Сергей Белов", "Сергей Белов", "В порту снова горит свет после ремонта."),
    "id": (
        "Lampu pelabuhan menyala",
        "Penulis: Budi Santoso",
        "Budi Santoso",
        "Lampu pelabuhan kembali menyala di malam.",
    ),
    "pl": ("Port znów ma światło", "Autor: Jan Kowal", "Jan Kowal", "W porcie po latach znów zapalono światła."),
}
ABOUT = {
    "en": "{} covers the coast for the Ledger. Reach the reporter at news@ledger.example.",
    "de": "{} schreibt für den Boten über die Küste und lebt in Rostock.",
    "es": "{} es redactora del Diario y escribe sobre la costa desde 2009.",
    "ru": "{} — журналист, пишет о реке и портах с 1999 года.",
    "id": "{} adalah wartawan yang meliput pesisir sejak tahun 2010.",
    "pl": "{} jest dziennikarzem i od lat pisze o wybrzeżu.",
}


def page(language: str, main: str, *, byline: str | None = None) -> str:
    headline, printed, _, _ = STORIES[language]
    return (
        f'<html lang="{language}"><head><title>{headline} | Ledger</title></head><body><nav><a href="/">Ledger</a>'
        f'<a href="/a">A</a></nav><article><h1>{headline}</h1><div>{printed if byline is None else byline}</div>'
        f'<div>2024-05-30 14:00</div>{main}</article><aside><a href="/b">Another story of the coast and its towns</a>'
        "</aside><footer>© Ledger</footer></body></html>"
    )


def text(html: str) -> list[str]:
    return extract(html, url="https://ledger.example/coast/harbor-lights-8786.html").text.split("\n")


@pytest.mark.parametrize("language", STORIES)
def test_a_note_on_the_author_is_not_the_story(language: str) -> None:
    _, _, name, story = STORIES[language]
    about = f'<p class="x">{ABOUT[language].format(name)}</p>'
    assert text(page(language, f"<p>{story}</p>{about}")) == [story]
    shown = f'<figure><img src="/a.jpg" width="900" height="600"><figcaption>{story}</figcaption></figure>'
    assert text(page(language, shown + about)) == [story]
    assert text(page(language, f"<p>{story}</p><p>{story[:-1]}, {name}.</p>"))[-1] == f"{story[:-1]}, {name}."


BYLINES = (
    '<p class="byline">{name} Harbor Ledger-Courier</p>',
    '<div class="author-line">{name}, Ledger Courier Group News</div>',
)


@pytest.mark.parametrize("byline", BYLINES)
@pytest.mark.parametrize("language", STORIES)
def test_a_note_on_an_author_who_is_named_with_the_paper_is_not_the_story(language: str, byline: str) -> None:
    _, _, name, story = STORIES[language]
    about = f"<p>{ABOUT[language].format(name)}</p>"
    assert text(page(language, f"<p>{story}</p>{about}", byline=byline.format(name=name))) == [story]


@pytest.mark.parametrize("language", STORIES)
def test_a_box_about_the_author_is_not_the_story(language: str) -> None:
    _, _, name, story = STORIES[language]
    told = [f"{story} ({n})" for n in range(4)]
    body = "".join(f"<p>{line}</p>" for line in told)
    more = ABOUT[language].format("").strip(" —")
    box = f'<div class="bx"><p><b>{name}</b></p><p>{more}</p><p>{story[::-1]}</p></div>'
    assert text(page(language, f"<div>{body}</div>{box}")) == told
    talk = "".join(f"<p><b>{name}</b></p><p>{line}</p>" for line in told)
    assert [line for line in text(page(language, f"<div>{body}</div><div>{talk}</div>")) if line == told[3]]


@pytest.mark.parametrize("language", STORIES)
def test_what_somebody_else_says_and_an_interview_stay(language: str) -> None:
    _, _, name, story = STORIES[language]
    other = ABOUT[language].format("Olga Novak")
    assert text(page(language, f"<p>{story}</p><p>{other}</p>")) == [story, other]
    said = f"{ABOUT[language].format(name)} “{story}”"
    assert text(page(language, f"<p>{story[::-1]}.</p><p>{said}</p>"))[-1] == said
    asked = [f"{name}: {story}", f"Olga Novak: {story[::-1]}.", f"{name}: {story[:-1]}?"]
    assert text(page(language, f"<p>{story}</p>" + "".join(f"<p>{line}</p>" for line in asked)))[1:] == asked


@pytest.mark.parametrize(
    ("language", "printed"),
    [
        ("id", "Penulis: Budi Santoso | Editor: Siti Rahma"),
        ("en", "Author: Grace Lin | Editor: Tom Hill | Photos: Ann Lee"),
        ("de", "Text: Anna Muster | Fotos: Jan Kühn"),
        ("ru", "Автор: Сергей Белов · Редактор: Ольга Лис"),
        ("pl", "Autor: Jan Kowal"),
        ("es", "Autor: Lucía Ferrer"),
    ],
)
def test_who_wrote_it_is_not_the_story(language: str, printed: str) -> None:
    story = STORIES[language][3]
    assert text(page(language, f"<p>{printed}</p><p>{story}</p>", byline="")) == [story]


EMPTY = '<div class="b"><span>{}</span><div id="s{}"></div></div>'


@pytest.mark.parametrize("label", ["Advertisement", "广告", "広告", "– Anzeige –", "РЕКЛАМА", "إعلان", "โฆษณา"])
def test_the_label_of_an_advertisement_is_not_the_story(label: str) -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(3)]
    between = [f"<p>{told[0]}</p><div class=b>{label}</div><p>{told[1]}</p><p>{told[2]}</p>"]
    unknown = [f"<p>{line}</p>{EMPTY.format('Xyzzy', n)}" for n, line in enumerate(told)]
    assert text(page("en", "".join(between))) == told
    assert text(page("en", "".join(unknown))) == told
    spoken = [f"<p><b>Olga</b><br></p><p>{line}</p>" for line in told]
    assert text(page("en", "".join(spoken))).count("Olga") >= 2


@pytest.mark.parametrize(
    "said",
    [
        "法院聘请的农技专家认为，两块地之间没有按规定留出二十米缓冲带，不论风向如何，作业方都有过错。",
        "The case was brought by two newcomers who had counted 212 crowings in a single week.",
        "Das Gericht hatte die Klage schon im vergangenen Herbst in erster Instanz abgewiesen.",
        "इस मामले की सुनवाई पिछले साल जिले की अदालत में तीन बार टाली जा चुकी थी।",
    ],
)
def test_a_sentence_of_the_story_may_be_a_link(said: str) -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(3)]
    linked = f'<p><a href="/2024/earlier-story.html"><b>{said}</b></a></p>'
    assert text(page("en", f"<p>{told[0]}</p>{linked}<p>{told[1]}</p><p>{told[2]}</p>")) == [told[0], said, *told[1:]]


def test_readings_beside_characters_and_entities_escaped_twice_are_not_in_the_text() -> None:
    story = STORIES["en"][3]
    ruby = "<p>今年头一茬<ruby>槐花<rp>(</rp><rt>huái huā</rt><rp>)</rp></ruby>蜜割了一千一百斤，卖得的钱归护林员。</p>"
    told = "<p>Costs of &amp;pound;340 were split, said Tom &amp;amp; Anna&amp;#8217;s lawyer in the court.</p>"
    assert text(page("en", f"<p>{story}</p>{ruby}{told}")) == [
        story,
        "今年头一茬槐花蜜割了一千一百斤，卖得的钱归护林员。",
        "Costs of £340 were split, said Tom & Anna’s lawyer in the court.",
    ]
    code = "<p>Write <code>&amp;nbsp;</code> where a line must not break, and &amp;lt; for a sign that is smaller.</p>"
    assert "&nbsp;" in text(page("en", f"<p>{story}</p>{code}"))[1]


def test_another_story_above_the_headline_is_not_the_story() -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(3)]
    other = "".join(
        f"<p>A sleeping hedgehog closed the fish market for {n} hours, a warden said.</p>" for n in range(3)
    )
    body = page("en", "".join(f"<p>{line}</p>" for line in told))
    titled = f"<div class=top><h2><a href=/n/9.html>A hedgehog closes the fish market</a></h2>{other}</div><nav>"
    assert text(body.replace("<nav>", titled)) == told
    assert len(text(body.replace("<nav>", f"<section>{other}</section><nav>"))) >= len(told) + 3


@pytest.mark.parametrize("tag", ["font", "small", "em", "span"])
def test_a_caption_between_breaks_is_not_the_story(tag: str) -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(3)]
    line = f"<br><{tag} class=c>The harbor on Tuesday</{tag}><br>"
    assert text(page("en", f"<div>{told[0]}<br><img src=/a.jpg>{line}{told[1]}<br><br>{told[2]}</div>")) == told
    assert "The harbor on Tuesday" in text(page("en", f"<div>{told[0]}{line}{told[1]}<br><br>{told[2]}</div>"))


@pytest.mark.parametrize("label", ["余下全文（1/3）", "点击空白处展开", "Weiterlesen …", "더보기", "Читать далее »"])
@pytest.mark.parametrize("hidden", ["display:none", "height:0;overflow:hidden"])
def test_the_rest_of_a_text_is_behind_a_label_that_says_so(label: str, hidden: str) -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(4)]
    rest = f'<div style="{hidden}"><p>{told[2]}</p><p>{told[3]}</p></div>'
    body = f"<p>{told[0]}</p><p>{told[1]}</p>{rest}"
    assert text(page("en", f"{body}<div>{label}</div>")) == told
    assert text(page("en", f"{body}<div>Xyzzy</div>"))[:2] == told[:2]


NEXT = {
    "en": "Up next: next article",
    "de": "Nächster Artikel",
    "es": "Siguiente noticia",
    "ru": "Следующая новость",
    "id": "Berita selanjutnya",
    "pl": "Następny artykuł",
}


@pytest.mark.parametrize("language", STORIES)
def test_the_next_story_below_the_first_is_not_the_story(language: str) -> None:
    told = [f"{STORIES[language][3]} ({n})" for n in range(4)]
    other = "".join(f"<p>{STORIES[language][3][:-1]}, {n} times over.</p>" for n in range(30, 33))
    below = (
        f"<section data-url=/n/2><h1>Another one of these</h1><div>{other}</div></section>",
        f"<article class=post><h1>Another one of these</h1><div>{other}</div></article>",
        f"<div>{NEXT[language]}</div><div class=more><div><h2>Another one of these</h2></div>{other}</div>",
    )
    whole = page(language, "".join(f"<p>{line}</p>" for line in told))
    for more in below:
        assert text(whole.replace("</article>", f"</article>{more}", 1)) == told
    part = f"<section><h2>Another one of these</h2>{other}</section>"
    assert len(text(whole.replace("</article>", f"{part}</article>", 1))) > len(told) + 2


TOOLS = {
    "en": ("Listen to this article 0:00 / 4:51", "5 min read", "Font size: A A+", "Save article Print"),
    "de": ("Artikel anhören", "Lesezeit: 3 Minuten", "Schriftgröße A A A", "Merken Drucken"),
    "es": ("Escuchar noticia", "Tiempo de lectura: 3 min", "Tamaño de letra A+ A-", "Guardar Compartir"),
    "ru": ("Прослушать новость", "Время чтения: 3 мин", "Размер шрифта А А", "В избранное"),
    "id": ("Dengarkan artikel", "Waktu baca 3 menit", "Ukuran huruf A A", "Simpan artikel"),
    "pl": ("Posłuchaj artykułu", "Czas czytania: 3 minuty", "Rozmiar czcionki A A", "Zapisz na później"),
}


@pytest.mark.parametrize("language", STORIES)
def test_controls_of_a_page_are_not_the_story(language: str) -> None:
    told = [f"{STORIES[language][3]} ({n})" for n in range(4)]
    first, second, third, last = TOOLS[language]
    above = f"<div>{first}</div><div>{second}</div><p>{third}</p>"
    body = f"{above}<p>{told[0]}</p><p>{told[1]}</p><p><button>{last}</button></p><p>{told[2]}</p><p>{told[3]}</p>"
    assert text(page(language, f"<div>{body}</div>")) == told


def test_lines_of_toolbars_and_buttons_are_not_the_story() -> None:
    told = [f"{STORIES['en'][3]} ({n})" for n in range(4)]
    bar = '<div class="tool-bar"><span>Xyzzy</span></div><p><button>Frobnicate</button></p>'
    middle = f"<p>{told[0]}</p><p>{told[1]}</p>{bar}<p>{told[2]}</p><p>{told[3]}</p>"
    assert text(page("en", f"<div>{middle}</div>")) == told


def test_terms_in_an_element_beside_the_story_are_not_the_story() -> None:
    told = [
        "周六傍晚，县剧团把舞台搭在一条退役的渡船上，船停在江心，两岸的观众各坐一边，听完了一出戏。",
        "剧团团长说，两个村子隔江相望，从前每年为了请戏先到哪一边总要争，这次干脆谁也不偏。",
    ]
    terms = (
        "一、本协议是您与本平台之间就账号注册、使用及相关服务所订立的协议，请您审慎阅读并选择接受或不接受。",
        "二、您不得利用本平台制作、复制、发布含有违法内容的信息，否则本平台有权暂停或终止向您提供服务。",
    )
    body, beside = ("".join(f"<p>{line}</p>" for line in lines) for lines in (told, terms))
    assert text(page("en", f"<div>{body}</div><div class=login-pop><h4>用户注册协议</h4>{beside}</div>"))[:2] == told
    assert terms[1] not in text(page("en", f"<div>{body}</div><div class=login-pop>{beside}</div>"))
