"""The facts of an article (headline, authors, source, dates, language …) and its further pages."""

from newscrawl.metadata.extract import extract_metadata
from newscrawl.metadata.model import Metadata

__all__ = ["Metadata", "extract_metadata"]
