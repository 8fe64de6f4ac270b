"""Where a study is kept: in memory, in a journal file, or in any database that SQLAlchemy knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import optuna
from optuna.samplers import BaseSampler
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.study import Study

from buildsearch.model.errors import UsageError, reason_of


def open_study(storage: str | None, name: str, sampler: BaseSampler, signs: Sequence[float]) -> Study:
    """A new study, or the one of this name if the storage has it; raises UsageError."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna.create_study(
        storage=_storage(storage),
        sampler=sampler,
        study_name=name,
        directions=["minimize" if sign > 0 else "maximize" for sign in signs],
        load_if_exists=True,
    )


def _storage(address: str | None) -> BaseStorage | None:
    """An address with :// is a database, everything else a journal file."""
    if address is None:
        return None
    try:
        if "://" in address:
            return RDBStorage(address)
        Path(address).parent.mkdir(parents=True, exist_ok=True)
        return JournalStorage(JournalFileBackend(address))
    except Exception as error:  # whatever a database driver may raise
        raise UsageError(
            f"cannot open the storage {address}: {reason_of(error)}. Give a file, or an address such as sqlite:///study.db."
        ) from error
