"""Small pictures as SVG: no script, no style attribute, colours by class, every label escaped.

Colours come from the page's style sheet (classes ``bar``, ``area``, ``axis``, ``c0`` … ``c7``), so that a picture
follows the reader's light or dark scheme and passes a strict Content-Security-Policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log10
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A part of a stacked bar, for its legend."""

    name: str
    value: int
    colour: int
    """Number of a colour class, 0..7."""


def columns(title: str, values: Sequence[tuple[str, float]]) -> Markup:
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


def area(title: str, values: Sequence[float], *, seconds: float) -> Markup:
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


def rows(title: str, values: Mapping[str, int], *, limit: int = 14) -> Markup:
    """Return lying bars with label and number; more than ``limit`` become one row "others"."""
    pairs = list(values.items())
    if len(pairs) > limit:
        rest = pairs[limit - 1 :]
        pairs = [*pairs[: limit - 1], (f"{len(rest)} others", sum(value for _, value in rest))]
    top = max((value for _, value in pairs), default=0) or 1
    room = WIDTH - _LABEL - _VALUE
    parts = []
    for i, (label, value) in enumerate(pairs):
        y, width = i * _ROW + 4, max(1.5, value / top * room)
        parts.append(_text(_LABEL - 8, y + 13, _shortened(label), "end"))
        bar = f'<rect class="bar" x="{_LABEL}" y="{y + 2}" width="{width:.1f}" height="14" rx="2">'
        parts.append(f"{bar}{_tip(label, value)}</rect>")
        parts.append(_text(_LABEL + width + 6, y + 13, f"{value:,}", "start num"))
    return _picture(title, parts, max(len(pairs), 1) * _ROW + 6)


def stacked(title: str, bars: Mapping[str, Mapping[str, int]]) -> tuple[Markup, tuple[Slice, ...]]:
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
                bar = f'<rect class="c{colours[name]}" x="{x:.1f}" y="{y + 1}" width="{max(width - 1, 0.5):.1f}" '
                parts.append(f'{bar}height="16">{_tip(name, values[name])}</rect>')
                x += width
    legend = tuple(Slice(name=name, value=totals[name], colour=colours[name]) for name in order)
    return _picture(title, parts, max(len(bars), 1) * _ROW + 4), legend


def strip(title: str, parts_of_page: Sequence[tuple[str, int]]) -> Markup:
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


def _grid(top: float) -> str:
    lines = []
    for part in (0, 0.5, 1):
        y = _HEIGHT - _BOTTOM - part * (_HEIGHT - _BOTTOM - _TOP)
        lines.append(f'<line class="axis" x1="{_LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(_text(_LEFT - 6, y + 4, f"{top * part:g}", "end num"))
    return "".join(lines)


def _nice_top(value: float) -> float:
    """The next 1, 2, 4 or 10 times a power of ten."""
    if value <= 1:
        return 1
    power = 10 ** int(log10(value))
    return float(next(step * power for step in (1, 2, 4, 6, 10) if step * power >= value))


def _scale(value: float, top: float) -> float:
    return value / top * (_HEIGHT - _BOTTOM - _TOP)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02}"
    return f"{whole // 3600}:{whole // 60 % 60:02} h"


def _shortened(label: str, limit: int = 26) -> str:
    width = 0
    for i, char in enumerate(label):
        width += 2 if ord(char) > 0x2E80 else 1
        if width > limit:
            return label[:i] + "…"
    return label


def _tip(label: str, value: float) -> str:
    return f"<title>{escape(label)}: {value:,g}</title>"


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _picture(title: str, parts: Sequence[str], height: float) -> Markup:
    name = escape(title)
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{name}">'
    return Markup(f"{head}{''.join(parts)}</svg>")  # noqa: S704 (labels escaped above)
