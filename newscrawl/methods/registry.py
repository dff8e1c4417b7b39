"""Names of the extraction methods; a module is imported when its method is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from newscrawl.methods.base import Extractor


class Method(NamedTuple):
    path: str
    about: str
    """Its idea and source, in a line."""


EXTRACTORS: Final[dict[str, Method]] = {
    "cetd": Method(
        "newscrawl.methods.cetd:CETDExtractor",
        "subtrees of the greatest density sum (Sun, Song, Liao 2011)",
    ),
    "cluster": Method(
        "newscrawl.methods.cluster:ClusterExtractor",
        "the block that is best on most pages of a cluster (基于网页聚类的正文信息提取方法); learns from pages",
    ),
    "density": Method(
        "newscrawl.methods.density:DensityExtractor",
        "blocks by node density entropy, main ones by their densities (Zhang, Cao, Li 2015, Algorithm 1)",
    ),
    "density_svm": Method(
        "newscrawl.methods.density:DensitySVMExtractor",
        "blocks by node density entropy, main ones by a trained classifier (Zhang, Cao, Li 2015)",
    ),
    "fulltext": Method(
        "newscrawl.methods.baselines:FullTextExtractor",
        "all visible text: what every method has to beat",
    ),
    "layout": Method(
        "newscrawl.methods.layout:LayoutExtractor",
        "what a page does not share with another of its template (杨柳青 et al. 2015); learns from pages",
    ),
    "lineblock": Method(
        "newscrawl.methods.lineblock:LineBlockExtractor",
        "lines between steep rises and falls of their length (中山大学 2022, improved cx-extractor)",
    ),
    "lineblock_original": Method(
        "newscrawl.methods.lineblock:OriginalLineBlockExtractor",
        "the same without the improvements (陈鑫, cx-extractor)",
    ),
    "localrel": Method(
        "newscrawl.methods.localrel:LocalRelExtractor",
        "text per link of a table, div or p (提取网页主题相关内容)",
    ),
    "news": Method(
        "newscrawl.methods.news:NewsExtractor",
        "a network that judges each line by text, place and surroundings: the default",
    ),
    "readability": Method(
        "newscrawl.methods.baselines:ReadabilityExtractor",
        "the library readability-lxml, as a baseline",
    ),
    "rules": Method(
        "newscrawl.methods.rules:RulesExtractor",
        "blocks by density entropy, rules, then line by line: the project's first",
    ),
}

#: What is used where no method is named; ``NEWSCRAWL_EXTRACTOR`` names the crawl's.
DEFAULT_METHOD: Final = "news"


def names() -> tuple[str, ...]:
    """Return the names that ``get_extractor`` takes, sorted."""
    return tuple(sorted(EXTRACTORS))


def describe_methods() -> Iterator[tuple[str, str]]:
    """Yield each name with what the method is."""
    yield from ((name, EXTRACTORS[name].about) for name in names())


def get_extractor(name: str, **constants: object) -> Extractor:
    """Return a new extractor; ``constants`` replace its published defaults.

    :param name: a registered name, or the path of a class of your own: ``package.module:Class``.
    :raises UserError: for another name, or a path that leads to no class.
    """
    if name not in EXTRACTORS and ":" not in name:
        raise UserError(f"unknown extraction method {name!r}; known are {', '.join(names())}, or package.module:Class")
    path = EXTRACTORS[name].path if name in EXTRACTORS else name
    module, _, attribute = path.partition(":")
    try:
        make = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"extraction method {name!r} cannot be loaded: {error}") from error
    extractor: Extractor = make(**constants)
    return extractor
