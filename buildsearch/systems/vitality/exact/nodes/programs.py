"""Maps and turns brought into the form that kernels read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import NO_RETALIATION
from buildsearch.systems.vitality.exact.batch.lumping import ALWAYS, SETS
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.fields import Fields
from buildsearch.systems.vitality.exact.nodes.kinds import OTHERS, Kinds
from buildsearch.systems.vitality.exact.nodes.maps import Map
from buildsearch.systems.vitality.exact.nodes.turns import Turns
from buildsearch.systems.vitality.exact.nodes.values import Ground, Program
from buildsearch.systems.vitality.exact.vectors import LANES

Floats = NDArray[np.float64]


def living_of(ground: ExactGround, fields: Fields, map_: Map) -> tuple[NDArray[np.int64], list[list[int]]]:
    """By field the number of its living, and who they are; nobody where a wave is just coming."""
    _, first, numbers = np.unique(map_.living, return_index=True, return_inverse=True)
    who: list[list[int]] = [[] for _ in first]
    for i, field in enumerate(first):
        if map_.rest[field] == field and map_.old[field] > 0:
            who[i] = sorted(ground.order[place] for place in fields.living(int(map_.old[field])))
    return numbers.ravel().astype(np.int64), who


def sets_of(ground: ExactGround, who: list[list[int]], mask: int) -> Floats:
    """By living the chances of sets of events, where limits accept `mask` of what retaliation does."""
    bits = (np.arange(SETS)[:, None] >> np.arange(NO_RETALIATION)) & 1
    sets = np.array([ground.blows(some, mask).sum(axis=1) for some in who]) @ bits.T
    sets[:, ALWAYS] = 1.0
    return np.asarray(sets)


def ground_of(map_: Map, numbers: NDArray[np.int64]) -> Ground:
    """A map with the numbers of who lives where."""
    return Ground(map_.front, map_.rest, numbers, map_.starts, map_.codes, map_.tails)


_programs = LruCache[tuple[object, ...], Program](16_384)


def program_of(turns: Turns, fields: int, kinds: Kinds) -> Program:
    """Turns on a map of so many fields; types and scenarios ask for the same again."""
    return _programs.get((turns.shape, fields, kinds), lambda: _program_of(turns, fields, kinds))


def _program_of(turns: Turns, fields: int, kinds: Kinds) -> Program:
    stays: list[list[int]] = []
    for rows in turns.next_rows:
        reached: set[int] = set()
        for row in rows[: OTHERS * kinds.patterns].tolist():
            reached |= {row} if row < turns.gates else set(stays[row - turns.gates])
        stays.append(sorted(reached))
    return Program(
        gates=turns.gates,
        rolls=turns.rolls,
        offsets=(np.where(turns.next_rows < 0, turns.rows, turns.next_rows) * (fields * LANES)).ravel(),
        next_rows=turns.next_rows.ravel(),
        steps=turns.steps,
        stay_starts=np.concatenate([[0], np.cumsum([len(each) for each in stays])]).astype(np.int64),
        stay_gates=np.array([gate for each in stays for gate in each], np.int64),
    )
