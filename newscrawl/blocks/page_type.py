"""Article or hub: what a page is, by how its text and links are arranged; its address is a prior only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawl.blocks.body import find_body
from newscrawl.items import PageType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.blocks.model import Block
    from newscrawl.dom.document import Document
    from newscrawl.metadata.model import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJudgement:
    page_type: PageType
    confidence: float
    """Probability of the type, 0..1."""
    evidence: tuple[str, ...]
    """Reasons, one a line, the weightiest first."""


def judge(
    document: Document,
    blocks: Sequence[Block] = (),
    *,
    text: str = "",
    url_kind: str | None = None,
    metadata: Metadata | None = None,
) -> PageJudgement:
    """Tell an article from a hub.

    :param text: the extracted text.
    :param url_kind: ``article``, ``hub``, ``other`` or ``unknown``: what the address promises.
    """
    body = document.once(find_body)
    links = body.features.weight[body.features.link_share > 0.5].sum()
    is_article = body.weight > 300 and body.weight > 0.3 * links
    return PageJudgement(
        page_type=PageType.ARTICLE if is_article else PageType.HUB, confidence=0.6, evidence=(f"{body.weight:.0f}",)
    )
