from __future__ import annotations

import json
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from newscrawl.items import BodyImage, PageType
from newscrawl.outcomes import Outcome
from newscrawl.read.memory import article_lines, pack_lines, unpack_lines, unpack_sightings
from newscrawl.sites.kinds import PageKind
from newscrawl.sites.memory import Drift
from newscrawl.store.articles import CorrectedText, correct_texts
from newscrawl.store.engine import writing
from newscrawl.store.kinds import end_otherwise
from newscrawl.store.schema import articles, pages, simhash_bands
from newscrawl.store.site_memory import (
    LinesRecord,
    add_drift,
    close_memory,
    host_memory,
    lines_after,
    load_memories,
    note_settled,
    site_drifts,
    site_memories,
    unsettled_hosts,
)
from newscrawl.store.site_memory import (
    article_lines as lines_table,
)
from newscrawl.store.storage import write_batch
from tests.records import article, chinese, stored
from tests.test_sites_memory import HOST, RULES, page

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from newscrawl.store.records import RecordEnd

CRAWL = 7


def packed_at_once(packed: bytes) -> bytes:
    """Return packed lines as versions before wrote them: a harvest may have begun with one of these."""
    head = zlib.decompressobj()
    sightings = json.loads(head.decompress(packed))
    pages = json.loads(zlib.decompress(head.unused_data))
    old = [[page[0], seen[:-1], *page[1:]] for page, seen in zip(pages, sightings, strict=True)]
    return zlib.compress(json.dumps(old).encode())


def test_lines_are_unpacked_whichever_version_packed_them() -> None:
    packed = lines_of(1).packed
    (new,), (old,) = unpack_lines(packed), unpack_lines(packed_at_once(packed))
    assert (old.keys.lines, old.numbers, old.seen) == (new.keys.lines, new.numbers, new.seen)
    assert new.seen.key == new.keys.address is not None
    assert unpack_sightings(packed) == unpack_sightings(packed_at_once(packed)) == [new.seen]


def lines_of(number: int, crawl_id: int = CRAWL) -> LinesRecord:
    url = f"https://{HOST}/{number}/story.html"
    document = page(number, url=url)
    extraction = RULES.extract(document)
    assert extraction.chosen is not None
    found = article_lines(document, extraction, article(url, extraction.text))
    assert len(found) == 1
    return LinesRecord(crawl_id=crawl_id, host=HOST, url=url, packed=pack_lines(found))


def write(engine: Engine, *numbers: int, crawl_id: int = CRAWL, text: int = 0) -> list[RecordEnd]:
    sides = [lines_of(number, crawl_id) for number in numbers]
    pairs = zip(numbers, sides, strict=True)
    records = [replace(stored(one.url, chinese(number + text)), also=(one,)) for number, one in pairs]
    with writing(engine) as connection:
        return write_batch(connection, records)


def test_lines_are_written_with_the_articles_whose_text_is(engine: Engine) -> None:
    write(engine, 1, 2)
    write(engine, 2)
    write(engine, 3, crawl_id=8)
    with writing(engine) as connection:
        rows = lines_after(connection, CRAWL, HOST, -1)
        assert (len(rows), unsettled_hosts(connection, CRAWL)) == (2, [HOST])
        note_settled(connection, [row.id for row in rows])
        assert unsettled_hosts(connection, CRAWL) == []
    assert [end.change for end in write(engine, 2)] == ["unchanged"]
    with engine.connect() as connection:
        assert unsettled_hosts(connection, CRAWL) == [], "what is stored comes from an earlier visit"
    assert [end.change for end in write(engine, 2, text=50)] == ["changed"]
    with engine.connect() as connection:
        assert unsettled_hosts(connection, CRAWL) == [HOST]
        assert len(lines_after(connection, CRAWL, HOST, -1)) == 2


def test_what_is_no_article_any_more_teaches_nothing(engine: Engine) -> None:
    write(engine, 1, 2, 3)
    with writing(engine) as connection:
        note_settled(connection, [row.id for row in lines_after(connection, CRAWL, HOST, -1)])
        kind = PageKind(page_type=PageType.HUB, confidence=0.9, score=-2.0, reason="a list")
        end_otherwise(connection, {f"https://{HOST}/2/story.html": (kind, "why")})
        assert unsettled_hosts(connection, CRAWL) == [HOST], "texts of the others go by what is left"
        assert host_memory(connection, CRAWL, HOST, unpack_sightings)[0].n_pages == 2
        rows = lines_after(connection, CRAWL, HOST, -1)
        note_settled(connection, [row.id for row in rows])
        assert (len(rows), unsettled_hosts(connection, CRAWL)) == (2, [])


def test_what_is_known_at_the_end_is_kept_without_the_lines(engine: Engine) -> None:
    write(engine, 1, 2)
    write(engine, 3, crawl_id=8)
    with writing(engine) as connection:
        memory, counted = host_memory(connection, CRAWL, HOST, unpack_sightings)
        assert (memory.n_pages, len(counted)) == (2, 2)
        close_memory(connection, CRAWL, unpack_sightings)
        assert load_memories(connection)[HOST].n_pages == 2
        assert connection.execute(select(lines_table.c.crawl_id)).scalars().all() == [8]
        close_memory(connection, 8, unpack_sightings)
        assert load_memories(connection)[HOST].n_pages == 3
        assert connection.execute(select(func.count()).select_from(lines_table)).scalar() == 0


def test_a_state_of_another_version_is_begun_anew(engine: Engine) -> None:
    write(engine, 1)
    with writing(engine) as connection:
        close_memory(connection, CRAWL, unpack_sightings)
        connection.execute(site_memories.update().values(state={"what": "ever"}))
        assert load_memories(connection) == {}
    write(engine, 2)
    with writing(engine) as connection:
        close_memory(connection, CRAWL, unpack_sightings)
        assert load_memories(connection)[HOST].n_pages == 1


def test_a_text_is_corrected_with_all_that_follows_from_it(engine: Engine) -> None:
    """One that repeats another by its new text, and one that repeats its old text."""
    urls = [f"https://{HOST}/{number}" for number in range(4)]
    old, new = chinese(1, 600), chinese(2, 600)
    picture = BodyImage(url="https://e.org/a.jpg", position=3)
    with writing(engine) as connection:
        write_batch(connection, [stored(urls[0], new), stored(urls[1], old, images=(picture,)), stored(urls[2], old)])
        before = {row.url: row for row in connection.execute(select(articles))}
        assert before[urls[2]].duplicate_of == urls[1]
        text = CorrectedText(url=urls[1], before="another", body=new, source="site memory: 1 line", positions=(1,))
        correct_texts(connection, [text])
        assert connection.execute(select(func.max(articles.c.change_number))).scalar() == 3, "written meanwhile"
        correct_texts(connection, [text._replace(before=before[urls[1]].content_hash)])
        after = {row.url: row for row in connection.execute(select(articles))}
        ended = {row.url: row for row in connection.execute(select(pages))}
        indexed = connection.execute(select(simhash_bands.c.article_id).distinct()).scalars().all()
    assert [after[url].duplicate_of for url in urls[:3]] == [None, urls[0], None]
    assert [ended[url].outcome for url in urls[:3]] == [Outcome.STORED, Outcome.DUPLICATE, Outcome.STORED]
    assert (after[urls[1]].article_body, after[urls[1]].revision) == (new, 1)
    assert after[urls[1]].content_hash == after[urls[0]].content_hash == ended[urls[1]].content_hash
    assert (after[urls[1]].images[0]["position"], after[urls[1]].field_sources["articleBody"]) == (1, text.source)
    assert sorted(indexed) == sorted(after[url].id for url in (urls[0], urls[2]))


def test_texts_are_corrected_together_as_one_by_one(engine: Engine) -> None:
    """One of them could not be made in another format, and keeps the one that it has."""
    urls = [f"https://{HOST}/{number}" for number in range(3)]
    with writing(engine) as connection:
        write_batch(connection, [stored(url, chinese(number, 600)) for number, url in enumerate(urls)])
        hashes = dict(connection.execute(select(articles.c.url, articles.c.content_hash)).all())
        connection.execute(articles.update().values(article_body_markdown="# as it was"))
        texts = [
            CorrectedText(url=url, before=hashes[url], body=chinese(7 + number, 600), source="memory", positions=())
            for number, url in enumerate(urls)
        ]
        texts[1] = texts[1]._replace(formats={"articleBodyMarkdown": "# another"})
        correct_texts(connection, texts)
        after = {row.url: row for row in connection.execute(select(articles))}
        indexed = set(connection.execute(select(simhash_bands.c.article_id)).scalars())
    assert [after[url].article_body for url in urls] == [text.body for text in texts]
    assert [after[url].article_body_markdown for url in urls] == ["# as it was", "# another", "# as it was"]
    assert indexed == {row.id for row in after.values()}


def test_drifts_are_kept_with_old_and_new_rule(engine: Engine) -> None:
    drift = Drift(host=HOST, reason="places", old="div.story > p", new="div.relaunch > p\0", n_pages=40)
    with writing(engine) as connection:
        add_drift(connection, drift, None)
        row = connection.execute(select(site_drifts)).one()
    assert (row.host, row.old, row.new, row.n_pages) == (HOST, "div.story > p", "div.relaunch > p", 40)
    assert "runs" in {key.column.table.name for key in site_drifts.c.run_id.foreign_keys}
