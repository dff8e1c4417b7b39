"""What labels blocks: the network's lines, a trained model, or rules; ``NEWSCRAWL_CLASSIFIER`` names one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.classify.blocks.classify import RuleClassifier, label_by_lines
from newscrawl.classify.blocks.learned import DEFAULT_MODEL, LearnedClassifier, load_machine
from newscrawl.classify.lines.judge import judge_lines
from newscrawl.classify.lines.site_model import KIND, block_odds, correct, load_site_model, places_of, shares_of
from newscrawl.classify.model_file import model_kind
from newscrawl.classify.verdict import EVEN
from newscrawl.exceptions import UserError
from newscrawl.segment import BlockLabel, labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.classify.blocks.classify import BlockClassifier
    from newscrawl.classify.blocks.learned import KernelMachine
    from newscrawl.classify.lines.site_model import SiteModel
    from newscrawl.classify.verdict import Verdict
    from newscrawl.page.document import Document
    from newscrawl.segment import Block

NEWS: Final = "news"
RULES: Final = "rules"
SVM: Final = "svm"


class NewsClassifier:
    """Labels by the network's verdict."""

    reads_texts = False

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return label_by_lines(blocks, document.once(judge_lines))


class SiteClassifier:
    """Labels by the network's verdict as a site's model corrects it."""

    reads_texts = True

    def __init__(self, model: SiteModel) -> None:
        self.model = model

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        return self.judge(blocks, document, document.once(judge_lines))[0]

    def judge(self, blocks: Sequence[Block], document: Document, verdict: Verdict) -> tuple[tuple[Block, ...], Verdict]:
        """Return the blocks with their labels, and the network's verdict as corrected by block.

        The verdict is the one given where the model corrects nothing on the page.
        """
        if not blocks:
            return (), verdict
        places = places_of(blocks, document.measures)
        corrections = self.model.corrections(places)
        corrected = correct(verdict, document, blocks, corrections)
        found = label_by_lines(blocks, corrected)
        said = [self.model.kinds.get(of[0]) for of in places]
        labels = [
            kind if kind is not None and block.label is not BlockLabel.MAIN else block.label or BlockLabel.OTHER
            for block, kind in zip(found, said, strict=True)
        ]
        main = shares_of(block_odds(verdict, document, blocks) + corrections).tolist()
        sure = [max(p if of is BlockLabel.MAIN else 1 - p, EVEN) for p, of in zip(main, labels, strict=True)]
        return labelled(found, labels, sure), corrected


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
