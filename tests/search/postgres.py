"""A PostgreSQL server of the distribution's packages, in a folder of its own, as a user who is not root."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

PASSWORD = "s3cr3t-w0rd"  # noqa: S105 - of a server that lives for a test
_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _program(name: str) -> str | None:
    return next((str(each / name) for each in _FOLDERS if (each / name).exists()), shutil.which(name))


class Postgres:
    """Started and stopped by a test; it asks for a password, as a server that others reach would."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._data = folder, folder / "data"
        self._programs = {name: _program(name) for name in ("initdb", "postgres")}
        missing = [name for name, path in self._programs.items() if path is None]
        if missing:
            pytest.skip(f"no PostgreSQL server is installed (apt install postgresql): no {missing[0]}")
        self._as: dict[str, object] = {}
        if os.getuid() == 0:
            import pwd

            try:
                user = pwd.getpwnam("postgres")
            except KeyError:
                pytest.skip("PostgreSQL does not run as root, and there is no user `postgres`")
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
            for each in folder.parents:
                if each.stat().st_uid == 0 and not each.stat().st_mode & 0o001:
                    each.chmod(each.stat().st_mode | 0o011)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    @property
    def address(self) -> str:
        return f"postgresql+psycopg://builds:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Postgres:
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        words = ["-D", self._data, "-U", "builds", f"--pwfile={secret}", "--auth=scram-sha-256", "--no-sync"]
        made = subprocess.run(
            [self._programs["initdb"], *words],
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            **self._as,
        )
        if made.returncode:
            pytest.skip(f"no database can be made here: {made.stderr.strip().splitlines()[-1]}")
        settings = {"listen_addresses": "127.0.0.1", "fsync": "off", "unix_socket_directories": ""}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        log = (self._folder / "log").open("w")
        self._process = subprocess.Popen(
            [self._programs["postgres"], "-D", self._data, "-p", str(self.port), *words],
            stdout=log,
            stderr=log,
            cwd="/",
            **self._as,
        )
        log.close()
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            assert self._process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGINT)  # at once, whoever is still connected
        self._process.wait()
