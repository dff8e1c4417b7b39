from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.commands.addsite import article_patterns, guess_site
from newscrawl.page.document import parse
from newscrawl.sites.files import parse_site, to_toml
from newscrawl.sites.model import NewsSite
from newscrawl.urls.shape import UrlKind

HOME = """<html lang="en"><head><title>首页 - 示例新闻网</title>
<link rel="alternate" type="application/rss+xml" href="/rss.xml"></head><body>
<nav><a href="/">首页</a><a href="/tech/">科技</a><a href="/world/index.html">国际</a><a href="/tag/x/">标签</a></nav>
{articles}<a href="http://other.example.com/a/">外站</a></body></html>"""
ARTICLE = "<a href='/c/2024/0305/{0}.html'>今天上午记者从有关部门了解到的一条新闻</a>"


def test_a_site_is_called_as_its_link_to_the_home_page() -> None:
    logo = "<title>主要ニュース - 例示ポータルニュース</title><p><a href='/'>例示ポータルニュース</a></p>"
    picture = "<title>News - Example Times of the Coast</title><a href='./'><img alt='Example Times of the Coast'></a>"
    for page, expected in ((logo, "例示ポータルニュース"), (picture, "Example Times of the Coast")):
        root = parse(page)
        assert root is not None
        assert guess_site("demo", "http://www.example.org/", root).title == expected


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("Beranda - Suara Pesisir", "id"), ("Главная | Северный вестник", "ru"), ("Ana Sayfa – Örnek Gazetesi", "tr"),
        ("الرئيسية - صحيفة النهر اليوم", "ar"), ("หน้าแรก | ข่าวเช้าวันนี้", "th"), ("Trang chủ - Báo Mẫu Hôm Nay", "vi"),
        ("صفحه اصلی | روزنامه نمونه امروز", "fa"),
        ("Αρχική | Δείγμα Εφημερίδα", "el"), ("Úvod | Ukázkové noviny", "cs"),
        ("Forsiden | Eksempelavisen", "no"), ("Strona główna - Przykładowy Dziennik", "pl"), ("홈 - 예시신문사", "ko"),
    ],
)  # fmt: skip
def test_what_a_language_calls_a_home_page_is_no_name_of_a_site(title: str, language: str) -> None:
    root = parse(f"<html lang={language}><title>{title}</title><p>x")
    assert root is not None
    name = title.partition(" – " if "–" in title else " | " if "|" in title else " - ")[2]
    assert guess_site("demo", "http://www.example.org/", root).title == name


def test_channels_are_neither_the_home_page_nor_a_second_page_nor_one_page_twice() -> None:
    links = "".join(
        f"<a href='{path}'>{text}</a>"
        for path, text in {
            "/index.html": "BERITA KITA", "/kanal/ekonomi/": "Ekonomi", "/kanal/ekonomi/index.html": "Ekonomi",
            "/page/2/": "التالي", "/kanal/ekonomi/page/3/": "3", "http://example.org/kanal/olahraga": "Olahraga",
        }.items()
    )  # fmt: skip
    root = parse(f"<html lang=id><title>Beranda - Berita Kita</title><p>{links}")
    assert root is not None
    site = guess_site("demo", "http://www.example.org/", root)
    assert site.title == "Berita Kita"
    assert {name: len(urls) for name, urls in site.channels.items()} == {"ekonomi": 1, "olahraga": 1}


def test_a_home_page_that_sends_on_to_the_day_stays_the_seed() -> None:
    root = parse("<title>示例日报数字报-第01版：要闻</title><a href='node_1.htm'>第01版：要闻</a>")
    assert root is not None
    day = "http://epaper.example.cn/html/2024-03/05/node_1.htm"
    site = guess_site("demo", day, root, asked="http://epaper.example.cn/")
    assert (site.seeds, site.title) == (("http://epaper.example.cn/",), "示例日报数字报")
    moved = guess_site("demo", "https://www.example.org/home/", root, asked="http://example.org/")
    assert moved.seeds == ("https://www.example.org/home/",)


def test_a_home_page_becomes_a_site() -> None:
    root = parse(HOME.format(articles="".join(ARTICLE.format(1234567 + i) for i in range(9))))
    assert root is not None
    site = guess_site("demo", "http://news.example.cn/", root, sitemaps=["/map.xml", "javascript:x"])
    assert site.title == "示例新闻网"
    assert site.language == "zh"
    assert site.timezone == "Asia/Shanghai"
    turkish = parse("<html lang=tr><title>Örnek Haber</title><body><a href=/a/>a</a></body></html>")
    assert turkish is not None
    assert guess_site("demo", "http://news.example.com/", turkish).timezone == "Europe/Istanbul"
    assert site.feeds == ("http://news.example.cn/rss.xml",)
    assert site.sitemaps == ("http://news.example.cn/map.xml",)
    assert dict(site.channels) == {
        "tech": ("http://news.example.cn/tech/",),
        "world": ("http://news.example.cn/world/index.html",),
    }
    assert site.url_kind("http://news.example.cn/c/2023/1224/99.html") is UrlKind.ARTICLE
    assert site.url_kind("http://news.example.cn/tech/") is UrlKind.HUB


@pytest.mark.parametrize(
    ("urls", "pattern"),
    [
        ([f"http://x.org/article-{i}-1.html" for i in range(3)], r"^[^/]+/article-\d+-\d+\.html$"),
        (
            [f"http://x.org/2024/03/{day}/the-title-of-story/" for day in ("05", "06", "07")],
            r"^[^/]+/(?P<y>\d{4})/(?P<m>\d{2})/(?P<d>\d{2})/[^/]+/$",
        ),
        (
            [f"http://x.org/china/2024-03/05/c_1{i}5815908.htm" for i in range(3)],
            r"^[^/]+/china/(?P<y>\d{4})-(?P<m>\d{2})/(?P<d>\d{2})/c_\d+\.htm$",
        ),
        ([f"http://x.org/?p={i}" for i in range(3)], r"^[^/]+/\?p=[^&]*$"),
    ],
)
def test_patterns(urls: list[str], pattern: str) -> None:
    (found,) = article_patterns(urls)
    assert found.endswith(pattern)
    site = NewsSite(name="x", title="x", hosts=("x.org",), seeds=(), article_patterns=(found,))
    assert all(site.url_kind(url) is UrlKind.ARTICLE for url in urls)


@pytest.mark.parametrize(
    ("url", "guessed", "confirmed"),
    [
        ("http://x.org/doc/view-7.html", UrlKind.ARTICLE, UrlKind.ARTICLE),  # the pattern's own form
        ("http://x.org/2024/03/05/another-form.html", UrlKind.ARTICLE, UrlKind.UNKNOWN),
        ("http://x.org/news/", UrlKind.HUB, UrlKind.HUB),
        ("http://x.org/search?q=x", UrlKind.OTHER, UrlKind.OTHER),
    ],
)
def test_a_guess_adds_articles_and_refuses_none(url: str, guessed: UrlKind, confirmed: UrlKind) -> None:
    pattern = (r"/doc/view-\d+\.html$",)
    site = NewsSite(name="x", title="x", hosts=("x.org",), seeds=(), guessed_patterns=pattern)
    assert site.url_kind(url) is guessed
    assert replace(site, guessed_patterns=(), article_patterns=pattern).url_kind(url) is confirmed


def test_two_addresses_are_no_pattern() -> None:
    assert article_patterns(["http://x.org/article-1-1.html", "http://x.org/article-2-1.html"]) == ()


TEXT = st.text(max_size=20)


@given(title=TEXT.filter(bool), channel=TEXT, name=TEXT, pattern=st.sampled_from([r"\d'x", r"/a/\d+", 'a"b']))
def test_what_is_written_can_be_read(title: str, channel: str, name: str, pattern: str) -> None:
    site = NewsSite(
        name="x",
        title=title,
        hosts=("x.org", ".y.org"),
        seeds=("http://x.org/",),
        channels=MappingProxyType({channel: ("http://x.org/a", "http://x.org/b")}),
        article_patterns=(pattern,),
        guessed_patterns=(pattern,),
        site_names=(name,),
        language="zh",
        timezone="Asia/Shanghai",
        article_query=False,
    )
    assert parse_site("x", to_toml(site)) == site


@pytest.mark.parametrize(
    ("url", "head", "zone"),
    [
        ("http://e.example.com/", "<html lang='zh-Hant-HK'>", "Asia/Hong_Kong"),
        ("http://e.example.com/", "<html lang='en_SG'>", "Asia/Singapore"),
        ("http://e.example.com/", "<html lang=en><meta property='og:locale' content='en_IN'>", "Asia/Kolkata"),
        ("http://e.example.com/", "<html lang='pt-BR'>", "America/Sao_Paulo"),
        ("http://e.example.com/", "<html lang='es-AR'>", "America/Argentina/Buenos_Aires"),
        ("http://e.example.com/", "<html lang='de-AT'>", "Europe/Vienna"),
        ("http://e.example.de/", "<html lang='zh-HK'>", "Europe/Berlin"),  # its domain says more
        ("https://hongkongfp.com/", "<html lang='en-GB'>", "Asia/Hong_Kong"),  # a site of the box
        ("http://e.example.com/", "<html lang='tr'>", "Europe/Istanbul"),
        ("http://e.example.com/", "<html lang='en-US'>", None),  # what a template says, of six zones
        ("http://e.example.com/", "<html>", None),
    ],
)
def test_the_zone_of_a_site_is_that_of_its_country_or_none(url: str, head: str, zone: str | None) -> None:
    root = parse(f"{head}<title>Example</title><body><p>News.</p>")
    assert root is not None
    site = guess_site("demo", url, root)
    assert (site.timezone if site.timezone_known else None) == zone
    assert parse_site("demo", to_toml(site)).timezone_known == (zone is not None)


@pytest.mark.parametrize(
    ("links", "names"),
    [
        ({"index1.htm": "新闻", "index2.htm": "政策法规"}, ["新闻", "政策法规"]),
        ({"node_12.htm": "Kultur", "node_13.htm": "Kultur"}, ["Kultur"]),
        ({"list-3/": "Спорт", "list/7/": "Мир"}, ["Спорт", "Мир"]),
        ({"channel/21/": "اقتصاد"}, ["اقتصاد"]),
        ({"tech/": "科技", "world/index.html": "国际"}, ["tech", "world"]),  # an address that says it
        ({"channel/g20/": "Summit", "channel/covid19/": "Health"}, ["g20", "covid19"]),
        ({"12/": "12", "13/": "» 13"}, []),
    ],
)
def test_a_channel_of_a_numbered_address_is_called_as_in_the_menu(links: dict[str, str], names: list[str]) -> None:
    root = parse("<title>Example</title>" + "".join(f"<a href='/{path}'>{text}</a>" for path, text in links.items()))
    assert root is not None
    assert list(guess_site("demo", "http://www.example.org/", root).channels) == names


@pytest.mark.parametrize(
    ("home", "channels", "hosts"),
    [
        ("http://www.example.org/", ["news", "sport", "money"], (".example.org",)),
        ("http://example.org/", ["news", "sport", "money"], (".example.org",)),
        ("http://www.example.org/", ["", "www", "www", "news"], ("www.example.org", "example.org")),
        ("http://paper.example.org/", ["news", "sport", "money"], ("paper.example.org", "www.paper.example.org")),
    ],
)
def test_a_portal_has_the_hosts_of_its_channels(home: str, channels: list[str], hosts: tuple[str, ...]) -> None:
    links = "".join(f"<a href='http://{f'{name}.'.lstrip('.')}example.org/{n}/'>Channel {n}</a>"
                    for n, name in enumerate(channels))  # fmt: skip
    root = parse(f"<html lang=en><title>Example</title>{links}")
    assert root is not None
    assert guess_site("example", home, root).hosts == hosts
