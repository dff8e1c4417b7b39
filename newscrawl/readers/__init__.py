"""The processes in which a crawl's pages are read."""
