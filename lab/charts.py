"""Pictures of results: several curves over two axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.serve.reports.charts import (
    FLOOR,
    N_COLOURS,
    PLANE_HEIGHT,
    TOP,
    WIDTH,
    Drawing,
    across,
    axes,
    line_between,
    nice_top,
    picture,
    scaled,
    text_at,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def chart(title: str, values: Sequence[Curve], *, x_label: str, y_label: str, marks: Sequence[Mark] = ()) -> Drawing:
    """Return lines or dots over two axes that begin at 0."""
    right = max([x for curve in values for x, _ in curve.points] + [mark.x for mark in marks], default=0.0) or 1.0
    top = nice_top(max((y for curve in values for _, y in curve.points), default=0.0))
    parts = axes(right, top, x_label, y_label)
    for i, curve in enumerate(values):
        colour = f"c{i % N_COLOURS}"
        points = [(across(x, right), FLOOR - scaled(y, top, FLOOR)) for x, y in curve.points]
        if curve.dots:
            parts += [f'<circle class="part {colour}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline class="curve {colour}" points="{path}"/>')
        parts.append(text_at(WIDTH - 14, TOP + 18 + i * 16, curve.label, f"end name {colour}"))
    for mark in marks:
        x = across(mark.x, right)
        parts += [line_between("mark", x, TOP, x, FLOOR), text_at(x + 3, TOP + 10, mark.label, "start")]
    return picture(title, parts, PLANE_HEIGHT)
