from __future__ import annotations

import pytest

from newscrawl.extract.facts.bylines import cut_byline, people


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("Anna Marlow, in Paris", ["Anna Marlow"]),
        ("Anna Mercier, à Paris", ["Anna Mercier"]),
        ("Anna Marlow, CNN", ["Anna Marlow"]),
        ("Anna Marlow, CFA", ["Anna Marlow"]),
        ("Anna Marlow, Esq.", ["Anna Marlow"]),
        ("Anna Marlow, MD, PhD", ["Anna Marlow"]),
        ("Anna Marlow, MD; Peter Quill, PhD & Tom Reed, DVM", ["Anna Marlow", "Peter Quill", "Tom Reed"]),
        ("Anna Marlow, RN and medically reviewed by Tom Reed, MD", ["Anna Marlow"]),
        ("Anna Marlow, AP", ["Anna Marlow", "AP"]),
        ("Anna Marlow @annamarlow", ["Anna Marlow"]),
        ("Anna Mercier avec AFP", ["Anna Mercier"]),
        ("unserer Korrespondentin Anna Muster", ["Anna Muster"]),
        ("onze redacteur Anna de Vries", ["Anna de Vries"]),
        ("notre journaliste Anna Mercier", ["Anna Mercier"]),
        ("ANNA MARLOW, PETER QUILL", ["ANNA MARLOW", "PETER QUILL"]),
    ],
)
def test_people_behind_a_label(byline: str, expected: list[str]) -> None:
    assert [author.name for author in people(cut_byline(byline))] == expected
