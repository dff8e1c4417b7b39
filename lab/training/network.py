"""Training of the line network, with torch: needed to make the model again, never to use it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from newscrawl.classify.lines.model import CLIP, DILATIONS, KERNEL, MASS_COLUMNS, LineNetwork
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from newscrawl.classify.lines.names import Lexicon, NamedLines

    Array = NDArray[np.float32]
    Ints = NDArray[np.int32]

UNITS: Final = 40
NARROW_UNITS: Final = 16
EPOCHS: Final = 12
BATCH: Final = 12
LEARNING_RATE: Final = 4e-3
WEIGHT_DECAY: Final = 0.03
DROPOUT: Final = 0.3
INPUT_DROPOUT: Final = 0.2
FIRST_PASS_WEIGHT: Final = 0.3
VARIANT_SHARE: Final = 0.3
"""How often a page is replaced by one of its variants."""
AVERAGED: Final = 0.995
"""The weights kept are a running mean over some 200 steps: as good as several networks."""
MIN_SPREAD: Final = 0.02
GAP: Final = 10
"""Empty lines between the pages of a batch: as far as the convolutions reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPage:
    """Lines of a page and their labels; shapes as of :class:`newscrawl.classify.lines.features.NetworkInput`."""

    values: Array
    named: NamedLines
    low: Ints
    high: Ints
    chars: Array
    is_body: Array
    weight: Array
    """Weight of each line, 0 where the label is not known."""
    importance: float = 1.0
    """Weight of the page among the others."""
    variants: tuple[TrainingPage, ...] = ()
    """Variants of the page with other things around the article."""
    names: Array | None = None
    """What names are worth, as further columns of ``values``."""

    def with_names(self, lexicon: Lexicon) -> TrainingPage:
        """Return the page with what its names are worth by ``lexicon``."""
        return replace(self, names=lexicon.columns(self.named))

    def seen(self) -> Array:
        """Return all that the network sees of the lines."""
        return self.values if self.names is None else np.concatenate((self.values, self.names), axis=1)


def require_torch() -> None:
    """Refuse to train where torch is not installed.

    :raises UserError: naming what to install.
    """
    if find_spec("torch") is None:
        raise UserError("training needs torch: pip install -r requirements-torch.txt")


def train_network(
    pages: Sequence[TrainingPage],
    *,
    seed: int,
    hideable: Sequence[tuple[Sequence[int], float]] = (),
    epochs: int = EPOCHS,
    advance: Callable[[], None] = lambda: None,
) -> LineNetwork:
    """Fit one network; the same pages and seed give the same network on the same machine.

    Loss of a page: cross-entropy of its lines, weighted by the root of their tokens, and 1 − F1 by tokens, taken of
    the probabilities. AdamW, one cycle of the learning rate.

    :param hideable: columns that are hidden together, and how often a page shows them not at all.
    :param advance: called after each epoch.
    :raises UserError: if torch is not installed.
    """
    require_torch()
    import torch  # noqa: PLC0415 (an optional requirement)

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    values = np.concatenate([page.seen() for page in pages])
    mean, spread = values.mean(axis=0), values.std(axis=0) + MIN_SPREAD
    standard = _Standard(mean, 1 / spread, [(np.array(columns), share) for columns, share in hideable])
    net = _module(values.shape[1], pages[0].low.shape[1])
    parameters = dict(net.named_parameters())
    kept = {name: value.detach().clone() for name, value in parameters.items()}
    optimiser = torch.optim.AdamW(parameters.values(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    per_epoch = -(-len(pages) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, LEARNING_RATE, total_steps=epochs * per_epoch, pct_start=0.15
    )
    for epoch in range(epochs):
        net.train()
        for place, chosen in enumerate(_batches(pages, rng)):
            loss = _loss(net, standard.pack(chosen, rng), chosen)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters.values(), 1.0)
            optimiser.step()
            schedule.step()
            step = epoch * per_epoch + place
            share = min(AVERAGED, (2 + step) / (11 + step))
            for name, value in parameters.items():
                kept[name].mul_(share).add_(value.detach(), alpha=1 - share)
        advance()
    return _export(kept, mean, 1 / spread)


def _batches(pages: Sequence[TrainingPage], rng: np.random.Generator) -> Iterator[list[TrainingPage]]:
    order = rng.permutation(len(pages)).tolist()
    for start in range(0, len(order), BATCH):
        chosen = []
        for place in order[start : start + BATCH]:
            page = pages[place]
            if page.variants and rng.random() < VARIANT_SHARE:
                page = page.variants[int(rng.integers(len(page.variants)))]
            chosen.append(page)
        yield chosen


class _Standard:
    """Standardises pages and puts several into one batch, one after the other."""

    def __init__(self, mean: Array, scale: Array, hideable: Sequence[tuple[NDArray[np.int64], float]]) -> None:
        self.mean, self.scale, self.hideable = mean, scale, hideable

    def pack(self, pages: Sequence[TrainingPage], rng: np.random.Generator) -> dict[str, Any]:
        import torch  # noqa: PLC0415 (an optional requirement)

        total = sum(len(page.values) + GAP for page in pages)
        levels = pages[0].low.shape[1]
        batch: dict[str, NDArray[Any]] = {
            "values": np.zeros((total, len(self.mean)), dtype=np.float32),
            "is_line": np.zeros((total, 1), dtype=np.float32),
            "low": np.zeros((total, levels), dtype=np.int64),
            "high": np.ones((total, levels), dtype=np.int64),
            "page": np.zeros(total, dtype=np.int64),
            "chars": np.zeros((total, 1), dtype=np.float32),
            "is_body": np.zeros(total, dtype=np.float32),
            "weight": np.zeros(total, dtype=np.float32),
        }
        start = 0
        for number, page in enumerate(pages):
            stop = start + len(page.values)
            values = np.clip((page.seen() - self.mean) * self.scale, -CLIP, CLIP)
            for columns, share in self.hideable:
                if rng.random() < share:
                    values[:, columns] = 0
            for name, column in (
                ("values", values),
                ("is_line", 1.0),
                ("low", page.low + start),
                ("high", page.high + start),
                ("chars", page.chars[:, None]),
                ("is_body", page.is_body),
                ("weight", page.weight),
            ):
                batch[name][start:stop] = column
            batch["page"][start : stop + GAP] = number
            start = stop + GAP
        return {name: torch.from_numpy(array) for name, array in batch.items()}


def _loss(net: Any, batch: dict[str, Any], pages: Sequence[TrainingPage]) -> Any:
    import torch  # noqa: PLC0415 (an optional requirement)
    from torch.nn.functional import binary_cross_entropy_with_logits as entropy  # noqa: PLC0415

    logits, first = net(batch, len(pages))
    wanted, weight, page = batch["is_body"], batch["weight"], batch["page"]

    def of_page(values: Any) -> Any:
        return torch.zeros(len(pages)).index_add(0, page, values)

    share = weight.sqrt()
    share = share / of_page(share).clamp(min=1e-6)[page]
    lines = entropy(logits, wanted, reduction="none")
    lines = lines + FIRST_PASS_WEIGHT * entropy(first, wanted, reduction="none")
    said = torch.sigmoid(logits) * weight
    f1 = (2 * of_page(said * wanted) + 1) / (of_page(said) + of_page(weight * wanted) + 1)
    importance = torch.tensor([page.importance for page in pages])
    return ((of_page(lines * share) + 1 - f1) * importance).mean()


def _module(n_features: int, n_levels: int) -> Any:
    """Return the network of :class:`LineNetwork` as a torch module, with dropout."""
    import torch  # noqa: PLC0415 (an optional requirement)
    from torch import nn  # noqa: PLC0415

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.input = nn.Linear(n_features, UNITS)
            self.first = nn.Linear(UNITS, 1)
            self.page = nn.Linear(2 * UNITS, UNITS)
            self.narrow = nn.ModuleList([nn.Linear(UNITS, NARROW_UNITS) for _ in range(2)])
            self.around = nn.ModuleList(
                [
                    nn.Linear(n_levels * (NARROW_UNITS + MASS_COLUMNS), UNITS),
                    nn.Linear(n_levels * NARROW_UNITS, UNITS),
                ]
            )
            self.near = nn.ModuleList([nn.Linear(KERNEL * UNITS, UNITS) for _ in DILATIONS])
            self.output = nn.Linear(UNITS, 1)
            self.dropout = nn.Dropout(DROPOUT)
            self.input_dropout = nn.Dropout(INPUT_DROPOUT)

        def forward(self, batch: dict[str, Any], n_pages: int) -> tuple[Any, Any]:
            is_line, chars, page = batch["is_line"], batch["chars"], batch["page"]
            size = (batch["high"] - batch["low"]).clamp(min=1)[..., None].float()

            def sums(values: Any) -> Any:
                before = torch.cat([torch.zeros(1, values.shape[1]), values.cumsum(0)])
                # Backwards faster than before[batch["high"]] is.
                high, low = (before.index_select(0, batch[end].flatten()) for end in ("high", "low"))
                return (high - low).view(*batch["high"].shape, -1)

            def of_page(values: Any) -> Any:
                return torch.zeros(n_pages, values.shape[1]).index_add(0, page, values)

            hidden = torch.relu(self.input(self.input_dropout(batch["values"]))) * is_line
            first = self.first(hidden)
            mean = of_page(hidden) / of_page(is_line).clamp(min=1)
            index = page[:, None].expand(-1, UNITS)
            highest = torch.zeros(n_pages, UNITS).scatter_reduce(0, index, hidden, "amax")
            hidden = hidden + torch.relu(self.page(torch.cat([mean, highest], 1)))[page] * is_line
            said = torch.sigmoid(first) * is_line
            mass = said * chars
            counts = sums(torch.cat([mass / (of_page(mass)[page] + 1), said, chars / (of_page(chars)[page] + 1)], 1))
            counts = torch.cat([counts[:, :, :1], counts[:, :, 1:2] / size, counts[:, :, 2:]], 2)
            means = sums(torch.relu(self.narrow[0](hidden)) * is_line) / size
            hidden = hidden + torch.relu(self.around[0](torch.cat([means.flatten(1), counts.flatten(1)], 1))) * is_line
            for place, (layer, step) in enumerate(zip(self.near, DILATIONS, strict=True)):
                if place == len(DILATIONS) - 1:
                    means = sums(torch.relu(self.narrow[1](hidden)) * is_line) / size
                    hidden = hidden + torch.relu(self.around[1](means.flatten(1))) * is_line
                reach = KERNEL // 2 * step
                padded = nn.functional.pad(hidden, (0, 0, reach, reach))
                windows = [padded[at * step : at * step + len(hidden)] for at in range(KERNEL)]
                hidden = hidden + self.dropout(torch.relu(layer(torch.cat(windows, 1)))) * is_line
            return self.output(hidden)[:, 0], first[:, 0]

    return Net()


def _export(weights: dict[str, Any], mean: Array, scale: Array) -> LineNetwork:
    """Return the weights as arrays: offsets below the weights of each layer, half precision being enough on disk."""

    def layer(name: str) -> Array:
        array: Array = np.concatenate([weights[f"{name}.weight"].numpy().T, weights[f"{name}.bias"].numpy()[None]])
        return np.ascontiguousarray(array, dtype=np.float32)

    return LineNetwork(
        mean=mean.astype(np.float32),
        scale=scale.astype(np.float32),
        **{name: layer(name) for name in ("input", "first", "page", "output")},
        narrow=(layer("narrow.0"), layer("narrow.1")),
        around=(layer("around.0"), layer("around.1")),
        near=tuple(layer(f"near.{place}") for place in range(len(DILATIONS))),
    )
