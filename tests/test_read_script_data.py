from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newscrawl.classify.lines.model import judge_lines
from newscrawl.extractors import extract, get_extractor
from newscrawl.page.document import Document
from newscrawl.read.script_data import fill_from_data, is_empty_without_scripts, lacks_scripts, script_body

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
    assert fill_from_data(document, document.once(judge_lines), extraction) is extraction
    assert not lacks_scripts(extraction)


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
