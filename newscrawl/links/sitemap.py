"""Sitemaps: what a site says it has. Streaming, bounded, and lenient with broken files.

Sitemaps protocol 0.9 and Google's news extension.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from lxml import etree

from newscrawl.links.model import ListedEntry
from newscrawl.page.charset import decide_encoding, decode
from newscrawl.page.packed import GZIP_ERRORS, GZIP_MAGIC, gunzip
from newscrawl.urls.canonical import canonicalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Entries of one file; the protocol's own limit.
MAX_ENTRIES = 50_000
#: Sitemaps that one index names; the protocol's own limit is 50,000, and no run reads so many.
MAX_SITEMAPS = 2_000
#: Sitemap indexes within sitemap indexes.
MAX_DEPTH = 3
#: Bytes of one file after decompression; the protocol's own limit.
MAX_BYTES = 50 * 2**20
#: Characters of a value worth keeping; of an address more than any that is asked for, so that it counts as too long.
_MAX_TEXT = 1_000
_MAX_ADDRESS = 8_000
#: Parents of an entry. Broken generators leave the root element out: then the first entry has no parent.
_PARENTS = frozenset({"urlset", "sitemapindex", ""})
#: Many generators write a bare ampersand between parameters. Entities that the file defines become one, too.
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)")
#: A tag that another begins in, and how many of them are left in: libxml2 needs quadratic time for them.
_NEVER_ENDED = re.compile(rb"<[^<>]*+(?=<)")
_MAX_NEVER_ENDED = 100
#: Bytes between two tags; libxml2 reads nothing behind 10 MB of text, or behind a name of 50 KB. Of longer ones the
#: two ends are kept. Comments and CDATA sections may be of any length.
_LONG = 16_384
_LONG_RUN = re.compile(rb"(?<=<)[^<!?][^<]{%d,}+" % _LONG)
#: Bytes of a robots.txt worth reading.
_MAX_ROBOTS = 2**20
#: It matches white space within a line only: a file of empty lines would cost quadratic time.
_ROBOTS_LINE = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


def sitemaps_of_robots(body: bytes) -> list[str]:
    """Return the sitemaps that a robots.txt names, as written; relative ones are not allowed but seen.

    >>> sitemaps_of_robots(b"Sitemap: https://example.org/news.xml")
    ['https://example.org/news.xml']
    """
    text, _ = decode(body[:_MAX_ROBOTS].replace(b"\r", b"\n"))  # lines may end as those of old Macs
    return _ROBOTS_LINE.findall(text.removeprefix("\ufeff"))


def parse_sitemap(
    body: bytes, url: str, *, max_entries: int = MAX_ENTRIES, max_bytes: int = MAX_BYTES
) -> Iterator[ListedEntry]:
    """Yield the entries of a sitemap, a sitemap index or a text sitemap, gzipped or not; never raises.

    What is not a sitemap yields nothing; a broken one yields what stands before the break. Non-http
    addresses are left out. The charset is judged as that of pages is, whatever the file declares.
    """
    data = body[:max_bytes]
    if body.startswith(GZIP_MAGIC):
        try:  # a truncated stream gives what can be read
            data = gunzip(body, max_bytes)[0][:max_bytes]
        except GZIP_ERRORS:
            data = b""
    decision = decide_encoding(data)
    if not decision.is_exact:
        data = data.decode(decision.encoding, "replace").encode("utf-8", "replace")
    data = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if data[:1] == b"<":
        if next(islice(_NEVER_ENDED.finditer(data), _MAX_NEVER_ENDED, None), None) is not None:
            data = _NEVER_ENDED.sub(b"", data)
        entries = _xml_entries(_BARE_AMPERSAND.sub(b"&amp;", _LONG_RUN.sub(_ends, data)), url)
    else:
        entries = _text_entries(data, url)
    n_sitemaps = 0
    for count, entry in enumerate(entries):
        n_sitemaps += entry.is_sitemap
        if count >= max_entries or n_sitemaps > MAX_SITEMAPS:
            return
        yield entry


def _ends(run: re.Match[bytes]) -> bytes:
    ends = run[0][: _LONG // 2], run[0][-_LONG // 2 :]
    return b"".join(end.decode("utf-8", "ignore").encode() for end in ends)  # no half characters


def _text_entries(data: bytes, url: str) -> Iterator[ListedEntry]:
    for line in data.decode("utf-8", "replace").splitlines():
        if line.strip().startswith(("http://", "https://")) and (loc := canonicalize(line, url)):
            yield ListedEntry(url=loc)


def _xml_entries(data: bytes, url: str) -> Iterator[ListedEntry]:
    """Walk ``url`` and ``sitemap`` elements, and free each when it is read."""
    events = etree.iterparse(
        io.BytesIO(data),
        events=("end",),
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )
    try:
        for _, element in events:
            name = _local_name(element)
            if name in {"url", "sitemap"} and _local_name(element.getparent()) in _PARENTS:
                entry = _entry(element, url, is_sitemap=name == "sitemap")
                element.clear()
                parent = element.getparent()
                while parent is not None and (before := element.getprevious()) is not None:
                    parent.remove(before)
                if entry is not None:
                    yield entry
    except (etree.XMLSyntaxError, etree.ParserError):
        return


def _local_name(element: etree._Element | None) -> str:
    return element.tag.rpartition("}")[2].lower() if element is not None and isinstance(element.tag, str) else ""


def _entry(element: etree._Element, base: str, *, is_sitemap: bool) -> ListedEntry | None:
    values: dict[str, str] = {}
    for node in element.iter(etree.Element):
        name = _local_name(node)
        parent = _local_name(node.getparent())
        text = "" if len(node) else (node.text or "").strip()
        if text:  # image:loc, video:title and the like are told apart by their parent
            values.setdefault(f"{parent}.{name}", text[: _MAX_ADDRESS if name == "loc" else _MAX_TEXT])
    loc = canonicalize(values.get("sitemap.loc" if is_sitemap else "url.loc", "about:blank"), base)
    if loc is None:
        return None
    return ListedEntry(
        url=loc,
        is_sitemap=is_sitemap,
        changed=parse_date(values.get("sitemap.lastmod" if is_sitemap else "url.lastmod")),
        published=parse_date(values.get("news.publication_date")),
        title=values.get("news.title"),
    )


def lastmod_text(moment: date | None) -> str | None:
    """Return a moment as ISO 8601 writes it."""
    return moment.isoformat() if moment else None


_W3C = re.compile(
    r"""\s*(\d{4})-(\d\d?)-(\d\d?)
        (?:[T\s]\s*+(\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d++)?)?\s*+(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?\s*""",
    re.VERBOSE | re.IGNORECASE,
)


def parse_date(text: str | None) -> date | None:
    """Read a W3C or RFC 822 date; None for anything else.

    An aware ``datetime`` where a time is stated (UTC where no zone is), else a ``date``: the whole day.

    >>> parse_date("2024-03-05T10:20+08:00").isoformat(), parse_date("2024-03-05").isoformat()
    ('2024-03-05T10:20:00+08:00', '2024-03-05')
    """
    if not text:
        return None
    match = _W3C.fullmatch(text)
    try:
        if match is None:
            from email.utils import parsedate_to_datetime  # noqa: PLC0415 (it loads sockets, and few pages ask for it)

            moment = parsedate_to_datetime(text)
            return _in_utc(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
        day = date(int(match[1]), int(match[2]), int(match[3]))
        if match[4] is None:
            return day
        zone, named = UTC, match[7]
        if named is not None and named[0] in "+-":
            offset = timedelta(hours=int(named[1:3]), minutes=int(named[-2:]))
            zone = timezone(-offset if named[0] == "-" else offset)
        clock = time(int(match[4]), int(match[5]), int(match[6] or 0), tzinfo=zone)
        return _in_utc(datetime.combine(day, clock))
    except (ValueError, TypeError, OverflowError):
        return None


def _in_utc(moment: datetime) -> datetime:
    moment.astimezone(UTC)  # raises for 0001-01-01T00:00+08:00, by which .NET says that there is no date
    return moment


CAPTURES: Final = 20_000
"""Captures that one host's index is asked for."""
_FIELDS: Final = ("urlkey", "timestamp", "original", "mimetype", "statuscode")


def capture_queries(server: str, hosts: Iterable[str], since: datetime | None, until: datetime | None) -> Iterator[str]:
    """Yield what a CDX server is asked for: the captures of each host within a time, each address once.

    >>> next(capture_queries("https://i.org/cdx", [".e.org"], datetime(2019, 1, 1, tzinfo=UTC), None))
    'https://i.org/cdx?url=e.org&matchType=domain&output=json&collapse=urlkey&limit=20000&from=20190101000000'
    """
    for host in dict.fromkeys(hosts):
        asked = {"url": host.lstrip("."), "matchType": "domain" if host.startswith(".") else "host", "output": "json"}
        asked |= {"collapse": "urlkey", "limit": str(CAPTURES)}
        if since is not None:
            asked["from"] = f"{since.astimezone(UTC):%Y%m%d%H%M%S}"
        if until is not None:
            asked["to"] = f"{until.astimezone(UTC) - timedelta(seconds=1):%Y%m%d%H%M%S}"
        yield f"{server}{'&' if '?' in server else '?'}{urlencode(asked)}"


def parse_captures(body: bytes) -> Iterator[tuple[str, datetime]]:
    """Yield address and time of the pages in the answer of a CDX server; what is none is stepped over.

    Lines of CDX, of CDXJ, of JSON, and one JSON list of rows are read.
    """
    for row in islice(_captures(body.decode("utf-8", "replace")), CAPTURES):
        kind, status = row.get("mimetype", row.get("mime", "-")), str(row.get("statuscode", row.get("status", "-")))
        url = canonicalize(str(row.get("original") or row.get("url") or "about:blank"))
        if url is None or kind not in _PAGES or status not in {"200", "-"}:
            continue
        with suppress(ValueError):
            yield url, datetime.strptime(str(row.get("timestamp")), "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def replay_address(archive: str, url: str, moment: datetime) -> str:
    """Return where an archive replays a capture as it was, without a banner and with the links of the page.

    pywb, OpenWayback and the Internet Archive have this form.

    >>> replay_address("https://web.archive.org/web", "http://e.org/a", datetime(2019, 5, 12, tzinfo=UTC))
    'https://web.archive.org/web/20190512000000id_/http://e.org/a'
    """
    return f"{archive}/{moment.astimezone(UTC):%Y%m%d%H%M%S}id_/{url}"


def replayed_moment(address: str, memento: str) -> datetime | None:
    """Return when a capture was taken: by ``Memento-Datetime`` (RFC 7089), else by the address of its replay."""
    with suppress(ValueError):
        return datetime.strptime(memento, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    found = re.search(r"/(\d{14})(?:id_)?/", address)
    with suppress(ValueError):
        return datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC) if found else None
    return None


_PAGES: Final = frozenset({"text/html", "application/xhtml+xml", "warc/revisit", "unk", "-"})


def _captures(text: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of each row by name."""
    if text.lstrip().startswith("["):
        rows = _json(text)
        for row in rows if isinstance(rows, list) else ():
            yield dict(zip(_FIELDS, row, strict=False)) if isinstance(row, list) else {}
        return
    for line in text.splitlines():
        _, when, facts = (*line.split(" ", 2), "", "")[:3]
        found = _json(line if line.startswith("{") else facts) if "{" in line else None
        if isinstance(found, dict):
            yield found if line.startswith("{") else {**found, "timestamp": when}
        else:
            yield dict(zip(_FIELDS, line.split(" "), strict=False))


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
