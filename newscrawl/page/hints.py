"""What class and id names, and tags, say about a part of a page. Weak evidence: it never decides alone."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lxml.html import HtmlElement

#: Words of names that site makers give to what is not the article, in the languages they write code in.
BOILERPLATE_WORDS: Final = frozenset(
    """nav navi navigation menu menus topnav subnav breadcrumb breadcrumbs crumb crumbs mianbaoxie daohang
    footer foot copyright copy copyrights disclaimer legal
    comment comments comentario comentarios kommentar kommentare commentaires commenti reply replies disqus pinglun
    liuyan share sharing social sns bshare jiathis addthis fenxiang teilen compartir
    related relate relevant recommend recommended recommendation recommendations tuijian xiangguan guess relacionadas
    sidebar side aside widget widgets promo promotion advert adverts ads adv advertisement advertising anzeige werbung
    banner sponsor sponsored guanggao teaser teasers rank ranking paihang hot popular mostread trending
    newsletter subscribe subscription signup login register popup modal cookie cookies consent gdpr paywall
    tags tag taglist keywords toolbar tools pager pagination paging caption captions credit credits
    author byline bio print outbrain taboola""".split()
)
CONTENT_WORDS: Final = frozenset(
    """article articlebody artibody articletext articlecontent content contents body bodytext text maintext entry
    entrycontent post postcontent story storybody newscontent newstext endtext main zhengwen neirong""".split()
)
BOILERPLATE_TAGS: Final = frozenset("nav footer aside form figcaption button dialog fieldset".split())

_DIGITS: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=16384)
def name_words(names: str) -> frozenset[str]:
    """Return the words of class and id names, small.

    >>> sorted(name_words("relatedLinks box-2"))
    ['box', 'links', 'related']
    """
    return frozenset(map(str.lower, _WORD.findall(names)))


@lru_cache(maxsize=8192)
def speaks_for_boilerplate(names: str) -> bool:
    """Tell whether names hold a word of boilerplate and none of content.

    >>> speaks_for_boilerplate("relatedLinks box"), speaks_for_boilerplate("article-footer")
    (True, False)
    """
    words = name_words(names)
    return not words.isdisjoint(BOILERPLATE_WORDS) and words.isdisjoint(CONTENT_WORDS)


@lru_cache(maxsize=8192)
def form_of(tag: str, classes: str) -> str:
    """Return the tag and the first class of an element, without numbers: parts of one list or thread have one form.

    >>> form_of("div", "post17 odd")
    'div.post'
    """
    return ".".join([tag, *_DIGITS.sub("", classes).split()[:1]])


def is_named(element: HtmlElement, pattern: re.Pattern[str], *others: str | None) -> bool:
    """Tell whether an element's class or id, or one of some other names, holds a match of ``pattern``."""
    css, identity = element.get("class"), element.get("id")
    names = f"{css} {identity}" if css and identity else css or identity or ""
    if others:
        names = " ".join(filter(None, (names, *others)))
    return bool(names) and says(pattern.pattern, pattern.flags, names)


@lru_cache(maxsize=32_768)
def says(pattern: str, flags: int, names: str) -> bool:
    """Tell whether names hold a match of a pattern, and remember it: the pages of a site have the same names.

    A compiled pattern would be hashed each time.
    """
    return re.search(pattern, names, flags) is not None
