"""Single builds: scored, compared, and one of their fights told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from buildsearch.document.blocks import Document
from buildsearch.library.arguments import takes
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.game import Game, directions
from buildsearch.library.search import unscored_by
from buildsearch.library.tables import Answer, Page, Table, table_of_rows
from buildsearch.library.watch import SILENT, Watch, watch_by
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import Fight, Replay
from buildsearch.options.fields import Texts
from buildsearch.options.search import ScoreArguments, ScoreFields, TraceArguments, TraceFields
from buildsearch.ruleset.messages import suggest
from buildsearch.views.scores import (
    ScoredBuild,
    Scoring,
    combined,
    compare_document,
    score_document,
    trace_document,
)


class ScoredBuilds(Page, Table):
    """Some builds with their scores: a table, and the page of `buildsearch score`."""

    def __init__(
        self, builds: Sequence[ScoredBuild], scoring: Scoring, higher_is_better: dict[str, bool]
    ) -> None:
        self._builds, self._scoring = builds, scoring
        rows = [self._row(each) for each in builds]
        super().__init__(table_of_rows(rows, list(rows[0])).to_arrow, higher_is_better=higher_is_better)

    def document(self) -> Document:
        return score_document(self._builds, self._scoring)

    def compared(self) -> Answer:
        """The page of `buildsearch compare`: the first of them beside the second."""
        return Answer(compare_document(self._builds, self._scoring))

    def _row(self, build: ScoredBuild) -> dict[str, Any]:
        whole = combined(build.evaluations, self._scoring.weights)
        row: dict[str, Any] = {"build": build.name, "cost": build.cost}
        row |= {"score": whole.value, "score_low": whole.low, "score_high": whole.high}
        for name, each in build.evaluations.items():
            for metric, estimate in each.estimates.items():
                row[f"{name}_{metric}"] = estimate.value
                ends = name if metric == each.primary else f"{name}_{metric}"
                row[f"{ends}_low"], row[f"{ends}_high"] = estimate.low, estimate.high
            row[f"{name}_method"], row[f"{name}_fights"] = each.method, each.fights
        return row


@takes(ScoreArguments)
def score(game: Game, builds: Texts, given: ScoreArguments) -> ScoredBuilds:
    """Some builds in every fight of a game.

    Args:
        game: what `load` gave.
        builds: a build or several, e.g. `"melee_dg+bleed"`.

    Returns:
        A row for each build: its score over all fights with a 95% interval, and by fight every metric with
        its interval and how it was found.

    """
    return score_builds(game.setup, builds, given, watch_by(None, given.cancel))


@takes(ScoreArguments)
def compare(game: Game, first: str, second: str, given: ScoreArguments) -> Answer:
    """Which of two builds is better, by how much and where.

    Args:
        game: what `load` gave.
        first: a build, A on the page.
        second: another build, B on the page.

    Returns:
        The page of `buildsearch compare`; by name what its JSON has.

    """
    return score_builds(game.setup, [first, second], given, watch_by(None, given.cancel)).compared()


@takes(TraceArguments)
def trace(game: Game, build: str, given: TraceArguments) -> Answer:
    """One fight turn by turn, from the readable reference.

    Args:
        game: what `load` gave.
        build: the build that fights.

    Returns:
        The fight as a page; `["events"]` has it for programs.

    """
    return Answer(trace_document(*told_fight(game.setup, build, given, watch_by(None, given.cancel))))


def score_builds(
    setup: FightSetup,
    texts: Sequence[str],
    how: ScoreFields,
    watch: Watch = SILENT,
    *,
    today: FightSetup | None = None,
    trigger_fights: int = 0,
    policies: bool = False,
) -> ScoredBuilds:
    """Builds in every fight. `today` are the rules without overrides: it is said where these make a legal
    build illegal. `trigger_fights` are played for trigger rates; `policies`: what is done when."""
    chosen = setup.read_builds(texts)
    system, rules = setup.loaded.system, setup.loaded.model
    dear = [None if today is None else _over_budget(setup, build, today) for build in chosen]
    found = []
    for build, evaluations, why in zip(chosen, setup.evaluate(chosen, how, watch), dear, strict=True):
        rates = {}
        if trigger_fights:
            replayer = system.replayer(rules)
            rates = {
                name: replayer.triggers(build, fight, trigger_fights, how.seed)
                for name, fight in setup.fights.items()
            }
        said = setup.policies(build, how.engine) if policies else {}
        name, cost = setup.space.name(build), setup.space.cost(build)
        found.append(ScoredBuild(name, cost, evaluations, rates, said, why))
    unscored = unscored_by(setup.loaded)
    scoring = Scoring(
        metrics={metric.name: metric for metric in system.metrics},
        weights={name: fight.weight for name, fight in setup.fights.items()},
        seed=how.seed,
        trigger_fights=trigger_fights,
        beside=None if unscored is None else unscored.metric,
    )
    return ScoredBuilds(found, scoring, directions(system.metrics, setup.fights))


def _over_budget(setup: FightSetup, build: Any, today: FightSetup) -> str | None:
    """Why a build that is legal today is so no more; None where it still is."""
    reasons = setup.space.reasons_against(build)
    was_legal = not today.space.reasons_against(build)
    return "; ".join(each.message for each in reasons) if reasons and was_legal else None


def told_fight(
    setup: FightSetup, text: str, asked: TraceFields, watch: Watch = SILENT
) -> tuple[str, str, Replay]:
    """One fight: the build, the scenario, and what happened."""
    (build,) = setup.read_builds([text])
    name = next(iter(setup.fights)) if asked.scenario is None else asked.scenario
    if name not in setup.fights:
        raise UsageError(f"unknown scenario `{name}`. {suggest(name, list(setup.fights))}")
    fight = setup.fights[name]
    seed = asked.seed if asked.pick is None else _picked_seed(setup, build, fight, asked, watch)
    replay = setup.loaded.system.replayer(setup.loaded.model).replay(build, fight, seed)
    return setup.space.name(build), fight.name, replay


def _picked_seed(setup: FightSetup, build: Any, fight: Fight, asked: TraceFields, watch: Watch) -> int:
    """The seed of the worst, median or best of some fights from a seed on."""
    system = setup.loaded.system
    replayer = system.replayer(setup.loaded.model)
    values = []
    with watch.bar("fights", asked.of) as advance:
        for candidate in range(asked.seed, asked.seed + asked.of):
            values.append((replayer.value(build, fight, candidate), candidate))
            advance(1)
    # The primary metric says which end is the good one; ties go to the first seed.
    best_first = sorted(
        values, key=lambda value: (-value[0] if system.metrics[0].higher_is_better else value[0], value[1])
    )
    if asked.pick == "worst":
        worst = best_first[-1][0]
        return min(candidate for value, candidate in values if value == worst)
    return best_first[0 if asked.pick == "best" else (asked.of - 1) // 2][1]
