"""Small pictures as SVG: no script, no style attribute, colours by class, every label escaped.

Colours come from the page's style sheet (classes ``bar``, ``area``, ``axis``, ``c0`` … ``c7``), so that a picture
follows the reader's light or dark scheme and passes a strict Content-Security-Policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING, Final

from markupsafe import escape

from newscrawl.dom.characters import FIRST_WIDE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH: Final = 640
_HEIGHT: Final = 190
_LEFT: Final = 40
_BOTTOM: Final = 24
_TOP: Final = 12
_ROW: Final = 25
_LABEL: Final = 186
_VALUE: Final = 64
_N_COLOURS: Final = 8
_X_LABELS: Final = 6
_CURVES_HEIGHT: Final = 300
_CURVES_BOTTOM: Final = 44


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    label: str
    points: tuple[tuple[float, float], ...]
    """x and y, none below 0."""
    dots: bool = False
    """Draw the points only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A vertical line with a word, e.g. where a text begins."""

    x: float
    label: str


def columns(title: str, values: Sequence[tuple[str, float]]) -> Drawing:
    """Return upright bars, one for each label, e.g. days."""
    top = _nice_top(max((value for _, value in values), default=0))
    step = (WIDTH - _LEFT) / max(len(values), 1)
    parts = [_grid(top)]
    every = max(1, ceil(len(values) / _X_LABELS))
    for i, (label, value) in enumerate(values):
        x, height = _LEFT + i * step, _scale(value, top)
        bar = f'<rect class="bar" x="{x + step * 0.12:.1f}" y="{_HEIGHT - _BOTTOM - height:.1f}" '
        parts.append(f'{bar}width="{step * 0.76:.1f}" height="{height:.1f}" rx="1.5">{_tip(label, value)}</rect>')
        if i % every == 0:
            parts.append(_text(x + step / 2, _HEIGHT - 7, label, "mid"))
    return _picture(title, parts, _HEIGHT)


def area(title: str, values: Sequence[float], *, seconds: float) -> Drawing:
    """Return a series over time as a filled line; a value each ``seconds``."""
    top = _nice_top(max(values, default=0))
    step = (WIDTH - _LEFT - 8) / max(len(values) - 1, 1)
    points = [(_LEFT + i * step, _HEIGHT - _BOTTOM - _scale(value, top)) for i, value in enumerate(values)]
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
        _text(_LEFT + i * step, _HEIGHT - 7, _clock(i * seconds), "mid" if i else "start")
        for i in range(0, len(values), every)
    ]
    return _picture(title, parts, _HEIGHT)


def rows(title: str, values: Mapping[str, int], *, limit: int = 14) -> Drawing:
    """Return lying bars with label and number; more than ``limit`` become one row "others"."""
    pairs = list(values.items())
    if len(pairs) > limit:
        rest = pairs[limit - 1 :]
        pairs = [*pairs[: limit - 1], (f"{len(rest)} others", sum(value for _, value in rest))]
    return bars(title, [Bar(label=label, value=value) for label, value in pairs], digits=0)


def bars(title: str, values: Sequence[Bar], *, top: float | None = None, digits: int = 3) -> Drawing:
    """Return lying bars with label and number.

    :param top: the value at the right end; the largest one when None.
    """
    limit = top or max((max(bar.value, bar.high or 0.0) for bar in values), default=0.0) or 1.0
    scale = (WIDTH - _LABEL - _VALUE) / limit
    parts = []
    for i, bar in enumerate(values):
        y, width = i * _ROW + 4, max(1.5, min(bar.value, limit) * scale)
        end = width
        parts.append(_text(_LABEL - 8, y + 13, _shortened(bar.label), "end"))
        rect = f'<rect class="bar" x="{_LABEL}" y="{y + 2}" width="{width:.1f}" height="14" rx="2">'
        parts.append(f"{rect}{_tip(bar.label, bar.value)}</rect>")
        if bar.low is not None and bar.high is not None:
            end = max(width, min(bar.high, limit) * scale)
            parts.append(_line("spread", _LABEL + bar.low * scale, y + 9, _LABEL + end, y + 9))
        parts.append(_text(_LABEL + end + 6, y + 13, f"{bar.value:,.{digits}f}", "start num"))
    return _picture(title, parts, max(len(values), 1) * _ROW + 6)


def chart(title: str, values: Sequence[Curve], *, x_label: str, y_label: str, marks: Sequence[Mark] = ()) -> Drawing:
    """Return lines or dots over two axes that begin at 0."""
    floor = _CURVES_HEIGHT - _CURVES_BOTTOM
    right = max([x for curve in values for x, _ in curve.points] + [mark.x for mark in marks], default=0.0) or 1.0
    top = _nice_top(max((y for curve in values for _, y in curve.points), default=0.0))
    across = (WIDTH - _LEFT - 12) / right
    parts = [_grid(top, floor), _text(_LEFT + 4, _TOP - 2, y_label, "start")]
    parts += [_text(_LEFT + right * n / 4 * across, floor + 16, f"{right * n / 4:.4g}", "mid") for n in range(5)]
    parts.append(_text((_LEFT + WIDTH) / 2, floor + 36, x_label, "mid"))
    for i, curve in enumerate(values):
        colour = f"c{i % _N_COLOURS}"
        points = [(_LEFT + x * across, floor - _scale(y, top, floor)) for x, y in curve.points]
        if curve.dots:
            parts += [f'<circle class="part {colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline class="curve {colour}" points="{path}"/>')
        parts.append(_text(WIDTH - 14, _TOP + 18 + i * 16, curve.label, f"end name {colour}"))
    for mark in marks:
        x = _LEFT + mark.x * across
        parts += [_line("mark", x, _TOP, x, floor), _text(x + 3, _TOP + 10, mark.label, "start")]
    return _picture(title, parts, _CURVES_HEIGHT)


def stacked(title: str, bars: Mapping[str, Mapping[str, int]]) -> tuple[Drawing, tuple[Slice, ...]]:
    """Return lying bars of equal length, divided by share, and the legend of their colours."""
    totals: dict[str, int] = {}
    for parts_of_bar in bars.values():
        for name, value in parts_of_bar.items():
            totals[name] = totals.get(name, 0) + value
    order = sorted(totals, key=lambda name: (name == "none", -totals[name]))
    colours = {name: _N_COLOURS - 1 if name == "none" else i % (_N_COLOURS - 1) for i, name in enumerate(order)}
    parts = []
    label_room = _LABEL if len(bars) > 1 else 0
    for i, (label, values) in enumerate(bars.items()):
        x, y, total = float(label_room), i * _ROW + 4, sum(values.values()) or 1
        if label_room:
            parts.append(_text(_LABEL - 8, y + 13, _shortened(label), "end"))
        for name in order:
            width = values.get(name, 0) / total * (WIDTH - label_room)
            if width:
                bar = f'<rect class="part c{colours[name]}" x="{x:.1f}" y="{y + 1}" width="{max(width - 1, 0.5):.1f}" '
                parts.append(f'{bar}height="16">{_tip(name, values[name])}</rect>')
                x += width
    legend = tuple(Slice(name=name, value=totals[name], colour=colours[name]) for name in order)
    return _picture(title, parts, max(len(bars), 1) * _ROW + 4), legend


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
    return _picture(title, parts, 18)


def _grid(top: float, floor: float = _HEIGHT - _BOTTOM) -> str:
    lines = []
    for part in (0, 0.5, 1):
        y = floor - _scale(part, 1, floor)
        lines.append(_line("axis", _LEFT, y, WIDTH, y))
        lines.append(_text(_LEFT - 6, y + 4, f"{top * part:g}", "end num"))
    return "".join(lines)


def _nice_top(value: float) -> float:
    """The next 1, 2, 4 or 10 times a power of ten."""
    if value <= 1:
        return 1
    power = 10 ** int(log10(value))
    return float(next(step * power for step in (1, 2, 4, 6, 10) if step * power >= value))


def _scale(value: float, top: float, floor: float = _HEIGHT - _BOTTOM) -> float:
    return value / top * (floor - _TOP)


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


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _picture(title: str, parts: Sequence[str], height: float) -> Drawing:
    return Drawing(title=title, height=height, content="".join(parts))
