"""Where a harvest is kept: SQLite or PostgreSQL, by SQLAlchemy Core."""

from newscrawl.store.records import LinkRecord, PageRecord, RecordEnd
from newscrawl.store.storage import Storage

__all__ = ["LinkRecord", "PageRecord", "RecordEnd", "Storage"]
