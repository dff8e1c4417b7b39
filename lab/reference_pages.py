"""The references of settings, outcomes, commands, fields and languages in ``docs``, written from the code.

``python -m lab.reference_pages docs`` writes them; a test compares.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from inspect import getsource
from pathlib import Path
from typing import Final

from lab.fields_page import as_markdown
from lab.languages_page import languages_page
from newscrawl import default_settings
from newscrawl.commands.direct import load_command
from newscrawl.console.files import write_text
from newscrawl.console.program import NAME, as_typed, command_summaries, options_of
from newscrawl.items import json_schema
from newscrawl.outcomes import OUTCOMES, REJECTIONS

_MADE: Final = "Written from the code by `python -m lab.reference_pages docs`; a test compares the two.\n"
_SECTION: Final = re.compile(r"^# --- (.+?) -+$")
_SETTING: Final = re.compile(r"^(NEWSCRAWL_\w+) = (.+)$")


def settings_page() -> str:
    """Return the settings with their defaults, by section."""
    lines = ["# Settings", "", _MADE, "Scrapy's own settings count as well; `-s NAME=VALUE` sets one for one run."]
    doc: list[str] = []
    for line in getsource(default_settings).splitlines():
        if section := _SECTION.match(line):
            lines += ["", f"## {section[1].capitalize()}", "", "| Setting | Default | |", "|---|---|---|"]
        elif line.startswith("#: "):
            doc.append(line.removeprefix("#: "))
        elif setting := _SETTING.match(line):
            said = as_typed(" ".join(doc), NAME).replace("``", "`").replace("|", "\\|")
            lines.append(f"| `{setting[1]}` | `{_default(setting[1])}` | {said} |")
            doc = []
    return "\n".join(lines) + "\n"


def _default(name: str) -> str:
    return repr(getattr(default_settings, name)).replace("'", '"').replace("|", "\\|")


def outcomes_page() -> str:
    """Return what may become of a URL."""
    lines = [
        "# Outcomes",
        "",
        _MADE,
        "Every address that comes up to be asked for ends in exactly one outcome; `newscrawl explain URL` says which.",
    ]
    for title, meanings in (
        ("Outcomes of addresses", OUTCOMES),
        ("Why a link or an answer is refused", REJECTIONS),
    ):
        lines += ["", f"## {title}", "", "| Name | |", "|---|---|"]
        lines += [f"| `{name}` | {meaning} |" for name, meaning in meanings.items()]
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """Return the commands with what their help says."""
    both = "In a checkout, and in a Scrapy project, `scrapy NAME` is the same as `newscrawl NAME`."
    lines = ["# Commands", "", _MADE, f"{both} `NAME --help` says what each option does."]
    for name, summary in command_summaries().items():
        command = load_command(name)
        own = (f"`{option}`" for option in options_of(name) if option.startswith("--") and option != "--help")
        said = as_typed(f"{summary}.\n\n{command.long_desc()}\n", NAME).replace("<", "&lt;")
        lines += ["", f"## {name}", "", said]
        lines.append(f"Options: {' '.join(own)}")
    for name, ours in import_module("newscrawl.commands.cli").OWN.items():
        lines += ["", f"## {name}", "", f"{ours.summary}.", "", ours.details.replace("<", "&lt;"), ""]
        lines.append(f"It takes one word: `{ours.argument}`")
    return "\n".join(lines) + "\n"


def schema_file() -> str:
    """Return what ``scrapy fields --json-schema`` prints."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"


PAGES: Final = {
    "settings.md": settings_page,
    "outcomes.md": outcomes_page,
    "commands.md": commands_page,
    "fields.md": as_markdown,
    "languages.md": languages_page,
    "fields.schema.json": schema_file,
}

if __name__ == "__main__":
    for page, make in PAGES.items():
        write_text(Path(sys.argv[1]) / page, make())
