"""Kernel and reference fight the very same fights: with the same chance they come to the same end."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from animon_fights import builds, fights, rulings
from animon_support import bout, rules
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from buildsearch.evaluate.randomness import next_word, stream_state
from buildsearch.model.errors import UsageError
from buildsearch.systems.animon.evaluators import Field
from buildsearch.systems.animon.kernel.driver import plan_of
from buildsearch.systems.animon.kernel.fights import _fight
from buildsearch.systems.animon.mechanics.bits import hp_of
from buildsearch.systems.animon.mechanics.layout import UNITS
from buildsearch.systems.animon.mechanics.luck import GAUGE, TALLY
from buildsearch.systems.animon.reference import fight as reference

OUTCOMES = ("lost", "drawn", "won")


class KernelDice:
    """Rolls as the kernel takes them out of its words: six from each, a new one for every roll."""

    def __init__(self, words):
        self.words = [np.uint64(each) for each in words]

    def roll_all(self, number, sides):
        faces, left, part, rest = [], 0, 0, 0
        for _ in range(number):
            if left == 0:
                word, *words = next_word(*self.words)
                self.words = [np.uint64(each) for each in words]
                part, rest, left = int(word) >> 32, int(word) & 0xFFFFFFFF, 6
            elif left == 3:
                part = rest
            left -= 1
            wider = part * sides
            faces.append((wider >> 32) + 1)
            part = wider & 0xFFFFFFFF
        return tuple(faces)


class KernelBattle(reference.Battle):
    """A fight of the reference with such dice."""

    def roll(self, unit, number):
        found = self.dice.roll_all(number, self.rules.dice.sides)
        if unit.who.is_pc:
            self.gauge += found.count(self.rules.dice.sides)
        return found


def last_group_first(battle, units):
    """The reference's initiative, but of several groups that tied the last one rolls again first."""
    order, waiting = list(units), [(0, len(units))]
    surprised = {"nobody": None, "us": 0, "them": 1}[battle.bout.surprised] if battle.wave == 0 else None
    while waiting:
        first, end = waiting.pop()
        tied = order[first:end]
        if len(tied) < 2 or not any(each.form.initiative for each in tied):
            continue
        rolled = {}
        for each in tied:
            net = -1 if each.who.side == surprised else 0
            rolled[each] = battle.successes(battle.roll(each, each.form.initiative), net)
        order[first:end] = sorted(tied, key=lambda each: -rolled[each])
        if battle.rules.rulings.initiative_ties == "again":
            numbers = [rolled[each] for each in order[first:end]]
            for number in sorted(set(numbers), reverse=True):
                begin = first + numbers.index(number)
                waiting.append((begin, begin + numbers.count(number)))
    return order


def by_the_kernel(ready, row, luck):
    plan, odds = plan_of(ready.template, row)
    state, tally = np.zeros(int(plan[UNITS]) + 2, np.int64), np.zeros(TALLY)
    outcome, rounds = _fight(plan, odds, state, np.zeros(16, np.int64), np.zeros(16), luck, tally)
    return OUTCOMES[outcome], rounds, hp_of(state, 0), tally[GAUGE]


def by_the_reference(given_rules, some, asked, luck):
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(reference, "Battle", KernelBattle)
        patch.setattr(reference, "_order", last_group_first)
        found = reference.fight(given_rules, some, asked, KernelDice(luck))
    return found.outcome, found.rounds, found.hp_left, found.gauge


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_kernel_and_reference_fight_the_same_fight(data):
    sets = data.draw(rulings())
    some, _ = data.draw(builds(sets))
    try:
        asked = bout(data.draw(fights(sets)), sets=sets)
    except UsageError:  # too many at once
        assume(False)
    ready = Field(rules(*sets), asked)
    for block in range(3):
        luck = stream_state(data.draw(st.integers(0, 1 << 30)), b"", block)
        slow = by_the_reference(rules(*sets), some, asked, luck.copy())
        assert by_the_kernel(ready, ready.row(some), luck) == slow
