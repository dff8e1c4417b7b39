"""The story, the whole story, and nothing else: kinds of pages that were read wrongly, in several languages."""

from __future__ import annotations

import json

import pytest

from newscrawl.extractors import extract
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
    check(code, page_of(code, body + thread) if inside else page_of(code, body, after=thread))


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
        "call": f"<script>App.boot('story', {{title: {name}, body: {body}, n: 3,}});</script>",
        "single": f"<script>var d = {{'title': '{quoted_title}', 'content': '{quoted}', list: [1,2,],}};</script>",
        "stream": push.format(json.dumps(rows[:half])) + push.format(json.dumps(rows[half:])),
        "stream of text": push.format(json.dumps(text_rows)),
        "editor": f'<script type="application/json">{json.dumps({"title": title, "content": editor})}</script>',
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
    assert not set(STORIES[code].paragraphs) & set(text_of(page.replace(f"<template {mode}>", "<template>")))


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


POSTS = (
    (
        '<blockquote class="twitter-tweet"><p>{}</p>— Name (@name) <a href="https://x.com/name/status/1">5 May</a>'
        "</blockquote>"
    ),
    '<blockquote class="instagram-media"><p>{}</p></blockquote>',
    '<figure class="embed"><blockquote cite="https://social.example/@a/1"><p>{}</p></blockquote></figure>',
)


@pytest.mark.parametrize("form", range(len(POSTS)))
@pytest.mark.parametrize("code", LANGUAGES)
def test_embedded_posts_are_quotes_of_the_story(code: str, form: int) -> None:
    said = "{}! {}.".format(*STORIES[code].others)
    reading = extract(page_of(code, told(code, (3, POSTS[form].format(said)))), url=URL)
    assert said in reading.text
    assert "> " + said[:20] in reading.markdown


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


@pytest.mark.parametrize("form", ["{}", '<div class="sm">{}</div>', '<div class="css-7"><div>{}</div></div>'])
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("code", LANGUAGES)
def test_legal_notices_are_no_text(code: str, form: str, inside: bool) -> None:
    notice = form.format("".join(f"<p>{line}</p>" for line in STORIES[code].notices))
    check(code, page_of(code, told(code) + notice) if inside else page_of(code, told(code), after=notice))
