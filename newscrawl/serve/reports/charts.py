"""Small pictures as SVG: no script, no style attribute, colours by class, every label escaped.

Colours come from the page's style sheet (classes ``bar``, ``area``, ``axis``, ``c0`` … ``c7``), so that a picture
follows the reader's light or dark scheme and passes a strict Content-Security-Policy.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING, Final

from markupsafe import escape

from newscrawl.languages.characters import FIRST_WIDE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH: Final = 640
_HEIGHT: Final = 190
LEFT: Final = 40
_BOTTOM: Final = 24
TOP: Final = 12
ROW: Final = 25
LABEL: Final = 186
VALUE: Final = 64
N_COLOURS: Final = 8
_X_LABELS: Final = 6
PLANE_HEIGHT: Final = 300
FLOOR: Final = PLANE_HEIGHT - 44
"""Where the lower axis of a plane lies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    title: str
    height: float
    content: str
    """Elements, their labels escaped."""

    def __html__(self) -> str:
        head = f'<svg viewBox="0 0 {WIDTH} {self.height:.0f}" role="img" aria-label="{escape(self.title)}">'
        return f"{head}{self.content}</svg>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A part of a stacked bar, for its legend."""

    name: str
    value: int
    colour: int
    """Number of a colour class, 0..7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    label: str
    value: float
    low: float | None = None
    high: float | None = None
    """Ends of an interval, drawn as a thin line."""


def columns(title: str, values: Sequence[tuple[str, float]]) -> Drawing:
    """Return upright bars, one for each label, e.g. days."""
    top = nice_top(max((value for _, value in values), default=0))
    step = (WIDTH - LEFT) / max(len(values), 1)
    parts = [_grid(top)]
    every = max(1, ceil(len(values) / _X_LABELS))
    for i, (label, value) in enumerate(values):
        x, height = LEFT + i * step, scaled(value, top)
        bar = f'<rect class="bar" x="{x + step * 0.12:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}" '
        parts.append(f'{bar}width="{step * 0.76:.1f}" height="{height:.1f}" rx="1.5">{_tip(label, value)}</rect>')
        if i % every == 0:
            parts.append(text_at(x + step / 2, _HEIGHT - 7, label, "mid"))
    return picture(title, parts, _HEIGHT)


def area(title: str, values: Sequence[float], *, seconds: float) -> Drawing:
    """Return a series over time as a filled line; a value each ``seconds``."""
    top = nice_top(max(values, default=0))
    step = (WIDTH - LEFT - 8) / max(len(values) - 1, 1)
    points = [(LEFT + i * step, _HEIGHT - _BOTTOM - scaled(value, top)) for i, value in enumerate(values)]
    if len(points) == 1:
        points.append((float(WIDTH - 8), points[0][1]))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    floor = _HEIGHT - _BOTTOM
    parts = [_grid(top)]
    if points:
        outline = f"{points[0][0]:.1f},{floor} {line} {points[-1][0]:.1f},{floor}"
        parts.append(f'<polygon class="area" points="{outline}"/><polyline class="line" points="{line}"/>')
    every = max(1, ceil(len(values) / _X_LABELS))
    parts += [
        text_at(LEFT + i * step, _HEIGHT - 7, _clock(i * seconds), "mid" if i else "start")
        for i in range(0, len(values), every)
    ]
    return picture(title, parts, _HEIGHT)


def rows(title: str, values: Mapping[str, int], *, limit: int = 14) -> Drawing:
    """Return lying bars with label and number; more than ``limit`` become one row "others"."""
    pairs = list(values.items())
    if len(pairs) > limit:
        rest = pairs[limit - 1 :]
        pairs = [*pairs[: limit - 1], (f"{len(rest)} others", sum(value for _, value in rest))]
    scale = (WIDTH - LABEL - VALUE) / (max((value for _, value in pairs), default=0) or 1)
    parts = []
    for i, (label, value) in enumerate(pairs):
        width = max(1.5, value * scale)
        parts += [lying_bar(i, label, value, width), number_at(i, width, f"{value:,}")]
    return picture(title, parts, max(len(pairs), 1) * ROW + 6)


def bars(title: str, values: Sequence[Bar], *, top: float | None = None, digits: int = 3) -> Drawing:
    """Return lying bars with label and number.

    :param top: the value at the right end; the largest one when None.
    """
    limit = top or max((max(bar.value, bar.high or 0.0) for bar in values), default=0.0) or 1.0
    scale = (WIDTH - LABEL - VALUE) / limit
    parts = []
    for i, bar in enumerate(values):
        end = width = max(1.5, min(bar.value, limit) * scale)
        parts.append(lying_bar(i, bar.label, bar.value, width))
        if bar.low is not None and bar.high is not None:
            end = max(width, min(bar.high, limit) * scale)
            parts.append(line_between("spread", LABEL + bar.low * scale, i * ROW + 13, LABEL + end, i * ROW + 13))
        parts.append(number_at(i, end, f"{bar.value:,.{digits}f}"))
    return picture(title, parts, max(len(values), 1) * ROW + 6)


def lying_bar(row: int, label: str, value: float, width: float) -> str:
    """Return the bar of a row, and its label before it."""
    y = row * ROW + 4
    rect = f'<rect class="bar" x="{LABEL}" y="{y + 2}" width="{width:.1f}" height="14" rx="2">'
    return f"{text_at(LABEL - 8, y + 13, _shortened(label), 'end')}{rect}{_tip(label, value)}</rect>"


def number_at(row: int, end: float, number: str) -> str:
    """Return the number behind the end of a row's bar."""
    return text_at(LABEL + end + 6, row * ROW + 17, number, "start num")


def axes(right: float, top: float, x_label: str, y_label: str) -> list[str]:
    """Return two axes that begin at 0, with the values at their ends; what counts from 0 to 4 and more is whole."""
    ticks = [right * n / 4 for n in range(5)]
    if right >= 4 and right == round(right):
        ticks = [float(round(tick)) for tick in ticks]
    return [
        _grid(top, FLOOR),
        text_at(LEFT + 4, TOP - 2, y_label, "start"),
        *(text_at(across(x, right), FLOOR + 16, f"{x:.4g}", "mid") for x in ticks),
        text_at((LEFT + WIDTH) / 2, FLOOR + 36, x_label, "mid"),
    ]


def across(x: float, right: float) -> float:
    """Return where a value stands on an axis up to ``right``."""
    return LEFT + x * ((WIDTH - LEFT - 12) / right)


def curve(title: str, points: Sequence[tuple[float, float]], *, name: str, x_label: str, y_label: str) -> Drawing:
    """Return a line over two axes that begin at 0."""
    right = max((x for x, _ in points), default=0.0) or 1.0
    top = nice_top(max((y for _, y in points), default=0.0))
    path = " ".join(f"{across(x, right):.1f},{FLOOR - scaled(y, top, FLOOR):.1f}" for x, y in points)
    line = f'<polyline class="curve c0" points="{path}"/>'
    parts = [*axes(right, top, x_label, y_label), line, text_at(WIDTH - 14, TOP + 18, name, "end name c0")]
    return picture(title, parts, PLANE_HEIGHT)


def stacked(title: str, bars: Mapping[str, Mapping[str, int]]) -> tuple[Drawing, tuple[Slice, ...]]:
    """Return lying bars of equal length, divided by share, and the legend of their colours."""
    bars = _with_others(bars)
    totals = _totals(bars)
    order = sorted(totals, key=lambda name: (name == "none", -totals[name]))
    colours = {name: N_COLOURS - 1 if name == "none" else min(i, N_COLOURS - 2) for i, name in enumerate(order)}
    parts = []
    label_room = LABEL if len(bars) > 1 else 0
    for i, (label, values) in enumerate(bars.items()):
        x, y, total = float(label_room), i * ROW + 4, sum(values.values()) or 1
        if label_room:
            parts.append(text_at(LABEL - 8, y + 13, _shortened(label), "end"))
        for name in order:
            width = values.get(name, 0) / total * (WIDTH - label_room)
            if width:
                bar = f'<rect class="part c{colours[name]}" x="{x:.1f}" y="{y + 1}" width="{max(width - 1, 0.5):.1f}" '
                parts.append(f'{bar}height="16">{_tip(name, values[name])}</rect>')
                x += width
    legend = tuple(Slice(name=name, value=totals[name], colour=colours[name]) for name in order)
    return picture(title, parts, max(len(bars), 1) * ROW + 4), legend


def _totals(bars: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    totals: Counter[str] = Counter()
    for parts_of_bar in bars.values():
        totals.update(parts_of_bar)
    return totals


def _with_others(bars: Mapping[str, Mapping[str, int]]) -> Mapping[str, Mapping[str, int]]:
    """Put the smallest parts together where there are more than colours, so that each colour means one thing."""
    named = [name for name, _ in _totals(bars).most_common() if name != "none"]
    if len(named) < N_COLOURS:
        return bars
    few = {*named[: N_COLOURS - 2], "none"}
    merged = {}
    for label, parts_of_bar in bars.items():
        merged[label] = {name: value for name, value in parts_of_bar.items() if name in few}
        if rest := sum(parts_of_bar.values()) - sum(merged[label].values()):
            merged[label]["others"] = rest
    return merged


def strip(title: str, parts_of_page: Sequence[tuple[str, int]]) -> Drawing:
    """Return a page as one bar: a piece for each block, as wide as its text is long; the first item is its class."""
    total = sum(size for _, size in parts_of_page) or 1
    x, parts = 0.0, []
    for name, size in parts_of_page:
        width = size / total * WIDTH
        if width > 0:
            tip = _tip(name, size)
            parts.append(f'<rect class="{escape(name)}" x="{x:.1f}" y="0" width="{width:.2f}" height="18">{tip}</rect>')
            x += width
    return picture(title, parts, 18)


def _grid(top: float, floor: float = _HEIGHT - _BOTTOM) -> str:
    lines = []
    for part in (0, 0.5, 1):
        y = floor - scaled(part, 1, floor)
        lines.append(line_between("axis", LEFT, y, WIDTH, y))
        lines.append(text_at(LEFT - 6, y + 4, f"{top * part:g}", "end num"))
    return "".join(lines)


def nice_top(value: float) -> float:
    """The next 1, 2, 4 or 10 times a power of ten."""
    if value <= 1:
        return 1
    power = 10 ** int(log10(value))
    return float(next(step * power for step in (1, 2, 4, 6, 10) if step * power >= value))


def scaled(value: float, top: float, floor: float = _HEIGHT - _BOTTOM) -> float:
    return value / top * (floor - TOP)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}:{whole // 60 % 60:02} h"


def _shortened(label: str, limit: int = 26) -> str:
    width = 0
    for i, char in enumerate(label):
        width += 2 if ord(char) >= FIRST_WIDE else 1
        if width > limit:
            return label[:i] + "…"
    return label


def _tip(label: str, value: float) -> str:
    return f"<title>{escape(label)}: {value:,g}</title>"


def line_between(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def text_at(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def picture(title: str, parts: Sequence[str], height: float) -> Drawing:
    return Drawing(title=title, height=height, content="".join(parts))
