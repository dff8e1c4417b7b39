"""Names of the extraction methods; a module is imported when its method is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from newscrawl.methods.base import Extractor

EXTRACTORS: Final[dict[str, str]] = {
    "cetd": "newscrawl.methods.cetd:CETDExtractor",
    "cluster": "newscrawl.methods.cluster:ClusterExtractor",
    "density": "newscrawl.methods.density:DensityExtractor",
    "density_svm": "newscrawl.methods.density:DensitySVMExtractor",
    "fulltext": "newscrawl.methods.baselines:FullTextExtractor",
    "layout": "newscrawl.methods.layout:LayoutExtractor",
    "lineblock": "newscrawl.methods.lineblock:LineBlockExtractor",
    "lineblock_original": "newscrawl.methods.lineblock:OriginalLineBlockExtractor",
    "localrel": "newscrawl.methods.localrel:LocalRelExtractor",
    "news": "newscrawl.methods.news:NewsExtractor",
    "readability": "newscrawl.methods.baselines:ReadabilityExtractor",
    "rules": "newscrawl.methods.rules:RulesExtractor",
}

#: What is used where no method is named; ``NEWSCRAWL_EXTRACTOR`` names the crawl's.
DEFAULT_METHOD: Final = "news"


def names() -> tuple[str, ...]:
    """Return the names that ``get_extractor`` takes, sorted."""
    return tuple(sorted(EXTRACTORS))


def get_extractor(name: str, **constants: object) -> Extractor:
    """Return a new extractor; ``constants`` replace its published defaults.

    :param name: a registered name, or the path of a class of your own: ``package.module:Class``.
    :raises UserError: for another name, or a path that leads to no class.
    """
    if name not in EXTRACTORS and ":" not in name:
        raise UserError(f"unknown extraction method {name!r}; known are {', '.join(names())}, or package.module:Class")
    module, _, attribute = EXTRACTORS.get(name, name).partition(":")
    try:
        make = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"extraction method {name!r} cannot be loaded: {error}") from error
    extractor: Extractor = make(**constants)
    return extractor
