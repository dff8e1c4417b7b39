"""From bytes to a tree, and one pass of measures over it."""

from newscrawl.dom.document import Document, parse
from newscrawl.dom.measures import TEXT, Measures, measure
from newscrawl.dom.text import fold_space, visible_text

__all__ = ["TEXT", "Document", "Measures", "fold_space", "measure", "parse", "visible_text"]
