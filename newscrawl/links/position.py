"""Where links stand, seen from the main text (Zhang, Cao, Li 2015, §4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from newscrawl.blocks.classify import STORY_WEIGHT, places_in
from newscrawl.blocks.model import BlockLabel
from newscrawl.links.model import LinkPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.blocks.body import Body
    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.dom.measures import Ints

MAX_DISTANCE: Final = 2
"""A block of related links is next to the main text if at most this many blocks after or before one of it; blocks
of related links that follow one another count as one."""


def block_positions(blocks: Sequence[Block]) -> list[LinkPosition]:
    """Return the position of a link in each block: in-body for main text, adjacent for related links near it."""
    places = _places_of_runs(blocks)
    main = np.array([place for place, block in zip(places, blocks, strict=True) if block.label is BlockLabel.MAIN])
    positions = []
    for place, block in zip(places, blocks, strict=True):
        if block.label is BlockLabel.MAIN:
            positions.append(LinkPosition.IN_BODY)
        elif block.label is BlockLabel.RELATED and len(main) and np.abs(main - place).min() <= MAX_DISTANCE:
            positions.append(LinkPosition.ADJACENT)
        else:
            positions.append(LinkPosition.ELSEWHERE)
    return positions


def _places_of_runs(blocks: Sequence[Block]) -> list[int]:
    """Number the blocks, with one number for a run of related links."""
    places: list[int] = []
    for number, block in enumerate(blocks):
        is_run = number > 0 and block.label is BlockLabel.RELATED and blocks[number - 1].label is BlockLabel.RELATED
        places.append(0 if not places else places[-1] + (not is_run))
    return places


def link_positions(
    rows: Ints, blocks: Sequence[Block], document: Document, body: Body
) -> list[tuple[LinkPosition, int]]:
    """Return the position and the block's index (-1: none) of the links at ``rows`` of the measures.

    A main block may hold more than the body (a whole column): there, only links on the body's lines and pictures
    between them are in the body, links to stories are adjacent, what stands below in parts named as boilerplate
    is elsewhere.

    :param blocks: labelled, at least one.
    """
    of_block = block_positions(blocks)
    places = places_in(blocks, rows, document.measures.end[rows]).tolist()
    return [
        (_within(of_block[place], close), blocks[place].index) if place >= 0 else (LinkPosition.ELSEWHERE, -1)
        for place, close in zip(places, _closeness(rows, document, body), strict=True)
    ]


def _within(position: LinkPosition, closeness: LinkPosition) -> LinkPosition:
    return closeness if position is LinkPosition.IN_BODY else position


def _closeness(rows: Ints, document: Document, body: Body) -> list[LinkPosition]:
    """Return what each link would be if its block is main text."""
    lines = body.features.lines
    numbers = np.flatnonzero(body.is_body)
    if not len(numbers):
        return [LinkPosition.ELSEWHERE] * len(rows)
    line = np.clip(np.searchsorted(lines.start, rows, side="left"), 0, len(lines) - 1)
    starts_before = np.clip(np.searchsorted(lines.start, rows, side="right") - 1, 0, len(lines) - 1)
    measures = document.measures
    number = measures.line[rows]
    # A link's text is on the line that is open where the link begins, or on the next one if the link holds blocks.
    own = np.where(measures.line[lines.start[starts_before]] == number, starts_before, line)
    is_picture = measures.chars[rows] == 0
    between = (rows >= lines.start[numbers[0]]) & (rows <= lines.start[numbers[-1]])
    in_body = np.where(is_picture, between, body.is_body[own])
    is_story = body.features.is_links & (body.features.weight >= STORY_WEIGHT)
    aside = (body.is_boilerplate & ~is_story)[own] & (lines.start[own] > lines.start[numbers[-1]])
    return [
        LinkPosition.IN_BODY if inside else LinkPosition.ELSEWHERE if far else LinkPosition.ADJACENT
        for inside, far in zip(in_body.tolist(), aside.tolist(), strict=True)
    ]
