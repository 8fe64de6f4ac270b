"""A fight before anybody is built into it, and the combatants once somebody is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from buildsearch.systems.animon.builds.build import Build, Form, Signature, forms_of, signature_stages
from buildsearch.systems.animon.rules.model import (
    STAGES,
    AnimonRules,
    Between,
    Element,
    Play,
    Stage,
    Surprised,
    ZeroHp,
)

OURS, THEIRS = 0, 1


@dataclass(frozen=True, slots=True)
class Levelled:
    """An animon by level, in the one form that it has."""

    level: int
    element: Element
    form: Form
    signature: Signature | None


@dataclass(frozen=True, slots=True)
class Copy:
    """Another one of the build."""


Ally = Copy | Build | Levelled
Foe = Build | Levelled


@dataclass(frozen=True, slots=True)
class Bout:
    """A build, and allies, against waves of foes."""

    name: str
    weight: float
    waves: tuple[tuple[Foe, ...], ...]
    allies: tuple[Ally, ...]
    bond_points: int | None  # None: as many as the bond gives
    start: Stage | None
    first_evolution: bool
    zero_hp: ZeroHp
    between: Between
    surprised: Surprised
    max_rounds: int
    play: Play

    @property
    def is_alone(self) -> bool:
        """Whether the build has no allies."""
        return not self.allies

    @property
    def largest_wave(self) -> int:
        """The most foes at once."""
        return max(len(wave) for wave in self.waves)


@dataclass(frozen=True, slots=True)
class Attack:
    """A signature attack as somebody has it: from which stage on, and with which rank."""

    stage: int
    rank: int
    signature: Signature


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody in a fight. `forms` are by stage, those that it can ever have."""

    name: str
    side: int
    is_the_build: bool  # the build itself and its copies
    wave: int  # foes: the wave that they come in; our side: 0
    level: int = 0
    element: Element = "neutral"
    forms: dict[int, Form] = field(default_factory=dict, hash=False)
    attacks: tuple[Attack, ...] = ()
    is_pc: bool = False

    @property
    def top(self) -> int:
        """The highest stage."""
        return max(self.forms, default=0)


def combatants(rules: AnimonRules, bout: Bout, build: Build | None) -> list[Combatant]:
    """Spec, Who fights: the build, if known, allies in order, foes in order."""

    def own(name: str) -> Combatant:
        if build is None:
            return Combatant(name, OURS, True, 0, is_pc=True)
        return replace(_whole(rules, build, name, OURS, 0), is_the_build=True)

    found = [own("build")]
    for number, ally in enumerate(bout.allies, 1):
        if isinstance(ally, Copy):
            found.append(own(f"build #{number + 1}"))
        elif isinstance(ally, Build):
            found.append(_whole(rules, ally, f"companion #{number}", OURS, 0))
        else:
            found.append(_levelled(rules, ally, f"ally #{number}", OURS, 0))
    number = 0
    for wave, foes in enumerate(bout.waves):
        for foe in foes:
            number += 1
            if isinstance(foe, Build):
                found.append(_whole(rules, foe, f"rival #{number}", THEIRS, wave))
            else:
                found.append(_levelled(rules, foe, f"foe #{number}", THEIRS, wave))
    return found


def _whole(rules: AnimonRules, build: Build, name: str, side: int, wave: int) -> Combatant:
    stages = signature_stages(rules, build.stage)
    attacks = tuple(
        Attack(STAGES.index(stage), rules.stages[stage].rank, signature)
        for stage, signature in zip(stages, build.signatures, strict=True)
    )
    forms = {form.stage: form for form in forms_of(rules, build)}
    return Combatant(
        name, side, False, wave, build.bond_level, build.element, forms, attacks, is_pc=side == OURS
    )


def _levelled(rules: AnimonRules, unit: Levelled, name: str, side: int, wave: int) -> Combatant:
    stage = unit.form.stage
    rank = rules.stages[STAGES[stage]].rank
    attacks = () if unit.signature is None else (Attack(stage, rank, unit.signature),)
    return Combatant(name, side, False, wave, unit.level, unit.element, {stage: unit.form}, attacks)
