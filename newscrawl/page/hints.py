"""What class and id names, and tags, say about a part of a page. Weak evidence: it never decides alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.page.headline import find_headline
from newscrawl.page.line_features import line_features, lines_inside, sum_subtrees
from newscrawl.page.measures import rows_where
from newscrawl.page.tags import kinds_among

if TYPE_CHECKING:
    from newscrawl.page.document import Document
    from newscrawl.page.line_features import LineFeatures
    from newscrawl.page.measures import Bools, Ints, Measures

MAX_HINTED_SHARE: Final = 0.9
"""Names that speak against a part with more than this share of the page's prose are not believed."""
MAX_HINTED_SHARE_UNTITLED: Final = 0.5
"""Share for a page whose headline, which would clear the article, was not found."""

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

FOOTER_WORDS: Final = frozenset("footer foot copyright copyrights".split())

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def boilerplate_rows(measures: Measures) -> Ints:
    """Return the rows of elements whose tag, or whose class or id and nothing in them, speaks for boilerplate.

    Inline elements, and those without text, are not asked.
    """
    is_found = kinds_among(BOILERPLATE_TAGS)[measures.kinds] & (measures.chars > 0)
    rows, nodes, classes = measures.shown
    for row, node, names in zip(rows.tolist(), nodes, classes, strict=True):
        identity = node.get("id")
        if (names and speaks_for_boilerplate(names + " " + identity if identity else names)) or (
            identity and not names and speaks_for_boilerplate(identity)
        ):
            is_found[row] = True
    return rows_where(is_found)


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


def is_footer(tag: str, names: str | None, identity: str | None) -> bool:
    """Tell whether an element is a page's footer by its tag, class or id; one of an article's own is not asked.

    >>> is_footer("footer", None, None), is_footer("div", "foot clear", None), is_footer("div", "post-footer", None)
    (True, True, False)
    """
    words = name_words(f"{names or ''} {identity or ''}")
    return words.isdisjoint(CONTENT_WORDS) and (tag == "footer" or not words.isdisjoint(FOOTER_WORDS))


@dataclass(frozen=True, kw_only=True)
class Boilerplate:
    """Parts of a page that are named as boilerplate; worked out when first asked for, as the text needs it not."""

    features: LineFeatures
    headline: int

    @cached_property
    def lines(self) -> Bools:
        """Tell which lines stand in a part named as boilerplate; a part with the headline in it is none.

        A footer below the headline is one, though it holds all the prose there is.
        """
        features, headline = self.features, self.headline
        if not len(features):
            return np.zeros(0, dtype=np.bool_)
        measures = features.lines.measures
        row = features.lines.start[headline] if headline >= 0 else -1
        roots = boilerplate_rows(measures)
        roots = roots[(roots > row) | (measures.end[roots] <= row)]
        prose = sum_subtrees(features, features.free * features.is_prose)
        limit = MAX_HINTED_SHARE if headline >= 0 else MAX_HINTED_SHARE_UNTITLED
        believed = prose[roots] <= limit * prose[0]
        if headline >= 0:
            for place in (~believed).nonzero()[0].tolist():
                node = measures.nodes[roots[place]]
                believed[place] = roots[place] > row and is_footer(node.tag, node.get("class"), node.get("id"))
        return lines_inside(features, roots[believed])


def find_boilerplate(document: Document) -> Boilerplate:
    """Return what stands for the page's parts of boilerplate until it is asked for."""
    features = document.once(line_features)
    return Boilerplate(features=features, headline=document.once(find_headline) if len(features) else -1)
