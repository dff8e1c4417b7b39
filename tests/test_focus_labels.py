"""An article's own labels, told from the site's links whatever the order of the crawl; and what labels come to mean."""

from __future__ import annotations

import random

import pytest

from lab.experiments.focused_simulation import simulate
from newscrawl.focus import Keyword, PageText, RelevanceModel, Topic
from newscrawl.focus.crawl import FetchedPage, Focus
from newscrawl.focus.labels import MISSES, LabelTable, ListAddresses, OwnLabels
from newscrawl.links.context import LinkContext, link_contexts, page_terms
from newscrawl.links.extract import extract_links
from newscrawl.links.model import Link, LinkPosition
from newscrawl.page.document import Document
from tests.careless_server import CarelessSite

HOST = "http://e.org"
MENU = ["news", "sport", "culture"]


def links(tags: list[str], menu: list[str] = MENU) -> list[tuple[Link, LinkContext]]:
    return [
        *((_link(f"{HOST}/section/{name}/", name), _at("nav>ul>li>a")) for name in menu),
        *((_link(f"{HOST}/tag/{name}/", name, LinkPosition.ADJACENT), _at("article>p.tags>a")) for name in tags),
    ]


def _link(url: str, anchor: str, position: LinkPosition = LinkPosition.ELSEWHERE) -> Link:
    return Link(url=url, anchor=anchor, position=position)


def _at(path: str) -> LinkContext:
    return LinkContext(path=path, around="", heading="")


def of(own: OwnLabels, number: int, tags: list[str], **more: object) -> tuple[str, ...]:
    return own.labels_of(f"{HOST}/2024/05/story-{number}/", links(tags), is_article=True, **more)  # type: ignore[arg-type]


def test_a_run_of_one_tag_does_not_make_it_navigation() -> None:
    own = OwnLabels()
    for number in range(6):
        of(own, number, ["rose", f"other-{number}"])
    found = [of(own, number, ["phone"]) for number in range(10, 60)]
    assert set(found) == {("phone",)}


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_crawl_does_not_matter(seed: int) -> None:
    pages = [["phone"]] * 30 + [["rose", "soil"]] * 5 + [["piano"]] * 5
    random.Random(seed).shuffle(pages)
    own = OwnLabels()
    for number, tags in enumerate(pages):
        of(own, number, tags)
    assert of(own, 99, ["phone", "rose"]) == ("phone", "rose")


def test_a_category_that_also_stands_in_the_menu_is_the_articles() -> None:
    pages = [
        f"<nav><ul><li><a href=/c/sport/>Sport</a><li><a href=/c/art/>Art</a></ul></nav><article><h1>Story {n}</h1>"
        f"<p class=cat><a href=/c/{name}/>{name}</a></p></article>"
        for n, name in enumerate(["sport", "art", "sport", "art"])
    ]
    own, found = OwnLabels(), []
    for number, page in enumerate(pages):
        document = Document.from_html(page.encode(), f"{HOST}/{number}.html", "text/html")
        own_links = extract_links(document)
        pairs = list(zip(own_links, link_contexts(document, own_links), strict=True))
        found.append(own.labels_of(f"{HOST}/{number}.html", pairs, is_article=True))
    assert found[2:] == [("sport",), ("art",)]


def test_a_lone_category_counts_before_a_second_one_is_seen() -> None:
    own = OwnLabels()
    assert [of(own, number, ["sport"]) for number in range(3)] == [(), ("sport",), ("sport",)]
    everywhere = OwnLabels()
    everywhere.labels_of(f"{HOST}/", links(["home"], menu=[]), is_article=False)
    assert [of(everywhere, number, ["home"]) for number in range(3)] == [(), (), ()]
    unchanged = OwnLabels()
    assert [of(unchanged, number, ["imprint"]) for number in range(8)][6:] == [(), ()]


CARELESS = ("http://e.org/{0}/", "https://www.e.org/{0}/index.html", "http://www.e.org/{0}/", "https://e.org/{0}")


@pytest.mark.parametrize(
    ("menu", "anchors"),
    [
        pytest.param(["Jimmy Lai Trial", "Taiwan", "Sport", "Art"], None, id="names of topics"),
        pytest.param(["Wahlen", "Klima", "Verkehr", "Kultur", "Sport"], None, id="German"),
        pytest.param(["选举", "气候", "体育", "文化"], None, id="Chinese"),
        pytest.param(["Выборы", "Климат", "Спорт", "Культура"], None, id="Russian"),
        pytest.param(["News", "Climate", "Sport", "Art"], ["« Aug", "« Sep", "« Oct", "« Nov"], id="calendar"),
        pytest.param(["News", "Climate", "Sport", "Art"], ["More by A", "More by B", "More by C"], id="authors"),
        pytest.param(["News", "Climate", "Sport", "Art"], ["Law", "Courts", "Police", "Prisons"], id="submenu"),
        pytest.param(["Imprint"], None, id="one link of the footer"),
    ],
)
def test_a_menu_labels_nothing_whatever_it_links_to(menu: list[str], anchors: list[str] | None) -> None:
    own, found = OwnLabels(), []
    for number in range(24):
        spell = CARELESS[number % 4].format
        pairs = [(_link(spell(f"category/{n}"), word), _at("nav>ul>li>a")) for n, word in enumerate(menu)]
        if anchors:
            word = anchors[number % len(anchors)]
            folder = "author/a" if word.startswith("More") else "2024/08" if "«" in word else "category/more"
            pairs.append((_link(spell(folder), word), _at("nav>ul>li>a")))
        pairs.append((_link(spell(f"tag/{number}"), f"own {number}"), _at("article>p.tags>a")))
        found.append(own.labels_of(spell(f"2024/05/a-story-{number}"), pairs, is_article=True))
    assert {label for labels in found[4:] for label in labels} == {f"own {number}" for number in range(4, 24)}


@pytest.mark.parametrize(
    ("home", "section", "subsections"),
    [
        ("Home", "Laws", ["Statutes", "Decrees", "Rulings"]),
        ("首页", "政策法规", ["法律", "司法解释", "行政法规"]),
        ("Startseite", "Politik", ["Wahlen", "Haushalt", "Verkehr"]),
        ("Inicio", "Cultura", ["Cine", "Música", "Libros"]),
        ("Главная", "Общество", ["Право", "Школа", "Суды"]),
        ("الرئيسية", "سياسة", ["انتخابات", "برلمان", "محاكم"]),
        ("ホーム", "社会", ["裁判", "事件", "教育"]),
        ("Accueil", "Société", ["Justice", "Santé", "École"]),
        ("Beranda", "Berita", ["Hukum", "Ekonomi", "Olahraga"]),
        ("Início", "Notícias", ["Leis", "Saúde", "Escola"]),
    ],
)
def test_the_last_step_of_breadcrumbs_is_a_label_though_the_others_are_always_the_same(
    home: str, section: str, subsections: list[str]
) -> None:
    own, found = OwnLabels(), []
    for number in range(24):
        place = number % 3
        steps = [
            (f"{HOST}/", home),
            (f"{HOST}/category/a/", section),
            (f"{HOST}/category/a-{place}/", subsections[place]),
        ]
        pairs = [(_link(url, word), _at("div.crumbs>a")) for url, word in steps]
        found.append(own.labels_of(f"{HOST}/2024/05/a-story-{number}", pairs, is_article=True))
    assert found[4:] == [(section, subsections[number % 3]) for number in range(4, 24)]


@pytest.mark.parametrize(
    ("usual", "elsewhere"),
    [
        ("Legal counsel; A. Smith", "Legal counsel: A. Smith"),
        ("法律顾问;某某律师事务所", "法律顾问:某某律师事务所"),
        ("Rechtliches", "Rechtliche Hinweise"),
        ("Donate", "Donate now"),
        ("Contacto", "Contáctanos"),
        ("О сайте", "О нас"),
        ("اتصل بنا", "للاتصال"),
        ("お問い合わせ", "問い合わせ"),
        ("Mentions légales", "Mentions"),
        ("Tentang kami", "Tentang"),
    ],
)
def test_a_lone_link_of_the_footer_is_no_label_though_one_page_spells_it_otherwise(usual: str, elsewhere: str) -> None:
    own, found = OwnLabels(), []
    for number in range(24):
        word = usual if number else elsewhere
        pairs = [(_link(f"{HOST}/legal/", word), _at("div.footer>p>a"))]
        found.append(own.labels_of(f"{HOST}/2024/05/a-story-{number}", pairs, is_article=number > 0))
    assert not any(found[6:])


@pytest.mark.parametrize(
    ("of_site", "own"),
    [
        ("news, building, projects, design, bids, safety", "bridge, harbour"),
        ("建设信息, 工程建设, 招标投标, 建筑设计, 施工安全, 房地产, 设计师", "大桥, 港口"),
        ("Bau, Planung, Politik, Verkehr, Umwelt, Energie, Wohnen", "Brücke, Hafen"),
        ("noticias, obras, ciudad, puertos, empleo, cultura", "puente, puerto"),
        ("новости, стройка, город, порт, работа, культура", "мост, порт"),
        ("أخبار, بناء, مدينة, ميناء, عمل, ثقافة", "جسر, ميناء"),
        ("建設, 設計, 入札, 安全, 港湾, 都市", "橋, 港"),
        ("actualité, chantiers, ville, ports, emploi, culture", "pont, port"),
        ("berita, bangunan, kota, pelabuhan, kerja, budaya", "jembatan, pelabuhan"),
        ("notícias, obras, cidade, portos, emprego, cultura", "ponte, porto"),
    ],
)
def test_keywords_that_a_template_states_are_no_labels_though_articles_state_their_own(of_site: str, own: str) -> None:
    labels, found = OwnLabels(), []
    for number in range(24):
        stated = of_site.split(", ") if number % 3 == 0 else [f"{word} {number}" for word in own.split(", ")]
        found.append(of(labels, number, [], stated=stated))
    assert all(not found[number] for number in range(3, 24, 3))
    assert all(len(found[number]) == 2 for number in range(4, 24, 3))


@pytest.mark.parametrize(
    ("form", "names", "word", "proposed"),
    [
        ("/tag/{}/", {"tablets": "tablets", "web-speed": "Web speed"}, "Cell Phones", "/tag/cell-phones/"),
        ("/tags/{}/", {"linux": "Linux", "%E7%BC%96%E7%A8%8B": "编程"}, "输入法", "/tags/%E8%BE%93%E5%85%A5%E6%B3%95/"),
        ("/category/{}", {"berita": "Berita", "ikan": "Ikan"}, "penyakit", "/category/penyakit"),
        ("/tag/{}.html", {"sport": "Sport", "film": "Film"}, "kino", "/tag/kino.html"),
        ("/archives/tag/{}/", {"a-b": "A B", "c": "C"}, "タイ", "/archives/tag/%E3%82%BF%E3%82%A4/"),
        ("/thema/{}/", {"klima": "Klima", "schule": "Schule"}, "Wahlen", "/thema/wahlen/"),
        ("/tag/{}/", {"a": "А", "b": "Б"}, "школа", None),
        ("/tag/{}/", {"tablets": "tablets"}, "phones", None),
        ("/author/{}/", {"ann": "Ann", "bob": "Bob"}, "phones", None),
        ("/tag/{}/", {"2": "2", "3": "3"}, "phones", None),
        ("/tag/{}/", {"phones": "Phones", "tablets": "Tablets"}, "phones", None),
    ],
)
def test_lists_are_proposed_as_the_site_spells_them(
    form: str, names: dict[str, str], word: str, proposed: str | None
) -> None:
    lists = ListAddresses()
    lists.see([_link(HOST + form.format(name), anchor) for name, anchor in names.items()])
    assert lists.propose([word]) == (None if proposed is None else (HOST + proposed, word))
    assert lists.propose([word]) is None


def test_a_form_whose_lists_do_not_exist_is_given_up_and_remembered() -> None:
    lists, again = ListAddresses(), ListAddresses()
    lists.see([_link(f"{HOST}/tag/{name}/", name) for name in ("one", "two")])
    words = [f"word{number}x" for number in range(20)]
    for _ in range(MISSES):
        found = lists.propose(words)
        assert found is not None
        assert lists.miss(found[0])
    again.restore(lists.state())
    assert lists.propose(words) is again.propose(words) is None
    assert not again.miss(f"{HOST}/tag/one/")


def test_a_crawl_from_a_home_page_that_names_the_topic_nowhere_asks_for_its_list() -> None:
    menu = [_link(f"{HOST}/tag/{name}/", name) for name in ("soil", "roses", "tools")]
    focus = Focus(Topic(name="phones", keywords=(Keyword(term="phone"),)))
    home = FetchedPage(
        requested_url=f"{HOST}/", url=f"{HOST}/", is_article=False, links=menu, contexts=[_at("nav>a")] * 3
    )
    assert focus.judge(home) is None
    scores = focus.score(focus.explore(home), None, lambda _: True, lambda _: True)
    assert max(scores, key=scores.__getitem__) == f"{HOST}/tag/phone/"
    assert focus.explore(home) is home
    story = FetchedPage(requested_url=f"{HOST}/1.html", url=f"{HOST}/1.html", is_article=True, headline="A new phone")
    assert focus.judge(story) is not None
    assert focus.explore(story) is story


def test_no_list_is_proposed_while_a_queued_link_is_promising() -> None:
    menu = [_link(f"{HOST}/tag/{name}/", name) for name in ("soil", "roses", "tools")]
    focus = Focus(Topic(name="phones", keywords=(Keyword(term="phone"), Keyword(term="handset"))))
    home = FetchedPage(
        requested_url=f"{HOST}/", url=f"{HOST}/", is_article=False, links=menu, contexts=[_at("nav>a")] * 3
    )
    focus.score(focus.explore(home), None, lambda _: True, lambda _: True)
    assert focus.explore(home) is home
    focus.note_dead_end(f"{HOST}/tag/phone/")
    assert focus.explore(home).links[-1].url == f"{HOST}/tag/handset/"


@pytest.mark.parametrize(
    ("classes", "terms"),
    [
        ("post-7 post type-post hentry category-law-crime tag-jimmy-lai tag-1057", ("law crime", "jimmy lai")),
        ("entry hentry category-ricette", ("ricette",)),
        ("post tag-getting-started featured", ("getting started",)),
        ("product type-product post-9 product_cat-koi", ("koi",)),
        ("menu-item menu-item-object-category category-law", ()),
        ("posts-list category-list", ()),
        ("post", ()),
    ],
)
def test_classes_of_a_post_name_its_tags(classes: str, terms: tuple[str, ...]) -> None:
    page = (
        f"<body><nav class='category-menu'><a href=/a/>A</a></nav><article class='{classes}'><h1>A story</h1><p>"
        + "Words of the story stand here. " * 9
        + "<a href=/b/>b</a></p></article><article class='post-2 post tag-other'><a href=/c/>Other</a></article>"
    )
    document = Document.from_html(page, f"{HOST}/")
    contexts = {
        link.anchor: context.terms
        for found in [extract_links(document)]
        for link, context in zip(found, link_contexts(document, found), strict=True)
    }
    assert contexts == {"A": (), "b": terms, "Other": ("other",)}
    assert page_terms(document) == (terms or ("other",))


def test_labels_alone_make_no_page_relevant() -> None:
    model = RelevanceModel(Topic(name="phones", keywords=(Keyword(term="phone"),)))
    filler = "The committee met on Monday to discuss the budget of the coming year. " * 6
    silent = PageText(headline="Which to buy", text=filler, labels=("phone", "Phones"))
    named = PageText(headline="Which to buy", text=filler + " One is a phone.", labels=("phone", "Phones"))
    assert [model.judge(page).is_relevant for page in (silent, named)] == [False, True]
    assert [model.judge(page).is_named for page in (silent, named)] == [False, True]


def test_keywords_that_a_page_states_count_unless_the_whole_site_states_them() -> None:
    own = OwnLabels()
    stated = [("Example News", "daily"), ("Example News", "daily"), ("Example News", "daily")]
    assert [of(own, n, [], stated=words) for n, words in enumerate(stated)] == [(), (), ()]
    other = OwnLabels()
    stated = [("phone", "display"), ("rose", "tulip"), ("piano", "concert")]
    assert of(other, 0, [], stated=stated[0]) == ()
    assert [of(other, n, [], stated=words) for n, words in enumerate(stated)][2] == stated[2]


def test_folders_of_an_address_are_labels() -> None:
    own = OwnLabels()
    urls = [f"{HOST}/{folder}/2024/05/story-{n}/index.html" for n, folder in enumerate(["garden", "cell-phones"] * 2)]
    assert [own.labels_of(url, [], is_article=True) for url in urls][2:] == [("garden",), ("cell phones",)]


def test_links_to_other_sites_are_no_labels() -> None:
    own = OwnLabels()
    for number in range(5):
        pairs = [(_link(f"http://shop.example/tag/x{number}/", f"x{number}"), _at("p>a"))]
        assert own.labels_of(f"{HOST}/{number}.html", pairs, is_article=True) == ()


def test_what_is_learnt_survives() -> None:
    own, again = OwnLabels(), OwnLabels()
    for number in range(4):
        of(own, number, [f"tag-{number}"])
    again.restore(own.state())
    assert of(again, 9, ["phone"]) == of(own, 9, ["phone"]) == ("phone",)


def test_a_label_of_relevant_articles_comes_to_speak_for_others() -> None:
    table = LabelTable()
    for _ in range(6):
        table.add(["Pixel"], 0.9)
        table.add(["Garden"], 0.05)
        table.add([], 0.05)
    assert table.evidence("pixel") > 1.0
    assert table.evidence("garden") < 0 < table.evidence("Pixel")
    assert table.evidence("never seen") == 0.0


def test_labels_are_taught_by_texts_and_texts_by_labels() -> None:
    model = RelevanceModel(Topic(name="phones", keywords=(Keyword(term="phone"),)))
    filler = "The committee met on Monday to discuss the budget of the coming year. " * 6
    silent = PageText(headline="Which to buy", text=filler, labels=("pixel",))
    before = model.judge(silent).probability
    for number in range(8):
        for page in (
            PageText(headline=f"Phone {number}", text=f"A phone for {number}. " + filler, labels=("pixel",)),
            PageText(headline=f"Meeting {number}", text=filler, labels=("minutes",)),
        ):
            model.learn(page, model.judge(page))
    after = model.judge(silent)
    assert before < 0.1
    assert after.probability > 2 * before
    assert "pixel" in {word for word, _ in after.words}
    assert after.by_text < 0.1  # what was learnt does not teach the label again


def test_a_list_about_the_topic_labels_the_articles_it_shows() -> None:
    """Some sites name an article's category on the category's pages alone; its latest stories are on all pages."""
    focus = Focus(Topic(name="gardens", keywords=(Keyword(term="garden"),)))
    latest = [f"{HOST}/2024/05/latest-story-of-{n}/" for n in range(3)]
    for name in ("sport", "garden", "music"):
        shown = [f"{HOST}/2024/05/a-{name}-story-{n}/" for n in range(4)]
        page = FetchedPage(
            requested_url=f"{HOST}/category/{name}/page/2/",
            url=f"{HOST}/category/{name}/page/2/",
            is_article=False,
            links=[_link(url, "A story") for url in (*latest, *shown)],
            contexts=[_at("aside>a")] * len(latest) + [_at("main>h2>a")] * len(shown),
        )
        assert focus.judge(page) is None
    judged = {
        url: focus.judge(
            FetchedPage(
                requested_url=url, url=url, is_article=True, headline="A story", text="A garden. " + "Text. " * 50
            )
        )
        for url in (latest[0], f"{HOST}/2024/05/a-garden-story-1/", f"{HOST}/2024/05/a-music-story-1/")
    }
    assert [found is not None and found.is_relevant for found in judged.values()] == [False, True, False]
    again = Focus(focus.topic)
    again.restore(focus.state())
    assert again.state()["listed"] == focus.state()["listed"]


@pytest.mark.parametrize(
    ("menu", "words", "keywords"),
    [
        pytest.param(
            ["National security law", "Jimmy Lai Trial", "Taiwan", "Animals", "Health"],
            ("A court convicts three people under the national security law", "Pandas of the zoo eat bamboo"),
            ["national security law", "Jimmy Lai", "sedition", "Article 23"],
            id="English",
        ),
        pytest.param(
            ["Wahlen", "Klima", "Tiere", "Kultur", "Sport"],
            ("Die Wahlen zum Landtag sind ausgezählt", "Im Zoo fressen die Pandas heute Bambus"),
            ["Wahlen", "Landtag", "Stimmzettel"],
            id="German",
        ),
        pytest.param(
            ["选举", "气候", "动物", "文化", "体育"],
            ("选举结果公布，投票率上升", "动物园的熊猫今天吃竹子"),
            ["选举", "投票", "候选人"],
            id="Chinese",
        ),
        pytest.param(
            ["國家安全法", "黎智英案", "台灣", "動物", "健康"],
            ("法院裁定三人違反國家安全法罪名成立", "動物園想辦法讓大熊貓吃竹子"),
            ["國家安全法", "黎智英", "法院", "煽動"],
            id="Chinese, traditional",
        ),
        pytest.param(
            ["法律法规", "政策解读", "城市建设", "图片新闻", "公告"],
            ("最高人民法院发布新的司法解释", "市民想方设法看熊猫吃竹子"),
            ["法律", "法院", "司法解释"],
            id="Chinese, words within words",
        ),
        pytest.param(
            ["선거", "기후", "동물", "문화"],
            ("선거 개표가 끝나고 후보가 당선됐다", "동물원의 판다가 대나무를 먹는다"),
            ["선거", "개표", "후보"],
            id="Korean",
        ),
        pytest.param(
            ["Elecciones", "Clima", "Animales", "Cultura"],
            ("El recuento de las elecciones termina esta noche", "Los pandas del parque comen bambú"),
            ["elecciones", "recuento", "candidato"],
            id="Spanish",
        ),
        pytest.param(
            ["Выборы", "Климат", "Животные", "Культура"],
            ("Выборы прошли, голоса подсчитаны", "Панды в зоопарке едят бамбук"),
            ["выборы", "голоса", "кандидат"],
            id="Russian",
        ),
    ],
)
def test_a_careless_server_makes_no_label_of_its_menus(
    menu: list[str], words: tuple[str, str], keywords: list[str]
) -> None:
    site = CarelessSite(menu, words)
    focus = Focus(Topic(name="made", keywords=tuple(Keyword(term=word) for word in keywords)))
    crawled = simulate(site.pages, focus, ["http://e.org/"], 120)
    paths = ["/" + url.partition("://")[2].partition("/")[2].removesuffix("index.html") for url in crawled.urls]
    found = [path for path, own in zip(paths, crawled.judged, strict=True) if own]
    assert len(found) >= 0.8 * len(site.relevant)
    assert sum(path in site.relevant for path in found) >= 0.95 * len(found)
    labels = {label for label in focus.model.labels.counts if any(name.lower() in label for name in menu)}
    assert labels == set()
    assert len(paths) <= 1.1 * len(set(paths))  # hardly a page is fetched under two addresses
