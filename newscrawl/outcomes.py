"""What became of a URL: one outcome for each URL asked for, one rejection for each URL that was not."""

from enum import StrEnum


class Outcome(StrEnum):
    """How a requested URL ended; written once for each in ``pages.outcome``."""

    STORED = "stored"
    NOT_ARTICLE = "not_article"
    DUPLICATE = "duplicate"
    PART = "part"  # a later page of a multi-page article, joined into the first one
    REDIRECTED = "redirected"
    ROBOTS = "robots"
    HTTP_ERROR = "http_error"
    REJECTED = "rejected"  # answered, but refused: not HTML, too large, noindex, outside the asked dates …
    FAILED = "failed"  # never answered, or broken beyond reading


class Rejection(StrEnum):
    """Why a link was not followed, or an answer not used; counted in stats and shown by ``scrapy explain``."""

    OFFSITE = "offsite"
    SCHEME = "scheme"
    BAD_URL = "bad_url"
    URL_TOO_LONG = "url_too_long"
    FILE_TYPE = "file_type"  # images, archives, video … by the URL's extension
    PATTERN = "pattern"  # the site's rules deny it, or it edits, replies, compares
    CHANNEL = "channel"  # outside the channels asked for
    BEFORE_SINCE = "before_since"
    AFTER_UNTIL = "after_until"
    LANGUAGE = "language"  # not one of those asked for
    NOFOLLOW = "nofollow"
    DUPLICATE = "duplicate"
    DEPTH = "depth"
    BUDGET = "budget"  # a host's or a URL pattern's allowance is used up
    TRAP = "trap"  # calendar, repeated path segments, parameter explosion
    LIMIT = "limit"
    ROBOTS = "robots"
    NOINDEX = "noindex"
    NOT_HTML = "not_html"
    TOO_LARGE = "too_large"
    EMPTY = "empty"
    SCRIPT_ONLY = "script_only"  # empty until its scripts run, and no body in its data
    TOO_SLOW = "too_slow"  # to read: longer than NEWSCRAWL_READ_SECONDS
    TOO_MUCH_MEMORY = "too_much_memory"  # to read
    READER_DIED = "reader_died"  # the process that read it
    BROKEN = "broken"  # data loss, broken compression
    REDIRECT_LOOP = "redirect_loop"
    BLOCKED = "blocked"  # a page that only tests whether a person reads it
    ADDRESS = "address"  # a private or local network address
