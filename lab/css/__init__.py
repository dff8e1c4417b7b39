"""What a page's own CSS says of its boxes: cascade, layout in outline, and elements that style sheets hide."""

from lab.css.hidden import hidden_by_css
from lab.css.layout import RowBoxes, lay_out

__all__ = ["RowBoxes", "hidden_by_css", "lay_out"]
