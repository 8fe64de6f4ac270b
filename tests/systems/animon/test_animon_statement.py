"""Fights by their script: each reading of the text, with the numbers that it gives by hand."""

from __future__ import annotations

import pytest
from animon_support import Scene, bout, build, replayer

from buildsearch.systems.animon.attacks import (
    BOOSTED,
    DAMAGE,
    DEFEND,
    EVOLVE,
    POISON,
    REST,
    SPLASH,
    STRIKE,
    TRANSFER,
)
from buildsearch.systems.animon.statement import END, NEXT, ROUND

# Power 4, agility 4, brains 2, heart 2: 11 HP, 4 attack dice, damage 2 x 4, 4 dodge dice, 2 uses.
BASIC = "basic {1} 4-4-2-2 / initiative / {0}@{1} / none"
FOE = "L1:basic:{}/hp30/dmg5/atk3/dod1/ini1"
# Power 5, agility 3, brains 4, heart 2; a basic attack of rank 1 and a super one of rank 2; 4 uses.
SUPER = "super fire 5-3-4-2 / attack / {0}@fire / {1}@fire / damage"


def basic(effect, element="neutral", foe="neutral", more=""):
    return Scene(BASIC.format(effect, element), FOE.format(foe) + more, (0, 1))


def test_a_plain_attack():
    """Text, Attack Mechanics, Damage: attack dice against dodge dice, damage score and the margin."""
    scene = basic("sap")
    assert scene.strike(3, 1) == NEXT
    assert scene.dice.thrown == [(4, 4), (1, 4)]
    assert scene.harmed == [(1, 8 + 2, DAMAGE)]
    assert scene.strike(1, 1, it=0) == ROUND
    assert scene.dice.thrown == [(3, 4), (4, 4)]
    assert scene.harmed == []


@pytest.mark.parametrize(
    ("mine", "theirs", "needed"),
    [("fire", "nature", (3, 5)), ("fire", "water", (5, 3)), ("fire", "fire", (4, 4))],
)
def test_elements(mine, theirs, needed):
    """Text, Elements: a boost for the strong one, a setback for the weak one."""
    scene = basic("sap", mine, theirs)
    scene.strike(0, 0)
    assert scene.dice.thrown[0] == (4, needed[0])
    scene.strike(0, 0, it=0)
    assert scene.dice.thrown[0] == (3, needed[1])


@pytest.mark.parametrize(("stage", "needed"), [("fledgling", 3), ("super", 5), ("ultra", 6), ("giga", 6)])
def test_stage_differences(stage, needed):
    """Text, Stage Differences; two boosts or setbacks are the most."""
    scene = Scene(BASIC.format("sap", "neutral"), f"L1:{stage}:neutral/ini1", (0, 1))
    scene.strike(0, 0)
    assert scene.dice.thrown[0] == (4, needed)


@pytest.mark.parametrize(
    ("effect", "damage"),
    [("heavy_strike", 8 + 1 + 1 + 2), ("sap", 5), ("block_break", 5), ("tough_break", 5), ("explosive", 5)],
)
def test_damage_of_signature_attacks(effect, damage):
    """Text, Signature Attacks: dice of the rank more; heavy ones 1 and the rank, hampering ones half."""
    scene = basic(effect)
    scene.strike(2, 0, attack=1)
    assert scene.dice.thrown[0] == (5, 4)
    assert scene.harmed == [(1, damage, DAMAGE)]
    assert scene.c[0].spent == 1


def test_sap_weakens_until_the_end_of_the_own_slot():
    scene = basic("sap")
    scene.strike(2, 0, attack=1)
    assert scene.c[1].weakened == 1
    scene.strike(2, 0, it=0)
    assert scene.harmed == [(0, (5 + 2) // 2, DAMAGE)]
    assert scene.c[1].weakened == 0
    scene.strike(2, 0, attack=1)  # once an encounter
    assert scene.c[1].weakened == 0


def test_stunned_ones_miss_a_slot():
    """No damage; the next slot is lost, and there is no second time."""
    scene = basic("stunning_strike")
    scene.strike(2, 0, attack=1)
    assert scene.harmed == [(1, 0, DAMAGE)]
    assert scene.waits() == ROUND
    scene.strike(2, 0, attack=1)
    assert scene.decides()[0] == STRIKE


def test_disoriented_until_the_slot_of_the_causer():
    scene = basic("misdirect")
    scene.strike(1, 0, attack=1)
    scene.strike(0, 0, it=0)
    assert scene.dice.thrown[0] == (3, 5)
    assert scene.c[1].disoriented == 0  # the slot of the causer has begun


def test_vulnerable_until_the_end_of_the_next_slot_of_the_causer():
    scene = basic("block_break")
    scene.strike(1, 0, attack=1)
    scene.strike(0, 0, it=0)
    scene.strike(0, 0)
    assert scene.dice.thrown[1] == (1, 5)
    assert scene.c[1].vulnerable == 0
    scene.passes()
    scene.strike(2, 0, attack=1)
    assert scene.c[1].vulnerable == 0  # once an encounter


@pytest.mark.parametrize(("ruling", "kept"), [("encounter", True), ("target", False)])
def test_rulings_of_vulnerable(ruling, kept):
    scene = Scene(
        BASIC.format("block_break", "neutral"),
        FOE.format("neutral"),
        (0, 1),
        (f"rulings.vulnerable={ruling}",),
    )
    scene.strike(1, 0, attack=1)
    scene.passes()
    assert (scene.c[1].vulnerable > 0) == kept
    scene.passes()
    assert (scene.c[1].vulnerable > 0) == kept


def test_tough_break_is_whole_against_those_who_were_vulnerable():
    scene = Scene(SUPER.format("block_break", "tough_break"), "L6:super:fire/ini1/hp99", (0, 1))
    scene.strike(1, 0, attack=1)
    scene.passes()
    scene.strike(1, 0, attack=2)
    # 3 x 5 and an improvement of 2.
    assert scene.harmed == [(1, 17 + 1, DAMAGE)]


def test_poison_hurts_at_the_end_of_slots():
    """Power of the poisoner, as long as the encounter lasts; nobody is poisoned twice."""
    scene = basic("poison_strike")
    scene.strike(1, 0, attack=1)
    assert scene.harmed == [(1, 0, DAMAGE)]
    scene.passes()
    assert scene.harmed == [(1, 4, POISON)]
    scene.strike(1, 0, attack=1)
    scene.passes()
    assert scene.harmed == [(1, 4, POISON)]


def test_overcharge_multiplies_and_incapacitates():
    """Text, Overcharge: damage times uses; spending the last of two or more costs the next slot."""
    scene = basic("overcharge", foe="neutral")
    scene.strike(2, 0, attack=1, uses=2)
    assert scene.harmed == [(1, 2 * 8 + 2, DAMAGE)]
    scene.passes()
    assert (scene.c[0].spent, scene.c[0].incapacitated) == (2, 1)
    scene.waits()
    assert scene.c[0].incapacitated == 0


def test_efficient_attacks_are_free_once():
    scene = basic("efficient")
    for spent in (0, 1, 2):
        scene.strike(0, 0, attack=1)
        assert scene.c[0].spent == spent
        scene.passes()


def test_multi_hit_reaches_one_more_for_each_use():
    """One roll against who dodges best; the chosen one first, then the others in order."""
    scene = Scene(
        BASIC.format("multi_hit", "neutral"), "L1:basic:neutral/dod1,L1:basic:neutral/dod3*2", (0, 1, 2, 3)
    )
    scene.strike(2, 1, attack=1, it=2, uses=2)
    assert scene.dice.thrown == [(5, 4), (3, 4)]
    assert scene.harmed == [(2, 8 + 1, DAMAGE), (1, 8 + 1, DAMAGE)]


@pytest.mark.parametrize(("sets", "reached"), [((), [1, 3]), (("rulings.adjacent=1",), [1])])
def test_explosions_splash_by_level(sets, reached):
    scene = Scene(BASIC.format("explosive", "neutral"), "L1:basic:neutral*3", (0, 1, 2, 3), sets)
    scene.strike(2, 0, attack=1, it=2)
    assert scene.harmed == [(2, 5, DAMAGE), *((i, 1, SPLASH) for i in reached)]


def test_drained_energy():
    """The level of the target, up to the maximum."""
    scene = Scene(BASIC.format("energy_drain", "neutral"), "L9:basic:neutral/ini1/dmg5", (0, 1))
    scene.passes()
    scene.strike(2, 0, it=0)
    assert scene.hp[0] == 11 - 7
    scene.strike(1, 0, attack=1)
    assert scene.hp[0] == 11
    assert scene.harmed == [(1, 8 + 1, DAMAGE)]


def test_quick_strikes_are_quicker_than_who_has_not_acted():
    scene = basic("quick_strike")
    scene.strike(0, 0, attack=1)
    assert scene.dice.thrown[0] == (5, 3)
    scene.passes()
    scene.strike(0, 0, attack=1)
    assert scene.dice.thrown[0] == (5, 4)


@pytest.mark.parametrize(("sets", "boosted"), [((), [1, 2]), (("rulings.power_transfer=rank",), [1])])
def test_power_for_the_allies(sets, boosted):
    """A boost on attack and dodge until the end of their slot."""
    line = "basic neutral 4-4-2-2 / initiative / power_transfer / none"
    foes = "L1:basic:neutral/hp99;allies=L1:basic:neutral*2"
    scene = Scene(line, foes, (0, 1, 2, 3), sets)
    scene.act(TRANSFER, attack=1)
    assert [i for i in range(4) if scene.c[i].boosted] == boosted
    assert scene.dice.told[0] == (BOOSTED, 0, 1, sum(1 << i for i in boosted))
    scene.strike(0, 0, it=3)
    assert scene.dice.thrown[0][1] == 3
    assert scene.c[1].boosted == 0


def test_defending_is_a_boost_on_dodge_rolls():
    scene = basic("sap")
    scene.act(DEFEND)
    scene.strike(0, 0, it=0)
    assert scene.dice.thrown[1] == (4, 3)
    assert scene.c[0].defending == 0


def test_fighting_on():
    """Text, Bond Points in Combat: three of them leave 1 HP."""
    scene = Scene(BASIC.format("sap", "neutral"), "L1:basic:neutral/dmg20/ini1;bp=4", (0, 1))
    for hp, bond in ((1, 1), (0, 1)):
        scene.passes()
        code = scene.strike(1, 0, it=0)
        assert (scene.hp[0], scene.c[0].bond) == (hp, bond)
    assert code == END


@pytest.mark.parametrize(("hits", "stage"), [(3, 1), (2, 0)])
def test_devolution(hits, stage):
    """Text, Devolution from 0 HP: a heart test, and all HP of the lower form; no second evolution."""
    line = "super fire 4-3-3-4 / attack / sap@fire / sap@fire / damage"
    scene = Scene(line, "L9:super:fire/ini1/dmg99;zero=devolve;bp=1", (0, 1))
    scene.passes()
    scene.act(STRIKE, (3, 0, hits), it=0)
    assert scene.dice.thrown[2] == (4, 4)
    assert (scene.c[0].form, scene.hp[0]) == (stage, scene.g.form[stage].hp)
    assert scene.decides()[0] == STRIKE


@pytest.mark.parametrize(
    ("more", "stage", "bond", "hp"),
    [("bp=1", 2, 0, 14), ("bp=0", 1, 0, 14), ("bp=1;first=yes", 2, 0, 18)],
)
def test_evolution(more, stage, bond, hp):
    """Text, Evolution in Combat: the highest stage has a price; a first evolution brings all HP."""
    scene = Scene(SUPER.format("sap", "sap"), f"L6:super:fire/ini1;start=fledgling;{more}", (0, 1))
    before = scene.hp[0]
    assert scene.decides() == (EVOLVE, 0, 0, 0, stage, 0, 0)
    assert scene.act(EVOLVE, uses=stage) == NEXT
    assert scene.now == 0
    assert (scene.c[0].form, scene.c[0].bond) == (stage, bond)
    assert scene.hp[0] == (scene.g.form[stage].hp if "first" in more else before)
    assert scene.decides()[0] == STRIKE


def test_evolving_may_take_the_action():
    scene = Scene(
        SUPER.format("sap", "sap"),
        "L6:super:fire/ini1;start=basic;bp=1",
        (0, 1),
        ("rulings.evolving=action",),
    )
    scene.act(EVOLVE, uses=2)
    assert scene.now == 1


def test_catching_breath():
    """Text: 1 and heart HP, the first stage, uses anew. An extended encounter goes on as it is."""
    line = SUPER.format("heavy_strike", "heavy_strike")
    for between, hp, spent, form in (("breath", 6 + 1 + 2, 0, 1), ("extended", 6, 1, 2)):
        foes = f"L1:super:fire/hp9>L1:super:fire/ini1;between={between};start=basic;bp=1"
        scene = Scene(line, foes, (0, 1))
        scene.act(EVOLVE, uses=2)
        scene.c[0].hp = 6
        assert scene.strike(9, 0, attack=2) == ROUND
        assert scene.decides()[0] == REST
        scene.act(REST, (2, 1))
        assert (scene.c[0].spent, scene.c[0].form) == (spent, form)
        assert scene.hp[0] == hp


def test_ties_of_initiative_are_rolled_again_among_the_tied():
    scene = Scene(BASIC.format("sap", "neutral"), "L1:basic:neutral/ini2,L1:basic:neutral/ini1;surprised=us")
    scene.dice.hits = [1, 1, 0, 0, 0, 0, 2]
    scene.begin()
    assert scene.dice.thrown == [(3, 5), (2, 4), (1, 4), (3, 5), (2, 4), (3, 5), (2, 4)]
    assert [scene.c[slot].acts for slot in range(3)] == [1, 0, 2]


def test_greedy_play_weighs_what_an_attack_is_worth():
    """Spec, Greedy play: what fells saves its answer too; what is hampered already is worth no more."""
    scene = Scene(BASIC.format("heavy_strike", "neutral"), FOE.format("neutral"), (0, 1))
    assert scene.decides() == (STRIKE, 1, 0, 1, 1, 0, 0)
    scene.c[0].spent = 2
    assert scene.decides() == (STRIKE, 0, 0, 1, 1, 0, 0)
    scene.c[0].bond = 3 + 1  # kept for Fight On, and a use
    assert scene.decides() == (STRIKE, 1, 0, 1, 1, 1, 0)
    scene.c[0].bond = 3 + 2  # and a die
    assert scene.decides() == (STRIKE, 1, 0, 1, 1, 1, 1)


def test_trace_tells_the_dice():
    told = replayer().replay(build(SUPER.format("sap", "overcharge")), bout("L6:super:fire*2;bp=6"), 3)
    attacks = [event for event in told.events if event["event"] == "attacked"]
    assert attacks
    for event in attacks:
        assert event["margin"] <= len(event["dice"])
        assert max(event["dice"]) <= 6
    assert told.lines[0].startswith("Wave 1, order by initiative: ")
    assert told.lines[-1].startswith("Fight ")
