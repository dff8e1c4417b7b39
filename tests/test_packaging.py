"""What is installed: ranges with the wheel, in which the versions lie that ``make`` installs, each file by its hash."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.audit import installed
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

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


LOCK = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
LOCKED: dict[str, tuple[Requirement, list[str]]] = {
    canonicalize_name((requirement := Requirement(entry["pin"])).name): (
        requirement,
        re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry["hashes"]),
    )
    for entry in re.finditer(r"^(?P<pin>\w[^\\\n]*?) *(?P<hashes>(?:\\\n +--hash=\S+ *)+)$", LOCK, re.MULTILINE)
}


def test_the_lock_has_each_pin_and_all_that_it_brings() -> None:
    (files,) = re.findall(r"^LOCKED := (.+)$", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    pinned = {name: one for file in files.split() for name, one in pins(file).items()}
    assert {name: one.specifier for name, one in pinned.items()} == {
        name: LOCKED[canonicalize_name(name)][0].specifier for name in pinned
    }
    brought = {canonicalize_name(one.name): one for one in installed(str(pin) for pin in pinned.values())}
    assert brought.keys() <= LOCKED.keys()
    for name, package in brought.items():
        assert str(LOCKED[name][0].specifier) == f"=={package.version}", f"{name}: make lock"


def test_what_installs_is_checked_by_its_hash_too() -> None:
    (uv,) = pins("requirements-uv.txt").values()
    locked, *hashes = (PROJECT / "requirements-uv.lock").read_text(encoding="utf-8").split(" \\\n")
    assert locked == str(uv)
    assert len(hashes) > 10
    assert all(re.match(r" +--hash=sha256:[0-9a-f]{64}\b", one) for one in hashes)


def test_the_lock_holds_hashes_of_each_file_and_names_no_host() -> None:
    assert LOCKED.keys() == {canonicalize_name(name) for name in re.findall(r"^(\w[\w.-]*)", LOCK, re.MULTILINE)}
    assert all(len(set(hashes)) == len(hashes) > 0 for _, hashes in LOCKED.values())
    # a wheel for each Python, system and processor, and a source
    assert all(len(LOCKED[name][1]) > 20 for name in ("lxml", "numpy", "aiohttp"))
    assert "://" not in LOCK
    assert "index" not in LOCK


IN_AN_EGG = """
import sys
sys.path = [sys.argv[1], *(path for path in sys.path if path != sys.argv[2])]
import newscrawl.settings
from newscrawl.classify.blocks.classifiers import DEFAULT_MODEL, load_machine
from newscrawl.extractors import extract
from newscrawl.focus.estimators import first_weights
from newscrawl.sites import catalogued_site, countries
from newscrawl.sites.files import to_toml

assert newscrawl.__file__.startswith(sys.argv[1])
assert load_machine(DEFAULT_MODEL) and first_weights() and len(countries()) > 60
assert "spiegel.de" in to_toml(catalogued_site("spiegel"))
page = "<title>t</title><article><h1>Rain</h1>" + "<p>It rained in the north, and it will rain on.</p>" * 9
print(extract(page).text)
"""


@pytest.mark.slow
def test_the_package_reads_pages_from_within_an_archive(tmp_path: Path) -> None:
    """scrapyd runs a project out of a zipped egg."""
    egg = tmp_path / "newscrawl.egg"
    with zipfile.ZipFile(egg, "w") as archive:
        for path in (PROJECT / "newscrawl").rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                archive.write(path, path.relative_to(PROJECT))
    words = [sys.executable, "-c", IN_AN_EGG, str(egg), str(PROJECT)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)  # noqa: S603 (ours)
    assert (done.returncode, "It rained in the north" in done.stdout) == (0, True), done.stderr
