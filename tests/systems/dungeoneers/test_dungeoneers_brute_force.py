"""Generated short fights, gone through state by state in plain Python: greedy play and best play."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from dungeoneers_support import bout, rules, space
from hypothesis import given, settings
from hypothesis import strategies as st

from buildsearch.model.evaluation import Sampling
from buildsearch.model.space import Wanted
from buildsearch.systems.dungeoneers.evaluators import evaluators
from buildsearch.systems.dungeoneers.reference.creature import make_foe, make_hero
from buildsearch.systems.dungeoneers.reference.greedy import (
    TIE,
    Attack,
    Cast,
    Defend,
    attack_chance,
    decide,
    from_pool,
    spell_chance,
    strike_with,
)

WON, DREW, LOST, ROUNDS, LIFE = range(5)
METRICS = ("win", "draw", "loss", "rounds", "life")


class EveryState:
    """What a fight comes to, by recursion over (round, whose turn, action points left, everybody's state)."""

    def __init__(self, fight):
        self.fight = fight
        self.known = {}

    def whole(self, build):
        bodies = [make_hero(rules(), build, self.fight)]
        bodies += [make_foe(rules(), named, i) for i, named in enumerate(self.fight.foes, 1)]
        orders = self.orders(bodies)
        return sum(self.turn(bodies, order, 1, 0) for order in orders) / len(orders)

    def orders(self, bodies):
        """Numbers of creatures; the hero among foes of its prowess stands at each place."""
        prowess = [body.attributes["prowess"] for body in bodies]
        foes = sorted(range(1, len(bodies)), key=lambda i: -prowess[i])
        first = self.fight.rulings.first
        if first != "prowess":
            return [[0, *foes] if first == "hero" else [*foes, 0]]
        above = sum(prowess[i] > prowess[0] for i in foes)
        equal = sum(prowess[i] == prowess[0] for i in foes)
        return [[*foes[:at], 0, *foes[at:]] for at in range(above, above + equal + 1)]

    def turn(self, bodies, order, number, place):
        if place == len(order):
            number, place = number + 1, 0
            if number > self.fight.numbers.rounds:
                return np.array([0, 1, 0, number - 1, bodies[0].life], float)
        if bodies[order[place]].is_dead:
            return self.turn(bodies, order, number, place + 1)
        bodies = [body.copy() for body in bodies]
        me = bodies[order[place]]
        me.is_defending = False
        if self.fight.rulings.magica_cap == "none" or me.magica < me.attributes["mind"]:
            me.magica += 1
        return self.point(bodies, order, number, place, me.ap)

    def point(self, bodies, order, number, place, left):
        """The state before an action."""
        if bodies[0].is_dead:
            return np.array([0, 0, 1, number, 0], float)
        if all(body.is_dead for body in bodies[1:]):
            return np.array([1, 0, 0, number, bodies[0].life], float)
        if left == 0 or bodies[order[place]].is_dead:
            return self.turn(bodies, order, number, place + 1)
        states = [(b.wounds, b.stress, b.magica, b.is_dead, b.is_defending, b.armor) for b in bodies]
        key = (tuple(order), number, place, left, tuple(states))
        if key not in self.known:
            self.known[key] = self.best(bodies, order, number, place, left)
        return self.known[key]

    def best(self, bodies, order, number, place, left):
        me = order[place]
        worths = [
            self.after(bodies, order, number, place, left, *option) for option in self.options(bodies, me)
        ]
        value = float(self.fight.rulings.draw_value)
        means = [worth[WON] + value * worth[DREW] for worth in worths]
        near = [worth for worth, mean in zip(worths, means, strict=True) if mean >= max(means) - TIE]
        soonest = min(worth[ROUNDS] for worth in near)
        return next(worth for worth in near if worth[ROUNDS] <= soonest + TIE)

    def options(self, bodies, number):
        """(decision, target)"""
        me, living = bodies[number], [i for i in range(1, len(bodies)) if not bodies[i].is_dead]
        if number or self.fight.play == "greedy":
            target = living[0] if number == 0 else 0
            if number == 0 and self.fight.rulings.target == "weakest":
                target = min(living, key=lambda i: bodies[i].life)
            return [(decide(rules(), self.fight, me, bodies[target]), target)]
        most = self.fight.numbers.stress_per_attack
        found = [(Attack(bought), target) for target in living for bought in range(most + 1)]
        for name in me.spells if me.can_cast() else ():
            spell = rules().spells[name]
            extra = 0 if spell.is_self else max(0, self.fight.numbers.ambient - spell.base)
            for target in [0] if spell.is_self else living:
                more = extra
                while from_pool(spell, more, self.fight) <= me.magica:
                    found.append((Cast(name, more), target))
                    more += 1
                    if spell.is_self:
                        break
        return [*found, *([] if me.is_defending else [(Defend(), 0)]), (None, 0)]

    def after(self, bodies, order, number, place, left, decision, target):
        def copied():
            found = [body.copy() for body in bodies]
            return found, found[order[place]], found[target]

        def go_on(found):
            return self.point(found, order, number, place, left - 1)

        missed, me, it = copied()
        if decision is None:
            return self.turn(missed, order, number, place + 1)
        if isinstance(decision, Defend):
            me.is_defending = True
            return go_on(missed)
        if isinstance(decision, Attack):
            me.gain(decision.bought)
            if me.is_dead:
                return go_on(missed)
            chance = attack_chance(me, it, decision.bought, me.is_over)
            struck, me, it = copied()
            me.gain(decision.bought)
            it.suffer(me.wounds_dealt, me.damage, me.bonus)
        else:
            spell = rules().spells[decision.spell]
            chance = 1.0 if spell.is_self else spell_chance(me, it, spell, decision.extra)
            me.magica -= from_pool(spell, decision.extra, self.fight)
            struck, me, it = copied()
            me.magica -= from_pool(spell, decision.extra, self.fight)
            if spell.is_self:
                me.armor = me.armor if spell.armor is None else spell.armor
                me.wounds = max(0, me.wounds - (spell.mend or 0))
                me.stress = max(0, me.stress - (spell.calm or 0))
                return go_on(struck)
            strike_with(spell, it)
        return chance * go_on(struck) + (1 - chance) * go_on(missed)


@st.composite
def foes(draw, most):
    """The compact form of a short fight."""
    found = []
    for _ in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(["foe", "goblin", "zombie", "hexer", "wraith", "knight"]))
        changes = {"ap": draw(st.integers(1, 2)), "endurance": draw(st.integers(0, 2))}
        for key, values in {
            "size": ["tiny", "small", "medium"],
            "buys": [0, 1],
            "weak": ["H1", "S1"],
            "resistant": ["B1", "P1"],
            "spells": ["none", "dread", "mend,spark", "mage_armor", "calm,venom"],
            "mind": [1, 2],
        }.items():
            if draw(st.booleans()):
                changes[key] = draw(st.sampled_from(values))
        found.append(f"{name}{{{' '.join(f'{key}={value}' for key, value in changes.items())}}}")
    terms = {"rounds": draw(st.integers(1, 2)), "ambient": draw(st.integers(0, 1))}
    for key, values in {
        "first": ["hero", "foes"],
        "target": ["weakest"],
        "spellbane": ["off"],
        "magica_cap": ["none"],
        "draw_value": ["0.5"],
    }.items():
        if draw(st.integers(0, 2)) == 0:
            terms[key] = draw(st.sampled_from(values))
    return "|".join(found) + "@" + " ".join(f"{key}={value}" for key, value in terms.items())


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
@pytest.mark.parametrize(("play", "most"), [("greedy", 2), ("optimal", 1)])
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_every_state_of_a_short_fight(play, most, data):
    fight = bout(data.draw(foes(most)), play)
    points = data.draw(st.sampled_from([("3", "3"), ("6", "6")]))
    everything = space(points=points[0], gear=points[1])
    (some,) = everything.sample(Wanted(), 1, np.random.default_rng(data.draw(st.integers(0, 1 << 30))))
    engine = evaluators(rules())[("greedy", "optimal").index(play)]
    assert engine.why_not(some, fight) is None
    found = engine.evaluate(some, fight, Sampling(0)).estimates
    truth = EveryState(fight).whole(some)
    truth[WON] += float(fight.rulings.draw_value) * truth[DREW]
    # Best play carries the value of a decision within 1e-9 of the best.
    assert [found[name].value for name in METRICS[:4]] == pytest.approx(list(truth[:4]), abs=1e-7)
    if play == "greedy":
        assert found["life"].value == pytest.approx(truth[LIFE], abs=1e-9)
