"""A build as an object, and the numbers of its forms."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.systems.animon.rules.model import (
    STAGES,
    STATS,
    AnimonRules,
    Effect,
    Element,
    Improvement,
    Quality,
    Stage,
)

Line = tuple[int, int, int, int]  # in the order of STATS
Counted = tuple[tuple[Improvement, int], ...]


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature attack: effects with repeats, and the elements to choose from, both in canonical order."""

    effects: tuple[Effect, ...]
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """An animon up to its highest stage. `lines` ends with that stage's; lower ones may be left to follow.

    A name does not say the bond level: it comes from the space, or is the least that the rest allows.
    """

    stage: Stage
    element: Element
    lines: tuple[Line, ...]
    quality: Quality
    signatures: tuple[Signature, ...]
    improvements: Counted
    bond_level: int


@dataclass(frozen=True, slots=True)
class Form:
    """The numbers of one stage: what rolls and effects read."""

    stage: int
    hp: int
    damage: int
    attack: int  # dice of a plain attack
    power: int
    dodge: int
    initiative: int
    uses: int
    heart: int


def signature_stages(rules: AnimonRules, stage: Stage) -> tuple[Stage, ...]:
    """The stages that bring a signature attack, up to one."""
    return tuple(each for each in STAGES[: STAGES.index(stage) + 1] if rules.stages[each].rank)


def total_of(rules: AnimonRules, stage: Stage) -> int:
    """The sum of the four stats of a stage."""
    row = rules.stages[stage]
    return len(STATS) * row.least + row.points


def lowered(line: Line, total: int) -> Line:
    """Spec, Lower forms: 1 from the highest stat until the total is right; of equals the first."""
    stats = list(line)
    while sum(stats) > total:
        stats[stats.index(max(stats))] -= 1
    return stats[0], stats[1], stats[2], stats[3]


def all_lines(rules: AnimonRules, build: Build) -> tuple[Line, ...]:
    """The stat line of every stage from the lowest up."""
    found = list(build.lines)
    top = STAGES.index(build.stage)
    while len(found) <= top:
        below = STAGES[top - len(found)]
        found.insert(0, lowered(found[0], total_of(rules, below)))
    return tuple(found)


def forms_of(rules: AnimonRules, build: Build) -> tuple[Form, ...]:
    """The numbers of every stage from the lowest up; quality and improvements count in all of them."""
    more = {name: rules.improvements.kinds[name].amount * count for name, count in build.improvements}
    quality = {build.quality: rules.qualities[build.quality].dice}
    found = []
    for number, (power, agility, brains, heart) in enumerate(all_lines(rules, build)):
        row = rules.stages[STAGES[number]]
        factor = row.damage if rules.rulings.damage_by_stage == "text" else row.revised_damage
        uses = brains + more.get("uses", 0)
        found.append(
            Form(
                stage=number,
                hp=row.hp + row.hp_per_heart * heart + more.get("hp", 0),
                damage=factor * power + more.get("damage", 0),
                attack=power + quality.get("attack", 0),
                power=power,
                dodge=agility + more.get("dodge", 0) + quality.get("dodge", 0),
                initiative=uses + quality.get("initiative", 0),
                uses=uses,
                heart=heart,
            )
        )
    return tuple(found)


def least_bond_level(rules: AnimonRules, stage: Stage, improvements: Counted) -> int:
    """The lowest bond level that allows the stage and so many improvements."""
    number = sum(count for _, count in improvements)
    return max(rules.stages[stage].bond_level, number * rules.improvements.levels)
