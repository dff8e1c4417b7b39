from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from newscrawl.console.place import anchor_database

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\n", encoding="utf-8")
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    monkeypatch.delenv("NEWSCRAWL_DATABASE", raising=False)
    return tmp_path


def place(database: str, priority: str = "project") -> str:
    settings = Settings()
    settings.set("NEWSCRAWL_DATABASE", database, priority)
    anchor_database(settings)
    return str(settings["NEWSCRAWL_DATABASE"])


def test_a_relative_file_of_the_settings_is_beside_scrapy_cfg(project: Path) -> None:
    assert place("sqlite:///news.sqlite") == f"sqlite:///{project}/news.sqlite"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("database", ["sqlite:////srv/news.sqlite", "postgresql+psycopg://x/news", "sqlite://", ""])
def test_other_databases_are_where_they_say(database: str) -> None:
    assert place(database) == database


@pytest.mark.usefixtures("project")
def test_the_command_line_and_the_environment_mean_their_own_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place("sqlite:///news.sqlite", "cmdline") == "sqlite:///news.sqlite"
    monkeypatch.setenv("NEWSCRAWL_DATABASE", "sqlite:///other.sqlite")
    assert place("sqlite:///news.sqlite") == "sqlite:///other.sqlite"
    assert place("sqlite:///news.sqlite", "cmdline") == "sqlite:///news.sqlite"
    assert place("", "spider") == ""  # of a check, which stores nothing


def test_in_the_projects_folder_names_stay_short(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert place("sqlite:///news.sqlite") == "sqlite:///news.sqlite"
