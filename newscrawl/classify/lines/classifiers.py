"""What labels blocks: the network's lines, a trained model, or rules; ``NEWSCRAWL_CLASSIFIER`` names one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.classify.blocks.classify import RuleClassifier, label_by_lines
from newscrawl.classify.blocks.learned import DEFAULT_MODEL, LearnedClassifier, load_machine
from newscrawl.classify.learn.model_file import model_kind
from newscrawl.classify.lines.judge import judge_lines
from newscrawl.classify.lines.site_model import KIND, SiteClassifier, load_site_model
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.blocks.classify import BlockClassifier
    from newscrawl.classify.learn.kernel_machine import KernelMachine
    from newscrawl.page.document import Document
    from newscrawl.segment.model import Block

NEWS: Final = "news"
RULES: Final = "rules"
SVM: Final = "svm"


class NewsClassifier:
    """Labels by the network's verdict."""

    reads_texts = False

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(judge_lines))


def decides_text(name: str, classifier: BlockClassifier) -> bool:
    """Tell whether the labels of the classifier of that name decide what the text is: a user trained it on blocks."""
    return name not in {NEWS, RULES, SVM} and isinstance(classifier, LearnedClassifier)


def get_classifier(name: str) -> BlockClassifier:
    """Return the classifier that ``NEWSCRAWL_CLASSIFIER`` names.

    :param name: ``"news"``, ``"svm"`` for the block model of the package, ``"rules"``, or the path of a model file.
    :raises UserError: for another name, or a file that is no model of this version.
    """
    if name == NEWS:
        return NewsClassifier()
    if name == RULES:
        return RuleClassifier()
    if name != SVM and not Path(name).is_file():
        raise UserError(
            f"NEWSCRAWL_CLASSIFIER is {name!r}: expected {NEWS}, {SVM}, {RULES} or a model file of scrapy train"
        )
    if name == SVM:
        return LearnedClassifier(_shipped_machine())
    path = Path(name)
    return SiteClassifier(load_site_model(path)) if model_kind(path) == KIND else LearnedClassifier(load_machine(path))


@cache
def _shipped_machine() -> KernelMachine:
    return load_machine(DEFAULT_MODEL)
