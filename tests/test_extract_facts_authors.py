from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.extract.facts.names import chinese_names, is_east_asian_name, split_names
from newscrawl.extract.facts.source import source_in
from newscrawl.page.document import Document
from newscrawl.page.places import PageLines

if TYPE_CHECKING:
    from newscrawl.items import Article

WORDPRESS = """<span class="meta-prep meta-prep-author">Posted on</span> <a>March 4, 2024</a>
<span class="meta-sep">by</span> <span class="author vcard"><a class="url fn n">Jane Doe</a></span>"""
BYLINE = """<div class=byline><b class=author><a>Jane Doe</a></b> <a>Mill Town</a> <a>Comments</a>
<i class=author-photo></i></div>"""
NEWS = "itemscope itemtype='http://schema.org/NewsArticle'"
PICTURE = """<div itemprop=image itemscope itemtype='http://schema.org/ImageObject'>
<meta itemprop=author content='John Roe'></div>"""
FETCHED = datetime(2024, 3, 5, 12, 0, tzinfo=UTC)
BODY = "<p>" + "市政府今天宣布，新图书馆向全体居民开放，藏书超过一百万册，读者可以免费借阅。" * 3 + "</p>"
TEXT = "<p>" + "The city council opened the new library today, and readers may borrow books for free. " * 3 + "</p>"


def read(body: str, head: str = "", *, lang: str = "zh") -> Article:
    title = "新图书馆向居民开放" if lang == "zh" else "The new library opens today"
    page = f"<html lang={lang}><head><title>{title}</title>{head}</head><body><h1>{title}</h1>{body}</body></html>"
    return extract_metadata(Document.from_html(page, "http://news.example.com/a.html"), fetched_at=FETCHED)


def names(metadata: Article) -> list[tuple[str, str | None]]:
    return [(author.name, author.role) for author in metadata.authors]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<div>2024-03-05 来源：示例日报 作者：张三 李四</div>{BODY}", [("张三", None), ("李四", None)]),
        (f"<div>文/王小明</div>{BODY}", [("王小明", None)]),
        (f"<div>作 者：欧阳修、司马光</div>{BODY}", [("欧阳修", None), ("司马光", None)]),
        (f"<p>示例快讯（记者 裴剑飞）今日，新图书馆开放。</p>{BODY}", [("裴剑飞", "reporter")]),
        (f"<div>本报记者 张三 李四 北京报道</div>{BODY}", [("张三", "reporter"), ("李四", "reporter")]),
        (f"<p>新图书馆外景。本报记者 张三 摄</p>{BODY}", [("张三", "photographer")]),
        (
            f"<div>本报记者 李四</div><p>新图书馆外景。本报记者 张三、王五摄</p>{BODY}",
            [("李四", "reporter"), ("张三", "photographer"), ("王五", "photographer")],
        ),
        (f"<div>本报记者 张三 摄影报道</div>{BODY}", [("张三", "reporter")]),
        (f"{BODY}<p>{'读者很高兴。' * 12}(李楠)</p>", [("李楠", None)]),
        (f"{BODY}<p>{'读者很高兴。' * 12}（姚峰 上海报道）</p>", [("姚峰", None)]),
        (f"{BODY}<div>责任编辑：王五</div>", [("王五", "editor")]),
        (f"<div>作者：张三</div>{BODY}<div>（责任编辑：王五 NF1）</div>", [("张三", None), ("王五", "editor")]),
        (f"{BODY}<ul><li>馆藏报告（季度）</li></ul>", []),
        (f"<p>记者从有关部门获悉，新图书馆开放。</p>{BODY}", []),
        (f"<div>作者：佚名</div>{BODY}", []),
        (f"<p>图为新图书馆启动仪式。（刘通摄）</p>{BODY}", []),
        (f"<div>本文来源于《示例日报》 2024-03-05 12:00 我要评论</div>{BODY}", []),
        (
            f'{BODY}<article><footer><a href="/author/bei-fang.html">北方的河</a></footer></article>',
            [("北方的河", None)],
        ),
        (f"<div>去旅行 2024-03-05 12:00</div>{BODY}", [("去旅行", None)]),
        (f"<div>作者：<a>张三</a> <a>李四</a> <a>我有话说</a></div>{BODY}", [("张三", None), ("李四", None)]),
        (f"{BODY}<p>本文来自微信公众号“示例观察”，作者：张三，示例网经授权发布。</p>", [("张三", None)]),
        (f"<div>作者：张三，李四</div>{BODY}", [("张三", None), ("李四", None)]),
        (
            f"{BODY}<p>本文由作者 <a>Jane Doe</a> 发表在 <a>Example Daily</a> 上：原题。{BODY[3:60]}</p>",
            [("Jane Doe", None)],
        ),
        (f"{BODY}<p>本文由作者 J. (Jane) Doe 和 John Roe 授权。</p>", [("J. Doe", None), ("John Roe", None)]),
        (f"{BODY}<p>本文由作者张三发布在示例网。</p>", [("张三", None)]),
        (f"<div>作者： Jane Doe 和 John Roe</div>{BODY}", [("Jane Doe", None), ("John Roe", None)]),
        (f"<div>作者： Jane Doe and John Roe</div>{BODY}", [("Jane Doe", None), ("John Roe", None)]),
        (f"<div>作者：张三 与 李四</div>{BODY}", [("张三", None), ("李四", None)]),
        (f"{BODY}<p>本文由作者整理发布，本文由作者授权发布。</p>", []),
        (f"<p>記者林小美、陳大文／高雄即時報導</p>{BODY}", [("林小美", "reporter"), ("陳大文", "reporter")]),
        (f"<p>記者林小美/金門報導</p>{BODY}", [("林小美", "reporter")]),
        (f"<p>（中央社記者林小美高雄5日電）新圖書館今天開放。</p>{BODY}", [("林小美", "reporter")]),
        (f"<p>2024-3-5 21:15 | 发布者: <a>陈思远</a> | 查看: 812</p>{BODY}", [("陈思远", None)]),
        (f"<p>記者彭書瑋苗栗報導</p><p>2024-03-05</p>{BODY}", [("彭書瑋", "reporter")]),
        (f"<p>口述：孟兆兰　整理：沈砚青</p>{BODY}", [("沈砚青", None)]),
        (f"<p>記者連雅筑／高雄報導</p>{BODY}", [("連雅筑", "reporter")]),
        (f"<p>文／鄭以恩、賴書緯</p>{BODY}", [("鄭以恩", None), ("賴書緯", None)]),
    ],
)
def test_chinese_bylines(body: str, expected: list[tuple[str, str | None]]) -> None:
    assert names(read(body)) == expected


@pytest.mark.parametrize(
    ("lang", "text", "source"),
    [
        ("en", "LOWMERE, March 5 (Reuters) - {}", "Reuters"),
        ("en", "LOWMERE (AP) — {}", "AP"),
        ("fr", "Paris (AFP) - {}", "AFP"),
        ("de", "Berlin (dpa) – {}", "dpa"),
        ("de", "{} (dpa/mv)", "dpa"),
        ("ru", "МОСКВА, 5 марта. /ТАСС/. {}", "ТАСС"),
        ("pl", "Warszawa (PAP) - {}", "PAP"),
        ("es", "Madrid, 5 mar (EFE).- {}", "EFE"),
        ("sv", "{} (TT)", "TT"),
        ("zh", "新华社北京3月5日电 {}", "新华社"),
        ("zh", "（中央社記者林小美高雄5日電）{}", "中央社"),
        ("ja", "【パリ＝共同】{}", "共同"),
        ("ko", "(서울=연합뉴스) 김하늘 기자 = {}", "연합뉴스"),
        ("uk", "Київ. 5 березня. Укрінформ. {}", None),
        ("en", "{} The AP course is full.", None),
        ("en", "{} (Map by AP Design Ltd)", None),
    ],
)
def test_an_agency_at_the_head_or_end_of_the_text_is_the_source(lang: str, text: str, source: str | None) -> None:
    sentence = "The city council opened the new library today, and readers may borrow books for free."
    data = json.dumps({"@type": "NewsArticle", "publisher": {"name": "Mill Town Times"}})
    body = f"<p>{text.format(sentence)}</p>" if text[0] != "{" else f"{TEXT}<p>{text.format(sentence)}</p>"
    found = read(body + TEXT * (text[0] != "{"), f"<script type=application/ld+json>{data}</script>", lang=lang)
    assert found.source == (source or "Mill Town Times")


@pytest.mark.parametrize(
    "filler",
    [
        "未知",
        "本站",
        "网络",
        "互联网",
        "admin",
        "本站原创",
        "网络整理",
        "佚名",
        "来自网络",
        "不详",
        "unknown",
        "互联网整理",
        "网络转载",
        "網路轉載",
        "agencias",
    ],
)
def test_a_filler_is_no_source(filler: str) -> None:
    assert read(f"<div>2024-03-05 10:20 来源：{filler} 点击：12</div>{BODY}").source is None


def test_raw_name_is_kept_as_printed() -> None:
    (author,) = read(f"<div>记者 张三</div>{BODY}").authors
    assert author.nameRaw == "记者张三"


def test_name_above_a_table_of_contents() -> None:
    heading = "Why the library was late"
    story = [f"In year {year} the council voted on the library, and the vote was close." for year in range(12)]
    body = f"<h2>{heading}</h2><p>" + "</p><p>".join(story) + "</p><span class=author-name>Jane Doe</span>"
    menu = "".join(f"<li>Section number {number}</li>" for number in range(20))
    page = f"<html lang=en><body><h1>The new library opens today</h1>{body}{menu}<p>{heading}</p>{menu}"
    document = Document.from_html(page, "http://example.com/a.html")
    found = extract_metadata(document, fetched_at=FETCHED, body_text="\n".join([heading, *story]))
    assert [author.name for author in found.authors] == ["Jane Doe"]


def test_name_below_a_table_that_ends_the_text() -> None:
    cells = "".join(f"<tr><td>{year}</td><td>{year % 7}</td><td>{year % 5} %</td></tr>" for year in range(2015, 2025))
    page = f"<h1>The new library opens today</h1>{TEXT}<table>{cells}</table><span class=author-name>Jane Doe</span>"
    document = Document.from_html(f"<html lang=en><body>{page}", "http://news.example.com/a.html")
    text = "\n".join(line.text for line in document.once(PageLines) if line.text != "Jane Doe")
    found = extract_metadata(document, fetched_at=FETCHED, body_text=text)
    assert [author.name for author in found.authors] == ["Jane Doe"]


def test_site_in_the_meta_is_no_author_of_a_chinese_page() -> None:
    head = '<meta name="author" content="示例网"><meta property="og:site_name" content="示例网">'
    assert names(read(BODY, head)) == []


@pytest.mark.parametrize(
    ("body", "head", "expected"),
    [
        (f"<div>By Jane Doe and John Roe</div>{TEXT}", "", ["Jane Doe", "John Roe"]),
        (f"<div>By <a href=/j>Jane Doe</a> Dec 9, 2023</div>{TEXT}", "", ["Jane Doe"]),
        (f"<p>Kirjoittanut Anna Virtanen</p>{TEXT}", "", ["Anna Virtanen"]),
        (f"<p>Scris de Ion Popescu</p>{TEXT}", "", ["Ion Popescu"]),
        (f"<div class=byline>Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>Posted by Jane Doe on March 4, 2024</div>{TEXT}", "", ["Jane Doe"]),
        (TEXT, '<meta name="author" content="Jane Doe, Senior Reporter">', ["Jane Doe"]),
        (TEXT, '<meta property="article:author" content="https://social.example/jane">', []),
        (f"{TEXT}<div class=comments><span class=author>Troll</span></div>", "", []),
        (
            f"<article>{TEXT}<footer><span>In News</span> <a rel=author>Jane Doe</a></footer></article>",
            "",
            ["Jane Doe"],
        ),
        (f"{TEXT}<div class=entry-footer><span>In News</span> <a rel=author>Jane Doe</a></div>", "", ["Jane Doe"]),
        (f"{TEXT}<footer>Design by <a class=author>Jane Doe</a></footer>", "", []),
        (f"<div class=post-author><i class=icon></i><br> Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"{TEXT}<div class=author_desc>Notes from the city</div>", "", []),
        (f"<div>Bystanders cheered</div>{TEXT}", "", []),
        (f"<div>by <a class=author>Syndicated</a></div>{TEXT}", "", []),
        (f"<div><span>March 4, 2024</span>&nbsp;·&nbsp;4 min&nbsp;·&nbsp;Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>March 4, 2024 · 4 min · politics</div>{TEXT}", "", []),
        (f"<div>Submitted by <b>Jane Doe</b> on Mon, 03/04/2024 - 20:00</div>{TEXT}", "", ["Jane Doe"]),
        (f"<ul><li>Por qué se retrasa la biblioteca</li></ul><div>Escrito por Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>Soumis par <a>Jane Doe</a> le lun, 04/03/2024 - 20:00</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div class=author>كتب: سامر الحداد</div>{TEXT}", "", ["سامر الحداد"]),
        (f"<p class=news-author>خبرنگار: نگار صابری</p>{TEXT}", "", ["نگار صابری"]),
        (f"<div class=author>Jane Doe - <span>news.example.com</span></div>{TEXT}", "", ["Jane Doe"]),
        (f"<div class=author>Editör: Ece Karahan</div>{TEXT}", "", ["Ece Karahan"]),
        (f"<div>5. März 2024 | Von Jane Doe | Lokales</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>28.04.2021 | Quelle | Text vorlesen</div>{TEXT}", "", []),
        (f"<div>5 марта 2024 | Автор: Пётр Смирнов | Просмотров: 812</div>{TEXT}", "", ["Пётр Смирнов"]),
        (f"<div>di Chiara Rossi - 5 marzo 2024</div>{TEXT}", "", ["Chiara Rossi"]),
        (f"<div>Di Cosa si parla oggi</div>{TEXT}", "", []),
        (f"<div>بقلم سامر الحداد</div>{TEXT}", "", ["سامر الحداد"]),
        (f"<div>By JANE DOE, Staff Writer</div>{TEXT}", "", ["JANE DOE"]),
        (f"<div>By Staff Writer</div>{TEXT}", "", ["Staff Writer"]),
        (f"<div>By <a>Jane Do<span>e</span></a></div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>By <b>J</b>ane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>+ Text Size</div><div>By: Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>Text: Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>By using Mill Town you agree to our rules</div>{TEXT}", "", []),
        (f"<div>By the Mill Town Times</div>{TEXT}", "", ["the Mill Town Times"]),
        (f"<div>© by Mill Town Times</div>{TEXT}", "", []),
        (f"<ul><li><a>By Country</a><li><a>By Rating</a></ul><div>By Jane Doe</div>{TEXT}", "", ["Jane Doe"]),
        (f"<div>4 March 2024, 20:00 by janedoe</div>{TEXT}", "", ["janedoe"]),
        (f"<div>March 4, 2024 by the end of the day</div>{TEXT}", "", []),
        (f"{BYLINE}{TEXT}", "", ["Jane Doe"]),
        (f"<div {NEWS}><meta itemprop=author content='Jane Doe'>{PICTURE}{TEXT}</div>", "", ["Jane Doe"]),
        (f"<div>Jane Doe and John Roe</div><div>March 4, 2024</div>{TEXT}", "", ["Jane Doe", "John Roe"]),
        (f"<div class=footer>4.3.2024, <b itemprop=author>Jane Doe</b></div>{TEXT}", "", ["Jane Doe"]),
        (f'<div><a href="/author/ravi">रवि शर्मा</a></div>{TEXT}', "", ["रवि शर्मा"]),
        (f'{TEXT}<div><a href="/author/ravi">रवि शर्मा</a></div>', "", []),
    ],
)
def test_english_bylines(body: str, head: str, expected: list[str]) -> None:
    assert [author.name for author in read(body, head, lang="en").authors] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<span class=name>김하늘 기자</span>{TEXT}", ["김하늘"]),
        (f"<div>김하늘·이도현 선임기자 입력 2024.03.04</div>{TEXT}", ["김하늘", "이도현"]),
        (f"<p>(서울=통신) 김하늘 기자 = 새 도서관이 오늘 문을 열었다.</p>{TEXT}", ["김하늘"]),
        (f"{TEXT}<p>김하늘 기자 sky@news.example.com</p>", ["김하늘"]),
        (f"<p>[하늘신문 = 김하늘·이도현 기자]</p>{TEXT}", ["김하늘", "이도현"]),
        (f"<p>[하늘신문=김하늘 기자] 새 도서관이 오늘 문을 열었다.</p>{TEXT}", ["김하늘"]),
        (f"<p>(부산=하늘통신) 김하늘 특파원</p>{TEXT}", ["김하늘"]),
        (f"<p>글·사진=김하늘 기자</p>{TEXT}", ["김하늘"]),
        (f"<p>시장은 기자 간담회에서 새 도서관이 오늘 문을 열었다고 말했다.</p>{TEXT}", []),
        (f"<p>시장은 기자들에게 새 도서관이 오늘 문을 열었다고 말했다.</p>{TEXT}", []),
    ],
)
def test_korean_bylines(body: str, expected: list[str]) -> None:
    page = f"<html lang=ko><title>새 도서관 오늘 개관</title><body><h1>새 도서관 오늘 개관</h1>{body}</body></html>"
    found = extract_metadata(Document.from_html(page, "http://news.example.com/a.html"), fetched_at=FETCHED)
    assert [author.name for author in found.authors] == expected


def test_a_korean_reporter_comes_before_the_press_in_the_meta() -> None:
    head = '<meta property="og:article:author" content="하늘일보 | 포털">'
    page = f"<html lang=ko><title>새 도서관</title>{head}<body><h1>새 도서관</h1><p>김하늘 기자</p>{TEXT}"
    assert names(extract_metadata(Document.from_html(page), fetched_at=FETCHED)) == [("김하늘", "reporter")]


@pytest.mark.parametrize(
    ("lang", "body", "head", "expected"),
    [
        ("pl", "<p class=autor>Autor: Hanna Wilczek, PAP</p>", "", [("Hanna Wilczek", None), ("PAP", "organization")]),
        ("cs", "<p class=author>Jana Dvořáková, ČTK</p>", "", [("Jana Dvořáková", None), ("ČTK", "organization")]),
        ("uk", "<p class=author>Укрінформ</p>", "", [("Укрінформ", "organization")]),
        ("sv", "<p class=byline>TT</p>", "", [("TT", "organization")]),
        ("de", "<p class=author>Anna Muster, dpa</p>", "", [("Anna Muster", None), ("dpa", "organization")]),
        ("en", "<p class=byline>Tessa Marlow in Lowmere, with additional reporting by Bram Osterly</p>", "",
         [("Tessa Marlow", None)]),
        ("en", "<p class=byline>By Tessa Marlow in Lowmere</p>", "", [("Tessa Marlow", None)]),
        ("de", "<p>Von Anna Muster, Berlin (dpa)</p>", "", [("Anna Muster", None)]),
        ("pl", "<p>Hanna Wilczek (PAP)</p>", "", [("Hanna Wilczek", None)]),
        ("el", "<p class=author>Της Μαρίας Παπαδοπούλου</p>", "", [("Μαρίας Παπαδοπούλου", None)]),
        ("en", "<p class=byline>Words by Tessa Marlow, photographs by Sam Holt</p>", "", [("Tessa Marlow", None)]),
        ("id", "<div>Penulis: Budi Santoso | Editor: Rina Dewi</div>", "", [("Budi Santoso", None)]),
        ("vi", "<div class=author>Tác giả: Nguyễn Văn An - Ảnh: Trần Bình</div>", "", [("Nguyễn Văn An", None)]),
        ("th", "<div>ผู้เขียน: สมชาย ใจดี | ภาพ: อนันต์ ทองดี</div>", "", [("สมชาย ใจดี", None)]),
        ("fa", "<div>نویسنده: نگار صابری | عکاس: علی رضایی</div>", "", [("نگار صابری", None)]),
        ("es", "<p class=author>Por Lucía Rojas desde Villanueva</p>", "", [("Lucía Rojas", None)]),
        ("en", "<p class=byline>Tessa Marlow<span>, Harbour correspondent</span> | <a href=/@t>@tmarlow</a></p>", "",
         [("Tessa Marlow", None)]),
        ("en", "<p>By Tessa Marlow and James Kettering</p>", "Tessa Marlow James Kettering",
         [("Tessa Marlow", None), ("James Kettering", None)]),
        ("de", "<p>Von Anna Muster und Ben Beispiel</p>", "Anna Muster Ben Beispiel",
         [("Anna Muster", None), ("Ben Beispiel", None)]),
        ("en", "<p>By Ana Maria Lopez Garcia</p>", "Ana Maria Lopez Garcia", [("Ana Maria Lopez Garcia", None)]),
        ("he", "<div class=author><span>נועה ברקאי ועידו שלם</span></div>", "",
         [("נועה ברקאי", None), ("עידו שלם", None)]),
        ("zh", "<div>原创 李小楠 示例新闻 2024-03-04 14:30</div>", "", [("李小楠", None)]),
        ("zh", "<div>作者：admin 来源：网络</div>", "", []),
        ("ru", "<p class=author>Автор: администратор</p>", "", []),
        ("vi", "<p class=author>Tác giả: Sưu tầm</p>", "", []),
        ("he", "<p>מאת דנה כהן | 05.06.2023</p>", "", [("דנה כהן", None)]),
        ("he", "<p>דנה כהן, כתבת לענייני חינוך</p>", "", [("דנה כהן", None)]),
        ("cs", "<p>Jana Nováková, redaktorka</p>", "", [("Jana Nováková", None)]),
        ("ru", "<p>Мария Иванова, корреспондент</p>", "", [("Мария Иванова", None)]),
        ("th", "<p>โดย สมชาย ใจดี</p>", "", [("สมชาย ใจดี", None)]),
        ("ar", "<p>كتبت - سارة حسن</p>", "", [("سارة حسن", None)]),
        ("ar", "<p>بقلم أحمد منصور وسارة حسن</p>", "", [("أحمد منصور", None), ("سارة حسن", None)]),
        ("hi", "<p>द्वारा राहुल वर्मा</p>", "", [("राहुल वर्मा", None)]),
        ("bn", "<p>লিখেছেন রহিম উদ্দিন</p>", "", [("রহিম উদ্দিন", None)]),
        ("vi", "<p>Bài và ảnh: Nguyễn Văn An</p>", "", [("Nguyễn Văn An", None)]),
        ("uk", "<p>Журналістка: Олена Шевченко</p>", "", [("Олена Шевченко", None)]),
        ("fi", "<p>Toimittaja Anna Virtanen</p>", "", [("Anna Virtanen", None)]),
        ("fa", "<p>به قلم علی رضایی</p>", "", [("علی رضایی", None)]),
        ("bn", "<p>লেখক: রহিম উদ্দিন, ঢাকা</p>", "", [("রহিম উদ্দিন", None)]),
        ("ta", "<p>எழுத்தாளர்: முருகன் குமார்</p>", "", [("முருகன் குமார்", None)]),
        ("th", "<p>เขียนโดย สมชาย ใจดี</p>", "", [("สมชาย ใจดี", None)]),
        ("el", "<p>Επιμέλεια: Μαρία Νικολάου</p>", "", [("Μαρία Νικολάου", None)]),
        ("cs", "<p>Autoři: Jana Nováková, Petr Svoboda</p>", "", [("Jana Nováková", None), ("Petr Svoboda", None)]),
        ("ru", "<p>Подготовила Мария Иванова</p>", "", [("Мария Иванова", None)]),
        ("lt", "<p>Parengė Ona Petraitė</p>", "", [("Ona Petraitė", None)]),
        ("hy", "<p>Հեղինակ: Անի Պետրոսյան</p>", "", [("Անի Պետրոսյան", None)]),
        ("km", "<p>ដោយ: សុខ វិចិត្រ</p>", "", [("សុខ វិចិត្រ", None)]),
        ("en", "<p>Sponsored Content</p>", "", []),
        ("en", "<p>Posted by, Tessa Marlow on March 4, 2024</p>", "", [("Tessa Marlow", None)]),
        ("de", "<p>Anna Muster, Brüssel</p><p>4. März 2024</p>", "", [("Anna Muster", None)]),
        ("fr", "<p>Anne Moreau à Genève</p><p>4 mars 2024</p>", "", [("Anne Moreau", None)]),
        ("uk", "<p>Олена Шевченко з Києва</p><p>04.03.2024</p>", "", [("Олена Шевченко", None)]),
        ("es", "<p>Lucía Rojas | Madrid</p><p>4 de marzo de 2024</p>", "", [("Lucía Rojas", None)]),
        ("en", "<p>TESSA MARLOW, Associated Press</p><p>March 4, 2024</p>", "", [("TESSA MARLOW", None)]),
        ("it", "<p>dal nostro inviato Chiara Rossi</p><p>4 marzo 2024</p>", "", [("Chiara Rossi", None)]),
        ("tr", "<p>Haber: Ece Karahan / İzmir</p>", "", [("Ece Karahan", None)]),
        ("en", "<p>New York, Tuesday</p><p>March 4, 2024</p>", "", []),
        ("es", "<p>Buenos Aires, Argentina</p><p>4 de marzo de 2024</p>", "", []),
        ("es", "<p>Lucía Rojas | Ciudad de México</p><p>4 de marzo de 2024</p>", "", [("Lucía Rojas", None)]),
        ("cs", "<p>ČTK, Petra Holá</p><p>4. března 2024</p>", "", [("Petra Holá", None)]),
        ("nl", "<p>Onze verslaggever Bram Vos</p>", "", [("Bram Vos", None)]),
        ("en", "<p>Grace Odell, Foreign Desk</p><p>March 4, 2024</p>", "", [("Grace Odell", None)]),
        ("pl", "<p>Arabia Saudyjska</p><p>4 marca 2024</p>", "", []),
        ("vi", "<p>Hàn Quốc</p><p>4 tháng 3, 2024</p>", "", []),
        ("en", "<p>Mill Town, Ohio</p><p>March 4, 2024</p><p>Mill Town has a new library since today.</p>", "", []),
        ("id", "<p>Posted by Sang Admin on March 4, 2024</p>", "", []),
        ("ru", "<p>Автор: Редакция</p>", "", [("Редакция", "organization")]),
        ("fr", "<p>Par La rédaction avec AFP</p>", "", [("La rédaction", "organization")]),
        ("es", "<p>Por: Redacción Noticias</p>", "", [("Redacción Noticias", "organization")]),
        ("ar", "<p>بقلم: المحرر</p>", "", []),
        ("en", "<p>Tessa Marlow tessa.marlow@example.com</p>", "", [("Tessa Marlow", None)]),
        ("en", "<p>Written by Tessa Marlow Edited by Sam Holt</p>", "", [("Tessa Marlow", None)]),
        ("en", "<h6>Author(s)</h6><ul><li><a>Tessa Marlow</a><li><a>Sam Holt</a></ul>", "",
         [("Tessa Marlow", None), ("Sam Holt", None)]),
        ("hi", "<p>द्वारा: सरिता नेगी, Edited By: अमित रावत</p>", "", [("सरिता नेगी", None)]),
        ("hi", "<p>रिपोर्ट: अमित नेगी, संपादन: दीपा जोशी</p>", "", [("अमित नेगी", None)]),
        ("en", "<p>Curated by: Tessa Marlow, Edited by: News Desk</p>", "", [("Tessa Marlow", None)]),
        ("en", "<p>By Tessa Marlow, reviewed by Sam Holt</p>", "", [("Tessa Marlow", None)]),
        ("tr", "<p>Haber: Şükrü Aydın / AKÇAPINAR, (DHA)</p>", "", [("Şükrü Aydın", None)]),
        ("id", "<p>Penulis <a>Ratna Wulandari</a> | Editor <a>Bagus S</a></p>", "", [("Ratna Wulandari", None)]),
        ("cs", "<div><b>Autor</b> <span>Jana Nováková</span></div>", "", [("Jana Nováková", None)]),
        ("sv", "<div><span>Skribent</span><span>Elin Berg</span></div>", "", [("Elin Berg", None)]),
        ("fa", "<div><span>نویسنده</span> <span>مریم صادقی</span></div>", "", [("مریم صادقی", None)]),
        ("sv", "<div><span>Text</span> <span>Större</span></div>", "", []),
        ("es", "<div><b>Lucía Berenguer</b> <i>Corresponsal en Bruselas</i></div>", "", [("Lucía Berenguer", None)]),
        ("pl", "<div><b>Anna Zając</b> <i>dziennikarka</i></div>", "", [("Anna Zając", None)]),
        ("el", "<p>Ειρήνη Καρρά, δημοσιογράφος</p>", "", [("Ειρήνη Καρρά", None)]),
        ("en", "<p>2023-12-17 ·</p><div><a title='Tessa Marlow'>Tessa Marlow</a></div>", "", [("Tessa Marlow", None)]),
    ],
)  # fmt: skip
def test_people_agencies_and_fillers(lang: str, body: str, head: str, expected: list[tuple[str, str | None]]) -> None:
    data = json.dumps({"@type": "NewsArticle", "author": {"@type": "Person", "name": head}})
    found = read(
        body + (BODY if lang == "zh" else TEXT),
        f"<script type=application/ld+json>{data}</script>" * bool(head),
        lang=lang,
    )
    assert names(found) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("2024年3月5日　田中美咲記者", [("田中美咲", "reporter")]),
        ("文：田中美咲", [("田中美咲", None)]),
        ("執筆者：田中　みさき", [("田中 みさき", None)]),
        ("（田中美咲）", [("田中美咲", None)]),
        ("記者・佐野真帆", [("佐野真帆", None)]),
        ("社会部　佐野真帆", [("佐野真帆", None)]),
        ("報道部　佐野真帆記者", [("佐野真帆", None)]),
        ("＝長野支局・佐野真帆", [("佐野真帆", None)]),
        ("文・写真／佐野真帆", [("佐野真帆", None)]),
        ("取材・文＝佐野真帆、高瀬凛", [("佐野真帆", None), ("高瀬凛", None)]),
        ("【佐野真帆、高瀬凛】", [("佐野真帆", None), ("高瀬凛", None)]),
        ("（ロンドン＝佐野真帆）", [("佐野真帆", None)]),
        ("（佐野真帆・高瀬凛）", [("佐野真帆", None), ("高瀬凛", None)]),
        ("[佐野真帆，ITnews]", [("佐野真帆", None)]),
        ("[<b>佐野真帆，</b> ITnews]", [("佐野真帆", None)]),
        ("【佐野真帆、高瀬さくら】", [("佐野真帆", None), ("高瀬さくら", None)]),
        ("構成・佐野真帆", [("佐野真帆", None)]),
        ("編集委員・佐野真帆", [("佐野真帆", None)]),
        ("佐野真帆（ライター）", [("佐野真帆", None)]),
        ("【文・佐野真帆、写真・高瀬凛】", [("佐野真帆", None)]),
        ("写真／佐野真帆", []),
        ("（敬称略）", []),
        ("【社会部】", []),
        ("【関連記事】", []),
        ("【写真特集】", []),
        ("（動画あり）", []),
        ("首相は記者会見で述べた", []),
    ],
)
def test_japanese_bylines(line: str, expected: list[tuple[str, str | None]]) -> None:
    text = "<p>市の新しい図書館が五日に開館し、子どもから高齢者まで多くの市民が訪れて本を手に取った。</p>" * 3
    title = "<title>図書館が開館</title>"
    below, above = f"{text}<p>{line}</p>", f"<p>{line}</p>{text}"
    for body in (below,) if line[0] in "（【" else (below, above):
        page = Document.from_html(f"<html lang=ja>{title}<body><h1>図書館が開館</h1>{body}")
        assert names(extract_metadata(page, fetched_at=FETCHED)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<time>3/5(火) 22:15</time> 配信 <a href=/media/3/>例示新聞</a>", "例示新聞"),
        ("3月5日 22時15分 配信 例示テレビ ニュース", "例示テレビ ニュース"),
        ("<time>3/5(火) 22:15</time> 配信", None),
        ("3/5(火) 22:15 配信 コメント120件", None),
        ("動画を無料で配信 例示新聞", None),
    ],
)
def test_who_delivered_a_story_to_a_japanese_portal(line: str, expected: str | None) -> None:
    text = "<p>市の新しい図書館が五日に開館し、子どもから高齢者まで多くの市民が訪れて本を手に取った。</p>" * 3
    page = f"<html lang=ja><title>図書館が開館</title><body><h1>図書館が開館</h1><div>{line}</div>{text}"
    assert extract_metadata(Document.from_html(page), fetched_at=FETCHED).source == expected


@pytest.mark.parametrize(
    ("lang", "body", "expected"),
    [
        ("zh", f"<h4>Thu Sep 12, 2019</h4>{BODY}", []),
        ("zh", f"<h4>周四 2019-09-12</h4>{BODY}", []),
        ("en", f"<div class=author>Thursday</div>{TEXT}", []),
        ("de", f"<div>Donnerstag, 12. September 2019</div>{TEXT}", []),
        ("ru", f"<div class=author>четверг</div>{TEXT}", []),
        ("en", f"<div class=byline>Published: May</div>{TEXT}", []),
        ("en", f"<div class=author>April May</div>{TEXT}", []),
        ("en", f"<div>By <span class=author>this author</span></div>{TEXT}", []),
        ("en", f"<div class=author>Content. After looking</div>{TEXT}", []),
        ("en", f"<div class=author>Prof. Jane Doe</div>{TEXT}", ["Prof. Jane Doe"]),
        ("en", f"<div class=author>Tuesday Doe</div>{TEXT}", ["Tuesday Doe"]),
        ("en", f"<div class=author>Veröffentlicht am</div>{TEXT}", []),
        ("en", WORDPRESS + TEXT, ["Jane Doe"]),
        ("en", f"<span class=author>Posted on</span> <span class=author>Jane Doe</span>{TEXT}", ["Jane Doe"]),
    ],
)
def test_words_of_dates_and_of_templates_are_no_authors(lang: str, body: str, expected: list[str]) -> None:
    assert [author.name for author in read(body, lang=lang).authors] == expected


@pytest.mark.parametrize(
    ("head", "site", "role"),
    [
        ({"author": {"@type": "Person", "name": "Jane Doe"}}, "Jane Doe", None),
        ({"author": "Jane Doe"}, "Jane Doe", "organization"),
        ({"author": {"@type": "Person", "name": "Jane Doe"}, "publisher": {"name": "Jane Doe"}}, "", "organization"),
        ({"author": "Jane Doe"}, "The Weekly", None),
    ],
)
def test_a_person_keeps_being_one_on_a_site_of_the_same_name(head: dict[str, object], site: str, role: str) -> None:
    data = json.dumps({"@type": "NewsArticle", **head})
    page = f'<meta property="og:site_name" content="{site}"><script type=application/ld+json>{data}</script>{TEXT}'
    document = Document.from_html(f"<html lang=en>{page}", "http://weekly.janedoe.com/a.html")
    assert names(extract_metadata(document, fetched_at=FETCHED)) == [("Jane Doe", role)]


@pytest.mark.parametrize("title", ["The new library opens today", "Part 4 - The new library", "Part 4"])
def test_the_end_of_the_title_names_the_site_rather_than_its_host(title: str) -> None:
    page = f"<html lang=en><title>{title} - Weekly Post</title><h1><a href=/>Weekly Post</a></h1><h1>{title}</h1>"
    page += WORDPRESS + TEXT
    document = Document.from_html(page, "http://weekly.janedoe.com/a.html")
    assert names(extract_metadata(document, fetched_at=FETCHED)) == [("Jane Doe", None)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Jan van Doe", "March 4, 2024"), ["Jan van Doe"]),
        (("<a href=/authors/7>Jane Doe</a>", "March 4, 2024"), ["Jane Doe"]),
        (("<a href=http://janedoe.example.org/>Jane Doe</a>", "March 4, 2024"), ["Jane Doe"]),
        (("City Life", "March 4, 2024"), []),
        (("<a href=/health-care/>Health Care</a>", "March 4, 2024"), []),
        (("The Books", "March 4, 2024", "All the books are there."), []),
        (("By", "Jane Doe", "Tagged"), ["Jane Doe"]),
        (("By", "JD", "Tagged"), []),
    ],
    ids=["date", "own page", "own site", "navigation", "section", "common words", "label", "initials"],
)
def test_name_on_a_line_of_its_own(lines: tuple[str, ...], expected: list[str]) -> None:
    body = "".join(f"<div>{line}</div>" for line in lines) + "<div>Share</div>"
    page = f"<html lang=en><body><ul><li>City Life</ul><h1>The new library opens today</h1>{body}{TEXT}"
    found = extract_metadata(Document.from_html(page, "http://example.com/a.html"), fetched_at=FETCHED)
    assert [author.name for author in found.authors] == expected


@pytest.mark.parametrize("login", ["jsmith04", "j.smith_04", "j.smith", "editor_2"])
def test_an_account_is_an_author_where_nobody_else_is_named(login: str) -> None:
    data = json.dumps({"@type": "NewsArticle", "author": {"@type": "Person", "name": login}})
    head = f"<script type=application/ld+json>{data}</script>"
    assert [author.name for author in read(f"<div>By Jane Doe</div>{TEXT}", head, lang="en").authors] == ["Jane Doe"]


def test_visible_byline_comes_before_the_meta_of_who_entered_the_page() -> None:
    found = read(f"<div>By Jane Doe</div>{TEXT}", '<meta name="author" content="John Roe">', lang="en")
    assert [author.name for author in found.authors] == ["Jane Doe"]


def test_a_login_of_small_letters_yields_to_the_printed_name() -> None:
    data = '<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "db"}}</script>'
    assert names(read(f"<p>By Jane Doe</p>{TEXT}", data, lang="en")) == [("Jane Doe", None)]


def test_a_byline_below_the_text_yields_to_one_that_is_marked() -> None:
    marked = (
        "<div class=author-name>Jane Doe</div><h2>Related</h2><p><a href=/b>Another story</a></p><p>By Sam Holt</p>"
    )
    page = f"<html lang=en><title>The new library opens today</title><h1>The new library opens today</h1>{TEXT}{marked}"
    document = Document.from_html(page, "http://news.example.com/a.html")
    found = extract_metadata(document, fetched_at=FETCHED, body_text=TEXT[3:-5])
    assert names(found) == [("Jane Doe", None)]


def test_a_korean_title_is_a_role() -> None:
    (author,) = read(TEXT, '<meta name="author" content="신현주 기자">', lang="ko").authors
    assert (author.name, author.nameRaw, author.role) == ("신현주", "신현주 기자", "reporter")


def test_people_come_before_organisations() -> None:
    author = {"@type": "Organization", "name": "Example"}
    ld = f"<script type=application/ld+json>{json.dumps({'@type': 'NewsArticle', 'author': author})}</script>"
    assert [author.name for author in read(f"<div>By Jane Doe</div>{TEXT}", ld, lang="en").authors] == ["Jane Doe"]
    (only,) = read(TEXT, ld, lang="en").authors
    assert (only.name, only.role) == ("Example", "organization")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("janedoe, Dec 19th", ["janedoe"]),
        ("Von Anna Muster und Ben Beispiel", ["Anna Muster", "Ben Beispiel"]),
        ("Jane Doe; John Roe", ["Jane Doe", "John Roe"]),
        ("Doe, Jane", ["Jane Doe"]),
        ("Reporting by Jane Doe; Editing by John Roe", ["Jane Doe"]),
        ("https://example.com/jane", []),
        ("Tessa Marlow | tmarlow@courier-example.org; Email the author", ["Tessa Marlow"]),
        ("Mira Holm (mira.holm@post-example.se)", ["Mira Holm"]),
        ("Вера Лунина, фото: Олег Стрельцов", ["Вера Лунина"]),
        ("Linnea Sundkvist Foto: Arvid Holm", ["Linnea Sundkvist"]),
        ("Text: Jan Vos Beeld: Piet Kuiper", ["Jan Vos"]),
        ("Texte Anne Leroy / Photos : Luc Petit", ["Anne Leroy"]),
        ("Giulia Conti, foto di Marco Riva", ["Giulia Conti"]),
        ("Szöveg: Kovács Anna Fotó: Nagy Péter", ["Kovács Anna"]),
        ("Kirjoittaja: Anna Virtanen, kuvat: Olli Laine", ["Anna Virtanen"]),
        ("Олена Бойко, фото: Ігор Кравець", ["Олена Бойко"]),
        ("Tessa Marlow, Harbour correspondent | @tmarlow", ["Tessa Marlow"]),
        ("נועה ברקאי ועידו שלם", ["נועה ברקאי", "עידו שלם"]),
        ("דנה ורד", ["דנה ורד"]),
        ("webadmin", []),
        ("admin2", []),
        ("Ani Petrova", ["Ani Petrova"]),
        ("Kovač Sid", ["Kovač Sid"]),
        ("Read more", []),
        ("March 20", []),
        ("", []),
    ],
)
def test_split_names(text: str, expected: list[str]) -> None:
    assert split_names(text) == expected


def test_chinese_name_shapes() -> None:
    assert is_east_asian_name("张三")
    assert is_east_asian_name("欧阳修")
    assert not is_east_asian_name("图书馆")
    assert not is_east_asian_name("张")
    assert chinese_names("张 三 编辑：王五", strict=True) == ["张三"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Anne-Sophie van der Meulen 选题：li 译者：wu", ["Anne-Sophie van der Meulen"]),
        ("Anna van Houten、Bela Kis 译者：wu", ["Anna van Houten", "Bela Kis"]),
        ("译者：wu 校对：li", []),
        ("https://example.org/anna", []),
        ("摄影师们都来了", []),
    ],
)
def test_labels_and_addresses_behind_a_chinese_label_are_no_names(text: str, names: list[str]) -> None:
    assert chinese_names(text, strict=False) == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-03-05 来源：新华社 作者：张三", "新华社"),
        ("来 源: 《人民日报》", "人民日报"),
        ("来源：《科学》杂志", "《科学》杂志"),
        ("（来源：上海证券报·中国证券网）", "上海证券报·中国证券网"),
        ("2024年3月5日来源：新华社", "新华社"),
        ("阅读 3  Source: Morning Post", "Morning Post"),
        ("来源于生活", None),
        ("评论: 0 | 来自: 示例晚报", "示例晚报"),
        ("来自外地的读者：很高兴", None),
        ("图片来源：example.com", None),
        ("Photo Source: Morning Post", None),
        ("Open Source: Know It Before You Embrace It", None),
        ("", None),
    ],
)
def test_source_in(text: str, expected: str | None) -> None:
    assert source_in(text) == expected


@pytest.mark.parametrize("name", ["云溪发布", "竹溪岭发布"])
def test_an_account_whose_name_ends_in_what_it_does(name: str) -> None:
    assert read(f"<div>来源：{name} 2024-03-05 10:20</div>{BODY}").source == name
    assert read(f"<div>来源：云川日报 发布：2024-03-05 10:20</div>{BODY}").source == "云川日报"


def test_source_ends_where_its_element_ends() -> None:
    body = f"<div>来源：<a href=/x>示例日报</a><a href=/report>举报</a></div>{BODY}"
    assert read(body).source == "示例日报"
    assert read(f"<table><tr><td>来源：</td><td>示例日报</td></tr></table>{BODY}").source == "示例日报"
    assert read(f"<div>http://www.example.com 2024年03月05日 07:48 示例晚报</div>{BODY}").source == "示例晚报"
    assert read(f"<div>2024年03月05日07:48 <a>示例晚报</a> 作者：张三</div>{BODY}").source == "示例晚报"
    assert read(BODY, '<meta name="source" content="示例日报">').fieldSources["source"] == "meta"


def test_a_heading_whose_id_repeats_its_words_is_no_source() -> None:
    assert read(f"<h3 id=inner-source-和-软件交付>Inner Source 和 软件交付</h3>{BODY}").source is None
    assert read(f"<p><span class=news-source>示例日报</span></p>{BODY}").source == "示例日报"


def test_a_place_behind_the_name_is_no_author() -> None:
    assert [a.name for a in read(f"<div>Von <a>Anna Lindner</a>, Berlin</div>{BODY}").authors] == ["Anna Lindner"]
    two = read(f"<div>Von Anna Lindner, Jörg Petersen</div>{BODY}").authors
    assert [a.name for a in two] == ["Anna Lindner", "Jörg Petersen"]


def test_labels_of_other_scripts_within_a_line() -> None:
    body = f"<div>نشر بتاريخ: 5 نوفمبر 2023 - 10:12 | كتب: ليلى حداد | القراءات: 77</div>{BODY}"
    assert [a.name for a in read(body).authors] == ["ليلى حداد"]


def test_the_only_author_page_or_picture_names_the_author() -> None:
    side = '<aside class=sidebar><ul><li><a href="/blog/author/anna-lindner.html">Anna Lindner</a></ul></aside>'
    assert names(read(f"<p>{'A long text of the story. ' * 20}</p>{side}", lang="en")) == [("Anna Lindner", None)]
    cited = '<p>As <a href="https://other.example/author/anna-lindner/">Anna Lindner</a> has it.</p>'
    two = side + '<aside><a href="/author/bob-petersen/">Bob Petersen</a></aside>'
    assert not names(read(f"<p>{'A long text of the story. ' * 20}</p>{two}", lang="en"))
    assert not names(read(f"<p>{'A long text of the story. ' * 20}</p>{cited}", lang="en"))
    picture = '<div class="sidebar"><span class="md-author"><img src="a.png" alt="Anna Lindner"></span></div>'
    assert names(read(f"<p>{'A long text of the story. ' * 20}</p>{picture}", lang="en")) == [("Anna Lindner", None)]


def test_a_headline_ends_before_its_permalink() -> None:
    page = "<html><head><title>The new library opens today — Blog</title></head><body><h1>The new library opens today"
    page += f'<a class="headerlink" href="#x">#</a></h1><p>{"A long text of the story. " * 20}</p></body></html>'
    metadata = extract_metadata(Document.from_html(page, "http://news.example.com/a.html"), fetched_at=FETCHED)
    assert metadata.headline == "The new library opens today"


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ('<div class="author"><b>Jane Doe</b> <i class="author-badge">Lv2</i></div>', "Jane Doe"),
        ('<div><b class="author-name">jo_from_leeds</b><p class="author-title">Member</p></div>', "jo_from_leeds"),
        ('<ul><li class="author"><b>Post author: </b>Jane Doe<i>@</i>The Quiet Desk</li></ul>', "Jane Doe"),
        ("<p><a href=/yazar/1>Ayşe Demir</a> Yayınlanma: 5 Mart 2024 13:05 Güncelleme: 5 Mart 2024</p>", "Ayşe Demir"),
        ("<p>Ana Ruiz | 5 marzo 2024 | Actualizado: 6 marzo 2024</p>", "Ana Ruiz"),
        ("<p><a href=/auteurs/j>Jean Petit</a> Publié le 5 mars 2024 - Mis à jour le 6 mars 2024</p>", "Jean Petit"),
        ("<div><a href=/autori/m>Mario Rossi</a> <span>Pubblicato: 5 marzo 2024</span></div>", "Mario Rossi"),
        ('<p>От: <a href="/user/5/">Ветер</a> 5 марта 2024 г. 9:21</p>', "Ветер"),
        ('<div><a class="username" href="/user/5/">pixel</a></div>', "pixel"),
    ],
)
def test_the_name_alone_is_read_off_what_stands_beside_it(beside: str, expected: str) -> None:
    assert names(read(f"{beside}{TEXT}", lang="en")) == [(expected, None)]


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ("<h3>Written by Tessa Marlow</h3><p>She is a writer on money.</p>", ["Tessa Marlow"]),
        ("<p>Author</p><p>Tessa Marlow</p>", ["Tessa Marlow"]),
        ("<p><b>Tessa Marlow</b></p><p>t.marlow@example.com</p>", ["Tessa Marlow"]),
        ("<p>Press Office</p><p>info@example.com</p>", []),
        ("<h3>Tessa Marlow</h3><a href=/authors/tessa-marlow>All by Tessa Marlow</a>", ["Tessa Marlow"]),
        ("<h3>Ирина Ветрова</h3><a href=/authors/vetrova>Все статьи: Ирина Ветрова</a>", []),
        ("<h3>Tessa Marlow</h3><a href=/topics/tessa-marlow>All about Tessa Marlow</a>", []),
        (
            "<h3>Google Analytics</h3><p>Google Analytics is a service that counts who visits a page, used here.</p>",
            [],
        ),
        ("<h3>Data Entry</h3><a href=/people/jobs>Data Entry jobs</a>", []),
    ],
)
def test_who_is_introduced_in_a_box_below(box: str, expected: list[str]) -> None:
    links = "".join(f"<a href=/s/{number}>Another story of this week, {number}</a>" for number in range(14))
    assert [one.name for one in read(f"{TEXT * 3}<div>{links}</div><div>{box}</div>", lang="en").authors] == expected


def test_a_printed_name_comes_before_the_site_that_signs_all_its_pages() -> None:
    data = json.dumps({"@type": "NewsArticle", "author": {"@type": "Organization", "name": "Mill Town Times"}})
    head = f'<script type=application/ld+json>{data}</script><meta name=author content="Mill Town Times">'
    assert [one.name for one in read(f"<p>Tessa Marlow</p><p>March 4, 2024</p>{TEXT}", head, lang="en").authors] == [
        "Tessa Marlow"
    ]


def test_the_only_agency_that_signs_is_the_source() -> None:
    data = {"@type": "NewsArticle", "author": {"name": "AFP"}, "publisher": {"name": "Mill Town Times"}}
    found = read(TEXT, f"<script type=application/ld+json>{json.dumps(data)}</script>", lang="en")
    assert (found.source, found.fieldSources["source"]) == ("AFP", "json-ld")


def test_a_name_at_the_right_below_the_text_signs_it() -> None:
    assert names(read(f'{TEXT}<p style="text-align: right"><b>Minh Anh</b></p>', lang="vi")) == [("Minh Anh", None)]
    assert names(read(f"{TEXT}<p><b>Minh Anh</b></p>", lang="vi")) == []


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Die Stadt hat gestern ihre neue Bücherei eröffnet, und jeder darf dort Bücher ausleihen. "),
        ("sv", "Staden öppnade i går sitt nya bibliotek, och alla får låna böcker där utan kostnad. "),
        ("es", "La ciudad abrió ayer su nueva biblioteca, donde todos pueden tomar libros prestados. "),
    ],
)
def test_a_slanted_name_that_ends_the_text_signs_it(lang: str, text: str) -> None:
    story = f"<p>{text * 3}</p>" * 3
    assert names(read(f"{story}<p><b><i>Tessa Marlow</i></b></p>", lang=lang)) == [("Tessa Marlow", None)]
    assert names(read(f"<p>{text * 3}</p><p><i>Tessa Marlow</i></p>{story}", lang=lang)) == []


@pytest.mark.parametrize(
    ("lang", "filler"),
    [("de", "Nachrichten"), ("fr", "Actualités"), ("es", "Noticias"), ("ru", "Новости"), ("ko", "뉴스")],
)
def test_the_news_are_nobody(lang: str, filler: str) -> None:
    head = f'<meta name=author content="{filler}">'
    assert names(read(f"<div class=author>{filler}</div>{TEXT}", head, lang=lang)) == []


@pytest.mark.parametrize(
    ("lang", "told", "other"),
    [
        ("en", "Last week I moved my garden, and I still cannot find my spade.", "The town moved its garden."),
        (
            "de",
            "Letzte Woche habe ich meinen Garten verlegt, und ich suche mich dumm.",
            "Die Stadt verlegt ihn.",
        ),
        ("ru", "На прошлой неделе я перенёс мой сад, и мне до сих пор не найти лопату.", "Город перенёс сад."),
    ],
)
def test_the_owner_of_a_site_speaks_of_herself(lang: str, told: str, other: str) -> None:
    foot = "<footer>© 2024 Tessa Marlow. Built by hand.</footer>"
    assert names(read(f"<p>{told * 3}</p>{foot}", lang=lang)) == [("Tessa Marlow", None)]
    assert names(read(f"<p>{other * 6}</p>{foot}", lang=lang)) == []
    named = '<meta property="og:site_name" content="Tessa Marlow">'
    assert names(read(f"<p>{told * 3}</p>{foot}", named, lang=lang)) == []


def test_who_replies_to_a_text_has_not_written_it() -> None:
    post = '<div><a itemprop="author">{}</a></div>{}'
    reply = post.format("grumpy", "<p>Thank you for the news about the library.</p>")
    assert names(read(f"{post.format('pixel', TEXT)}{reply}", lang="en")) == [("pixel", None)]


@pytest.mark.parametrize(
    ("lang", "above", "below", "expected"),
    [
        ("zh", "<div>2024年3月5日 10:30 | 周晓梅</div>", "", ["周晓梅"]),
        ("zh", "<div>时政 | 2024年3月5日</div>", "", []),
        ("ja", "<p>佐藤健太</p><p>2024年3月5日</p>", "", ["佐藤健太"]),
        ("ja", "<p>金沢市</p><p>2024年3月5日</p>", "", []),
        ("ja", "<p>金沢 支局</p><p>2024年3月5日</p>", "", []),
        ("ko", "<div>김민수 | 2024.03.05 10:30</div>", "", ["김민수"]),
        ("ko", "<div>2024.03.05 10:30</div>", "<p>（김민수）</p>", ["김민수"]),
        ("ko", "<div>김민수</div>", "", []),
        ("ko", "<div>기자 김민수 | 2024.03.05 10:30</div>", "", ["김민수"]),
        ("ko", "<div>조회수 | 2024.03.05 10:30</div>", "", []),
        ("th", "<p>วิชัย สุขใจ</p><p>5 มีนาคม 2567</p>", "", ["วิชัย สุขใจ"]),
        ("th", "<p>ข่าวล่าสุด วันนี้</p><p>5 มีนาคม 2567</p>", "", []),
        ("hi", "<div>5 मार्च 2024 | सुनीता कुमारी</div>", "", ["सुनीता कुमारी"]),
        ("hi", "<div>5 मार्च 2024</div>", "<p>(सुनीता कुमारी)</p>", ["सुनीता कुमारी"]),
        ("hi", "<div>5 मार्च 2024 | सुनीता कुमारी</div>", f"{TEXT}<p>कुमारी</p>", []),
        ("ar", "<p>ليلى منصور</p><p>5 مارس 2024</p>", "", ["ليلى منصور"]),
        ("ar", "<p>كتب أحمد السالم</p><p>5 مارس 2024</p>", "", ["أحمد السالم"]),
        ("ar", "<p>أخبار محلية</p><p>5 مارس 2024</p>", "", []),
        ("he", "<div>רונית כהן | 5 במרץ 2024</div>", "", ["רונית כהן"]),
    ],
)
def test_names_without_label_in_scripts_without_capitals(
    lang: str, above: str, below: str, expected: list[str]
) -> None:
    texts = {
        "ja": "市は新しい図書館を開き、だれでも本を借りられるようにしたと発表した。",
        "ko": "시는 오늘 새 도서관을 열었으며 누구나 무료로 책을 빌릴 수 있다고 밝혔다. ",
    }
    body = BODY if lang == "zh" else f"<p>{texts[lang] * 3}</p>" if lang in texts else TEXT
    page = read(f"{above}{body}{below}", lang=lang)
    assert [author.name for author in page.authors] == expected
