"""Every method answers every page, however broken. The whole corpus: tests/benchmarks/extractor_robustness.py."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from newscrawl.exceptions import UserError
from newscrawl.extractors import Extraction, extract, get_extractor, names
from newscrawl.page import Document
from tests.mutations import mutated

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TEXT = "这是一篇新闻的正文，句子有标点，长度也足够。" * 3
PAGE = f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>一篇新闻_新闻网</title><style>p {{}}</style></head>
<body class="a"><!-- c --><ul id="nav"><li><a href="/1">首页</a></li><li><a href="/2">新闻</a></li></ul>
<h1>一篇新闻</h1><div id="content"><p>{TEXT}</p><p>{TEXT}<a href="x">链接</a></p><p><b>{TEXT}</b></p></div>
<table><tr><td>1<td>2<td>3<tr><td>4<td>5<td>6<tr><td>7<td>8<td>9</table>
<form><input name=q><select><option>x</select></form>
<script>var x = "<p>no</p>";</script><div style="display:none">hidden</div><svg><text>s</text></svg>
<p>版权所有</p></body></html>
""".encode()

ODD = [
    b"",
    b"\x00" * 100,
    b"<",
    b"<>",
    b"</p></div>",
    b"\xff\xfe<\x00p\x00>\x00a\x00",
    b"plain text without any tag",
    b"<a href=1>only a link</a>",
    b"<title>only a title</title>",
    b"<?xml version='1.0'?><rss><item>x</item></rss>",
    b"<frameset><frame src=x></frameset>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>",
    b"<html xmlns:o='urn:o'><body><o:p>namespaced</o:p><p o:x=1>text</p></body></html>",
    b"<p a\x01b='1' 1='2' =x>odd attributes</p>",
    b"<title>Not found today</title><x\x01y>Not found today</x\x01y><p>The page is not there any more.</p>",
    b"<body>" + b"<div>" * 20_000 + b"deep",
    b"<body>" + b"<table><tr><td>" * 3_000 + b"deep",
    b"<body>" + b"<b><a href=x>" * 3_000 + b"deep",
    b"<body>" + b"<p>x" * 5_000,
    b"<p>" + "\ud7ff\ue000\ufdd1\ufffd\U000e1000\ufeff".encode() + b"</p>",
    b"<p>" + "\u2028\u2029\x85 line separators \x0b\x0c".encode() + b"</p>",
    b"<p>&#0;&#1;&#xD800;&#x110000;&#65534;&nosuch;</p>",
]


def documents(pages: Iterable[bytes]) -> list[Document]:
    return [Document.from_html(page, f"http://a.cn/{number}.html") for number, page in enumerate(pages)]


def answers(method: str, pages: list[Document]) -> list[Extraction]:
    """Observe and extract every page, as a crawl of one site would."""
    extractor = get_extractor(method)
    found = []
    for document in pages:
        extractor.observe(document)
        found.append(extractor.extract(document))
    return found


def check(found: list[Extraction], method: str) -> None:
    for answer in found:
        assert answer.method == method
        assert "\x00" not in answer.text
        assert 0.0 <= answer.confidence <= 1.0


@pytest.mark.parametrize("method", names())
def test_odd_pages_are_answered(method: str) -> None:
    check(answers(method, documents(ODD)), method)


@pytest.mark.parametrize("method", names())
def test_broken_pages_are_answered(method: str) -> None:
    check(answers(method, documents(mutated([PAGE], 100, seed=1))), method)


@pytest.fixture(scope="module")
def sample(shared: Path) -> list[Document]:
    """Real pages, whole and broken; each is measured once for all methods."""
    paths = sorted(shared.glob("corpus/*/pages/*"))
    pages = [path.read_bytes() for path in random.Random(1).sample(paths, min(60, len(paths)))]
    return documents([*pages, *mutated([page for page in pages if len(page) < 100_000], 40, seed=2)])


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("method", names())
def test_a_sample_of_real_pages_whole_and_broken(method: str, sample: list[Document]) -> None:
    check(answers(method, sample), method)


@pytest.mark.parametrize("method", names())
def test_a_plain_call_without_scrapy(method: str) -> None:
    assert "句子有标点" in extract(PAGE, url="http://a.cn/1.html", method=method).text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"html": None}, "html is of type NoneType; accepted: bytes or str"),
        ({"html": float("nan")}, "html is of type float; accepted: bytes or str"),
        ({"html": "<p>x", "url": b"https://e.org/"}, "url is of type bytes; accepted: str or NoneType"),
        ({"html": "<p>x", "method": None}, "method is of type NoneType; accepted: str"),
    ],
)
def test_what_is_no_page_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        extract(**given)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UserError, match="unknown extraction method 'nosuch'"):
        get_extractor("nosuch")
