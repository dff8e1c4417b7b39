"""What the audit takes for a licence, and says where nobody answers. Its run: ``make audit``."""

from __future__ import annotations

import pytest

from tests.audit import EXPLAINED, NOT_LOOKED_UP, installed, is_allowed, main, requirements


@pytest.mark.parametrize(
    ("licence", "allowed"),
    [
        ("MIT", True),
        ("MIT License", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("Apache-2.0 OR GPL-3.0-only", True),
        ("Mozilla Public License 2.0 (MPL 2.0)", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("GNU Library or Lesser General Public License (LGPL)", False),
        ("none stated", False),
        ("", False),
    ],
)
def test_licences(licence: str, allowed: bool) -> None:
    assert is_allowed(licence) is allowed


def test_that_what_is_required_in_turn_is_looked_at() -> None:
    names = {package.name.lower() for package in installed(["scrapy"])}
    assert {"scrapy", "twisted", "lxml"} <= names


def test_that_no_exception_is_left_over() -> None:
    packages = {package.name.lower() for package in installed(requirements())}
    assert EXPLAINED.keys() & packages
    assert all(reason for reason in EXPLAINED.values())


@pytest.mark.slow
def test_that_what_nobody_answers_is_not_called_clean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert main() == NOT_LOOKED_UP
    assert "known weaknesses: NOT LOOKED UP: " in capsys.readouterr().out
