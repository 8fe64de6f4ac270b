"""What a search for balance gives: proposals with before and after, and what is proved about them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from buildsearch.balancing.goals import Goal
from buildsearch.balancing.measure import FindingChange, Measure
from buildsearch.model.levers import Edit

# What is done by default is what a quiet machine does in about so many seconds.
_USUAL_SECONDS = 45.0


@dataclass(frozen=True, slots=True)
class BalanceEffort:
    """How many proposals, how much work, and how many edits at most.

    Work is counted, so that the same seed gives the same answer on every machine. `seconds` ask for more or
    less of it, and are where it ends in any case.
    """

    proposals: int = 3
    seconds: float = math.inf
    edits: int = 5

    def counted(self, usual: int) -> int:
        """How much of some work may be done, where `usual` is what is done by default."""
        if math.isinf(self.seconds):
            return usual
        return max(1, round(usual * self.seconds / _USUAL_SECONDS))

    def ended(self, until: float) -> str:
        """Why a search ended before everything was tried."""
        if time.monotonic() < until:
            return "The search ended at its limit of work; ‹seconds› raises it."
        return (
            f"The search ended after {self.seconds:g} s; a faster machine may find more. Without ‹seconds› "
            "the answer is the same on every machine."
        )


@dataclass(frozen=True, slots=True, eq=False)
class GameOutcome:
    """What some edits do in one game. `best_at` says why they are shown, `proof` what is proved.

    `open_why`: why it is not certain that the goal holds. `sampled` are builds that it depends on and that no
    engine solved. `still_ahead`: how far the best build is ahead of today's benchmark, where the goal is
    kept only because the benchmark moves.
    """

    edits: tuple[Edit, ...]
    after: Measure
    change: FindingChange
    best_at: str = ""
    proof: str = ""
    open_why: str = ""
    sampled: tuple[str, ...] = ()
    still_ahead: str = ""
    is_proved_minimal: bool = False

    @property
    def steps(self) -> int:
        return sum(edit.steps for edit in self.edits)


@dataclass(frozen=True, slots=True)
class Weaker:
    """A proposal with one edit a step less far, or without it, and where the goal breaks then."""

    text: str
    breaks: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Edits with what they do in each game, by label; `weaker`: what happens when they do a little less."""

    edits: tuple[Edit, ...]
    by_game: dict[str, GameOutcome]
    best_at: str = ""
    proof: str = ""
    weaker: tuple[Weaker, ...] = ()

    @property
    def steps(self) -> int:
        return sum(edit.steps for edit in self.edits)

    @property
    def binds(self) -> tuple[str, ...]:
        """The games that a weaker proposal breaks most often."""
        counts = {label: sum(label in each.breaks for each in self.weaker) for label in self.by_game}
        most = max(counts.values(), default=0)
        return tuple(label for label, count in counts.items() if count == most and most)


@dataclass(frozen=True, slots=True, eq=False)
class GameToday:
    """A game before anything is moved. `known` builds of `builds` have scores."""

    label: str
    builds: int
    known: int
    before: Measure
    broken: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return self.known == self.builds


@dataclass(frozen=True, eq=False)
class BalanceResult:
    """Everything that was found out. Where a goal cannot be kept, these edits would do: `core`, which locks
    forbid, and `outside`, which is not among what may be moved. `stuck` are builds that stay whatever is.
    `unjudged`: why the only game is too small or too even to judge, where the goal asks for nothing else.
    `is_impossible`: it is proved that no raises, bans or caps that may be moved meet the goal.
    `could_let_in`: some edits would have let builds in, and no proof is about all of those. `ended_by_clock`:
    a slower machine may find less."""

    goals: tuple[Goal, ...]
    games: tuple[GameToday, ...]
    proposals: tuple[Proposal, ...]
    proof: str
    notes: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    is_partial: bool = False
    unjudged: str = ""
    is_impossible: bool = False
    could_let_in: bool = False
    ended_by_clock: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_kept_already(self) -> bool:
        return not any(game.broken for game in self.games) and not self.unjudged

    @property
    def before(self) -> Measure:
        return self.games[0].before

    @property
    def outcomes(self) -> tuple[GameOutcome, ...]:
        """What each proposal does in the first game."""
        return tuple(each.by_game[self.games[0].label] for each in self.proposals)


# Proofs, as sentences.
MINIMAL = "Proved minimal."
MINIMAL_OF_RAISES = "Proved minimal among raises and bans."
NOT_MINIMAL = "Not proved minimal: the search ended at its limit."
NOT_MINIMAL_ALIKE = "Not proved minimal: some options act alike."


def how_many(number: int) -> str:
    """`none meets`, `1 meets`, `2 meet`: before `the goal`."""
    return {0: "none meets", 1: "1 meets"}.get(number, f"{number} meet")
