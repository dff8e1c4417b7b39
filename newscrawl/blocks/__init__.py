"""Blocks of a page: segmentation, features, classification."""

from newscrawl.blocks.model import Block, BlockLabel
from newscrawl.blocks.segment import segment

__all__ = ["Block", "BlockLabel", "segment"]
