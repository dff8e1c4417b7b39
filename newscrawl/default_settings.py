"""Every ``NEWSCRAWL_*`` default, once. A project's ``settings.py`` and ``-s NAME=VALUE`` win over these."""

# --- extraction ------------------------------------------------------------------------------------------

#: Divide pages into blocks, and label them. Off: links have no position in the page.
NEWSCRAWL_SEGMENT_ENABLED = True
NEWSCRAWL_CLASSIFY_ENABLED = True
#: What labels the blocks: ``news`` (by the lines that the network takes for text), ``svm`` (the package's block model),
#: ``rules``, or a model file of ``scrapy train``.
NEWSCRAWL_CLASSIFIER = "news"
#: Extractor that gives the article text; a name of ``newscrawl.extractors``.
NEWSCRAWL_EXTRACTOR = "news"
#: What articles have beside plain text, separated by commas: ``markdown``, ``html`` (clean, safe to show).
NEWSCRAWL_BODY_FORMATS = ""
#: Whether pages that are empty until their scripts run, and carry no body in their data, are asked of a browser.
#: Needs requirements-js.txt and chromium (on the path, or its path in the environment's ``NEWSCRAWL_CHROMIUM``).
NEWSCRAWL_RENDER_SCRIPTS = False

#: Remember what the articles of a host have in common: lines that recur are left out, doubtful ones go by their place.
NEWSCRAWL_SITE_MEMORY = True
#: What was seen is added to the database's memory each time so many articles were, for hosts of which a tenth is new.
#: 0: at the end only.
NEWSCRAWL_SITE_MEMORY_SAVE_EVERY = 50

# --- multi-page articles ---------------------------------------------------------------------------------

#: Join the pages of an article into one.
NEWSCRAWL_JOIN_ENABLED = True
#: Pages joined into one article; what comes after them is an article of its own.
NEWSCRAWL_JOIN_MAX_PARTS = 50
#: An article goes on without a part that has not come after this time. Seconds.
NEWSCRAWL_JOIN_SECONDS = 1800

# --- storage ---------------------------------------------------------------------------------------------

#: SQLAlchemy URL: ``sqlite:///file`` or ``postgresql+psycopg://user@host/name``. Empty: nothing is stored.
NEWSCRAWL_DATABASE = "sqlite:///newscrawl.sqlite"
#: So many records make a transaction …
NEWSCRAWL_STORE_BATCH = 200
#: … or those of this time. Seconds.
NEWSCRAWL_STORE_SECONDS = 0.2
#: Whether every block of every page is stored, with its label.
NEWSCRAWL_STORE_BLOCKS = False
#: Links to store: ``rejected`` (those not followed, with the reason), ``all`` or ``none``.
NEWSCRAWL_STORE_LINKS = "rejected"

# --- frontier --------------------------------------------------------------------------------------------

#: Where requests wait: ``database`` (survives whatever ends the process, shared by workers) or Scrapy's own ``memory``.
NEWSCRAWL_FRONTIER = "database"
#: ``fair``: hosts take turns, the best request of each first. ``strict``: the best request of all first.
NEWSCRAWL_FRONTIER_ORDER = "fair"
#: Name under which the requests are kept. Empty: the site's, with the channels asked for.
NEWSCRAWL_FRONTIER_CRAWL = ""
#: A worker not heard of for this time is taken for dead, and what it leased is asked for again. Seconds.
NEWSCRAWL_LEASE_SECONDS = 60
#: Requests leased at once in fair order.
NEWSCRAWL_LEASE_BATCH = 100

# --- the process -----------------------------------------------------------------------------------------

#: While a crawl runs, Python looks for reference cycles after so many new objects. 0: Python's own thresholds.
NEWSCRAWL_GC_THRESHOLD = 10_000
#: Whether a crawl keeps to one core, if one is free that no other crawl keeps to: its threads hinder each other less.
#: Linux; not with a browser. Where other programs keep that core busy, all cores are used again.
NEWSCRAWL_OWN_CORE = True

# --- record and replay -----------------------------------------------------------------------------------

#: WARC files, separated by commas, that answer every request instead of the network. Empty: the network.
NEWSCRAWL_REPLAY = ""
#: WARC file to record the crawl to. Empty: not recorded.
NEWSCRAWL_WARC = ""

# --- network ---------------------------------------------------------------------------------------------

#: Networks, separated by commas, that may be fetched although they are not public, e.g. ``127.0.0.0/8``.
NEWSCRAWL_ALLOW_NETS = ""
#: Whether a Crawl-delay of robots.txt is kept as the least delay of the host.
NEWSCRAWL_CRAWL_DELAY_ENABLED = True
#: A longer Crawl-delay is cut to this. Seconds.
NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS = 60
#: Whether a host that answers 429 or 503 is left alone for as long as its Retry-After says.
NEWSCRAWL_RETRY_AFTER_ENABLED = True
#: A longer Retry-After is cut to this. Seconds.
NEWSCRAWL_RETRY_AFTER_MAX_SECONDS = 300
#: The wait after a 429 that does not say how long. Seconds.
NEWSCRAWL_RETRY_AFTER_DEFAULT_SECONDS = 5
#: A crawl in which no request comes to an end for this time is ended. Seconds; 0: never.
NEWSCRAWL_STALL_SECONDS = 600
#: Whether a crawl stops at once if ``TWISTED_DNS_RESOLVER`` is not the one that refuses private addresses.
NEWSCRAWL_WIRING_CHECK_ENABLED = True

# --- sites, discovery, links -----------------------------------------------------------------------------

#: Folder of the user's own sites, NAME.toml each; a relative one is below the folder of ``scrapy.cfg``.
NEWSCRAWL_SITES_DIR = "data/sites"
#: Sitemaps read in one run, those of indexes included.
NEWSCRAWL_SITEMAP_FILES = 500
#: Entries read of one sitemap.
NEWSCRAWL_SITEMAP_ENTRIES = 50_000
#: Feeds read in one run.
NEWSCRAWL_FEEDS = 200
#: Addresses asked for on one host. 0: no limit.
NEWSCRAWL_HOST_BUDGET = 0
#: Addresses of one pattern (digits and slugs masked) that do not look like articles. 0: no limit.
NEWSCRAWL_PATTERN_BUDGET = 10_000
#: Whether ``<meta name="robots">`` and ``X-Robots-Tag`` are obeyed: nofollow and noindex.
NEWSCRAWL_OBEY_META_ROBOTS = True
#: Whether links with ``rel="nofollow"`` are left alone.
NEWSCRAWL_OBEY_REL_NOFOLLOW = True
#: Whether the items of a run are planned addresses instead of pages; set by ``-a dry_run=1``.
NEWSCRAWL_DRY_RUN = False

# --- focused crawling ------------------------------------------------------------------------------------

#: A line with the harvest rate is logged each time so many pages were judged. 0: none.
NEWSCRAWL_FOCUSED_LOG_EVERY = 50
#: What was learnt is written to the database each time so many pages were judged. 0: at the end only.
NEWSCRAWL_FOCUSED_SAVE_EVERY = 20
#: Whether a terminal shows the harvest rate while the crawl runs.
NEWSCRAWL_FOCUSED_PROGRESS = True
#: HTML file that the report of a focused crawl is written to, with its figures as JSON beside it; missing folders
#: are made. Empty: none.
NEWSCRAWL_FOCUSED_REPORT = "focused.html"
#: File that gets a JSON line for each judged page, in order. Empty: none.
NEWSCRAWL_FOCUSED_PAGES = ""

#: How long a robots.txt is remembered before its host is asked again. Seconds; 0: each run asks.
NEWSCRAWL_ROBOTS_SECONDS = 86_400

# --- every day: schedule, report, alerts -----------------------------------------------------------------

#: The harvests of ``scrapy tick``: a TOML file (``data/schedule.toml`` is an example).
NEWSCRAWL_SCHEDULE = "schedule.toml"
#: Given by ``scrapy tick`` to the crawls it starts; not to be set by hand.
NEWSCRAWL_HARVEST = ""
NEWSCRAWL_HARVEST_HOLDER = ""
#: Stored articles whose extraction is less sure than this are counted as such. 0..1.
NEWSCRAWL_LOW_CONFIDENCE = 0.5
#: Where a failed or shrunken run is told: an http(s) address that gets JSON by POST. Redirects are not followed.
NEWSCRAWL_ALERT_WEBHOOK = ""
#: … and a program with arguments that gets the same JSON on standard input. No shell.
NEWSCRAWL_ALERT_COMMAND = ""
#: Time either may take. Seconds.
NEWSCRAWL_ALERT_SECONDS = 10
#: A run that brings less than this share of the median of earlier ones is told, too; one that asks only for what is
#: due, if nothing is new where something always was. 0: never.
NEWSCRAWL_ALERT_SHRUNKEN = 0.5
