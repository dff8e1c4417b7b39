"""The choice of a reference page from a bounded store."""

from __future__ import annotations

from newscrawl.methods.reference import ReferenceStore


def chosen(store: ReferenceStore[str], url: str | None, *, content: int = 0, cluster: int | None = None) -> str | None:
    candidate = store.choose(url, content=content, cluster=cluster)
    return None if candidate is None else candidate.value


def filled() -> ReferenceStore[str]:
    store: ReferenceStore[str] = ReferenceStore()
    pages = ["http://a.cn/news/1/x.html", "http://a.cn/news/2/y.html", "http://a.cn/blog/z.html", "http://b.cn/news/1/"]
    for number, url in enumerate(pages, start=1):
        store.add(url, url, content=number)
    return store


def test_the_most_similar_address_of_the_host_is_chosen() -> None:
    store = filled()
    assert chosen(store, "http://a.cn/news/1/new.html") == "http://a.cn/news/1/x.html"  # 2/2 against 1/2
    assert chosen(store, "http://a.cn/blog/new.html") == "http://a.cn/blog/z.html"
    assert chosen(store, "http://b.cn/other/") == "http://b.cn/news/1/"
    assert chosen(store, "http://c.cn/news/1/") is None
    assert chosen(store, "https://a.cn/news/1/new.html") is None


def test_ties_go_to_the_newest() -> None:
    assert chosen(filled(), "http://a.cn/news/3/new.html") == "http://a.cn/news/2/y.html"


def test_a_page_is_not_its_own_reference() -> None:
    store = filled()
    assert chosen(store, "http://a.cn/blog/z.html#top") == "http://a.cn/news/2/y.html"
    assert chosen(store, "http://a.cn/blog/print.html", content=3) == "http://a.cn/news/2/y.html"


def test_the_cluster_goes_first_where_it_is_given() -> None:
    store: ReferenceStore[str] = ReferenceStore()
    store.add("http://a.cn/news/1.html", "gallery", content=1, cluster=1)
    store.add("http://a.cn/blog/2.html", "article", content=2, cluster=0)
    assert chosen(store, "http://a.cn/news/3.html", content=3) == "gallery"
    assert chosen(store, "http://a.cn/news/3.html", content=3, cluster=0) == "article"


def test_pages_without_an_address_serve_each_other() -> None:
    store: ReferenceStore[str] = ReferenceStore()
    store.add(None, "first", content=1)
    store.add(None, "second", content=2)
    assert chosen(store, None, content=2) == "first"
    assert chosen(store, "http://a.cn/", content=3) is None


def test_memory_grows_with_patterns_only() -> None:
    store: ReferenceStore[int] = ReferenceStore(per_pattern=2, max_patterns=4, max_hosts=2)
    for page in range(1000):
        store.add(f"http://a.cn/{page}/x.html", page, content=page)
    assert len(list(store.candidates())) == 2
    for page in range(1000):
        store.add(f"http://{'ab'[page % 2]}.cn/{chr(97 + page % 26)}/", page, content=page)
        store.add(f"http://{'abc'[page % 3]}.cn/{chr(97 + page % 26)}/?q{page}=1", page, content=page)
    assert len(list(store.candidates())) <= 2 * 4 * 2
