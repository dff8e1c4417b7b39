"""A made site that the default reads wrongly: the news is a ticker of short lines, and an old story stands below it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from newscrawl.page.segment import BlockLabel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from newscrawl.page.segment import Block

_PLACES = "bridge,harbour,market,station,school,theatre,river bank,town hall,library,north gate".split(",")
_DEEDS = "closed until noon,opened again,searched by police,without power,under water,full of people,repaired".split(
    ","
)
_WHO = "the mayor,the council,a fire officer,the port authority,two witnesses,the head teacher".split(",")
_OLD = """\
Many years before, {who} had said that the {place} would never again be what it was, and nobody in the town had \
believed a word of it until the great flood came and took the old {place} with everything that stood beside it.
It was a time of long winters. People walked for hours to see the {place}, and those who came back told their \
children of the ice, of the lights over the water, and of {who}, whose voice carried across the whole valley.
The papers of that year, which are kept in the archive of this house, speak of it in one sentence only, although \
{who} wrote to the editor three times, as the drafts of the letters show that were found behind the {place}.\
""".splitlines()


class MadePage(NamedTuple):
    name: str
    html: str
    text: str
    """What a reader would call the article."""


def made_page(number: int) -> MadePage:
    draw = random.Random(number)
    place = draw.choice(_PLACES)
    lines = [
        f"{hour}:{draw.randrange(60):02d} {draw.choice(_PLACES)} {draw.choice(_DEEDS)}, {draw.choice(_WHO)} says"
        for hour in range(7, draw.randrange(15, 21))
    ]
    old = [
        draw.choice(_OLD).format(place=draw.choice(_PLACES), who=draw.choice(_WHO)) for _ in range(draw.randrange(5, 8))
    ]
    links = [
        f"{draw.choice(_WHO)} on the {draw.choice(_PLACES)}, {draw.choice(_DEEDS)} since {year}"
        for year in range(1990, 1996)
    ]
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "Town", "Sport", "Money"))
    html = (
        f"<!DOCTYPE html><html lang=en><title>Ticker {number}: the {place}</title><body><ul class=menu>{menu}</ul>"
        f"<h1>Ticker {number}: the {place}</h1><table class=tick>"
        + "".join(f"<tr><td>{line}</td></tr>" for line in lines)
        + "</table><div class=old><h2>From the archive</h2>"
        + "".join(f"<p>{line}</p>" for line in old)
        + "</div><ul class=more>"
        + "".join(f'<li><a href="/{number}/{n}">{line}</a></li>' for n, line in enumerate(links))
        + "</ul><p class=foot>Town Press, all rights reserved. Write to us at the old mill.</p></body></html>"
    )
    return MadePage(f"{number}.html", html, "\n".join(lines))


def clicks_on(blocks: Sequence[Block]) -> Iterator[tuple[int, BlockLabel]]:
    """Give what a user says of a page: one click each for ticker, heading, old story and links."""
    labels = {
        "table": BlockLabel.MAIN,
        "h2": BlockLabel.OTHER,
        "div/p": BlockLabel.OTHER,
        "ul[2]/li": BlockLabel.RELATED,
    }
    for part, label in labels.items():
        yield next((block.index, label) for block in blocks if part in block.xpath)
