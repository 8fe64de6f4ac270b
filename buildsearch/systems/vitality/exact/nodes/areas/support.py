"""Which areas that roll are not solved, and why; what solving one would cost."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from buildsearch.engines.memo import LruCache
from buildsearch.systems.vitality.exact.course import asks_hp
from buildsearch.systems.vitality.exact.forward import NEGLIGIBLE
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.multisets import count_multisets
from buildsearch.systems.vitality.exact.nodes.areas.solving import follow
from buildsearch.systems.vitality.exact.nodes.areas.stories import Stories
from buildsearch.systems.vitality.exact.nodes.areas.terrain import AreaPlan, area_plan, wants_few_hp
from buildsearch.systems.vitality.exact.nodes.areas.turns import forgets_hits
from buildsearch.systems.vitality.exact.nodes.support import MOST_CLASSES, largest_wave, unknown_later


def work_of(plan: AreaPlan, stories: int) -> float:
    """About how many products it takes to follow the open fields.

    Most of the work is done while everybody of the class of the rows may live. How long that is, one of them
    alone tells: that n of them last as long is about the n-th power of its chance to.
    """
    terrain = plan.terrain
    if not terrain.is_open:
        return 0.0
    (wave,) = terrain.waves
    spreads = [
        len(roll.row_targets) * wave.columns + len(roll.column_targets) * wave.rows for roll in plan.rolls[0]
    ]
    # A turn is a basic attack, or one of the attacks with all that follows.
    longest = max(plan.swing.strikes + plan.swing.extras, 1)
    levels = set(plan.play.rolls.tolist())
    turn = max((spreads[level] * (longest if level else 1) for level in levels), default=0)
    return float(turn * stories * _turns_together(plan, wave.places[-1]))


def _turns_together(plan: AreaPlan, places: tuple[int, ...]) -> int:
    """In so many turns enemies at these places may all be alive."""
    ground = plan.ground
    foes = ground.foes[list(places[:1])].copy()
    foes["wave_end"] = 1
    alone = area_plan(
        replace(ground, foes=foes, order=[0], retaliation=[ground.retaliation[ground.order[places[0]]]])
    )
    standing = 1.0 - np.cumsum(follow(alone).ends)
    return int((np.maximum(standing, 0.0) ** len(places) > NEGLIGIBLE).sum())


# Fields of a wave; some seconds each turn at worst.
MOST_FIELDS = 1 << 21
# The same where a limit asks for few HP of the attacker.
MOST_WITH_HP = 1 << 11
# Open fields times the stories that are followed side by side.
MOST_OPEN = 1 << 22
# Followed fields times the attacker's HP, for every gate and node.
MOST_FOLLOWED = 1 << 24

# Products: some ten seconds. What fights so long is far from the best, and a sample says as much about it.
MOST_WORK = 2.5e10

TOO_MANY = "the exact engine would have to follow too many states"


# What was found: to reckon what an area costs takes a tenth of a second, and searches ask again and again.
_reasons = LruCache[bytes, tuple[str | None]](8_192)


def why_not_area(ground: ExactGround) -> str | None:
    """The reason why an area that rolls cannot be solved; None when it can."""
    (reason,) = _reasons.get(ground.digest(), lambda: (_why_not(ground),))
    return reason


def _why_not(ground: ExactGround) -> str | None:  # noqa: PLR0911 - reasons, the cheapest to find first
    setup = ground.setup
    later = unknown_later(setup)
    if later is not None:
        return later
    for name, word in (
        ("bleed_ticks", "bleed"),
        ("splinter_limit", "splinter"),
        ("double_tap", "double_tap"),
        ("ricochet", "ricochet"),
        ("explosive", "explosive_critical"),
        ("extra_single", "the ruling area_extra_attack=single"),
    ):
        if setup[name]:
            return f"the exact engine does not follow {word} with an area that rolls dice"
    if int(setup["area_limit"]) < largest_wave(ground):
        return "the exact engine does not follow areas that roll dice and reach only some (area_targets)"
    if setup["defeat_is_loss"]:
        return "the exact engine does not follow areas that roll dice under the ruling attacker_defeat=loss"
    if not _may_swap(ground):
        return "the exact engine does not follow areas among enemies who strike back differently, in turns"
    if int(setup["classes"]) > MOST_CLASSES or _most_fields(ground) > MOST_FIELDS:
        return TOO_MANY
    if wants_few_hp(ground) and int(setup["waves"]) == 1 and _most_fields(ground) > MOST_WITH_HP:
        return TOO_MANY
    plan = area_plan(ground)
    if plan.swing.strikes + plan.swing.extras > 1 and not forgets_hits(plan.chain):
        return "the exact engine does not remember who of several enemies was hit by which strike of an area"
    return _too_many(plan)


def _too_many(plan: AreaPlan) -> str | None:
    terrain, play = plan.terrain, plan.play
    rows = 2 * play.gates + len(play.rolls)
    if terrain.followed_fields * (int(plan.ground.setup["attacker_hp"]) + 1) * rows > MOST_FOLLOWED:
        return TOO_MANY
    stories = 1
    if terrain.is_open and asks_hp(plan.ground):
        most = MOST_OPEN // terrain.open_fields
        stories = Stories(plan).most_at_once(most)
        if stories > most:
            return TOO_MANY
    if work_of(plan, stories) > MOST_WORK:
        return "the exact engine would take too long: all enemies may last for many turns of the area"
    return None


def _most_fields(ground: ExactGround) -> int:
    foes = ground.foes
    sizes = []
    for end in sorted(set(foes["wave_end"].tolist())):
        wave = foes[foes["wave_end"] == end]
        classes, numbers = np.unique(wave["strike_class"], return_counts=True)
        hps = [int(wave["max_hp"][wave["strike_class"] == one][0]) for one in classes]
        sizes.append(prod(count_multisets(hp, int(n)) for hp, n in zip(hps, numbers, strict=True)))
    return max(sizes)


def _may_swap(ground: ExactGround) -> bool:
    """Whether it makes no difference who of a class lives: all strike alike, or a class stands together."""
    foes = ground.foes
    for end in sorted(set(foes["wave_end"].tolist())):
        places = np.flatnonzero(foes["wave_end"] == end)
        blows = [ground.retaliation[ground.order[place]] for place in places]
        if ground.setup["retaliation_cap"] == 0 or all(np.array_equal(each, blows[0]) for each in blows):
            continue
        classes = foes["strike_class"][places]
        if (np.diff(classes) != 0).sum() + 1 > len(set(classes.tolist())):
            return False
    return True
