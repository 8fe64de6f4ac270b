"""The slow obvious twin: value iteration over every situation that the reference can get into.

Transitions are played by the reference itself, every roll of every die, for every choice that its own limits
allow. Only for tiny rules.
"""

from __future__ import annotations

from collections import defaultdict

from vitality_exact_naive import _every_way, _Script

from buildsearch.systems.vitality.reference.battle import (
    Battle,
    Bleeding,
    Choice,
    Enemy,
    Memory,
    OwnTurn,
    Reprisal,
    make_setting,
)
from buildsearch.systems.vitality.reference.fight import act, retaliate, tick_bleeds
from buildsearch.systems.vitality.reference.greedy import failing
from buildsearch.systems.vitality.reference.limits import Kind


class Twin:
    def __init__(self, rules, build, attacker, encounter):
        self.setting = make_setting(rules, build, attacker, encounter)
        self.combatants = [each for wave in self.setting.waves for each in wave]
        self.attacks = len(build.attacks)
        conditions = [[rules.enhancements[n].conditions for n in a.enhancements] for a in build.attacks]
        turns = [c.turn for each in conditions for c in each if c.turn is not None]
        self.last_turn = max([1, *(t.first or 1 for t in turns), *((t.last or 0) + 1 for t in turns)])
        self.reads_hp = any(c.hp_full or c.hp_at_most is not None for each in conditions for c in each)
        self.asks_enemies = any(c.since_last_turn is not None for each in conditions for c in each)
        self.asks_own_turn = any(
            c.last_turn is not None or c.no_attack_last_turn for each in conditions for c in each
        )
        self.uses = [max((c.uses or 0 for c in each), default=0) for each in conditions]
        self.rests = [max((c.cooldown or 0 for c in each), default=0) for each in conditions]
        self.channels = [
            any(rules.enhancements[n].mechanics.channel for n in a.enhancements) for a in build.attacks
        ]
        first = Battle(self.setting, _Script([]), None, attacker.hp, tuple(Memory() for _ in build.attacks))
        self.first = self.freeze(first)

    def freeze(self, battle):
        """A situation after the retaliation; what no limit can look at any more is left out."""
        turn = battle.turn
        return (
            min(turn, self.last_turn),
            max(battle.attacker_hp, 0) if self.reads_hp else self.setting.attacker.hp,
            battle.waves_seen,
            tuple(
                (
                    enemy.index,
                    enemy.hp,
                    self.asks_own_turn and enemy.last_hit == turn and turn > 0,
                    enemy.bleeding and (enemy.bleeding.damage, enemy.bleeding.ticks_left,
                                        enemy.bleeding.next_tick - turn, enemy.bleeding.enhancement),
                )
                for enemy in battle.living
            ),
            tuple(
                (
                    min(m.attempts, uses),
                    None if m.last_attempt is None or turn - m.last_attempt > rest else turn - m.last_attempt,
                    m.charge,
                    min(m.channel, 12) if channels else 0,
                )
                for m, uses, rest, channels in zip(
                    battle.memories, self.uses, self.rests, self.channels, strict=True
                )
            ),
            (battle.current.made_attack, battle.current.dealt_damage, battle.current.defeated_enemy)
            if self.asks_own_turn else (),
            (battle.reprisal.was_attacked, battle.reprisal.was_hit, battle.reprisal.was_damaged)
            if self.asks_enemies else (),
        )  # fmt: skip

    def thaw(self, state, dice):
        turn, hp, waves_seen, living, memories, current, reprisal = state
        battle = Battle(self.setting, dice, None, hp, tuple(
            Memory(attempts, None if ago is None else turn - ago, charge, channel)
            for attempts, ago, charge, channel in memories
        ))  # fmt: skip
        battle.turn, battle.waves_seen = turn, waves_seen
        battle.living = [
            Enemy(i, self.combatants[i], hp, True, turn if hit else -1,
                  bleed and Bleeding(bleed[0], bleed[1], bleed[2] + turn, bleed[3]))
            for i, hp, hit, bleed in living
        ]  # fmt: skip
        battle.current, battle.reprisal = OwnTurn(*current), Reprisal(*reprisal)
        return battle

    def begun(self, state, dice):
        battle = self.thaw(state, dice)
        battle.turn += 1
        battle.previous, battle.current = battle.current, OwnTurn()
        if not battle.living:
            battle.next_wave()
        return battle

    def choices(self, state):
        battle = self.begun(state, _Script([]))
        found = [Choice("wait", None, "")]
        found += [Choice("basic", i, "") for i in range(self.attacks)]
        for i in range(self.attacks):
            lacking = failing(battle, i)
            if not lacking:
                found.append(Choice("attack", i, ""))
            elif lacking == {Kind.CHARGE}:
                found.append(Choice("charge", i, ""))
        return found

    def turn(self, state, choice):
        """(chance, next situation) of one turn; None: the fight is won."""

        def play(dice):
            battle = self.begun(state, dice)
            battle.policy = lambda _: choice
            act(battle)
            tick_bleeds(battle)
            if not battle.living and not battle.waves_left:
                return None
            retaliate(battle)
            return self.freeze(battle)

        ways = defaultdict(float)
        for chance, result in _every_way(play):
            ways[result] += float(chance)
        return [(chance, result) for result, chance in ways.items()]

    def value(self, most=20_000):
        """Mean turns of best play; None where there are too many situations."""
        turns, queue = {}, [self.first]
        known = {self.first}
        for state in queue:
            turns[state] = [self.turn(state, choice) for choice in self.choices(state)]
            for ways in turns[state]:
                for _, result in ways:
                    if result is not None and result not in known:
                        known.add(result)
                        queue.append(result)
            if len(queue) > most:
                return None
        values = dict.fromkeys(queue, 0.0)
        values[None] = 0.0
        for _ in range(100_000):
            moved = 0.0
            for state in reversed(queue):
                best = min(
                    1 + sum(chance * values[result] for chance, result in ways) for ways in turns[state]
                )
                moved = max(moved, abs(best - values[state]))
                values[state] = best
            if moved < 1e-13:
                break
        return values[self.first]
