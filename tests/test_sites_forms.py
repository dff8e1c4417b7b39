from __future__ import annotations

import re

import pytest

from newscrawl.sites.forms import MAX_KEPT, ArticleForms, main_forms
from newscrawl.sites.model import NewsSite

OTHERS = ("https://e.org/apps/", "https://e.org/about/team/")


def counted(*urls: str) -> ArticleForms:
    forms = ArticleForms()
    for url in urls:
        forms.add(url)
    return forms


@pytest.mark.parametrize(
    ("article", "form", "not_such"),
    [
        ("https://e.org/20{n:02}/05/{n:02}/a-{n}-story/", "/YYYY/MM/DD/slug/", "https://e.org/2024/05/12/"),
        ("https://e.org/20{n:02}/11/some-story-{n}", "/YYYY/MM/slug", "https://e.org/tag/x/y"),
        ("https://e.org/article-{n}-1.html", "/article-N-N.html", "https://e.org/article-about.html"),
        ("https://e.org/archives/{n}00/", "/archives/N/", "https://e.org/archives/bus/"),
        ("https://e.org/view?id={n}&page=1", "/slug?id=&page=", "https://e.org/view?tag=1"),
        ("https://e.org/zh/世界-{n}-大会-消息", "/zh/slug", "https://e.org/世界/x/y"),
    ],
)
def test_the_form_of_most_and_a_pattern_that_settles_it(article: str, form: str, not_such: str) -> None:
    urls = [article.format(n=n) for n in range(10, 70)]
    main = counted(*urls, *OTHERS).main("e")
    assert main is not None
    assert (main.form, main.n_articles, main.n_others, set(main.others)) == (form, 62, 2, {"/apps/", "/about/team/"})
    site = NewsSite(name="e", title="E", hosts=("e.org",), seeds=(), article_patterns=(main.pattern,))
    assert [site.stated_kind(url) for url in urls] == [None] * len(urls)
    assert None not in [site.stated_kind(url) for url in (*OTHERS, not_such)]
    so, settled = main.lines()
    assert so == f"60 of 62 articles have the form {form}; 2 have not: /apps/, /about/team/"
    assert main.pattern in settled
    re.compile(main.pattern)


@pytest.mark.parametrize(
    "urls",
    [
        [f"https://e.org/2024/05/{n}/" for n in range(60)],  # all have it
        [f"https://e.org/n/{n}" for n in range(10)] + list(OTHERS),  # too few
        [f"https://e.org/{part}/{n}.html" for part in ("a", "b", "c") for n in range(30)],  # no form of most
        [f"https://e.org/{n}-a-long-story/" for n in range(40)] + ["https://e.org/story-17/"],  # a slug with a number
    ],
)
def test_nothing_is_said(urls: list[str]) -> None:
    assert counted(*urls).main("e") is None


def test_sites_come_by_what_is_to_be_settled() -> None:
    urls = [f"https://e.org/2024/05/{n}.html" for n in range(200)]
    found = main_forms({"a": counted(*urls), "b": counted(*urls, *OTHERS), "c": counted(*urls, *OTHERS * 8)})
    assert [(one.site, one.n_others) for one in found] == [("c", 16), ("b", 2)]
    assert found[0].lines()[0].endswith(", …")
    assert max(map(len, counted(*urls).kept.values())) == MAX_KEPT
