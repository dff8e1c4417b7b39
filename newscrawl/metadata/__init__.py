"""The facts of an article (headline, authors, source, dates, language …) and its further pages."""

from newscrawl.metadata.extract import extract_metadata

__all__ = ["extract_metadata"]
