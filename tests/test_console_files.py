from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from newscrawl.commands.extract import names_in
from newscrawl.console.files import make_folder, write_text
from newscrawl.exceptions import UserError
from newscrawl.focus.topic import load_topic

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


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_is_no_part_of_what_a_user_wrote(tmp_path: Path, mark: bytes) -> None:
    (tmp_path / "urls.txt").write_bytes(mark + "http://x.example/新闻\n# note\n".encode())
    (tmp_path / "topic.toml").write_bytes(mark + 'name = "手机"\nkeywords = ["手机"]\n'.encode())
    assert names_in(str(tmp_path / "urls.txt")) == ["http://x.example/新闻"]
    assert load_topic(tmp_path / "topic.toml").name == "手机"
