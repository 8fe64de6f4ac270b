"""Which attacks with Ricochet are not solved, and why."""

from __future__ import annotations

import numpy as np

from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.ricochet.fields import count_fields
from buildsearch.systems.vitality.exact.nodes.ricochet.planning import RicochetPlan, ricochet_plan
from buildsearch.systems.vitality.exact.nodes.support import MOST_CLASSES, unknown_later

MOST_FIELDS = 100_000
# Numbers kept for gates and nodes, along the attacker's HP where limits ask about retaliation.
MOST_STATES = 1 << 25
# Products a turn; a hundred turns take some ten seconds.
MOST_PRODUCTS = 1.5e7
# A strike hurts one, and Ricochet goes at so many others at most.
_MOST_OTHERS = 2

TOO_MANY = "the exact engine would have to follow too many states"


def why_not_ricochet(ground: ExactGround) -> str | None:
    """The reason why an attack with Ricochet cannot be solved; None when it can."""
    setup = ground.setup
    later = unknown_later(setup)
    if later is not None:
        return later
    if setup["bleed_ticks"]:
        return (
            "the exact engine does not follow bleed with ricochet: HP less what is pending of three enemies"
            " are eight times as many states as their HP, too many"
        )
    for name, word in (
        ("double_tap", "double_tap"),
        ("explosive", "explosive_critical"),
        ("condition", "a condition"),
    ):
        if setup[name]:
            return f"the exact engine does not follow {word} with ricochet"
    if setup["target_rule"]:
        return "the exact engine follows ricochet only under the ruling target=first"
    if int(setup["ricochet"]) > _MOST_OTHERS:
        return "the exact engine does not follow ricochet at more than two others"
    if setup["defeat_is_loss"]:
        return "the exact engine does not follow ricochet under the ruling attacker_defeat=loss"
    if int(setup["classes"]) > MOST_CLASSES or count_fields(ground) > MOST_FIELDS:
        return TOO_MANY
    plan = ricochet_plan(ground)
    return TOO_MANY if plan is None else _too_many(plan)


def _too_many(plan: RicochetPlan) -> str | None:
    turns, hp = plan.turns, int(plan.ground.setup["attacker_hp"])
    axis = 1 if plan.is_counted else hp + 1
    if plan.fields.size * axis * (2 * turns.gates + len(turns.rolls)) > MOST_STATES:
        return TOO_MANY
    # By field and node as many outcomes as its target has HP, and some; that of criticals twice.
    most = float(np.mean(plan.ground.foes["max_hp"]))
    if plan.fields.size * axis * len(turns.rolls) * most > MOST_PRODUCTS * (4 if axis > 1 else 1):
        return "the exact engine would take too long: too many strikes a turn for the enemies' states"
    return None
