"""What is written to the frontier: requests as text, each once in a pass, their priorities, and how leases end.

A request is JSON of what differs from a plain GET, callbacks by name. No pickle.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy import Request
from scrapy.utils.python import to_unicode
from scrapy.utils.request import request_from_dict
from sqlalchemy import bindparam, or_, select, update

from newscrawl.frontier.revisits import note_sources
from newscrawl.outcomes import Outcome
from newscrawl.signals import ARCHIVED, ENCODING, FETCHED_AT, VALIDATORS
from newscrawl.sites.revisit import SOURCES
from newscrawl.store.columns import State, among, insert_into, storable, stored_url
from newscrawl.store.engine import began, execute_many
from newscrawl.store.records import SideRecord
from newscrawl.store.schema import frontier, frontier_hosts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Self

    from scrapy import Spider
    from sqlalchemy import Connection, Row

    from newscrawl.store.records import PageRecord, RecordEnd


#: Keys that one download leaves for its own use; for the next one they are wrong.
_TRANSIENT = frozenset(
    {
        FETCHED_AT, ARCHIVED, ENCODING, VALIDATORS, "download_latency",
        "download_timeout_reached", "_auth_proxy", "_scheme_proxy", "is_start_request",
    }
)  # fmt: skip
#: Where a request's class may come from: text in the database must not name any other code.
_CLASSES = "scrapy.http."
_DEFAULTS: dict[str, Any] = {
    "callback": None, "errback": None, "method": "GET", "headers": {}, "body": b"", "cookies": {}, "meta": {},
    "encoding": "utf-8", "priority": 0, "dont_filter": False, "flags": [], "cb_kwargs": {},
}  # fmt: skip


_SCALARS = (str, int, float, bool, type(None))
#: Fields with columns of their own.
_COLUMNS = frozenset({"url", "priority"})


class NotSerialisableError(ValueError):
    """A request holds a value that JSON cannot express. It is kept in memory only."""


def request_to_text(request: Request, spider: Spider) -> str:
    """Return the request without its URL and priority, which have columns of their own.

    :raises NotSerialisableError: a callback that is no method of the spider, or values JSON does not know.
    """
    fields = {name: getattr(request, name) for name in request.attributes if name not in _COLUMNS}
    for name in ("callback", "errback"):
        fields[name] = _method_name(spider, fields[name])
    if type(request) is not Request:
        fields["_class"] = f"{type(request).__module__}.{type(request).__name__}"
        if not fields["_class"].startswith(_CLASSES):
            raise NotSerialisableError(f"{fields['_class']} is not a class of Scrapy's")
    fields["headers"] = dict(fields["headers"])
    fields["meta"] = {name: value for name, value in fields["meta"].items() if name not in _TRANSIENT}
    if "redirect_urls" in fields["meta"]:
        fields["meta"].pop("download_slot", None)  # Scrapy's slot of the host that was left
    kept = {name: value for name, value in fields.items() if value != _DEFAULTS.get(name, ...)}
    if "headers" in kept:
        kept["headers"] = {
            to_unicode(name, "latin-1"): [to_unicode(value, "latin-1") for value in values]
            for name, values in kept["headers"].items()
        }
    if "body" in kept:
        kept["body"] = base64.b64encode(kept["body"]).decode()
    _check(kept)
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode()  # no database takes half a surrogate pair as it is


def request_from_text(text: str, url: str, priority: int, spider: Spider) -> Request:
    """Return the request that was kept.

    :raises ValueError: the text is damaged, or names a callback the spider no longer has.
    """
    try:
        fields: dict[str, Any] = json.loads(text)
        if not str(fields.get("_class", _CLASSES)).startswith(_CLASSES):
            raise ValueError(f"not a class of Scrapy's: {fields['_class']!r}")
        if "body" in fields:
            fields["body"] = base64.b64decode(fields["body"])
        if "headers" in fields:
            headers = fields["headers"].items()
            fields["headers"] = {name: [value.encode("latin-1") for value in values] for name, values in headers}
        return request_from_dict({**fields, "url": url, "priority": priority}, spider=spider)
    except (AttributeError, TypeError) as error:
        raise ValueError(f"cannot be made a request: {error}") from error


def _method_name(spider: Spider, function: Any) -> str | None:
    """Return the name of the spider's method. Scrapy's ``to_dict`` searches all the spider's attributes each time."""
    if function is None or isinstance(function, str):
        return function
    name = getattr(function, "__name__", "")
    if getattr(function, "__self__", None) is not spider or getattr(type(spider), name, None) is not function.__func__:
        raise NotSerialisableError(f"{function} is no method of {spider}")
    return str(name)


def _check(value: object) -> None:
    """Refuse values that JSON would turn into others."""
    if isinstance(value, _SCALARS):
        return
    if type(value) is list:
        items: Any = value
    elif type(value) is dict and all(type(key) is str for key in value):
        items = value.values()
    else:
        raise NotSerialisableError(f"{type(value).__name__} {value!r:.60} is not JSON")
    for item in items:
        if not isinstance(item, _SCALARS):
            _check(item)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRecord(SideRecord):
    """A request to queue. ``write_all`` answers True where it is queued, False where its address is known already."""

    rank: ClassVar[int] = 1  # after what ends in the same batch

    crawl_id: int
    pass_number: int
    host: str
    fingerprint: bytes
    url: str
    priority: int
    request: str
    again: bool = False  # also if it was fetched in this pass (``dont_filter``)
    only_new: bool = False  # what an earlier pass fetched is known, but for hubs, feeds and sitemaps that are due
    parent: bytes | None = None  # fingerprint of the page, feed or sitemap that led to it

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[bool]:
        crawl_id = records[0].crawl_id  # a process works on one crawl
        hosts = mark_hosts(connection, crawl_id, {record.host for record in records})
        asked = list({record.fingerprint for record in records})
        found = connection.execute(_KNOWN, {"b_crawl": crawl_id, "b_fingerprints": asked})
        known = {bytes(row.fingerprint): row for row in found}
        moment = began(connection)
        new: dict[bytes, dict[str, Any]] = {}
        again: dict[bytes, dict[str, Any]] = {}
        answers = []
        for record in records:
            row = known.get(record.fingerprint)
            first = record.fingerprint not in new and record.fingerprint not in again
            if first and row is None:
                key = {"crawl_id": crawl_id, "fingerprint": record.fingerprint}
                new[record.fingerprint] = _row(record, hosts[record.host], moment) | key
            elif first and row is not None and _is_due(record, row, moment):
                again[record.fingerprint] = _row(record, hosts[record.host], moment) | {"b_id": row.id}
            else:
                first = False
            answers.append(first)
        execute_many(connection, _INSERT, list(new.values()))
        execute_many(connection, _QUEUE_AGAIN, list(again.values()))
        parents = [record.parent for record in records if record.parent and record.fingerprint in new]
        note_sources(connection, crawl_id, parents, moment)
        return answers


def mark_hosts(connection: Connection, crawl_id: int, names: Iterable[str]) -> dict[str, int]:
    """Note that the hosts have work; return host → id.

    The rows are locked before any request is written, until the transaction ends. Whoever gives a host back
    meanwhile (``leasing.release``) leaves it marked.
    """
    stored = {name: stored_url(name) for name in names}  # a redirect may lead to a host of any length
    hosts = sorted(stored.values())
    rows = [{"crawl_id": crawl_id, "host": name, "has_work": True} for name in hosts]
    execute_many(connection, _MARK_HOSTS, rows)
    found = connection.execute(_MARKED, {"b_crawl": crawl_id, "b_hosts": hosts})
    ids = {row.host: row.id for row in found}
    return {name: ids[host] for name, host in stored.items()}


# Statements are built once: that takes longer than to carry them out for the links of a few pages.


_WITH_WORK: Final = insert_into(frontier_hosts)
# A row that has the mark is locked all the same, but not written anew: each batch of a crawl marks its hosts.
_MARK_HOSTS: Final = _WITH_WORK.on_conflict_do_update(
    index_elements=["crawl_id", "host"],
    set_={"has_work": _WITH_WORK.excluded.has_work},
    where=frontier_hosts.c.has_work.is_(False),
)
_MARKED: Final = select(frontier_hosts.c.id, frontier_hosts.c.host).where(
    frontier_hosts.c.crawl_id == bindparam("b_crawl"), among(frontier_hosts.c.host, "b_hosts")
)
_STATES: Final = ("id", "fingerprint", "state", "pass_number", "next_fetch_at", "kind")
_KNOWN: Final = select(*(frontier.c[name] for name in _STATES)).where(
    frontier.c.crawl_id == bindparam("b_crawl"), among(frontier.c.fingerprint, "b_fingerprints")
)
_INSERT: Final = insert_into(frontier).on_conflict_do_nothing(index_elements=["crawl_id", "fingerprint"])
_QUEUED: Final = (
    "host_id", "url", "state", "reason", "priority", "pass_number", "request", "worker_id", "n_returned", "queued_at",
    "ended_at",
)  # fmt: skip
# rows that have ended, unless another worker has taken them up meanwhile
_QUEUE_AGAIN: Final = (
    update(frontier)
    .where(frontier.c.id == bindparam("b_id"), or_(frontier.c.state == State.DONE, frontier.c.state == State.FAILED))
    .values({name: bindparam(name) for name in _QUEUED})
)
_QUEUED_ONE: Final = (
    frontier.c.crawl_id == bindparam("b_crawl"),
    frontier.c.fingerprint == bindparam("b_fingerprint"),
    frontier.c.state == State.QUEUED,
)
_CHANGE: Final = update(frontier).where(*_QUEUED_ONE).values(priority=bindparam("b_priority"))


def _is_due(record: QueueRecord, row: Row[Any], moment: datetime) -> bool:
    """Tell whether an address that was fetched before is to be fetched again."""
    if row.state not in (State.DONE, State.FAILED):
        return False
    if record.again:
        return True
    if row.pass_number >= record.pass_number:
        return False
    if row.next_fetch_at is None:
        return True
    return row.next_fetch_at <= moment and (not record.only_new or row.kind in SOURCES or row.kind is None)


def _row(record: QueueRecord, host_id: int, moment: datetime) -> dict[str, Any]:
    return {
        "host_id": host_id,
        "url": storable(record.url),
        "state": State.QUEUED,
        "reason": None,
        "priority": record.priority,
        "pass_number": record.pass_number,
        "request": record.request,
        "worker_id": None,
        "n_returned": 0,
        "queued_at": moment,
        "ended_at": None,
    }


def change_priorities(connection: Connection, crawl_id: int, priorities: Mapping[bytes, int]) -> int:
    """Change the queued rows of these fingerprints; return how many there were."""
    rows = [{"b_crawl": crawl_id, "b_fingerprint": key, "b_priority": new} for key, new in priorities.items()]
    return connection.execute(_CHANGE, rows).rowcount if rows else 0


#: Endings after which asking again may help.
_MAY_COME_RIGHT: Final = frozenset({Outcome.FAILED, Outcome.HTTP_ERROR})


_ENDED: Final[dict[str, Any]] = {name: bindparam(name) for name in ("worker_id", "state", "reason", "ended_at")}
_END: Final = (
    update(frontier)
    .where(frontier.c.id == bindparam("b_id"), frontier.c.worker_id == bindparam("b_worker"))
    .values(_ENDED)
)
_END_ANYWHERE: Final = (
    update(frontier)
    .where(
        frontier.c.crawl_id == bindparam("b_crawl"),
        frontier.c.fingerprint == bindparam("b_fingerprint"),
        or_(frontier.c.state == State.QUEUED, frontier.c.state == State.LEASED),
    )
    .values(_ENDED)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestEnd(SideRecord):
    """The end of a request: of a row that a worker leases, or of an address, whoever leases it.

    It changes nothing once the row is another worker's: this worker was silent for too long. Nor does it where the
    address has ended, or the frontier does not know it. Without a reason of its own, it says what became of the page
    that it goes with.
    """

    row_id: int = 0
    worker_id: int | None = None
    key: tuple[int, bytes] | None = None
    """Crawl and fingerprint of an address, in place of a row: its page is stored with another one."""
    state: State = State.DONE
    reason: str | None = None

    def judged(self, record: PageRecord, verdict: RecordEnd) -> Self:
        if self.reason:
            return self
        state = State.FAILED if verdict.outcome in _MAY_COME_RIGHT else State.DONE
        said = ":".join(filter(None, (verdict.outcome, record.reason)))[:200]
        return replace(self, state=state, reason=said)

    @classmethod
    def write_all(cls, connection: Connection, records: Sequence[Self]) -> Sequence[None]:
        moment = began(connection)
        leased: dict[int, dict[str, Any]] = {}
        anywhere: dict[tuple[int, bytes], dict[str, Any]] = {}
        for one in reversed(records):  # the first of a row, which ends its lease
            ended = {"worker_id": None, "state": one.state, "reason": one.reason, "ended_at": moment}
            if one.key is None:
                leased[one.row_id] = ended | {"b_id": one.row_id, "b_worker": one.worker_id}
            else:
                anywhere[one.key] = ended | {"b_crawl": one.key[0], "b_fingerprint": one.key[1]}
        # what the end of a lease says of an address counts; each in one order: no deadlocks
        execute_many(connection, _END, [leased[row_id] for row_id in sorted(leased)])
        execute_many(connection, _END_ANYWHERE, [anywhere[key] for key in sorted(anywhere)])
        return [None] * len(records)
