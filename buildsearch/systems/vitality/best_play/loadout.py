"""A loadout in an encounter, compiled: limits as numbers, tables of strikes, what retaliation means."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.ground import ExactGround, exact_ground
from buildsearch.systems.vitality.mechanics.limits import ALL_MISSED, DAMAGED, HIT_UNHARMED, NOT_ATTACKED
from buildsearch.systems.vitality.rules.model import VitalityRules

NO_HP_LIMIT = 1 << 30
# The aim has no turn limit, so neither have channels and turn ranges.
WITHOUT_LIMIT = 1 << 20

# What decides when an attack of the loadout may be used, and what it uses.
LIMITS = np.dtype(
    [
        *(
            (name, np.int64)
            for name in (
                *("first_turn", "last_turn", "uses", "cooldown", "charge", "levels", "passive"),
                *("last_hit", "last_damage", "last_defeat", "condition"),
                "usable_from",  # a range of the attacker's HP axis
                "usable_to",
                "accepts",  # bits over the classes of events, the last for a turn without retaliation
                "first_table",  # the table of moves of its first level
                # as the rules have them
                *("hp_full", "hp_at_most", "since_mask"),
            )
        ),
        ("activation", np.float64),
    ]
)


@dataclass(frozen=True)
class Basic:
    """A basic attack that the loadout offers: of the type and effect of attack number `attack`."""

    attack: int


@dataclass(frozen=True, eq=False)
class CompiledLoadout:
    """Everything that best play needs. Tables: 0 nothing, then basic attacks, then attacks by level."""

    limits: NDArray[np.void]
    basics: list[Basic]
    grounds: list[ExactGround]
    ticks: int
    tracks_hit: bool
    # The attacker's HP as an axis: index 0 is everything up to `floor`; 1 where no limit looks at it.
    hp_size: int
    floor: int
    # Classes of retaliation events that limits tell apart; behind them stands "there was none".
    classes: int
    class_of: tuple[int, int, int]  # of all missed, hit unharmed, damaged
    attacker_hp: int

    @property
    def places(self) -> NDArray[np.void]:
        """The enemies in the order in which they are attacked; thresholds are an attack's own."""
        return self.grounds[0].foes

    @property
    def tables(self) -> int:
        """How many tables of moves there are."""
        return 1 + len(self.basics) + int(self.limits["levels"].sum())

    def blows(self, full_axis: bool = False) -> NDArray[np.float64]:
        """By place and class of event: the chance of losing so many HP (of the axis, or of all HP)."""
        ground = self.grounds[0]
        size = self.attacker_hp + 1 if full_axis else self.hp_size
        found = np.zeros((len(ground.foes), self.classes, size))
        for place in range(len(ground.foes)):
            if not ground.setup["retaliation_cap"]:
                found[place, 0, 0] = 1.0
                continue
            end = int(ground.foes[place]["wave_end"])
            chances = ground.alive_retaliation(sorted(ground.order[place:end]))
            found[place, self.class_of[0], 0] += chances[0]
            found[place, self.class_of[1], 0] += chances[1]
            row = found[place, self.class_of[2]]
            for lost, chance in enumerate(chances[2:], start=1):
                row[min(lost, size - 1)] += chance
        return found


def compile_loadout(
    rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter
) -> CompiledLoadout:
    """Compile; `support` says whether what comes out can be solved."""
    unlimited = replace(encounter, max_turns=WITHOUT_LIMIT)
    grounds = [exact_ground(rules, Build((attack,)), attacker, unlimited) for attack in build.attacks]
    basics = _basics(build.attacks)
    limits = np.zeros(len(grounds), LIMITS)
    table = 1 + len(basics)
    for i, ground in enumerate(grounds):
        setup = ground.setup
        for name in ("first_turn", "last_turn", "uses", "cooldown", "charge", "passive", "condition"):
            limits[i][name] = setup[name]
        for name in ("last_hit", "last_damage", "last_defeat", "hp_full", "hp_at_most", "since_mask"):
            limits[i][name] = setup[name]
        limits[i]["levels"] = _levels(setup)
        limits[i]["activation"] = ground.activation
        limits[i]["first_table"] = table
        table += int(limits[i]["levels"])
    floor, hp_size = _hp_axis(grounds, limits)
    class_of, classes = _event_classes(grounds, limits)
    return CompiledLoadout(
        limits=limits,
        basics=basics,
        grounds=grounds,
        ticks=max(int(ground.setup["bleed_ticks"]) for ground in grounds),
        tracks_hit=bool(limits["last_hit"].any()),
        hp_size=hp_size,
        floor=floor,
        classes=classes,
        class_of=class_of,
        attacker_hp=attacker.hp,
    )


def _levels(setup: np.void) -> int:
    """Levels of channelling that can be reached."""
    if setup["charge"] or setup["cooldown"] or setup["passive"]:
        return 1  # never twice in a row
    levels = int(setup["levels"])
    # So many attempts in all, so many turns in a row at most.
    return min(levels, int(setup["uses"])) if setup["uses"] > 0 else levels


def _basics(attacks: tuple[Attack, ...]) -> list[Basic]:
    """Spec: "a basic attack of any type in the loadout"; each once."""
    kinds: dict[object, int] = {}
    for i, attack in enumerate(attacks):
        kinds.setdefault((attack.type, attack.effect, attack.shape), i)
    return [Basic(i) for i in kinds.values()]


def _hp_axis(grounds: list[ExactGround], limits: NDArray[np.void]) -> tuple[int, int]:
    full = int(grounds[0].setup["attacker_hp"])
    floor = full
    for ground in grounds:
        at_most = int(ground.setup["hp_at_most"])
        if at_most < full:
            floor = min(floor, at_most)
        if ground.setup["hp_full"]:
            floor = min(floor, full - 1)
    size = full - floor + 1
    for i, ground in enumerate(grounds):
        at_most = min(int(ground.setup["hp_at_most"]), full)
        start, stop = full - floor if ground.setup["hp_full"] else 0, at_most - floor + 1
        limits[i]["usable_from"], limits[i]["usable_to"] = (start, stop) if start < stop else (0, 0)
    return floor, size


def _event_classes(grounds: list[ExactGround], limits: NDArray[np.void]) -> tuple[tuple[int, int, int], int]:
    """Events that every limit answers alike are one class; fills `accepts`."""
    masks = [int(ground.setup["since_mask"]) for ground in grounds]
    numbers: dict[tuple[int, ...], int] = {}
    events = (ALL_MISSED, HIT_UNHARMED, DAMAGED)
    if not grounds[0].setup["retaliation_cap"]:
        events = (NOT_ATTACKED,) * 3  # nobody ever attacks back
    answers = [tuple((mask >> event) & 1 for mask in masks) for event in events]
    class_of = [numbers.setdefault(answer, len(numbers)) for answer in answers]
    for i, mask in enumerate(masks):
        accepts = ((mask >> NOT_ATTACKED) & 1) << len(numbers)
        for answer, number in numbers.items():
            accepts |= answer[i] << number
        limits[i]["accepts"] = accepts
    return (class_of[0], class_of[1], class_of[2]), len(numbers)
