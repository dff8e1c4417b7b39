"""Full-text search: the terms of a text, queries, ranking and snippets. Knows no database."""
