"""The solvers of one build, and which of them takes it: the whole distribution of its fights.

An environment variable switches solvers off, of many builds too, to see what each is worth.

BUILDSEARCH_SOLVERS=-batch-bleed,-ricochet    all but these
BUILDSEARCH_SOLVERS=batch-single,forward      none but these
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from buildsearch.engines.memo import LruCache
from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.vitality.exact.forward_solver import solve_forward, why_not_forward
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.solving import solve_area
from buildsearch.systems.vitality.exact.nodes.areas.support import why_not_area
from buildsearch.systems.vitality.exact.nodes.ricochet.solving import solve_ricochet, why_not_ricochet
from buildsearch.systems.vitality.exact.nodes.solving import solve_several
from buildsearch.systems.vitality.exact.nodes.support import (
    bounces,
    hurts_several,
    rolls_for_several,
    why_not_several,
)
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.kernel.plan import LATER

SWITCH = "BUILDSEARCH_SOLVERS"
# Of many builds at once (`batch/solvers.py`), then of one build (`SOLVERS`).
NAMES = (
    *("batch-single", "batch-bleed", "batch-splinter", "batch-explosive", "batch-flat-area"),
    *("explosive", "ricochet", "area", "forward"),
)


def is_on(name: str) -> bool:
    """Whether a solver is in use; raises UsageError where the variable names one that does not exist."""
    return name not in switched_off()


def switched_off() -> frozenset[str]:
    """The solvers that are not in use."""
    return _read(os.environ.get(SWITCH, ""))


@cache
def _read(text: str) -> frozenset[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    off, only = [word[1:] for word in words if word[0] == "-"], [word for word in words if word[0] != "-"]
    for name in (*off, *only):
        if name not in NAMES:
            raise UsageError(f"{SWITCH}: there is no solver `{name}`. {suggest(name, NAMES)}")
    if off and only:
        raise UsageError(f"{SWITCH}: name solvers to leave out (with a `-`) or to keep, not both: {text}")
    return frozenset(set(NAMES) - set(only) if only else off)


# Of what only rich plans use, that which the engine follows; it refuses the others.
SOLVED = ("chain", "hp_cost", "first_only", "area_single", "failed_attack")
_WORDS = {"strike_scope": "the ruling limit_scope=strike where strikes of one action can differ"}


class Solver(NamedTuple):
    """A way to solve one build: what kind of attack it is for, why it cannot solve one of these, and how."""

    name: str
    supports: Callable[[ExactGround], bool]
    why_not: Callable[[ExactGround], str | None]
    solve: Callable[[ExactGround], Solution]


FORWARD = Solver("forward", lambda _: True, why_not_forward, solve_forward)
# Asked in this order; the first that is for such an attack takes it, or nobody does.
SOLVERS = (
    Solver("explosive", hurts_several, why_not_several, solve_several),
    Solver("ricochet", bounces, why_not_ricochet, solve_ricochet),
    Solver("area", rolls_for_several, why_not_area, solve_area),
    FORWARD,
)
# What solvers for several enemies found: a race asks for means, and the rows that are shown for the rest.
_found = LruCache[bytes, Solution](8_192)


def solver_of(ground: ExactGround) -> Solver:
    return next(solver for solver in SOLVERS if solver.supports(ground))


def why_not_exact(ground: ExactGround) -> str | None:
    """The reason why a compiled build cannot be solved; None when it can."""
    setup = ground.setup
    for name in LATER:
        if name not in SOLVED and setup[name]:
            return f"the exact engine does not follow {_WORDS.get(name, name)}"
    if setup["first_only"] and setup["splinter_limit"] and not setup["area"]:
        return "the exact engine does not follow the ruling barrage_triggers=first with splinter"
    solver = solver_of(ground)
    if not is_on(solver.name):
        return f"the solver `{solver.name}` is switched off ({SWITCH})"
    return solver.why_not(ground)


def solve(ground: ExactGround, *, survival: bool = True) -> Solution:
    """All metrics; without `survival` the attacker's HP is followed only where limits ask for it.

    Attacks that hurt others than their target are followed with survival in any case.
    """
    solver = solver_of(ground)
    if solver is FORWARD:
        return solve_forward(ground, survival=survival)
    return _found.get(ground.digest(), lambda: solver.solve(ground))
