"""Notices of the house below the text."""

from __future__ import annotations

import pytest

from newscrawl.extractors import extract

ENGLISH = (
    "The council met on Tuesday to talk about the bridge, which has been closed since the spring. "
    "It will be repaired before the winter, the mayor said, and the work will take eleven weeks."
)
CHINESE = (
    "市政府周二召开会议，讨论春天以来一直封闭的大桥。市长表示，维修工程将在入冬之前完成，预计历时十一周，"
    "其间公交线路改道，行人可以经由下游的浮桥过河。"
)


def page(*paragraphs: str) -> str:
    """Return an article of these paragraphs, with the page's other parts around them."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"""<html><head><title>The bridge</title></head><body>
        <ul class="nav"><li><a href="/">Home</a></li><li><a href="/city/">City</a></li></ul>
        <h1>The bridge will be repaired</h1><div class="article"><div class="text">{text}</div></div>
        <div class="footer"><a href="/about/">About us</a></div></body></html>"""


@pytest.mark.parametrize(
    ("text", "notices"),
    [
        (ENGLISH, ["© 2024 The Harbour Press. All rights reserved."]),
        (ENGLISH, ["Copyright 2024 Harbour News. This material may not be published or rewritten."]),
        (ENGLISH, ["The views expressed here are those of the author and not of this paper."]),
        (CHINESE, ["特别声明：以上内容为用户上传并发布，本平台仅提供信息存储服务。"]),
        (CHINESE, ["免责声明", "本文仅代表作者个人观点，与本网无关。", "如有侵犯版权之处，请与我们联系删除。"]),
        (CHINESE, ["凡本网注明来源的作品，未经授权不得转载。", "联系电话：010-55550100"]),
        (CHINESE, ["（內容由港口報提供。未經授權，不得轉載。）"]),
        (ENGLISH, ["При перепечатке материалов ссылка на газету обязательна."]),
        (ENGLISH, ["Alle Rechte vorbehalten."]),
        (CHINESE, ["無断での転載を禁じます。"]),
        (ENGLISH, ["저작권자 ⓒ 항구신문, 무단 전재 및 재배포 금지"]),
    ],
)
def test_notices_that_end_the_text_are_left_out(text: str, notices: list[str]) -> None:
    kept = extract(page(text, text.replace("周二", "周三").replace("Tuesday", "Monday"), *notices)).text
    assert text in kept
    assert not any(notice in kept for notice in notices)


@pytest.mark.parametrize(
    "told",
    [
        "The court found that the photographs had been republished without the consent of those who took them.",
        "法院认为，被告未经许可使用他人摄影作品，侵害了原告的著作权，应当赔偿损失，并在报纸上公开道歉。",
        "Her book on copyright will come out in 2026, and the library has ordered nine of them already.",
    ],
)
def test_texts_about_rights_stay(told: str) -> None:
    assert told in extract(page(ENGLISH, told)).text


def test_a_notice_inside_the_text_stays() -> None:
    notice = "© 2024 The Harbour Press. All rights reserved."
    later = [ENGLISH.replace("Tuesday", day) for day in ("Monday", "Friday", "Sunday")]
    kept = extract(page(ENGLISH, notice, *later)).text
    assert all(text in kept for text in later)


def test_a_page_of_nothing_but_notices_keeps_its_text() -> None:
    rules = "Copying of these pages is prohibited, whether in whole or in part, by any means, 2024 and later."
    assert rules in extract(page(rules)).text
