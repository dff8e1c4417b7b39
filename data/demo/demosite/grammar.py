"""Phrase grammars: ``{a|b}`` is a choice (they nest), ``<slot>`` a name.

``<city>`` is the same all through a story, ``<city2>`` another one, ``<city*>`` drawn anew each time;
``<n:3-9>`` is a whole number, ``<x:1.2-9.8>`` one with a decimal. Files hold sections: ``[headline]``,
``[lead]``, ``[body]`` … with one template a line, and ``[=city]`` with the values of a slot.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"<([a-z_]+)(\d?)(\*?)>")
_NUMBER = re.compile(r"<n:(\d+)-(\d+)>")
_DECIMAL = re.compile(r"<x:([\d.]+)-([\d.]+)>")
_MAX_DRAWS = 50


@dataclass(kw_only=True)
class Grammar:
    """Templates by section and slot values by name."""

    sections: dict[str, list[str]] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, *files: Path) -> Grammar:
        grammar = cls()
        for file in files:
            grammar._read_one(file)
        return grammar

    def _read_one(self, file: Path) -> None:
        section = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("[") and line.endswith("]"):
                section = line[1:-1]
            elif line and not line.startswith("#"):
                if section.startswith("="):
                    self.slots[section[1:]] = line
                else:
                    self.sections.setdefault(section, []).append(line)


class Teller:
    """Tells one story: the same slot keeps its value throughout."""

    def __init__(self, grammar: Grammar, random: Random) -> None:
        self.grammar = grammar
        self.random = random
        self.values: dict[str, str] = {}

    def tell(self, template: str) -> str:
        """Expand a template to plain text."""
        while match := _CHOICE.search(template):
            chosen = self.random.choice(match[1].split("|"))
            template = template[: match.start()] + chosen + template[match.end() :]
        template = _NUMBER.sub(lambda m: str(self.random.randint(int(m[1]), int(m[2]))), template)
        template = _DECIMAL.sub(lambda m: f"{self.random.uniform(float(m[1]), float(m[2])):.1f}", template)
        return _SLOT.sub(self._slot, template)

    def _slot(self, match: re.Match[str]) -> str:
        name, number, fresh = match.groups()
        if fresh:
            return self.tell(self.grammar.slots[name])
        key = name + number
        if key not in self.values:
            self.values[key] = self._unlike_its_kin(name)
        return self.values[key]

    def _unlike_its_kin(self, name: str) -> str:
        taken = {value for key, value in self.values.items() if key.rstrip("0123456789") == name}
        for _ in range(_MAX_DRAWS):
            value = self.tell(self.grammar.slots[name])
            if value not in taken:
                return value
        raise ValueError(f"slot {name!r} has too few values")
