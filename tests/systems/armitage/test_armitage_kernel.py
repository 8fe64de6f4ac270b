"""The kernel against the reference: the same choices state by state, the same numbers fight by fight."""

from __future__ import annotations

import numpy as np
import pytest
from armitage_support import duel, fighter, rules, z_score
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.evaluate.sampling import merged
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Bout
from buildsearch.systems.armitage.kernel import card_worth, driver, look_ahead
from buildsearch.systems.armitage.kernel.driver import run_block
from buildsearch.systems.armitage.kernel.fights import state_of, status_worth
from buildsearch.systems.armitage.kernel.plan import AP, EVA, RES, STATUS, TUF
from buildsearch.systems.armitage.kernel.plan_maker import compile_plan
from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.reference.fight import fight
from buildsearch.systems.armitage.reference.greedy import choose_greedily
from buildsearch.systems.armitage.reference.lookahead import choose_ahead
from buildsearch.systems.armitage.results import evaluation_of

SAMPLE = rules().presets["sample"]
PLAIN_SAMPLE = {name: number for name, number in SAMPLE.items() if rules().cards[name].status is None}
CARDS = tuple(rules().cards)
STATUSES = [name for name in CARDS if rules().cards[name].status is not None]
SMALL = bool(config.DISABLE_JIT)


@st.composite
def situations(draw):
    """Two combatants in the middle of a fight, and a hand."""
    stats = {
        name: st.integers(low, high)
        for name, low, high in (("hth", 1, 25), ("eva", 5, 16), ("res", 0, 5), ("tuf", 0, 5))
    }
    pair = [
        fighter(SAMPLE, side, **{name: draw(each) for name, each in stats.items()}) for side in (OURS, THEIRS)
    ]
    bodies = [Body(i, each, draw(st.integers(1, each.stats.hth)), []) for i, each in enumerate(pair)]
    battle = Battle(rules(), bodies, SeededDice(1), None)
    for body in bodies:
        body.statuses = dict.fromkeys(draw(st.sets(st.sampled_from(STATUSES), max_size=4)), 1)
        body.hit_counter = draw(st.integers(0, body.fighter.stats.tuf))
    bodies[0].hand = draw(st.lists(st.sampled_from(CARDS), min_size=1, max_size=5))
    return battle, draw(st.integers(1, 4))


class Compiled:
    """A situation in the kernel's words."""

    def __init__(self, battle, ap):
        self.ap = ap
        self.ours, self.theirs = battle.bodies
        self.plan = compile_plan(battle.rules, (self.ours.fighter, self.theirs.fighter), 200)
        self.stats = np.zeros((2, 4), np.int64)
        for i, body in enumerate(battle.bodies):
            for name, column in (("eva", EVA), ("res", RES), ("tuf", TUF), ("ap", AP)):
                self.stats[i, column] = battle.stat(body, name)
        self.hits = np.array([body.hit_counter for body in battle.bodies])
        self.there = 0
        for kind, name in enumerate(CARDS):
            status = rules().cards[name].status
            if status and name in (self.ours if status.bearer == "self" else self.theirs).statuses:
                self.there |= 1 << kind

    def place(self, i):
        setup = self.plan.arrays.setup[0]
        eva = min(max(self.stats[i, EVA], setup["lowest_eva"]), setup["highest_eva"]) - setup["lowest_eva"]
        res = min(self.stats[i, RES], setup["highest_res"])
        beyond = self.hits[i] - self.stats[i, TUF]
        return state_of(eva, res, beyond, setup["highest_res"] + 1, setup["reach"])[0]

    def greedy(self):
        plan, setup = self.plan.arrays, self.plan.arrays.setup[0]
        states = plan.means.shape[1] * plan.means.shape[2] * (2 * setup["reach"] + 2)
        needed = min(max(self.hits[0] - self.stats[0, TUF] + 1, 0), setup["most_resolve"] + 1)
        needed *= self.stats[0, TUF] > 0
        own_res = min(self.stats[0, RES], setup["highest_res"])
        missing = self.ours.fighter.stats.hth - self.ours.hp
        index = {
            card_worth.BY_TARGET_AND_HP: min(self.theirs.hp, setup["most_hp"]) * states + self.place(1),
            card_worth.BY_MISSING: min(missing, plan.heal_means.shape[1] - 1),
            card_worth.BY_OWN_HITS: own_res * (setup["most_resolve"] + 2) + needed,
            card_worth.BY_SELF: self.place(0),
            card_worth.BY_AP_AND_TARGET: self.ap * states + self.place(1),
            card_worth.BY_TARGET: self.place(1),
        }
        best = 0
        for name in self.ours.hand:
            kind = CARDS.index(name)
            card = plan.cards[kind]
            if card["ap"] <= self.ap and not self.there >> kind & 1:
                best = max(best, int(plan.keys[card["keys"] + index[int(card["reading"])]]))
        if best == 0:
            return None
        return CARDS[
            card_worth.LAST_KIND - (best >> card_worth.SLOT_BITS >> card_worth.AP_BITS & card_worth.LAST_KIND)
        ]

    def ahead(self):
        plan, setup = self.plan.arrays, self.plan.arrays.setup
        hand = np.array([self.ours.hand.count(name) for name in CARDS])
        fixed = np.zeros(len(CARDS))
        for kind in range(len(CARDS)):
            if plan.cards[kind]["deed"] == STATUS:
                fixed[kind] = status_worth(
                    plan.cards, plan.means, self.stats, self.hits, setup, kind, 0, 1, self.ap
                )
        reals = np.zeros((6, look_ahead.FLOATS))
        wholes = np.zeros((6, look_ahead.INTEGERS), np.int64)
        reals[0, look_ahead.TARGET_HP] = self.theirs.hp
        reals[0, look_ahead.TARGET_HITS] = self.hits[1]
        reals[0, look_ahead.MISSING] = self.ours.fighter.stats.hth - self.ours.hp
        wholes[0, look_ahead.LEFT] = self.ap
        wholes[0, look_ahead.EVA_NOW] = self.stats[1, EVA]
        wholes[0, look_ahead.RES_NOW] = self.stats[1, RES]
        wholes[0, look_ahead.TUF_NOW] = self.stats[1, TUF]
        wholes[0, look_ahead.OWN_HITS] = self.hits[0]
        before = hand.copy()
        first, _ = look_ahead.best_plan(
            plan.cards,
            plan.hits,
            plan.means,
            plan.heal_means,
            hand,
            fixed,
            reals,
            wholes,
            int(setup[0]["lowest_eva"]),
            int(setup[0]["highest_eva"]),
            int(setup[0]["highest_res"]),
            self.there,
            int(self.stats[0, TUF]),
            float(plan.prevented[min(self.stats[0, RES], setup[0]["highest_res"])]),
        )
        assert (hand == before).all()
        return CARDS[first] if first >= 0 else None


@settings(deadline=None, max_examples=150)
@given(situations())
def test_greedy_chooses_the_same_card(situation):
    battle, ap = situation
    chosen = choose_greedily(battle, battle.bodies[0], ap)
    assert Compiled(battle, ap).greedy() == (chosen[0] if chosen else None)


@settings(deadline=None, max_examples=60)
@given(situations())
def test_lookahead_chooses_the_same_card(situation):
    battle, ap = situation
    chosen = choose_ahead(battle, battle.bodies[0], min(ap, 3))
    assert Compiled(battle, min(ap, 3)).ahead() == (chosen[0] if chosen else None)


def _evaluated(fighters, fights, seed=0):
    bout = Bout("b", 1.0, 200, ((), ()), ("greedy", "greedy"))
    plan = compile_plan(rules(), fighters, 200)
    blocks = 1 if SMALL else 4
    kernel = merged(run_block(plan, seed, block, fights) for block in range(blocks))
    return evaluation_of(kernel, bout, "sampled", seed)


def _reference(fighters, fights):
    from buildsearch.evaluate.sampling import Tally

    bout = Bout("b", 1.0, 200, ((), ()), ("greedy", "greedy"))
    histogram = np.zeros(3, np.int64)
    counts = np.zeros(201 + 1 + sum(each.stats.hth for each in fighters if each.side == OURS), np.int64)
    dice = SeededDice(11)
    for _ in range(fights):
        result = fight(rules(), fighters, 200, dice)
        histogram[round(result.value * 2)] += 1
        counts[result.rounds] += 1
        counts[201 + result.hp_left] += 1
    return evaluation_of(Tally(histogram, counts), bout, "reference", 11)


PARTIES = {
    "sample": duel(PLAIN_SAMPLE, PLAIN_SAMPLE),
    "status": duel({"light_attack": 4, "quick": 2, "slow": 2, "weak": 1, "strong": 1, "heal": 2}, SAMPLE),
    "text": duel({"light_attack": 8, "heal": 2, "resolve": 2}, {"heavy_attack": 4, "light_attack": 4}),
    "ahead": duel({"light_attack": 4, "heavy_attack": 2, "slow": 2}, {"light_attack": 6}, "lookahead"),
    "pairs": (
        fighter({"light_attack": 6, "heal": 2, "vulnerable": 1}, OURS, initiative=2),
        fighter({"heavy_attack": 6, "confused": 2}, OURS, "lookahead"),
        fighter({"light_attack": 6, "heal": 1}, THEIRS, initiative=2),
        fighter({"light_attack": 6, "decisive": 1, "protected": 2}, THEIRS, "lookahead"),
    ),
    "three": (
        fighter({"light_attack": 6, "heavy_attack": 2, "heal": 2}, OURS, initiative=1),
        *(fighter({"light_attack": 4}, THEIRS, hth=4, tuf=1) for _ in range(3)),
    ),
    "few": duel({"light_attack": 2, "heal": 1}, {"light_attack": 3}),
}


@pytest.mark.parametrize("name", PARTIES)
def test_the_same_numbers(name):
    fighters = PARTIES[name]
    slow = name in ("sample", "status", "ahead", "pairs")
    reference_fights = 40 if SMALL else 250 if slow else 1000
    reference = _reference(fighters, reference_fights)
    kernel = _evaluated(fighters, 40 if SMALL else 4000)
    for metric, estimate in reference.estimates.items():
        assert z_score(estimate, kernel.estimates[metric], reference_fights) < 4.5, metric


def test_blocks_are_repeatable_and_differ():
    plan = compile_plan(rules(), PARTIES["few"], 200)
    first, again, other = (run_block(plan, 1, block, 50) for block in (0, 0, 1))
    assert (first.histogram == again.histogram).all()
    assert (first.counts == again.counts).all()
    assert (first.counts != other.counts).any()
    assert first.fights == 50
    with pytest.raises(ValueError, match="at least one fight"):
        run_block(plan, 1, 0, 0)


def test_names_and_unused_cards_do_not_move_results():
    named = [compile_plan(rules(), duel({"light_attack": 5}, {"light_attack": 5}), 200).content]
    renamed = tuple(fighter({"light_attack": 5}, side, name="other") for side in (OURS, THEIRS))
    named.append(compile_plan(rules("heal.ap=2", "heal.name=Mend"), renamed, 200).content)
    assert len(set(named)) == 1
    assert compile_plan(rules("light_attack.ap=2"), renamed, 200).content != named[0]


def test_nobody_has_cards():
    tally = run_block(compile_plan(rules(), duel({}, {}), 20), 0, 0, 3)
    assert tally.histogram.tolist() == [0, 3, 0]


@pytest.mark.parametrize("deck", [PLAIN_SAMPLE, SAMPLE, {"light_attack": 2, "heal": 1}])
@pytest.mark.parametrize(
    "stats",
    [{}, {"tuf": 0}, {"ap": 5, "initiative": 1}, {"hth": 30, "eva": 13}, {"res": 4, "initiative": -1}],
)
def test_duel_kernel_plays_the_fights_of_the_fight_kernel(monkeypatch, deck, stats):
    for sides in ((OURS, THEIRS), (THEIRS, OURS)):
        pair = (
            fighter(deck, sides[0], **stats),
            fighter(SAMPLE if deck is SAMPLE else PLAIN_SAMPLE, sides[1]),
        )
        plan = compile_plan(rules(), pair, 120)
        assert driver.is_plain_duel(plan)
        fast = run_block(plan, 1, 0, 5 if SMALL else 500)
        with monkeypatch.context() as patch:
            patch.setattr(driver, "is_plain_duel", lambda _: False)
            slow = run_block(plan, 1, 0, 5 if SMALL else 500)
        assert (fast.histogram == slow.histogram).all()
        assert (fast.counts == slow.counts).all()
