"""Numbers of Dungeoneers that change fights: dice and wounds of weapons, armour, what spells do and take.

The rules' own scale is the step: one die, one wound, one point. What a step does to every hero is not
claimed: fights are won by play.
"""

from __future__ import annotations

from collections.abc import Iterable

from buildsearch.model.levers import Lever
from buildsearch.model.number_levers import entry_levers
from buildsearch.systems.dungeoneers.rules.model import DICE, DungeoneersRules

# So many dice or points up and down.
_FAR = 2
# By shelf; ranks, hands and the power that one needs say which builds there are.
_PARTS = {
    "weapons": ("hit", "pierce", "wounds"),
    "armour": ("av", "sr", "bane"),
    "spells": ("base", "attack", "save", "pierce", "harm", "stress", "armor", "mend", "calm"),
}


def number_levers(rules: DungeoneersRules, names: Iterable[str]) -> list[Lever]:
    """Those of gear that builds may take; what the file does not say is not added."""
    known = set(names)
    return [
        lever
        for shelf, parts in _PARTS.items()
        for name, entry in getattr(rules, shelf).items()
        if name in known
        for lever in entry_levers(
            name, entry, (shelf, name), title=entry.name, parts=parts, far=_FAR, scale=DICE
        )
    ]
