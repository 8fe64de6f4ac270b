"""The transitions of areas that roll nothing: every enemy's HP is known from what was done, turn by turn.

Bleeds tick where the ruling `bleed_tick` says: before the action, or after it.

Fields are the situations that can be reached; few, because an action has one result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.transitions import (
    BASIC,
    CALM,
    DAMAGED,
    DEFEATED,
    HIT,
    NOTHING,
    OVER,
    SPECIAL,
    Transitions,
)
from buildsearch.systems.vitality.kernel.plan import SETUP
from buildsearch.systems.vitality.mechanics.strikes import begins, strike, tick

MOST_FIELDS = 20_000
# So few numbers that numba would take longer to compile the steps.
_strike_one: Callable[..., tuple[int, bool]] = getattr(strike, "py_func", strike)
_begins: Callable[..., bool] = getattr(begins, "py_func", begins)
_tick_one: Callable[..., int] = getattr(tick, "py_func", tick)


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


# All of a setup that transitions do not depend on: limits, what limits read, and how long a fight may last.
# Whatever else there is, now or later, tells transitions apart.
_NOT_READ = frozenset(
    {
        *("max_turns", "attacker_hp", "defeat_is_loss", "unmet_waits", "first_turn", "last_turn", "uses"),
        *("cooldown", "charge", "activation", "hp_at_most", "hp_full", "hp_cost", "since_mask", "passive"),
        *("last_hit", "last_damage", "last_defeat", "ungated", "hp_matters", "failed_attack"),
    }
)
_READ = tuple(name for name in SETUP.names or () if name not in _NOT_READ)
_known = LruCache[tuple[object, ...], Transitions](256)


def area_transitions(ground: ExactGround) -> Transitions:
    """Every field that can be reached, and the one move of each action from it.

    Limits change nothing about it, so it is kept for the next build that does the same damage.
    """
    arrays = (ground.foes, ground.chances, *ground.retaliation)
    key = (*(int(ground.setup[name]) for name in _READ), *(each.tobytes() for each in arrays))
    return _known.get(key, lambda: _find_transitions(ground))


def _find_transitions(ground: ExactGround) -> Transitions:
    first = _wave(ground, 0)
    numbers: dict[_Field, int] = {first: 0}
    queue = [first]
    actions = SPECIAL + int(ground.setup["levels"])
    found: list[list[tuple[int, int]]] = []
    for before in queue:
        found.append([])
        for action in range(actions):
            after, bits = _act(ground, before, action)
            if after and after not in numbers:
                numbers[after] = len(queue)
                queue.append(after)
                if len(queue) > MOST_FIELDS:
                    raise TooManyFieldsError
            found[-1].append((numbers[after] if after else OVER, bits))
    rows: dict[tuple[int, ...], int] = {}
    of_field = [rows.setdefault(tuple(target.foe for target in each), len(rows)) for each in queue]
    table = np.array(found, np.int64).transpose(1, 0, 2)
    return Transitions(
        first_field=0,
        starts=_starts(actions, len(queue)),
        fields=table[:, :, 0].ravel().copy(),
        bits=table[:, :, 1].ravel().copy(),
        chances=np.ones(table.shape[0] * table.shape[1]),
        living_of=np.array(of_field, np.int64),
        living=[list(living) for living in rows],
        idle=np.array([not _standing(ground, each) for each in queue], bool),
    )


def _starts(actions: int, size: int) -> NDArray[np.int64]:
    return np.arange(size + 1)[None, :] + size * np.arange(actions)[:, None]


def _wave(ground: ExactGround, start: int) -> _Field:
    if start == len(ground.foes):
        return ()
    end = int(ground.foes[start]["wave_end"])
    return tuple(_Target(foe, int(ground.foes[foe]["max_hp"])) for foe in range(start, end))


def _standing(ground: ExactGround, living: _Field) -> _Field:
    """Who will be there when the attacker acts."""
    if not ground.setup["bleed_at_start"]:
        return living
    ticked = (_tick(each) if each.ticks else each for each in living)
    return tuple(each for each in ticked if each.hp > 0)


@dataclass(slots=True)
class _Action:
    """An action under way: who lives, what happened, and what has been used up."""

    ground: ExactGround
    action: int
    living: _Field
    bits: int = 0
    extras: int = 0
    splinters: int = 0
    # Under the ruling area_strikes=single: the one enemy that a later strike goes at.
    only: int | None = None
    hit: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def attack(self) -> None:
        """Every base attack, those of a chain while they do damage, and what they set off."""
        setup = self.ground.setup
        special = self.action != BASIC
        is_first = True
        for _ in range(int(setup["strikes"]) if special else 1):
            for _ in range(max(int(setup["chain"]), 1) if special else 1):
                if not self.living:
                    return
                if setup["area_single"] and not is_first:
                    self.only = self._target()
                harmed, feeding = self._strike(self._caught())
                if special and (is_first or not setup["first_only"]):
                    if harmed and self.living:
                        feeding += self._extra_attack(harmed)
                    self._splinter(feeding)
                is_first = False
                if not harmed:
                    break

    def _caught(self) -> list[int]:
        if self.only is not None:
            return [each.foe for each in self.living if each.foe == self.only]
        return [each.foe for each in self.living[: int(self.ground.setup["area_limit"])]]

    def _extra_attack(self, harmed: list[int]) -> int:
        setup = self.ground.setup
        targets = self._caught()
        if setup["extra_single"]:
            targets = [each.foe for each in self.living if each.foe in harmed][:1]
        if self.extras == int(setup["extra_limit"]) or not targets:
            return 0
        self.extras += 1
        defeats = self._strike(targets)[1]
        return defeats if setup["triggered_feed"] else 0

    def _splinter(self, feeding: int) -> None:
        setup = self.ground.setup
        while feeding and self.splinters < int(setup["splinter_limit"]) and self.living:
            self.splinters += 1
            defeats = self._strike([self._target()])[1]
            feeding += (defeats if setup["triggered_feed"] else 0) - 1

    def _target(self) -> int:
        """Whom a single-target strike goes at, by the ruling `target`."""
        sign = (0, 1, -1)[int(self.ground.setup["target_rule"])]
        return min(self.living, key=lambda each: sign * each.hp).foe

    def _strike(self, caught: list[int]) -> tuple[list[int], int]:
        """Strike these: who of them was damaged, and how many fell."""
        before = self.living
        after = [
            _strike(self.ground, each, self.action, self.begun) if each.foe in caught else each
            for each in before
        ]
        harmed = [a.foe for a, b in zip(after, before, strict=True) if a != b]
        defeats = sum(each.hp <= 0 for each in after)
        self.hit |= set(caught)
        self.bits |= (DAMAGED if harmed else 0) | (DEFEATED if defeats else 0)
        self.living = tuple(each for each in after if each.hp > 0)
        return harmed, defeats


def _act(ground: ExactGround, before: _Field, action: int) -> tuple[_Field, int]:
    """One turn from a field."""
    at_start = bool(ground.setup["bleed_at_start"])
    now = _Action(ground, action, _standing(ground, before))
    if at_start:
        now.bits |= DAMAGED if any(each.ticks for each in before) else 0
        now.bits |= DEFEATED if len(now.living) < len(before) else 0
    if now.living and action != NOTHING:
        now.attack()
    living = now.living
    if not at_start:
        due = {each.foe for each in living if each.ticks and each.foe not in now.begun}
        ticked = [_tick(each) if each.foe in due else each for each in living]
        now.bits |= DAMAGED if due else 0
        now.bits |= DEFEATED if any(each.hp <= 0 for each in ticked) else 0
        living = tuple(each for each in ticked if each.hp > 0)
    # Only an enemy who will still stand at the next action can be one who was hit before it.
    now.bits |= HIT if any(each.foe in now.hit for each in _standing(ground, living)) else 0
    if not living:
        return _wave(ground, int(ground.foes[before[0].foe]["wave_end"])), now.bits | CALM
    return living, now.bits


def _strike(ground: ExactGround, target: _Target, action: int, begun: set[int]) -> _Target:
    setup, foe = ground.setup, ground.foes[target.foe]
    row = 0 if action == BASIC else int(setup["classes"]) * (action - BASIC)
    damage = max(int(ground.chances[row + int(foe["strike_class"])].argmax()) - 1, 0)
    left, felled = _strike_one(int(foe["kill_at"]) if action != BASIC else 0, target.hp, damage)
    ticks = int(setup["bleed_ticks"]) if action != BASIC else 0
    if felled or not _begins(ticks, damage, target.ticks, ticks if setup["bleed_replaces"] else 0):
        return replace(target, hp=int(left))
    begun.add(target.foe)
    return _Target(target.foe, int(left), damage, ticks)


def _tick(target: _Target) -> _Target:
    left = target.ticks - 1
    return _Target(target.foe, _tick_one(target.hp, target.bleed), target.bleed if left else 0, left)
