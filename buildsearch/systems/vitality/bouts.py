"""The fights that a command line asks for: a scenario set or an ad hoc list, with changed stats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from buildsearch.model.errors import UsageError
from buildsearch.model.rules_file import STATS, Variation
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.vitality.encounter import Attacker, Encounter, Foe, make_attacker, make_encounters
from buildsearch.systems.vitality.rules.model import StatChanges, VitalityRules
from buildsearch.systems.vitality.rules.scenarios import MOST_ENEMIES, VitalityScenarios

Play = Literal["greedy", "optimal"]
PLAYS: tuple[Play, ...] = ("greedy", "optimal")
AD_HOC = "ad_hoc"
_HIGHEST_STAT = 1_000
_MOST_HP = 10_000


@dataclass(frozen=True)
class Bout:
    """Who fights whom, and how the attacker decides."""

    attacker: Attacker
    encounter: Encounter
    play: Play = "greedy"

    @cached_property
    def name(self) -> str:
        return self.encounter.name

    @cached_property
    def weight(self) -> float:
        return self.encounter.weight


def make_bouts(
    rules: VitalityRules, scenarios: VitalityScenarios, tier: int, options: Mapping[str, str]
) -> dict[str, Bout]:
    """Every fight by name."""
    attacker = make_attacker(rules, tier, _stats("attacker", options.get("attacker")))
    enemy = _stats("enemy", options.get("enemy"))
    if "enemies" in options:
        encounters = {AD_HOC: _ad_hoc(rules, options["enemies"], enemy)}
    else:
        encounters = make_encounters(rules, scenarios, enemy)
    play = _play(options.get("play", PLAYS[0]))
    return {name: Bout(attacker, encounter, play) for name, encounter in encounters.items()}


def stat_steps(rules: VitalityRules) -> tuple[Variation, ...]:
    """Each stat of the attacker and of all enemies, one up and one down."""
    found = []
    for who in ("attacker", "enemy"):
        for stat, usual in rules.character.stats.model_dump().items():
            for value in (usual - 1, usual + 1):
                if value >= 0:
                    change = f"{stat}={value}"
                    found.append(Variation(STATS, f"{who} {change}", options={who: change}))
    return tuple(found)


def _play(text: str) -> Play:
    for known in PLAYS:
        if text == known:
            return known
    raise UsageError(f"‹play› {text}: there is no such way to play. {suggest(text, PLAYS)}")


def _ad_hoc(rules: VitalityRules, text: str, changes: StatChanges) -> Encounter:
    stats = changes.applied_to(rules.character.stats)
    foes = tuple(
        Foe(name=f"enemy_{i}", max_hp=_number(f"‹enemies› {text}", part, 1, _MOST_HP), stats=stats)
        for i, part in enumerate(text.split(","), start=1)
    )
    if len(foes) > MOST_ENEMIES:
        raise UsageError(f"‹enemies›: {len(foes)} enemies, and at most {MOST_ENEMIES} can fight.")
    return Encounter(name=AD_HOC, waves=(foes,), max_turns=rules.max_turns, area_targets={})


def _stats(option: str, text: str | None) -> StatChanges:
    if text is None:
        return StatChanges()
    known = tuple(StatChanges.model_fields)
    changes: dict[str, int] = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise UsageError(f"‹{option}› {text}: write stat=number, e.g. focus=3,power=1.")
        if name not in known:
            raise UsageError(f"‹{option}› {text}: unknown stat `{name}`. {suggest(name, known)}")
        if name in changes:
            raise UsageError(f"‹{option}› {text}: `{name}` is given twice. Say it once.")
        changes[name] = _number(f"‹{option}› {text}", value, 0, _HIGHEST_STAT)
    return StatChanges(**changes)


def _number(where: str, text: str, low: int, high: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise UsageError(f"{where}: `{text.strip()}` must be a whole number from {low} to {high}.")
    return number
