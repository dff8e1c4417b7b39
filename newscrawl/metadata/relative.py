"""Dates relative to the fetch, such as ``3小时前`` or ``2 hours ago``, read by dateparser."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

MAX_CHARS: Final = 40
"""dateparser is slow: longer texts never reach it."""

_RELATIVE: Final = re.compile(
    r"刚刚|剛剛|(?:(?<!\d)\d{1,4}|[一二三四五六七八九十半几])\s?(?:个)?(?:秒|分钟|分鐘|小时|小時|天|日|周|週|星期|月)[钟鐘]?[之以]?前"
    r"|(?:今天|昨天|前天|昨日|今日)\s?(?:[上下]午|晚上|凌晨)?\s?\d{1,2}[:：点]\d{2}|昨天|前天"
    r"|(?<!\d)\d+\s?(?:秒|分|時間|日|週間|か月|ヶ月)前|(?<!\d)\d+\s?(?:초|분|시간|일|주|개월)\s?전"
    r"|(?:(?<!\d)\d+|an?|one|two|three)\s+(?:sec(?:ond)?|min(?:ute)?|hr|hour|day|week|month)s?\.?\s+ago|\bjust now\b"
    r"|\byesterday\b(?:\s+(?:at\s+)?\d{1,2}:\d{2}\s?(?:[ap]m)?)?|\btoday(?:,?\s+at"
    r"|,)?\s+\d{1,2}:\d{2}\s?(?:[ap]m)?"
    r"|\bvor\s+(?:\d+|einer|einem|zwei|drei)\s+(?:Sekunde|Minute|Stunde|Tag|Woche|Monat)(?:e?n)?"
    r"|\b(?:gestern|heute)(?:,?\s+(?:um\s+)?\d{1,2}[:.]\d{2}(?:\s+Uhr)?)"
    r"|\bil y a\s+\d+\s+\w+|\bhier à\s+\d{1,2}[h:]\d{2}|\bhace\s+\d+\s+\w+|\bhá\s+\d+\s+\w+"
    r"|(?<!\d)\d+\s+\w+\s+(?:fa|geleden)\b"
    r"|(?<!\d)\d+\s+(?:секунд|минут|час|день|дня|дней|недел)\w*\s+назад|вчера(?:\s+в)?\s+\d{1,2}:\d{2}"
    r"|(?<!\d)\d+\s+(?:minut|godzin|dni)\w*\s+temu|(?<!\d)\d+\s+(?:dakika|saat|gün)\s+önce",
    re.IGNORECASE,
)
_WORDS: Final = (
    *"前刚剛昨今전", "ago", "now", "day", "vor", "gestern", "heute", "il y a", "hier ", "hace", "há", " fa", "geleden",
    "назад", "вчера", "temu", "önce",
)  # fmt: skip
"""Each relative date holds one of these words. To look for them first is far cheaper than the pattern."""
_UNITS: Final = {"秒": 1, "分": 60, "小": 3600, "天": 86_400, "日": 86_400, "周": 604_800, "週": 604_800, "星": 604_800}
_DAYS_ZH: Final = {"昨天": 1, "前天": 2}
_SPELLED_ZH: Final = "一二三四五六七八九十几"
_AGO: Final = re.compile(r"([0-9]{1,3}) (second|minute|hour|day|week)s? ago", re.IGNORECASE)
"""The commonest forms, read as dateparser reads them: loading it costs as much as a hundred pages."""
_COUNT_ZH: Final = re.compile(r"(?<!\d)(\d{1,4})\s?(?:个)?(秒|分钟|分鐘|小时|小時|天|日|周|週|星期)[钟鐘]?[之以]?前")


@lru_cache(maxsize=4096)
def find_relative(text: str) -> str | None:
    """Return the first relative date in ``text`` as written, or None."""
    folded = text.casefold()
    match = _RELATIVE.search(text) if any(map(folded.__contains__, _WORDS)) else None
    return match[0] if match and len(match[0]) <= MAX_CHARS else None


def resolve_relative(phrase: str, base: datetime, language: str | None) -> datetime | None:
    """Return the moment of ``phrase`` seen from ``base`` (aware), in the zone of ``base``; None if unreadable."""
    counted = _COUNT_ZH.search(phrase)
    if counted:
        return base - timedelta(seconds=int(counted[1]) * _UNITS[counted[2][0]])
    if phrase in {"刚刚", "剛剛"} or phrase.lower() == "just now":
        return base
    if language == "zh" and phrase in _DAYS_ZH:
        return base - timedelta(days=_DAYS_ZH[phrase])
    if language == "zh" and (phrase[0] in _SPELLED_ZH or phrase.endswith(("月之前", "月以前"))):
        return None  # a sentence tells of it: five months ago, before February
    ago = _AGO.fullmatch(phrase) if language in {"en", None} else None
    if ago:
        return base - timedelta(**{f"{ago[2].lower()}s": int(ago[1])})
    return parse_with_dateparser(phrase, base, language)


def parse_with_dateparser(text: str, base: datetime, language: str | None) -> datetime | None:
    """Read a short text in ``language`` (all candidates of its script where unknown) relative to ``base``."""
    if len(text) > MAX_CHARS:
        return None
    import dateparser  # noqa: PLC0415  (slow to load, and most pages never need it)
    from dateparser.data.languages_info import language_order  # noqa: PLC0415

    languages = [language if language in language_order else "en"]
    parsed: datetime | None = dateparser.parse(
        text,
        languages=languages,
        settings={
            "RELATIVE_BASE": base.replace(tzinfo=None),
            "PREFER_DATES_FROM": "past",
            "REQUIRE_PARTS": ["day", "month"],
            "STRICT_PARSING": False,
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )
    if parsed is None:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=base.tzinfo)
