"""Where a harvest is kept: SQLite or PostgreSQL, by SQLAlchemy Core."""

from newscrawl.storage.records import LinkRecord, PageRecord, Verdict
from newscrawl.storage.storage import Storage

__all__ = ["LinkRecord", "PageRecord", "Storage", "Verdict"]
