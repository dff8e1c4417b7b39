"""What a topic is, whether a page is about it, and how well a crawl keeps to it."""

from newscrawl.focus.model import Keyword, Topic
from newscrawl.focus.relevance import PageText, Relevance, RelevanceModel
from newscrawl.focus.toml import load_topic, parse_topic

__all__ = ["Keyword", "PageText", "Relevance", "RelevanceModel", "Topic", "load_topic", "parse_topic"]
