"""What may be moved in Animon Story, which has no prices: how high a stat may go, and numbers of fights.

What a step of a number does to every build is not claimed: fights are won by play, and enemies have some of
these numbers too.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from buildsearch.model.levers import Account, Lever, limit_lever
from buildsearch.model.number_levers import entry_levers
from buildsearch.systems.animon.rules.model import STAGES, STATS, AnimonRules, Stage

# So many points up and down.
_FAR = 3
_BOND = ("base", "fight_on", "evolving", "extra_use", "extra_die")  # what greedy play keeps is no rule
_HEARTS = ("devolving", "staying_basic", "breath")


def accounts(rules: AnimonRules, space: Any) -> tuple[Account, ...]:
    """Nobody pays: the points of a stage are all spent, and each is as dear as another."""
    return ()


def levers(rules: AnimonRules, space: Any) -> tuple[Lever, ...]:
    """The highest stat of the highest stage, where builds count points above its least; numbers."""
    stage = space.settings.stage
    row = rules.stages[stage]
    words = f"Let no stat of {row.name} go above"
    # Lower, and not all points could be spent.
    fewest = -(-row.points // len(STATS))
    path = ("stages", stage, "most")
    most = row.most - row.least
    highest = limit_lever(f"{stage}.most", STATS, most, path, words=words, base=row.least, least=fewest)
    return (highest, *_number_levers(rules, stage))


def _number_levers(rules: AnimonRules, highest: Stage) -> list[Lever]:
    """Those that builds of a stage meet."""
    of = partial(entry_levers, far=_FAR)
    by_power = "damage" if rules.rulings.damage_by_stage == "text" else "revised_damage"
    stages = STAGES[: STAGES.index(highest) + 1]
    found: list[Lever] = []
    for stage in stages:
        row, where = rules.stages[stage], ("stages", stage)
        found += of(stage, row, where, title=row.name, parts=(by_power,), about=("power",))
        found += of(stage, row, where, title=row.name, parts=("hp",))
        least_one = partial(of, is_signed=lambda _: False)  # else a form might have no HP at all
        found += least_one(stage, row, where, title=row.name, parts=("hp_per_heart",), about=("heart",))
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
