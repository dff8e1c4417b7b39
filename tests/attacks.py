"""Every attack that SECURITY.md speaks of, slow ones included: ``make attack``. Each test has its own bound of time.

A promise is kept by the test that its row names, so what is run here is what is promised.
"""

from __future__ import annotations

import sys

import pytest

from tests.test_security_page import TESTS, named


def main() -> int:
    """Run the tests that the page names; return pytest's exit status."""
    words = [f"{TESTS / file}::{name}" for file, name in dict.fromkeys(named())]
    return pytest.main(["-q", "-p", "no:cacheprovider", "-m", "slow or not slow", *sys.argv[1:], *words])


if __name__ == "__main__":
    sys.exit(main())
