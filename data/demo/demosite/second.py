"""The portal a day later: what is new, changed and gone since the first edition. All else is as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from demosite.lists import front_lists
from demosite.model import SECOND_START, DemoArticle, Node, Record
from demosite.newsroom import CHANNELS, Newsroom

if TYPE_CHECKING:
    from demosite.pages import Press

_CHANGED = 10
_GONE = 4
_CORRECTION = "更正：本文较早的版本对时间的说法有误，现已改正。编辑部向读者致歉。"
_FOLLOW_UP = "截至发稿时，相关工作仍在进行，下一次通报的时间尚未确定，本网将在第一时间补充最新情况。"


def second_edition(press: Press, room: Newsroom) -> tuple[list[Record], list[dict[str, Any]]]:
    """Return the records that are other than the day before, and truth for them: ``change`` says what happened."""
    plain = [a for a in press.articles if _stands_alone(a, press)]
    chosen = plain[:: max(1, len(plain) // (_CHANGED + _GONE))][: _CHANGED + _GONE]
    changed = {a.url: _changed(a, i) for i, a in enumerate(chosen[:_CHANGED])}
    gone = [a.url for a in chosen[_CHANGED:]]
    new = [_new(room, i) for i in range(len(CHANNELS))]
    press.articles = [changed.get(a.url, a) for a in press.articles if a.url not in gone] + new
    records: list[Record] = []
    for article in [*changed.values(), *new]:
        records += press.article_records(article, SECOND_START + timedelta(seconds=len(records) + 1))
    records += [_gone(url, i) for i, url in enumerate(gone)]
    records += front_lists(press)
    for i, record in enumerate(records, 1):
        record.fetched_at = SECOND_START + timedelta(seconds=i)
    truth = [record.truth | {"change": _change(record, changed, gone)} for record in records if record.truth]
    return records, truth


def _stands_alone(article: DemoArticle, press: Press) -> bool:
    """Whether no copy, no later page and no hiding place of it complicates the matter."""
    copied = {a.duplicate_of or a.near_duplicate_of for a in press.articles}
    is_copy = article.duplicate_of or article.near_duplicate_of
    whole = not article.paging and not article.options.get("unlinked") and article.url not in copied
    return article.template in {"modern", "plain"} and not is_copy and whole


def _changed(article: DemoArticle, i: int) -> DemoArticle:
    """A correction at the end, a paragraph more, or another headline with it."""
    nodes = [*article.nodes, Node(text=_CORRECTION if i % 2 else _FOLLOW_UP)]
    headline = article.headline + "（续）" if i % 3 == 0 else article.headline
    return replace(article, nodes=nodes, headline=headline)


def _new(room: Newsroom, i: int) -> DemoArticle:
    article = room.write(CHANNELS[i], "modern")
    article.published = SECOND_START - timedelta(hours=1 + i, minutes=7 * i)
    article.url = room.url(CHANNELS[i], "modern", article.published)
    article.options.update(json_ld="zone", og=True)
    return article


def _gone(url: str, i: int) -> Record:
    status = "410 Gone" if i % 2 else "404 Not Found"
    truth = {"url": url, "kind": "gone", "outcome": ["http_error"]}
    return Record(url=url, body=b"", status=status, truth=truth)


def _change(record: Record, changed: dict[str, DemoArticle], gone: list[str]) -> str:
    if record.url in gone:
        return "gone"
    if record.url in changed:
        return "changed"
    return "new" if record.truth and record.truth["kind"] == "article" else "list"
