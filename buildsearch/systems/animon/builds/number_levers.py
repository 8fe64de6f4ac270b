"""Numbers of Animon Story that change fights: what stages give, improvements, qualities, effects, bonds.

What a step of one of them does to every build is not claimed: fights are won by play, and enemies have some
of these numbers too.
"""

from __future__ import annotations

from functools import partial

from buildsearch.model.levers import Lever
from buildsearch.model.number_levers import entry_levers
from buildsearch.systems.animon.rules.model import STAGES, AnimonRules, Stage

# So many points up and down.
_FAR = 3
_BOND = ("base", "fight_on", "evolving", "extra_use", "extra_die")  # what greedy play keeps is no rule
_HEARTS = ("devolving", "staying_basic", "breath")


def number_levers(rules: AnimonRules, highest: Stage) -> list[Lever]:
    """Those that builds of a stage meet."""
    of = partial(entry_levers, far=_FAR)
    by_power = "damage" if rules.rulings.damage_by_stage == "text" else "revised_damage"
    stages = STAGES[: STAGES.index(highest) + 1]
    found: list[Lever] = []
    for stage in stages:
        row, where = rules.stages[stage], ("stages", stage)
        found += of(stage, row, where, title=row.name, parts=(by_power,), about=("power",))
        found += of(stage, row, where, title=row.name, parts=("hp",))
        found += of(stage, row, where, title=row.name, parts=("hp_per_heart",), about=("heart",))
    for kind, improvement in rules.improvements.kinds.items():
        at = ("improvements", "kinds", kind)
        found += of(kind, improvement, at, title=improvement.name, parts=("amount",))
    for name, quality in rules.qualities.items():
        feature = f"quality_{name}"
        found += of(feature, quality, ("qualities", name), title=quality.name, parts=("dice",))
    for effect, entry in rules.effects.items():
        having = tuple(f"{stage}_{effect}" for stage in stages if rules.stages[stage].rank)
        found += of(effect, entry, ("effects", effect), title=entry.name, parts=("extra",), about=having)
    found += of("bond", rules.bond, ("bond",), title="the bond", parts=_BOND)
    found += of("hearts", rules.hearts, ("hearts",), title="heart tests", parts=_HEARTS)
    return found
