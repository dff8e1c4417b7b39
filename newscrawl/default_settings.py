"""Every ``NEWSCRAWL_*`` default, once. A project's ``settings.py`` and ``-s NAME=VALUE`` win over these."""

# --- extraction ------------------------------------------------------------------------------------------

#: Extractor that gives the article text; a name of ``newscrawl.extractors``.
NEWSCRAWL_EXTRACTOR = "rules"

# --- storage ---------------------------------------------------------------------------------------------

#: SQLAlchemy URL: ``sqlite:///file`` or ``postgresql+psycopg://user@host/name``. Empty: nothing is stored.
NEWSCRAWL_DATABASE = "sqlite:///newscrawl.sqlite"

# --- record and replay -----------------------------------------------------------------------------------

#: WARC files, separated by commas, that answer every request instead of the network. Empty: the network.
NEWSCRAWL_REPLAY = ""
#: WARC file to record the crawl to. Empty: not recorded.
NEWSCRAWL_WARC = ""

# --- network ---------------------------------------------------------------------------------------------

#: Networks, separated by commas, that may be fetched although they are not public, e.g. ``127.0.0.0/8``.
NEWSCRAWL_ALLOW_NETS = ""
