"""What labels blocks: the network's lines, a trained model, or rules; ``NEWSCRAWL_CLASSIFIER`` names one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.blocks.classify import RuleClassifier, label_by_lines
from newscrawl.blocks.learned import DEFAULT_MODEL, LearnedClassifier, load_machine
from newscrawl.exceptions import UserError
from newscrawl.network.judge import judge_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.blocks.classify import BlockClassifier
    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.learn.kernel_machine import KernelMachine

NEWS: Final = "news"
RULES: Final = "rules"
SVM: Final = "svm"


class NewsClassifier:
    """Labels by the lines that the network takes for body."""

    reads_texts = False

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(judge_lines))


def is_own(name: str) -> bool:
    """Tell whether the name is that of a model a user trained: its labels decide what the text is."""
    return name not in {NEWS, RULES, SVM}


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
    return LearnedClassifier(_shipped_machine() if name == SVM else load_machine(Path(name)))


@cache
def _shipped_machine() -> KernelMachine:
    return load_machine(DEFAULT_MODEL)
