"""Blocks of a page: segmentation, features, classification, article text."""

from newscrawl.blocks.classify import classify
from newscrawl.blocks.model import Block, BlockLabel
from newscrawl.blocks.segment import segment
from newscrawl.blocks.text import article_text

__all__ = ["Block", "BlockLabel", "article_text", "classify", "segment"]
