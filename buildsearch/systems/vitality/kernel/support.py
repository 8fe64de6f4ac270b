"""What batches of the kernel do not play, and why."""

from __future__ import annotations

from buildsearch.systems.vitality.rules import VitalityRules

# On an area these make a rich plan, and batches compile none.
_SINGLE_TARGET_ONLY = ("double_tap", "ricochet", "explosive_critical", "splinter")


def plays_on(rules: VitalityRules, attack_type: str, option: str) -> bool:
    """Whether batches of the kernel play an enhancement on a type of attack."""
    mechanics = rules.enhancements[option].mechanics
    is_area = rules.attack_types[attack_type].area
    return not (is_area and any(getattr(mechanics, mechanic) for mechanic in _SINGLE_TARGET_ONLY))
