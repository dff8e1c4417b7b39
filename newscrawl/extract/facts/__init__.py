"""The facts of an article (headline, authors, source, dates, language …) and its further pages."""
