"""Legal builds, encounters and rulings of every kind, for tests that set the kernel beside the reference."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import get_args

from hypothesis import strategies as st

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.legality import reasons_against
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe
from buildsearch.systems.vitality.rules.rulings import Rulings
from tests.v2 import catalogue, rules

TIERS = st.sampled_from((3, 4, 5))


@st.composite
def legal_attacks(draw, effects=("damage", "condition"), most=5, with_=None, of=None):
    """Single attacks without a budget: enhancements are added in a drawn order while they stay legal.

    `of` is the catalogue of the rules, v2's unless told.
    """
    of = of or catalogue()
    known = of.rules.attack_types
    heads = [
        Attack(name, () if with_ is None else (with_,), effect, shape)
        for effect in effects
        for name, entry in known.items()
        for shape in entry.shapes or (None,)
    ]
    attack = draw(st.sampled_from([head for head in heads if _is_legal(head, of)]))
    for name in draw(st.lists(st.sampled_from(of.ids), max_size=2 * most, unique=True)):
        if len(attack.enhancements) == most:
            break
        grown = replace(attack, enhancements=of.in_order({*attack.enhancements, name}))
        if _is_legal(grown, of):
            attack = grown
    return attack


def _is_legal(attack, of):
    return not reasons_against(Build((attack,)), of, None, None)


def stats(**changes):
    return rules().character.stats.model_copy(update=changes)


@st.composite
def attackers(draw):
    changes = {name: draw(st.integers(0, 4)) for name in ("focus", "power", "mobility", "endurance")}
    return Attacker(tier=draw(TIERS), stats=stats(**changes), hp=draw(st.sampled_from((1, 20, 60, 100))))


@st.composite
def foes(draw, alike):
    changes = (
        {}
        if alike
        else {name: draw(st.integers(0, 4)) for name in ("focus", "power", "mobility", "endurance")}
    )
    hp = draw(st.sampled_from((1, 5, 10, 25, 50, 100)))
    return Foe(name="foe", max_hp=hp, stats=stats(**changes))


@st.composite
def encounters(draw):
    alike = draw(st.booleans())
    waves = draw(st.lists(st.lists(foes(alike), min_size=1, max_size=5).map(tuple), min_size=1, max_size=3))
    shapes = ("burst", "cone", "line")
    return Encounter(
        name="drawn",
        waves=tuple(waves),
        max_turns=draw(st.sampled_from((1, 7, 40))),
        area_targets={shape: draw(st.integers(1, 3)) for shape in shapes} if draw(st.booleans()) else {},
        cluster=draw(st.one_of(st.none(), st.integers(0, 3))),
        adjacent=draw(st.booleans()),
    )


def under(rulings, game=None):
    """The rules, v2's unless told, under these rulings."""
    return (game or rules()).model_copy(update={"rulings": rulings})


@st.composite
def rulings(draw):
    """Any combination of rulings."""
    choices = {}
    for name, field in Rulings.model_fields.items():
        values = get_args(field.annotation)
        if field.annotation is bool or name.startswith("natural_"):
            choices[name] = draw(st.booleans())
        elif name == "retaliation_cap":
            choices[name] = draw(st.integers(0, 4))
        elif name == "bleed_ticks":
            choices[name] = draw(st.integers(1, 3))
        else:
            choices[name] = draw(st.sampled_from(values))
    return Rulings(**choices)


@cache
def exact_exploding_sum(count, sides, explode_on, most):
    """The exact chance of each total up to `most`, by adding one die's chances again and again."""
    one = [Fraction(0)] * (most + 1)
    chain = {0: Fraction(1)}
    while chain:
        going_on: dict[int, Fraction] = {}
        for total, chance in chain.items():
            for face in range(1, sides + 1):
                if total + face > most:
                    continue
                if face >= explode_on:
                    going_on[total + face] = going_on.get(total + face, Fraction(0)) + chance / sides
                else:
                    one[total + face] += chance / sides
        chain = going_on
    sums = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(count):
        sums = [sum((sums[i] * one[t - i] for i in range(t + 1)), Fraction(0)) for t in range(most + 1)]
    return tuple(sums)
