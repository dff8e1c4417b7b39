"""Precision and recall of "is this address an article?", on the corpus's addresses of the five portals.

    python -m lab.experiments.url_rules [--json out.json] [--wrong]

The labels do not look at the shape of article addresses:

- page: the page's own address in the index, with the index's page type.
- anchor: links on the Chinese pages. A text of ten Han characters or more is a headline, so the page behind it is an
  article; one of one to four is the name of a channel or a service, so it is not. Texts between the two, without
  Han characters or about paging (下一页), and addresses with both kinds of text are left out.
- media: headlines also stand on photo galleries, videos, live rooms, forums, comment pages, special topics, books,
  games and courses, which are not articles. These are told by the host's or folder's own word for them
  (``_MEDIA_HOST``, ``_MEDIA_FOLDER``), as a person reading the address would, and count as not articles.

The second table judges the shape alone (``url_shape``), as for a site nobody has described.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lab.evaluation.corpus import default_folder, load
from lab.experiments.base import ExperimentResult, Options, ResultTable
from newscrawl.exceptions import UserError
from newscrawl.languages.characters import HAN_LETTER
from newscrawl.page.document import parse
from newscrawl.sites import catalogue
from newscrawl.urls.canonical import canonicalize
from newscrawl.urls.shape import UrlKind, url_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lab.evaluation.corpus import CorpusPage
    from newscrawl.sites.model import NewsSite

HEADLINE: Final = 10
NAME: Final = 4
#: Links to further pages of the same article name neither a headline nor a channel.
_PAGING: Final = re.compile(r"[上下前后]一?[页頁]|[首末尾][页頁]|全文")
#: First labels of hosts for what carries headlines and is no article.
_MEDIA_HOST: Final = re.compile(
    r"""(?:photo\w* | slide | pic\w* | v | tv | video\w* | vod | film | live | zhibo | bobo | yuetu | bbs | club | guba
      | comment\w* | tie | hot | t | so | open | vip | yuedu | caiwei | guofeng | lz | app | ka | games? | m | db | data
      | sms | mms | bf | store | mall | you | down | ds | adclick | login | reg | h5 | zhuomuniao)\.""",
    re.VERBOSE,
)
#: Addresses of folders and their index pages; a long number is an article's own folder.
_FOLDER: Final = re.compile(r"^(?!.*\d{6})(?:/[\w-]+)*/(?:index\.s?html?)?$")
_MEDIA_FOLDER: Final = re.compile(
    r"""/(?:photo\w* | pictures? | v | tv | videos? | movie | vod | film | live | \w*bbs | club | comments? | special
      | zt\w* | nzt | subject | topics? | \w*topic | s20\d\d | focus | keywords | books? | games? | apps? | projects?
      | about | quotes | schedule | feedback | exhibit | everyday)/""",
    re.VERBOSE,
)


@dataclass(kw_only=True)
class Labelled:
    """An address and what speaks for and against its being an article."""

    site: NewsSite
    by_page: set[bool] = field(default_factory=set)
    by_anchor: set[bool] = field(default_factory=set)

    def is_article(self, url: str) -> bool | None:
        """The label, or None where there is none or they differ."""
        votes = self.by_page or self.by_anchor
        if len(votes) != 1:
            return None
        (vote,) = votes
        return vote and (bool(self.by_page) or not _is_media(url))


def _is_media(url: str) -> bool:
    host, _, path = url.partition("://")[2].partition("?")[0].partition("/")
    if _FOLDER.search(f"/{path}"):
        return True  # a channel, under the headline of its main story
    return bool(_MEDIA_HOST.match(host) or _MEDIA_FOLDER.search(f"/{path.rpartition('/')[0]}/"))


@cache
def portals() -> dict[str, NewsSite]:
    """Return the Chinese portals whose addresses are described by patterns: name → site."""
    return {site.name: site for site in catalogue("cn") if site.article_patterns}


def labelled_addresses(pages: Iterable[CorpusPage], advance: Callable[[], None]) -> dict[str, Labelled]:
    """Collect the portals' addresses from pages and the links on them."""
    found: dict[str, Labelled] = {}
    for page in pages:
        if page.url and page.page_type and (site := _site_of(page.url)):
            url = canonicalize(page.url) or page.url
            found.setdefault(url, Labelled(site=site)).by_page.add(page.page_type == "article")
        if page.lang == "zh":
            for url, text in _links(page):
                site = _site_of(url)
                n_han = len(HAN_LETTER.findall(text))
                if site is not None and (n_han >= HEADLINE or 1 <= n_han <= NAME):
                    found.setdefault(url, Labelled(site=site)).by_anchor.add(n_han >= HEADLINE)
        advance()
    return found


def _links(page: CorpusPage) -> Iterable[tuple[str, str]]:
    root = parse(page.read().decode(page.encoding, "replace"))
    for anchor in root.iter("a") if root is not None else ():
        url = canonicalize(anchor.get("href") or "about:blank", page.url)
        if url is not None:
            text = "".join(anchor.itertext())
            yield url, "" if _PAGING.search(text) else text


def _site_of(url: str) -> NewsSite | None:
    return next((site for site in portals().values() if site.covers(url)), None)


@dataclass(kw_only=True)
class Count:
    right: int = 0
    wrong: int = 0
    missed: int = 0
    negatives: int = 0

    @property
    def precision(self) -> float | None:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        return self.right / (self.right + self.missed) if self.right + self.missed else None


def count(
    labelled: dict[str, Labelled], judge: Callable[[NewsSite, str], UrlKind]
) -> tuple[dict[str, Count], list[tuple[str, str]]]:
    """Return counts by site and in ``"all"``, and the addresses judged wrongly with what was wrong."""
    counts: defaultdict[str, Count] = defaultdict(Count)
    wrong: list[tuple[str, str]] = []
    for url, label in sorted(labelled.items()):
        truth = label.is_article(url)
        if truth is None:
            continue
        said = judge(label.site, url) is UrlKind.ARTICLE
        if said is not truth:
            wrong.append(("missed" if truth else "not an article", url))
        for name in (label.site.name, "all"):
            counts[name].right += said and truth
            counts[name].wrong += said and not truth
            counts[name].missed += truth and not said
            counts[name].negatives += not truth
    return dict(counts), wrong


def run(options: Options) -> ExperimentResult:
    pages = load(options.corpus, limit=options.limit)
    labelled = labelled_addresses(pages, options.advance)
    rules, _ = count(labelled, lambda site, url: site.url_kind(url))
    shape, _ = count(labelled, lambda _, url: url_shape(url))
    note = "n: labelled addresses; links are labelled by their text, see the module. No portal was tried live."
    return ExperimentResult(
        title="Article addresses of the five portals",
        source="target: precision and recall 0.95",
        tables=(_table("site rules", rules, note), _table("shape alone", shape, note)),
        pages=pages,
    )


def _table(title: str, counts: dict[str, Count], note: str) -> ResultTable:
    rows = tuple(
        (name, c.right + c.missed + c.negatives, c.right + c.missed, c.precision, c.recall)
        for name in (*portals(), "all")
        if (c := counts.get(name)) is not None
    )
    return ResultTable(title=title, columns=("site", "n", "articles", "precision", "recall"), rows=rows, note=note)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result file")
    parser.add_argument("--wrong", action="store_true", help="list the addresses the site rules judge wrongly")
    arguments = parser.parse_args(argv)
    options = Options(corpus=default_folder())
    try:
        result = run(options)
    except UserError as error:
        sys.stderr.write(f"url_rules: {error}\n")
        return 2
    for table in result.tables:
        sys.stdout.write(f"{table.title}\n  {' '.join(f'{name:>10}' for name in table.columns)}\n")
        for row in table.rows:
            cells = (f"{cell:10.3f}" if isinstance(cell, float) else f"{cell!s:>10}" for cell in row)
            sys.stdout.write(f"  {' '.join(cells)}\n")
    if arguments.wrong:
        labelled = labelled_addresses(load(options.corpus), options.advance)
        for what, url in count(labelled, lambda site, url: site.url_kind(url))[1]:
            sys.stdout.write(f"{what:15} {url}\n")
    if arguments.json:
        data = result.as_json(command="python -m lab.experiments.url_rules", seed=options.seed)
        arguments.json.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
