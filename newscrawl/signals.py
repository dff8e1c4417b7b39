"""Scrapy signals of the project: plain objects, so that nothing here needs Scrapy."""

url_outcome = object()
"""A URL ended without a page: ``url``, ``outcome``, ``reason``, ``status``, ``detail`` (see ``newscrawl.outcomes``).

A part of an article also says ``joined_into``: the URL of the page with which it is stored.
"""

lease_lost = object()
"""A page that is under way, or waits for others, is another worker's by now: ``url``. Nothing may come of it here."""

links_rejected = object()
"""Links were not followed: ``refused`` (``newscrawl.links.model.RefusedLink``), ``page_url``."""

source_read = object()
"""A feed, sitemap or list was read: ``url``, ``door`` (``newscrawl.sites.coverage.DOORS``), and ``stories``: the
addresses it names, each with the day or time that it states, or None."""

page_judged = object()
"""A focused crawl judged a page: ``page``, ``fetched`` (FetchedPage), ``relevance`` (None: no article)."""
