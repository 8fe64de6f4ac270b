"""Attacks that another attack replaces without loss: proved, or kept.

Attack a dominates b where both have the same limits and the same basic attack, and against every class of
enemy, at every level of channelling, a hits as often or more, does any damage or more of it as often or more,
and defeats at the same HP or earlier. Then a's rolls can be matched with b's so that a leaves no more HP.

Against a single enemy nothing is lost by fewer HP: whatever can be done with more HP left can be done with
fewer, by the same rolls, and it is over no later. Any limits may be in the loadout.

Against several enemies of one wave fewer HP may fell an enemy sooner, and the one who is ahead must not be
worse off. He waits for the turns that the other still needs; counters are then as good as the other's, since
an attack that fells leaves no charge and no unused rest. It holds if every attack of the loadout is tame:

- no limit on having hit, damaged or defeated last turn: waiting does not keep these up;
- no limit that wants few HP of the attacker: fewer enemies leave him more;
- a limit that wants full HP only if fewer enemies never do more harm (looked up);
- a channelled attack without limits on events or HP, so that he can go on with it instead of waiting.

What happened since last turn is no obstacle: when the other arrives, the same enemies stand there.
Several waves of several enemies: nothing is tame, for the first turn of a wave has no retaliation before it.

Attacks that bleed are not compared with others: they neither dominate nor are dominated. They are not tame,
not even against a single enemy: beside them thresholds, which dominate, are not valued.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import distinct_rows
from buildsearch.systems.vitality.best_play.kits import Kits
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED

# Sums of chances differ by rounding.
_ROUNDING = 1e-13
_ALWAYS = (1 << ALL_MISSED) | (1 << HIT_UNHARMED) | (1 << DAMAGED) | (1 << NOT_ATTACKED)


def tame(kits: Kits) -> NDArray[np.bool_]:
    """Attacks with which a loadout is never worse off for being further in this fight."""
    limits, enemies = kits.limits, kits.enemies
    if len(enemies.max_hp) == 1:
        return ~kits.bleeds
    if enemies.wave_end[0] < len(enemies.max_hp):
        return np.zeros(len(limits), bool)
    feedback = (limits["last_hit"] != 0) | (limits["last_damage"] != 0) | (limits["last_defeat"] != 0)
    wants_few = limits["hp_at_most"] < kits.attacker_hp
    wants_full = limits["hp_full"] != 0
    harm = np.cumsum(enemies.retaliation[:, ::-1], axis=1)[:, ::-1][:, 2:]  # so much or more
    grows = bool((harm[1:] > harm[:-1] + _ROUNDING).any())
    channels = (limits["levels"] > 1) & ((limits["since_mask"] != _ALWAYS) | wants_full)
    return np.asarray(~feedback & ~wants_few & ~(wants_full & grows) & ~channels & ~kits.bleeds)


def dominators(fights: Sequence[Kits]) -> NDArray[np.int64]:
    """By attack: one that replaces it without loss among tame attacks, -1 where none is known.

    No dominator is dominated itself.
    """
    count = len(fights[0].rows)
    columns = [np.where(fights[0].bleeds, np.arange(count), -1)]
    for kits in fights:
        columns += [distinct_rows(kits.limits.view(np.int64).reshape(count, -1))[1], kits.basic_rows]
    _, group_of = distinct_rows(np.stack(columns, axis=1))
    # Only what does more damage on the whole can dominate: those come first.
    strength = np.zeros(count)
    for kits in fights:
        sums = kits.damages.at_least[:, 1:].sum(axis=1)
        for strike_class in range(kits.damages.classes):
            strength += sums[kits.rows + strike_class]
    order = np.lexsort((-strength, group_of))
    starts = np.flatnonzero(np.diff(group_of[order], prepend=-1, append=-1))
    found = np.full(count, -1, np.int64)
    width = max(kits.damages.at_least.shape[1] for kits in fights)
    offsets = np.concatenate([[0], np.cumsum([len(kits.damages.at_least) for kits in fights])])
    at_least = np.zeros((int(offsets[-1]), width))
    for kits, begin, end in zip(fights, offsets[:-1], offsets[1:], strict=True):
        at_least[begin:end, : kits.damages.at_least.shape[1]] = kits.damages.at_least
    _mark_groups(
        order,
        starts,
        np.stack([kits.rows for kits in fights], axis=1) + offsets[:-1],
        np.array([kits.damages.classes for kits in fights]),
        at_least,
        np.concatenate([1.0 - kits.damages.chances[:, 0] + kits.damages.touched for kits in fights]),
        np.concatenate([kits.damages.kill_at for kits in fights]),
        fights[0].limits["levels"].copy(),
        found,
    )
    return found


@njit(cache=True, nogil=True)
def _mark_groups(
    order: NDArray[np.int64], starts: NDArray[np.int64], rows: NDArray[np.int64],
    classes: NDArray[np.int64], at_least: NDArray[np.float64], hit: NDArray[np.float64],
    kill_at: NDArray[np.int64], levels: NDArray[np.int64], found: NDArray[np.int64],
) -> None:  # fmt: skip
    kept = np.zeros(len(order), np.int64)
    width = at_least.shape[1]
    for group in range(len(starts) - 1):
        count = 0
        for at in range(starts[group], starts[group + 1]):
            one = order[at]
            for j in range(count):
                other = kept[j]
                covers = True
                for fight in range(rows.shape[1]):
                    for i in range(classes[fight] * levels[one]):
                        a = rows[other, fight] + i
                        b = rows[one, fight] + i
                        if a == b:
                            continue
                        if kill_at[a] < kill_at[b] or hit[a] < hit[b] - _ROUNDING:
                            covers = False
                            break
                        for damage in range(1, width):
                            if at_least[a, damage] < at_least[b, damage] - _ROUNDING:
                                covers = False
                                break
                        if not covers:
                            break
                    if not covers:
                        break
                if covers:
                    found[one] = other
                    break
            if found[one] < 0:
                kept[count] = one
                count += 1
