"""Numbers that change fights: up to three of them that keep a goal in one or in several games.

Those of which a step makes builds worse, or leaves them, are searched by branch and bound (`chains.py`), the
others by trials (`number_trials.py`). What keeps the goal among the builds that matter is looked at again on
what is found from them under the edited rules, and on all builds of a game whose builds are all known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.balancing.answers import BalanceEffort, GameOutcome, Proposal
from buildsearch.balancing.edited_game import EditedGame, EditEvaluator
from buildsearch.balancing.game import BalancedGame, EditScorer
from buildsearch.balancing.measure import Measure, change, deciding, describe, measure, moved_benchmark
from buildsearch.balancing.number_games import GamesEvaluator, NumberGame
from buildsearch.balancing.number_search import BranchAndBound, StepSequence, Trials, chains_of
from buildsearch.model.levers import Edit, Lever

MOST_NUMBERS = 3
# Counted, so that a slow machine finds the same: sets that are looked at, bounds that are asked for, trials.
_LOOKS, _BOUNDS, _TRIALS = 400, 4_000, 200
# Sets that a closer look may take away before the search gives up.
_REFUTED = 30


@dataclass(eq=False)
class NumberSearch:
    """One search for numbers; `levers` may be moved. What is found so far is kept."""

    games: Sequence[BalancedGame]
    levers: Sequence[Lever]
    effort: BalanceEffort
    before: dict[str, Measure]
    say: Callable[[str], None] = lambda _text: None
    on_first: Callable[[str], None] = lambda _text: None
    seed: int = 0
    found: list[Proposal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    proof: str = ""
    ended_by_clock: bool = False

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.effort.seconds
        games = sorted(self.games, key=lambda game: game.builds)
        self.parts = {game.label: NumberGame(game, _lab(game)) for game in games}
        self.jury = GamesEvaluator(list(self.parts.values()))
        self.chains = sorted(chains_of(self.levers), key=self._weight, reverse=True)  # stable
        self._sizes: dict[int, BranchAndBound] = {}
        self._trials: list[Trials] = []

    def _weight(self, chain: StepSequence) -> float:
        """How many of the builds in the way it touches, in the game where it touches most; what a goal names
        comes before."""
        named = any(chain.about & set(goal.about) for part in self.parts.values() for goal in part.goals)
        return max([1.0 + chain.edits[0].strength if named else 0.0, *self._shares(chain)])

    def _shares(self, chain: StepSequence) -> list[float]:
        """Of the builds in the way of each game, how many it touches."""
        return [
            sum(bool(chain.about & parts) for parts in found) / len(found)
            for part in self.parts.values()
            if (found := part.in_the_way_today)
        ]

    def run(self) -> None:
        """Look, and confirm what looks good, until enough is found or there is nothing left to look at."""
        refuted = 0
        for edits in self._candidates():
            self.say(f"a closer look at {', '.join(edit.text for edit in edits)}")
            confirmed = self._confirmed(edits)
            if confirmed is None:
                self.jury.refute(edits)
                refuted += 1
            else:
                self.found.append(confirmed)
                if len(self.found) == 1:
                    self.on_first(f"{describe(edits)}.")
            if len(self.found) == self.effort.proposals or refuted == _REFUTED:
                break
            if self.found and time.monotonic() > self.until:
                break
        self.found.sort(
            key=lambda each: (
                any(game.open_why for game in each.by_game.values()),
                any(game.still_ahead for game in each.by_game.values()),
                len(each.edits),
                each.steps,
            )
        )
        self.ended_by_clock = time.monotonic() >= self.until
        self._say()

    def _candidates(self) -> Iterator[tuple[Edit, ...]]:
        """Sets that look good, the fewest numbers first."""
        weakening = [chain for chain in self.chains if chain.weakens]
        others = [chain for chain in self.chains if not chain.weakens]
        # By itself a number must touch whatever is in the way, and not make it better; others go into sets.
        near = [
            chain
            for chain in others
            if self._weight(chain) > 1
            or (chain.edits[0].strength <= 0 and min(self._shares(chain), default=0) == 1)
        ]
        if not any(self._weight(chain) for chain in self.chains):
            near = others
        looks, bounds, trials = map(self.effort.counted, (_LOOKS, _BOUNDS, _TRIALS))
        alone = Trials(near, self.jury, 1, trials, self.seed, self.until)
        for size in range(1, MOST_NUMBERS + 1):
            self.say(f"sets of {size}")
            if weakening:
                branching = BranchAndBound(weakening, self.jury, looks, bounds, self.until)
                branching.left = self._sizes[size - 1].left if size - 1 in self._sizes else {}
                self._sizes[size] = branching
                yield from branching.sets(size)
            if size == 1 and near:
                self._trials.append(alone)
                yield from alone.alone()
            if self.found:
                return
        if others:
            both = Trials(self.chains, self.jury, MOST_NUMBERS, trials, self.seed, self.until)
            self._trials.append(both)
            yield from both.together()

    # A closer look --------------------------------------------------------------------------------------

    def _confirmed(self, edits: tuple[Edit, ...]) -> Proposal | None:
        """In every game by what is found from the builds that matter, then by all builds where those are
        known; None where the goal is not kept."""
        courts: dict[str, EditEvaluator] = {}
        for ask in (NumberGame.grown, NumberGame.whole):
            for label, part in self.parts.items():
                if ask is NumberGame.whole and part.game.pool is not None:
                    continue
                verdict, court = ask(part, edits)
                if not verdict.is_possible:
                    self._say_refuted(edits, part, ask is NumberGame.whole)
                    return None
                courts[label] = court
        by_game = {game.label: self._proposal(game, edits, courts[game.label]) for game in self.games}
        return Proposal(edits, by_game)

    def _say_refuted(self, edits: Sequence[Edit], part: NumberGame, is_whole: bool) -> None:
        named = ", ".join(edit.text for edit in edits)
        at = f" at {part.game.label}" if part.game.label else ""
        among = "among all builds" if is_whole else "among builds that become strong"
        self.notes.append(f"{named} misses the goal{at} {among}.")

    def _proposal(self, game: BalancedGame, edits: tuple[Edit, ...], court: EditEvaluator) -> GameOutcome:
        state, part = court.state(()), self.parts[game.label]
        rows = deciding(state, part.goals)
        after = replace(measure(state), shift=_moved(part.court.state(()), state))
        names = tuple(
            court.table.population.name(row, court.table.subject.space) for row in rows[:5].tolist()
        )
        is_open = not all(goal.look(state).is_kept for goal in part.goals)
        proof = (
            f"Confirmed on {len(state.rows):,} of {game.builds:,} builds."
            if game.pool is not None
            else "Confirmed by scoring all builds."
        )
        why = "sampled scores are too close to a limit" if is_open else ""
        moved = moved_benchmark(part.goals, state, part.court.state(()))
        return GameOutcome(edits, after, change(self.before[game.label], after), "", proof, why, names, moved)

    def breaks(self, edits: Sequence[Edit]) -> list[str]:
        """The games in which edits do not keep the goal, as far as the builds that matter say."""
        if not edits:
            return [game.label for game in self.games if not game.judge.verdict(()).is_kept]
        verdicts = {label: part.look(edits)[0] for label, part in self.parts.items()}
        return [game.label for game in self.games if not verdicts[game.label].is_possible]

    # What there is to say -------------------------------------------------------------------------------

    def _say(self) -> None:
        sets = sum(each.tried for each in self._sizes.values()) + sum(each.tried for each in self._trials)
        ruled_out = sum(each.ruled_out for each in self._sizes.values())
        builds = sum(part.builds_to_try for part in self.parts.values())
        said = f"Tried {sets:,} sets of values on {builds:,} key builds"
        if ruled_out:
            said += f"; {ruled_out:,} more were ruled out"
        self.notes.append(f"{said}.")
        if not all(each.is_whole for each in self._sizes.values()):
            self.notes.append(f"Not all sets were tried. {self.effort.ended(self.until)}")
        if not self.found:
            self.proof = "Found no values that meet the goal. Not proved impossible."
            return
        least = min(len(each.edits) for each in self.found)
        fewer = [self._sizes[size] for size in range(1, least) if size in self._sizes]
        self.proof = "Not proved minimal."
        if least > 1 and fewer and all(each.is_whole for each in fewer):
            self.proof = f"Not proved minimal, but no set of fewer than {least} weakening values is enough."


def _lab(game: BalancedGame) -> EditScorer:
    if game.lab is None:
        raise ValueError("values are tried by scoring builds again, which needs a lab")
    return game.lab


def _moved(before: EditedGame, after: EditedGame) -> float:
    """How far the ranks of builds that both know move in the mean, as a part of all ranks."""
    tables = [state.court.table.population.scores for state in (before, after)]
    groups = sorted({name for scores in tables for name in scores.groups})
    was, now = _keys(before, groups), _keys(after, groups)
    _, first, second = np.intersect1d(was, now, return_indices=True)
    if len(first) == 0:
        return 0.0
    ranks = [np.argsort(np.argsort(places)) for places in (first, second)]
    return float(np.abs(ranks[0] - ranks[1]).mean() / len(first))


def _keys(state: EditedGame, groups: Sequence[str]) -> NDArray[Any]:
    """Builds in the order of scores, each as one value that can be compared."""
    scores, rows = state.court.table.population.scores, state.rows
    group = np.array([groups.index(name) for name in scores.groups], dtype=np.uint64)[scores.group[rows]]
    wide = np.ascontiguousarray(np.column_stack([group, scores.codes[rows].astype(np.uint64)]))
    return wide.view(np.dtype((np.void, wide.dtype.itemsize * wide.shape[1]))).ravel()
