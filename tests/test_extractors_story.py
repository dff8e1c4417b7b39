"""The story, the whole story, and nothing else: kinds of pages that were read wrongly, in several languages."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import escape

import pytest

from newscrawl.extractors import extract
from newscrawl.items import Comment
from newscrawl.read.model import RawPage, Wants
from newscrawl.read.read import PageReader
from tests.told_stories import LANGUAGES, STORIES, page_of, told

URL = "https://www.news-example.org/2024/06/some-story.html"


def text_of(page: str) -> list[str]:
    return extract(page, url=URL).text.split("\n")


def check(code: str, page: str, *more: str) -> None:
    """Compare the text with the story's paragraphs, and others that belong to it."""
    found = text_of(page)
    expected = list(STORIES[code].paragraphs)
    assert [line for line in found if line not in more] == expected
    assert all(line in found for line in more)


POINTERS = (
    '<p>{label} <a href="/n/1.html">{title}</a></p>',
    '<p><strong>{label} <a href="https://www.news-example.org/2024/05/x.html">{title}</a></strong></p>',
    '<div class="rb"><span>{label}</span> <a href="../05/other.html">{title}</a></div>',
    '<p><b>{label}</b></p><ul><li><a href="/n/2.html">{title}</a></li></ul>',
    '<p><em><a href="/n/1.html">{title}</a></em></p>',
    '<blockquote><p>{label} <a href="/n/1.html">{title}</a></p></blockquote>',
)


@pytest.mark.parametrize("form", range(len(POINTERS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_lines_to_other_stories_are_no_text(code: str, form: int) -> None:
    lines = [POINTERS[form].format(label=STORIES[code].label, title=title) for title in STORIES[code].others]
    check(code, page_of(code, told(code, (2, lines[0]), (4, lines[1]))))


BEGINNINGS = (
    '<div class="rb"><h4>{label}</h4><a href="/n/{at}.html"><img src="/1.jpg"><b>{title}</b></a><p>{more}</p></div>',
    '<aside><h3>{label}</h3><p><a href="/n/{at}.html">{title}</a></p><p>{more}</p></aside>',
    '<div style="float:left"><a href="/n/{at}.html"><b>{title}</b></a><br><small>{more}</small></div>',
    '<table><tr><td>{label}<tr><td><a href="/n/{at}.html">{title}</a><tr><td>{more}</td></tr></table>',
    '<div class="card"><a href="/n/{at}.html"><div class="t">{title}</div><div class="d">{more}</div></a></div>',
)


@pytest.mark.parametrize("form", range(len(BEGINNINGS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_boxes_with_how_other_stories_begin_are_no_text(code: str, form: int) -> None:
    story = STORIES[code]
    paragraphs = story.paragraphs[:3]
    beginnings = [re.split(r"(?<=[.。])", told)[0] for told in story.paragraphs[3:]]
    boxes = [
        BEGINNINGS[form].format(label=story.label, at=at, title=title, more=more)
        for at, (title, more) in enumerate(zip(story.others, beginnings, strict=True), 1)
    ]
    body = "".join(f"<p>{told}</p>{box}" for told, box in zip(paragraphs, [*boxes, ""], strict=True))
    assert text_of(page_of(code, body)) == paragraphs


def test_linked_headings_of_a_stories_own_parts_stay() -> None:
    """Side by side they are a list; a link at the end of a part is the part's own."""
    story = STORIES["en"]
    parts = [f"<p>{told}</p>" for told in story.paragraphs]
    headed = "".join(
        f'<div class="item"><h3><a href="/p/{at}.html">{title}</a></h3>{part}</div>'
        for at, (title, part) in enumerate(zip([*story.others, *story.others], parts[1:], strict=True))
    )
    assert set(story.paragraphs) <= set(text_of(page_of("en", parts[0] + headed)))
    link = '<figure><a href="/pictures/12.html">The reading room after the storm of that winter</a></figure>'
    blocks = "".join(f'<div class="block">{part}{link}</div>' for part in parts)
    assert set(story.paragraphs) <= set(text_of(page_of("en", blocks)))


COMMENTS = (
    "<dl><dt>mika{at} · 2024-04-04 09:5{at}</dt><dd>{said}</dd></dl>",
    "<article><header><span>mika{at}</span> <time>2024-04-04 09:5{at}</time></header><div>{said}</div></article>",
    '<div class="msg"><b>mika{at}</b> <i>2024-04-04 19:3{at}</i><p>{said}</p></div>',
)


@pytest.mark.parametrize("form", range(len(COMMENTS)))
@pytest.mark.parametrize(
    ("code", "heading", "said"),
    [
        ("zh", "网友评论 (4)", "写得太好了，我老家就在{}村，离开{}年了"),
        ("zh", "最新评论（4条）", "{}楼的说得对，能不能说说后来怎么样"),
        ("en", "Latest comments (4)", "I grew up there and have not been back for {} years. Who has?"),
    ],
)
def test_a_counted_heading_may_say_which_comments_follow(code: str, heading: str, said: str, form: int) -> None:
    comments = "".join(COMMENTS[form].format(at=at, said=said.format(at + 3, at + 11)) for at in range(4))
    check(code, page_of(code, f"{told(code)}<div><h4>{heading}</h4>{comments}</div>"))


@pytest.mark.parametrize("form", ["<p>({label} {title})</p>", "<p>{label} “{title}”</p>"])
@pytest.mark.parametrize("code", ["en", "de", "zh", "ru", "es"])
def test_the_headline_of_another_story_is_no_text_where_it_is_linked_elsewhere(code: str, form: str) -> None:
    story = STORIES[code]
    label = story.label.rstrip(" :：") + ":"
    check(code, page_of(code, told(code, (2, form.format(label=label, title=story.others[0])))))
    other = form.format(label=f"{story.title[:6]}:", title=story.paragraphs[4][:30])
    assert len(text_of(page_of(code, told(code, (2, other))))) == 6


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_known_label_needs_no_long_headline_behind_it(code: str) -> None:
    word = STORIES[code].others[0].split()[0][:8]
    line = POINTERS[1].format(label=STORIES[code].label, title=word)
    check(code, page_of(code, told(code, (2, line))))


@pytest.mark.parametrize("label", ["<h2>{}</h2>", "<p><b>{}</b></p>", "<h3>{}:</h3>"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_sentences_listed_below_a_label_are_no_text(code: str, label: str) -> None:
    story = STORIES[code]
    items = "".join(f'<li><p>{text[: len(text) // 2]}. <a href="/n/{at}.html">{text[len(text) // 2 :]}</a></p></li>'
                    for at, text in enumerate([*story.others, STORIES["en"].paragraphs[1]]))  # fmt: skip
    listed = label.format(story.label.strip(" :：")) + f"<ul>{items}</ul>"
    check(code, page_of(code, told(code, (3, listed))))


KEPT = (
    'The island council publishes <a href="/council/minutes.html">the minutes of all its meetings</a> on Fridays.',
    '<a href="/team/anna.html">Anna Marr</a> and her brother built the shelves in the winter before last.',
    '<strong><a href="https://other-site.org/report.pdf">The report of the fire brigade</a></strong> says otherwise.',
)


@pytest.mark.parametrize("line", KEPT)
def test_sentences_with_links_stay(line: str) -> None:
    page = page_of("en", told("en", (2, f"<p>{line}</p>")))
    assert len(text_of(page)) == 6


def test_headlines_of_a_list_stay() -> None:
    items = "".join(f'<p><a href="/n/{at}.html">Story number {at} of the week</a></p><p>{text}</p>'
                    for at, text in enumerate(STORIES["en"].paragraphs))  # fmt: skip
    assert not [line for line in extract(page_of("en", items), url=URL).left_out if "story" in line.reason]


@pytest.mark.parametrize("code", LANGUAGES)
def test_copies_for_other_screens_are_one_text(code: str) -> None:
    copies = f'<div class="wide">{told(code)}</div><div class="narrow">{told(code)}</div>'
    check(code, page_of(code, copies))


QUOTES = (
    "<blockquote>{part}</blockquote>", '<aside class="pull"><p>“{part}”</p></aside>', "<figure><p>{part}</p></figure>",
    '<div class="q"><span>„{part}“</span></div>',
)  # fmt: skip
COPIES = ("<aside><p>{}</p></aside>", '<div class="narrow">{}</div>', '<section class="again"><p>{}</p></section>')


@pytest.mark.parametrize("copy", COPIES)
@pytest.mark.parametrize("code", ["en", "zh", "ru", "ar"])
def test_a_paragraph_set_beside_itself_is_told_once(code: str, copy: str) -> None:
    check(code, page_of(code, told(code, (3, copy.format(STORIES[code].paragraphs[2])))))


@pytest.mark.parametrize("form", range(len(QUOTES)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_pull_quotes_are_told_once(code: str, form: int) -> None:
    sentence = STORIES[code].paragraphs[3]
    cut = sentence[: len(sentence) * 2 // 3].rstrip(" ,，、،")
    check(code, page_of(code, told(code, (2 + form % 3, QUOTES[form].format(part=cut)))))


SUMMARIES = (
    '<div class="summary">{text}</div>',
    '<p class="standfirst"><strong>{text}</strong></p>',
    '<div class="zy">{label}：{text}</div>',
    "<p>{label}: {text}</p>",
    "<p>{cut}…</p>",
    "<p>{cut} [...]</p>",
)


@pytest.mark.parametrize("form", range(len(SUMMARIES)))
@pytest.mark.parametrize("code", ["en", "de", "zh", "ja", "ko", "ru", "ar"])
def test_summaries_that_repeat_the_lead_are_told_once(code: str, form: int) -> None:
    lead = STORIES[code].paragraphs[0]
    label = {"zh": "摘要", "ja": "要旨", "ko": "요약", "ru": "Кратко", "ar": "ملخص"}.get(code, "Abstract")
    summary = SUMMARIES[form].format(text=lead, label=label, cut=lead[: len(lead) // 2])
    check(code, page_of(code, summary + told(code)))


HEADLINES = ("<p>{}</p>", "<p><strong>{}</strong></p>", '<div class="t">{}</div>', "<h2>{}</h2>", "<p>【{}】</p>")


@pytest.mark.parametrize("form", range(len(HEADLINES)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_headline_is_no_line_of_the_text(code: str, form: int) -> None:
    again = HEADLINES[form].format(STORIES[code].title)
    check(code, page_of(code, again + told(code)))
    check(code, page_of(code, told(code, (2, again))))


def test_a_headline_that_only_the_head_states_is_no_line_of_the_text() -> None:
    title = STORIES["en"].title
    page = page_of("en", told("en", (3, f"<p>{title}</p>"))).replace(f"<h1>{title}</h1>", "")
    stated = f'<title>Example</title><meta property="og:title" content="{title}">'
    reading = extract(page.replace(f"<title>{title} - Example</title>", stated), url=URL)
    assert reading.article is not None
    assert reading.article.headline == title
    assert reading.text.split("\n") == STORIES["en"].paragraphs
    assert reading.article.articleBody == reading.text
    assert title not in reading.markdown


@pytest.mark.parametrize(
    "lines",
    [
        ["Row, row, row your boat,", "Gently down the stream.", "Row, row, row your boat,", "Merrily, merrily."],
        ["“No,” he said.", "“Why not?”", "“No,” he said.", "She laughed."],
    ],
)
def test_verse_and_speech_may_repeat(lines: list[str]) -> None:
    verse = "".join(f"<p>{line}</p>" for line in lines)
    found = text_of(page_of("en", told("en", (2, verse))))
    assert [line for line in found if line in lines] == lines


@pytest.mark.parametrize("code", ["en", "zh", "ru"])
def test_what_one_column_says_twice_stays(code: str) -> None:
    """A resolution repeats a clause, and a page that prints a story twice has it twice."""
    clause = STORIES[code].paragraphs[2]
    assert text_of(page_of(code, told(code, (5, f"<p>{clause}</p>")))).count(clause) == 2
    assert text_of(page_of(code, told(code) + told(code))) == 2 * STORIES[code].paragraphs


STORIES_BELOW = (
    '<article class="post"><h1>{title}</h1>{text}</article>',
    '<div class="story s{n}"><div class="head"><h1 class="hl">{title}</h1></div><div class="body">{text}</div></div>',
    '<section><header><h1 id="t{n}">{title}</h1><p>5 May 2024</p></header>{text}</section>',
    '<div class="unit"><div class="cover"><h1>{title}</h1><time>now</time></div><article>{text}</article></div>',
    '<div class="item" data-url="/n/{n}.html"><h2>{title}</h2><div>{text}</div></div>',
)


@pytest.mark.parametrize("form", range(len(STORIES_BELOW)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_stories_told_below_are_no_text(code: str, form: int) -> None:
    """A site that loads one story after the other tells the first of the next ones in the same page."""
    others = [("en" if code == "de" else "de"), ("fr" if code == "es" else "es")]
    shown = "<!>".join(STORIES_BELOW[form].format(n=n, title=STORIES[of].title, text=told(of))
                       for n, of in enumerate([code, *others]))  # fmt: skip
    page = page_of(code, shown.replace("<!>", "")).replace(f"<h1>{STORIES[code].title}</h1>", "", 1)
    untitled = page.replace(f"<title>{STORIES[code].title}", "<title>Live")
    before = page_of(code, "".join(reversed(shown.split("<!>")))).replace(f"<h1>{STORIES[code].title}</h1>", "", 1)
    for named in (page, untitled) if form in {2, 3} else (page, before) if form < 2 else (page,):
        assert not set(text_of(named)) & set(STORIES[others[0]].paragraphs + STORIES[others[1]].paragraphs)
        assert set(STORIES[code].paragraphs) <= set(text_of(named))


STORIES_WITHIN = (
    '<div class="unit"><h3 class="ttl">{title}</h3><p class="d">4.05.2024</p><div class="txt">{text}</div>{more}</div>',
    '<div class="box"><div class="hd"><h2>{title}</h2></div><small>2024-05-04</small><div>{text}</div>{more}</div>',
    '<section class="art"><header><h2 class="hl">{title}</h2></header><div class="copy">{text}</div>{more}</section>',
    '<div><font size="4"><b>{title}</b></font><table><tr><td class="t">{text}</td></tr></table><div>{more}</div></div>',
    "<main><h1>{title}</h1><div>{text}</div><next-story><h2>{other}</h2><i>2024-05-04</i>{more}</next-story></main>",
    '<main><h1>{title}</h1>{text}<div class="ReadNext"><h4><a href="/n/1.html">{other}</a></h4>{more}</div></main>',
    '<h1>{title}</h1><div><h4>{other}</h4>{more}<a href="/n/1.html">{unfold}</a></div><div>{text}</div>',
    '<h1>{title}</h1><ul><a href="/1.html">{other}</a>{more}<a href="/1.html">&gt;&gt;</a></ul><div>{text}</div>',
)


@pytest.mark.parametrize("form", range(len(STORIES_WITHIN)))
@pytest.mark.parametrize("code", ["en", "de", "es", "pl", "ru", "zh", "ja", "ko", "ar", "vi"])
def test_stories_told_within_the_element_of_the_first_are_no_text(code: str, form: int) -> None:
    story, markup = STORIES[code], STORIES_WITHIN[form]
    text, more = ("".join(f"<p>{line}</p>" for line in part) for part in (story.paragraphs[:4], story.paragraphs[4:]))
    inside = markup.format(title=story.others[0], text=more, more="") if form < 4 else more
    shown = markup.format(title=story.title, text=text, other=story.others[0], more=inside, unfold=story.unfold)
    page = page_of(code, shown).replace(f"<h1>{story.title}</h1>", "", 1)
    assert text_of(page) == story.paragraphs[:4]


@pytest.mark.parametrize("code", LANGUAGES)
def test_parts_of_the_form_of_the_story_are_text(code: str) -> None:
    part = '<div class="part"><h2 class="hl">{}</h2><div class="copy"><p>{}</p><p>{}</p></div></div>'
    story = STORIES[code]
    heads = [story.title, *story.others]
    parts = [part.format(head, *story.paragraphs[2 * at : 2 * at + 2], "") for at, head in enumerate(heads)]
    found = text_of(page_of(code, "".join(parts)).replace(f"<h1>{story.title}</h1>", "", 1))
    assert [line for line in found if line in story.paragraphs] == story.paragraphs


@pytest.mark.parametrize("label", ["<b>{}</b>", "<strong>{}</strong> ", "<span>{}:</span>"])
@pytest.mark.parametrize(("code", "word"), [("zh", "核心提示"), ("ja", "要旨"), ("en", "In brief"), ("ru", "Коротко")])
def test_a_summary_behind_a_label_that_the_story_repeats_is_no_text(code: str, word: str, label: str) -> None:
    first = STORIES[code].paragraphs[0]
    summary = label.format(word) + first[: len(first) * 3 // 4]
    check(code, page_of(code, f'<div class="lead">{summary}</div><div class="copy">{told(code)}</div>'))


@pytest.mark.parametrize(
    ("code", "said"), [("zh", "茶价十年没有变"), ("ja", "座り心地が良い"), ("ko", "책은 비를 싫어한다")]
)
def test_a_short_pull_quote_is_told_once(code: str, said: str) -> None:
    line = f"“{said}。” {STORIES[code].paragraphs[4]}"
    quote = f'<blockquote class="pull">“{said}。”</blockquote><p>{line}</p>'
    check(code, page_of(code, told(code, (4, quote))), line)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_text_of_a_second_body_is_the_story(code: str) -> None:
    check(code, page_of(code, f"</body><body>{told(code)}"))


LABELS = (
    '<div class="subs"><span>{}</span><span>{}</span></div>',
    '<div class="x7"><i>{}</i> <b>{}</b><em>1.5×</em></div>',
    '<section class="bar"><u>{}</u><span>{}</span></section>',
)


@pytest.mark.parametrize("form", LABELS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_rows_of_labels_set_apart_are_no_text(code: str, form: str) -> None:
    words = [other.split()[-1][-9:] for other in STORIES[code].others]
    check(code, page_of(code, told(code, (3, form.format(*words)))))
    said = f"<p><b>{words[0]}</b> <i>{words[1]}</i></p>"
    assert len(text_of(page_of(code, "".join(f"{said}<p>{line}</p>" for line in STORIES[code].paragraphs)))) > 6


TEASERS = (
    '<li class="item"><h3><a href="/n/{n}.html">{title}</a></h3><p>{text}</p></li>',
    '<div class="card"><a href="/n/{n}.html">{title}</a><div class="sum">{text}</div><span>10:0{n}</span></div>',
)


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("box", TEASERS)
@pytest.mark.parametrize("code", ["en", "zh", "ru", "ar", "fr"])
def test_how_other_stories_begin_is_no_text(code: str, box: str, above: bool) -> None:
    others = [of for of in LANGUAGES if of != code][:6]
    boxes = "".join(box.format(n=n, title=STORIES[of].title, text=STORIES[of].paragraphs[0])
                    for n, of in enumerate(others))  # fmt: skip
    listed = f"<div><ul>{boxes}</ul></div>"
    check(code, page_of(code, told(code), before=listed if above else "", after="" if above else listed))


OPENERS = (
    "<details><summary>{more}</summary>{rest}</details>",
    '<p><span onclick="more()">{more}</span></p><div hidden>{rest}</div>',
    '<div role="button">{more}</div><div style="display:none">{rest}</div>',
    '<label for="t">{more}</label><input id="t" type="checkbox"><div hidden>{rest}</div>',
    '<div><div style="display:none">{rest}</div></div><p role="button">{more}</p>',
)


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("code", ["en", "zh", "ru", "ar", "de"])
def test_what_is_clicked_to_read_on_is_no_text(code: str, opener: str) -> None:
    paragraphs = [f"<p>{text}</p>" for text in STORIES[code].paragraphs]
    rest = opener.format(more=STORIES[code].unfold, rest="".join(paragraphs[3:]))
    check(code, page_of(code, "".join(paragraphs[:3]) + rest))


@pytest.mark.parametrize("code", ["en", "zh", "ru", "ar"])
def test_a_story_hidden_until_scripts_run_is_the_text(code: str) -> None:
    check(code, page_of(code, f'<div style="display:none">{told(code)}</div>'))


@pytest.mark.parametrize("code", ["en", "zh", "ru"])
def test_parts_with_headings_of_the_first_rank_are_text(code: str) -> None:
    parts = "".join(f"<section><h1>{other}</h1><p>{STORIES[code].paragraphs[at]}</p></section>"
                    for at, other in enumerate(STORIES["fr"].others, 3))  # fmt: skip
    lead = "".join(f"<p>{text}</p>" for text in STORIES[code].paragraphs[:3])
    found = text_of(page_of(code, lead + parts))
    assert [line for line in found if line in STORIES[code].paragraphs] == STORIES[code].paragraphs


@pytest.mark.parametrize(
    "credit", ["编辑：张瑜", "责任编辑：李秀中", "Editor: Anna Marr", "Redaktion: Jan Weber", "Foto: Eva Lind"]
)
def test_who_edited_a_story_stands_behind_it(credit: str) -> None:
    code = "zh" if credit[0] > "z" else "en"
    check(code, page_of(code, told(code) + f"<p>{credit}</p>"))


THREADS = (
    ('<section id="talk"><h2>{head}</h2><ul>{items}</ul></section>',
     '<li class="tk"><div><b>{name}</b> <span>{ago}</span> <a href="#r">{reply}</a></div><p>{text}</p></li>'),
    ('<div id="disc"><h3>{head}</h3>{items}</div>',
     ('<div class="pst"><div class="h"><a href="/u/{name}">{name}</a> · <time>{ago}</time></div><div class="b">{text}'
     '</div><button>{reply}</button></div>')),
    ('<div class="comments-area"><ol class="commentlist">{items}</ol></div>',
     ('<li class="comment"><cite>{name}</cite> <time>2024-06-05 10:1{n}</time><p>{text}</p>'
     '<a href="#x">{reply}</a></li>')),
)  # fmt: skip


SIGNED = (
    ('<ul class="avis">{}</ul>', '<li class="av"><div>{name} <em>2024-06-0{n} 12:0{n}</em></div><p>{text}</p></li>'),
    ('<table class="tc">{}</table>', '<tr class="r"><td>{name} 0{n}.06.2024<p>{text}</p></td></tr>'),
)  # fmt: skip


CREDITED = (
    ("en", "The shop before it opened. Photo: Ann Lee"), ("de", "Das Haus am Markt (Foto: Jan Kühn)"),
    ("pt", "A loja antes de abrir. Foto: Ana Luz/Prefeitura"), ("zh", "图为村里的书店。 吴秀珍 摄"),
    ("zh", "老人（右）在店里看书。受访者供图"), ("ja", "開店した本屋＝１８日、井出さくら撮影"),
    ("ru", "Лавка до открытия. Фото: Анна Лис"), ("ko", "문을 연 책방. 김서현 제공"),
    ("en", "The shop on Thursday, May 16, 2024. (Colin Farr/Island Press via AP)"), ("es", "La librería. / C. I."),
)  # fmt: skip
PICTURES = (
    '<p><img src="/a.jpg"></p><p class="c">{}</p>',
    '<div><img src="/a.jpg"></div><div>{}</div>',
    '<p align="center"><img src="/a.jpg"></p><p align="center" style="font-size:12px">{}</p>',
)


@pytest.mark.parametrize("form", PICTURES)
@pytest.mark.parametrize(("code", "caption"), CREDITED)
def test_captions_that_say_who_made_the_picture_are_no_text(code: str, caption: str, form: str) -> None:
    check(code, page_of(code, told(code, (2, form.format(caption)))))
    check(code, page_of(code, told(code, (2, f"<p>{caption}</p>"))), caption)


def test_a_paragraph_below_a_picture_stays() -> None:
    for code in LANGUAGES:
        check(code, page_of(code, told(code, (2, '<p><img src="/a.jpg"></p>'))))


BELOW = (
    "<hr><p><b>{head}</b></p><p>{0} <br>// posted by Lulu : 8:41 PM</p><p>{1} <br>// posted by Bob : 9:03 PM</p>",
    "<h4>{head}</h4><p>3 March 2011, Lulu: {0}</p><p>4 March 2011, Bob: {1}</p>",
    "<div><p>{head}</p><p><i>Lulu - 18/05/2009 09:11</i><br>{0}</p><p><i>Bob - 18/05/2009 10:40</i><br>{1}</p></div>",
)


@pytest.mark.parametrize("form", BELOW)
@pytest.mark.parametrize(
    ("code", "head"), [("en", "Comments:"), ("de", "Kommentare"), ("vi", "Ý kiến bạn đọc (2)"), ("ru", "Комментарии")]
)
def test_comments_that_are_signed_in_the_storys_element_are_no_text(code: str, head: str, form: str) -> None:
    said = ["My mother told me of that all her life, and was right.", "Only half joking, it is worse than the other."]
    check(code, page_of(code, told(code) + form.format(*said, head=head)))


@pytest.mark.parametrize("form", ["<div class='lg'>{}</div>", "{}"])
def test_notices_below_a_story_of_one_sentence_are_no_text(form: str) -> None:
    lead = STORIES["zh"].paragraphs[0]
    legal = [
        "凡本网注明“来源：云川新闻网”的所有文字和图片，版权均属云川新闻网所有，未经本网协议授权不得转载。",
        "本网转载出于传递更多信息之目的，并不意味着赞同其观点或证实其内容的真实性。",
        "如本网转载稿涉及版权等问题，请作者在两周内来电或来函联系。",
    ]
    below = form.format("".join(f"<p>{line}</p>" for line in legal))
    assert text_of(page_of("zh", f"<p>{lead}</p>{below}")) == [lead]


@pytest.mark.parametrize("form", range(len(SIGNED)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_items_that_somebody_signed_below_the_story_are_no_text(code: str, form: int) -> None:
    around, item = SIGNED[form]
    said = [f"{text[:60]}!" for text in (*STORIES["fr"].paragraphs[1:4], *STORIES[code].paragraphs[1:3])]
    items = "".join(item.format(name=f"Lulu {n}a", n=n + 1, text=text) for n, text in enumerate(said))
    check(code, page_of(code, told(code), after=around.format(items)))


def test_dated_items_with_a_linked_headline_are_a_list() -> None:
    texts = [f"{text} It is told at length." for text in STORIES["en"].paragraphs]
    rows = "".join(f'<div class="it"><h4><a href="/n/{at}.html">What happened on day {at} of the year</a></h4>'
                   f"<p>1{at}/06/2024 | Town</p><p>{text}</p></div>" for at, text in enumerate(texts))  # fmt: skip
    assert [line for line in text_of(page_of("en", told("en") + rows)) if line in texts] == texts


def test_days_of_a_diary_stay() -> None:
    days = [f"{text} It was a long day." for text in STORIES["en"].paragraphs]
    rows = "".join(f'<li class="d"><p>0{hour}00</p><p>{text}</p></li>' for hour, text in enumerate(days, 6))
    assert [line for line in text_of(page_of("en", told("en") + f"<ul>{rows}</ul>")) if line in days] == days


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("form", range(len(THREADS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_threads_of_comments_are_no_text(code: str, form: int, inside: bool) -> None:
    story = STORIES[code]
    around, item = THREADS[form]
    said = [text for other in ("en", code) for text in STORIES[other].paragraphs[1:4]] * 2
    said = [f"{text[: 40 + 9 * at]}!" for at, text in enumerate(said)]
    items = "".join(item.format(name=f"user_{n}", ago=story.ago, reply=story.reply, text=text, n=n % 10)
                    for n, text in enumerate(said))  # fmt: skip
    thread = around.format(head=story.comments.format(len(said)), items=items)
    body = told(code)
    page = page_of(code, body + thread) if inside else page_of(code, body, after=thread)
    check(code, page)
    comments = extract(page, url=URL).comments
    assert [comment.text for comment in comments] == said
    assert [comment.author for comment in comments] == [f"user_{n}" for n in range(len(said))]
    assert all(comment.datePublished for comment in comments)


def test_an_article_has_its_comments_where_they_are_asked_for() -> None:
    item = {"@type": "Comment", "text": "Well told.", "author": {"name": "Ann"}, "dateCreated": "2024-06-05T10:00:00Z"}
    node = {"@type": "NewsArticle", "headline": STORIES["en"].title, "comment": [item]}
    head = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    page = RawPage(body=page_of("en", told("en"), head=head), url=URL, fetched_at=datetime(2024, 7, 1, tzinfo=UTC))
    said = (Comment(text="Well told.", author="Ann", datePublished="2024-06-05T10:00:00Z"),)
    for wanted in (False, True):
        reading = PageReader(Wants(comments=wanted)).read(page)
        assert reading.comments == (said if wanted else ())
        assert reading.article is not None
        assert reading.article.comments == (said if wanted else ())


def as_ld(text: str, title: str) -> str:
    node = {"@type": "NewsArticle", "headline": title, "articleBody": text, "isAccessibleForFree": False}
    stated = json.dumps({"@context": "https://schema.org", "@graph": [node]})
    return f'<script type="application/ld+json">{stated}</script>'


@pytest.mark.parametrize("shown", [1, 2])
@pytest.mark.parametrize("joined", ["\n", "\n\n", "</p><p>"])
@pytest.mark.parametrize("code", [code for code in LANGUAGES if STORIES[code].offer])
def test_a_teaser_gives_way_to_the_whole_text_in_the_data(code: str, joined: str, shown: int) -> None:
    story = STORIES[code]
    whole = joined.join(story.paragraphs)
    teaser = "".join(f"<p>{text}</p>" for text in story.paragraphs[:shown])
    page = page_of(code, f"{teaser}<div class='w'><p>{story.offer}</p></div>", head=as_ld(whole, story.title))
    check(code, page)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if STORIES[code].offer])
def test_a_standfirst_that_the_data_lack_stands_above_a_teaser(code: str) -> None:
    story = STORIES[code]
    standfirst = "{}. {}, {}.".format(*story.others, story.title)
    widget = '\n[related-item id="7" title="Something else" thumb="false"]\n'
    whole = widget.join(story.paragraphs)
    shown = f"<h2>{standfirst}</h2>" + "".join(f"<p>{text}</p>" for text in story.paragraphs[:2])
    check(code, page_of(code, shown, head=as_ld(whole, story.title)))


@pytest.mark.parametrize("code", ["en", "zh", "de"])
def test_all_strings_of_a_page_together_are_no_story(code: str) -> None:
    story, other = STORIES[code].paragraphs, STORIES["fr"].paragraphs
    data = f'<script type="application/json">{json.dumps([*other, *other, *story, *other])}</script>'
    page = page_of(code, "".join(f"<p>{text}</p>" for text in story)).replace("</body>", f"{data}</body>")
    check(code, page)


def test_signs_that_the_data_write_twice_are_read() -> None:
    title, story = STORIES["fr"].title, [text.replace("'", "’") for text in STORIES["fr"].paragraphs]
    whole = "\n".join(text.replace("’", "&#8217;").replace("é", "&eacute;") for text in story)
    shown = "".join(f"<p>{text}</p>" for text in story[:2])
    assert text_of(page_of("fr", shown, head=as_ld(whole, title))) == story


def test_captions_of_a_gallery_are_no_longer_story() -> None:
    story, rest = STORIES["en"].paragraphs[:3], STORIES["en"].paragraphs[3:]
    captions = [f"{' '.join(story)} {text[:20]}" for text in 2 * rest]
    pictures = json.dumps([{"title": STORIES["en"].title, "text": caption} for caption in captions])
    shown = "".join(f"<p>{text}</p>" for text in story)
    page = page_of("en", shown).replace("</body>", f"<script>var pics = {pictures};</script></body>")
    assert text_of(page) == story


def _scripts(title: str, paragraphs: list[str]) -> dict[str, str]:
    """Return the scripts of several systems that hold a story."""
    html = "".join(f"<p>{text}</p>" for text in paragraphs)
    name, body = json.dumps(title), json.dumps(html)
    elements = [{"type": "text", "content": text} for text in paragraphs]
    elements.insert(2, {"type": "interstitial_link", "content": "Something else to read, and more.", "url": "/x"})
    arc = json.dumps({"headlines": {"basic": title}, "content_elements": elements})
    nodes = [["$", "p", str(at), {"children": text}] for at, text in enumerate(paragraphs)]
    rows = f'0:["$","html",null,{{"lang":"x"}}]\n1:{json.dumps(["$", "article", None, {"children": nodes}])}\n'
    text_rows = f"2:{json.dumps({'title': title, 'body': '$3'})}\n3:T{len(html.encode()):x},{html}"
    editor = json.dumps({"blocks": [{"type": "paragraph", "data": {"text": text}} for text in paragraphs]})
    state = json.dumps({"props": {"post": {"title": title, "html": html}}})
    push, half = "<script>self.__next_f.push([1,{}])</script>", len(rows) // 2
    quoted, quoted_title = html.replace("'", "\\'"), title.replace("'", "\\'")
    return {
        "arc": f'<script>window.F=window.F||{{}};F.deployment="4";F.globalContent={arc};F.x=1;</script>',
        "nuxt": f"<script>window.__NUXT__=(function(a,b,c){{return {{layout:a,data:[{{article:{{id:7,title:{name},"
        f'content:{body},tags:[b,b],hot:!0,none:void 0}}}}],error:c}}}}("default","x",null));</script>',
        "nuxt with statements": f"<script>window.__NUXT__=(function(a,b,c){{c.title=a;c.tags=[1];c.text=b;return {{"
        f"data:[{{a:c}}]}}}}({name},{body},{{}}));</script>",
        "call": f"<script>App.boot('story', {{title: {name}, body: {body}, n: 3,}});</script>",
        "single": f"<script>var d = {{'title': '{quoted_title}', 'content': '{quoted}', list: [1,2,],}};</script>",
        "stream": push.format(json.dumps(rows[:half])) + push.format(json.dumps(rows[half:])),
        "stream of text": push.format(json.dumps(text_rows)),
        "editor": f'<script type="application/json">{json.dumps({"title": title, "content": editor})}</script>',
        "textarea": f'<textarea id="c" style="display:none">{escape(html)}</textarea>',
        "without scripts": f'<div class="lazy"></div><noscript>{html}</noscript>',
        "attribute": f"<news-detail :article='{escape(json.dumps({'title': title, 'content': html}))}'></news-detail>",
        "parse": f"<script>window.__STATE__ = JSON.parse({json.dumps(state)});</script>",
    }


@pytest.mark.parametrize("form", _scripts("", []))
@pytest.mark.parametrize("code", ["en", "de", "zh", "ko", "ar", "fr"])
def test_stories_in_scripts_are_read(code: str, form: str) -> None:
    script = _scripts(STORIES[code].title, STORIES[code].paragraphs)[form]
    check(code, page_of(code, "").replace("</body>", f'<div id="app"></div>{script}</body>'))


UNFOLDED = (
    '{first}<div class="rest" style="display:none">{rest}</div><a href="javascript:void(0)" class="more">{word}</a>',
    '{first}<button aria-expanded="false" aria-controls="rest">{word}</button><div id="rest" hidden>{rest}</div>',
    '{first}<a href="#more-7" data-toggle="x">{word}</a><div id="more-7" style="display: none">{rest}</div>',
    "{first}<details><summary>{word}</summary>{rest}</details>",
    '{first}<div hidden>{rest}</div><div class="op"><span onclick="open_()">{word}</span></div>',
    '{first}<div class="spoiler"><div>{word}</div><div class="spoiler-body" style="display:none">{rest}</div></div>',
)


@pytest.mark.parametrize("form", range(len(UNFOLDED)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_what_a_click_unfolds_is_text(code: str, form: int) -> None:
    parts = [f"<p>{text}</p>" for text in STORIES[code].paragraphs]
    body = UNFOLDED[form].format(first="".join(parts[:2]), rest="".join(parts[2:]), word=STORIES[code].unfold)
    found = text_of(page_of(code, body))
    assert [line for line in found if line != STORIES[code].unfold] == list(STORIES[code].paragraphs)


@pytest.mark.parametrize("mode", ['shadowrootmode="open"', 'shadowroot="open"', 'shadowrootmode="closed" class="x"'])
@pytest.mark.parametrize("code", LANGUAGES)
def test_declarative_shadow_roots_are_read(code: str, mode: str) -> None:
    page = page_of(
        code, f"<story-body><template {mode}><style>p{{color:red}}</style>{told(code)}</template></story-body>"
    )
    check(code, page)
    pattern = page.replace(f"<template {mode}>", "<template><b>{{ name }}</b>")
    assert not set(STORIES[code].paragraphs) & set(text_of(pattern))


INITIALS = (
    '<div class="lead"><div style="float:left">{}</div><p>{}</p></div>',
    '<div><p class="dropcap">{}</p>\n<p>{}</p></div>',
    "<section><center>{}</center><div>{}</div></section>",
)


@pytest.mark.parametrize("form", INITIALS)
@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "pl"])
def test_a_large_first_letter_belongs_to_its_word(code: str, form: str) -> None:
    first, *rest = STORIES[code].paragraphs
    check(code, page_of(code, form.format(first[0], first[1:]) + "".join(f"<p>{text}</p>" for text in rest)))


ROWS = (
    '<tr><td><a href="/c#n{n}">{n}</a></td><td>{text}</td></tr>', "<tr><td><b>{name}:</b></td><td>{text}</td></tr>",
    '<tr><td>{n}.</td><td>—</td><td class="t">{text}</td></tr>', "<tr><td width=40>{n}</td><td><p>{text}</p></td></tr>",
)  # fmt: skip


@pytest.mark.parametrize("form", range(len(ROWS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_paragraphs_in_rows_of_a_table_are_text(code: str, form: int) -> None:
    rows = "".join(ROWS[form].format(n=n, name="MT"[n % 2], text=text)
                   for n, text in enumerate(STORIES[code].paragraphs, 1))  # fmt: skip
    found = text_of(page_of(code, f"<table><tbody>{rows}</tbody></table>"))
    assert [line for line in found if line in STORIES[code].paragraphs] == STORIES[code].paragraphs


POSTS = (
    (
        '<blockquote class="twitter-tweet"><p>{}</p>— Name (@name) <a href="https://x.com/name/status/1">5 May</a>'
        "</blockquote>"
    ),
    '<blockquote class="instagram-media"><p>{}</p></blockquote>',
    '<figure class="embed"><blockquote cite="https://social.example/@a/1"><p>{}</p></blockquote></figure>',
    '<blockquote class="text-post"><a href="https://social.example/1"><div>{}</div><div>Threads</div></a></blockquote>',
)


@pytest.mark.parametrize("form", range(len(POSTS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_embedded_posts_are_quotes_of_the_story(code: str, form: int) -> None:
    said = "{}! {}.".format(*STORIES[code].others)
    reading = extract(page_of(code, told(code, (3, POSTS[form].format(said)))), url=URL)
    assert said in reading.text
    assert any(line.startswith("> ") and said[:20] in line for line in reading.markdown.split("\n"))


DIALOGUES = (
    '<div role="dialog"><p>{}</p><p>{}</p><button>{}</button></div>',
    '<div class="lay_x"><div><p>{}</p><p>{}</p></div><div><a href="#">{}</a></div></div>',
    '<div class="bar" aria-modal="true"><p>{}</p><p>{}</p><button>{}</button></div>',
)


@pytest.mark.parametrize("place", ["before", "inside", "after"])
@pytest.mark.parametrize("form", range(len(DIALOGUES)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_consent_dialogues_are_no_text(code: str, form: int, place: str) -> None:
    box = DIALOGUES[form].format(*STORIES[code].consent)
    if place == "inside":
        check(code, page_of(code, box + told(code)))
    else:
        page = page_of(code, told(code), before=box) if place == "before" else page_of(code, told(code), after=box)
        check(code, page)


BOXES = (
    '<div class="css-i"><p>{}</p><form><input type="email"><button>OK</button></form></div>',
    '<div class="ask"><p>{}</p><a href="/give">OK</a></div>',
    "<p><em>{}</em></p>",
    "<p>{}</p>",
)


@pytest.mark.parametrize("at", [2, 5])
@pytest.mark.parametrize("form", range(len(BOXES)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_appeals_of_the_site_are_no_text(code: str, form: int, at: int) -> None:
    boxes = [BOXES[form].format(appeal) for appeal in STORIES[code].appeals]
    check(code, page_of(code, told(code, (at, boxes[0]), (5, boxes[1]))))


SAID = (
    (
        "You have read three of your four free stories this month. Log in or register to keep "
        "reading, it only takes a minute."
    ),
    (
        "Ми використовуємо файли cookie, щоб зробити сайт зручнішим. Продовжуючи "
        "користуватися сайтом, ви погоджуєтеся з політикою конфіденційності."
    ),
    (
        "Sitemizden en iyi şekilde faydalanabilmeniz için çerezler kullanılmaktadır. Siteyi "
        "kullanmaya devam ederek çerez politikamızı kabul edersiniz."
    ),
    "Vond je dit artikel nuttig? Steun onze redactie met een kleine gift, dan kunnen wij onafhankelijk blijven.",
    "Líbil se vám článek? Podpořte naši redakci darem, abychom mohli dál psát nezávisle.",
    "เว็บไซต์นี้ใช้คุกกี้เพื่อปรับปรุงประสบการณ์การใช้งานของคุณ หากใช้งานต่อถือว่าคุณยอมรับนโยบายความเป็นส่วนตัว",
    (
        "This material may not be published, broadcast, rewritten or redistributed without "
        "the prior written consent of the publisher."
    ),
    "Τα σχόλια των αναγνωστών δεν εκφράζουν τις απόψεις της σύνταξης. Όλα τα δικαιώματα διατηρούνται.",
    "本記事の内容は掲載時点のものであり、当社はその正確性を保証するものではありません。転載を希望する場合は編集部までご連絡ください。",
    "האתר משתמש בעוגיות כדי לשפר את חוויית הגלישה. המשך הגלישה באתר מהווה הסכמה למדיניות הפרטיות.",
    (
        "हम आपके अनुभव को बेहतर बनाने के लिए कुकीज़ का उपयोग करते हैं। साइट का उपयोग जारी "
        "रखकर आप हमारी गोपनीयता नीति से सहमत होते हैं।"
    ),
    "כל הזכויות שמורות. אין להעתיק או לפרסם תכנים מאתר זה ללא אישור בכתב מהמערכת.",
    "Allt material på sidan skyddas av upphovsrätten. Citera oss gärna men ange källan och länka till artikeln.",
    "Pobierz naszą aplikację i włącz powiadomienia, a nie przegapisz żadnej ważnej wiadomości.",
    "Seuraa meitä Google Uutisissa, niin saat tuoreimmat uutiset ensimmäisenä.",
    "A cikk a szerző véleményét tükrözi, nem feltétlenül egyezik a szerkesztőség álláspontjával.",
    "Urmărește-ne pe Google Știri și abonează-te la canalul nostru de WhatsApp.",
    "இந்தச் செய்தி எங்கள் ஆசிரியர் குழுவால் திருத்தப்படவில்லை; கருத்துகளுக்கு நிறுவனம் பொறுப்பல்ல.",
    "ہماری یوٹیوب چینل کو سبسکرائب کریں اور آپ کی رائے ہمیں واٹس ایپ پر بھیجیں۔",
    "আমাদের ফেসবুক পেজে লাইক দিন এবং ইউটিউব চ্যানেল সাবস্ক্রাইব করুন।",
    "Kõik õigused kaitstud. Meie uudiskirjaga liitudes saad hommikul tähtsamad uudised postkasti.",
    "Visos teisės saugomos. Prenumeruokite mūsų naujienlaiškį ir sekite mus programėlėje.",
    "Jiunge na kituo chetu cha WhatsApp na upate habari zetu bila malipo kila siku.",
    "აღმოაჩინეთ შეცდომა? მონიშნეთ ტექსტი და დააჭირეთ Ctrl+Enter.",
    "This article is for general information only and does not constitute legal or financial advice.",
)
"""What sites say of themselves, in languages without a story here."""


@pytest.mark.parametrize("said", SAID)
def test_notices_of_other_languages_are_no_text(said: str) -> None:
    check("en", page_of("en", told("en", (5, f"<p>{said}</p>"))))


@pytest.mark.parametrize("form", ["{}", '<div class="sm">{}</div>', '<div class="css-7"><div>{}</div></div>'])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("code", LANGUAGES)
def test_legal_notices_are_no_text(code: str, form: str, inside: bool) -> None:
    notice = form.format("".join(f"<p>{line}</p>" for line in STORIES[code].notices))
    check(code, page_of(code, told(code) + notice) if inside else page_of(code, told(code), after=notice))


BUTTON, FIELDS = "<button>OK</button>", '<form><input type="email"><button>OK</button></form>'
LINK = '<a href="{}">OK</a>'
APART = (
    ("en", "Our presses are paid for by advertisements. Put us on your list of exceptions.", BUTTON),
    ("pt", "Percebemos que o seu navegador bloqueia anúncios. É com eles que pagamos este jornalismo.", BUTTON),
    ("ru", "Материал опубликован пользователем. Нажмите кнопку, чтобы рассказать свою историю.", BUTTON),
    ("fr", "Chaque matin à sept heures, les histoires de la vallée.", FIELDS),
    ("es", "Detrás de este periódico no hay ningún magnate. Si le es útil, échenos una mano.", LINK.format("/ayuda")),
    ("id", "Koran desa hanya hidup berkat pembaca seperti Anda.", LINK.format("https://www.patreon.com/example")),
    ("de", "Wissen Sie mehr über dieses Thema oder ist uns etwas entgangen?", FIELDS),
    ("pl", "Pierwszy miesiąc za złotówkę, potem 19 zł. Zrezygnuj, kiedy chcesz.", LINK.format("/abonament")),
    ("ko", "이 글은 회원이 직접 올린 것으로 서비스 운영자의 입장과 다를 수 있습니다.", ""),
    ("zh", "特别提示：以上图文由入驻作者自行上传，仅代表该作者观点，本网只提供信息存储空间服务。", ""),
    ("ja", "広告を表示しない設定でご覧になっているようです。当サイトは広告収入で運営されています。", BUTTON),
    ("ar", "لا يقف وراء هذه الجريدة أحد غير أهلها، وكل معونة منك تبقيها حية.", LINK.format("/support")),
)
"""Boxes that speak to the reader: a button, a form or a link to what the site offers says so where words do not."""


@pytest.mark.parametrize("at", [3, 5])
@pytest.mark.parametrize(("code", "said", "beside"), APART)
def test_boxes_that_speak_to_the_reader_are_no_text(code: str, said: str, beside: str, at: int) -> None:
    check(code, page_of(code, told(code, (at, f'<div class="x1"><p>{said}</p>{beside}</div>'))))


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("es", 'Si le ha gustado, invítenos a un té: <a href="https://www.patreon.com/x">patreon.com/x</a>'),
        ("fr", 'Si cet article vous a plu, un thé : <a href="https://www.patreon.com/x">patreon.com/x</a>'),
        ("ru", 'Наш чат в <a href="https://t.me/example">телеграме</a>: фото, расписания, объявления.'),
    ],
)
def test_a_last_line_that_leads_to_a_channel_is_no_text(code: str, line: str) -> None:
    check(code, page_of(code, told(code, (5, f"<p>{line}</p>"))))


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("ko", "본 글은 시민기자가 작성했으며 편집 방향과 다를 수 있습니다."),
        ("de", "Das Kopieren ohne Erlaubnis ist verboten."),
        ("ru", "Копировать без разрешения нельзя."),
    ],
)
def test_a_last_line_in_an_element_of_its_own_that_is_doubted_is_no_text(code: str, line: str) -> None:
    check(code, page_of(code, told(code) + f'<div class="guide">{line}</div>'))


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("fr", "L’association publie chaque mois une lettre que les abonnés reçoivent gratuitement, dit le maire."),
        (
            "de",
            "Der Verein verschickt jeden Monat einen Brief, den Abonnenten kostenlos bekommen, sagt sie.",
        ),
        ("es", "La asociación publica cada mes un boletín que los socios reciben gratis, dice el alcalde."),
    ],
)
def test_sentences_of_the_story_about_letters_stay(code: str, line: str) -> None:
    check(code, page_of(code, told(code, (3, f"<p>{line}</p>"))), line)


def test_footnotes_in_an_element_of_their_own_stay() -> None:
    notes = ("The count includes some two hundred that were given on paper only.", "Times as of last year.")
    items = "".join(f'<li id="n{at}"><p>{note} <a href="#r{at}">↩</a></p></li>' for at, note in enumerate(notes))
    body = told("en").replace("</p>", '<sup><a href="#n0">1</a></sup></p>', 1)
    found = text_of(page_of("en", f'{body}<div class="footnotes" role="doc-endnotes"><ol>{items}</ol></div>'))
    assert all(any(note in line for line in found) for note in notes)


def test_boxes_of_the_story_stay() -> None:
    person = "Nell Brandon, 24, learnt her trade on Mill Lane, and plays the cornet in the band of the village."
    lead = "Nobody had thought that the oven would be lit again, and least of all those who had built it."
    box = f'<div class="person"><p>{person}</p></div>'
    check("en", page_of("en", told("en", (3, box))), person)
    head = f'<div class="hero"><p>{lead}</p><button>Listen</button></div>'
    assert lead in text_of(page_of("en", head + told("en")))
