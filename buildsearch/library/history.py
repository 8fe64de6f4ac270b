"""The game of a run under earlier revisions of its rules, each scored as the run was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from buildsearch.analysis.analyses import judge
from buildsearch.analysis.population import populate
from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.history import History, Point
from buildsearch.balancing.measure import measure_of
from buildsearch.library.analyze import subject_of
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.optimize import open_search
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import content_hash, fight_hash
from buildsearch.library.stored_runs import kept_run
from buildsearch.library.watch import Scoring
from buildsearch.model.errors import Cancelled, InputError, UsageError
from buildsearch.options.search import SearchOptions
from buildsearch.ruleset.git import FileState, file_states, is_revision
from buildsearch.search.score_table import ScoreTable, score_table

_NO_BUILD = "it has no build that the run asks for"


def history_of(
    run: LoadedRun,
    revisions: str,
    limits: Thresholds,
    how: Scoring,
    *,
    ignore_checksums: bool = False,
) -> History:
    """Measure every revision from `REV..` on; raises UsageError where there is no history.

    Parameters, filters, objectives and the seed are the run's, and so is the set of scenarios, as it is now.
    Stopped before the end, it gives what was measured until then.
    """
    request = _request(run)
    states = file_states(run.setup.loaded.path, revisions)
    bench = _Bench(run, limits, how, ignore_checksums)
    points: list[Point] = []
    is_partial = False
    for number, state in enumerate(states, start=1):
        how.watch.say(f"revision {number} of {len(states)}: {state.short} {state.subject}")
        try:
            points.append(bench.point(request.changed(rules=state.name), state))
        except Cancelled:
            is_partial = True
            break
    if not any(point.measure for point in points) and is_partial:
        raise Cancelled("no revision was scored yet, so there is nothing to tell.")
    return History(
        rules=run.setup.loaded.model.id,
        points=tuple(points),
        higher_is_better=run.scores.higher_is_better,
        scenarios=tuple(run.setup.fights),
        is_partial=is_partial,
    )


def _request(run: LoadedRun) -> SearchOptions:
    """What the run asked for, of every build and in the scenarios that it fought."""
    request = run.record.request
    if is_revision(request.rules):
        raise UsageError("the run was made with rules of a revision. Run optimize on the file as it is now.")
    if run.record.legal_builds is not None:
        raise UsageError(
            f"{run.folder} has only some of the legal builds (a guided search, or ‹from_run›): revisions "
            "cannot be compared by them. Run optimize with ‹search› exhaustive on a smaller space."
        )
    scenarios = request.scenarios or run.setup.loaded.model.default_scenarios
    return request.changed(scenarios=scenarios, search="exhaustive", over_budget=0)


@dataclass(frozen=True, slots=True, eq=False)
class _Bench:
    """Measures revisions; those that say the same are one game, and measured once."""

    run: LoadedRun
    limits: Thresholds
    how: Scoring
    ignore_checksums: bool
    known: dict[tuple[object, ...], Point] = field(default_factory=dict)

    def point(self, request: SearchOptions, state: FileState) -> Point:
        """One revision; raises Cancelled."""
        try:
            setup = setup_of(request)
            if setup.loaded.system.id != self.run.setup.loaded.system.id:
                return Point(state, why_not=f"its rules are for {setup.loaded.system.title}")
            if sum(setup.space.count(request.wanted).values()) == 0:
                return Point(state, why_not=_NO_BUILD)
        except InputError as error:
            first, *others = error.problems
            return Point(state, why_not=f"{first}{f', and {len(others)} more' if others else ''}")
        except UsageError as error:
            return Point(state, why_not=str(error))
        key = _content(setup)
        if key not in self.known:
            self.known[key] = self._measured(setup, request, state)
        return replace(self.known[key], state=state)

    def _measured(self, setup: FightSetup, request: SearchOptions, state: FileState) -> Point:
        kept = kept_run(setup, self.run, ignore_checksums=self.ignore_checksums, watch=self.how.watch)
        scores = self._scores(setup, request) if kept is None else kept.scores
        subject = subject_of(setup, scores, self.run.objective, triggers=False)
        judged = judge(subject, populate(scores, setup.space), self.limits)
        verdict = judged.verdict
        errors = [float(verdict.contest.errors[verdict.contest.winner])]
        if verdict.reference is not None:
            errors.append(verdict.reference.error)
        return Point(
            state,
            measure_of(judged, builds=len(scores)),
            ahead=verdict.ahead,
            is_sampled=max(errors) > 0,
            unjudged=verdict.too_small or "",
        )

    def _scores(self, setup: FightSetup, request: SearchOptions) -> ScoreTable:
        """Every build under these rules, raced as the run was; raises Cancelled."""
        search = open_search(setup, request, self.how)
        # Nobody looks at the builds of a leaderboard here, so none is described but the best.
        search = replace(search, effort=replace(search.effort, shown=1))
        answer = search.run()
        if answer.is_partial:
            raise Cancelled("interrupted.")
        objective = search.effort.objective
        return score_table(
            answer.ledger,
            setup.space,
            objective.shown(answer.costs[0]),
            higher_is_better=objective.higher_is_better,
            primary_higher_is_better=setup.loaded.system.metrics[0].higher_is_better,
        )


def _content(setup: FightSetup) -> tuple[object, ...]:
    """What scores hang on: revisions that change a comment are one game."""
    fights = tuple((name, fight_hash(fight)) for name, fight in setup.fights.items())
    return content_hash(setup.loaded.model), tuple(sorted(map(str, setup.space.parameters.items()))), fights
