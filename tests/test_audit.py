"""What the audit takes for a licence. Its run: ``make audit``."""

from __future__ import annotations

import pytest

from tests.audit import EXPLAINED, installed, is_allowed, requirements


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
