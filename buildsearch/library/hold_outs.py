"""A proposal in fights that it was not made for: other scenario sets, other rulings, other stats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from buildsearch.analysis.analyses import case_of
from buildsearch.balancing.build_pool import rows_that_matter
from buildsearch.balancing.edited_game import EditEvaluator, open_court
from buildsearch.balancing.edits import edited_data
from buildsearch.balancing.game import BalancedGame
from buildsearch.balancing.goals import Goal
from buildsearch.balancing.robustness import RobustnessResult, judge_elsewhere
from buildsearch.library.balance import Desk
from buildsearch.library.fight_setup import FightSetup, set_up
from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.library.pools import empty_pool
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.levers import Edit
from buildsearch.model.rules_file import RULING, STATS
from buildsearch.options.search import SearchOptions
from buildsearch.search.executor import Jobs

# Words for what is no scenario set.
RULINGS, STATS_WORD = "rulings", "stats"
_KINDS = {RULINGS: RULING, STATS_WORD: STATS}
# Builds with each option that go along, and how often their neighbours are looked at in other scenarios.
_EACH, _ROUNDS = 12, 2


def check_hold_outs(desk: Desk, names: Sequence[str]) -> None:
    """Raises InputError or UsageError for sets of scenarios that there are not."""
    for name in names:
        if name not in _KINDS:
            found = load_scenarios(name)
            if found.system.id != desk.setup.loaded.system.id:
                raise UsageError(
                    f"‹also_check› {name}: those are fights of {found.system.title}. Name a scenario set of "
                    f"{desk.setup.loaded.system.title}, `{RULINGS}` or `{STATS_WORD}`."
                )


class Trial:
    """Builds that matter under a proposal, ready to fight elsewhere."""

    def __init__(
        self,
        desk: Desk,
        game: BalancedGame,
        edits: Sequence[Edit],
        cache: Path | None,
        jobs: Jobs,
        watch: Watch = SILENT,
    ) -> None:
        self._desk, self._game = desk, game
        self._cache, self._jobs, self._watch = cache, jobs, watch
        # Prices and bans only say which builds there are; numbers are other rules.
        self.moved = tuple(edit for edit in edits if not edit.changes_fights)
        self._written = tuple(edit for edit in edits if edit.changes_fights)
        court = game.court
        rows = [rows_that_matter(court.state(some), game.goals, _EACH) for some in ((), self.moved)]
        population = court.table.population
        self.names = [
            population.name(row, court.table.subject.space)
            for row in np.unique(np.concatenate(rows)).tolist()
        ]

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What shall hold."""
        return self._game.goals

    def court(self, request: SearchOptions, setup: FightSetup, *, rounds: int = 0) -> EditEvaluator:
        """A court over those builds in other fights, and over what is near the best of them there."""
        pool = empty_pool(
            request, setup, self._desk.run, cache=self._cache, jobs=self._jobs, watch=self._watch
        )
        pool.add(self._builds(setup))
        if rounds:
            pool.grow((), rounds)
            pool.grow(self.moved, rounds)
        table, limits = pool.table, self._game.limits
        # Whether the game is large enough to accuse anybody was asked of all of its builds.
        verdict = limits.verdict.model_copy(update={"fewest_contexts": 1})
        limits = limits.model_copy(update={"verdict": verdict})
        return open_court(table, case_of(table.subject, table.population, limits), limits)

    def _builds(self, setup: FightSetup) -> Iterator[object]:
        for name in self.names:
            build = setup.space.parse(name)
            if not setup.space.reasons_against(build):
                yield build

    def setup(self, request: SearchOptions) -> FightSetup:
        """What a request asks for, under the numbers of the proposal."""
        loaded = load_rules(request.rules, request.overrides, request.rulings)
        if self._written:
            data = edited_data(loaded.document.root.plain(), self._written)
            loaded = replace(loaded, model=loaded.system.rules_model.model_validate(data))
        return set_up(loaded, request)

    def judged(self, label: str, request: SearchOptions, rounds: int = 0) -> RobustnessResult:
        """Whether the goal holds in what a request asks for."""
        try:
            setup = self.setup(request)
        except (InputError, UsageError) as error:
            return RobustnessResult(label, is_kept=False, problem=" ".join(str(error).split())[:200])
        return self.verdict(label, self.court(request, setup, rounds=rounds))

    def verdict(self, label: str, court: EditEvaluator) -> RobustnessResult:
        """Whether the goal holds by a court."""
        return judge_elsewhere(label, court, self._game.goals, self.moved, asks_before=not self._written)


def hold_out(
    trial: Trial, desk: Desk, names: Sequence[str], say: Callable[[str], None] = lambda _text: None
) -> list[RobustnessResult]:
    """A proposal everywhere else, in the order that was asked for."""
    found = []
    for label, request, rounds in requests_of(desk, names):
        say(f"held out: {label}")
        found.append(trial.judged(label, request, rounds))
    return found


def requests_of(desk: Desk, names: Sequence[str]) -> Iterator[tuple[str, SearchOptions, int]]:
    """Each other way to play: its label, what it asks for, and how often neighbours are looked at."""
    request, loaded = desk.run.record.request, desk.setup.loaded
    for name in dict.fromkeys(names):
        if name in _KINDS:
            for change in loaded.system.variations(loaded.model):
                if change.kind == _KINDS[name]:
                    yield change.label, request.under(change), 0
        else:
            yield name, request.changed(scenarios=name, only=()), _ROUNDS
