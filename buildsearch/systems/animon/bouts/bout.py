"""A fight before anybody is built into it, and the combatants once somebody is."""

from __future__ import annotations

from dataclasses import dataclass, field

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
    """An animon by level: every number as it fights."""

    level: int
    stage: Stage
    element: Element
    signature: Signature | None
    hp: int
    damage: int
    attack: int
    dodge: int
    initiative: int
    uses: int
    heart: int


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
    """Somebody in a fight, as it begins. `forms` are by stage, those that it can ever have."""

    name: str
    side: int
    is_pc: bool
    is_the_build: bool  # the build itself and its copies
    wave: int  # foes: the wave that they come in; our side: 0
    level: int
    element: Element
    forms: dict[int, Form] = field(hash=False)
    start: int
    top: int
    attacks: tuple[Attack, ...]
    bond: int


def combatants(rules: AnimonRules, bout: Bout, build: Build) -> list[Combatant]:
    """Spec, Who fights: the build, allies in order, foes in order."""
    found = [_of_build(rules, bout, build, "build")]
    for number, ally in enumerate(bout.allies, 1):
        if isinstance(ally, Copy):
            found.append(_of_build(rules, bout, build, f"build #{number + 1}"))
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


def start_of(bout: Bout, build: Build) -> int:
    """The stage that a build starts in: the scenario's, but none that it does not have."""
    own = STAGES.index(build.stage)
    return own if bout.start is None else min(own, STAGES.index(bout.start))


def bond_of(rules: AnimonRules, bout: Bout, build: Build) -> int:
    """The bond points that a build brings."""
    return rules.bond.base + build.bond_level if bout.bond_points is None else bout.bond_points


def _of_build(rules: AnimonRules, bout: Bout, build: Build, name: str) -> Combatant:
    whole = _whole(rules, build, name, OURS, 0)
    return Combatant(
        name=name,
        side=OURS,
        is_pc=True,
        is_the_build=True,
        wave=0,
        level=whole.level,
        element=whole.element,
        forms=whole.forms,
        start=start_of(bout, build),
        top=whole.top,
        attacks=whole.attacks,
        bond=bond_of(rules, bout, build),
    )


def _whole(rules: AnimonRules, build: Build, name: str, side: int, wave: int) -> Combatant:
    own = STAGES.index(build.stage)
    stages = signature_stages(rules, build.stage)
    return Combatant(
        name=name,
        side=side,
        is_pc=side == OURS,
        is_the_build=False,
        wave=wave,
        level=build.bond_level,
        element=build.element,
        forms={form.stage: form for form in forms_of(rules, build)},
        start=own,
        top=own,
        attacks=tuple(
            Attack(STAGES.index(stage), rules.stages[stage].rank, signature)
            for stage, signature in zip(stages, build.signatures, strict=True)
        ),
        bond=0,
    )


def _levelled(rules: AnimonRules, unit: Levelled, name: str, side: int, wave: int) -> Combatant:
    stage = STAGES.index(unit.stage)
    form = Form(
        stage=stage,
        hp=unit.hp,
        damage=unit.damage,
        attack=unit.attack,
        power=unit.attack,
        dodge=unit.dodge,
        initiative=unit.initiative,
        uses=unit.uses,
        heart=unit.heart,
    )
    rank = rules.stages[unit.stage].rank
    attacks = () if unit.signature is None else (Attack(stage, rank, unit.signature),)
    return Combatant(
        name=name,
        side=side,
        is_pc=False,
        is_the_build=False,
        wave=wave,
        level=unit.level,
        element=unit.element,
        forms={stage: form},
        start=stage,
        top=stage,
        attacks=attacks,
        bond=0,
    )
