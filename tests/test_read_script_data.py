from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.classify.lines.model import judge_lines
from newscrawl.extractors import extract, get_extractor
from newscrawl.page.document import Document
from newscrawl.read.model import SHOWN
from newscrawl.read.script_data import SCRIPTS_MISSING, fullest, is_empty_without_scripts, script_body

if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCES = [f"The river rose by {n} metres over night, and the lower bridge was closed at six." for n in range(2, 9)]
MARKUP = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
PLAIN = "\n".join(SENTENCES)
JSON = "type=application/json"
SHELL = "<title>River rises - Example</title><body><div id=__next></div><p>Loading</p>{}</body>"
STORY = {"title": "River rises", "slug": "/n/1", "body": MARKUP, "author": {"name": "Ada Fenn"}}
OTHERS = [{"title": f"Other story {n}", "description": " ".join(SENTENCES) * 3} for n in range(3)]


def script(text: str, attributes: str = "") -> str:
    return SHELL.format(f"<script {attributes}>{text}</script>")


def dumped(value: object) -> str:
    return json.dumps(value).replace("</", "<\\/")


LEAVES = [
    [{"text": text[:9]}, {"type": "link", "children": [{"text": text[9:20]}]}, {"text": text[20:]}]
    for text in SENTENCES
]
SLATE = [{"type": "paragraph", "children": leaves} for leaves in LEAVES]
PORTABLE = [{"_type": "block", "children": [{"_type": "span", "text": text}]} for text in SENTENCES]
PARSED = [{"type": "p", "children": [{"type": "text", "data": text}]} for text in SENTENCES]
RICH = [{"nodeType": "paragraph", "content": [{"nodeType": "text", "value": text}]} for text in SENTENCES]
BLOCKS = [{"type": "paragraph", "content": {"text": sentence}} for sentence in SENTENCES]


@pytest.mark.parametrize(
    "page",
    [
        script(dumped({"props": {"pageProps": {"article": STORY, "related": OTHERS}}}), f"id=__NEXT_DATA__ {JSON}"),
        script("window.__INITIAL_STATE__ = " + dumped({"story": STORY, "latest": OTHERS}) + ";(function(){run()})()"),
        script('window["__PRELOADED_STATE__"]=' + dumped({"entities": {"1": STORY}})),
        script("window.__STATE__ = JSON.parse(" + dumped(dumped({"story": STORY})) + ")"),
        script(dumped({"blocks": BLOCKS, "title": "River rises"}), JSON),
        *(script(dumped({"body": tree, "title": "River rises"}), JSON) for tree in (SLATE, PORTABLE, PARSED, RICH)),
        script(dumped({"@type": "NewsArticle", "articleBody": PLAIN}), "type=application/ld+json"),
        SHELL.format(f"<div data-page='{json.dumps({'props': {'post': json.dumps(STORY)}})}'></div>"),
        script("<html><body><h1>River rises</h1>" + MARKUP + MARKUP),
    ],
    ids=(
        "next state bracket parse blocks slate portable parsed rich json-ld attribute unclosed".split()
    ),
)  # fmt: skip
def test_body_in_the_data(page: str) -> None:
    document = Document.from_html(page, "http://example.org/n/1")
    assert is_empty_without_scripts(document, document.once(judge_lines))
    extraction = extract(page, "http://example.org/n/1", method="rules")
    lines = [line for line in extraction.text.splitlines() if line != "River rises"]
    assert lines[: len(SENTENCES)] == SENTENCES
    assert "Other story" not in extraction.text
    assert "empty until its scripts run; body from" in extraction.evidence[-1]
    assert extraction.html.count("<p>") >= len(SENTENCES)


@pytest.mark.parametrize(
    "page",
    [
        SHELL.format("<script>boot()</script>"),
        "<body><noscript>Please enable JavaScript</noscript><script src=/app.js></script></body>",
        script('window.__STATE__ = {"a": function(){ return "' + PLAIN.replace("\n", " ") + '"}, body: text()}'),
    ],
    ids=["root", "noscript", "computed"],
)
def test_page_without_data_is_said_to_need_a_browser(page: str) -> None:
    extraction = extract(page, method="rules")
    assert extraction.script_state == "script_only"
    assert "River" not in extraction.text


@pytest.mark.parametrize(
    "page",
    [
        f"<body><h1>River rises</h1>{MARKUP}" + script(dumped({"body": MARKUP * 3}), JSON),
        "<body><p>Short page without scripts.</p></body>",
        "<body></body>",
        "",
    ],
    ids=["visible", "short", "empty", "nothing"],
)  # fmt: skip
def test_other_pages_stay_as_they_are(page: str) -> None:
    document = Document.from_html(page)
    assert not is_empty_without_scripts(document, document.once(judge_lines))
    extraction = get_extractor("rules").extract(document)
    assert fullest(document, document.once(judge_lines), extraction, full_text=SHOWN) is extraction
    assert SCRIPTS_MISSING not in extraction.evidence


def test_deep_and_broken_data_do_no_harm() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    nested = MARKUP
    for _ in range(12):
        nested = json.dumps({"body": nested})
    for text in (deep, deep[:50_000], nested, "window.a = " + deep, "window.a=" * 10_000):
        assert script_body(Document.from_html(script(text))) is None
        assert script_body(Document.from_html(script(text, JSON))) is None


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=30) | st.sampled_from([MARKUP, PLAIN, "{", "["]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["body", "title", "a"]), inner),
        max_leaves=20,
    )
)
def test_any_json_is_read(value: object) -> None:
    extraction = extract(script(dumped(value), JSON), method="rules")
    assert isinstance(extraction.text, str)
    assert isinstance(extraction.html, str)


def test_a_short_body_beside_the_title_with_its_facts() -> None:
    data = {
        "ROOT": {},
        "Article:1": {
            "title": "The new library opens",
            "publishedAt": "2024-05-06T10:20:00Z",
            "author": {"__ref": "Author:7"},
            "body": [
                {"type": "paragraph", "text": "The library opened its doors on Monday, after four years of work."},
                {"type": "heading", "text": "Opening hours"},
                {"type": "list", "items": ["Monday to Friday", "Saturday"]},
                {"type": "paragraph", "text": "Nobody has yet counted the books that came from the old one."},
            ],
        },
        "Author:7": {"name": "Anna Lindner"},
    }
    head = "<title>The new library opens | Post</title>"
    found = extract(f"{head}<div id=root></div>" + script("window.__STATE__ = " + dumped(data)), method="news")
    assert "Opening hours\nMonday to Friday\nSaturday" in found.text
    assert found.article is not None
    assert str(found.article.datePublished).startswith("2024-05-06 10:20")
    assert [author.name for author in found.article.authors] == ["Anna Lindner"]


def test_words_and_links_of_a_tree_are_one_line_and_items_lines_of_their_own() -> None:
    link = {"type": "a", "children": [{"type": "text", "data": "the old one"}]}
    items = [
        {"type": "listItem", "content": [{"type": "paragraph", "content": [{"text": text}]}]}
        for text in ("Nine", "Ten")
    ]
    tree = [
        {"type": "h3", "children": [{"type": "text", "data": "Books"}, {"text": " "}, link]},
        {"type": "bulletList", "content": items},
        *PARSED,
    ]
    page = script(dumped({"title": "River rises", "body": tree}), JSON)
    found = script_body(Document.from_html(page, "http://example.org/n/1"))
    assert found is not None
    assert found.text.splitlines()[:3] == ["Books the old one", "Nine", "Ten"]


def test_keys_that_only_end_in_title() -> None:
    told = "天，市政府宣布，新图书馆向全体居民开放，藏书超过一百万册，读者可以免费借阅。"
    body = "".join(f"<p>第{n}{told}</p>" for n in "一二三四五")
    data = {"data": {"itemId": 7, "widgetTitle": "新图书馆今天开放", "author": "张三", "publishTime": 1714984800000,
                     "widgetContent": body}}  # fmt: skip
    head = "<html lang=zh><title>新图书馆今天开放-示例</title><body><div id=app></div>"
    found = extract(head + script("window.initialState=" + dumped(data)), method="news")
    assert "第三天" in found.text
    assert found.article is not None
    assert str(found.article.datePublished) == "2024-05-06 08:40:00+00:00"
    assert [author.name for author in found.article.authors] == ["张三"]


@pytest.mark.parametrize(
    ("shown", "is_empty"),
    [
        ("<h1>River rises</h1><p>The lower bridge was closed at six, the town hall said.</p>", False),
        (
            "<h1>River rises</h1><iframe src=//player.example/1></iframe><p>Water over the bridge, at six.</p>",
            False,
        ),
        ("<h1>River rises</h1><p>You need to enable JavaScript to read this page, please.</p>", True),
        ("<h1>River rises</h1><p>Loading</p>", True),
        ("<p>The lower bridge was closed at six, the town hall said.</p>", True),
    ],
)
def test_a_page_that_shows_a_story_is_not_empty_however_short(shown: str, is_empty: bool) -> None:
    page = f"<title>River rises - Example</title><body><div id=root></div>{shown}<script>play()</script>"
    document = Document.from_html(page, "http://example.org/n/1")
    assert is_empty_without_scripts(document, document.once(judge_lines)) is is_empty


TITLES = {"zh": "老渡口重新通航 首日载客一千二百人", "ru": "В Заречье снова ходит паром"}
TOLD = {
    "zh": """停航六年的乌水老渡口昨天清晨重新通航，第一班船坐了四十八人，多数是赶早市的菜农。
摆渡人郝长水今年五十七岁，他说自己闭着眼也能把船靠上码头，“就怕雾大”。
镇政府表示，下个月将在对岸增设公交站，方便乘客换乘去县城的班车。
截至傍晚六点，老渡口首日共载客一千二百零三人。""".split("\n"),
    "ru": """Паром между Заречьем и Нижней Слободой снова вышел на линию.
«Я за хлебом плавала на вёслах», — говорит Зинаида Лопатина.
За это время жители проложили зимник и объезжали реку.
Билет стоит сорок рублей, школьников возят бесплатно.""".split("\n"),
}
NOTICE = (
    "<p>Мы используем файлы cookie, чтобы показывать рекламу и считать посещения вместе с нашими партнёрами.</p>"
    "<p>Продолжая пользоваться сайтом, вы соглашаетесь с правилами и с обработкой данных.</p>" * 2
)


def numbered(value: object) -> list[object]:
    """Write a value as devalue does: each part once, by its number."""
    rows: list[object] = []

    def put(part: object) -> int:
        at = len(rows)
        rows.append(part)
        if isinstance(part, dict):
            rows[at] = {key: put(item) for key, item in part.items()}
        elif isinstance(part, list):
            rows[at] = [put(item) for item in part]
        return at

    put(value)
    return rows


def paragraphs(texts: list[str]) -> list[str]:
    return [f"<p>{text}</p>" for text in texts]


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def angular(text: str) -> str:
    for char, name in zip("&\"'<>", "aqslg", strict=True):
        text = text.replace(char, f"&{name};")
    return text


def assigned(value: object) -> str:
    return f"<script>a = {json.dumps(value)};</script>"


def called(title: str, texts: list[str]) -> str:
    return json.dumps({"post": {"title": title, "body": "".join(paragraphs(texts))}}, ensure_ascii=False)


TURBO: list[object] = [{"_1": 2, "_3": 4}, "title", "", "text", [5, 6, 7, 8]]
RELAY = {"blocks": {"__refs": ["B0", "B1", "B2", "B3"]}}

#: Ways of writing a story: name → (title, texts) → markup.
WRITTEN: dict[str, Callable[[str, list[str]], str]] = {
    "angular": lambda t, p: f"<script {JSON}>{angular(called(t, p))}</script>",
    "entities": lambda t, p: f"<script {JSON}>{html.escape(called(t, p))}</script>",
    "percent": lambda t, p: f"<script>a=JSON.parse(decodeURIComponent('{quote(called(t, p))}'))</script>",
    "percent attribute": lambda t, p: f"<div data-state='{quote(called(t, p))}'></div>",
    "base 64": lambda t, p: f"<script>a=JSON.parse(atob('{coded(called(t, p))}'))</script>",
    "percent in base 64": lambda t, p: f"<script>a=JSON.parse(f(atob('{coded(quote(called(t, p)))}')))</script>",
    "base 64 in plain": lambda t, p: f"<script type=text/plain>{coded(called(t, p))}</script>",
    "sum": lambda _, p: f"<script>a.innerHTML = {' + '.join(map(json.dumps, paragraphs(p)))};</script>",
    "added": lambda _, p: f"<script>{''.join(f'h += {json.dumps(text)};' for text in paragraphs(p))}</script>",
    "written": lambda _, p: f"<script>{''.join(f'document.write({json.dumps(t)});' for t in paragraphs(p))}</script>",
    "template string": lambda _, p: f"<script>const body = `{''.join(paragraphs(p))}`</script>",
    "joined": lambda t, p: f"<script>a = {{t: {t!r}, body: {paragraphs(p)!r}.join('')}};</script>",
    "x-template": lambda _, p: f"<script type=text/x-template>{''.join(paragraphs(p))}</script>",
    "template": lambda _, p: f"<template><div>{''.join(paragraphs(p))}</div></template>",
    "noscript": lambda _, p: f"<noscript>{''.join(paragraphs(p))}</noscript>",
    "textarea": lambda _, p: f"<textarea style='display:none'>{chr(10).join(p)}</textarea>",
    "bound": lambda _, p: f"<news-body :content=\"{html.escape(repr(''.join(paragraphs(p))))}\"></news-body>",
    "alpine": lambda t, p: f'<i x-data="{{open: false, title: {t!r}, body: {"".join(paragraphs(p))!r}}}"></i>',
    "livewire": lambda t, p: f"<i wire:snapshot='{json.dumps({'data': [json.loads(called(t, p)), {'s': 'a'}]})}'></i>",
    "nuxt": lambda t, p: f"<script {JSON}>{json.dumps(numbered({'title': t, 'paragraphs': p}))}</script>",
    "turbo-stream": lambda t, p: assigned(json.dumps([*TURBO[:2], t, *TURBO[3:], *p])),
    "quill": lambda t, p: assigned({"title": t, "ops": [{"insert": f"{line}\n"} for line in p]}),
    "relay": lambda t, p: assigned({f"B{n}": {"text": p[n]} for n in (3, 2, 1, 0)} | {"S": {"title": t, **RELAY}}),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(TOLD))
@pytest.mark.parametrize("way", sorted(WRITTEN))
def test_a_story_is_read_however_its_data_are_written(way: str, language: str) -> None:
    title, texts = TITLES[language], TOLD[language]
    head = f'<title>{title}</title><meta property="og:title" content="{title}">'
    page = f"<html lang={language}>{head}<body><ul><li><a href=/a/>News</a></ul>{WRITTEN[way](title, texts)}</body>"
    assert extract(page, "https://example.org/n/7").text.split("\n") == texts


@pytest.mark.parametrize("way", ["percent", "base 64", "sum", "x-template", "template", "bound", "nuxt"])
def test_terms_in_the_data_are_no_story(way: str) -> None:
    head = '<title>В Заречье снова ходит паром</title><meta property="og:title" content="В Заречье снова ходит паром">'
    page = f"{head}<body><h1>В Заречье снова ходит паром</h1><video src=a.mp4></video>"
    page += WRITTEN[way]("Файлы cookie", NOTICE.replace("</p>", "").split("<p>")[1:])
    assert "cookie" not in extract(page, "https://example.org/n/7").text


@pytest.mark.parametrize("title", ["Sun is here!", "New reservoir opens above the valley"])
def test_forms_in_strings_of_scripts_are_no_story(title: str) -> None:
    form = "<h3>Verify your comment</h3>" + "<p>Your comment could not be posted, as the letters did not match.</p>" * 5
    octal = (
        r"\74link rel\75\42alternate\42 title\75\42News of the valley\42 href\75\42http://v.example/feed\42 /\76" * 9
    )
    page = f"<title>{title}</title><h1>{title}</h1><p>Download it now, and look at the sun.</p>"
    page += f"<script>show('{form}'); Blog.head('{octal}');</script>"
    text = extract(page, "https://example.org/n/7").text
    assert "comment" not in text
    assert "link rel" not in text


HOLDERS = (
    '<iframe srcdoc="{escaped}"></iframe>',
    '<template id="rest">{markup}</template>',
    '<textarea id="rest" style="display:none">{escaped}</textarea><div id="more"></div>',
    '<script>var articleBody = {dumped};document.getElementById("rest").innerHTML = articleBody;</script>',
)


PLACES = (
    "Harbour Street", "The old mill", "Market Square", "A school in the lower town", "Two bridges", "Chapel Lane",
    "Gardens behind the station", "Nearly every cellar",
)  # fmt: skip


@pytest.mark.parametrize("between", ["", "<!-- advertisement -->", "<div></div><!--noindex-->"])
def test_the_rest_stands_behind_a_long_beginning(between: str) -> None:
    told = [f"{place} and all streets beside it stood a metre under water on Monday." for place in PLACES]
    shown, rest = ("".join(f"<p>{text}</p>" for text in part) for part in (told[:4], told[4:]))
    body = f"<div>{shown}{between}<template>{rest}</template></div>"
    page = f"<title>River rises - Example</title><body><h1>River rises</h1>{body}"
    reading = extract(page, "http://example.org/2024/05/30/river-1.html")
    assert reading.text.splitlines() == told
    assert not reading.failures


@pytest.mark.parametrize("holder", HOLDERS)
def test_the_rest_of_a_story_stands_behind_what_is_shown(holder: str) -> None:
    shown, rest = SENTENCES[:2], SENTENCES[2:]
    markup = "".join(f"<p>{sentence}</p>" for sentence in rest)
    held = holder.format(escaped=html.escape(markup), markup=markup, dumped=dumped(markup))
    body = "".join(f"<p>{sentence}</p>" for sentence in shown)
    page = f"<title>River rises - Example</title><body><h1>River rises</h1><div>{body}{held}</div></body>"
    assert extract(page, "http://example.org/2024/05/30/river-1.html").text.splitlines() == SENTENCES
