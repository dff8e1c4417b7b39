"""Which links of saved list pages lead to stories, told by hand: a CSS selector for each page, made from its markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HubLabel:
    stories: str
    """Selects the title links of the page's list, or lists."""
    boxes: str = ""
    """Selects links to stories beside the list (*recent*, *popular*): neither asked for nor wrong."""
    is_seen: bool = False
    """The page was looked at while the rules were made."""


@dataclass(frozen=True, slots=True)
class DateLabel:
    """Where a site's template puts the date of a story in its lists."""

    item: str
    link: str
    date: str
    form: str
    """Format of :meth:`datetime.strptime` for the element's ``datetime`` or text."""


_AUTOPAGER: Final = {
    "9": HubLabel("h3.article_preview a", "h4.cms_widget_post_header a"),
    "10": HubLabel(
        "ul li h3 a, li.first-news h2 a, .slider-caption h2 a, .scroll-item h3 a",
        "div.breaking-news a, div.widget-container ul li a",
    ),
    "11": HubLabel("article.item-list h2 a", ".breaking-news a, .slider-caption a, .widget-container ul li a"),
    "12": HubLabel("article.item-list h2 a", ".breaking-news a, .slider-caption a, .widget-container ul li a"),
    "15": HubLabel("h2 a", "p.tab-item-title a"),
    "39": HubLabel("li.entry_list div.entry_list_body_area_inner a"),
    "40": HubLabel("li.entry_list div.entry_list_body_area_inner a"),
    "80": HubLabel("#archive div.item h2 a", "a.wpp-post-title"),
    "81": HubLabel("#archive div.item h2 a", "a.wpp-post-title"),
    "95": HubLabel("div.title-post h2 a"),
    "96": HubLabel("div.title-post h2 a"),
    "97": HubLabel("article h1 a", is_seen=True),
    "98": HubLabel("article h1 a", is_seen=True),
    "99": HubLabel("h2.entry-title a"),
    "101": HubLabel("div.post h2 a, div.post h1 a, div.post h3 a", is_seen=True),
    "104": HubLabel("h2.entry-title a", "#recent-posts-2 a"),
    "106": HubLabel("a.entry-title", "a.bump-view"),
    "112": HubLabel("div.BlogPostContent h3 a"),
    "126": HubLabel("article h2.entry-title a", ".featured_title_over a"),
    "143": HubLabel("div.tr_itembox > a"),
    "146": HubLabel("div.text div.title h2 a"),
    "173": HubLabel("h1.entry-title a", "div.recent-post h4 a", is_seen=True),
    "174": HubLabel("h1.entry-title a", "div.recent-post h4 a", is_seen=True),
}
_WCXB: Final = {
    "0083": HubLabel("div.post-block--title h4 a"),
    "0147": HubLabel("h1.entry-title a"),
    "0260": HubLabel("h3.c-tease__title a"),
    "0956": HubLabel("h3.feed__title a", "div.sidebar-box a"),
    "3016": HubLabel(
        "h4.card__title a, h5.card__title a", "a.t_all_footer_more-boxes-item, li.book h4 a, a.card__header"
    ),
    "3030": HubLabel("article header a", "div.popular-list a"),
    "4508": HubLabel("h4.card-title a", "ul.stories a"),
}
_WCXB_SECOND: Final = {
    "0082": HubLabel("li.col h4 a"),
    "0264": HubLabel("h5.display-card-title a, h3.display-card-title a", "div.subheader-menu-item a, .display-card a"),
    "0282": HubLabel("div.app-review-result-title h2 a"),
    "2899": HubLabel("h2.story span.story-title > a", "section.b ul li a, tbody td a"),
    "2903": HubLabel("article a[class*=fc-black], article a[class*=fc-white]"),
    "3014": HubLabel(".crayons-story__title a", "a.crayons-link, a.crayons-story__hidden-navigation-link"),
    "3031": HubLabel("div.BlurbListing a[href*='/Articles/']", is_seen=True),
    "4609": HubLabel("h2.Excerpt-Title a", "div.Category-Description ol a"),
}
_PORTAL: Final = HubLabel(
    "div.news_title h3 a, ul.top_news_ul li a, div.column_main li a, a.detail, ul.mt li a, .bottomnews_main h2 a",
    "div.mt a, .mt ul li a, .idx_cm_list a, .f_main a, .idx_cm_img a, .main_right_channel a",
)
#: Corpus, set, id → label. Lists of goods, threads, firms, jobs, courses and events are left out: they list no stories.
HUB_LABELS: Final[dict[tuple[str, str, str], HubLabel]] = {
    **{("corpus", "autopager", name): label for name, label in _AUTOPAGER.items()},
    **{("corpus", "wcxb", name): label for name, label in _WCXB.items()},
    **{("corpus2", "wcxb", name): label for name, label in _WCXB_SECOND.items()},
    ("corpus", "gne", "list_163_1"): _PORTAL,
    ("corpus", "gne", "list_163_2"): _PORTAL,
    ("corpus", "newspaper4k", "yahoo_main_site"): HubLabel("div.body-wrap h3 a, li.y-today-grad a", ".video-list a"),
}
#: Stored site → where its lists show dates.
DATE_LABELS: Final = {
    "linuxcn": DateLabel(".post-item", "h2 a", ".post-date", "%Y-%m-%d"),
    "deemable": DateLabel("article", "h1.entry-title a", "time.published", "%Y-%m-%d"),
    "opensourceway": DateLabel("article.post", "h2 a", ".post-meta", "%a, %b %d, %Y"),
}
