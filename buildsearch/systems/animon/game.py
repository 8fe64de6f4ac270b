"""What Animon Story says besides its statement."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.engines.stated import Played, StatedFight
from buildsearch.engines.stated_game import StatedBulk, StatedGame, explained
from buildsearch.engines.statement import Terms
from buildsearch.model.scorer import Solver
from buildsearch.model.space import Chunk, Wanted
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.bouts.choice import make_bout
from buildsearch.systems.animon.bouts.compact import read_scenario
from buildsearch.systems.animon.builds.build import Build, signature_stages
from buildsearch.systems.animon.builds.space import AnimonSpace
from buildsearch.systems.animon.rows import BuildRows
from buildsearch.systems.animon.rules.model import AnimonRules
from buildsearch.systems.animon.sheet import ANIMON, MOST_IN_ORDER, build_row, make_terms
from buildsearch.systems.animon.telling import AnimonStory, deed_words, state_words

# With several at once, most fights are too large: so much is tried before fights are sampled instead.
_FEWER_NODES = 1 << 18
# A fight is solved in some 5 ms: so many builds take minutes.
_MOST_TO_SOLVE = 25_000
# Worths of best play that differ by no more are one. Spec, Best play.
_TIE = 1e-12


def is_single(bout: Bout) -> bool:
    """Whether the build is alone and meets one foe at a time: such fights are always solved."""
    return bout.is_alone and bout.largest_wave == 1


class AnimonGame(StatedGame):
    """A build and its allies against waves of foes."""

    rules: AnimonRules
    statement = ANIMON
    too_large = f"{StatedGame.too_large} (several foes, or many choices)"
    most_nodes = 1 << 21
    gain = "gauge"
    version = 3

    def __init__(self, rules: AnimonRules) -> None:
        super().__init__(rules)
        self._rows = LruCache[AnimonSpace, BuildRows](4)

    def fight(self, bout: Bout) -> StatedFight:
        """Ready for builds."""
        nodes = self.most_nodes if is_single(bout) else _FEWER_NODES
        return self._fights.get(repr(bout), lambda: StatedFight(self.terms(bout), tie=_TIE, most_nodes=nodes))

    def terms(self, bout: Bout) -> Terms:
        """A fight without its build."""
        return make_terms(self.rules, bout)

    def row(self, build: Build) -> NDArray[np.int64]:
        """Forms and attacks."""
        return build_row(self.rules, build)

    def rows(self, space: AnimonSpace, chunk: Chunk) -> NDArray[np.int64]:
        """The same of many."""
        return self._rows.get(space, lambda: BuildRows(self.rules, space)).rows(chunk)

    def draw_value(self, bout: Bout) -> float:
        """Half a win."""
        return 0.5

    def why_not_best(self, bout: Bout) -> str | None:
        """Spec, Best play."""
        is_defined = bout.is_alone and len(bout.waves) == 1
        return None if is_defined else "best play is defined for a build without allies in one wave"

    def is_hopeless(self, build: Build, bout: Bout) -> bool:
        """Too many orders of slots."""
        return 1 + len(bout.allies) + bout.largest_wave > MOST_IN_ORDER

    def story(self, build: Build, bout: Bout) -> AnimonStory:
        """Die by die."""
        return AnimonStory(self.rules, bout, build)

    def triggers(self, build: Build) -> Mapping[str, int]:
        """The effects of each signature attack: it hit, or was made."""
        stages = signature_stages(self.rules, build.stage)
        return {
            f"{stage}_{effect}": place
            for place, (stage, signature) in enumerate(zip(stages, build.signatures, strict=True))
            for effect in dict.fromkeys(signature.effects)
        }

    def explain(self, build: Build, bout: Bout, fight: StatedFight, played: Played) -> tuple[str, ...]:
        """When to attack with what, when to evolve, what to buy."""
        names = AnimonStory(self.rules, bout, build).units

        def state(t: Any, c: Any) -> str:
            return state_words(names, c)

        return tuple(explained(fight, played, state, lambda action: deed_words(names, action)))


class AnimonBulk(StatedBulk):
    """Best play is solved, and greedy play against one foe at a time in a space of some thousand builds.

    In larger ones greedy play is sampled, and solved for the contenders.
    """

    def solver(self, chunk: Chunk, fights: Sequence[Bout]) -> Solver:
        """NaN where fights are sampled."""
        solve = super().solver(chunk, fights)
        return lambda number: (
            solve(number) if self._is_solved(fights[number]) else np.full(len(chunk), np.nan)
        )

    def solve_alone(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Fights with one foe at a time are solved."""
        if self._is_solved(bout) or not is_single(bout):
            return np.full(len(chunk), np.nan)
        return super().solver(chunk, [bout])(0)

    def alone_costs(self, chunk: Chunk, bout: Bout) -> NDArray[np.float64]:
        """Nothing where several fight at once: those are not tried."""
        return np.full(len(chunk), 1.0 if bout.play == "greedy" and is_single(bout) else 0.0)

    def compile_apart(self, groups: Collection[str]) -> None:
        """The engine that solves contenders: it takes a while, and others fight meanwhile."""
        rules = self.game.rules
        bout = make_bout("", read_scenario("L1:fledgling:neutral;rounds=1", rules), rules, "greedy")
        (build,) = self.space.sample(Wanted(), 1, np.random.default_rng(0))
        self.game.fight(bout).solve_many(self.game.row(build)[None])

    def _is_solved(self, bout: Bout) -> bool:
        return bout.play != "greedy" or (self._solves_all and is_single(bout))

    @cached_property
    def _solves_all(self) -> bool:
        return bool(sum(self.space.count(Wanted()).values()) <= _MOST_TO_SOLVE)
