"""Scrapy signals of the project: plain objects, so that nothing here needs Scrapy."""

url_outcome = object()
"""A URL ended without a page: ``url``, ``outcome``, ``reason``, ``status``, ``detail`` (see ``newscrawl.outcomes``)."""

link_rejected = object()
"""A link was not followed: ``url``, ``reason``, ``page_url``, ``anchor``, ``position``."""
