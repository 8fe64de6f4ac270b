"""What assertions look at, for `check` and `diff --check`."""

from __future__ import annotations

from collections.abc import Callable

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.gate.check_input import CheckInput
from buildsearch.library.meta import builds_meet, meta_of_ledger
from buildsearch.library.stored_runs import RunOf
from buildsearch.library.subjects import subject_of
from buildsearch.meta.double_oracle import Meta
from buildsearch.model.space import BuildSpace
from buildsearch.search.executor import executor_of
from buildsearch.search.objectives import read_objectives


def facts_of(found: RunOf, where: str | None = None, fights: int | None = None) -> CheckInput:
    """A run as `analyze` sees it. `where` is what the parameters say, unless told otherwise.

    `fights`: matchups cost at most this many, if an assertion asks about them.
    """
    run, setup = found.run, found.run.setup
    return CheckInput(
        where=where or say_parameters(setup.space),
        subject=subject_of(setup, run.scores, run.objective, beyond=run.beyond),
        primary=setup.loaded.system.metrics[0],
        limits=read_thresholds(),
        seed=found.request.seed,
        jobs=executor_of(found.making.jobs).threads,
        alpha=found.request.alpha,
        score_again=found.score_again,
        play_meta=_play_meta(found, fights),
    )


def _play_meta(found: RunOf, fights: int | None) -> Callable[[], Meta] | None:
    """How matchups are found out; None where builds do not meet."""
    setup = found.run.setup

    def play() -> Meta:
        scorer, ledger = found.score_again()
        (objective, *_) = read_objectives(found.request.objectives, setup.loaded.system.metrics)
        costs = objective.costs(ledger, scorer.scorer)
        return meta_of_ledger(setup, scorer, ledger, costs, found.request, fights)

    return play if builds_meet(setup) else None


def say_parameters(space: BuildSpace) -> str:
    """`tier 3, archetype focused, ...`."""
    return ", ".join(f"{name} {value}" for name, value in space.parameters.items())
