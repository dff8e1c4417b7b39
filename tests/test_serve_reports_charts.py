from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from lab.charts import Curve, Mark, chart
from lab.pictures import as_file
from newscrawl.serve.reports.charts import Bar, Drawing, area, axes, bars, columns, curve, rows, stacked, strip

HOSTILE = '"><script>alert(1)</script>'
PICTURES = {
    "columns": lambda label, value: columns(label, [(label, value)]),
    "area": lambda label, value: area(label, [value, 0], seconds=5),
    "rows": lambda label, value: rows(label, {label: value}),
    "stacked": lambda label, value: stacked(label, {label: {label: value}, "b": {}})[0],
    "strip": lambda label, value: strip(label, [(label, value)]),
    "bars": lambda label, value: bars(label, [Bar(label=label, value=value, low=value, high=value)]),
    "curves": lambda label, value: chart(
        label,
        [Curve(label=label, points=((value, 1), (2, value)))],
        x_label=label,
        y_label=label,
        marks=[Mark(x=value, label=label)],
    ),
    "curve": lambda label, value: curve(label, ((value, 1), (2, value)), name=label, x_label=label, y_label=label),
}


@pytest.mark.parametrize("name", PICTURES)
@given(label=st.text(max_size=30).map(lambda text: HOSTILE + text), value=st.integers(0, 10**9))
def test_pictures_are_well_formed_whatever_the_labels(name: str, label: str, value: int) -> None:
    label = "".join(char for char in label if char.isprintable())
    picture = PICTURES[name](label, value).__html__()
    root = etree.fromstring(picture)
    assert "<script" not in picture + as_file(PICTURES[name](label, value))
    assert not root.xpath("//@style | //*[starts-with(name(), 'on')]")


@pytest.mark.parametrize(
    "picture",
    [columns("", []), area("", [], seconds=1), rows("", {}), strip("", []), chart("", [], x_label="", y_label="")],
)
def test_nothing_is_an_empty_picture(picture: Drawing) -> None:
    assert etree.fromstring(picture.__html__()).xpath("//*[local-name()='rect']") == []


def test_bars_are_as_long_as_their_numbers() -> None:
    root = etree.fromstring(rows("", {"a": 100, "b": 50, "c": 25}).__html__())
    widths = [float(rect.get("width", "0")) for rect in root.iter("{*}rect")]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.2) == pytest.approx(4 * widths[2], abs=0.4)


def test_many_rows_become_others() -> None:
    picture = rows("", {f"r{i}": 1 for i in range(30)}, limit=5).__html__()
    assert "26 others" in picture


def test_a_stacked_bar_is_full_and_missing_comes_last() -> None:
    picture, legend = stacked("", {"x": {"none": 5, "a": 3, "b": 2}})
    rects = [
        (float(r.get("x", "")), float(r.get("width", ""))) for r in etree.fromstring(picture.__html__()).iter("{*}rect")
    ]
    assert all(x + width < following for (x, width), (following, _) in pairwise(rects))
    assert [part.name for part in legend] == ["a", "b", "none"]


@pytest.mark.parametrize("values", [(), (0.0,), (1.0, 2.0)])
def test_a_file_has_its_title_and_its_colours(values: tuple[float, ...]) -> None:
    curve = Curve(label="a", points=tuple((value, value) for value in values))
    root = etree.fromstring(as_file(chart("the title", [curve], x_label="x", y_label="y")))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.xpath("string(//*[@class='title'])") == "the title"
    assert ".c0{color:" in str(root.xpath("string(//*[local-name()='style'])"))


@pytest.mark.parametrize("n", [1, 6, 7, 8, 12, 30])
def test_each_colour_of_a_legend_means_one_thing(n: int) -> None:
    parts = {f"origin {i}": i + 1 for i in range(n)} | {"none": 3}
    drawing, legend = stacked("origins", {"a": parts, "b": {"origin 0": 5}})
    assert len({entry.colour for entry in legend}) == len(legend) == min(n, 7) + 1
    assert sum(entry.value for entry in legend) == sum(parts.values()) + 5
    assert ("others" in [entry.name for entry in legend]) == (n > 7)
    assert "origin 0" in str(drawing.content) or n > 7


@pytest.mark.parametrize(
    ("right", "ticks"),
    [(63, "0 16 32 47 63"), (100, "0 25 50 75 100"), (2, "0 0.5 1 1.5 2"), (0.5, "0 0.125 0.25 0.375 0.5")],
)
def test_what_is_counted_has_whole_ticks(right: float, ticks: str) -> None:
    drawn = axes(right, 1, "pages", "share")
    assert [etree.fromstring(part).text for part in drawn[2:7]] == ticks.split()
