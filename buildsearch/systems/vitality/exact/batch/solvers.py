"""The solvers of many builds at once, the fastest first; each can be switched off by name (`switches`)."""

from __future__ import annotations

from buildsearch.systems.vitality.exact.batch.areas import FlatAreaSolver
from buildsearch.systems.vitality.exact.batch.case import BatchSolver
from buildsearch.systems.vitality.exact.batch.chain_solvers import ChainSolver
from buildsearch.systems.vitality.exact.batch.explosions import ExplosionSolver
from buildsearch.systems.vitality.exact.switches import is_on

SOLVERS: tuple[BatchSolver, ...] = (
    ChainSolver("batch-single"),
    ChainSolver("batch-splinter", splinters=True),
    ChainSolver("batch-bleed", bleeds=True),
    ExplosionSolver(),
    FlatAreaSolver(),
)


def solvers_in_use(*, several: bool) -> list[BatchSolver]:
    """Those that are not switched off; `several`: also those that hurt several enemies at once."""
    return [
        solver
        for solver in SOLVERS
        if is_on(solver.name) and (several or not isinstance(solver, ExplosionSolver))
    ]
