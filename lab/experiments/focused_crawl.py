"""Real focused crawls, each in a process of its own, answered from a stored site."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from lab.experiments.focused_simulation import Crawled
from newscrawl.exceptions import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from newscrawl.focus.topic import Topic

SECONDS: Final = 3600
_QUIET: Final = {
    "LOG_LEVEL": "ERROR",
    "CONCURRENT_REQUESTS": "1",
    "NEWSCRAWL_FOCUSED_REPORT": "",
    "NEWSCRAWL_FOCUSED_PROGRESS": "False",
    "NEWSCRAWL_ALERT_WEBHOOK": "",
    "NEWSCRAWL_ALERT_COMMAND": "",
}


def crawl(warcs: Sequence[Path], topic: Topic, strategy: str, seeds: Sequence[str], budget: int) -> Crawled:
    """Run ``scrapy crawl focused`` with one request at a time until ``budget`` HTML pages are judged.

    :raises UserError: if the crawl fails; the message is its last line.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "topic.toml").write_text(_toml(topic), encoding="utf-8")
        (folder / "seeds.txt").write_text("\n".join(seeds), encoding="utf-8")
        arguments = {
            "topic": str(folder / "topic.toml"),
            "seeds": f"@{folder / 'seeds.txt'}",
            "strategy": strategy,
            "pages": str(budget),
        }
        settings = _QUIET | {
            "NEWSCRAWL_REPLAY": ",".join(map(str, warcs)),
            "NEWSCRAWL_DATABASE": f"sqlite:///{folder / 'crawl.sqlite'}",
            "NEWSCRAWL_FOCUSED_PAGES": str(folder / "pages.jsonl"),
        }
        command = [sys.executable, "-m", "scrapy", "crawl", "focused"]
        for flag, values in (("-a", arguments), ("-s", settings)):
            command += [word for key, value in values.items() for word in (flag, f"{key}={value}")]
        done = subprocess.run(  # noqa: S603 (our own program) # nosec B603
            command, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if done.returncode or not (folder / "pages.jsonl").exists():
            raise UserError(f"a crawl failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
        lines = (folder / "pages.jsonl").read_text(encoding="utf-8").splitlines()
        return _count_crawl([json.loads(line) for line in lines], topic.threshold)


def _count_crawl(rows: list[dict[str, object]], threshold: float) -> Crawled:
    judged: list[bool | None] = []
    for row in rows:
        probability = row.get("probability")
        judged.append(probability >= threshold if isinstance(probability, float) else None)
    requests = tuple(number for row in rows if isinstance(number := row["n_requests"], int))
    urls = tuple(str(row["url"]) for row in rows)
    return Crawled(urls=urls, judged=tuple(judged), requests=requests)


def _toml(topic: Topic) -> str:
    """Return a topic of keywords as a topic file."""
    words = ", ".join(json.dumps(keyword.term, ensure_ascii=False) for keyword in topic.keywords)
    name = json.dumps(topic.name, ensure_ascii=False)
    return f"name = {name}\nkeywords = [{words}]\nthreshold = {topic.threshold}\n"
