"""How much of a robots.txt is read."""

from __future__ import annotations

from newscrawl.middlewares.robots import MAX_ROBOTS_BYTES, worth_reading

RULE = b"Disallow: /a/long/folder/\n"


def test_a_long_file_is_cut_between_two_rules() -> None:
    kept = worth_reading(RULE * MAX_ROBOTS_BYTES)
    assert MAX_ROBOTS_BYTES - len(RULE) < len(kept) <= MAX_ROBOTS_BYTES
    assert kept == RULE * (len(kept) // len(RULE))


def test_others_are_read_whole() -> None:
    assert worth_reading(RULE) == RULE
    assert worth_reading(b"x" * MAX_ROBOTS_BYTES) == b"x" * MAX_ROBOTS_BYTES
    assert worth_reading(b"x" * (MAX_ROBOTS_BYTES + 1)) == b""
