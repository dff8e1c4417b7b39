"""What a topic is, whether a page is about it, and how well a crawl keeps to it."""

from newscrawl.topics.model import Keyword, Topic
from newscrawl.topics.relevance import PageText, Relevance, RelevanceModel
from newscrawl.topics.toml import load_topic, parse_topic

__all__ = ["Keyword", "PageText", "Relevance", "RelevanceModel", "Topic", "load_topic", "parse_topic"]
