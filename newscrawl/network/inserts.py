"""What stands between the paragraphs of a text: short lines of it, and what is none of it.

Labels of advertising and pointers to other stories are told by words of many languages, as whole lines or at a line's
head. A language without words here loses nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from newscrawl.dom.lines import Lines
    from newscrawl.dom.measures import Bools
    from newscrawl.network.features import PageLines

MAX_BETWEEN: Final = 2
"""So many short lines between two lines of the text are of it: answers, numbers, headings without markup."""
MAX_SHORT: Final = 40.0
"""Letters of such a line; a longer one is a caption as likely as not."""
MAX_LABEL: Final = 48.0
"""A longer line is no label. Letters."""
MIN_LINKED: Final = 0.5
"""Share of a pointer's letters that are linked."""

_LABELS: Final = frozenset(
    """advertisement, advertising, article content, sponsored, sponsored content, story continues below,
    story continues below advertisement, scroll to continue, scroll to continue with content, continue reading below,
    anzeige, werbung, publicité, publicidad, publicidade, pubblicità, advertentie, annons, annonse, reklame, reklaam,
    mainos, reklama, reklam, hirdetés, oglas, реклама, διαφήμιση, iklan, quảng cáo, โฆษณา, विज्ञापन, إعلان, تبلیغات,
    פרסומת, 广告, 廣告, 広告, 광고""".replace("\n    ", " ").split(", ")
)
"""Whole lines above advertising."""
_POINTER: Final = re.compile(
    r"\W{0,3}(?:(?:also |must )?read(?: also| more| next)?|see also|watch(?: also)?|related(?: \w+)?|more on this"
    r"|lesen sie (?:auch|mehr)|mehr (?:dazu|zum thema)|auch interessant|(?:à )?lire (?:aussi|également)|voir aussi"
    r"|leggi anche|lee (?:también|además|más)|te puede interesar|leia (?:também|mais)|veja também|saiba mais"
    r"|lees (?:ook|meer)|les (?:også|mer)|läs (?:också|även|mer)|læs (?:også|mere)|lue (?:myös|lisää)|loe (?:ka|lisaks)"
    r"|czytaj (?:też|także|również|więcej)|zobacz (?:też|także|również)|čtěte (?:také|též)|přečtěte si|prečítajte si"
    r"|citește și|citeşte şi|olvassa el|pročitajte (?:i|još)|прочетете (?:още|също)|читайте (?:также|ещ[её]|також)"
    r"|читать также|смотрите также|διαβάστε (?:επίσης|ακόμα|ακόμη|περισσότερα)|ilgili haber(?:ler)?"
    r"|baca (?:juga|selengkapnya)"
    r"|simak juga|xem thêm|đọc thêm|อ่านเพิ่มเติม|यह भी पढ़ें|اقرأ أيض[اً]{1,2}|إقرأ أيض[اً]{1,2}|بیشتر بخوانید|קראו (?:גם|עוד)"
    r"|延伸[阅閱][读讀]|相[关關](?:[阅閱][读讀]|新[闻聞]|[链連][接結]|[报報][道導]|文章)|更多[阅閱][读讀]|推[荐薦][阅閱][读讀]"
    r"|[上下]一[篇条條則则]|(?:previous|next) (?:article|post|story)"
    r"|関連(?:記事|ニュース)|あわせて読みたい|관련\s?(?:기사|뉴스))\s*[:：|｜>»›→–—】\]]",
    re.IGNORECASE,
)
"""What a pointer to another story begins with, up to the mark behind it."""


_CREDIT: Final = re.compile(
    r"©|[摄攝图圖]|[记記]者|[编編][辑輯]|\b(?:photo|image|foto|bild|credit|by)\b|фото|写真|사진", re.IGNORECASE
)
"""Who took a picture, or wrote the text."""


def add_short(is_body: Bools, page: PageLines) -> None:
    """Take in short lines without links between two lines of the body, in elements of the same make as both."""
    lines = page.lines
    kept = np.flatnonzero(is_body)
    steps = np.diff(kept)
    for place in np.flatnonzero((steps > 1) & (steps <= MAX_BETWEEN + 1)).tolist():
        before, after = int(kept[place]), int(kept[place + 1])
        between = slice(before + 1, after)
        if lines.link_chars[between].any() or (page.features.weight[between] > MAX_SHORT).any():
            continue
        makes = {_make(lines, line) for line in range(before, after + 1)}
        if len(makes) == 1 and not any(map(_CREDIT.search, lines.texts(range(before + 1, after)))):
            is_body[between] = True


def _make(lines: Lines, line: int) -> tuple[int, str, str | None]:
    measures, block = lines.measures, int(lines.block[line])
    return int(measures.parent[block]), measures.tags[block], measures.nodes[block].get("class")


def drop_inserts(is_body: Bools, page: PageLines) -> None:
    """Leave out the labels and pointers among the lines of the body, but not if nothing else is in it."""
    lines = page.lines
    linked = lines.link_chars >= MIN_LINKED * np.maximum(lines.chars, 1)
    short = page.features.weight <= MAX_LABEL
    asked = np.flatnonzero(is_body & (linked | short)).tolist()
    dropped = [
        line
        for line, text in zip(asked, lines.texts(asked), strict=True)
        if (short[line] and text.strip(" \t\xa0-–—:：*·()[]（）【】").lower() in _LABELS)
        or (linked[line] and _POINTER.match(text))
    ]
    if len(dropped) < np.count_nonzero(is_body):
        is_body[dropped] = False
