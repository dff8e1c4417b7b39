from pathlib import Path

import pytest

from lab.evaluation.block_gold import row_labels
from lab.evaluation.corpus import CorpusPage, Gold
from lab.evaluation.gold import NEUTRAL, NOT_MAIN, BlockGold, block_labels
from newscrawl.classify.blocks.classify import crawl_blocks
from newscrawl.page.document import Document
from newscrawl.page.segment import segment

BODY = "A first sentence of the body, long enough. And a second one that follows it."
PAGE = f"""<body><ul><li>Home page of the paper</li></ul><h1>The headline of the story</h1>
<div><p>{BODY}</p><p>ok</p></div><ol><li>Another story about something</li></ol></body>"""


def page(set_name: str, gold: Gold, **extra: object) -> CorpusPage:
    return CorpusPage(id="1", set=set_name, path=Path("1.html"), gold=gold, extra=dict(extra))


def text_labels(corpus_page: CorpusPage) -> dict[str, str | None]:
    """Return the label of each text of PAGE."""
    document = Document.from_html(PAGE)
    labels = row_labels(corpus_page, document)
    assert labels is not None
    measures = document.measures
    return {measures.texts[row][:8]: labels.rows[row] for row in range(len(measures)) if measures.is_text(row)}


def test_xpaths_give_three_classes() -> None:
    gold = Gold(blocks=BlockGold(main=("//div",), related_links=("//ol",), other=("//ul",), ambiguous=("//h1",)))
    assert text_labels(page("gne", gold)) == {
        "Home pag": "other",
        "The head": NEUTRAL,
        "A first ": "main",
        "ok": "main",
        "Another ": "related",
    }


def test_labelled_text_gives_three_classes() -> None:
    blocks = [
        ["headline", "The headline of the story"],
        ["fulltext", BODY],
        ["related", "Another story about something"],
    ]
    assert text_labels(page("l3s", Gold(), blocks=blocks)) == {
        "Home pag": "other",
        "The head": NEUTRAL,
        "A first ": "main",
        "ok": "other",
        "Another ": "related",
    }


def test_body_text_tells_main_text_only() -> None:
    gold = Gold(text=f"{BODY}\nok, said the editor", title="The headline of the story")
    assert text_labels(page("daniel", gold)) == {
        "Home pag": NOT_MAIN,
        "The head": NEUTRAL,
        "A first ": "main",
        "ok": NEUTRAL,  # too short to tell
        "Another ": NOT_MAIN,
    }


def test_pages_without_gold_have_no_labels() -> None:
    assert row_labels(page("ogpages", Gold()), Document.from_html(PAGE)) is None


def test_text_inside_scripts_has_no_labels() -> None:
    hidden = CorpusPage(id="1", set="daniel", path=Path("1.html"), gold=Gold(text=BODY), gold_where="script")
    assert row_labels(hidden, Document.from_html(PAGE)) is None


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({"a": "main", "b": "other"}, "main"),
        ({"a": "other", "b": "main"}, "other"),
        ({"a": None, "b": "related"}, "related"),
        ({"a": NEUTRAL, "b": "main"}, None),
        ({"a": "main", "b": NEUTRAL}, "main"),
        ({"a": None, "b": None}, None),
    ],
)
def test_a_block_takes_the_class_of_most_of_its_text(labels: dict[str, str | None], expected: str | None) -> None:
    document = Document.from_html("<body><div><p>aaaaaa</p><p>bbbb</p></div></body>")
    measures = document.measures
    rows = [labels.get(measures.texts[row][:1]) for row in range(len(measures))]
    blocks = segment(document) or crawl_blocks(document)
    assert block_labels(blocks, measures, rows) == [expected]
