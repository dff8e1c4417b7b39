"""Every ``NEWSCRAWL_*`` setting with its default. A project's ``settings.py`` and ``-s NAME=VALUE`` win over these.

Switches are ``True`` or ``False``. Times are in seconds. Values that nobody would change are constants beside the code.
"""

# --- reading a page --------------------------------------------------------------------------------------

#: What labels the blocks: ``news`` (the network, by its lines), ``svm`` (the package's block model), ``rules``, or the
#: path of a model of ``scrapy train``.
NEWSCRAWL_CLASSIFIER = "news"
#: Method that gives the article's text; ``scrapy extract --method list`` names all.
NEWSCRAWL_EXTRACTOR = "news"
#: Text of a page that shows a teaser and holds the whole story in its data: ``data`` (the story) or ``shown`` (the
#: teaser).
NEWSCRAWL_FULL_TEXT = "data"
#: Formats of the text beside plain text, a list or separated by commas: ``markdown``, ``html``.
NEWSCRAWL_BODY_FORMATS = ""
#: Stores the readers' comments below an article, with author and time. They are never part of the text.
NEWSCRAWL_COMMENTS = False
#: Renders pages in a browser if they are empty until their scripts run and have no body in their data. Needs
#: requirements-js.txt and chromium, on the path or named by the environment's ``NEWSCRAWL_CHROMIUM``.
NEWSCRAWL_RENDER_SCRIPTS = False
#: Remembers what the articles of a host have in common, and leaves recurring lines out of the text. At the end of a
#: crawl, all texts of its database are settled by all pages that came.
NEWSCRAWL_SITE_MEMORY = True
#: Judges whether a page is an article by its site, too: the form of its address, its template, the lists that
#: announce it. Pages that came early are judged again at the end.
NEWSCRAWL_SITE_KINDS = True

# --- readers ---------------------------------------------------------------------------------------------

#: Most reader processes beside the crawl's own: ``auto`` (one less than there are cores, from 2 to 4; 1 on one
#: core) or a whole number from 0 on. Another one starts when pages wait. ``0``: the crawl's own process reads all
#: pages, as with ``CLOSESPIDER_PAGECOUNT`` 1; nothing then ends a page that hangs in C or eats memory.
NEWSCRAWL_READERS = "auto"
#: A page that takes longer to read is refused, and its reader is replaced. Seconds.
NEWSCRAWL_READ_SECONDS = 30
#: Memory that a reader may hold. A page that needs more is refused. MB.
NEWSCRAWL_READER_MEGABYTES = 1024

# --- articles of several pages ---------------------------------------------------------------------------

#: Joins the pages of an article into one.
NEWSCRAWL_JOIN_ENABLED = True
#: Most pages joined into one article, from 1 up. Further pages of it end as ``part``.
NEWSCRAWL_JOIN_MAX_PARTS = 50

# --- storage ---------------------------------------------------------------------------------------------

#: SQLAlchemy URL: ``sqlite:///file`` or ``postgresql+psycopg://user@host/name``. Empty: nothing is stored.
NEWSCRAWL_DATABASE = "sqlite:///newscrawl.sqlite"
#: Stores every block of every page, with its label.
NEWSCRAWL_STORE_BLOCKS = False
#: Links to store: ``rejected`` (those not followed, with the reason), ``all`` or ``none``.
NEWSCRAWL_STORE_LINKS = "rejected"
#: Kinds of pages to store: ``articles``, or ``articles,pages`` to store pages about the site, too (imprint, jobs,
#: teams), as articles whose ``pageType`` is ``other``.
NEWSCRAWL_KEEP = "articles"
#: Least letters in the text of a stored article. 0 stores flashes of one sentence and pictures with a caption, too.
NEWSCRAWL_MIN_BODY = 0
#: Confidence below which a stored article counts as unsure, in ``scrapy report`` and the stats. 0 to 1.
NEWSCRAWL_LOW_CONFIDENCE = 0.5

# --- frontier --------------------------------------------------------------------------------------------

#: Queue of requests: ``database`` (they survive whatever ends the process, and workers share them) or ``memory``
#: (Scrapy's own queues).
NEWSCRAWL_FRONTIER = "database"
#: Order of requests: ``fair`` (hosts take turns, the best request of each first) or ``strict`` (the best of all first).
NEWSCRAWL_FRONTIER_ORDER = "fair"
#: Name under which the requests are kept. Empty: the site's, with the channels asked for.
NEWSCRAWL_FRONTIER_CRAWL = ""
#: Silence, from 2 up, after which a worker counts as dead and its requests go to others.
NEWSCRAWL_LEASE_SECONDS = 60

# --- record and replay -----------------------------------------------------------------------------------

#: WARC or WACZ files, a list or separated by commas, that answer every request. Empty: the network answers.
NEWSCRAWL_REPLAY = ""
#: Folder to write a file of each article to while the crawl runs, ``site/2024/05/30/name.md``. Empty: none.
NEWSCRAWL_FILES = ""
#: Format of these files: ``md``, ``txt``, ``html`` or ``json``.
NEWSCRAWL_FILES_FORMAT = "md"
#: WARC file to record the crawl to. Empty: not recorded.
NEWSCRAWL_WARC = ""

# --- network ---------------------------------------------------------------------------------------------

#: Address or mail of whoever runs the crawl; ``USER_AGENT`` names it to the sites. Empty: it names nobody.
NEWSCRAWL_CONTACT = ""
#: Networks, a list or separated by commas, that may be fetched although they are not public, e.g. ``127.0.0.0/8``.
NEWSCRAWL_ALLOW_NETS = ""
#: Keeps the Crawl-delay of robots.txt as the least delay of the host.
NEWSCRAWL_CRAWL_DELAY_ENABLED = True
#: Longest Crawl-delay that is obeyed in full.
NEWSCRAWL_CRAWL_DELAY_MAX_SECONDS = 60
#: Leaves a host that answers 429 or 503 alone for as long as its Retry-After says.
NEWSCRAWL_RETRY_AFTER_ENABLED = True
#: Longest Retry-After that is obeyed in full.
NEWSCRAWL_RETRY_AFTER_MAX_SECONDS = 300
#: Ends a crawl in which no request has ended for this long. 0: never.
NEWSCRAWL_STALL_SECONDS = 600
#: Stops a crawl at once if ``TWISTED_DNS_RESOLVER`` is not the one that refuses private addresses.
NEWSCRAWL_WIRING_CHECK_ENABLED = True

# --- sites, discovery, links -----------------------------------------------------------------------------

#: Folder of the user's own sites, NAME.toml each. A relative one is below the folder of ``scrapy.cfg``.
NEWSCRAWL_SITES_DIR = "data/sites"
#: Most sitemaps read in one run, those of indexes included.
NEWSCRAWL_SITEMAP_FILES = 500
#: Most entries read of one sitemap.
NEWSCRAWL_SITEMAP_ENTRIES = 50_000
#: Most feeds read in one run.
NEWSCRAWL_FEEDS = 200
#: Most addresses asked for on one host in a run. 0: no limit.
NEWSCRAWL_HOST_BUDGET = 200_000
#: Most addresses asked for of one pattern (digits and slugs masked) that do not look like articles. 0: no limit.
NEWSCRAWL_PATTERN_BUDGET = 10_000
#: Asks each host for ``/.well-known/tdmrep.json`` and ``/ai.txt`` once a day, for the ``reservations`` of its articles.
NEWSCRAWL_RIGHTS_FILES = False
#: Obeys nofollow and noindex of ``<meta name="robots">`` and ``X-Robots-Tag``.
NEWSCRAWL_OBEY_META_ROBOTS = True
#: Leaves links with ``rel="nofollow"`` alone.
NEWSCRAWL_OBEY_REL_NOFOLLOW = True
#: Plans addresses instead of fetching pages. Set by ``-a dry_run=1``.
NEWSCRAWL_DRY_RUN = False

# --- what a crawl shows ----------------------------------------------------------------------------------

#: Shows the crawl while it runs and its result at the end, if the log level is above INFO: a live view on a terminal,
#: a line every half minute elsewhere. The project's own settings turn it on.
NEWSCRAWL_LIVE = False

# --- focused crawling ------------------------------------------------------------------------------------

#: Shows the harvest rate on a terminal while the crawl runs.
NEWSCRAWL_FOCUSED_PROGRESS = True
#: JSON file for the figures of a focused crawl, which ``scrapy report --focused FILE --html PAGE`` draws. Empty: none.
NEWSCRAWL_FOCUSED_REPORT = "focused.json"
#: JSON lines file with each judged page, in order. Empty: none.
NEWSCRAWL_FOCUSED_PAGES = ""

# --- every day: schedule and alerts ----------------------------------------------------------------------

#: TOML file of the harvests of ``scrapy tick``; ``data/schedule.toml`` is an example.
NEWSCRAWL_SCHEDULE = "schedule.toml"
#: Name of the harvest. Set by ``scrapy tick`` for the crawls it starts.
NEWSCRAWL_HARVEST = ""
#: http(s) address that gets a JSON by POST when a run fails or shrinks. Redirects are not followed.
NEWSCRAWL_ALERT_WEBHOOK = ""
#: Program, with arguments, that gets the same JSON on standard input. No shell.
NEWSCRAWL_ALERT_COMMAND = ""
#: Share of earlier runs' median below which a run counts as shrunken. A run that asks only for what is due counts as
#: shrunken if it brings nothing and earlier ones always brought something. 0: no run does.
NEWSCRAWL_ALERT_SHRUNKEN = 0.5
