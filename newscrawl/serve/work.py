"""What goes on behind the pages: crawls that were started here, and pages that are fetched to be labelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import asyncio
    import subprocess
    from datetime import datetime
    from pathlib import Path

MAX_SAID: Final = 400


class Collection(NamedTuple):
    task: asyncio.Task[None]
    failures: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    name: str
    started_at: datetime
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def status(self) -> int | None:
        """Its exit status; None while it goes on."""
        return self.process.poll()

    @property
    def last_line(self) -> str:
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - MAX_SAID))
                return (file.read().decode("utf-8", "replace").strip().splitlines() or [""])[-1]
        except OSError:
            return ""  # somebody cleared the logs away
