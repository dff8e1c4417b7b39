"""What a topic is, whether a page is about it, and how well a crawl keeps to it."""

from newscrawl.focus.judge import PageText, Relevance, RelevanceModel
from newscrawl.focus.topic import Keyword, Topic, load_topic, parse_topic

__all__ = ["Keyword", "PageText", "Relevance", "RelevanceModel", "Topic", "load_topic", "parse_topic"]
