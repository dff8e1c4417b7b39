"""What is unsafe in the code, and what is wrong with what it needs: ``make audit``. Exit status 1 if anything is, 3 if
nothing is and known weaknesses could not be looked up.

bandit reads the code: each exception says why on its line, three rules are left out in ``pyproject.toml``. The licences
of all that the requirements bring must be ``ALLOWED`` or ``EXPLAINED``. pip-audit asks the package index for known
weaknesses; where that has no such service, or knows nothing of a package that is known to be weak, nothing is clean.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

from packaging.requirements import InvalidRequirement, Requirement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
OTHERS: Final = frozenset(f"requirements-{name}.txt" for name in ("docs", "bill", "peers", "spark", "torch"))
"""Installed in environments of their own, by who wants them."""
ALLOWED: Final = re.compile(
    r"0BSD|(?:The )?MIT(?:-0| License| No Attribution.*)?|BSD(?: License|-[23]-Clause)?|[23]-Clause BSD.*|ISC.*|Zlib"
    r"|Apache(?:-2\.0| Software License| License,? (?:Version )?2\.0| 2\.0)?|CC0-1\.0|CNRI-Python|Unlicense|ZPL-2\.1"
    r"|PSF-2\.0|Python Software Foundation License|MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)?"
)
"""MPL 2.0 asks for the source of its own files alone, which nothing here changes."""
EXPLAINED: Final = {
    "psycopg": "LGPL 3: a library that is imported and not changed; only for who uses PostgreSQL",
    "psycopg-binary": "LGPL 3: as psycopg",
    "axe-playwright-python": "MIT, by the file that comes with it; its metadata name none",
    "chardet": "LGPL 2.1 or later: imported and not changed; only for the method `readability` and tools of the tests",
}
SECONDS: Final = 120
NOT_LOOKED_UP: Final = 3
"""Exit status of an audit that found nothing wrong and could not ask for known weaknesses."""


def main() -> int:
    weaknesses, unanswered = known_weaknesses()
    problems = [*unsafe_calls(), *wrong_licences(), *weaknesses]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    if unanswered:
        sys.stdout.write(f"known weaknesses: NOT LOOKED UP: {unanswered}\n")
    return 1 if problems else NOT_LOOKED_UP if unanswered else 0


def unsafe_calls() -> list[str]:
    """Return what bandit finds."""
    template = "{relpath}:{line}: {test_id} {msg}"
    words = (
        "-m",
        "bandit",
        "-q",
        "-c",
        "pyproject.toml",
        "-r",
        "newscrawl",
        "-f",
        "custom",
        "--msg-template",
        template,
    )
    done = ran(*words)
    found = [line for line in done.stdout.splitlines() if line.strip()]
    return found or ([f"bandit ended with {done.returncode}: {done.stderr[-400:]}"] if done.returncode else [])


def wrong_licences() -> Iterator[str]:
    """Yield packages whose licence is neither allowed nor explained."""
    needed = {package.name.lower(): package for package in installed(requirements())}
    for name, package in sorted(needed.items()):
        if not is_allowed(licence := licence_of(package)) and name not in EXPLAINED:
            yield f"{name} {package.version}: the licence {licence!r} is neither allowed nor explained"
    sys.stdout.write(f"licences: {len(needed)} packages, {len(EXPLAINED.keys() & needed.keys())} explained\n")


def requirements() -> Iterator[str]:
    """Yield the names that the requirement files ask for."""
    for file in sorted(ROOT.glob("requirements*.txt")):
        if file.name not in OTHERS:
            for line in file.read_text(encoding="utf-8").splitlines():
                if line.strip() and line[:1] not in "-#":
                    yield line.partition("#")[0].strip()


def installed(asked: Iterable[str]) -> Iterator[Distribution]:
    """Yield what of the requirements is installed, with all that it requires in turn."""
    open_, seen = list(asked), set()
    while open_:
        try:
            requirement = Requirement(open_.pop())
            is_meant = requirement.marker is None or any(
                requirement.marker.evaluate({"extra": extra}) for extra in ("", *requirement.extras)
            )
            if not is_meant or requirement.name.lower() in seen:
                continue
            package = distribution(requirement.name)
        except (InvalidRequirement, PackageNotFoundError):
            continue
        seen.add(requirement.name.lower())
        yield package
        open_ += package.requires or []


def licence_of(package: Distribution) -> str:
    """Return the licence that a package states: its expression, else its classifiers, else its first line."""
    stated = package.metadata
    if "License-Expression" in stated:
        return stated["License-Expression"]
    classified = [line.rpartition(" :: ")[2] for line in stated.get_all("Classifier", []) if line.startswith("License")]
    plain = stated["License"] if not classified and "License" in stated else ""
    return " AND ".join(classified) or plain.strip().partition("\n")[0] or "none stated"


def is_allowed(licence: str) -> bool:
    """Tell whether all parts of a licence are allowed, or one of its alternatives.

    >>> is_allowed("MIT AND (GPL-3.0-only OR BSD-3-Clause)"), is_allowed("MIT AND GPL-3.0-only")
    (True, False)
    """
    parts = re.split(r"\s+AND\s+", licence)
    return all(any(ALLOWED.fullmatch(one.strip("() ")) for one in re.split(r"\s+OR\s+", part)) for part in parts)


def known_weaknesses() -> tuple[list[str], str]:
    """Return what pip-audit knows of the packages installed, and why it could not ask, if so."""
    done = ran("-m", "pip_audit", "--local", "-f", "json", "--progress-spinner", "off", "--timeout", "10")
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return [], f"no answer: {done.stderr.strip()[-200:]}"
    found = [f"{one['name']} {one['version']}: {weak['id']}" for one in packages for weak in one.get("vulns", ())]
    unknown = sum("vulns" not in package for package in packages)
    if unknown > len(packages) / 2:
        return found, f"the index knows nothing of {unknown} packages"
    if not found and not knows_weaknesses():
        return [], f"the index knows no weakness of {KNOWN_WEAK}, which has some"
    sys.stdout.write(f"pip-audit: {len(packages) - unknown} packages asked for\n")
    return found, ""


KNOWN_WEAK: Final = "urllib3==1.24.1"
"""A package with published weaknesses: an index that knows none of them has nothing to say of others, either."""


def knows_weaknesses() -> bool:
    """Tell whether the package index has weaknesses at all."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write(f"{KNOWN_WEAK}\n")
        asked.flush()
        words = ("-m", "pip_audit", "-r", asked.name, "--no-deps", "--disable-pip", "-f", "json", "--timeout", "10")
        done = ran(*words, "--progress-spinner", "off")
    try:
        return any(package.get("vulns") for package in json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        return False


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module in the project's folder."""
    try:
        return subprocess.run(  # noqa: S603 (our own words)
            [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", f"no answer within {SECONDS} s")


if __name__ == "__main__":
    sys.exit(main())
