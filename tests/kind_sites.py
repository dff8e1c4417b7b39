"""Made sites whose stories are hard to tell from lists and other pages, each in three languages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HOST = "https://www.made-example.org"
TITLES = {
    "en": """Harbour master counts nine boats in the fog|Old tram finds a new home on the hill|Bakers strike over the
    price of flour|A heron nests on the town hall roof|Bridge painters finish three weeks early|School choir sings for
    the night shift|Farmers let the river meadows flood|Museum opens its cellar for a summer|Lighthouse keeper leaves
    after forty years|Cyclists ask for lamps along the canal|Two bells return to the chapel|Swimmers cross the bay in
    the rain""",
    "de": """Hafenmeister zählt neun Boote im Nebel|Alte Straßenbahn steht nun auf dem Berg|Bäcker streiken wegen des
    Mehlpreises|Reiher brütet auf dem Rathausdach|Brücke ist drei Wochen früher gestrichen|Schulchor singt für die
    Nachtschicht|Bauern lassen die Flusswiesen überfluten|Museum öffnet im Sommer seinen Keller|Leuchtturmwärter geht
    nach vierzig Jahren|Radfahrer wünschen sich Lampen am Kanal|Zwei Glocken kehren in die Kapelle zurück|Schwimmer
    queren die Bucht im Regen""",
    "zh": """港务长在雾中数到九条船|旧电车在山上有了新家|面包师因面粉价格停工抗议|苍鹭在市政厅屋顶筑巢
    |大桥油漆工程提前三周完成|学校合唱团为夜班工人演唱|农民让河边草地淹水过冬|博物馆夏天开放地下室展览|守塔人工作四十年后离开|骑车人希望运河边装上路灯|
    两口钟回到山上小教堂|游泳者在雨中横渡海湾""",
}
SENTENCES = {
    "en": "It was the first time in many years that anyone had seen this on the shore, said a neighbour who came by. ",
    "de": "Es war das erste Mal seit vielen Jahren, dass man so etwas am Ufer sah, sagte eine Nachbarin. ",
    "zh": "附近的居民说，这是多年来第一次在岸边看到这样的情形，大家都停下脚步看了很久才离开。",
}
MENUS = {
    "en": ("News", "Sports", "Culture", "Jobs at the paper", "About the paper"),
    "de": ("Nachrichten", "Sport", "Kultur", "Stellen bei der Zeitung", "Über die Zeitung"),
    "zh": ("新闻", "体育", "文化", "本报招聘启事", "关于本报的介绍"),
}
MENU_PATHS = ("/news/", "/sport/", "/culture/", "/jobs/", "/ueber/")


@dataclass(kw_only=True)
class MadeSite:
    pages: dict[str, str] = field(default_factory=dict)
    """Address → markup."""
    called: dict[str, str] = field(default_factory=dict)
    """Address → words of the link that leads to it."""
    stories: set[str] = field(default_factory=set)


def titles(language: str) -> list[str]:
    return [" ".join(title.split()) for title in TITLES[language].split("|")]


def story_url(number: int) -> str:
    return f"{HOST}/2024/{1 + number % 6:02}/{number + 31}.html"


def framed(language: str, title: str, main: str) -> str:
    menu = "".join(
        f'<li><a href="{path}">{name}</a></li>' for path, name in zip(MENU_PATHS, MENUS[language], strict=True)
    )
    read = "".join(f'<li><a href="{story_url(n)}">{name}</a></li>' for n, name in list(enumerate(titles(language)))[:6])
    return (
        f'<html lang="{language}"><head><meta charset="utf-8"><title>{title} - Made Paper</title></head><body>'
        f'<header><a href="/">Made Paper</a><ul class="menu">{menu}</ul></header><div class="main">{main}</div>'
        f'<div class="side"><h4>Top</h4><ul class="top">{read}</ul></div><footer><ul>{menu}</ul></footer></body></html>'
    )


def listed(language: str, numbers: range, *, texts: bool = False) -> str:
    names = titles(language)
    text = f"<p>{SENTENCES[language] * 2}</p>" if texts else ""
    items = "".join(
        f'<div class="item"><h2><a href="{story_url(n)}">{names[n]}</a></h2><span>2024-0{1 + n % 6}-1{n % 9}</span>'
        f"{text}</div>"
        for n in numbers
    )
    return f'<div class="list">{items}</div>'


def boxed(language: str) -> str:
    """Return a front page: below the linked name of each section a box of its stories."""
    names, sections = titles(language), list(zip(MENU_PATHS, MENUS[language], strict=True))[:3]
    boxes = []
    for number, (path, section) in enumerate(sections):
        items = [
            f'<h3><a href="{story_url(n)}">{names[n]}</a></h3><p>{SENTENCES[language]}</p>'
            for n in range(4 * number, 4 * number + 4)
        ]
        boxes.append(f'<div class="box"><h2><a href="{path}">{section}</a></h2><div>{"".join(items)}</div></div>')
    return "".join(boxes)


def flash(language: str, title: str) -> str:
    return f"<h1>{title}</h1><p>{SENTENCES[language]}</p>"


def photo(language: str, title: str) -> str:
    caption = SENTENCES[language][: len(SENTENCES[language]) // 2]
    return f'<h1>{title}</h1><figure><img src="/p.jpg" alt=""><figcaption>{caption}</figcaption></figure>'


def video(language: str, title: str) -> str:
    line = SENTENCES[language][: len(SENTENCES[language]) // 2]
    return f'<h1>{title}</h1><iframe src="https://player.example/1"></iframe><p>{line}</p>'


def article(language: str, title: str) -> str:
    own = "".join(f"<p>{SENTENCES[language] * 2}{title[n:]}{title[:n]}.</p>" for n in range(5))
    return f"<h1>{title}</h1><p>2024-05-06</p>{own}"


def made(
    language: str,
    story: Callable[[str, str], str],
    *,
    texts: bool = False,
    excerpts: bool = False,
    dead: int = 0,
    boxes: bool = False,
) -> MadeSite:
    """Return a site: a home page and sections that list stories, and pages about the paper.

    :param texts: lists show the beginnings of stories under linked headings, in the stories' own template.
    :param excerpts: pages of sections show beginnings of stories that lead nowhere.
    :param boxes: the front page shows a box for each section below its name, and sections show bare links.
    :param dead: announced addresses that answer with a page that says so.
    """
    site, names = MadeSite(), titles(language)
    about = f"<h1>{{}}</h1>{f'<p>{SENTENCES[language] * 4}</p>' * 3}"
    lists = {"/": range(12), "/news/": range(6), "/sport/": range(4, 10), "/culture/": range(6, 12)}
    for path, numbers in lists.items():
        section = MENUS[language][MENU_PATHS.index(path) if path in MENU_PATHS else 0]
        main = f"<h1>{MENUS[language][0]}</h1>" + listed(language, numbers, texts=texts)
        if excerpts and path in ("/sport/", "/culture/"):
            main = "<h1>X</h1>" + "".join(f"<h3>{names[n]}</h3><p>{SENTENCES[language] * 3}</p>" for n in numbers)
        if boxes:
            links = "".join(f'<li><a href="{story_url(n)}">{names[n]}</a></li>' for n in numbers)
            main = boxed(language) if path == "/" else f"<h2>{section}</h2><ul>{links}</ul>"
        if path == "/" and dead:
            gone = "".join(f'<li><a href="/2023/07/{n}.html">{names[n]} (2023, {n})</a></li>' for n in range(dead))
            main += f"<ul class='old'>{gone}</ul>"
        site.pages[HOST + path] = framed(language, section if boxes else MENUS[language][0], main)
    for path, name in list(zip(MENU_PATHS, MENUS[language], strict=True))[3:]:
        site.pages[HOST + path] = framed(language, name, about.format(name))
        site.called[HOST + path] = name
    for number, name in enumerate(names):
        make = article if number % 3 == 0 and story is not article else story
        url = story_url(number)
        site.pages[url] = framed(language, name, make(language, name))
        site.called[url] = name
        site.stories.add(url)
    for number in range(dead):
        url = f"{HOST}/2023/07/{number}.html"
        words = {"en": "There is nothing here any more", "de": "Hier gibt es nichts mehr", "zh": "这里已经没有内容了"}
        main = f"<h1>{words[language]}</h1><p>{SENTENCES[language][:60]} /2023/07/{number}.html</p>"
        site.pages[url] = framed(language, "Made Paper", main)
        site.called[url] = f"{names[number]} (2023, {number})"
    return site
