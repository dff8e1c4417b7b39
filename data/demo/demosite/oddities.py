"""Pages that are wrong on purpose: refused, broken, moved, missing, endless."""

from __future__ import annotations

import gzip
from datetime import date, timedelta
from typing import Any

from demosite.model import Record
from demosite.pages import Item, Press

NEWS = "https://news.sina.com.cn"
DEAD = tuple(f"{NEWS}/c/2025-11-0{i}/doc-ingonexx000000{i}.shtml" for i in range(1, 6))
_TRAP_DAYS = 90
_HTML = [("Content-Type", "text/html; charset=utf-8")]


def oddities(press: Press) -> list[Record]:
    """Return the odd answers; links to them stand on ``/zt/odd/`` (see ``links_to_oddities``)."""
    return [*_refused(), *_broken(press), *_moved(press), *_errors(), *_trap(press)]


def links_to_oddities(records: list[Record]) -> list[Item]:
    shown = [record for record in records if record.truth and record.truth.get("linked")]
    items = [Item(title=str(record.truth["title"]), url=record.url) for record in shown if record.truth]
    items += [Item(title=f"旧闻回顾之{i}", url=url) for i, url in enumerate(DEAD, 1)]
    forbidden = Item(title="内部预览", url=f"{NEWS}/preview/2025-11-18/doc-inpreview0000001.shtml")
    sponsored = Item(title="赞助内容", url=f"{NEWS}/c/2025-11-18/doc-insponsor0000001.shtml", nofollow=True)
    return [*items, forbidden, sponsored]


def unrequested() -> list[dict[str, object]]:
    """URLs that must never be fetched, with the reason."""
    return [
        {
            "url": f"{NEWS}/preview/2025-11-18/doc-inpreview0000001.shtml",
            "kind": "robots",
            "outcome": ["robots", None],
        },
        {
            "url": f"{NEWS}/c/2025-11-18/doc-insponsor0000001.shtml",
            "kind": "nofollow",
            "outcome": [None],
        },
    ]


def _odd(url: str, title: str, kind: str, outcome: list[str | None], body: bytes = b"", **extra: Any) -> Record:
    truth = {"url": url, "kind": kind, "outcome": outcome, "title": title, "linked": True}
    return Record(url=url, body=body, truth=truth, headers=list(_HTML), **extra)


def _page(title: str, text: str, head: str = "") -> bytes:
    paragraphs = "".join(f"<p>{line}</p>" for line in text.splitlines())
    top = f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
    return f"{top}<body><h1>{title}</h1>{paragraphs}</body></html>".encode()


_FILLER = (
    "这一页的文字只为测试而写，内容没有任何消息价值，却有足够的长度。\n"
    "它用几个完整的句子假装成一篇报道：时间、地点、人物都是虚构的，数字也是随手写下的。\n"
    "如果它出现在结果里，就说明规则没有起作用；如果没有出现，说明一切如常。"
)


def _refused() -> list[Record]:
    noindex = _odd(
        f"{NEWS}/c/2025-11-15/doc-innoindex000001.shtml",
        "不应收录的页面",
        "noindex",
        ["rejected"],
        _page("不应收录的页面", _FILLER, '<meta name="robots" content="noindex">'),
    )
    header = _odd(
        f"{NEWS}/c/2025-11-15/doc-innoindex000002.shtml",
        "响应头写明不收录",
        "noindex",
        ["rejected"],
        _page("响应头写明不收录", _FILLER + "\n响应头里的一行字和页面里的标记有同样的效力。"),
    )
    header.headers.append(("X-Robots-Tag", "noindex"))
    return [noindex, header]


def _broken(press: Press) -> list[Record]:
    base = f"{NEWS}/c/2025-11-17/doc-inbroken"
    pdf = _odd(
        f"{base}000001.shtml", "附件：年度报告", "pdf", ["rejected"], b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + bytes(2000)
    )
    empty = _odd(f"{base}000002.shtml", "空白页", "empty", ["rejected"])
    text = "".join(f"<p>第{i}段：{line}</p>" for i, line in enumerate(_FILLER.splitlines() * 4, 1))
    deep = "<div>" * 3000 + text + "</div>" * 3000
    nested = _odd(
        f"{base}000003.shtml",
        "层层叠叠的页面",
        "nested",
        ["stored", "not_article", "rejected", "failed"],
        f"<html><head><title>层层叠叠的页面</title></head><body>{deep}</body></html>".encode(),
    )
    cut = gzip.compress(_page("压缩到一半", _FILLER * 30), mtime=0)
    truncated = _odd(f"{base}000004.shtml", "压缩到一半", "broken", ["rejected", "failed"], cut[: len(cut) // 2])
    truncated.headers.append(("Content-Encoding", "gzip"))
    alone = press.hub(
        "不许跟随",
        [{"title": "", "items": [Item(title="无人可达的一页", url=f"{base}000009.shtml")]}],
        robots="nofollow",
    )
    nofollow = _odd(f"{NEWS}/zt/nofollow/index.shtml", "不许跟随", "hub", ["not_article"], alone.encode())
    behind = _odd(f"{base}000009.shtml", "无人可达的一页", "nofollow", [None], _page("无人可达的一页", _FILLER))
    if behind.truth:
        behind.truth["linked"] = False
    return [pdf, empty, nested, truncated, nofollow, behind]


def _moved(press: Press) -> list[Record]:
    target = next(article for article in press.articles if article.template == "modern")
    base = f"{NEWS}/c/2013-05-0"
    moved = _odd(
        f"{base}1/100012345678.shtml", "搬家的旧文", "redirect", ["redirected"], status="301 Moved Permanently"
    )
    moved.headers.append(("Location", target.url))
    loop = [f"{base}2/100012345671.shtml", f"{base}2/100012345672.shtml"]
    records = []
    for here, there in (loop, loop[::-1]):
        record = _odd(here, "绕圈的地址", "redirect_loop", ["rejected", "failed", "redirected"], status="302 Found")
        record.headers.append(("Location", there))
        records.append(record)
    return [moved, *records]


def _errors() -> list[Record]:
    gone = _odd(
        f"{NEWS}/c/2025-11-09/doc-ingonexx0000009.shtml", "已删除的消息", "gone", ["http_error"], status="410 Gone"
    )
    server = _odd(
        f"{NEWS}/c/2025-11-08/doc-inerrorx0000008.shtml",
        "服务器开小差",
        "server_error",
        ["http_error", "failed"],
        _page("500", "服务器内部错误"),
        status="500 Internal Server Error",
    )
    return [gone, server]


def _trap(press: Press) -> list[Record]:
    """Days of a calendar, each linking to the next; nothing on them but links."""
    records = []
    for i in range(_TRAP_DAYS):
        day = date(2025, 11, 19) - timedelta(days=i)
        days = [day - timedelta(days=1), day + timedelta(days=1), day - timedelta(days=30)]
        items = [Item(title=d.strftime("%Y年%m月%d日"), url=trap_url(d)) for d in days]
        html = press.hub(day.strftime("历史上的%m月%d日"), [{"title": "翻日历", "items": items}])
        record = _odd(
            trap_url(day), day.strftime("历史上的%m月%d日"), "trap", ["not_article", "refused", None], html.encode()
        )
        if record.truth:
            record.truth["linked"] = i == 0
        records.append(record)
    return records


def trap_url(day: date) -> str:
    return f"{NEWS}/today/{day.year}/{day.month}/{day.day}/"
