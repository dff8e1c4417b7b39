from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.extract.facts.site_name import site_names, strip_site
from newscrawl.extract.facts.title import choose_headline
from newscrawl.languages.text import fold, similarity, spelled_in_url
from newscrawl.page.document import Document
from newscrawl.page.statements import gather


def headline(page: str, *names: str, url: str = "http://www.example.com/a.html") -> tuple[str, str] | None:
    evidence = gather(Document.from_html(page, url))
    known = site_names(evidence, names)
    sites = known.told | known.hosts | known.tails
    found = choose_headline(evidence, sites)
    return found[:2] if found else None


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("多地项目连环爆雷_网易财经", "多地项目连环爆雷"),
        ("新图书馆开放-示例新闻网", "新图书馆开放"),
        ("새 도서관이 문을 열었다 < 문화 < 기사본문 - 예시일보", "새 도서관이 문을 열었다"),
        ("新图书馆开放|要闻|示例网", "新图书馆开放"),
        ("City council opens a new library | Example Times", "City council opens a new library"),
        ("City council opens a new library « Example Times", "City council opens a new library"),
        (
            "City council opens a new library in the old town hall - Example Times",
            "City council opens a new library in the old town hall",
        ),
        ("Rates rise - again", "Rates rise - again"),
        ("Well-known author dies", "Well-known author dies"),
        ("", ""),
    ],
)
def test_site_names_go(title: str, expected: str) -> None:
    assert strip_site(title, frozenset()) == expected


def test_known_site_name_goes_from_both_ends() -> None:
    sites = frozenset({fold("Example Times")})
    assert strip_site("Example Times: news - Rates rise again", sites) == "Rates rise again"
    assert strip_site("Example Times - Rates rise again", sites) == "Rates rise again"
    assert strip_site("Rates rise again - Example Times", sites) == "Rates rise again"


@pytest.mark.parametrize(
    ("title", "shown", "expected"),
    [
        ("示例日报数字报-新图书馆本周向全体居民开放", "新图书馆本周向全体居民开放", "新图书馆本周向全体居民开放"),
        ("示例日报数字报-5月20日起新图书馆向居民开放", "5月20日起新图书馆向居民开放", "5月20日起新图书馆向居民开放"),
        ("Example Daily - “Books are free” says the mayor", "“Books are free” says the mayor", None),
        ("全体居民本周迎来新图书馆-示例日报", "示例日报", "全体居民本周迎来新图书馆"),
    ],
)
def test_a_line_shows_where_the_headline_begins_in_a_page_title(title: str, shown: str, expected: str | None) -> None:
    page = f"<title>{title}</title><table><tr><td><strong>{shown}</strong></table><p>{'读者很高兴。' * 20}</p>"
    assert headline(page) == (expected or shown, "title")


def test_heading_that_agrees_with_the_title_is_the_headline() -> None:
    page = "<title>Rates rise again - Example</title><h1>Example</h1><h2>Rates rise again</h2><h2>Other story</h2>"
    assert headline(page) == ("Rates rise again", "h2")


@pytest.mark.parametrize(
    ("stated", "heading", "expected"),
    [
        ("Bank of England raises rates", "<h1>Our journal</h1>", ("Bank of England raises rates", "json-ld")),
        (
            "Bank of England raises rates",
            "<h1>Rates go up in England, says the bank</h1>",
            ("Rates go up in England, says the bank", "h1"),
        ),
        (
            "Third time: Bank of England raises rates",
            "<h1>Bank of England raises rates</h1>",
            ("Third time: Bank of England raises rates", "json-ld"),
        ),
        (
            "Bank of England raises rates for the",
            "<h1>Bank of England raises rates for the third time</h1>",
            ("Bank of England raises rates for the third time", "h1"),
        ),
        (
            "Bank of England raises rates",
            "<h1>Rates go up in England, says the bank</h1><h1>Latest</h1>",
            ("Bank of England raises rates", "json-ld"),
        ),
    ],
    ids=["unrelated", "written for search engines", "kicker in front", "cut", "several headings"],
)
def test_json_ld_headline_gives_way_to_the_only_heading_with_other_words(
    stated: str, heading: str, expected: tuple[str, str]
) -> None:
    ld = f'<script type="application/ld+json">{{"@type":"NewsArticle","headline":"{stated}"}}</script>'
    assert headline(f"<title>x</title>{ld}{heading}") == expected


def test_kicker_in_an_element_of_its_own_is_left_out() -> None:
    page = (
        '<meta property="og:title" content="Rates rise for the third time">'
        "<title>Rates rise for the third time | Example</title>"
        "<h1><span>Economy</span><span>Rates rise for the third time</span></h1>"
    )
    assert headline(page) == ("Rates rise for the third time", "h1")


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("Bank - Rates rise a 3rd time", "<b>Bank</b><b>Rates rise a 3rd time</b>", "Rates rise a 3rd time"),
        ("Rates rise a 3rd time - Bank", "<b>Bank</b><b>Rates rise a 3rd time</b>", "Rates rise a 3rd time"),
        ("Rates rise a 3rd time", "<b>Bank:</b> Rates rise a 3rd time", "Rates rise a 3rd time"),
        ("Bank: Rates rise a 3rd time", "<b>Bank</b>: <i>Rates rise a 3rd time</i>", "Bank: Rates rise a 3rd time"),
        ("Rates rise a 3rd time", "Why do rates rise a third time", "Why do rates rise a third time"),
    ],
)  # fmt: skip
def test_kicker_that_all_titles_set_apart(title: str, heading: str, expected: str) -> None:
    page = f'<meta property="og:title" content="{title}"><title>{title}</title><h1>{heading}</h1>'
    assert headline(page) == (expected, "h1")


def test_headline_below_the_one_for_search_engines() -> None:
    page = (
        '<meta property="og:title" content="The bank that dares to do it a third time">'
        "<title>Rates rise again: what it means | Example</title>"
        '<h1 class="hidden">Rates rise again: what it means</h1>'
        "<h2><span>Economy</span> The bank that dares to do it a third time</h2><p>Text</p>"
    )
    assert headline(page) == ("The bank that dares to do it a third time", "opengraph")
    others = page.replace("<h2><span>", "<h2>What else</h2><h2>Sport</h2><h2>Weather</h2><h2><span>")
    assert headline(others) == ("Rates rise again: what it means", "h1")


def test_site_name_without_a_separator() -> None:
    title = "我市新图书馆今天正式对外开放 示例市第一人民图书馆"
    assert headline(f"<title>{title}</title><p>我市新图书馆今天正式对外开放</p>") == (
        "我市新图书馆今天正式对外开放",
        "title",
    )


def test_title_given_as_the_sites_name_is_the_title() -> None:
    metas = "<meta name=application-name content=新图书馆开放><meta property=og:title content=新图书馆开放>"
    assert headline(f"<title>新图书馆开放 | 示例网</title>{metas}<h1>新图书馆开放</h1>") == ("新图书馆开放", "h1")


def test_breadcrumb_title_leads_to_the_page() -> None:
    page = "<title>Example Remaining » News » Rates rise again</title><h1>News</h1><h2>Rates rise again</h2>"
    assert headline(page) == ("Rates rise again", "h2")


def test_quotation_marks_cut_no_title() -> None:
    assert (
        strip_site("Mayor calls for «resistance» to the plan", frozenset())
        == "Mayor calls for «resistance» to the plan"
    )


def test_address_spells_umlauts_both_ways() -> None:
    assert spelled_in_url("Über Öl", "ueber-oel") == spelled_in_url("Über Öl", "uber-ol") == 1.0
    assert spelled_in_url("新图书馆", "xin-tushuguan") == 0.0


def test_a_logo_in_a_heading_is_the_site_s_name() -> None:
    page = """<title>新图书馆今天开放(2)_示例新闻网</title><body><h2><a href="http://www.example.com">示例新闻网</a></h2>
    <div><h2>新图书馆今天开放</h2></div><p>正文</p>"""
    assert headline(page) == ("新图书馆今天开放", "h2")
    assert headline(page.replace("http://www.example.com", "/b.html").replace("(2)", "")) == ("新图书馆今天开放", "h2")


@pytest.mark.parametrize(
    ("title", "logo", "foot", "expected"),
    [
        ("构造器 - 青石板的博客", "青石板", "", "构造器"),
        ("Router - Marlowes Notizen", "Marlowes", "", "Router"),
        ("Сад - Записки Марлоу", "Записки", "", "Сад"),
        ("New library opens – news on the site «Mill Town Post»", "", "© Mill Town Post. 12+", "New library opens"),
        ("Сад переехал – новости на сайте «Речной край»", "", "© 2024 Речной край.", "Сад переехал"),
        ("新图书馆开放 - 来自《示例的家园》", "", "© 2019-2024 示例的家园", "新图书馆开放"),
    ],
)
def test_what_leads_home_or_holds_the_copyright_names_the_site(title: str, logo: str, foot: str, expected: str) -> None:
    page = f"<title>{title}</title><a href=/notes/>{logo}</a><h2>Other</h2><p>Text.</p><div>{foot}</div>"
    found = headline(page, url="http://www.example.com/notes/2024/a.html")
    assert found is not None
    assert found[0] == expected


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("题解 P1063 【能量项链】", "P1063 题解"),
        ("Best series of the year to see now", "The series of the year to see"),
        ("Die besten Serien des Jahres im Netz", "Serien des Jahres: unsere Liste"),
    ],
)
def test_a_title_above_the_headings_of_its_text_is_the_headline(title: str, heading: str) -> None:
    page = f"<title>{title} | Mill Town Post</title><div>{{}}</div><h1>{heading}</h1><p>Text.</p>"
    assert headline(page.format(title)) is not None
    assert (headline(page.format(title)) or ("",))[0] == title
    assert (headline(page.format(f"<a href=/x>{title}</a>")) or ("",))[0] == heading


@pytest.mark.parametrize(
    "title", ["The mayor denies the claim", "Der Bürgermeister bestreitet es", "市长否认了这一说法"]
)
def test_a_heading_that_leads_to_the_page_again_is_below_the_headline(title: str) -> None:
    story = f"<div>{title}</div><p>By Tessa Marlow</p><p>Text.</p><h2>More</h2><h3><a href=/b.html>{title}</a></h3>"
    document = Document.from_html(f"<title>{title}</title><body><p>Post</p>{story}", "http://www.example.com/a.html")
    found = choose_headline(gather(document), frozenset())
    assert found is not None
    assert (found[0], found[2]) == (title, 1)


def test_only_heading_is_taken_where_the_title_is_the_sites() -> None:
    assert headline("<title>Example</title><h1>Rates rise again</h1>", "Example") == ("Rates rise again", "h1")


def test_a_headline_of_two_ideographs() -> None:
    assert headline("<html lang=zh><title>春海 – 小城的博客</title><h1>春海</h1><p>" + STORY) == ("春海", "h1")


@pytest.mark.parametrize("page", ["", "<p>no title", "<title></title><h1> </h1>"])
def test_page_without_a_title(page: str) -> None:
    assert headline(page) is None


@given(st.text(max_size=80), st.text(max_size=80))
def test_similarity_is_symmetric_and_one_on_itself(first: str, second: str) -> None:
    first, second = fold(first), fold(second)
    assert 0.0 <= similarity(first, second) == similarity(second, first) <= 1.0
    assert similarity(first, first) == (1.0 if first else 0.0)


@given(st.text(max_size=120))
def test_stripping_keeps_a_part_of_the_title(title: str) -> None:
    assert strip_site(title, frozenset()) in " ".join(title.split())


STORY = "<p>" + "市政府今天宣布，新图书馆向全体居民开放，藏书超过一百万册，读者可以免费借阅。" * 3 + "</p>"


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        ("<td class=font01>新桥今天通车</td><tr><td>本报记者 张三<tr><td>2024年03月04日 第01版", "新桥今天通车"),
        ("<td style='FONT-SIZE: 23px'>新桥今天通车</td><tr><td>来源：示例日报", "新桥今天通车"),
        ("<td><font size=5><b>新桥今天通车</b></font></td>", "新桥今天通车"),
        ("<td class=title><font size=²>新桥今天通车</font></td>", "新桥今天通车"),
        ("<td>新桥今天通车</td>", "示例日报"),
        ("<td class=title>2024年03月04日 第01版</td>", "示例日报"),
    ],
    ids=["class", "style", "font", "a size that is no number", "nothing", "date"],
)
def test_a_headline_that_no_title_names(above: str, expected: str) -> None:
    page = f"<html lang=zh><title>示例日报</title><body><table><tr>{above}<tr><td>{STORY}</table></body></html>"
    assert headline(page, url="http://paper.example.cn/html/a.html")[0] == expected  # type: ignore[index]


@pytest.mark.parametrize("title", ["云川县人民政府 乡镇快讯", "云川新闻网 社区新闻", "云川信息网-云川县组织信息网"])
@pytest.mark.parametrize("shown", ["新桥今天通车", "关于举办第三届公益慈善项目大赛暨慈善成果展的通知"])
def test_a_title_of_press_and_channel_is_no_headline(title: str, shown: str) -> None:
    page = f"<html lang=zh><title>{title}</title><body><div class=title><h2>{shown}</h2></div>{STORY}</body></html>"
    assert headline(page, url="http://www.example.cn/html/a.html")[0] == shown  # type: ignore[index]


def test_broken_addresses_beside_a_headline_that_nothing_names_do_no_harm() -> None:
    page = """<html lang=zh><title>柳河日报社</title><body><a href='http://[x/'>坏</a>
        <p class=title>新图书馆今天开放</p>
        <p>市政府周二召开会议，讨论春天以来一直封闭的大桥。市长表示，维修工程将在入冬之前完成，预计历时十一周。</p></body>"""
    assert headline(page, url="http://example.cn/html/") == ("新图书馆今天开放", "visible")


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("New bridge opens today | Mill Town", "<h3>Mill Town</h3><p><a href='/'>Mill Town</a></p><b>{}</b>", "title"),
        ("bridge [Mill Town Wiki]", "<h1><a href='/doku?id=start'>Mill Town Wiki</a></h1><h1>{}</h1>", "h1"),
        ("New bridge opens today - Topic - Mill Town", "<div><a href='/a'>{}</a></div>", "title"),
        ("Our bridge is back - Mill Town", "<h1>{}</h1><p>" + "The mayor spoke. " * 9 + "</p><h1>More news</h1>", "h1"),
        ("New bridge opens today › Town › Mill Town", "<h1>{}</h1><p>By</p><h3>Town</h3>", "h1"),
        ("Brücke auf - Mill Town", "<h1><abbr>New</abbr> <span>bridge opens today</span></h1>", "h1"),
    ],
    ids=[
        "a link home in the page title",
        "a heading that leads elsewhere",
        "a kind of page behind the headline",
        "headings below the text",
        "sections behind the headline",
        "a part that begins small",
    ],
)
def test_the_pages_own_headline_beats_the_name_of_its_site(title: str, body: str, expected: str) -> None:
    shown = "New bridge opens today"
    page = f"<title>{title}</title>{body.format(shown)}<p>{'The mayor spoke. ' * 20}</p>"
    assert headline(page) == (shown, expected)


@pytest.mark.parametrize(
    "title", ["Mill Town Notes: New bridge opens today", "Mill Town Notes - New bridge opens today"]
)
@pytest.mark.parametrize("above", ["/notes/", "http://www.example.com/notes"])
def test_the_name_of_a_blog_that_leads_to_its_folder_is_no_headline(title: str, above: str) -> None:
    page = f"<title>{title}</title><h1><a href='{above}'>Mill Town Notes</a></h1><p>{'The mayor spoke. ' * 20}</p>"
    found = headline(page, url="http://example.com/notes/2024/bridge.html")
    assert found == ("New bridge opens today", "title")


def test_a_headline_that_leads_to_its_own_page_elsewhere_stays() -> None:
    title = "New bridge opens today"
    page = f"<title>{title} - Mill Town</title><h1><a href='/2024/bridge'>{title}</a></h1><p>The mayor spoke.</p>"
    found = headline(page, url="http://example.com/?p=1")
    assert found is not None
    assert found[0] == title


TWO_HEADLINES = """<h1>Rat beschließt nach langer Kritik eine nächtliche Fähre</h1><h2>Nach langer Kritik</h2>
<h2>Die Fähre kommt doch noch einmal zurück</h2>
<meta property=og:title content='Nach langer Kritik: Die Fähre kommt doch noch einmal zurück'>"""


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Energía - Cómo montar una comunidad - El Diario", "<h1>Energía</h1><h1>Cómo montar una comunidad</h1>",
         "Cómo montar una comunidad"),
        ("自宅の日記 - 改正法が炎上、暗証番号が識別符号に当たらない",
         "<h1>自宅の日記</h1><h3>改正法が炎上、暗証番号が識別符号に当たらない</h3>",
         "改正法が炎上、暗証番号が識別符号に当たらない"),
        ("Security Diary: How two scanners differ in their probes", "<h3>How two scanners differ in their probes</h3>",
         "How two scanners differ in their probes"),
        ("Hilfe für den Norden: Die Fähre fährt wieder bei Nacht | Beispiel",
         "<h1><span>Gipfel im Norden</span> <span>Die Fähre fährt wieder bei Nacht</span></h1>",
         "Die Fähre fährt wieder bei Nacht"),
        ("Rat beschließt nach langer Kritik eine nächtliche Fähre",
         TWO_HEADLINES,
         "Die Fähre kommt doch noch einmal zurück"),
    ],
)  # fmt: skip
def test_a_kicker_or_section_beside_the_headline_is_none(title: str, body: str, expected: str) -> None:
    found = headline(
        f"<html><head><title>{title}</title></head><body>{body}<p>{'A story of the ferry. ' * 9}</p></body>"
    )
    assert found is not None
    assert found[0] == expected


CHANNEL = {
    "zh": ("本地新闻_云川新闻网", "老渡口重新通航", "停航六年的乌水老渡口昨天清晨重新通航，第一班船坐了四十八人。"),
    "ja": ("地域ニュース｜山あい新聞", "廃線の駅舎がパン屋に", "九年がたった駅舎で、小さなパン屋が開店した。"),
    "de": ("Nachrichten - Talbote", "Dorfladen röstet selbst", "Im Februar begann der Dorfladen selbst zu rösten."),
    "ko": ("지역 뉴스 - 신문", "섬 분교, 도서관으로", "문을 닫았던 섬 분교가 지난 토요일 도서관으로 다시 문을 열었다."),
}


@pytest.mark.parametrize("language", sorted(CHANNEL))
@pytest.mark.parametrize(
    "form",
    [
        "<h2>{0}</h2><p>{1}</p>",
        "<h1>{2}</h1><h2>{0}</h2><p>2024-05-18</p><p>{1}</p>",
        "<h1><a href=/local/>{2}</a></h1><h3>{0}</h3><p>{1}</p>",
        "<div class=article-title>{0}</div><p>{1}</p>",
        "<p style='font-size: 24px'><b>{0}</b></p><p>{1}</p>",
    ],
)
def test_a_channels_title_gives_way_to_the_heading_that_the_text_speaks_of(form: str, language: str) -> None:
    title, shown, text = CHANNEL[language]
    channel = re.split(r"[_｜]| - ", title)[0]
    page = f"<title>{title}</title><ul><li><a href=/local/>{channel}</a></ul>{form.format(shown, text * 3, channel)}"
    found = choose_headline(gather(Document.from_html(page, "https://www.example.org/7001.html")), frozenset())
    assert found is not None
    assert found[0] == shown
    own = page.replace(f"<title>{title}", f"<title>{shown}!")
    assert headline(own) != (title, "title")


@pytest.mark.parametrize(
    ("called", "expected"),
    [("Ferry sails again", "Ferry sails again"), ("Ferry sails…", "Ferry sails again"), ("More", "Local news")],
)
def test_a_line_that_the_link_repeats_is_the_headline(called: str, expected: str) -> None:
    page = "<title>Local news</title><h1>Local news</h1><h3>Ferry sails again</h3><p>It left at nine.</p>"
    found = choose_headline(gather(Document.from_html(page)), frozenset(), called=called)
    assert found is not None
    assert found[0] == expected


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Council opens a new library by the river", "Council opens a new<br>library by the river"),
        ("市议会在河边开设新图书馆", "市议会在河边<br>开设新图书馆"),
        ("Council opens a new library by the river", "Council opens<br>a new library<br>by the river"),
        ("Opened: a new library", "<span class=wide>Opened: a new library</span><span>Opened: a new library</span>"),
    ],
)
def test_a_heading_in_pieces_is_read_whole_and_once(title: str, heading: str) -> None:
    """It breaks off, or is written for each width of screen."""
    found = headline(f"<title>{title} - Example Site</title><h1>{heading}</h1><p>Text.</p>")
    assert found is not None
    assert found[0] == title


def test_the_last_part_of_a_way_in_the_title_is_a_line() -> None:
    title = "Restorers find a tuner's letter in a grand piano"
    line = f"<div>{title}</div><p>{'A sentence of the story about a piano. ' * 4}</p>"
    found = headline(f"<title>Far Side News » Culture » {title}</title>{line}")
    assert found is not None
    assert found[0] == title
