from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from newscrawl.extract.formats.figures import body_images
from newscrawl.extractors import get_extractor
from newscrawl.items import BodyImage
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from newscrawl.page.measures import Bools

URL = "http://www.example.org/n/1"
TEXT = "The river rose again in the night, and the lower bridge had to be closed until the morning."
PAGE = f"""<base href="http://cdn.example.org/files/"><body><img src="/logo.png">
<div class="story"><h1>River rises</h1>
<figure><img src="a.jpg" alt="The  bridge"><figcaption>The bridge, <b>yesterday</b></figcaption></figure>
<p>One. {TEXT}</p>
<p>Two. {TEXT}<img src="blank.gif" data-src="b.jpg"></p>
<aside class="related"><img src="other.jpg">More</aside>
<picture><source srcset="c-300.jpg 300w, c-900.jpg 900w"><img src="data:image/gif;base64,xx" alt=""></picture>
<img src="dot.gif" width="1" height="1"><img src="a.jpg">
<p>Three. {TEXT}</p><img src="after.jpg"></div><footer><img src="foot.png">Footer</footer></body>"""
FILES = "http://cdn.example.org/files/"


def page(html: str) -> Document:
    return Document.from_html(html, URL)


def chosen(document: Document, text: str) -> Bools:
    lines = get_extractor("fulltext").extract(document).text.split("\n")
    return np.array([line in text.split("\n") for line in lines])


@pytest.mark.parametrize("is_told", [True, False])
def test_pictures_of_the_body_with_their_places(is_told: bool) -> None:
    document = page(PAGE)
    text = "\n".join(["River rises", *(f"{number}. {TEXT}" for number in ("One", "Two", "Three"))])
    assert body_images(text, document, chosen(document, text) if is_told else None) == (
        BodyImage(url=f"{FILES}a.jpg", caption="The bridge, yesterday", alt="The bridge", position=1),
        BodyImage(url=f"{FILES}b.jpg", position=3),
        BodyImage(url=f"{FILES}c-900.jpg", position=3),
    )


def test_places_count_lines_that_the_page_has_not() -> None:
    """A text may hold what its page does not show, e.g. a line put together of two."""
    text = f"Not on the page.\nOne. {TEXT}\nTwo. {TEXT}\nThree. {TEXT}"
    assert [image.position for image in body_images(text, page(PAGE), None)] == [0, 3, 3]


def test_a_text_that_is_not_the_pages_has_none() -> None:
    assert body_images("Something else.", page(PAGE), None) == ()
    assert body_images("", page(PAGE), None) == ()
    assert body_images("One.", page(""), None) == ()


@pytest.mark.parametrize(
    "attributes",
    ['src="javascript:x"', 'src=""', "", 'src="http://[bad/"', 'srcset=", ,"', 'src="mailto:a@b.c"'],
)
def test_what_has_no_address_on_the_web_is_no_picture(attributes: str) -> None:
    html = f"<p>One. {TEXT}</p><img {attributes}><p>Two. {TEXT}</p>"
    assert body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None) == ()


@pytest.mark.parametrize(
    ("beside", "found"),
    [
        ('<figure><img src="/lead.jpg" width="800"><figcaption>The bridge.</figcaption></figure>', True),
        ('<div class="hero"><a href="/large.jpg?v=2"><img src="/lead.jpg"></a></div>', True),
        ('<a href="/n/2"><img src="/lead.jpg"></a>', False),
        ('<div class="article-byline">By Ann Lee <img src="/lead.jpg"></div>', False),
        ('<p>By Ann Lee <img class="avatar" src="/lead.jpg"></p>', False),
        ('<img src="/lead.jpg" width="120" height="120">', False),
    ],
)
def test_a_picture_between_headline_and_text_is_the_articles(beside: str, found: bool) -> None:
    html = f"""<title>River rises</title><img src="/above.jpg"><h1>River rises</h1>{beside}
    <div class="text"><p>One. {TEXT}</p><p>Two. {TEXT}</p></div>"""
    images = body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None)
    assert [image.url for image in images] == ["http://www.example.org/lead.jpg"] * found
    assert all(image.position == 0 for image in images)


def test_a_face_in_the_text_is_no_picture_of_it() -> None:
    html = f'<p>One. {TEXT}</p><img class="author-image" src="/a.jpg"><p>Two. {TEXT}</p>'
    assert body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None) == ()


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/static/blank.gif" data-original-src="/p/pier.jpg">',
        '<img src="/img/spacer.gif" data-url="/p/pier.jpg" alt="Причал">',
        '<img src="/assets/placeholder.svg" data-image="/p/pier.jpg">',
        '<img src="/s/grey.png" data-hi-res-src="/p/pier.jpg" data-thumb="/p/pier-80.jpg">',
        '<img src="/l/loading.gif" file="/p/pier.jpg" zoomfile="/p/pier.jpg">',
        '<img src="data:image/png;base64,xx" data-srcset="/p/s.jpg 320w, /p/pier.jpg 1280w">',
        '<img src="/p/pier-300.jpg" srcset="/p/pier-300.jpg 300w, /p/pier.jpg 1280w">',
        '<img src="/w/1.svg" data-lazyload="/p/pier.jpg">',
        '<img src="/p/pier.jpg?w=20&q=10" data-full="/p/pier.jpg">',
        '<img alt="" width="687"><noscript><img src="/p/pier.jpg"></noscript>',
        '<figure><noscript><img src="/p/pier.jpg" srcset="/p/a.jpg 200w"></noscript><figcaption>桟橋</figcaption>',
        '<span><span><img src="data:image/gif;base64,R0"></span><noscript><img src="/p/pier.jpg"></noscript></span>',
        '<amp-img src="/p/pier.jpg" width="800" height="450" layout="responsive"></amp-img>',
        '<picture><source data-srcset="/p/pier.jpg 1200w"><img src="/e/empty.png" data-low="/p/l.jpg"></picture>',
        """<div role="img" style="width:100%;background-image: url('/p/pier.jpg')"></div>""",
        '<div class="photo" data-bg="/p/pier.jpg"></div>',
        '<img src="" data-echo="/p/pier.jpg" data-permalink="/photo/pier/">',
        '<img src="/p/pier-300.jpg" data-orig-file="/p/pier.jpg" data-medium-file="/p/pier-300.jpg">',
    ],
)
def test_the_address_of_a_picture_stands_in_any_attribute(picture: str) -> None:
    html = f"<div><p>One. {TEXT}</p>{picture}<p>Two. {TEXT}</p></div>"
    images = body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None)
    assert [image.url for image in images] == ["http://www.example.org/p/pier.jpg"]


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="/static/blank.gif">',
        '<img src="/i/1x1.png" data-url="/story/2">',
        '<figure><video><source src="/v/pier.mp4"></video></figure>',
        '<img src="/q.png"><img src="/q.png"><img src="/q.png">',
        '<img src="data:image/gif;base64,R0" data-share="/t/tweet">',
    ],
)
def test_what_stands_for_a_picture_is_none(picture: str) -> None:
    html = f"<div><p>One. {TEXT}</p>{picture}<p>Two. {TEXT}</p></div>"
    assert body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None) == ()


@pytest.mark.parametrize(
    ("shown", "caption", "credit"),
    [
        ("The old pier. Photo: Ann Lee", "The old pier.", "Ann Lee"),
        ("The old pier. Photograph: Ann Lee/AFP", "The old pier.", "Ann Lee/AFP"),
        ("The old pier. © Ann Lee", "The old pier.", "Ann Lee"),
        ("The old pier (AP Photo/Ann Lee)", "The old pier", "AP Photo/Ann Lee"),
        ("The old pier <span class=credit>Ann Lee</span>", "The old pier", "Ann Lee"),
        ("Der alte Steg. Foto: dpa", "Der alte Steg.", "dpa"),
        ("Le vieux quai. Photo : Ann Lee", "Le vieux quai.", "Ann Lee"),
        ("El muelle viejo (Foto: Ana Ruiz)", "El muelle viejo", "Ana Ruiz"),
        ("Старый причал. Фото: Анна Ли", "Старый причал.", "Анна Ли"),
        ("Stare molo. Fot. Anna Lis", "Stare molo.", "Anna Lis"),
        ("古い桟橋＝撮影・佐野真帆", "古い桟橋", "佐野真帆"),
        ("旧码头。摄影：李楠", "旧码头。", "李楠"),
        ("오래된 부두. 사진: 김민수", "오래된 부두.", "김민수"),
        ("The old pier, in a photo of 1920", "The old pier, in a photo of 1920", None),
        ("People of the harbour (left) wait", "People of the harbour (left) wait", None),
    ],
)
def test_whose_a_picture_is_stands_apart_from_its_caption(shown: str, caption: str, credit: str | None) -> None:
    figure = f"<figure><img src=/p/pier.jpg><figcaption>{shown}</figcaption></figure>"
    html = f"<div><p>One. {TEXT}</p>{figure}<p>Two. {TEXT}</p></div>"
    (image,) = body_images(f"One. {TEXT}\nTwo. {TEXT}", page(html), None)
    assert (image.caption, image.credit) == (caption, credit)


@pytest.mark.parametrize(
    ("beside", "urls", "alts"),
    [
        ('<figure><img src="/lead.jpg" alt="Pier"><figcaption>The pier.</figcaption></figure>', ["lead"], ["Pier"]),
        ('<img src="/lead.jpg"><p><a href="/x">Another story of this week</a></p>', [], []),
        ('<div class="lazy" data-img-src="/lead.jpg"></div><p>Two. {text}</p>', ["lead"], [None]),
        ("<div data-imgs='[{{\"u\":\"/lead.jpg\"}}, {{}}]'></div><p>Two. {text}</p>", ["lead"], [None]),
        ('<img src="/lead.jpg" alt="1604299483(1).jpg"><p>Two. {text}</p>', ["lead"], [None]),
        ('<img src="/lead.jpg" alt="http://e.org/u/lead.jpg"><p>Two. {text}</p>', ["lead"], [None]),
        ('<img src="/wp-includes/images/smilies/lead.png" alt=":-)"><p>Two. {text}</p>', [], []),
        ('<img src="/ueditor/dialogs/attachment/fileTypeImages/lead.gif"><p>Two. {text}</p>', [], []),
    ],
)  # fmt: skip
def test_pictures_that_stand_otherwise(beside: str, urls: list[str], alts: list[str | None]) -> None:
    html = f"<div><p>One. {TEXT}</p><p>Again. {TEXT}</p>{beside.format(text=TEXT)}</div><p>Foot of the page</p>"
    text = "\n".join(line for line in (f"One. {TEXT}", f"Again. {TEXT}", f"Two. {TEXT}") if line in html)
    images = body_images(text, page(html), None)
    assert [image.url.rpartition("/")[2].partition(".")[0] for image in images] == urls
    assert [image.alt for image in images] == alts
