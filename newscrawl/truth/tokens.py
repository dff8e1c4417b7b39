"""Text made comparable: width, case and white space folded, and cut into tokens."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from newscrawl.dom.text import squeeze

_SINGLE: Final = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3005\u3007"  # ideographs
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e4e\u1000-\u109f\ua9e0-\ua9fe\uaa60-\uaa7f"  # Thai, Burmese
)
_TOKEN: Final = re.compile(rf"[{_SINGLE}]|[^\W_{_SINGLE}]+")


def lowered(text: str) -> str:
    """Return ``text`` in NFKC and lower case.

    >>> lowered("ＡＢＣ１２，")
    'abc12,'
    """
    return unicodedata.normalize("NFKC", text).lower()


def tokens(text: str) -> list[str]:
    """Return the tokens: characters of scripts written without spaces, runs of letters and digits in others.

    >>> tokens("昨日WHO宣布，COVID-19…")
    ['昨', '日', 'who', '宣', '布', 'covid', '19']
    """
    return _TOKEN.findall(lowered(text))


def comparable(text: str) -> str:
    """Return ``text`` in NFKC and lower case without white space, so that line breaks and spacing never count."""
    return squeeze(text).lower()
