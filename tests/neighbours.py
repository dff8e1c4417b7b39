"""``python -m tests.neighbours``: the blocks of ``docs/recipes.md``, run with the tools that they name.

Each block runs in one folder, after a harvest of the demo. Its ``checkout`` holds the project, its ``bin`` the programs
that the demo answers. A line that ends with ``&`` runs until the end. A block that fails ends the run with status 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT: Final = Path(__file__).parent.parent
PAGE: Final = PROJECT / "docs" / "recipes.md"
MANIFESTS: Final = PROJECT / "docs" / "kubernetes.md"
DEMO: Final = PROJECT / "data" / "demo" / "demo.warc.gz"
_BLOCK: Final = re.compile(
    r"^## (?P<title>[^\n]+)$|(?P<skip><!-- not run: .+? -->\n)?^```(?P<kind>python|console)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
#: Program → what it is here: the demo answers the crawls of this environment's command, and those asked of scrapyd.
_PROGRAMS: Final = {
    "newscrawl": f"""#!/bin/sh
case "$1" in crawl) set -- "$@" -s NEWSCRAWL_REPLAY={DEMO};; esac
PYTHONPATH={PROJECT}:$PYTHONPATH exec {sys.executable} -m newscrawl "$@"
""",
    "curl": f"""#!/bin/sh
exec {shutil.which("curl")} "$@" -d setting=NEWSCRAWL_REPLAY={DEMO}
""",
}
_CHECKOUT: Final = ("newscrawl", "examples", "pyproject.toml", "scrapy.cfg", "README.md", "LICENSE")
_SOCKETS: Final = Path("/proc/net/tcp")
_LISTENS: Final = "0A"
#: Word of a block → program that pip has not. A block whose program is not here is left out; in CI it fails.
_ELSEWHERE: Final = {"newsboat": ("newsboat",), "playwright": ("chromium", "google-chrome", "$NEWSCRAWL_CHROMIUM")}
#: Most seconds of one block.
SECONDS: Final = 240


class Recipe(NamedTuple):
    title: str
    kind: str
    text: str


def recipes(page: str) -> Iterator[Recipe]:
    """Yield the blocks that are run, in order, each below its heading."""
    title = "files"
    for found in _BLOCK.finditer(page):
        title = found["title"] or title
        if found["kind"] and not found["skip"]:
            yield Recipe(title, found["kind"], found["text"])


def missing(recipe: Recipe) -> str:
    """Return the program that a block needs and this machine lacks, else ``""``."""
    for word, programs in _ELSEWHERE.items():
        if word in recipe.text and not any(shutil.which(os.path.expandvars(program)) for program in programs):
            return programs[0]
    return ""


def lay_out(folder: Path) -> None:
    """Write what the blocks find in their folder."""
    (folder / "bin").mkdir()
    for name, text in _PROGRAMS.items():
        (folder / "bin" / name).write_text(text, encoding="utf-8")
        (folder / "bin" / name).chmod(0o755)
    for name in _CHECKOUT:
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
        (folder / "checkout").mkdir(exist_ok=True)
        copy(PROJECT / name, folder / "checkout" / name)
    (folder / "kubernetes").mkdir()
    manifests = re.findall(r"```yaml\n(apiVersion:.*?)```", MANIFESTS.read_text(encoding="utf-8"), re.DOTALL)
    for number, text in enumerate(manifests):
        (folder / "kubernetes" / f"{number}.yaml").write_text(text, encoding="utf-8")


def listens(process: int) -> bool:
    """Tell whether a process waits for connections, as Linux knows it."""
    rows = map(str.split, _SOCKETS.read_text(encoding="ascii").splitlines())
    listening = {f"socket:[{row[9]}]" for row in rows if row[3] == _LISTENS}
    with suppress(FileNotFoundError):
        return any(os.readlink(open_file) in listening for open_file in Path(f"/proc/{process}/fd").iterdir())
    return False


def run_recipe(recipe: Recipe, folder: Path, background: ExitStack) -> str:
    """Run a block; return what it printed where it failed, else ``""``.

    :param background: ends what runs until the end.
    """
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": f"{PROJECT}{os.pathsep}{folder}",
        "HF_HOME": str(folder / "huggingface"),
    }
    if recipe.kind == "python":
        named = re.match(r"# (\w+\.py)\n", recipe.text)
        path = folder / (named[1] if named else "recipe.py")
        path.write_text(recipe.text, encoding="utf-8")
        commands = [] if named else [f"{sys.executable} {path}"]
    else:
        commands = [line.removeprefix("$ ") for line in recipe.text.splitlines() if line.startswith("$ ")]
    for command in commands:
        if command.endswith("&"):
            # what it starts must find the project by itself
            alone = {name: value for name, value in environment.items() if name != "PYTHONPATH"}
            words = command.removesuffix("&").split()
            process = subprocess.Popen(  # noqa: S603 (as below)
                words, cwd=folder, env=alone, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            background.callback(process.wait, SECONDS)
            background.callback(process.terminate)
            until = time.monotonic() + SECONDS
            while not listens(process.pid) and process.poll() is None and time.monotonic() < until:
                time.sleep(0.2)
            continue
        try:
            done = subprocess.run(  # noqa: S602 (lines of a page of ours)
                command,
                shell=True,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            return str(error)
        if done.returncode or "Traceback" in done.stderr:
            return f"{command}\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="TITLE", help="the files, and the blocks below one heading")
    only = parser.parse_args().only
    failed = 0
    with tempfile.TemporaryDirectory() as name, ExitStack() as background:
        lay_out(Path(name))
        for recipe in recipes(PAGE.read_text(encoding="utf-8")):
            if only in {None, recipe.title} or recipe.title == "files":
                started = time.monotonic()
                if not os.environ.get("CI") and (program := missing(recipe)):
                    print(f"{'left':6} {recipe.title}: no {program} here")  # noqa: T201
                    continue
                said = run_recipe(recipe, Path(name), background)
                failed += bool(said)
                print(f"{'FAILED' if said else 'ok':6} {recipe.title} ({time.monotonic() - started:.1f} s)", said)  # noqa: T201
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
