"""An area attack in an encounter: its fields, its rolls by wave and level, its turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.followed import Play
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll, roll_of
from buildsearch.systems.vitality.exact.nodes.areas.terrain import Terrain, terrain_of
from buildsearch.systems.vitality.exact.nodes.areas.turns import area_turns, asked_of
from buildsearch.systems.vitality.exact.nodes.attacks import kill_at_of
from buildsearch.systems.vitality.exact.nodes.support import LimitChain, limit_chain_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing


@dataclass(frozen=True, eq=False)
class AreaPlan:
    """Everything that solving reads."""

    ground: ExactGround
    terrain: Terrain
    limits: LimitChain

    @cached_property
    def swing(self) -> Swing:
        """How it strikes."""
        setup = self.ground.setup
        return Swing(int(setup["strikes"]), int(setup["extra_limit"]))

    @property
    def mask(self) -> int:
        """What retaliation limits accept."""
        return int(self.ground.setup["since_mask"])

    @cached_property
    def play(self) -> Play:
        """The turns, as kernels read them."""
        limits = self.limits
        turns, columns = area_turns(limits.chain, self.swing, limits.entered, late=limits.is_late)
        return Play(
            gates=turns.gates,
            rolls=turns.rolls,
            next_rows=turns.next_rows,
            steps=turns.steps,
            step_chances=turns.chances,
            limit=limits.limit,
            late=limits.chain.states,
            waits=bool(self.ground.setup["unmet_waits"]),
            entered=np.ascontiguousarray(limits.entered[:, columns]) if columns else limits.entered,
        )

    @cached_property
    def rolls(self) -> list[list[Roll]]:
        """By wave the basic attack, then the attack by level."""
        ground, limits = self.ground, self.limits
        told = asked_of(limits.chain, self.swing, limits.entered, late=limits.is_late)
        classes, kill_at = int(ground.setup["classes"]), kill_at_of(ground)
        by_itself = bool(ground.setup["condition"])
        used = {0} | set(self.play.rolls.tolist())
        found = []
        for wave in self.terrain.waves:
            rolls: list[Roll] = []
            for level in range(1 + limits.levels):
                strikes = ground.strikes[level * classes : (level + 1) * classes]
                at = kill_at if level else np.zeros_like(kill_at)
                dice = ground.dice[1 if level else 0]
                if level not in used:
                    rolls.append(rolls[0])  # never made
                    continue
                rolls.append(roll_of(wave, strikes, dice, at, told, by_itself=by_itself))
            found.append(rolls)
        return found


_known = LruCache[bytes, AreaPlan | None](8)


def area_plan(ground: ExactGround) -> AreaPlan | None:
    """The plan of an area attack; None where its limits are no chain. Who may solve it asks again for it."""
    return _known.get(ground.digest(), lambda: _plan(ground))


def _plan(ground: ExactGround) -> AreaPlan | None:
    limits = limit_chain_of(ground, area=True)
    return None if limits is None else AreaPlan(ground, terrain_of(ground), limits)
