from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.console.files import make_folder, write_text
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from pathlib import Path


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.txt"
    write_text(path, "正文\ud800")
    assert path.read_text(encoding="utf-8") == "正文?"
    make_folder(path.parent)


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"^cannot make the folder '.*file/a': Not a directory$"):
        write_text(tmp_path / "file" / "a" / "b", "")
    with pytest.raises(UserError, match=r"^cannot make the folder '.*file': File exists$"):
        make_folder(tmp_path / "file")
    with pytest.raises(UserError, match=r"^cannot write '.*': Is a directory$"):
        write_text(tmp_path, "")
