"""Blocks classified by a trained model; the rules where it finds no main text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from newscrawl.classify.blocks.block_features import FEATURES, block_features
from newscrawl.classify.blocks.classify import RuleClassifier
from newscrawl.classify.learn.kernel_machine import KernelMachine, classified
from newscrawl.classify.learn.model_file import ModelFile, load_model, save_model
from newscrawl.console.files import shipped_file
from newscrawl.exceptions import UserError
from newscrawl.segment import BlockLabel, labelled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from newscrawl.page.document import Document
    from newscrawl.segment import Block

KIND: Final = "blocks"
DEFAULT_MODEL: Final = shipped_file("classify/models/blocks.npz")

_LABELS: Final = (BlockLabel.MAIN, BlockLabel.RELATED, BlockLabel.OTHER)


class LearnedClassifier:
    """Labels by a model. A page on which it finds no main text gets the rules' main text, if there is any."""

    reads_texts = True

    def __init__(self, machine: KernelMachine) -> None:
        self.machine = machine
        self.fallback = RuleClassifier()

    def classify(self, blocks: Sequence[Block], document: Document) -> tuple[Block, ...]:
        if not blocks:
            return ()
        found, confidence = classified(self.machine, block_features(blocks, document))
        labels = [_LABELS[place] for place in found.tolist()]
        learned = labelled(blocks, labels, confidence.tolist())
        if BlockLabel.MAIN in labels:
            return learned
        ruled = self.fallback.classify(blocks, document)
        return tuple(rule if rule.label is BlockLabel.MAIN else own for rule, own in zip(ruled, learned, strict=True))


def load_machine(path: Path) -> KernelMachine:
    """Read a block model.

    :raises UserError: if it is missing, no model, or of another version.
    """
    model = load_model(path, kind=KIND, features=FEATURES)
    try:
        machine = KernelMachine.from_arrays(model.arrays)
    except ValueError as error:
        raise UserError(f"{str(path)!r} is no model file: {error}") from error
    if machine.mean.shape != (len(FEATURES),) or machine.intercepts.shape != (2,):
        raise UserError(f"{str(path)!r} is no model file: {machine.weights.shape[1]} machines over {len(machine.mean)}")
    return machine


def save_machine(path: Path, machine: KernelMachine, provenance: dict[str, Any]) -> None:
    """Write a block model with its provenance.

    :raises UserError: if the file cannot be written.
    """
    save_model(path, ModelFile(kind=KIND, features=FEATURES, arrays=machine.arrays(), provenance=provenance))
