"""Where a study is kept: in memory, in a journal file, or in any database that SQLAlchemy knows."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import optuna
from optuna.samplers import BaseSampler
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock, JournalFileSymlinkLock
from optuna.study import Study

from buildsearch.files.safe_reading import RefusedError, open_plain, parse_json
from buildsearch.model.errors import BuildsearchError, UsageError
from buildsearch.search.guided.addresses import is_database, reason_without_password, without_password

_MOST_BYTES = 1 << 30
_LONGEST_LINE = 1 << 20
_SQLITE = "sqlite:///"
# Seconds until tables that another process makes are looked for again.
_PAUSES = (0.5, 1.0, 2.0)


def open_study(storage: str | None, name: str, sampler: BaseSampler, signs: Sequence[float]) -> Study:
    """A new study, or the one of this name if the storage has it; raises UsageError."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with storage_trouble(storage):
        return optuna.create_study(
            storage=_storage(storage),
            sampler=sampler,
            study_name=name,
            directions=["minimize" if sign > 0 else "maximize" for sign in signs],
            load_if_exists=True,
        )


@contextmanager
def storage_trouble(storage: str | None) -> Iterator[None]:
    """Whatever goes wrong with a storage, as a sentence without its password; without one, as it is."""
    try:
        yield
    except BuildsearchError:
        raise
    except Exception as error:  # whatever a database driver or a damaged journal may raise
        if storage is None:
            raise
        # Not `from error`: its words, and those of its causes, may hold the password.
        raise UsageError(
            f"cannot use the storage {without_password(storage)}: {reason_without_password(error, storage)}. "
            "Give a file, or an address such as sqlite:///study.db."
        ) from None


def _storage(address: str | None) -> BaseStorage | None:
    """An address with :// is a database, everything else a journal file."""
    if address is None:
        return None
    if is_database(address):
        if address.startswith(_SQLITE):
            _check_plain(Path(address.removeprefix(_SQLITE)))
        return _database(address)
    path = Path(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    _check_plain(path)
    if path.exists():
        _check_journal(path)
    return JournalStorage(JournalFileBackend(address, lock_obj=_lock_of(path)))


def _database(address: str) -> BaseStorage:
    """A database with its tables. Of processes that come first at once one makes them, and others fail."""
    from sqlalchemy.exc import IntegrityError, ProgrammingError

    for seconds in (*_PAUSES, None):
        try:
            storage = RDBStorage(address)
            # Or connections would stay open until the server hangs up.
            weakref.finalize(storage, storage.engine.dispose)
            break
        except (IntegrityError, ProgrammingError):
            if seconds is None:
                raise
            time.sleep(seconds)
    return storage


def _lock_of(path: Path) -> JournalFileOpenLock | JournalFileSymlinkLock:
    """What processes that share a journal wait for. On Windows not everybody may make links."""
    return JournalFileOpenLock(str(path)) if os.name == "nt" else JournalFileSymlinkLock(str(path))


def _check_plain(path: Path) -> None:
    if path.exists():
        open_plain(path, _MOST_BYTES).close()


def _check_journal(path: Path) -> None:
    """Refuse what is no journal, line by line; what a kill left of a last line is cut off."""
    lock = _lock_of(path)
    with open_plain(path, _MOST_BYTES) as file:
        number = 0
        while line := file.readline(_LONGEST_LINE):
            number += 1
            if not line.endswith(b"\n"):
                break
            try:
                entry = parse_json(line.decode("utf-8"))
            except ValueError:
                entry = None
            if not _is_entry(entry):
                raise RefusedError(f"line {number} is not one of a journal")
    if line:
        if len(line) == _LONGEST_LINE:
            raise RefusedError(f"line {number} is too long for one of a journal")
        lock.acquire()
        try:
            _cut_last_line(path)
        finally:
            lock.release()


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    return type(entry.get("op_code")) is int and isinstance(entry.get("worker_id"), str)


def _cut_last_line(path: Path) -> None:
    with path.open("rb+") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _LONGEST_LINE))
        tail = file.read()
        if not tail.endswith(b"\n"):  # nobody has written on in the meantime
            file.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
