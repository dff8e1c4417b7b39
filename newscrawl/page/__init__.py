"""From bytes to a tree, and one pass of measures over it."""

from newscrawl.languages.text import fold_space, visible_text
from newscrawl.page.document import Document, parse
from newscrawl.page.measures import TEXT, Measures, measure

__all__ = ["TEXT", "Document", "Measures", "fold_space", "measure", "parse", "visible_text"]
