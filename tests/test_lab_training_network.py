"""Training needs torch, which only those install who make the model again: skipped without it."""

from __future__ import annotations

import numpy as np
import pytest

from lab.training import network as line_training
from lab.training.network import TrainingPage, train_network
from newscrawl.classify.lines.columns import FEATURES
from newscrawl.classify.lines.features import NetworkInput, page_lines
from newscrawl.page.document import Document

pytest.importorskip("torch")

N_PAGES = 12


def page(number: int) -> NetworkInput:
    sentences = "".join(f"<p>Sentence {number} of the text, with a comma. And {n} more.</p>" for n in range(6))
    links = "".join(f"<li><a href=/{n}>Another story {n}</a></li>" for n in range(8))
    found = page_lines(Document.from_html(f"<ul>{links}</ul><div>{sentences}</div><ul>{links}</ul>"))
    assert found is not None
    return found


def training_page(lines: NetworkInput) -> TrainingPage:
    is_body = lines.features.is_prose.astype(np.float32)
    return TrainingPage(
        values=lines.values,
        named=lines.named,
        low=lines.low,
        high=lines.high,
        chars=lines.chars,
        is_body=is_body,
        weight=np.ones_like(is_body),
    )


def test_the_same_seed_gives_the_same_network_which_tells_prose_from_links() -> None:
    pages = [page(number) for number in range(N_PAGES)]
    training = [training_page(lines) for lines in pages]
    one = train_network(training, seed=3, hideable=[([0, 1], 0.2)], epochs=30)
    again = train_network(training, seed=3, hideable=[([0, 1], 0.2)], epochs=30)
    logits = one.logits(pages[0], pages[0].values)
    np.testing.assert_array_equal(logits, again.logits(pages[0], pages[0].values))
    assert ((logits > 0) == pages[0].features.is_prose).all()


def test_numpy_and_torch_compute_the_same() -> None:
    import torch  # noqa: PLC0415 (skipped above where it is missing)

    torch.manual_seed(1)
    pages = [page(1), page(2)]
    net = line_training._module(len(FEATURES), pages[0].low.shape[1]).eval()
    mean, scale = np.zeros(len(FEATURES), dtype=np.float32), np.ones(len(FEATURES), dtype=np.float32)
    network = line_training._export(dict(net.state_dict()), mean, scale)
    batch = line_training._Standard(mean, scale, []).pack(
        [training_page(lines) for lines in pages], np.random.default_rng(0)
    )
    with torch.no_grad():
        logits = net(batch, 2)[0].numpy()
    start = 0
    for lines in pages:
        own = network.logits(lines, lines.values)
        np.testing.assert_allclose(logits[start : start + len(lines.lines)], own, atol=1e-4)
        start += len(lines.lines) + line_training.GAP
