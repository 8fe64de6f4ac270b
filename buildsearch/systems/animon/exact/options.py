"""What a unit may do in its slot: one option under greedy play, all of them where the build is free."""

from __future__ import annotations

from buildsearch.engines.jit import step_without_refcounts
from buildsearch.systems.animon.exact.room import Desk, copy
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.bits import bond_of, form_of, hp_of
from buildsearch.systems.animon.mechanics.greedy import buys_die, choose, evolves_to, may_evolve, most_uses
from buildsearch.systems.animon.mechanics.hits import effects_of
from buildsearch.systems.animon.mechanics.layout import Floats, Ints
from buildsearch.systems.animon.mechanics.plans import attack_at, unit_at
from buildsearch.systems.animon.mechanics.slots import begin, evolve

# Columns of an option: the stage to evolve to or -1, then what `choose` gives, and whether a die is bought.
EVOLVE, KIND_OF, ATTACK, CHOICE, TARGET, USES, BOUGHT, DIE, OPTION = range(9)


@step_without_refcounts
def list_option(listed: Ints, number: int, values: tuple[int, int, int, int, int, int, int, int]) -> int:
    """Write an option down if there is room; gives how many there are."""
    if number < len(listed):
        for i in range(OPTION):
            listed[number, i] = values[i]
    return number + 1


@step_without_refcounts
def _list_actions(plan: Ints, state: Ints, unit: int, stage: int, listed: Ints, number: int) -> int:
    """All that the build could do: attacks in greedy's order, defend, attacks with a die bought, pass."""
    side = unit_at(plan, unit, at.SIDE)
    enemies = 0
    for other in range(plan[at.UNITS]):
        if unit_at(plan, other, at.SIDE) != side and hp_of(state, other):
            enemies += 1
    bond = bond_of(state, unit)
    for die in range(2):
        if die and (not plan[at.BOND_DICE] or bond < plan[at.EXTRA_DIE]):
            break
        for target in range(plan[at.UNITS]):
            if unit_at(plan, target, at.SIDE) != side and hp_of(state, target):
                number = list_option(listed, number, (stage, at.STRIKE, 0, 0, target, 1, 0, die))
        for attack in range(1, unit_at(plan, unit, at.ATTACKS) + 1):
            most = most_uses(plan, state, unit, attack, enemies)
            bought = 1 if most == 0 else 0
            if most < 0 or (bought and bond < plan[at.EXTRA_USE] + die * plan[at.EXTRA_DIE]):
                continue
            if effects_of(plan, unit, attack) & at.POWER_TRANSFER:
                continue  # nobody to boost: no better than passing
            for choice in range(attack_at(plan, unit, attack - 1, at.A_CHOICES)):
                for target in range(plan[at.UNITS]):
                    if unit_at(plan, target, at.SIDE) == side or hp_of(state, target) == 0:
                        continue
                    for uses in range(1, max(1, most) + 1):
                        values = (stage, at.STRIKE, attack, choice, target, uses, bought, die)
                        number = list_option(listed, number, values)
        if die == 0:
            number = list_option(listed, number, (stage, at.DEFEND, 0, 0, 0, 1, 0, 0))
    return list_option(listed, number, (stage, at.PASS, 0, 0, 0, 1, 0, 0))


@step_without_refcounts
def list_free(plan: Ints, desk: Desk, unit: int, acts: bool) -> int:
    """Every option of the build in its slot; evolving last."""
    listed = desk.listed
    state = desk.paid
    copy(desk.now, state)
    begin(plan, state, unit)
    number = 0
    if acts:
        number = _list_actions(plan, state, unit, -1, listed, number)
    else:
        number = list_option(listed, number, (-1, at.NOTHING, 0, 0, 0, 1, 0, 0))
    if not may_evolve(plan, state, unit):
        return number
    form = form_of(state, unit)
    for stage in range(form + 1, unit_at(plan, unit, at.TOP) + 1):
        if stage == unit_at(plan, unit, at.TOP) and bond_of(state, unit) < plan[at.EVOLVING_COST]:
            continue
        if not acts:
            number = list_option(listed, number, (stage, at.NOTHING, 0, 0, 0, 1, 0, 0))
        elif plan[at.EVOLVING_ACTS]:
            number = list_option(listed, number, (stage, at.PASS, 0, 0, 0, 1, 0, 0))
        else:
            copy(desk.now, state)
            begin(plan, state, unit)
            evolve(plan, state, unit, stage)
            number = _list_actions(plan, state, unit, stage, listed, number)
    return number


@step_without_refcounts
def list_greedy(plan: Ints, odds: Floats, desk: Desk, unit: int, acts: bool) -> None:
    """What greedy play does, as the first option."""
    state = desk.paid
    copy(desk.now, state)
    begin(plan, state, unit)
    stage = evolves_to(plan, state, unit)
    if stage >= 0:
        evolve(plan, state, unit, stage)
    if not acts:
        list_option(desk.listed, 0, (stage, at.NOTHING, 0, 0, 0, 1, 0, 0))
        return
    if stage >= 0 and plan[at.EVOLVING_ACTS]:
        list_option(desk.listed, 0, (stage, at.PASS, 0, 0, 0, 1, 0, 0))
        return
    kind, attack, choice, target, uses, bought = choose(plan, odds, state, unit, desk.plain)
    die = kind == at.STRIKE and buys_die(plan, state, unit, bought)
    values = (stage, kind, attack, choice, target, uses, 1 if bought else 0, 1 if die else 0)
    list_option(desk.listed, 0, values)
