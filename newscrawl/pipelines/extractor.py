"""The extractor of a crawl, as its settings name it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from newscrawl.methods.registry import get_extractor
from newscrawl.network.classifiers import get_classifier
from newscrawl.network.model import use_one_thread

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from newscrawl.methods.base import Extractor

CLASSIFYING: Final = frozenset(("density_svm",))
"""Methods whose text comes from blocks that ``NEWSCRAWL_CLASSIFIER`` labels."""


def crawl_extractor(settings: BaseSettings) -> Extractor:
    """Return a new extractor by ``NEWSCRAWL_EXTRACTOR``.

    :raises UserError: for an unknown method or classifier.
    """
    use_one_thread()  # the process is the crawl's own
    name = settings["NEWSCRAWL_EXTRACTOR"]
    if name in CLASSIFYING:
        return get_extractor(name, classifier=get_classifier(settings["NEWSCRAWL_CLASSIFIER"]))
    return get_extractor(name)
