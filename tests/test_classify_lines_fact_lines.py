from __future__ import annotations

import numpy as np
import pytest

from newscrawl.classify.lines.fact_lines import is_fact_line
from newscrawl.classify.lines.features import page_lines
from newscrawl.classify.lines.structure import MAX_FACT_LINES, drop_fact_lines
from newscrawl.extractors import extract
from newscrawl.page.document import Document


@pytest.mark.parametrize(
    ("html", "is_fact"),
    [
        ("Thu Sep 12, 2019 | 4000 Words | 5 min read |", True),
        ("2024年5月3日 · 阅读 1.2万 · 作者：陈禾", True),
        ("03.05.2024 | Von Anna Muster", True),
        ("by <a href=/anna>Anna Muster of the whole wide newsroom</a> • 05/03/2024 • 2 Comments", True),
        ("<a href=/p>Politics and everything near it</a> | May 3, 2024", True),
        ("May 3, 2024 • Comments Off on The ferry came back, or did it?", True),
        ("May 3, 2024", False),
        ("4000 Words | 5 min read", False),
        ("May 3, 2024 | The ferry that was lost came back to its harbour", False),
        ("May 3, 2024 | Came back!", False),
        ("On May 3, 2024 the ferry came back to Harlow | more than two hundred people saw it", False),
    ],
)
def test_a_line_of_facts_has_a_date_and_parts_that_tell_nothing(html: str, is_fact: bool) -> None:
    document = Document.from_html(f"<body><h1>The ferry came back, or did it?</h1><div>{html}</div></body>")
    page = page_lines(document)
    assert page is not None
    assert is_fact_line(page.lines, 1, "The ferry came back, or did it?") == is_fact


@pytest.mark.parametrize("times", [MAX_FACT_LINES, MAX_FACT_LINES + 1])
def test_a_list_of_others_facts_stays(times: int) -> None:
    page = page_lines(Document.from_html("<p>May 3, 2024 | 2 Comments</p><p>Ferries sail.</p>" * times))
    assert page is not None
    is_body = np.ones(2 * times, dtype=np.bool_)
    drop_fact_lines(is_body, page)
    assert is_body.sum() == (times if times == MAX_FACT_LINES else 2 * times)


def test_a_dateline_below_the_summary_is_left_out_with_its_reason() -> None:
    sentence = "The ferry came back to Harlow in the evening, with two hundred people on board, and nobody was hurt. "
    facts = "<h4>Thu Sep 12, 2019 | 4000 Words | 5 min read |</h4>"
    page = extract(
        f"<title>The ferry came back</title><body><h1>The ferry came back</h1><article><p>{sentence}</p>{facts}"
        f"{f'<p>{sentence * 3}</p>' * 4}</article></body>"
    )
    assert "Words" not in page.text
    assert page.text.startswith(sentence.strip())
    assert ("Thu Sep 12, 2019 | 4000 Words | 5 min read |", "a line of facts") in [
        (left.line, left.reason) for left in page.left_out
    ]
