"""Scrapy settings of the project. Safe and polite first: what is loosened, is loosened by the user."""

from importlib.util import find_spec

BOT_NAME = "newscrawl"
SPIDER_MODULES = ["newscrawl.spiders"]
SPIDER_LOADER_CLASS = "newscrawl.spiders.loader.SiteSpiderLoader"
NEWSPIDER_MODULE = "newscrawl.spiders"
COMMANDS_MODULE = "newscrawl.commands.named"
ADDONS = {"newscrawl.addon.NewscrawlAddon": 500}

# Of requirements-fast.txt: a crawl takes less of the processor. An add-on is asked too late to choose it.
if find_spec("uvloop"):
    ASYNCIO_EVENT_LOOP = "newscrawl.net.loop.Loop"

USER_AGENT = "newscrawl/0.1"  # and NEWSCRAWL_CONTACT, where it is set
ROBOTSTXT_USER_AGENT = "newscrawl"
ROBOTSTXT_OBEY = True

# One request at a time and a second between two, for each host; AutoThrottle slows down further.
DOWNLOAD_DELAY = 1
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 1
# So many tasks wait for items at each answer, and a page is one item: Scrapy's 100 took as long as parsing the page.
CONCURRENT_ITEMS = 1
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1  # Scrapy's 5 s held for the first pages of each host, whatever it answered
COOKIES_ENABLED = False
URLLENGTH_LIMIT = 1024
DEPTH_PRIORITY = 0

# A page of 16 MiB is not news; the limit also holds while decompressing.
DOWNLOAD_MAXSIZE = 16 * 2**20
DOWNLOAD_WARNSIZE = 4 * 2**20
DOWNLOAD_TIMEOUT = 30
# News servers' certificates are often out of order, and a harvest reads only public pages. Set it to True
# where the stored text is to be evidence.
DOWNLOAD_VERIFY_CERTIFICATES = False

# Names that lead into private networks are refused; only here, not in an add-on, does Scrapy read it.
TWISTED_DNS_RESOLVER = "newscrawl.net.resolver.SafeResolver"
# Only http and https: a redirect must not read files of this machine.
DOWNLOAD_HANDLERS = {"file": None, "data": None, "ftp": None, "s3": None}
# Both execute Python from outside.
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

SCHEDULER_DISK_QUEUE = "scrapy.squeues.PickleLifoSQLiteQueue"
SCHEDULER_START_DISK_QUEUE = "scrapy.squeues.PickleFifoSQLiteQueue"

MEMUSAGE_LIMIT_MB = 2048
FEED_EXPORT_ENCODING = "utf-8"
# A crawl shows what it does; `--verbose` has Scrapy's log instead.
LOG_LEVEL = "WARNING"
NEWSCRAWL_LIVE = True

DEFAULT_DROPITEM_LOG_LEVEL = "DEBUG"
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # what became of an address is said once a host, and counted
