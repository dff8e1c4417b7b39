"""What a harvest without articles says at its end: what was tried, what is in the way, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from newscrawl.storage.figures import Figures, RunState, state_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Counts of one kind that are named.
_NAMED: Final = 3
_LINKS: Final = "newscrawl/rejected/"
_PAGES: Final = ("newscrawl/failed/", "newscrawl/http_error/", "newscrawl/blocked/", "newscrawl/outcome/not_article")
#: Says nothing of why a site is empty: such links were followed, or judged, elsewhere.
_KNOWN: Final = frozenset({"newscrawl/rejected/duplicate"})


def brought_nothing(stats: Mapping[str, Any]) -> bool:
    """Tell whether a crawl failed: it ended badly or got no usable answer, and no article is the better for it."""
    figures = Figures.of(stats)
    return state_of(stats.get("finish_reason"), figures)[0] is RunState.FAILED and not _has_articles(figures)


def verdict(stats: Mapping[str, Any]) -> list[str]:
    """Return the lines for a crawl that has no article, new or known; none where it has one.

    :param stats: Scrapy's, when the crawl has ended.
    """
    figures = Figures.of(stats)
    # of a site harvested before, or a queue that others emptied: nothing new is no news
    is_later = bool(_count(stats, "newscrawl/recrawl/woken")) or not figures.asked
    if _has_articles(figures) or (is_later and not brought_nothing(stats)):
        return []
    return list(_lines(stats, figures))


def ending(stats: Mapping[str, Any], *, where: Sequence[str]) -> list[str]:
    """Return the lines for a crawl that has articles: what came, how it ended, what did not, where it is, what next.

    :param stats: Scrapy's, when the crawl has ended.
    :param where: database and files that hold what came.
    """
    figures = Figures.of(stats)
    state, why = state_of(stats.get("finish_reason"), figures)
    came = f"{figures.new:,} new articles, {figures.changed:,} changed, {figures.unchanged:,} unchanged"
    if not stats.get("newscrawl/store/new") and figures.stored:
        came = f"{figures.stored:,} articles"
    if figures.duplicates:
        came += f", {figures.duplicates:,} copies set aside"
    seconds = float(stats.get("elapsed_time_seconds") or 0)
    lines = [
        f"came: {came}; {figures.answered:,} answers in {seconds:.0f} s",
        f"run: {state}{f' ({why})' if why else ''}",
        f"not taken: pages: {_top(stats, *_PAGES) or 'none'}; links: {_top(stats, _LINKS) or 'none'}",
        f"where: {', '.join(where) or 'nowhere: NEWSCRAWL_DATABASE is empty and no feed was asked for'}",
    ]
    if figures.pages_left:
        return [*lines, "next: the same command goes on with the addresses left; `scrapy report` says more"]
    return [
        *lines,
        "next: `scrapy report` says more, `scrapy search WORDS` finds articles, another run brings what is new",
    ]


def _has_articles(figures: Figures) -> bool:
    return bool(figures.stored or figures.unchanged or figures.not_modified)


def _lines(stats: Mapping[str, Any], figures: Figures) -> Iterator[str]:
    state, why = state_of(stats.get("finish_reason"), figures)
    yield f"no article: {why or 'no page that was read is an article that was asked for'}"
    if figures.asked:
        yield f"tried: {', '.join(_tried(stats))}"
        if in_the_way := _top(stats, "newscrawl/failed/", "newscrawl/http_error/", "newscrawl/blocked/", _LINKS):
            yield f"in the way: {in_the_way}"
    yield f"to do: {_advice(stats, figures, has_failed=state is RunState.FAILED)}"


def _tried(stats: Mapping[str, Any]) -> Iterator[str]:
    yield f"pages to start from ({_count(stats, 'newscrawl/seeds/asked')})"
    for kind in ("feed", "sitemap"):
        asked, read = (_count(stats, f"newscrawl/tried/{kind}s_{done}") for done in ("asked", "read"))
        listed = _count(stats, f"newscrawl/discovery/{kind}")
        yield f"{kind}s ({read} of {asked} read, {listed} addresses in them)" if asked else f"{kind}s (none found)"
    yield f"links (of {_count(stats, 'newscrawl/read/pages')} pages read)"


def _advice(stats: Mapping[str, Any], figures: Figures, *, has_failed: bool) -> str:
    """Return the most likely way out."""
    if figures.is_shut_out and figures.seeds_private:
        return "allow the network: -s NEWSCRAWL_ALLOW_NETS=127.0.0.0/8 for this machine, for example"
    if figures.is_shut_out:
        return "ask the site for leave; robots.txt is obeyed unless -s ROBOTSTXT_OBEY=False says so"
    if has_failed and not figures.bodies:
        return "look at the address and the network (scrapy extract URL fetches one page); in a replay, at the archive"
    if stats.get(f"{_LINKS}script_only"):
        return "the pages are empty until their scripts run: -s NEWSCRAWL_RENDER_SCRIPTS=True"
    if stats.get(f"{_LINKS}before_since") or stats.get(f"{_LINKS}after_until"):
        return "ask for other dates: -a since=30d, or none at all"
    return "see what each link is taken for (-a dry_run=1), name feeds and hubs of the site (scrapy addsite NAME URL)"


def _top(stats: Mapping[str, Any], *prefixes: str) -> str:
    counts = {
        name.removeprefix("newscrawl/"): int(n)
        for name, n in stats.items()
        if name.startswith(prefixes) and name not in _KNOWN
    }
    most = sorted(counts.items(), key=lambda pair: -pair[1])[:_NAMED]
    return ", ".join(f"{name.replace('/', ' ')} {n:,}" for name, n in most)


def _count(stats: Mapping[str, Any], name: str) -> int:
    return int(stats.get(name) or 0)
