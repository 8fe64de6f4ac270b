"""A study: what it holds; in memory, in a journal file, or in any database that SQLAlchemy knows."""

from __future__ import annotations

import os
import re
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import optuna
from optuna.samplers import BaseSampler
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock, JournalFileSymlinkLock
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from buildsearch.files.safe_reading import RefusedError, open_plain, parse_json
from buildsearch.model.arrays import Floats
from buildsearch.model.errors import BuildsearchError, UsageError
from buildsearch.search.guided.space import BuildCoder, Key

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


_HIDDEN = "***"
# So many letters in a row of a secret, and a message tells too much of it.
_TELLING = 3


def is_database(address: str) -> bool:
    """Whether an address is a database's; everything else is a journal file."""
    return "://" in address


def without_password(address: str) -> str:
    """An address that may be shown.

    Where it can be read in one way only, all but the password; else no more than the kind of database: a
    password may have an @, a / or a ? in it, and may stand among the options after a ?.
    """
    if not is_database(address):
        return address
    scheme, _, rest = address.partition("://")
    if "?" in rest or rest.count("@") > 1:
        return f"{scheme}://{_HIDDEN}"
    login, at, place = rest.rpartition("@")
    # What stands where a port should be may be a password whose @ was forgotten.
    if not re.fullmatch(r"[^:]*(:[0-9]*)?", place.partition("/")[0]):
        return f"{scheme}://{_HIDDEN}"
    if not at:
        return address
    user, colon, _ = login.partition(":")
    return f"{scheme}://{user}:{_HIDDEN}@{place}" if colon else f"{scheme}://{_HIDDEN}@{place}"


def reason_without_password(error: Exception, address: str) -> str:
    """What a driver says, but only what kind of error it is where its words repeat a part of the secret."""
    said = " ".join(str(error).split()) or type(error).__name__
    for secret in _secrets(address):
        pieces = [secret[at : at + _TELLING] for at in range(max(1, len(secret) - _TELLING + 1))]
        if any(piece in said for piece in pieces):
            return f"{type(error).__name__} (its words would show a part of the password)"
    return said


def _secrets(address: str) -> list[str]:
    """Everything that an address does not show, as it is written and as it is meant."""
    if without_password(address) == address:
        return []
    rest = address.partition("://")[2]
    if "?" in rest or rest.count("@") > 1 or "@" not in rest:
        hidden = re.split(r"[:@/?&=]", rest)
    else:
        login = rest.rpartition("@")[0]
        hidden = [login.partition(":")[2] or login]
    return [secret for each in hidden for secret in {each, unquote(each)} if secret]


# A trial that began so long ago belongs to a process that was killed: its build is free again.
_LOST = timedelta(minutes=15)


class Records:
    """Scores by build, and the builds that somebody is at work on. Values are smaller-is-better here."""

    def __init__(self, coder: BuildCoder, signs: tuple[float, ...]) -> None:
        self._coder = coder
        self._signs = signs
        self._settled: set[int] = set()
        self._under_way: set[Key] = set()
        self.costs: dict[Key, tuple[float, ...]] = {}
        self.failed: set[Key] = set()

    def __len__(self) -> int:
        return len(self.costs) + len(self.failed)

    def is_known(self, key: Key) -> bool:
        """Whether a build is scored or somebody is at it."""
        return key in self.costs or key in self._under_way or key in self.failed

    def take(self, key: Key) -> None:
        """Somebody is at a build now."""
        self._under_way.add(key)

    def refresh(self, study: Study) -> None:
        self._under_way = set()
        for trial in study.get_trials(deepcopy=False):
            if trial.number in self._settled:
                continue
            key = self._coder.key_of(trial.params) or self._coder.key_of(
                trial.system_attrs.get("fixed_params", {})
            )
            if trial.state.is_finished():
                self._settled.add(trial.number)
            if key is not None:
                self._put(key, trial)

    def _put(self, key: Key, trial: FrozenTrial) -> None:
        if trial.state is TrialState.COMPLETE:
            values = zip(self._signs, trial.values, strict=True)
            self.costs[key] = tuple(sign * value for sign, value in values)
        elif trial.state is TrialState.FAIL:
            self.failed.add(key)
        elif not _is_lost(trial):
            self._under_way.add(key)

    def table(self) -> tuple[list[Key], Floats]:
        """Builds in the order of their trials, and their costs (builds, objectives)."""
        keys = list(self.costs)
        return keys, np.array([self.costs[key] for key in keys]).reshape(len(keys), len(self._signs))


def _is_lost(trial: FrozenTrial) -> bool:
    return trial.datetime_start is not None and datetime.now() - trial.datetime_start > _LOST
