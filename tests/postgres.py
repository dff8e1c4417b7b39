"""A PostgreSQL server of the tests' own, from installed binaries: unix socket only, files in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Where distributions put the server's programs; the newest version wins.
BINARIES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql*/bin",
)


def find_binaries() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``; None where there is none."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).parent
    folders = [folder for pattern in BINARIES for folder in Path("/").glob(pattern.lstrip("/"))]
    fit = [folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()]
    return max(fit, key=lambda folder: int("".join(filter(str.isdigit, str(folder))) or 0), default=None)


def missing() -> str | None:
    """Why no server can be started; None where one can."""
    if find_binaries() is None:
        return "no PostgreSQL server binaries (initdb, pg_ctl)"
    if os.geteuid() == 0 and (shutil.which("runuser") is None or not _has_user("postgres")):
        return "PostgreSQL refuses to run as root, and there is no user postgres to run it as"
    return None


def _has_user(name: str) -> bool:
    return any(entry.pw_name == name for entry in pwd.getpwall())


@contextmanager
def server() -> Iterator[str]:
    """Start a server and give the URL of its database ``postgres``; stop and delete it at the end."""
    binaries = find_binaries()
    assert binaries is not None
    folder = Path(tempfile.mkdtemp(prefix="ncpg"))  # short: a socket's path may have 107 characters
    as_user: list[str] = []
    if os.geteuid() == 0:
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        command = [*as_user, str(binaries / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")  # noqa: S603 (our own words)

    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    try:
        run("initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
