"""What a study holds, as keys of builds: this process's trials and those of others."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from buildsearch.search.guided.build_coder import BuildCoder, Key

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
        """Read what is new in the storage."""
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

    def table(self) -> tuple[list[Key], NDArray[np.float64]]:
        """Builds in the order of their trials, and their costs (builds, objectives)."""
        keys = list(self.costs)
        return keys, np.array([self.costs[key] for key in keys]).reshape(len(keys), len(self._signs))


def _is_lost(trial: FrozenTrial) -> bool:
    return trial.datetime_start is not None and datetime.now() - trial.datetime_start > _LOST
