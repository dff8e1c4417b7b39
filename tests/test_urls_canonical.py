from __future__ import annotations

import timeit
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.page.document import Document, parse
from newscrawl.urls.canonical import canonicalize, joined_at_once, stated_canonicals

BASE = "https://news.example.org/c/2024/index.html"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://Example.ORG:80/a/../b/./c?x=1#f", "http://example.org/b/c?x=1"),
        ("https://example.org:443", "https://example.org/"),
        ("http://example.org:8080/a", "http://example.org:8080/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://user:secret@example.org/a", "http://example.org/a"),
        ("//cdn.example.org/a", "https://cdn.example.org/a"),
        ("/a/b", "https://news.example.org/a/b"),
        ("a/b", "https://news.example.org/c/2024/a/b"),
        ("?page=2", "https://news.example.org/c/2024/index.html?page=2"),
        ("#top", BASE),
        (" \n/a\tb\r\n ", "https://news.example.org/ab"),
        (r"http:\\example.org\a", "http://example.org/a"),
        ("/../../a", "https://news.example.org/a"),
        ("/a/%2e%2e/b", "https://news.example.org/b"),
        ("/%7euser/%e4%b8%ad%41", "https://news.example.org/~user/%E4%B8%ADA"),
        ("/中 文", "https://news.example.org/%E4%B8%AD%20%E6%96%87"),
        ("/100%", "https://news.example.org/100%25"),
        ("http://例子.中国/", "http://xn--fsqu00a.xn--fiqs8s/"),
        ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
        ("/a;jsessionid=0A1B?b=1", "https://news.example.org/a?b=1"),
        ("/a;sid=9f86d081884c7d659a2feaa0c55ad015?b=1", "https://news.example.org/a?b=1"),
        ("/a;page=2016?b=1", "https://news.example.org/a;page=2016?b=1"),
        ("/(S(4f2b1c0d9e8a7b6c))/a.aspx", "https://news.example.org/a.aspx"),
    ],
)
def test_one_spelling(url: str, expected: str) -> None:
    assert canonicalize(url, BASE) == expected


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("utm_source=x&id=7&fbclid=y", "?id=7"),
        ("spm=smpc.home&scm=1103", ""),
        ("b=2&a=1&a=1&c=", "?b=2&a=1&a=1&c="),
        ("&&id=1&", "?id=1"),
        ("from=20", "?from=20"),
        ("from=relevant", "?from=relevant"),
    ],
)
def test_parameters(query: str, kept: str) -> None:
    assert canonicalize(f"http://example.org/list?{query}") == f"http://example.org/list{kept}"


def test_referrer_parameters_go_on_static_files_only() -> None:
    assert canonicalize("http://example.org/a.html?from=relevant") == "http://example.org/a.html"
    assert canonicalize("http://example.org/a.html?from=20") == "http://example.org/a.html?from=20"


def test_the_query_is_escaped_in_the_page_s_encoding() -> None:
    assert canonicalize("/s?q=中", BASE, encoding="gb18030") == "https://news.example.org/s?q=%D6%D0"
    assert canonicalize("/s?q=中", BASE, encoding="no-such") == "https://news.example.org/s?q=%E4%B8%AD"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:void(0)",
        "mailto:a@example.org",
        "data:text/html,x",
        "tel:1",
        "http://",
        "http://example.org:99999/",
        "http://[::1",
        "http://exa mple.org/",
        "ftp://example.org/",
        "http://" + "a" * 9000,
    ],
)
def test_what_cannot_be_fetched_is_none(url: str) -> None:
    assert canonicalize(url, BASE) is None


def test_a_relative_reference_without_a_base_is_none() -> None:
    assert canonicalize("/a/b") is None
    assert canonicalize("/a/b", "no address") is None


URLISH = st.one_of(
    st.text(max_size=60),
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["http://", "https://", "//", "", "HTTP:", "http:/"]),
        st.sampled_from(["a.b", "Example.org:80", "例子.cn", "[::1]", "u:p@h.x", "1.2.3.4", "a_b.c-d.e."]),
        st.text(alphabet="/.%2eE~aZ中 ;\\\t-_+", max_size=20),
        st.text(alphabet="?&=#%aF中 utm_source", max_size=20),
    ),
)


@given(url=URLISH, base=st.one_of(st.none(), st.just(BASE), URLISH))
def test_laws(url: str, base: str | None) -> None:
    canonical = canonicalize(url, base)
    if canonical is not None:
        assert canonicalize(canonical) == canonical
        assert canonicalize(canonical, BASE) == canonical
        assert canonical.isascii()
        assert "#" not in canonical
        assert canonical.startswith(("http://", "https://"))


@pytest.mark.parametrize("path", ["/a" * 2000, "/" + "a.-" * 2500, "/%E4%B8%AD" * 700, "/a" * 1999 + "/\u4e2d"])
def test_long_paths_take_linear_time(path: str) -> None:
    assert min(timeit.repeat(lambda: canonicalize("http://example.org" + path), number=1, repeat=3)) < 0.05


def test_what_a_page_calls_its_own_address() -> None:
    page = parse(
        '<link rel=icon href=/i.png><link rel=Canonical href="/a?utm_source=x"><link rel=canonical>'
        '<link rel=canonical href="javascript:void(0)"><p><link rel=canonical href="https://example.net/b">'
    )
    own = list(stated_canonicals(Document(page, url="http://example.org/a?from=top")))
    assert own == ["http://example.org/a", "http://example.org/a?from=top", "https://example.net/b"]


PARTS = st.lists(
    st.sampled_from(["a", "b.html", "..", ".", "", "c-d", "%E4", "x:y", "é", "t;p"]), min_size=1, max_size=5
)


@given(
    st.sampled_from(["", "../", "../../", "/", "//", "./"]),
    PARTS,
    st.sampled_from(["", "?a=1", "?x=../b", "?q=//z", "#a", "#../b"]),
    st.sampled_from(
        ["http://e.org", "http://e.org/a//b/", "http://e.org/a/../b/c?x=/y/z", "http://e.org/a/b#c/d", BASE]
    ),
)
def test_what_is_joined_at_once_is_what_the_rfc_joins(steps: str, parts: list[str], end: str, base: str) -> None:
    href = f"{steps}{'/'.join(parts)}{end}"
    assert joined_at_once(href, base) in {None, urljoin(base, href)}


@pytest.mark.parametrize("href", ["../2014/0822/25649.html", "../../index2.html", "25649.html?page=2", "a/b"])
def test_plain_relative_addresses_are_joined_at_once(href: str) -> None:
    assert joined_at_once(href, BASE) == urljoin(BASE, href)
