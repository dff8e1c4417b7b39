"""Drawings as files of their own, with the style sheet that a report's page has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import escape

from newscrawl.serve.reports.charts import WIDTH

if TYPE_CHECKING:
    from newscrawl.serve.reports.charts import Drawing

_COLOURS: Final = ("#2f6db3", "#d9742b", "#3f9b5a", "#b8433d", "#7d5fb2", "#8a6d4b", "#c75f9b", "#6b7280")
_STYLE: Final = (
    "text{font:13px sans-serif;fill:#444}.title{font-weight:bold}.mid{text-anchor:middle}.end{text-anchor:end}"
    ".axis{stroke:#ccc}.bar{fill:#2f6db3}.spread{stroke:#111}.mark{stroke:#b8433d;stroke-dasharray:4 3}"
    ".curve{fill:none;stroke:currentColor;stroke-width:1.6}.part,.name{fill:currentColor}"
    + "".join(f".c{number}{{color:{colour}}}" for number, colour in enumerate(_COLOURS))
)


def as_file(drawing: Drawing) -> str:
    """Return the text of an SVG file: the drawing under its title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 {WIDTH} {drawing.height + 24:.0f}" role="img">'
        f'<style>{_STYLE}</style><text class="title" x="0" y="-9">{escape(drawing.title)}</text>'
        f"{drawing.content}</svg>\n"
    )
