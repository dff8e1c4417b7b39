"""Training pages changed: the same article with other things beside it."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lab.evaluation.hand_labels import hand_label
from lab.training.distractors import with_distractors
from lab.training.labelled import fold_of, training_page
from lab.training.news_gold import is_whole, line_gold
from lab.training.stories import MIN_STORIES, WIDE, story_of
from newscrawl.classify.lines.features import page_lines
from newscrawl.items import PageType
from newscrawl.page.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lab.evaluation.corpus import CorpusPage
    from lab.training.labelled import LabelledLines
    from lab.training.network import TrainingPage
    from lab.training.stories import Story

N_VARIANTS: Final = 2
POST_SETS: Final = frozenset({"wcxb"})
"""Pages of several posts among others: no distractors, but for those labelled as articles."""
MAX_VARIANT_LINES: Final = 1500
MAX_LOSS: Final = 0.2
"""A variant in which more of the gold went astray is left out."""


def add_variants(
    pages: Sequence[LabelledLines], *, seed: int, advance: Callable[[], None] = lambda: None
) -> list[LabelledLines]:
    """Return the pages with variants, made of sentences of pages in the same fold only."""
    stories: dict[tuple[int, str], list[Story]] = defaultdict(list)
    for page in pages:
        story = _story(page)
        if story is not None:
            stories[_shelf(page)].append(story)
    result = []
    for page in pages:
        known = stories[_shelf(page)]
        variants = []
        if _has_room(page.page) and len(known) >= MIN_STORIES:
            for number in range(N_VARIANTS):
                rng = random.Random(f"{seed} {number} {page.page.set}/{page.page.id}")  # noqa: S311 (no secret)
                variants.append(_variant(page, known, rng))
        result.append(replace(page, variants=tuple(variant for variant in variants if variant is not None)))
        advance()
    return result


def _has_room(page: CorpusPage) -> bool:
    """Tell whether other things may be put beside the text: it is labelled in full, and is one article."""
    told = hand_label(page)
    if told is not None:
        return told.page_type == PageType.ARTICLE
    return page.gold.text is not None and (page.set not in POST_SETS or page.page_type == PageType.ARTICLE)


def _shelf(page: LabelledLines) -> tuple[int, str]:
    return fold_of(page.page.group), page.page.lang if page.page.lang in WIDE else ""


def _story(page: LabelledLines) -> Story | None:
    if not is_whole(page.page):
        return None
    story = story_of(page.page, page.texts, page.gold)
    return story if len(story.paragraphs) > 1 else None


def _variant(page: LabelledLines, stories: Sequence[Story], rng: random.Random) -> TrainingPage | None:
    """Return the page with teasers or comments of other articles; None where that lost too much of the text."""
    document = Document.from_html(page.page.read(), page.page.url)
    own = page_lines(document)
    if own is None or len(own.lines) != len(page.texts):
        return None
    markup = with_distractors(document, own.lines, page.gold, stories, rng, is_wide=page.page.lang in WIDE)
    lines = None if markup is None else page_lines(Document.from_html(markup, page.page.url))
    if lines is None or len(lines.lines) > MAX_VARIANT_LINES:
        return None
    gold = line_gold(page.page, lines.lines.texts(range(len(lines.lines))))
    if gold is None:
        return None
    before, after = (float((labels.is_body * labels.weight).sum()) for labels in (page.gold, gold))
    return None if abs(after - before) > MAX_LOSS * before else training_page(lines, gold)
