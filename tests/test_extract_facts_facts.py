"""JSON-LD, language, and the plain facts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.evaluation.corpus import load
from lab.experiments.metadata import judge
from newscrawl.extract.facts.extract import extract_metadata
from newscrawl.extract.facts.language import choose_language
from newscrawl.items import Article, Image
from newscrawl.page.document import Document
from newscrawl.page.jsonld import MAX_SCRIPT_CHARS, article_nodes, parse_scripts, text_of
from newscrawl.page.statements import gather

if TYPE_CHECKING:
    from pathlib import Path

FETCHED = datetime(2024, 3, 5, 12, 0, tzinfo=UTC)
ENGLISH = "The city council opened the new library today and the readers of the town may borrow books there for free. "
GERMAN = "Der Stadtrat hat heute die neue Bibliothek eröffnet und die Leser der Stadt können dort Bücher ausleihen. "


def read(page: str, url: str | None = "https://news.example.com/a/1.html", **options: object) -> Article:
    return extract_metadata(Document.from_html(page, url), fetched_at=FETCHED, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05"}',
        '[{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05"}]',
        '{"@graph": [{"@type": ["Article", "NewsArticle"], "headline": "A", "datePublished": "2024-03-05"}]}',
        '<!-- {"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05",} -->',
        '{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05"};',
        '{"@type": "Organization"}{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05"}',
        '{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05", "description": "a\nb"}',
        '{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05", "description": "a "b" c"}',
        '{"@type": "NewsArticle", "headline": "A", "datePublished": "2024-03-05", "author": [{"name',
    ],
)
def test_whole_and_broken_json_ld(script: str) -> None:
    (node,) = article_nodes(parse_scripts([script]))
    assert (text_of(node["headline"]), text_of(node["datePublished"])) == ("A", "2024-03-05")


def test_references_are_resolved() -> None:
    graph = {
        "@graph": [
            {"@type": "Article", "headline": "A", "author": {"@id": "#jane"}},
            {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
        ]
    }
    metadata = read(f'<script type="application/ld+json">{json.dumps(graph)}</script>')
    assert [author.name for author in metadata.authors] == ["Jane Doe"]
    assert metadata.fieldSources["authors"] == "json-ld"


def test_scripts_beyond_the_cap_are_left_out() -> None:
    assert parse_scripts(['{"@type": "Article", "headline": "' + "a" * MAX_SCRIPT_CHARS + '"}']) == []


@given(st.text(max_size=300))
def test_no_script_raises(script: str) -> None:
    for node in parse_scripts([script, "[" * 5000, '{"a":' * 3000]):
        assert isinstance(node, dict)


@pytest.mark.parametrize(
    ("page", "code", "origin"),
    [
        ("<html lang=zh-CN><p>新图书馆向居民开放", "zh", "html"),
        ("<html lang=en><p>" + "新图书馆今天向居民开放，藏书很多。" * 5, "zh", "script"),
        ("<html lang=en><p>" + GERMAN * 6, "de", "text"),
        ("<html lang=en><p>" + ENGLISH * 6, "en", "html"),
        ('<meta property="og:locale" content="de_AT"><p>' + GERMAN, "de", "opengraph"),
        ('<html lang=en><meta property="og:locale" content="en_US"><p>' + GERMAN * 6, "de", "text"),
        ("<html lang=nb><p>" + "Det er en fin dag i dag. " * 5, "no", "html"),
        ("<p>" + "図書館が開館しました。市民が本を借りています。" * 4, "ja", "script"),
        (
            "<html lang=es><p>"
            + "O rio subiu dois metros e a ponte foi fechada para os carros, disse o prefeito. " * 3,
            "pt",
            "text",
        ),
        (
            "<html lang=ar><p>"
            + "کتابدار روستا هر هفته کتاب را با الاغ به دره می برد و از مردم خواست که بخوانند. " * 3,
            "fa",
            "text",
        ),
        (
            "<html lang=de><p>"
            + "De burgemeester zei dat het plein dicht is en dat de markt op een ander plein komt. " * 3,
            "nl",
            "text",
        ),
        (
            "<html lang=uk><p>"
            + "Мэр сказал, что мост закрыт и что паром ходит по реке каждые два часа, как это было. " * 3,
            "ru",
            "text",
        ),
        (
            "<html lang=da><p>"
            + "Borgmesteren siger, at broen er lukket, og at færgen sejler hver anden time fra i dag. " * 3,
            "da",
            "html",
        ),
        (
            "<html lang=fr><p>"
            + "Goals: Messi 3, Suárez 12, Neymar 40, Xavi 77. Cards: Piqué 10, Alba 15, Busquets 18. " * 3,
            "fr",
            "html",
        ),
        ("<p>", None, None),
    ],
)
def test_language(page: str, code: str | None, origin: str | None) -> None:
    metadata = read(page)
    assert (metadata.inLanguage, metadata.fieldSources.get("inLanguage")) == (code, origin)


@pytest.mark.parametrize(
    ("stated", "text", "expected"),
    [
        ("ru", "Майстриня відтворила рушник за єдиною світлиною, яку їй показала сусідка із села.", "uk"),
        ("uk", "Жители выбрали новый цвет крыши, и рабочие начали её красить этим утром в городе.", "ru"),
        ("sr", "Майсторката пресъздаде кърпата по единствената снимка, която й показаха децата в селото.", "bg"),
        ("ru", "Мастерица воссоздала полотенце по единственной фотографии, которую показали ей дети.", "ru"),
    ],
)
def test_letters_of_another_alphabet_contradict_the_stated_language(stated: str, text: str, expected: str) -> None:
    found = choose_language(gather(Document.from_html(f"<html lang={stated}><p>{text}")), text)
    assert found is not None
    assert found[0] == expected


def test_a_short_text_of_ideographs_tells_the_language() -> None:
    menu = "<p>" + "All articles of this site are licensed as follows. " * 6
    evidence = gather(Document.from_html(f"<html lang=zh-CN>{menu}<p>新图书馆今天向居民开放，藏书很多。"))
    assert choose_language(evidence, "新图书馆今天向居民开放，藏书很多，读者可以免费借阅。") == ("zh", "html")


def test_plain_facts_and_their_origin() -> None:
    metadata = read(
        '<link rel=canonical href="/a/1.html"><meta property="og:image" content="//img.example.com/1.jpg">'
        '<meta name=description content=" Free  books "><meta name=keywords content="图书馆，阅读,图书馆">'
        '<meta property="article:section" content="Culture"><title>New library</title>'
    )
    assert metadata.canonicalUrl == "https://news.example.com/a/1.html"
    assert metadata.mainImage is not None
    assert metadata.mainImage.url == "https://img.example.com/1.jpg"
    assert metadata.description == "Free books"
    assert metadata.keywords == ("图书馆", "阅读")
    assert metadata.section == "Culture"
    assert metadata.fieldSources["canonicalUrl"] == "link"
    assert set(metadata.fieldSources) == {
        "headline", "canonicalUrl", "mainImage", "description", "keywords", "section",
    }  # fmt: skip


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="og:image" content="">',
        '<meta property="og:image" content="#"><meta name="twitter:image" content=" ">',
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","image":""}</script>',
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","image":[]}</script>',
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","image":{"url":""}}</script>',
        '<script type="application/ld+json">{"@type":"NewsArticle","image":[""],"mainEntityOfPage":""}</script>',
        '<meta property="og:url" content=""><link rel="canonical" href="">',
    ],
)
def test_an_empty_reference_is_none(head: str) -> None:
    metadata = read(head)
    assert (metadata.mainImage, metadata.canonicalUrl) == (None, None)


def test_canonical_that_is_the_home_page_is_a_mistake() -> None:
    assert read('<link rel=canonical href="https://news.example.com/">').canonicalUrl is None
    assert read('<link rel=canonical href="javascript:void(0)">').canonicalUrl is None


@given(st.text(alphabet=st.sampled_from("<>/ahtmlscrpdivcontent=\"' &;\x00编辑作者来源：2024-03"), max_size=400))
def test_no_page_raises(page: str) -> None:
    assert isinstance(read(page), Article)


@pytest.mark.slow
@pytest.mark.shared
def test_accuracy_on_labelled_news_pages(shared: Path) -> None:
    pages = load(shared / "corpus", ["fundus", "gne"])
    judged = [judge(page) for page in pages]
    for field, least in (("title", 0.9), ("date", 0.95), ("author", 0.88)):
        values = [item.answers[field].right for item in judged if field in item.answers]
        assert sum(values) / len(values) >= least, field


def test_links_that_say_tag_name_section_and_keywords() -> None:
    links = '<a rel="category tag" href=/c>Local</a> <a rel=tag href=/t/1>storm</a> <a rel="tag" href=/t/2>harbour</a>'
    found = read(f"<h1>Storm closes harbour</h1><p>Ships wait.</p>{links}")
    assert (found.section, found.keywords) == ("Local", ("storm", "harbour"))
    assert found.fieldSources["keywords"] == "rel-tag"
    stated = read(f"<meta name=keywords content=ships><h1>Storm closes harbour</h1>{links}")
    assert stated.keywords == ("ships",)
    cloud = "".join(f'<a rel="tag" href=/t/{number}>word {number}</a>' for number in range(40))
    assert read(f"<h1>Storm closes harbour</h1>{cloud}").keywords == ()


@pytest.mark.parametrize(
    ("way", "section"),
    [
        (
            "<div>当前位置：<a href=/>首页</a> &gt; <a href=/n/>新闻中心</a> &gt; <a href=/g/>国内</a> &gt; 正文</div>",
            "国内",
        ),
        ("<div>您的位置: <a href=/>首页</a>&gt;&gt;<a href=/n/>要闻</a>&gt;&gt;</div>", "要闻"),
        ("<p><a href=/>Home</a> » <a href=/n/>News</a> » <a href=/l/>Local</a> » The new library</p>", "Local"),
        ("<p>Sie sind hier: <a href=/>Startseite</a> › <a href=/s/>Stadt</a></p>", "Stadt"),
        ("<p>Вы здесь: <a href=/>Главная</a> → <a href=/k/>Культура</a> → Текст</p>", "Культура"),
        ("<p><a href=/>ホーム</a> ＞ <a href=/s/>社会</a> ＞ 記事</p>", "社会"),
        ("<p><a href=/>홈</a> &gt; <a href=/c/>문화</a> &gt; <a href=/c/b/>도서</a></p>", "도서"),
        ("<ol class=breadcrumb><li><a href=/>Accueil</a><li><a href=/c/>Culture</a><li>Article</ol>", "Culture"),
        ("<nav class='c-breadcrumbs'><a href=/>Inicio</a><a href=/c/>Cultura</a></nav>", "Cultura"),
        ("<div class='location'><a href=/>الرئيسية</a> / <a href=/c/>ثقافة</a></div>", "ثقافة"),
        ("<p><a href=/a>One</a> <a href=/b>Two</a></p>", None),
        ("<p>From 5 > 3 it follows</p>", None),
        ("<ol class=breadcrumb><li><a href=https://e.org/>Etusivu</a><li>Article</ol>", None),
        ("<p><a href=/>Home</a> » The new library</p>", None),
        ("<ul class=topicpath><li><a href=/>ホーム</a></li><li><a href=/social/>社会</a></li></ul>", "社会"),
        ('<nav aria-label=breadcrumb><a href="/">דף הבית</a> | <a href="/news/">חדשות</a></nav>', "חדשות"),
        (
            "<ul itemscope itemtype=https://schema.org/BreadcrumbList><a href=/>Home</a> <a href=/l/>Local</a></ul>",
            "Local",
        ),
        ('<div>Βρίσκεστε εδώ: <a href="/">Αρχική</a> » <a href="/topika/">Τοπικά</a> » Νέα</div>', "Τοπικά"),
        ('<div class=path><a href="/">خانه</a> / <a href="/city/">شهر</a></div>', "شهر"),
    ],
)
def test_the_way_from_the_home_page_shows_the_section(way: str, section: str | None) -> None:
    page = f"<title>The new library</title>{way}<h1>The new library</h1><p>{'The council opened it today. ' * 8}</p>"
    found = extract_metadata(
        Document.from_html(page, "http://e.org/a.html"), fetched_at=datetime(2024, 3, 5, tzinfo=UTC)
    )
    assert found.section == section


@pytest.mark.parametrize(
    ("lang", "filler"),
    [
        ("en", "Uncategorized"),
        ("en", "posts"),
        ("de", "Nicht kategorisiert"),
        ("fr", "Non classé"),
        ("es", "Sin categoría"),
        ("pt", "Sem categoria"),
        ("it", "Senza categoria"),
        ("pl", "Bez kategorii"),
        ("ru", "Без рубрики"),
        ("ar", "غير مصنف"),
        ("ja", "未分類"),
        ("ko", "미분류"),
        ("zh", "未分类"),
        ("vi", "Chưa phân loại"),
        ("th", "ไม่มีหมวดหมู่"),
        ("tr", "Kategorilenmemiş"),
    ],
)
def test_a_section_that_nobody_chose_is_none(lang: str, filler: str) -> None:
    way = "<p><a href=/>Home</a> » <a href=/n/>News</a> » <a href=/l/>Local</a> » The new library</p>"
    head = f'<html lang={lang}><meta property="article:section" content="{filler}">'
    assert read(head).section is None
    assert read(f"{head}<body>{way}<h1>The new library</h1>").section == "Local"


@pytest.mark.parametrize(
    ("section", "keywords", "expected"),
    [
        ("食事, タイ, 外食", "タイ,外食,食事", "食事"),
        ("Arts, Culture and Books", "ferry,library", "Arts, Culture and Books"),
        ("News", "", "News"),
    ],
)
def test_tags_behind_a_section_are_no_part_of_it(section: str, keywords: str, expected: str) -> None:
    data = json.dumps({"@type": "Article", "articleSection": section})
    page = f'<meta name=keywords content="{keywords}"><script type=application/ld+json>{data}</script>'
    assert read(page).section == expected


@pytest.mark.parametrize(
    ("pictures", "main"),
    [
        (("/static/logo-og.png", "/u/ferry.jpg"), "/u/ferry.jpg"),
        (("/img/news-logo-1.png",), None),
        (("/img/og-default.jpg",), None),
        (("/i/no-image.png", "/i/no_img.gif", "/i/place_holder.webp"), None),
        (("/u/apple-logo-on-tower.jpg",), "/u/apple-logo-on-tower.jpg"),
        (("/u/a.jpg", "/u/b.jpg"), "/u/a.jpg"),
    ],
)
def test_signs_of_the_site_are_no_main_picture(pictures: tuple[str, ...], main: str | None) -> None:
    image = read("".join(f'<meta property="og:image" content="{url}">' for url in pictures)).mainImage
    assert image == (main and Image(url=f"https://news.example.com{main}"))


def test_the_publishers_logo_is_no_main_picture() -> None:
    logo = {"@type": "ImageObject", "url": "https://news.example.com/sign.png"}
    data = {"@type": "Article", "image": logo, "publisher": {"@type": "Organization", "logo": logo}}
    assert read(f"<script type=application/ld+json>{json.dumps(data)}</script>").mainImage is None
