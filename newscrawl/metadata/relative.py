"""Dates seen from the fetch, as lists and bylines show them: "2 hours ago", "vor 3 Tagen", 昨天 13:06."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

_MAX_CHARS: Final = 40
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
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "einer": 1, "einem": 1, "zwei": 2, "drei": 3, "半": 0.5,
}  # fmt: skip
_UNITS: Final = {
    "month": (30 * 86_400, "[个個か]月|ヶ月|개월|month|monat|mois|mes|mês|maand"),
    "week": (604_800, "周|週|星期|주|week|woche|semai|seman|settim|недел"),
    "second": (1, "秒|초|sec|sek|seg|секунд"),
    "minute": (60, "分|분|min|мин|dakika"),
    "hour": (3600, "小[时時]|時間|시간|hour|hr|stund|heure|hora|or[ae]|uur|час|godz|saat"),
    "day": (86_400, "天|日|일|day|tag|jour|d[ií]a|giorn|dag|д(?:ень|н)|dni|gün"),
}
"""Unit → seconds, and how its names begin. A year ago is too long ago to say a day."""
_COUNTED: Final = re.compile(
    rf"(?:(?<!\d)(\d{{1,4}})|\b({'|'.join(_NUMBERS)}))\s?[个個]?(?:"
    + "|".join(rf"(?P<{unit}>{names})" for unit, (_, names) in _UNITS.items())
    + ")"
)
_DAY: Final = re.compile("(?P<d0>今[天日]|today|heute)|(?P<d1>昨[天日]|yesterday|gestern|hier |вчера)|(?P<d2>前天)")
_CLOCK: Final = re.compile(r"(下午|晚上)?\s?(\d{1,2})\s?[:：.h点]\s?(\d\d)(?!\d)\s?([ap]m)?")


@lru_cache(maxsize=4096)
def find_relative(text: str) -> str | None:
    """Return the first relative date in ``text`` as written, or None."""
    folded = text.casefold()
    match = _RELATIVE.search(text) if any(map(folded.__contains__, _WORDS)) else None
    return match[0] if match and len(match[0]) <= _MAX_CHARS else None


def resolve_relative(phrase: str, base: datetime) -> datetime | None:
    """Return the moment of ``phrase`` seen from ``base`` (aware), in the zone of ``base``; None if it tells no day."""
    folded = phrase.casefold()
    if folded in {"刚刚", "剛剛", "just now"}:
        return base
    counted = _COUNTED.search(folded)
    if counted and counted.lastgroup:
        number = float(counted[1] or _NUMBERS[counted[2]])
        return base - timedelta(seconds=number * _UNITS[counted.lastgroup][0])
    day = _DAY.search(folded)
    if day is None or day.lastgroup is None:
        return None
    moment = base - timedelta(days=int(day.lastgroup[1]))
    clock = _CLOCK.search(folded, day.end())
    if clock is None:
        return moment
    hour, minute = int(clock[2]), int(clock[3])
    if clock[1] or clock[4]:
        hour = hour % 12 + (0 if clock[4] == "am" else 12)
    return moment.replace(hour=hour, minute=minute, second=0, microsecond=0) if hour < 24 and minute < 60 else None
