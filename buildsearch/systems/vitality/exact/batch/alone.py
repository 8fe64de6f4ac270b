"""One enemy, and a gating that looks at no outcome: the order of damages does not matter.

The fight is still on before turn t + 1 if n attacks and m basic attacks of the first t turns leave the enemy
standing, and how often they were (n, m) is the gating's affair alone. So

    mean = sum over n, m of W[n, m] P(n attacks and m basic attacks leave it standing)
         = sum over n, d of f_n(d) G[n, d],   G[n, d] = sum over m of W[n, m] P(d + m basic attacks < HP)

with W[n, m] the sum over the turns up to the limit of the chance that so many were made: the turn limit needs
no care. f_n, the damage of n attacks, is the profile's; G is the gating's. An attack that may fail to
activate is one that does nothing so often; turns of charging and waiting are neither.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.compiled import inner
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.moves import BASIC, NOTHING, SPECIAL

# Fights that are still on with less than this are over; counts with less than that do not occur.
_OVER = 1e-15
_NEVER = 1e-18
_LOG_OVER = math.log(_OVER)
# Rates of exponentials in bounds.
_RATES = (0.1, 0.2, 0.05, 0.4)
# Sums may be regrouped, else dot products use no vectors: the same code runs on the same numbers whatever
# else is in a batch, so results do not depend on it.
_REGROUPED = {"reassoc", "nsz", "contract"}


@inner
def activation_of(steps: NDArray[np.void]) -> float:
    """The chance that the attack activates where it is tried; -1: this chain is not of the kind.

    Of the kind: no outcome changes the next state, one level, and whether the attack activates neither.
    """
    activation = 1.0
    for i in range(len(steps)):
        step = steps[i]
        if step["action"] == NOTHING:
            continue
        if step["action"] > SPECIAL:
            return -1.0
        if step["missed"] != step["touched"] or step["missed"] != step["damaged"]:
            return -1.0
        if step["action"] == BASIC or step["chance"] == 1.0:
            continue
        activation = step["chance"]
        partner = -1
        for k in range(len(steps)):
            other = steps[k]
            if (
                other["action"] == NOTHING
                and other["state"] == step["state"]
                and other["event"] == step["event"]
                and other["missed"] == step["missed"]
                and other["chance"] < 1.0
            ):
                partner = k
        if partner < 0:
            return -1.0
    for i in range(len(steps)):
        if steps[i]["action"] == SPECIAL and steps[i]["chance"] != activation:
            return -1.0
    return activation


@njit(cache=True, nogil=True)
def sort_processes(packed: Packed, activations: NDArray[np.float64], basics: NDArray[np.bool_]) -> None:
    """By process: its `activation_of`, and whether it makes basic attacks."""
    for process in range(len(activations)):
        steps = packed.steps[packed.first_step[process] : packed.first_step[process + 1]]
        activations[process] = activation_of(steps)
        for i in range(len(steps)):
            if steps[i]["action"] == BASIC:
                basics[process] = True


@njit(cache=True, nogil=True)
def shrinks_of(damages: Damages, rows: NDArray[np.int64], max_hp: int) -> NDArray[np.float64]:
    """By row of these and rate: the mean of exp(-rate * damage) where there is damage, all HP at most."""
    found = np.zeros((len(rows), len(_RATES)))
    for i in range(len(_RATES)):
        powers = np.zeros(max_hp + 1)
        for damage in range(1, max_hp + 1):
            powers[damage] = math.exp(-_RATES[i] * damage)
        for k in range(len(rows)):
            row = rows[k]
            total = damages.at_least[row, max_hp] * powers[max_hp]
            for damage in range(damages.lowest[row], max_hp):
                total += damages.chances[row, damage] * powers[damage]
            found[k, i] = total
    return found


@njit(cache=True, nogil=True)
def most_attacks(
    misses: NDArray[np.float64],
    activations: NDArray[np.float64],
    shrinks: NDArray[np.float64],
    max_hp: int,
    limit: int,
) -> NDArray[np.int64]:
    """By pair: more attacks than this leave nobody standing (Chernoff's bound)."""
    found = np.full(len(misses), limit - 1)
    for i in range(len(misses)):
        for k in range(len(_RATES)):
            shrink = 1.0 + activations[i] * (misses[i] + shrinks[i, k] - 1.0)
            if shrink < 1e-8:
                found[i] = min(found[i], 2)
            elif shrink < 1.0:
                found[i] = min(found[i], int((_LOG_OVER - _RATES[k] * max_hp) / math.log(shrink)) + 2)
    return found


@inner
def count_turns(  # noqa: PLR0912, PLR0915 - one walk, its loops in place
    steps: NDArray[np.void],
    states: int,
    chances: NDArray[np.float64],
    limit: int,
    weights: NDArray[np.float64],
) -> None:
    """Fill in W, for all numbers up to the limit; `chances` are those of `lumping`'s sets of events."""
    moves = np.zeros((len(steps), 3), np.int64)
    shares = np.zeros(len(steps))
    count = 0
    waits = False
    for i in range(len(steps)):
        step = steps[i]
        # Of an attack that may fail to activate one of the two steps stands for both.
        if step["action"] == NOTHING and step["chance"] < 1.0:
            continue
        share = chances[step["event"]]
        if share == 0.0:
            continue
        moves[count, 0] = step["state"]
        moves[count, 1] = step["action"]
        moves[count, 2] = step["missed"]
        shares[count] = share
        waits = waits or step["action"] == NOTHING
        count += 1
    # By state, turns of neither attack, attacks. Spans: the first and last numbers of attacks that occur.
    idles = limit + 1 if waits else 1
    now = np.zeros((states, idles, limit + 2))
    later = np.zeros((states, idles, limit + 2))
    spans = np.zeros((states, idles, 2), np.int64)
    later_spans = np.zeros((states, idles, 2), np.int64)
    spans[:, :, 0] = limit + 1
    now[0, 0, 0] = 1.0
    spans[0, 0, 0] = 0
    weights[:] = 0.0
    idlest = 0
    for turn in range(limit):
        for state in range(states):
            for idle in range(idlest + 1):
                first = spans[state, idle, 0]
                last = spans[state, idle, 1]
                while first <= last and now[state, idle, first] < _NEVER:
                    first += 1
                while first <= last and now[state, idle, last] < _NEVER:
                    last -= 1
                spans[state, idle, 0] = first
                spans[state, idle, 1] = last
                for n in range(first, last + 1):
                    weights[n, turn - idle - n] += now[state, idle, n]
        further = idlest + 1 if waits else idlest
        later_spans[:, : further + 1, 0] = limit + 1
        later_spans[:, : further + 1, 1] = 0
        for i in range(count):
            state = moves[i, 0]
            target = moves[i, 2]
            rest = 1 if moves[i, 1] == NOTHING else 0
            more = 1 if moves[i, 1] == SPECIAL else 0
            share = shares[i]
            for idle in range(idlest + 1):
                first = spans[state, idle, 0]
                last = spans[state, idle, 1]
                if first > last:
                    continue
                row = later[target, idle + rest]
                span = later_spans[target, idle + rest]
                if span[0] > span[1]:
                    span[0] = first + more
                    span[1] = first + more - 1
                while span[0] > first + more:
                    span[0] -= 1
                    row[span[0]] = 0.0
                while span[1] < last + more:
                    span[1] += 1
                    row[span[1]] = 0.0
                for n in range(first, last + 1):
                    row[np.uint64(n + more)] += share * now[np.uint64(state), np.uint64(idle), np.uint64(n)]
        idlest = further
        now, later = later, now
        spans, later_spans = later_spans, spans


@inner
def add_damage(
    damage: NDArray[np.float64],
    low: int,
    high: int,
    activation: float,
    most: int,
    now: NDArray[np.float64],
    later: NDArray[np.float64],
) -> float:
    """Add an attack's damage to totals of at most `most`; the answer: the chance of these."""
    stay = 1.0 + activation * (damage[0] - 1.0)
    for total in range(most + 1):
        later[np.uint64(total)] = stay * now[np.uint64(total)]
    for k in range(low, min(high, most) + 1):
        chance = activation * damage[k]
        if chance == 0.0:
            continue
        for total in range(most + 1 - k):
            later[np.uint64(total + k)] += chance * now[np.uint64(total)]
    alive = 0.0
    for total in range(most + 1):
        alive += later[total]
    return alive


@inner
def standing_after_basics(damages: Damages, max_hp: int, limit: int) -> NDArray[np.float64]:
    """By number of basic attacks and damage before them: the chance that the enemy stands, if any."""
    found = np.zeros((limit + 1, max_hp))
    now = np.zeros(max_hp)
    later = np.zeros(max_hp)
    now[0] = 1.0
    for number in range(limit + 1):
        above = 0.0
        for total in range(max_hp):
            above += now[total]
            found[number, max_hp - 1 - total] = above
        if above < _NEVER:
            return found[:number]
        row = damages.basic[0]
        add_damage(
            damages.chances[row], damages.lowest[row], damages.highest[row], 1.0, max_hp - 1, now, later
        )
        now, later = later, now
    return found[:limit]


@inner
def fold(weights: NDArray[np.float64], basics: NDArray[np.float64], table: NDArray[np.float64]) -> None:
    """Fill in G."""
    table[:] = 0.0
    for n in range(len(table)):
        for m in range(min(len(basics), weights.shape[1])):
            weight = weights[n, m]
            if weight < _NEVER:
                continue
            for d in range(table.shape[1]):
                table[np.uint64(n), np.uint64(d)] += weight * basics[np.uint64(m), np.uint64(d)]


@njit(cache=True, nogil=True)
def fill_tables(
    packed: Packed,
    processes: NDArray[np.int64],
    sizes: NDArray[np.int64],
    starts: NDArray[np.int64],
    damages: Damages,
    limit: int,
    tables: NDArray[np.float64],
) -> None:
    """G of each process, `sizes` rows of it, one process after the other."""
    basics = standing_after_basics(damages, packed.max_hp[0], limit)
    weights = np.zeros((limit + 1, limit + 1))
    for i in range(len(processes)):
        process = processes[i]
        count_turns(
            packed.steps[packed.first_step[process] : packed.first_step[process + 1]],
            packed.states[process],
            packed.sets[packed.places_of[process], 0],
            limit,
            weights,
        )
        fold(weights, basics, tables[starts[i] : starts[i] + sizes[i]])


@njit(cache=True, nogil=True, fastmath=_REGROUPED)
def read_tables(
    tables: NDArray[np.float64],
    starts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rows: NDArray[np.int64],
    kill_at: NDArray[np.int64],
    activations: NDArray[np.float64],
    damages: Damages,
    means: NDArray[np.float64],
) -> None:
    """Means of pairs, those of one row of damages, threshold and activation side by side.

    `starts`: where their G is, `sizes`: how much of it each needs, whatever others need of it.
    """
    max_hp = tables.shape[1]
    sums = np.zeros((sizes.max(), max_hp))
    first = 0
    while first < len(rows):
        row = rows[first]
        stop = first
        needed = 0
        while (
            stop < len(rows)
            and rows[stop] == row
            and kill_at[stop] == kill_at[first]
            and activations[stop] == activations[first]
        ):
            needed = max(needed, sizes[stop])
            stop += 1
        most = max_hp - 1 - kill_at[first]
        sums[0, :] = 0.0
        sums[0, 0] = 1.0
        count = 1
        alive = 1.0
        while count < needed and alive > _OVER:
            alive = add_damage(
                damages.chances[row],
                damages.lowest[row],
                damages.highest[row],
                activations[first],
                most,
                sums[count - 1],
                sums[count],
            )
            count += 1
        for pair in range(first, stop):
            total = 0.0
            for n in range(min(count, sizes[pair])):
                line = np.uint64(starts[pair] + n)
                for d in range(most + 1):
                    total += sums[np.uint64(n), np.uint64(d)] * tables[line, np.uint64(d)]
            means[pair] = total
        first = stop
