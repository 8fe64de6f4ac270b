"""An attack with Ricochet in an encounter: its fields and its turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.batch.chain import Chain
from buildsearch.systems.vitality.exact.batch.processes import is_late
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.ricochet.fields import Fields, fields_of
from buildsearch.systems.vitality.exact.nodes.ricochet.turns import ricochet_turns
from buildsearch.systems.vitality.exact.nodes.support import entered_chain_of, gating_of
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns


@dataclass(frozen=True, eq=False)
class RicochetPlan:
    """What solving reads but for rolls. `limit`: the HP at which a late attack comes into use."""

    ground: ExactGround
    fields: Fields
    chain: Chain
    entered: NDArray[np.int64]
    turns: Turns
    levels: int
    limit: int
    is_late: bool

    @property
    def is_counted(self) -> bool:
        """Whether nothing depends on retaliation, so that blows need only be counted."""
        return not (self.chain.reads_events or self.is_late) and int(self.ground.setup["waves"]) == 1


def ricochet_plan(ground: ExactGround) -> RicochetPlan | None:
    """The plan of an attack; None where its limits are no chain."""
    setup, gating = ground.setup, gating_of(ground)
    levels = gating.levels(int(setup["levels"]))
    found = entered_chain_of(ground)
    if found is None:
        return None
    chain, entered = found
    late = is_late(gating)
    limit = int(gating.setup["hp_at_most"]) if late and not setup["hp_full"] else -1
    splinters, feeds = int(setup["splinter_limit"]), bool(setup["triggered_feed"])
    swing = Swing(int(setup["strikes"]), int(setup["extra_limit"]), splinters, feeds)
    turns = ricochet_turns(chain, swing, int(setup["ricochet"]), late=late)
    return RicochetPlan(ground, fields_of(ground), chain, entered, turns, levels, limit, late)
