"""Hand-made corpora in the format of the real one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def write_set(folder: Path, name: str, records: list[dict[str, Any]]) -> Path:
    """Write a corpus set; a record's ``markup`` is what its page holds."""
    (folder / name / "pages").mkdir(parents=True)
    lines = []
    for record in records:
        markup = record.pop("markup", "<p>text</p>")
        path = f"pages/{record['id']}.html"
        (folder / name / path).write_bytes(markup.encode("utf-8"))
        lines.append(json.dumps({"html": path, "lang": "en", **record}))
    (folder / name / "index.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return folder
