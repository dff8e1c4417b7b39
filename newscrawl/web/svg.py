"""Small pictures as SVG text: no script, no font or file from outside, every label escaped."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS: Final = ("#2f6db3", "#d9742b", "#3f9b5a", "#b8433d", "#7d5fb2", "#8a6d4b", "#c75f9b", "#6b7280")
_WIDTH: Final = 720
_LABEL: Final = 190
_ROW: Final = 20
_HEIGHT: Final = 300
_MARGIN: Final = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    label: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    label: str
    points: tuple[tuple[float, float], ...]
    dots: bool = False
    """Draw the points only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A vertical line with a word, e.g. where a text begins."""

    x: float
    label: str


def bars(title: str, rows: Sequence[Bar], *, top: float | None = None, digits: int = 3) -> str:
    """Return horizontal bars; a thin line shows the interval.

    :param top: the value at the right end; the largest one when None.
    """
    limit = top or max((max(row.value, row.high or 0.0) for row in rows), default=0.0) or 1.0
    scale = (_WIDTH - _LABEL - 70) / limit
    parts = [_text(0, 14, title, bold=True)]
    for place, row in enumerate(rows):
        y = 24 + place * _ROW
        length = max(0.0, min(row.value, limit) * scale)
        parts.append(_text(_LABEL - 6, y + 13, row.label, anchor="end"))
        parts.append(f'<rect x="{_LABEL}" y="{y + 3}" width="{length:.1f}" height="13" fill="{COLOURS[0]}"/>')
        end = length
        if row.low is not None and row.high is not None:
            left, end = _LABEL + row.low * scale, min(row.high, limit) * scale
            parts.append(_line(left, y + 9.5, _LABEL + end, y + 9.5, "#111"))
        parts.append(_text(_LABEL + max(length, end) + 6, y + 13, f"{row.value:.{digits}f}"))
    return _picture(title, parts, 30 + len(rows) * _ROW)


def chart(title: str, curves: Sequence[Curve], *, x_label: str, y_label: str, marks: Sequence[Mark] = ()) -> str:
    """Return lines or dots over two axes that begin at 0 or at the smallest value below it."""
    xs = [x for curve in curves for x, _ in curve.points] + [mark.x for mark in marks]
    ys = [y for curve in curves for _, y in curve.points]
    x_axis, y_axis = _Axis.over(xs, _MARGIN, _WIDTH - 12), _Axis.over(ys, _HEIGHT - _MARGIN, 30)
    parts = [_text(0, 14, title, bold=True), *_frame(x_axis, y_axis, x_label, y_label)]
    for place, curve in enumerate(curves):
        colour = COLOURS[place % len(COLOURS)]
        points = [(x_axis.at(x), y_axis.at(y)) for x, y in curve.points]
        if curve.dots:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(_text(_WIDTH - 14, 44 + place * 15, curve.label, anchor="end", colour=colour))
    for mark in marks:
        x = x_axis.at(mark.x)
        parts.append(_line(x, 30, x, _HEIGHT - _MARGIN, "#b8433d", dashed=True))
        parts.append(_text(x + 3, 40, mark.label, colour="#b8433d"))
    return _picture(title, parts, _HEIGHT)


@dataclass(frozen=True, slots=True)
class _Axis:
    first: float
    last: float
    begin: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], begin: float, end: float) -> _Axis:
        first, last = min([0.0, *values]), max([0.0, *values])
        return cls(first, last if last > first else first + 1.0, begin, end)

    def at(self, value: float) -> float:
        return self.begin + (value - self.first) / (self.last - self.first) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        return [self.first + (self.last - self.first) * part / 4 for part in range(5)]


def _frame(x_axis: _Axis, y_axis: _Axis, x_label: str, y_label: str) -> list[str]:
    bottom, left = y_axis.begin, x_axis.begin
    parts = [_line(left, bottom, x_axis.end, bottom, "#555"), _line(left, bottom, left, y_axis.end, "#555")]
    parts += [_text(x_axis.at(tick), bottom + 14, f"{tick:.4g}", anchor="middle") for tick in x_axis.ticks()]
    parts += [_text(left - 5, y_axis.at(tick) + 4, f"{tick:.4g}", anchor="end") for tick in y_axis.ticks()]
    parts.append(_text((left + x_axis.end) / 2, bottom + 32, x_label, anchor="middle"))
    parts.append(_text(left + 4, 26, y_label))
    return parts


def _picture(title: str, parts: Sequence[str], height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escape(title, quote=True)}" font-family="sans-serif" font-size="12">'
        f"{''.join(parts)}</svg>\n"
    )


def _text(x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False, colour: str = "#222") -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dash}/>'
