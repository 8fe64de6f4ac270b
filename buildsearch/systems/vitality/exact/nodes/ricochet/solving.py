"""One build with Ricochet: the whole distribution of its fights, forward in time; or why it is not solved."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.course import Course, asks_hp, follow, levels_of, limit_chain_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.attacks import kill_at_of, strike_chances, without_criticals
from buildsearch.systems.vitality.exact.nodes.ricochet.maps import (
    FIRST,
    Fields,
    Map,
    count_fields,
    fields_of,
    map_of,
)
from buildsearch.systems.vitality.exact.nodes.ricochet.turns import ROLLS_A_LEVEL, ricochet_turns
from buildsearch.systems.vitality.exact.nodes.solving import entries_of
from buildsearch.systems.vitality.exact.nodes.support import MOST_CLASSES, unknown_later
from buildsearch.systems.vitality.exact.nodes.turns import Swing, Turns
from buildsearch.systems.vitality.exact.solution import Solution

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def _turns_of(ground: ExactGround) -> Turns:
    setup = ground.setup
    splinters, feeds = int(setup["splinter_limit"]), bool(setup["triggered_feed"])
    swing = Swing(int(setup["strikes"]), int(setup["extra_limit"]), splinters, feeds)
    return ricochet_turns(limit_chain_of(ground), swing, int(setup["ricochet"]))


def solve_ricochet(ground: ExactGround) -> Solution:
    """Go forward in time over fields, gates and the attacker's HP."""
    chain, turns, fields, kill_at = (
        limit_chain_of(ground),
        _turns_of(ground),
        fields_of(ground),
        kill_at_of(ground),
    )
    map_ = map_of(fields, kill_at)
    # A basic attack defeats at 0 HP, whatever the attack does.
    basic = map_of(fields, np.zeros_like(kill_at)) if kill_at.any() else map_
    starts = np.concatenate([map_.starts, basic.starts[:1] + len(map_.codes)])
    codes = np.concatenate([map_.codes, basic.codes[: int(basic.starts[1, 1])]])
    rolls = _rolls(ground, levels_of(chain), map_)
    entries = entries_of(map_.front, starts, codes, turns.rolls, *rolls)
    numbers, who = _living(fields, map_)
    return follow(ground, Course(chain, turns, map_.rest, numbers, who, np.zeros(len(map_), bool), entries))


def _rolls(ground: ExactGround, levels: int, map_: Map) -> tuple[Ints, Ints, Ints, Floats]:
    """By roll and classes of the first three: its table, where its chances start and how many they are."""
    classes = int(ground.setup["classes"])
    shape = (ROLLS_A_LEVEL * (1 + levels), len(map_.fronts))
    tables, begins, sizes = (np.zeros(shape, np.int64) for _ in range(3))
    chances: list[Floats] = [np.ones(1)]
    ends, places = 1, {}
    for roll in range(shape[0]):
        level, stage = divmod(roll, ROLLS_A_LEVEL)
        # Tables 0 to 2: plain at a position; 3: a base strike at the first; 4: a basic attack.
        position = max(stage - 1, 0)
        table = FIRST + 1 if level == 0 else FIRST if stage == 0 else position
        for front, first in enumerate(map_.fronts):
            tables[roll, front], sizes[roll, front] = table, 1
            if position >= len(first):
                continue
            row, key = level * classes + first[position], (level, first[position], stage == 0 and level > 0)
            if key not in places:
                cap = int(ground.strikes[row]["max_hp"])
                found = strike_chances(ground.strikes[row], ground.dice[1 if level else 0], cap)
                found = found if key[2] else without_criticals(found)
                places[key] = (ends, len(found))
                chances.append(found)
                ends += len(found)
            begins[roll, front], sizes[roll, front] = places[key]
    return tables, begins, sizes, np.concatenate(chances)


def _living(fields: Fields, map_: Map) -> tuple[Ints, list[list[int]]]:
    """By field the number of its living, and who they are (one of the same class each)."""
    of_class = {one: fields.class_of.tolist().index(one) for one in fields.class_of.tolist()}
    who = [[of_class[one] for one in block.classes] + list(block.rest) for block in fields.blocks]
    numbers = np.where(map_.living >= 0, map_.living, len(who))
    return numbers.astype(np.int64), [*who, []]


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
    return _why_too_large(ground)


def _why_too_large(ground: ExactGround) -> str | None:
    setup = ground.setup
    turns, hp = _turns_of(ground), int(setup["attacker_hp"])
    is_counted = not asks_hp(ground) and int(setup["waves"]) == 1
    size = count_fields(ground) * (1 if is_counted else hp + 1)
    if size * (2 * turns.gates + len(turns.rolls)) > MOST_STATES:
        return TOO_MANY
    # By field and node as many outcomes as its target has HP, and some; that of criticals twice.
    most = float(np.mean(ground.foes["max_hp"]))
    if size * len(turns.rolls) * most > MOST_PRODUCTS * (1 if is_counted else 4):
        return "the exact engine would take too long: too many strikes a turn for the enemies' states"
    return None
