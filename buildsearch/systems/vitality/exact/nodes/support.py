"""What the engine for several enemies does not take, and why; and what solving one attack takes."""

from __future__ import annotations

from collections import Counter
from math import prod

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.encounter import Encounter
from buildsearch.systems.vitality.exact.course import asks_hp, limit_chain_of
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.nodes.areas.multisets import count_multisets
from buildsearch.systems.vitality.exact.nodes.fields import MOST_FIELDS, Kinds, count_fields
from buildsearch.systems.vitality.exact.nodes.maps import CODE
from buildsearch.systems.vitality.kernel.plan import LATER
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.rulings import Rulings

# Classes of enemies that a turn tells apart where limits ask who was hit.
MOST_CLASSES = 4
# Fields of bleeding enemies times the attacker's HP times states of limits: some seconds.
MOST_BLEEDING = 1 << 23
# What rulings bring, in the words of a rules file.
_WORDS = {
    "strike_scope": "the ruling limit_scope=strike",
    "first_only": "the ruling barrage_triggers=first",
    "area_single": "the ruling area_strikes=single",
    "failed_attack": "the ruling failed_activation=attack",
}
# The rulings that fields, nodes and gates follow, or that `why_not_explosions` refuses.
KNOWN_RULINGS = frozenset(
    {
        *("target", "retaliation_cap", "attacker_defeat", "unmet_limit", "channel_cap", "natural_max_hits"),
        *("natural_min_misses", "flat_damage", "brutal", "bleed_tick", "bleed_overlap", "bleed_ticks"),
        *("area_strikes", "area_extra_attack", "triggered_defeats"),
    }
)


def hurts_several(ground: ExactGround) -> bool:
    """Whether criticals explode, so that a turn may hurt others than its target."""
    return bool(not ground.setup["area"] and ground.setup["explosive"] and not ground.setup["ricochet"])


def bounces(ground: ExactGround) -> bool:
    """Whether criticals bounce off to others."""
    return bool(not ground.setup["area"] and ground.setup["ricochet"])


def rolls_for_several(ground: ExactGround) -> bool:
    """Whether it is an area that rolls: nobody is its target, and what it does is left to dice."""
    return bool(ground.setup["area"]) and not bool((ground.chances.max(axis=1) == 1.0).all())


def unknown_later(setup: np.void) -> str | None:
    """Which of the words that only few builds use is in the way; None: none of them."""
    for name in LATER:
        if setup[name]:
            return f"the exact engine does not follow {_WORDS.get(name, name)} among several enemies"
    return None


def why_not_several(ground: ExactGround) -> str | None:
    """The reason why an attack that hurts others than its target cannot be solved; None when it can."""
    setup = ground.setup
    later = unknown_later(setup)
    if later is not None:
        return later
    if setup["double_tap"]:
        return (
            "the exact engine does not follow double_tap with explosive_critical: its strike comes between"
            " the critical and the explosion"
        )
    bleed = _why_not_bleed(ground) if setup["bleed_ticks"] else None
    if bleed is not None:
        return bleed
    if kinds_of(ground).size > CODE:
        return "the exact engine would have to separate too many kinds of strikes"
    return why_not_explosions(ground, int(setup["cluster"]))


def _why_not_bleed(ground: ExactGround) -> str | None:
    """The reason why a bleed cannot be followed as HP less what is pending; None when it can."""
    setup = ground.setup
    reason = None
    if int(setup["bleed_ticks"]) > 1 or setup["bleed_at_start"] or setup["bleed_replaces"]:
        reason = "under the rulings bleed_ticks=1, bleed_tick=end and bleed_overlap=ignore"
    elif int(setup["strikes"]) > 1 or setup["extra_limit"] or setup["splinter_limit"]:
        reason = "with one strike a turn: with more, each enemy's HP and bleed would have to be kept apart"
    elif ground.foes["kill_at"].any():
        reason = "where every enemy is defeated at 0 HP and not above: a bleed that ticks defeats at 0"
    elif setup["last_hit"]:
        reason = "without combo_move: whom a bleed hurts is not hit"
    if reason is not None:
        return f"the exact engine follows bleed with explosive_critical only {reason}"
    if not asks_hp(ground):
        return None
    # Limits ask about retaliation, so the attacker's HP are followed in each of twice as many fields.
    if count_fields(ground) * (int(setup["attacker_hp"]) + 1) * limit_chain_of(ground).states > MOST_BLEEDING:
        return "the exact engine would have to follow too many states"
    return None


def kinds_of(ground: ExactGround) -> Kinds:
    """What is told apart about a roll: who was hit where Combo Move asks, how many fell where Splinter does.

    Of more who fell than Splinter may strike nobody asks.
    """
    setup = ground.setup
    classes = int(setup["classes"]) if setup["last_hit"] else 0
    return Kinds(classes, int(setup["splinter_limit"]), bool(setup["triggered_feed"]))


def unknown_ruling(rulings: Rulings) -> str | None:
    """A ruling that came after this engine and is not answered as usual; None: there is none.

    Builds that it changes nothing about are still solved one at a time, as their plans say so (`LATER`).
    """
    for name, field in Rulings.model_fields.items():
        if name not in KNOWN_RULINGS and getattr(rulings, name) != field.default:
            return name
    return None


def why_not_explosions(ground: ExactGround, cluster: int | None) -> str | None:
    """The reason why no explosion in an encounter can be solved, whatever the build; None when they can."""
    setup = ground.setup
    if setup["condition"]:
        return "the exact engine does not follow a condition that is rolled for each of several enemies"
    if setup["target_rule"]:
        return "the exact engine follows explosions only under the ruling target=first"
    if cluster is not None and cluster < largest_wave(ground) - 1:
        return "the exact engine does not follow explosions that reach only some (cluster)"
    if setup["defeat_is_loss"]:
        return "the exact engine does not follow explosions under the ruling attacker_defeat=loss"
    if int(setup["classes"]) > MOST_CLASSES or count_fields(ground) > MOST_FIELDS:
        return "the exact engine would have to follow too many states"
    return None


def largest_wave(ground: ExactGround) -> int:
    """How many enemies stand together at most."""
    first = 0
    most = 0
    for end in sorted(set(ground.foes["wave_end"].tolist())):
        most, first = max(most, end - first), end
    return most


# Most attacks take some 30 ms. So many fields of an area, or of enemies who may bleed when criticals explode,
# take as long, all turns together; and Ricochet, which takes two to four seconds.
_FIELDS, _BLEEDING_FIELDS = 6_000, 600
_RICOCHET = 100.0


def alone_costs(rules: VitalityRules, chunk: Chunk, encounter: Encounter) -> NDArray[np.float64]:
    """By attack how many times as long it takes as most."""
    costs = np.ones(len(chunk))
    if max(map(len, encounter.waves)) == 1:
        return costs
    kind = rules.attack_types[chunk.group]
    if kind.area and not kind.auto_hit:
        costs[:] = max(1.0, _area_fields(encounter) / _FIELDS)
    explodes, bleeds, bounces = (np.zeros(len(chunk), bool) for _ in range(3))
    for i, option in enumerate(rules.enhancements.values()):
        has_it = (chunk.codes[:, i // 64] >> np.uint64(i % 64)) & np.uint64(1) == 1
        explodes |= has_it & option.mechanics.explosive_critical
        bleeds |= has_it & option.mechanics.bleed
        bounces |= has_it & (option.mechanics.ricochet is not None)
    costs[explodes & bleeds & (not kind.area)] = max(1.0, _bleeding_fields(encounter) / _BLEEDING_FIELDS)
    costs[bounces] = _RICOCHET
    return costs


def _bleeding_fields(encounter: Encounter) -> int:
    """How many fields a front and the classes behind it have, each HP with a bleed or without."""
    size = 0
    for wave in encounter.waves:
        for place, foe in enumerate(wave):
            behind = {(other.max_hp, other.stats) for other in wave[place + 1 :]}
            size += 2 * foe.max_hp * prod(1 + 2 * hp for hp, _ in behind)
    return size


def _area_fields(encounter: Encounter) -> int:
    """How many fields an area has in its largest wave."""
    waves = [Counter((foe.max_hp, foe.stats) for foe in wave) for wave in encounter.waves]
    return max(prod(count_multisets(hp, number) for (hp, _), number in wave.items()) for wave in waves)
