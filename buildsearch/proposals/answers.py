"""What a search for balance gives: proposals with before and after, and what is proved about them."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from buildsearch.model.levers import Edit
from buildsearch.proposals.goals import Goal
from buildsearch.proposals.measure import Change, Measure

# What is done by default is what a quiet machine does in about so many seconds.
_USUAL_SECONDS = 45.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How many proposals, how much work, and how many edits at most.

    Work is counted, so that the same seed gives the same answer on every machine. `seconds` ask for more or
    less of it, and are where it ends in any case.
    """

    proposals: int = 6
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
            return "The search ended after as much work as is done by default: more is found with ‹seconds›."
        return (
            f"The search ended after {self.seconds:g} s: more may be found with more ‹seconds›, and on a "
            "faster machine. Without ‹seconds› the answer is the same everywhere."
        )


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Some edits with what they do. `best_at` says why it is shown, `proof` what is proved about it.

    `open_why`: why it is not certain that the goal holds. `sampled` are builds that it hangs on and that no
    engine solved. `still_ahead`: how far the best build is ahead of today's benchmark, where the goal is
    kept only because the benchmark moves.
    """

    edits: tuple[Edit, ...]
    after: Measure
    change: Change
    best_at: str
    proof: str
    open_why: str = ""
    sampled: tuple[str, ...] = ()
    still_ahead: str = ""

    @property
    def steps(self) -> int:
        """How far all of its edits go together."""
        return sum(edit.steps for edit in self.edits)


@dataclass(frozen=True, eq=False)
class Answer:
    """Everything that was found out. Where a goal cannot be kept, these edits would do: `core`, which locks
    forbid, and `outside`, which is not among what may be moved. `stuck` are builds that stay whatever is.
    `unjudged`: nothing but accusations was asked about, and nobody can be accused in this game.
    `could_let_in`: some edits would have let builds in, and no proof is about all of those. `ended_by_clock`:
    a slower machine may find less."""

    goals: tuple[Goal, ...]
    before: Measure
    broken: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    proof: str
    notes: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    is_partial: bool = False
    unjudged: bool = False
    could_let_in: bool = False
    ended_by_clock: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_kept_already(self) -> bool:
        """Whether there is nothing to do."""
        return not self.broken and not self.unjudged


def count_edits(number: int) -> str:
    """`1 edit`, `2 edits`."""
    return f"{number} edit{'' if number == 1 else 's'}"


def how_many(number: int) -> str:
    """`none keeps`, `1 keeps`, `2 keep`: before `the goal`."""
    return {0: "none keeps", 1: "1 keeps"}.get(number, f"{number} keep")
