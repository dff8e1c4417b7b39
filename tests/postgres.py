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


class Server:
    """A server that can be killed and started again. ``url`` is that of its database ``postgres``."""

    def __init__(self, options: str) -> None:
        binaries = find_binaries()
        assert binaries is not None
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="ncpg"))  # short: a socket's path may have 107 characters
        self.data = self.folder / "data"
        self.options = f"-k {self.folder} -c listen_addresses='' {options}"
        self.as_user: list[str] = []
        if os.geteuid() == 0:
            self.as_user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(self.folder, "postgres")
        self.url = f"postgresql+psycopg://postgres@/postgres?host={self.folder}"
        self._run("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", self.options, "start")

    def stop(self) -> None:
        """End it at once, as a crash does: what was committed is recovered at the next start."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self.as_user, str(self.binaries / program), "-D", str(self.data), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")  # noqa: S603 (our own words)


@contextmanager
def running(options: str) -> Iterator[Server]:
    """Start a server; stop and delete it at the end."""
    started = Server(options)
    try:
        started.start()
        try:
            yield started
        finally:
            started.stop()
    finally:
        started.remove()


@contextmanager
def server() -> Iterator[str]:
    """Start a server and give the URL of its database ``postgres``; stop and delete it at the end."""
    with running("-c fsync=off -c synchronous_commit=off -c full_page_writes=off") as started:
        yield started.url
