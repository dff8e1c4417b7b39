"""Answers that keep a crawler out: refusals by status, tests for a human reader, demands for consent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from newscrawl.languages.patterns import WordPattern

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Statuses by which a server says that it does not want this crawler, or not so fast.
REFUSED: Final = frozenset({401, 403, 407, 429, 451})
#: Bytes looked at for the marks of a test page, which is short.
_HEAD_BYTES: Final = 32 * 1024
_TITLE_BYTES: Final = 2048
#: Most visible characters of a test page.
_MAX_VISIBLE: Final = 800

#: Strings in the scripts of test pages. Ordinary pages behind the same services do not have them.
_MARKS: Final = (
    b"_cf_chl_opt", b'id="main-iframe" src="/_Incapsula_Resource', b"captcha-delivery.com", b"px-captcha",
    b"AwsWafIntegration", b"awsWafCookieDomainList", b"sucuri_cloudproxy_js", b"sec-if-cpt-container", b"bm-verify=",
    b"__jsl_clearance", b"acw_sc__v2", b"TencentCaptcha(", b"aliyun_waf", b"/.within.website/x/cmd/anubis",
    b"ddos-guard/js-challenge",
)  # fmt: skip
_TITLES: Final = WordPattern("{pages.challenge}", re.IGNORECASE)
_CONSENT_TITLES: Final = WordPattern(
    r"\W*(?:{pages.consent}|.{0,20}{pages.consent_behind})\W*(?:$|\s[|–—-]\s)", re.IGNORECASE
)
_AGREE: Final = WordPattern(r"<(?:form|button|input|a)\b[^<>]{0,400}>[^<]{0,40}{pages.agree}", re.IGNORECASE)
_MAX_CONSENT: Final = 1_500
"""Visible characters of a page that asks for consent in place of an article."""
_TITLE: Final = re.compile(r"<title[^>]{0,200}>([^<]{0,200})", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(rb"<p(?:>|\s[^<>]*>)([^<]*)")
_UNSEEN: Final = re.compile(
    r"<(script|style|noscript|head)\b(?:(?!<\1\b).)*?</\1\s*>|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)


def blocked_by(status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Return what kept the crawler out: the status as text, ``challenge``, ``consent``, or None.

    :param headers: names in lower case.
    :param body: unpacked.
    """
    if headers.get("cf-mitigated", "").lower() == "challenge" or headers.get("x-amzn-waf-action"):
        return "challenge"
    if _is_challenge(body[:_HEAD_BYTES]):
        return "challenge"
    if _asks_for_consent(body):
        return "consent"
    return str(status) if status in REFUSED else None


def _is_challenge(head: bytes) -> bool:
    if _has_paragraphs(head):
        return False
    if not any(mark in head for mark in _MARKS):
        title = _TITLE.search(_decode(head[:_TITLE_BYTES]))
        if title is None or not _TITLES.search(title[1]):
            return False
    return len("".join(_UNSEEN.sub(" ", _decode(head)).split())) <= _MAX_VISIBLE


def _has_paragraphs(head: bytes) -> bool:
    """Tell whether paragraphs alone have more text than a test page may have: most pages need no closer look."""
    n_left = 4 * _MAX_VISIBLE  # bytes, white space included
    for paragraph in _PARAGRAPH.finditer(head):
        n_left -= paragraph.end(1) - paragraph.start(1)
        if n_left < 0:
            return True
    return False


def _asks_for_consent(body: bytes) -> bool:
    """Tell whether a page only asks for consent: its title says so, it has a button, and little text."""
    title = _TITLE.search(_decode(body[:_TITLE_BYTES]))
    if title is None or len(body) > _HEAD_BYTES * 4 or not _CONSENT_TITLES.match(title[1]):
        return False
    text = _decode(body)
    return bool(_AGREE.search(text)) and len("".join(_UNSEEN.sub(" ", text).split())) <= _MAX_CONSENT


def _decode(head: bytes) -> str:
    """Return text that is good enough to read a title and to count characters."""
    try:
        return head.decode()
    except UnicodeDecodeError:
        return head.decode("gb18030", "replace")
