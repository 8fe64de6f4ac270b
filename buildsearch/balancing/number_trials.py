"""Numbers of which nobody can say that more is better or worse: tried one by one, and in sets with Optuna.

Counted, never timed: the same seed tries the same sets.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from buildsearch.balancing.chains import Chain, Jury
from buildsearch.model.levers import Edit

# The levers that sets are made of, the most promising first.
_MOST_LEVERS = 24


@dataclass(eq=False)
class Trials:
    """Sets of up to `most` edits. `tried` says how many were looked at."""

    chains: Sequence[Chain]
    jury: Jury
    most: int
    trials: int
    seed: int
    until: float = math.inf
    tried: int = 0
    is_whole: bool = False

    def alone(self) -> Iterator[tuple[Edit, ...]]:
        """Every edit by itself that keeps the goal as far as a look says, the small steps first."""
        edits = sorted((edit for chain in self.chains for edit in chain.edits), key=lambda edit: edit.steps)
        for edit in edits:
            if self.tried == self.trials or time.monotonic() > self.until:
                return
            self.tried += 1
            if self.jury.look((edit,)).is_kept:
                yield (edit,)
        self.is_whole = True

    def together(self) -> Iterator[tuple[Edit, ...]]:
        """Sets that keep it, by Optuna: what came near is changed a little."""
        import optuna

        by_lever: dict[str, list[Edit]] = {}
        for chain in self.chains:
            if chain.lever in by_lever or len(by_lever) < _MOST_LEVERS:
                by_lever.setdefault(chain.lever, []).extend(chain.edits)
        if len(by_lever) < 2 or self.most < 2:
            return
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=self.seed))
        for _ in range(self.trials):
            if time.monotonic() > self.until:
                return
            trial = study.ask()
            chosen: dict[str, Edit] = {}
            for place in range(self.most):
                lever = trial.suggest_categorical(f"lever {place}", list(by_lever))
                # A lever that is chosen twice is moved once.
                far = trial.suggest_float(f"step {place}", 0.0, 1.0)
                edits = by_lever[lever]
                chosen.setdefault(lever, edits[min(int(far * len(edits)), len(edits) - 1)])
            some = tuple(chosen.values())
            self.tried += 1
            seen = self.jury.look(some)
            study.tell(trial, seen.gap)
            if seen.is_kept:
                yield self._fewest(some)

    def _fewest(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        """Without what is not needed."""
        for edit in edits:
            rest = tuple(each for each in edits if each is not edit)
            if rest and self.jury.look(rest).is_kept:
                return self._fewest(rest)
        return edits
