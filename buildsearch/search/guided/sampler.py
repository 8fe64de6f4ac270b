"""A sampler that proposes legal builds only, and none twice.

It asks TPE or NSGA-II for values, takes the legal build that they amount to, and gives that build's
parameters to the trial: so a study holds legal builds, and what the inner sampler learns from is what was
really scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler, NSGAIISampler, TPESampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from buildsearch.search.guided.space import BuildCoder, Key

NSGA2 = "nsga2"

# Random builds that start a study, and the size of a generation.
STARTUP = 64
_POOL = 256
_TRIES = 64


def make_inner(name: str, seed: int) -> BaseSampler:
    if name == NSGA2:
        return NSGAIISampler(population_size=STARTUP, seed=seed)
    # All parameters together, since a part is good or bad by what it stands with. No lies about running
    # trials: no build is proposed twice anyway, and lies are written to the storage.
    return TPESampler(n_startup_trials=STARTUP, multivariate=True, constant_liar=False, seed=seed)


class LegalSampler(BaseSampler):
    """Wraps a sampler. Seeds depend on the first trial's number, which no two processes share."""

    def __init__(self, coder: BuildCoder, name: str, seed: int, is_known: Callable[[Key], bool]) -> None:
        self._coder = coder
        self._name = name
        self._seed = seed
        self._is_known = is_known
        self._inner: BaseSampler | None = None
        self._rng = np.random.default_rng(seed)
        self._pool: list[Any] = []
        self._open = {
            name: distribution
            for name, distribution in coder.distributions.items()
            if not distribution.single()
        }

    @property
    def rng(self) -> np.random.Generator:
        """The randomness of everything that is not the inner sampler's."""
        return self._rng

    def begin(self, number: int) -> None:
        """Make the inner sampler; `number` is that of a trial of this process."""
        if self._inner is None:
            self._rng = np.random.default_rng([self._seed, number])
            self._inner = make_inner(self._name, int(self._rng.integers(1 << 31)))

    def random_build(self) -> Any:
        """A build drawn uniformly; many are drawn at a time, because a draw may cost a listing."""
        if not self._pool:
            self._pool = self._coder.space.sample(self._coder.wanted, _POOL, self._rng)
        return self._pool.pop()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """All parameters, always."""
        return self._open

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The inner sampler's values, made legal and new."""
        self.begin(trial.number)
        assert self._inner is not None  # noqa: S101 - made above
        values = self._inner.sample_relative(study, trial, search_space)
        build = self._from(values) if values else self.random_build()
        key = self._new(build)
        return {name: value for name, value in self._coder.params(key).items() if name in search_space}

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """Never needed, as all parameters are relative; any value will do."""
        choices = self._coder.choices[param_name]
        return choices[int(self._rng.integers(len(choices)))]

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        self.begin(trial.number)
        assert self._inner is not None  # noqa: S101 - made above
        self._inner.before_trial(study, trial)

    def after_trial(
        self, study: Study, trial: FrozenTrial, state: TrialState, values: Sequence[float] | None
    ) -> None:
        assert self._inner is not None  # noqa: S101 - made before the trial
        self._inner.after_trial(study, trial, state, values)

    def _from(self, values: dict[str, Any]) -> Any:
        """The legal build of some values; what a mutation left open is drawn."""
        filled = []
        for name, choices in self._coder.choices.items():
            filled.append(values[name] if name in values else choices[int(self._rng.integers(len(choices)))])
        return self._coder.build(tuple(filled))

    def _new(self, build: Any) -> Key:
        """The build if it is new, else a new neighbour of it, else a new random one; else itself."""
        key = self._coder.key(build)
        if not self._is_known(key):
            return key
        near = self._coder.neighbours(key)
        for place in self._rng.permutation(len(near)):
            other = near[int(place)]
            if not self._is_known(other):
                return other
        for _ in range(_TRIES):
            other = self._coder.key(self.random_build())
            if not self._is_known(other):
                return other
        return key
