"""What is installed with the wheel: ranges, in which the versions lie that ``make`` installs."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.conftest import PROJECT

STATED: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {"postgresql": "pg"}


def pins(name: str) -> dict[str, Requirement]:
    lines = (PROJECT / name).read_text(encoding="utf-8").splitlines()
    return {one.name.lower(): one for one in map(Requirement, filter(re.compile("[A-Za-z]").match, lines))}


@pytest.mark.parametrize("extra", ["", *STATED["optional-dependencies"]])
def test_pins_lie_in_the_stated_ranges(extra: str) -> None:
    ranges = STATED["optional-dependencies"][extra] if extra else STATED["dependencies"]
    stated = {one.name.lower(): one for one in map(Requirement, ranges)}
    pinned = pins(f"requirements-{EXTRAS.get(extra, extra)}.txt" if extra else "requirements.txt")
    assert stated.keys() == pinned.keys()
    for name, pin in pinned.items():
        (version,) = (specifier.version for specifier in pin.specifier)
        assert stated[name].specifier.contains(version), name
        assert (stated[name].extras, stated[name].marker) == (pin.extras, pin.marker)
        assert not any(specifier.operator == "==" for specifier in stated[name].specifier)
