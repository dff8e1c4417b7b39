"""The press that first published the text: what stands after ``来源：``, else what the metas say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.dom.characters import HAN
from newscrawl.metadata.date_text import find_dates
from newscrawl.metadata.jsonld import text_of
from newscrawl.metadata.names import is_chinese_name

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from newscrawl.metadata.gather import Evidence
    from newscrawl.metadata.places import Places

MAX_SOURCE_CHARS: Final = 40
SOURCE_METAS: Final = ("source", "article:source", "contentsource", "mediaid", "og:source", "dc.source", "news_source",
                       "copyright-holder", "original-source", "weibo:article:source", "sourcename")  # fmt: skip
_LABEL: Final = re.compile(
    r"(?:(?:本文|文章|信息|稿件|新闻|资料|內容|内容)?\s*(?:来\s*源|來\s*源|出\s*处|出\s*處|稿源|转自|转载自)(?:于|自)?"
    r"|\bSource|\bQuelle|\bFuente|\bFonte|\bИсточник|\bŹródło|\bKaynak)\s*[:：|｜]\s*"
)
_LABEL_END: Final = re.compile(r"[:：|｜]")
_MARKING: Final = frozenset(("zh", "ja", "ko"))
"""Languages whose sites name the class of a source so; elsewhere it is that of a picture."""
_STOP: Final = re.compile(
    r"\s{2,}|[|｜（）()【】\[\]<>。；;，,]|\s*(?:作者|责任|责编|编辑|編輯|记者|时间|日期|发布|发表|发稿|更新|点击|浏览|阅读|评论|字号|字体"
    r"|打印|分享|原标题|访问|我要|关注|人气"
    r"|by\b|author|date|photo|昨天|今天|前天|昨日|今日|刚刚)|\s\d|\d{4}[-年/.]"
)
_LINK: Final = re.compile(r"https?://\S+|www\.\S+")


def choose_source(evidence: Evidence, places: Places, language: str | None) -> tuple[str, str] | None:
    """Return the source and where it was read, None where the page names none."""
    visible = _labelled(evidence, places)
    if visible is None and language in _MARKING:
        visible = _marked(evidence, places)
    if visible is None and language == "zh":
        visible = _beside_date(evidence, places)
    if visible:
        return visible, "visible"
    stated = evidence.meta(*SOURCE_METAS)
    named = _clean(stated[0]) if stated else None
    if named:
        return named, "meta"
    for node in evidence.articles:
        for key in ("sourceOrganization", "provider", "publisher"):
            name = text_of(node.get(key))
            if name and "://" not in name and len(name) <= 2 * MAX_SOURCE_CHARS:
                return name, f"json-ld {key}"
    return None


def _labelled(evidence: Evidence, places: Places) -> str | None:
    lines = evidence.lines
    for index in dict.fromkeys((*places.header(len(lines)), *places.tail(len(lines)))):
        text = lines[index].spaced
        named = source_in(text if len(text) <= 300 else text[-80:])
        is_label = named is None and len(text) <= MAX_SOURCE_CHARS and _LABEL.fullmatch(text.strip() + " ")
        if is_label and index + 1 < len(lines):
            named = _clean(lines[index + 1].text)  # the label and the name stand in cells of their own
        if named:
            return named
    return None


def _marked(evidence: Evidence, places: Places) -> str | None:
    header = places.header(len(evidence.lines))
    for element in evidence.marked:
        if evidence.line_of.get(element) in header and is_source_mark(element):
            named = _clean(_LABEL.sub("", " ".join(element.text_content().split())))
            if named and not any(map(str.isdigit, named)):
                return named
    return None


def _beside_date(evidence: Evidence, places: Places) -> str | None:
    """Return the name that follows the date in a line under the headline, as Chinese portals print their source."""
    lines = evidence.lines
    for index in places.header(len(lines)):
        text = lines[index].spaced
        if not 0 < index - places.headline <= _CLOSE or len(text) > _MAX_DATE_LINE or lines[index].tag:
            continue
        found = next(find_dates(text, "zh"), None)
        if found is None or not found.has_time:
            continue
        words = text[found.end :].split()
        if words and _NAME.fullmatch(words[0]) and not is_chinese_name(words[0]) and not _BUTTON.search(words[0]):
            return words[0]
    return None


_CLOSE: Final = 4
_MAX_DATE_LINE: Final = 120
_NAME: Final = re.compile(rf"[《{HAN}A-Za-z·\-》]{{2,16}}")
_BUTTON: Final = re.compile(
    r"阅读|评论|浏览|点击|字号|字体|分享|我有|我要|打印|关注|收藏|举报|星期|周[一二三四五六日]|更新|发布"
)


def is_source_mark(element: HtmlElement) -> bool:
    """Tell whether an element's class or id says that it holds the source."""
    words = f"{element.get('class') or ''} {element.get('id') or ''}"
    return bool(_SOURCE_MARK.search(words)) and element.tag not in {"div", "section", "article", "body", "main"}


_SOURCE_MARK: Final = re.compile(r"(?:^|[\s_-])(?:source|media|laiyuan|from)|source$|sourceName", re.IGNORECASE)


def source_in(text: str) -> str | None:
    """Return the name after a source label in ``text``.

    >>> source_in("2024-03-05 10:20 来源：新京报 作者：张三")
    '新京报'
    """
    match = _LABEL.search(text) if _LABEL_END.search(text) else None
    return _clean(text[match.end() : match.end() + 80]) if match else None


_MARKUP: Final = re.compile(r"[=<>{}]|^\W*$")


def _clean(text: str) -> str | None:
    text = _LINK.sub(" ", text).strip(" \t　:：-—|")
    stop = _STOP.search(text)
    name = (text[: stop.start()] if stop else text).strip(' \t　:：-—|“”"《》_/')
    return name if 1 < len(name) <= MAX_SOURCE_CHARS and not _MARKUP.search(name) else None
