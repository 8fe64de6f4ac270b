"""Whatever the build, the rulings and the ground: the books balance, and telling changes nothing."""

import random

import pytest
from vitality_reference_support import attacker, build, encounter, of, ruled, v2

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.vitality.reference.events import (
    BleedTick,
    FightEnded,
    Retaliation,
    Strike,
    TurnStarted,
)
from buildsearch.systems.vitality.reference.fight import fight

CHOICES = {
    "target": ("first", "lowest_hp", "highest_hp"),
    "retaliation_cap": (0, 1, 2, 5),
    "attacker_defeat": ("ignore", "loss"),
    "unmet_limit": ("basic", "wait", "archetype"),
    "limit_scope": ("action", "strike"),
    "failed_activation": ("none", "attack"),
    "channel_cap": ("net", "bonus"),
    "natural_max_hits": (True, False),
    "natural_min_misses": (True, False),
    "flat_damage": ("dice", "roll"),
    "brutal": ("margin", "excess"),
    "bleed_tick": ("end", "start"),
    "bleed_overlap": ("ignore", "replace"),
    "bleed_ticks": (1, 2, 3),
    "area_strikes": ("repeat", "once", "single"),
    "barrage_triggers": ("every", "first"),
    "area_extra_attack": ("area", "single"),
    "triggered_defeats": ("splinter", "none"),
}


def random_attack(chance: random.Random) -> str:
    kind = chance.choice(list(v2().attack_types))
    effect = "" if kind.startswith("direct") else chance.choice(("", "", ":condition"))
    options = chance.sample(list(v2().enhancements), chance.randint(0, 6))
    return "+".join((kind + effect, *options))


@pytest.mark.parametrize("seed", range(60))
def test_any_fight(seed):
    chance = random.Random(seed)  # noqa: S311 - a test
    rules = ruled(**{name: chance.choice(values) for name, values in CHOICES.items()})
    loadout = build(" | ".join(random_attack(chance) for _ in range(chance.randint(1, 3))))
    waves = chance.choice((("100",), ("50,25,25",), ("25,25,10,10,10",), ("25,10", "50", "10,10,10")))
    ground = encounter(
        *waves, cluster=chance.choice((None, 1)), area_targets=chance.choice(({}, {"burst": 2}))
    )
    for fought in range(5):
        events = []
        told = fight(rules, loadout, attacker(), ground, SeededDice(fought), events.append)
        assert fight(rules, loadout, attacker(), ground, SeededDice(fought)) == told
        assert events[-1] == FightEnded(told)
        assert told.won + told.timeout <= 1
        assert told.attacker_hp == 100 - sum(each.damage for each in of(Retaliation, events))
        assert told.survived == (told.attacker_hp > 0)
        if told.won:
            assert len(of(TurnStarted, events)) == told.turns
            defeated = [
                each.target for each in events if isinstance(each, Strike | BleedTick) and each.defeated
            ]
            assert sorted(defeated) == list(range(sum(len(wave) for wave in ground.waves)))
