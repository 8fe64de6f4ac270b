"""The word `vulnerable`: an enemy that was hit takes so much more damage from the next strike that hits it.

No shipped rules use it. CONTRIBUTING shows the commit that added it as the example of a new mechanic.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import config

from buildsearch.builds.masks import mask_of
from buildsearch.library.input_files import load_scenarios
from buildsearch.systems.vitality.best_play.loadout_evaluators import BestPlayEvaluator
from buildsearch.systems.vitality.bouts import make_bouts
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.builds.grammar import parse_build
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.evaluators import ExactEvaluator, KernelEvaluator
from buildsearch.systems.vitality.kernel.batch.sampling import sample_batch
from buildsearch.systems.vitality.kernel.compiling import compile_plan
from buildsearch.systems.vitality.kernel.driver import run_block
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.narrate import narrate
from buildsearch.systems.vitality.reference.triggers import TriggerCounter
from buildsearch.systems.vitality.rules.describe import describe_options
from buildsearch.systems.vitality.rules.model import Enhancement
from buildsearch.systems.vitality.rules.vocabulary import Mechanics
from tests import v2
from tests.systems.vitality.kernel import test_kernel_loadouts, test_kernel_same_fight
from tests.systems.vitality.kernel.vitality_kernel_support import (
    attackers,
    encounters,
    legal_attacks,
    rulings,
    under,
)
from tests.systems.vitality.reference.vitality_reference_support import (
    MISS,
    Script,
    attacker,
    d20,
    encounter,
    hit,
    strikes,
)

needs_jit = pytest.mark.skipif(config.DISABLE_JIT, reason="too slow without compiled code")
FEW = settings(test_kernel_same_fight.MANY, max_examples=3 if config.DISABLE_JIT else 20)


@cache
def game():
    """v2 with an upgrade that does nothing else."""
    sunder = Enhancement(name="Sunder", section="Mine", cost=1, mechanics=Mechanics(vulnerable=3))
    return v2.rules().model_copy(update={"upgrades": {**v2.rules().upgrades, "sunder": sunder}})


@cache
def catalogue():
    return Catalogue(game())


def play(text, dice, *waves, max_turns=100):
    """The strikes of a scripted fight, what is told of it, and how often the option mattered."""
    script, events = Script(*dice), []
    build = parse_build(text, catalogue())
    counter = TriggerCounter(game(), build)

    def emit(event):
        events.append(event)
        counter(event)

    ground = encounter(*waves, max_turns=max_turns)
    fight(game(), build, attacker(4), ground, script, emit)
    assert not script.rolls, f"rolls left over: {script.rolls}"
    return strikes(events), "\n".join(narrate(events)), counter.rates()


def test_the_next_hit_does_more():
    one = hit(10, 5, 5, 1)
    dice = [*one, *MISS, *one, *MISS, *d20(2), *MISS, *one, *MISS]
    found, told, rates = play("melee_ac+sunder", dice, "100", max_turns=4)
    first = found[0][2]
    assert [damage for _, _, damage, _ in found] == [first, first + 3, 0, first + 3], (
        "a miss leaves it exposed"
    )
    assert told.count("+3 vulnerable") == 2
    assert rates["sunder"].fired == 1


def test_a_hit_without_damage_exposes_and_takes_it_along():
    weak = hit(10, 1, 1, 1)
    found, _, _ = play("melee_ac+sunder", [*weak, *MISS, *weak, *MISS], "100", max_turns=2)
    assert [damage for _, _, damage, _ in found] == [0, 3]


def test_a_basic_attack_takes_it_along_and_exposes_nobody():
    one = hit(10, 5, 5, 1)
    plain = play("melee_ac", one + MISS, "100", max_turns=1)[0][0][2]
    dice = [*hit(16, 5, 5, 1), *MISS, *(2 * [*one, *MISS])]
    found, _, _ = play("melee_ac+sunder+quickdraw", dice, "100", max_turns=3)
    assert [damage for _, _, damage, _ in found][1:] == [plain + 3, plain]


def test_each_enemy_by_itself():
    one = hit(10, 5, 5, 1)
    found, _, _ = play("melee_ac+sunder", [*one, *MISS, *one, *MISS], "1,100", max_turns=2)
    assert [target for _, target, *_ in found] == [0, 1]
    assert found[0][2] == found[1][2], "the second one was not hit before"


@FEW
@given(data=st.data())
def test_the_kernel_plays_the_same_fight_under_any_ruling(data):
    test_kernel_same_fight.assert_same_fight(
        under(data.draw(rulings()), game()),
        data.draw(legal_attacks(with_="sunder", of=catalogue())),
        data.draw(attackers()),
        data.draw(encounters()),
        data.draw(st.integers(0, 10**9)),
    )


@FEW
@given(data=st.data())
def test_a_loadout_of_it_and_others_plays_the_same_fight(data):
    attacks = (
        data.draw(legal_attacks(with_="sunder", of=catalogue())),
        data.draw(legal_attacks(of=catalogue())),
    )
    test_kernel_loadouts.assert_same_fight(
        under(data.draw(rulings()), game()),
        Build(attacks if data.draw(st.booleans()) else attacks[::-1]),
        data.draw(attackers()),
        data.draw(encounters()),
        data.draw(st.integers(0, 10**9)),
        GREEDY,
    )


@needs_jit
def test_a_batch_plays_the_fights_that_a_build_gets_alone():
    bout = make_bouts(game(), load_scenarios("default").model, 4, {})["swarm"]
    ids = list(game().enhancements)
    names = ("sunder", "sunder+barrage", "sunder+ricochet", "sunder+bleed", "barrage")
    for attack_type in ("melee_ac", "area"):
        masks = np.array([mask_of([ids.index(each) for each in name.split("+")], 2) for name in names])
        found = sample_batch(game(), bout.attacker, bout.encounter, attack_type, masks, seed=2, fights=40)
        assert found.supported.all()
        for i, name in enumerate(names):
            build = parse_build(f"{attack_type}+{name}", catalogue())
            tally = run_block(compile_plan(game(), build, bout.attacker, bout.encounter), 2, 0, 40)
            assert found.turns[i] == tally.histogram @ np.arange(len(tally.histogram)), name


def test_engines_that_do_not_follow_it_say_so():
    scenarios = load_scenarios("default").model
    greedy, optimal = (
        make_bouts(game(), scenarios, 4, {"play": play})["boss"] for play in ("greedy", "optimal")
    )
    build = parse_build("melee_dg+sunder", catalogue())
    assert ExactEvaluator(game()).why_not(build, greedy) == "the exact engine does not follow vulnerable"
    assert BestPlayEvaluator(game()).why_not(build, optimal) == "best play does not know vulnerable"
    assert KernelEvaluator(game()).why_not(build, greedy) is None


def test_it_is_described():
    said = {option.id: option.summary for option in describe_options(game())}
    assert "takes 3 more damage from the next strike that hits it" in said["sunder"]
