"""Who wrote the article: people in the roles the page states, organisations where no person is named."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urljoin

from lxml import etree

from newscrawl.extract.facts.bare_names import (
    before_date,
    below_the_text,
    beside_date,
    in_a_box,
    own_line,
    owner,
    signature,
)
from newscrawl.extract.facts.bylines import (
    AUTHOR_LABEL,
    LABEL_ALONE,
    REPORTER_LABEL,
    STAFF_LABELS,
    Named,
    behind_label,
    inner_byline,
    people,
    printed,
)
from newscrawl.extract.facts.cues import Candidate, Cue, choose
from newscrawl.extract.facts.names import (
    ORGANISATION,
    clean_name,
    is_east_asian_name,
    is_login,
    is_organisation,
    is_whole_name,
)
from newscrawl.extract.facts.weights import AUTHORS
from newscrawl.items import Author
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.languages.text import fold, fold_space
from newscrawl.page.hints import is_named
from newscrawl.page.jsonld import text_of, types_of
from newscrawl.page.statements import in_other_part
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.html import HtmlElement

    from newscrawl.extract.facts.cues import FactPage
    from newscrawl.page.statements import Evidence

AUTHOR_METAS: Final = (
    "author article:author og:article:author byl byline dc.creator dcterms.creator dc.creator.author "
    "sailthru.author parsely-author cxenseparse:author article.author article:author_name articleauthor "
    "article-author authors creator citation_author rnews:creator bt:author mediaid:author og:author twitter:data1"
).split()
_AUTHOR_WORD: Final = re.compile(r"(?<!co-)author", re.IGNORECASE)
_BYLINE_WORD: Final = re.compile(r"byline", re.IGNORECASE)
"""Often the name of what holds date and section, too."""
_USER: Final = re.compile(r"user-?name", re.IGNORECASE)
_NO_NAME_WORD: Final = re.compile(
    r"prep[-_]+author|(?:author|byline)s?[-_]*(?:desc|intro|prep|motto|slogan|sign|avatar|ima?ge?|count|badge"
    r"|rank|level|role)",
    re.IGNORECASE,
)
_AUTHOR_NAME_WORD: Final = re.compile(r"author[-_]*(?:name|link)|byline[-_]*(?:name|author)|authorname", re.IGNORECASE)
_NO_NAME_TAGS: Final = frozenset("meta time img input form section article body html main".split())
_ORGANISATION_TYPES: Final = frozenset(("organization", "newsmediaorganization", "corporation"))
_MICRODATA_NAME: Final = etree.XPath("descendant::*[@itemprop='name']")
_SMALL_WORD: Final = re.compile("[a-z]+")
"""What an account may be called; a person's name rarely."""
_MAX_NAME: Final = 100
_MARKED_CHARS: Final = range(2, 161)
_MAX_PARTS: Final = 8
"""Names, or links, that are read off one element."""
_MAX_SIGNED: Final = 120
"""Most characters of a link that is a name, and of one that ends with a name, from its end."""
_MAX_NAMED: Final = 200  # links, or pictures
_PICTURES: Final = frozenset(("img",))
_AUTHOR_PAGE: Final = re.compile(r"/authors?/(?:\d+[/-])?([^/?#]+?)(?:\.\w{3,5})?/?(?:[?#].*)?$")

BELOW: Final = "below the text"
APART: Final = "elsewhere"
NO_PERSON: Final = "no person"
ONE_WORD: Final = "one small word"
"""Signs of an author's candidate, beside the names of the marks."""


def choose_authors(page: FactPage) -> tuple[tuple[Author, ...], str]:
    """Return the authors in the order of the page, and where they came from; ``()`` where it names none."""
    choice = choose(AUTHOR_CUES, AUTHORS, page)
    names, origin = (choice.best.value, choice.best.origin) if choice else ((), "")
    distinct: dict[str, Author] = {}
    others = [behind_label(page, label) for label in STAFF_LABELS] if page.language == "zh" else []
    for author in chain(names, *others):
        distinct.setdefault(fold(author.name), author)
    return tuple(distinct.values()), origin or ("visible" if distinct else "")


def _cue(
    name: str,
    find: Callable[[FactPage], Iterable[Named]],
    *languages: str,
    origin: str = "visible",
) -> Cue[tuple[Author, ...]]:
    """Return the cue of what finds statements of names: their candidates agree where they name the same people."""

    def candidates(page: FactPage) -> Iterator[Candidate[tuple[Author, ...]]]:
        sites = page.once(sites_of_people)
        for named in find(page):
            authors = [
                replace(author, role=ORGANISATION)
                if author.role is None and (is_organisation(author.name) or _is_site(author, sites))
                else author
                for author in named.authors
            ]
            if origin == "visible":  # who printed it
                authors = [author for author in authors if fold(author.name) != page.press]
            persons = [author for author in authors if author.role != ORGANISATION and not is_login(author.name)]
            kept = [one for one in authors if one in persons or not (is_login(one.name) or _is_site(one, sites))]
            kept = kept if persons else authors
            if kept:
                signs = named.signs if persons else (*named.signs, NO_PERSON)
                is_small = persons and all(_SMALL_WORD.fullmatch(one.name) for one in persons)
                signs = (*signs, ONE_WORD) if is_small else signs
                yield Candidate(tuple(kept), frozenset(fold(a.name) for a in persons or kept), origin, signs=signs)

    return Cue(name, candidates, languages)


def sites_of_people(page: FactPage) -> frozenset[str]:
    """Return the folded names of sites and presses that are no person's, by what JSON-LD calls a person.

    Many a site signs with its own name. For :meth:`FactPage.once`.
    """
    people: set[str] = set()
    others: set[str] = set()
    presses: set[str] = set()
    for node in (*page.evidence.nodes, *page.evidence.articles):
        for value in (node, *_as_list(node.get("author")), *_as_list(node.get("publisher"))):
            name = text_of(value.get("name")) if isinstance(value, dict) else None
            if name and (" " in name or is_east_asian_name(name)):
                types = types_of(value)
                (people if "person" in types else others).add(fold(name))
                presses |= {fold(name)} if types & _ORGANISATION_TYPES else set()
    # where the page says more, names of its host that differ are its owner's
    told = page.sites.told | page.sites.tails
    own = told | {host for host in page.sites.hosts if not told or any(host in one or one in host for one in told)}
    return (own - (people - others)) | (presses - people)


def _is_site(author: Author, sites: frozenset[str]) -> bool:
    """Tell whether a name is the site's, or the beginning of a Chinese site's (网易 of 网易新闻)."""
    folded = fold(author.name)
    is_chinese = HAN_LETTER.match(author.name) is not None
    return folded in sites or (is_chinese and any(site.startswith(folded) for site in sites))


def _linked_data(page: FactPage) -> Iterator[Named]:
    for node in page.evidence.articles:
        values = _as_list(node.get("author") or node.get("creator"))
        authors = [author for value in values for author in _from_value(value)]
        if authors:
            yield Named(authors)
            return


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _from_value(value: Any) -> Iterator[Author]:
    if isinstance(value, dict) and isinstance(value.get("name"), list):
        for name in value["name"]:
            yield from _from_value({**value, "name": name})
        return
    text = text_of(value.get("name") if isinstance(value, dict) else value)
    if not text:
        return
    types = types_of(value) if isinstance(value, dict) else frozenset()
    if types & _ORGANISATION_TYPES and "person" not in types:  # of both types is a person whose own site it is
        yield Author(name=text[:_MAX_NAME], role=ORGANISATION)
        return
    yield from people(text)


def _metas(page: FactPage) -> Iterator[Named]:
    """Yield whom the first ``meta`` of authors names, or a card for messages, where its label says so.

    On Chinese pages that of the site or source is left out.
    """
    label = page.evidence.metas.get("twitter:label1", ("",))[0]
    for name in AUTHOR_METAS if LABEL_ALONE.fullmatch(label) else AUTHOR_METAS[:-1]:
        contents = [
            text for text in page.evidence.metas.get(name, ()) if "://" not in text and not text.startswith("/")
        ]
        authors = [author for content in contents for author in people(content)]
        if authors:
            sites = page.once(sites_of_people) | {page.press} if page.language == "zh" else frozenset()
            yield Named([author for author in authors if not _is_site(author, sites)])
            return


MARKS: Final[tuple[tuple[str, Callable[[HtmlElement], bool]], ...]] = (
    (
        "rel",
        lambda node: node.get("itemprop", "").lower() == "author" or "author" in node.get("rel", "").lower().split(),
    ),
    ("author-name", lambda node: is_named(node, _AUTHOR_NAME_WORD)),
    ("", lambda node: is_named(node, _NO_NAME_WORD)),
    ("author", lambda node: is_named(node, _AUTHOR_WORD)),
    ("byline", lambda node: is_named(node, _BYLINE_WORD)),
    ("user", lambda node: is_named(node, _USER)),
)
"""What marks an element as the author's; the first that holds counts, ``""`` for what holds no name."""


def _marked(page: FactPage) -> Iterator[Named]:
    """Yield the names in the elements of each mark and place, of nested ones the innermost.

    Who is named within the article's text, below its beginning, replies to it, unless nobody is named above.
    """
    evidence, places = page.evidence, page.evidence.places
    groups: dict[tuple[str, ...], dict[HtmlElement, int]] = {}
    for element in evidence.marked:
        mark = next((name for name, holds in MARKS if holds(element)), "") if element.tag not in _NO_NAME_TAGS else ""
        line = evidence.line_of.get(element, -1)
        if not mark or line < 0 or line in places.others:
            continue
        if in_other_part(evidence, element, is_above=0 <= places.headline < line < places.body_start):
            continue
        place = () if line in places.header else (BELOW,) if line in places.tail else (APART,)
        is_named_so = element.text_content().strip() or _MICRODATA_NAME(element)
        if (place != (APART,) or mark in {"rel", "author-name"}) and is_named_so:
            groups.setdefault((mark, *place), {})[element] = line
    for signs, group in groups.items():
        around = {ancestor for element in group for ancestor in element.iterancestors()}
        inner = [element for element in group if element not in around]
        first = [element for element in inner if group[element] <= places.body_start]
        texts = [text for text in map(_inner_text, first or inner) if len(text) in _MARKED_CHARS]
        authors = [author for text in texts for author in people(text)]
        if authors:
            yield Named(authors, signs)


def _inner_text(element: HtmlElement) -> str:
    """Return the element's text, lines kept apart; its microdata ``name`` alone where it has one."""
    names = _MICRODATA_NAME(element)
    if names:
        return "; ".join(" ".join((name.get("content") or name.text_content()).split()) for name in names[:_MAX_PARTS])
    spaced = "  ".join(" ".join(part.split()) for part in element.itertext() if part and part.strip())
    labelled = inner_byline(spaced)
    if labelled is not None:
        return labelled
    badges = {badge.text for badge in element.iterdescendants("*") if is_named(badge, _NO_NAME_WORD)}
    parts = [part.strip() for part in element.itertext(with_tail=False) if part.strip() and part not in badges]
    links = [" ".join(link.text_content().split()) for link in element.iter("a")] if len(parts) > 1 else []
    names = [text for text in links if text and len(text.split()) <= 4 and clean_name(text)]
    return "; ".join(names[:_MAX_PARTS]) or " ".join(parts) or " ".join(spaced.split())


def _named_once(page: FactPage) -> Iterator[Named]:
    """Yield the one person whose page all links to author pages lead to, or whom all authors' pictures show.

    For pages that name their author in a sidebar. A link counts if its address holds the name, or if it stands between
    headline and text, and is the site's own: other sites' people are those whom the article cites.
    """
    evidence = page.evidence
    if not evidence.document.may_hold(b"author"):
        return
    places, lines, measures = evidence.places, evidence.lines, evidence.document.measures
    links = [link for link in evidence.document.by_tag["a"] if "/author" in link.get("href", "")][:_MAX_NAMED]
    above = {
        measures.nodes[row]
        for row in measures.rows_among(links).tolist()
        if 0 <= places.headline < lines.of_row(row) < places.body_start
    }
    own = [link for link in links if _is_own(evidence, link)]
    names = (_signed_name(link) or (fold_space(link.text_content()) if link in above else "") for link in own)
    found = {fold(name): name for name in names if name}
    if not found:
        pictures = [measures.nodes[row] for row in measures.rows_of(_PICTURES)[:_MAX_NAMED].tolist()]
        for picture in pictures:
            text, around = picture.get("alt"), picture.iterancestors()
            if text is not None and any("author" in node.get("class", "") for node in around):
                found[fold(text)] = fold_space(text)
    if len(found) == 1 and all(map(is_whole_name, found.values())):
        yield Named([Author(name=name) for name in found.values()])


def _signed_name(link: HtmlElement) -> str:
    """Return the name that a link's text ends with, where the author page's address spells it, or it signs an article.

    ``""`` where it does neither: ``All stories by Jane Doe`` names who wrote this one.
    """
    match = _AUTHOR_PAGE.search(link.get("href", ""))
    text = link.text_content()
    said = text[-_MAX_SIGNED:].split()
    ends = (" ".join(said[at:]) for at in range(len(said)))
    spelled = fold(unquote(match[1])) if match else ""
    is_signature = bool(link.xpath("boolean(ancestor::footer/ancestor::article)"))
    return next(
        (end for end in ends if fold(end) == spelled),
        " ".join(said) if is_signature and len(text) <= _MAX_SIGNED else "",
    )


def _is_own(evidence: Evidence, link: HtmlElement) -> bool:
    """Tell whether a link stays on the page's site; without the page's address, whether it names no host."""
    try:
        url = urljoin(evidence.base or "", link.get("href"))
        return same_site(url, evidence.url) if evidence.url else "//" not in url
    except ValueError:
        return False


AUTHOR_CUES: Final = (
    _cue("label", lambda page: [Named(behind_label(page, AUTHOR_LABEL))], "zh"),
    _cue("reporter", lambda page: [Named(behind_label(page, REPORTER_LABEL))], "zh"),
    _cue("signature", signature, "zh", "ko"),
    _cue("own line", own_line, "zh", "ja", "ko"),
    _cue("before the date", before_date, "zh"),
    _cue("json-ld", _linked_data, origin="json-ld"),
    _cue("meta", _metas, origin="meta"),
    _cue("labelled line", printed),
    _cue("marked", _marked),
    _cue("beside the date", beside_date),
    _cue("author page", _named_once),
    _cue("below the text", below_the_text),
    _cue("in a box", in_a_box),
    _cue("owner", owner),
)
"""The cheap ones first, those of one language before."""
