"""What a dry run shows: the addresses that would be fetched, and why the rest would not."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from newscrawl.console.command import make_console, print_rows
from newscrawl.console.wording import quantity
from newscrawl.urls.domains import same_site

if TYPE_CHECKING:
    from collections import Counter

    from newscrawl.links.rules import PlannedUrl
    from newscrawl.sites.model import NewsSite

#: Rows of the table; a feed (``-O plan.jsonl``) has them all.
_ROWS_SHOWN: Final = 200
_NEIGHBOURS_SHOWN: Final = 8


def show_plan(plan: list[PlannedUrl], rejected: Counter[str]) -> None:
    """Print what would be fetched, most wanted first, and why the rest would not."""
    shown = sorted(plan, key=lambda planned: -planned.priority)[:_ROWS_SHOWN]
    rows = [asdict(planned) | {"found by": f"{planned.source} {planned.found_on or ''}"} for planned in shown]
    title = quantity(len(plan), "address", "addresses") + " would be fetched"
    print_rows(title, ("kind", "date", "found by", "why", "url"), rows)
    console = make_console()
    if len(plan) > _ROWS_SHOWN:
        console.print(f"… and {len(plan) - _ROWS_SHOWN} more; all of them with -O plan.jsonl")
    counts = ", ".join(f"{reason} {count}" for reason, count in rejected.most_common()) or "none"
    console.print(f"not fetched, by reason: {counts}")


def show_neighbours(offsite: Counter[str], site: NewsSite) -> None:
    """Print the hosts, with the number of links refused, that whoever owns the site has beside those of its file."""
    own = {host.lstrip(".") for host in site.hosts}
    near = [
        (host, n)
        for host, n in offsite.most_common()
        if any(same_site(f"https://{host}/", f"https://{one}/") for one in own)
    ]
    if near:
        named = ", ".join(f"{host} ({n:,})" for host, n in near[:_NEIGHBOURS_SHOWN])
        rest = f", and {len(near) - _NEIGHBOURS_SHOWN} more" if len(near) > _NEIGHBOURS_SHOWN else ""
        hint = f"refused on other hosts of the site: {named}{rest}; `hosts` in the site's file would take them in"
        make_console().print(hint, soft_wrap=True)
