"""What the tests of the reference share: rules, build strings, encounters, scripted dice."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from buildsearch.evaluate.events import Event
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe, make_attacker
from buildsearch.systems.vitality.reference.events import ActionChosen, Strike
from buildsearch.systems.vitality.reference.fight import fight
from buildsearch.systems.vitality.reference.profile import make_profile
from buildsearch.systems.vitality.rules.model import StatChanges, Stats, VitalityRules

ROOT = next(folder for folder in Path(__file__).parents if (folder / "pyproject.toml").exists())


@cache
def v2() -> VitalityRules:
    text = (ROOT / "rules" / "vitality-v2.yaml").read_text(encoding="utf-8")
    return VitalityRules.model_validate(yaml.safe_load(text))


def ruled(**values) -> VitalityRules:
    """Version 2 with other rulings."""
    raw = v2().model_dump(by_alias=True)
    raw["rulings"].update(values)
    return VitalityRules.model_validate(raw)


def attack(text: str) -> Attack:
    """`area[cone]:condition+overhit` as an object."""
    head, *enhancements = text.split("+")
    head, _, effect = head.partition(":")
    kind, _, shape = head.partition("[")
    order = list(v2().enhancements)
    assert set(enhancements) <= set(order)
    return Attack(
        kind, tuple(sorted(enhancements, key=order.index)), effect or "damage", shape.rstrip("]") or None
    )


def build(text: str) -> Build:
    return Build(tuple(attack(each) for each in text.split(" | ")))


def stats(text: str = "2,2,2,2") -> Stats:
    focus, power, mobility, endurance = map(int, text.split(","))
    return Stats(focus=focus, power=power, mobility=mobility, endurance=endurance, secondary=2)


def attacker(tier: int = 4, text: str = "2,2,2,2", hp: int = 100) -> Attacker:
    return replace(make_attacker(v2(), tier, StatChanges(**stats(text).model_dump())), hp=hp)


def foe(hp: int, text: str = "2,2,2,2") -> Foe:
    return Foe(f"foe{hp}", hp, stats(text))


def encounter(*waves, enemy: str = "2,2,2,2", **options) -> Encounter:
    """Each wave as `50,25,25`, or as foes."""
    return Encounter(
        name="test",
        waves=tuple(
            tuple(foe(int(hp), enemy) for hp in wave.split(",")) if isinstance(wave, str) else tuple(wave)
            for wave in waves
        ),
        **{"max_turns": 100, "area_targets": {}, **options},
    )


def profile(text: str, *, tier: int = 4, rules: VitalityRules | None = None, adjacent: bool = False):
    return make_profile(rules or v2(), attack(text), tier, stats(), adjacent=adjacent)


class Script:
    """Dice that fall as told; every roll names its sides, so that a test says what each is for."""

    def __init__(self, *rolls: tuple[int, int]):
        self.rolls = list(rolls)

    def roll(self, sides: int) -> int:
        assert self.rolls, f"a d{sides} more than the script has"
        expected, value = self.rolls.pop(0)
        assert sides == expected, f"rolled a d{sides}, the script has a d{expected}"
        return value


def d20(*values: int) -> list[tuple[int, int]]:
    return [(20, value) for value in values]


def hit(natural: int, *dice: int) -> list[tuple[int, int]]:
    """An accuracy roll and the damage dice."""
    return [(20, natural), *((6, value) for value in dice)]


def kinds(events: list[Event]) -> str:
    """The actions of a fight by their first letters: attack, basic, charge, wait."""
    return " ".join(event.kind[0].upper() for event in of(ActionChosen, events))


MISS = d20(2)  # a plain retaliation needs 10: 2 + 4 tier + 2 focus against 16
HARMLESS = hit(10, 1, 1, 1)  # 3 + 4 + 2 - 11 < 0
WOUND = hit(10, 4, 4, 2)  # 10 + 4 + 2 - 11 = 5


def play(
    text: str,
    dice,
    enemies="100",
    *,
    tier: int = 4,
    rules: VitalityRules | None = None,
    hp: int = 100,
    **options,
):
    """A scripted fight: its result and its events. Every scripted roll must have been used."""
    waves = (enemies,) if isinstance(enemies, str) else enemies
    script = Script(*dice)
    events: list[Event] = []
    ground = encounter(*waves, **options)
    result = fight(rules or v2(), build(text), attacker(tier, hp=hp), ground, script, events.append)
    assert not script.rolls, f"rolls left over: {script.rolls}"
    return result, events


def of(kind: type, events: list[Event]) -> list:
    return [event for event in events if isinstance(event, kind)]


def strikes(events: list[Event]) -> list[tuple[str, int, int, int]]:
    """Cause, target, damage, HP after, of every strike."""
    return [(each.cause, each.target, each.damage, each.hp_after) for each in of(Strike, events)]
