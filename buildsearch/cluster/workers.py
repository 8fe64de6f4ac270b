"""What workers do before they get work: compiled code in a folder of their own machine, and compiled once."""

from __future__ import annotations

import asyncio
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import WorkerPlugin

from buildsearch.model.space import Chunk

_PACKAGE = Path(__file__).resolve().parent.parent
_MOUNTS = Path("/proc/self/mountinfo")
# File systems that other machines write to as well: numba's files have no lock that would hold there.
_SHARED = {"nfs", "nfs4", "cifs", "smb3", "lustre", "gpfs", "beegfs", "ceph", "glusterfs", "afs", "9p"}
_SHARED |= {"fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.beegfs", "virtiofs", "panfs", "orangefs"}


class WarmUp(WorkerPlugin):  # type: ignore[misc]  # Dask's types are not looked at
    """Runs on every worker, also on those that join later."""

    def __init__(self, scorer: bytes, few: Sequence[Chunk], fights: Sequence[Any]) -> None:
        self._scorer, self._few, self._fights = scorer, list(few), list(fights)
        self.name = f"buildsearch-{hashlib.sha256(scorer).hexdigest()[:16]}"

    async def setup(self, worker: Any) -> None:
        """What goes wrong here goes wrong again in a task, and is reported there."""
        # In a thread: compiling takes minutes, and a worker that says nothing for so long is given up.
        await asyncio.get_running_loop().run_in_executor(None, self._warm)

    def _warm(self) -> None:
        with suppress(Exception):
            keep_code_here()
            scorer = pickle.loads(self._scorer)  # noqa: S301 - Dask runs whatever a client sends
            for fight in self._fights:
                for chunk in self._few:
                    scorer.solve(chunk, fight)
                    scorer.sample(chunk, fight, 0, 1)


def keep_code_here() -> None:
    """Let numba keep compiled code on this machine where the package lies on a disk that many share.

    A folder in NUMBA_CACHE_DIR comes first; and it is too late once numba has read its settings.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or "numba" in sys.modules or not _is_shared(_PACKAGE):
        return
    folder = Path(tempfile.gettempdir()) / f"buildsearch-numba-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    about = folder.lstat()
    # What lies there is run, so it must be ours.
    if about.st_uid == os.getuid() and not about.st_mode & 0o077 and folder.is_dir():
        os.environ["NUMBA_CACHE_DIR"] = str(folder)


def _is_shared(path: Path) -> bool:
    try:
        return file_system(_MOUNTS.read_text(encoding="utf-8"), path) in _SHARED
    except OSError:
        return False


def file_system(mounts: str, path: Path) -> str:
    """The kind of file system that a folder is on, by the lines of /proc/self/mountinfo; "" if none fits."""
    found, length = "", -1
    for line in mounts.splitlines():
        mount, _, kind = line.partition(" - ")
        fields = mount.split(" ")
        if len(fields) > 4 and path.is_relative_to(fields[4]) and len(fields[4]) >= length:
            found, length = kind.split(" ")[0], len(fields[4])
    return found
