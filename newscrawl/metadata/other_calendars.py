"""Dates that count their years otherwise: Thai (Buddhist era), Japanese (reign), Taiwanese (Republic)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

BUDDHIST_ERA: Final = 543
"""Years before those of the Common Era; Thai pages write either."""
_FIRST_BUDDHIST: Final = 2400
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""Year before the first of an era."""

_THAI_MONTHS: Final = (
    "มกราคม|ม.ค. กุมภาพันธ์|ก.พ. มีนาคม|มี.ค. เมษายน|เม.ย. พฤษภาคม|พ.ค. มิถุนายน|มิ.ย. กรกฎาคม|ก.ค. สิงหาคม|ส.ค."
    " กันยายน|ก.ย. ตุลาคม|ต.ค. พฤศจิกายน|พ.ย. ธันวาคม|ธ.ค."
)
_NUMBER: Final = {
    name.rstrip("."): number for number, names in enumerate(_THAI_MONTHS.split(), start=1) for name in names.split("|")
}
_THAI: Final = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(map(re.escape, _NUMBER))})\.?\s?(?:พ\.ศ\.\s?|ค\.ศ\.\s?)?(\d{{4}}|\d\d)(?!\d)"
)
_ERA: Final = re.compile(rf"({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)年\s?(\d{{1,2}})月\s?(\d{{1,2}})日")
_HINT: Final = re.compile("[\u0e01-\u0e2e]|" + "|".join(_ERAS))


def other_days(text: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield start, end, year of the Common Era, month and day of each such date; a day may not exist.

    >>> list(other_days("5 พ.ย. 2566")), list(other_days("令和5年11月5日"))
    ([(0, 11, 2023, 11, 5)], [(0, 9, 2023, 11, 5)])
    """
    if text.isascii() or not _HINT.search(text):
        return
    for match in _THAI.finditer(text):
        year = int(match[3])
        if len(match[3]) == 2:
            year += 2500
        yield *match.span(), year - BUDDHIST_ERA if year >= _FIRST_BUDDHIST else year, _NUMBER[match[2]], int(match[1])
    for match in _ERA.finditer(text):
        year = _ERAS[match[1]] + (1 if match[2] == "元" else int(match[2]))
        yield *match.span(), year, int(match[3]), int(match[4])
