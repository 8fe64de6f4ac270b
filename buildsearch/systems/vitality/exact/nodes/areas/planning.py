"""An area attack in an encounter: its fields, its rolls by wave and level, its turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.entered_chains import entered_chain
from buildsearch.systems.vitality.exact.batch.processes import is_late
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.followed import Play
from buildsearch.systems.vitality.exact.nodes.areas.rolls import Roll, roll_of
from buildsearch.systems.vitality.exact.nodes.areas.terrain import Terrain, terrain_of
from buildsearch.systems.vitality.exact.nodes.areas.turns import area_turns, asked_of
from buildsearch.systems.vitality.exact.nodes.attacks import kill_at_of
from buildsearch.systems.vitality.exact.nodes.support import gating_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing


@dataclass(frozen=True, eq=False)
class AreaPlan:
    """Everything that solving reads. `entered`: a late attack's gates by turn and what was before."""

    ground: ExactGround
    terrain: Terrain
    chain: Chain
    entered: NDArray[np.int64]
    levels: int
    limit: int
    is_late: bool

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
        turns, columns = area_turns(self.chain, self.swing, self.entered, late=self.is_late)
        return Play(
            gates=turns.gates,
            rolls=turns.rolls,
            next_rows=turns.next_rows,
            steps=turns.steps,
            step_chances=turns.chances,
            limit=self.limit,
            late=self.chain.states,
            waits=bool(self.ground.setup["unmet_waits"]),
            entered=np.ascontiguousarray(self.entered[:, columns]) if columns else self.entered,
        )

    @property
    def first_gate(self) -> int:
        """The gate that the fight begins in."""
        return self.chain.states if self.is_late else int(self.entered[0, 0])

    @cached_property
    def rolls(self) -> list[list[Roll]]:
        """By wave the basic attack, then the attack by level."""
        ground = self.ground
        told = asked_of(self.chain, self.swing, self.entered, late=self.is_late)
        classes, kill_at = int(ground.setup["classes"]), kill_at_of(ground)
        by_itself = bool(ground.setup["condition"])
        used = {0} | set(self.play.rolls.tolist())
        found = []
        for wave in self.terrain.waves:
            rolls: list[Roll] = []
            for level in range(1 + self.levels):
                strikes = ground.strikes[level * classes : (level + 1) * classes]
                at = kill_at if level else np.zeros_like(kill_at)
                dice = ground.dice[1 if level else 0]
                if level not in used:
                    rolls.append(rolls[0])  # never made
                    continue
                rolls.append(roll_of(wave, strikes, dice, at, told, by_itself=by_itself))
            found.append(rolls)
        return found


def content_of(ground: ExactGround) -> bytes:
    """What tells attacks in encounters apart."""
    dice = (each for pair in ground.dice for each in pair)
    arrays = (ground.setup, ground.foes, ground.strikes, *dice, *ground.retaliation)
    parts = (repr(ground.activation).encode(), *(each.tobytes() for each in arrays))
    return blake2b(b"|".join(parts), digest_size=20).digest()


_known = LruCache[bytes, AreaPlan | None](8)


def area_plan(ground: ExactGround) -> AreaPlan | None:
    """The plan of an area attack; None where its limits are no chain. Who may solve it asks again for it."""
    return _known.get(content_of(ground), lambda: _plan(ground))


def _plan(ground: ExactGround) -> AreaPlan | None:
    setup, gating = ground.setup, gating_of(ground)
    levels = gating.levels(int(setup["levels"]))
    found = entered_chain(
        gating.read, levels, gating.activation, bleeds=False, several=True,
        waves=int(setup["waves"]) > 1, splinters=True, area=True,
    )  # fmt: skip
    if found is None:
        return None
    late = is_late(gating)
    limit = int(gating.setup["hp_at_most"]) if late and not setup["hp_full"] else -1
    return AreaPlan(ground, terrain_of(ground), found[0], found[1], levels, limit, late)
