"""Blocks of a page: segmentation, features, classification."""

from newscrawl.segment.model import Block, BlockLabel
from newscrawl.segment.segment import segment

__all__ = ["Block", "BlockLabel", "segment"]
