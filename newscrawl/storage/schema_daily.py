"""Tables of what happens every day: exports with their marks, scheduled harvests with their leases, robots.txt."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Table, Text

from newscrawl.storage.columns import UtcTime
from newscrawl.storage.schema import metadata

exports = Table(
    "exports",
    metadata,
    Column("name", Text, primary_key=True),
    Column("change_number", BigInteger, nullable=False),  # of articles: up to here everything was exported
    Column("exported_at", UtcTime, nullable=False),
    Column("n_articles", Integer, nullable=False),  # of the last export
)

harvests = Table(
    "harvests",
    metadata,
    Column("name", Text, primary_key=True),  # of the schedule
    Column("site", Text, nullable=False),  # never harvested twice at a time
    Column("holder", Text),
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("status", Text),
    Column("lease_until", UtcTime),  # NULL: nobody is at work
    Column("run_id", ForeignKey("runs.id")),
)

robots = Table(  # robots.txt of each host, asked for once a day
    "robots",
    metadata,
    Column("origin", Text, primary_key=True),
    Column("body", Text, nullable=False),  # empty: there is none
    Column("fetched_at", UtcTime, nullable=False),
)
