"""What analysis looks at, from a run or from what `check` has scored."""

from __future__ import annotations

from buildsearch.analysis.analyses import AnalysisInput
from buildsearch.library.fight_setup import FightSetup
from buildsearch.model.system import NeedsTargets
from buildsearch.search.objectives import Objective, read_objectives
from buildsearch.search.score_table import ScoreTable


def subject_of(
    setup: FightSetup,
    scores: ScoreTable,
    objective: str | None = None,
    *,
    triggers: bool = True,
    beyond: tuple[ScoreTable, FightSetup] | None = None,
) -> AnalysisInput:
    """Scores of a setup's builds by an objective (default: the mean of the primary metric)."""
    system, rules = setup.loaded.system, setup.loaded.model
    chosen: Objective = read_objectives(() if objective is None else (objective,), system.metrics)[0]
    primary = system.metrics[0]
    least = None
    if primary.counts_steps and chosen.metric is primary:
        scorer = system.bulk(rules, setup.space)
        least = [scorer.outcome_range(primary.name, setup.fights[name])[0] for name in scores.fights]
    return AnalysisInput(
        scores=scores,
        space=setup.space,
        options=system.options(rules),
        fights=setup.fights,
        replayer=system.replayer(rules) if triggers else None,
        objective=chosen,
        primary=primary,
        evaluators=system.evaluators(rules),
        least=least,
        beyond=None if beyond is None else (beyond[0], beyond[1].space),
        below_rules=_below_rules(setup),
        absent_targets=(
            system.absent_targets(rules, setup.fights) if isinstance(system, NeedsTargets) else {}
        ),
    )


def _below_rules(setup: FightSetup) -> dict[str, tuple[int, int]]:
    """Parameters with fewer points than the rules give by themselves: both numbers, by name."""
    system, mine = setup.loaded.system, setup.space.parameters
    limits = [each.name for each in system.parameters if each.limits_cost and each.is_number]
    given = {name: str(value) for name, value in mine.items() if name not in limits and value is not None}
    usual = system.space(setup.loaded.model, given).parameters
    return {
        name: (int(mine[name]), int(usual[name]))
        for name in limits
        if mine.get(name) is not None and usual.get(name) is not None and int(mine[name]) < int(usual[name])
    }
