"""Fixtures that find what a test needs outside the project, or skip with the reason; in CI they are required."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent


def unavailable(reason: str) -> None:
    """Skip the test, or fail it where CI must not skip."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"required in CI: {reason}", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with ``corpus/`` and ``sites/``: ``$NEWSCRAWL_SHARED``, else ``../shared``."""
    folder = Path(os.environ.get("NEWSCRAWL_SHARED", PROJECT.parent / "shared"))
    if not (folder / "corpus").is_dir():
        unavailable(f"no labelled pages in {folder}")
    return folder
