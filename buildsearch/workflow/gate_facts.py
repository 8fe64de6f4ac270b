"""What assertions look at, for `check` and `diff --check`."""

from __future__ import annotations

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.gate.facts import Facts
from buildsearch.model.space import BuildSpace
from buildsearch.search.cached import CachedScorer
from buildsearch.search.hands import workers
from buildsearch.search.ledger import Floats, Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.race import RaceRules
from buildsearch.search.score_table import score_table
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.meta import meta_of_ledger
from buildsearch.workflow.subjects import subject_of


def facts_of(
    setup: FightSetup,
    scorer: CachedScorer,
    ledger: Ledger,
    costs: Floats,
    objective: Objective,
    rules: RaceRules,
    jobs: int,
    where: str | None = None,
    fights: int | None = None,
) -> Facts:
    """A ruleset whose builds have these costs. `where` is what the parameters say, unless told otherwise.

    `fights`: so many at most say who beats whom, if anybody asks.
    """
    primary = setup.loaded.system.metrics[0]
    scores = score_table(
        ledger,
        setup.space,
        objective.shown(costs),
        higher_is_better=objective.higher_is_better,
        primary_higher_is_better=primary.higher_is_better,
    )
    return Facts(
        where=where or say_parameters(setup.space),
        scorer=scorer,
        ledger=ledger,
        subject=subject_of(setup, scores, objective.name),
        primary=primary,
        limits=read_thresholds(),
        seed=rules.seed,
        jobs=workers(jobs),
        alpha=rules.alpha,
        play_meta=meta_of_ledger(setup, scorer, ledger, costs, rules, jobs, fights),
    )


def say_parameters(space: BuildSpace) -> str:
    """`tier 3, archetype focused, ...`."""
    return ", ".join(f"{name} {value}" for name, value in space.parameters.items())
