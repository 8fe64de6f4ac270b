"""Blocks of fights: checks what it is given, then calls the kernel."""

from __future__ import annotations

import numpy as np

from buildsearch.evaluate.randomness import content_digest, stream_state
from buildsearch.systems.animon.kernel.fights import fight_block, make_plan
from buildsearch.systems.animon.mechanics.layout import Floats, Ints, Template
from buildsearch.systems.animon.mechanics.template import empty_plan

# Bump when the kernel gives other fights for the same seed.
ENGINE_VERSION = 1


def plan_of(template: Template, row: Ints) -> tuple[Ints, Floats]:
    """A build written into a fight: the plan and its odds."""
    plan, odds = empty_plan(template)
    make_plan(template, row, plan, odds)
    return plan, odds


def content_of(template: bytes, row: Ints) -> bytes:
    """What decides a stream of fights: the template's digest and the build's numbers."""
    return content_digest(str(ENGINE_VERSION).encode(), template, np.ascontiguousarray(row).tobytes())


def run_block(
    plan: Ints,
    odds: Floats,
    content: bytes,
    seed: int,
    block: int,
    fights: int,
    histogram: Ints,
    counts: Ints,
) -> None:
    """One block of fights, from the stream of (seed, content, block), added to what was counted."""
    if fights < 1:
        raise ValueError(f"a block has at least one fight, not {fights}")
    state = stream_state(seed, content, block)
    # Only without the JIT (for coverage) would numpy warn that the generator wraps around, as it must.
    with np.errstate(over="ignore"):
        fight_block(plan, odds, state, fights, histogram, counts)
