"""The slow obvious twin: every roll of every die through the reference, in exact fractions.

Only for tiny rules without explosions. Between turns equal situations are put together; within a turn every
sequence of rolls is played.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from vitality_exact_support import tiny_attacker

from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.solving import solve, why_not_exact
from buildsearch.systems.vitality.reference.battle import (
    Battle,
    Bleeding,
    Enemy,
    Memory,
    OwnTurn,
    Reprisal,
    make_setting,
)
from buildsearch.systems.vitality.reference.fight import _begin, _own_turn, retaliate


class _Script:
    """Rolls a given beginning, then ones; remembers the dice."""

    def __init__(self, beginning):
        self.rolls = list(beginning)
        self.sides = []

    def roll(self, sides):
        self.sides.append(sides)
        if len(self.rolls) < len(self.sides):
            self.rolls.append(1)
        return self.rolls[len(self.sides) - 1]


def _every_way(play):
    """`play(dice)` for every sequence of rolls: (chance, result)."""
    beginning = []
    while True:
        dice = _Script(beginning)
        result = play(dice)
        yield Fraction(1, math.prod(dice.sides)), result
        rolls = dice.rolls[: len(dice.sides)]
        while rolls and rolls[-1] == dice.sides[len(rolls) - 1]:
            rolls.pop()
        if not rolls:
            return
        rolls[-1] += 1
        beginning = rolls


def solve_naively(rules, build, attacker, encounter):
    """Chances of each length of fight, and of survival."""
    setting = make_setting(rules, build, attacker, encounter)
    combatants = [each for wave in setting.waves for each in wave]
    loss = rules.rulings.attacker_defeat == "loss"

    options = [rules.enhancements[name] for attack in build.attacks for name in attack.enhancements]
    conditions = [option.conditions for option in options]
    heals = any(option.mechanics.leech for option in options)
    pays = any(each.hp_cost for each in conditions)
    reads_hp = pays or heals or any(each.hp_full or each.hp_at_most is not None for each in conditions)
    reads_turn = any(each.turn is not None for each in conditions)
    # What no limit of the build asks about is not kept apart.
    asks_enemies = any(each.since_last_turn is not None for each in conditions)
    asks_own_turn = any(each.last_turn is not None or each.no_attack_last_turn for each in conditions)
    counts = any(each.uses is not None for each in conditions)
    rests = any(each.cooldown is not None for each in conditions)
    channels = any(option.mechanics.channel for option in options)

    def freeze(battle):
        turn = battle.turn
        return (
            # Who is healed may come back from below 0; for others it is all the same.
            battle.attacker_hp if heals else max(battle.attacker_hp, 0),
            battle.waves_seen,
            tuple(
                (
                    enemy.index,
                    enemy.hp,
                    asks_own_turn and enemy.last_hit == turn,
                    enemy.bleeding and (enemy.bleeding.damage, enemy.bleeding.ticks_left,
                                        enemy.bleeding.next_tick - turn, enemy.bleeding.enhancement),
                )
                for enemy in battle.living
            ),
            tuple(
                (counts * m.attempts, m.last_attempt and turn - m.last_attempt if rests else None, m.charge,
                 channels * m.channel)
                for m in battle.memories
            ),
            (battle.current.made_attack, battle.current.dealt_damage, battle.current.defeated_enemy)
            if asks_own_turn else (),
            (battle.reprisal.was_attacked, battle.reprisal.was_hit, battle.reprisal.was_damaged)
            if asks_enemies else (),
        )  # fmt: skip

    def thaw(state, turn, dice):
        hp, waves_seen, living, memories, current, reprisal = state
        battle = Battle(setting, dice, None, hp, tuple(
            Memory(attempts, None if ago is None else turn - ago, charge, channel)
            for attempts, ago, charge, channel in memories
        ))  # fmt: skip
        battle.turn, battle.waves_seen = turn, waves_seen
        battle.living = [
            Enemy(i, combatants[i], hp, True, turn if hit else -1,
                  bleed and Bleeding(bleed[0], bleed[1], bleed[2] + turn, bleed[3]))
            for i, hp, hit, bleed in living
        ]  # fmt: skip
        battle.current, battle.reprisal = OwnTurn(*current), Reprisal(*reprisal)
        return battle

    def own_turn(state, turn, dice):
        battle = thaw(state, turn - 1, dice)
        _begin(battle, turn)
        won = _own_turn(battle)
        return won, freeze(battle)

    def reply(state, turn, dice):
        battle = thaw(state, turn, dice)
        retaliate(battle)
        return freeze(battle)

    # Remembered: what depends neither on the turn nor on the attacker's HP is played out once.
    turns, replies = {}, {}

    def own_turns(state, turn):
        key = (state[0] if reads_hp else None, turn if reads_turn else None, state[1:])
        if key not in turns:
            ways = defaultdict(Fraction)
            for chance, result in _every_way(lambda dice: own_turn(state, turn, dice)):
                ways[result] += chance
            turns[key] = ways
        for (won, result), chance in turns[key].items():
            yield chance, won, (result[0] if pays or heals else state[0], *result[1:])

    def all_replies(state, turn):
        key = state[0], tuple(enemy[0] for enemy in state[2])
        if key not in replies:
            ways = defaultdict(Fraction)
            for chance, result in _every_way(lambda dice: reply(state, turn, dice)):
                ways[result[0], result[5]] += chance
            replies[key] = ways
        for (hp, reprisal), chance in replies[key].items():
            yield chance, (hp, *state[1:5], reprisal)

    first = Battle(setting, _Script([]), None, attacker.hp, tuple(Memory() for _ in build.attacks))
    # Whether HP were never 0 or less after a retaliation goes with the state.
    states = {(freeze(first), True): Fraction(1)}
    ends = [Fraction(0)] * (encounter.max_turns + 1)
    survival = Fraction(0)
    for turn in range(1, encounter.max_turns + 1):
        after = defaultdict(Fraction)
        for (state, survived), mass in states.items():
            for chance, won, result in own_turns(state, turn):
                if won:
                    ends[turn] += mass * chance
                    survival += mass * chance * survived
                else:
                    after[result, survived] += mass * chance
        states = defaultdict(Fraction)
        for (state, survived), mass in after.items():
            for chance, result in all_replies(state, turn):
                if loss and result[0] <= 0:
                    ends[encounter.max_turns] += mass * chance
                else:
                    states[result, survived and result[0] > 0] += mass * chance
    for (_, survived), mass in states.items():
        ends[encounter.max_turns] += mass
        survival += mass * survived
    return ends, survival


def agrees(rules, build, encounter):
    """Distribution and survival, with and without following HP; whether there was anything to check."""
    attacker = tiny_attacker(rules)
    ground = exact_ground(rules, build, attacker, encounter)
    if why_not_exact(ground) is not None:
        return False
    ends, survival = solve_naively(rules, build, attacker, encounter)
    assert sum(ends) == 1
    solution = solve(ground)
    np.testing.assert_allclose(solution.ends, np.array(ends, float), rtol=0, atol=1e-13)
    assert solution.survival == pytest.approx(float(survival), abs=1e-13)
    np.testing.assert_allclose(solve(ground, survival=False).ends, solution.ends, rtol=0, atol=1e-13)
    return True
