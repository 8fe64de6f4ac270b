"""What a base strike sets off, in which order. Spec, More than one strike."""

from __future__ import annotations

from numba import njit

# A base strike and all that it triggers are resolved in this order. Ricochet and Explosive Critical strike
# other enemies than the target; Splinter comes last.
BASE, DOUBLE_TAP, EXTRA, RICOCHET, EXPLOSION, SPLINTER = range(6)


@njit(inline="always")
def follow_up(
    stage: int,
    double_tap: bool,
    critical: bool,
    extras_left: int,
    harmed: bool,
    target_stands: bool,
) -> int:
    """The next strike at the same target after one of `stage`, or `RICOCHET`: on to the others.

    "On the same target while it lives: Double Tap (on a critical), Extra Attack (the base strike hit and did
    damage)": `critical` and `harmed` are the base strike's. For an area the target is whoever stands there.
    """
    if target_stands and stage < EXTRA:
        if stage == BASE and double_tap and critical:
            return DOUBLE_TAP
        if harmed and extras_left > 0:
            return EXTRA
    return max(stage, RICOCHET)


@njit(inline="always")
def feeds_splinter(stage: int, triggered_feed: bool) -> bool:
    """Whether a defeat by a strike of this stage allows a Splinter (ruling on triggered strikes)."""
    return stage == BASE or triggered_feed
