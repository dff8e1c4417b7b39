"""What a scorer sees of a crawl: fetched pages, as the crawler judged them, and the links on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.focus.score.context import LinkContext
    from newscrawl.links.model import Link


class SeenLink(NamedTuple):
    """A link as it stands on a fetched page."""

    link: Link
    context: LinkContext
    label: str = ""
    """Label of its block: main, related, other; ``""`` outside all blocks."""
    is_new: bool = True
    """Whether the address may still be queued; else it is only evidence for one already queued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A fetched page as a scorer sees it: judged by the crawler itself."""

    url: str
    is_article: bool
    relevance: float
    """Probability that the page is about the topic; 0 for a page that is no article."""
    subject: str = ""
    """Title of the page."""
    depth: int = 0
    links: Sequence[SeenLink] = ()
