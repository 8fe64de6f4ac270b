"""The moves of areas that roll nothing: every enemy's HP is known from what was done, turn by turn.

Fields are the situations that can be reached; few, because an action has one result.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.moves import (
    BASIC,
    CALM,
    DAMAGED,
    DEFEATED,
    HIT,
    NOTHING,
    OVER,
    SPECIAL,
    Moves,
)

MOST_FIELDS = 20_000


@dataclass(frozen=True, slots=True)
class _Target:
    """An enemy: its number, HP, and the damage and ticks of a bleed."""

    foe: int
    hp: int
    bleed: int = 0
    ticks: int = 0


_Field = tuple[_Target, ...]


class TooManyFieldsError(Exception):
    """More situations than are worth following."""


# All of a setup that moves depend on.
_READ = ("levels", "strikes", "area_limit", "classes", "bleed_ticks", "bleed_replaces", "retaliation_cap")
_known: dict[tuple[object, ...], Moves] = {}
_MOST_KNOWN = 256


def area_moves(ground: ExactGround) -> Moves:
    """Every field that can be reached, and the one move of each action from it.

    Limits change nothing about it, so it is kept for the next build that does the same damage.
    """
    arrays = (ground.foes, ground.chances, *ground.retaliation)
    key = (*(int(ground.setup[name]) for name in _READ), *(each.tobytes() for each in arrays))
    if key not in _known:
        found = _find_moves(ground)
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = found
    return _known[key]


def _find_moves(ground: ExactGround) -> Moves:
    first = _wave(ground, 0)
    numbers: dict[_Field, int] = {first: 0}
    queue = [first]
    actions = SPECIAL + int(ground.setup["levels"])
    found: list[list[tuple[int, int]]] = []
    for field in queue:
        found.append([])
        for action in range(actions):
            after, bits = _act(ground, field, action)
            if after and after not in numbers:
                numbers[after] = len(queue)
                queue.append(after)
                if len(queue) > MOST_FIELDS:
                    raise TooManyFieldsError
            found[-1].append((numbers[after] if after else OVER, bits))
    rows: dict[tuple[int, ...], int] = {}
    of_field = [rows.setdefault(tuple(each.foe for each in field), len(rows)) for field in queue]
    table = np.array(found, np.int64).transpose(1, 0, 2)
    return Moves(
        first_field=0,
        starts=_starts(actions, len(queue)),
        fields=table[:, :, 0].ravel().copy(),
        bits=table[:, :, 1].ravel().copy(),
        chances=np.ones(table.shape[0] * table.shape[1]),
        retaliation_of=np.array(of_field, np.int64),
        retaliations=np.array([ground.alive_retaliation(list(living)) for living in rows]),
    )


def _starts(actions: int, size: int) -> NDArray[np.int64]:
    return np.arange(size + 1)[None, :] + size * np.arange(actions)[:, None]


def _wave(ground: ExactGround, start: int) -> _Field:
    if start == len(ground.foes):
        return ()
    end = int(ground.foes[start]["wave_end"])
    return tuple(_Target(foe, int(ground.foes[foe]["max_hp"])) for foe in range(start, end))


def _act(ground: ExactGround, field: _Field, action: int) -> tuple[_Field, int]:
    """One turn from a field: strikes, then the bleeds that were there before."""
    setup = ground.setup
    hit: set[int] = set()
    begun: set[int] = set()
    living, bits = field, 0
    strikes = 0 if action == NOTHING else 1 if action == BASIC else int(setup["strikes"])
    for _ in range(strikes):
        caught = {each.foe for each in living[: int(setup["area_limit"])]}
        results = [_strike(ground, each, action, begun) if each.foe in caught else each for each in living]
        hit |= caught
        bits |= DAMAGED if any(a != b for a, b in zip(results, living, strict=True)) else 0
        bits |= DEFEATED if any(each.hp <= 0 for each in results) else 0
        living = tuple(each for each in results if each.hp > 0)
    ticked = [_tick(each) if each.ticks and each.foe not in begun else each for each in living]
    bits |= DAMAGED if any(each.ticks and each.foe not in begun for each in living) else 0
    bits |= DEFEATED if any(each.hp <= 0 for each in ticked) else 0
    living = tuple(each for each in ticked if each.hp > 0)
    bits |= HIT if any(each.foe in hit for each in living) else 0
    if not living:
        return _wave(ground, int(ground.foes[field[0].foe]["wave_end"])), bits | CALM
    return living, bits


def _strike(ground: ExactGround, target: _Target, action: int, begun: set[int]) -> _Target:
    setup, foe = ground.setup, ground.foes[target.foe]
    row = 0 if action == BASIC else int(setup["classes"]) * (action - BASIC)
    damage = int(ground.chances[row + int(foe["strike_class"])].argmax()) - 1
    kill_at = int(foe["kill_at"]) if action != BASIC else 0
    if damage <= 0:
        return target
    left = target.hp - damage
    if left <= kill_at:
        return replace(target, hp=0)
    if action == BASIC or not setup["bleed_ticks"] or (target.ticks and not setup["bleed_replaces"]):
        return replace(target, hp=left)
    begun.add(target.foe)
    return _Target(target.foe, left, damage, int(setup["bleed_ticks"]))


def _tick(target: _Target) -> _Target:
    left = target.ticks - 1
    return _Target(target.foe, target.hp - target.bleed, target.bleed if left else 0, left)
