"""Fights of many builds: rows of bits in, sums by row out, with no Python object a build.

Every row gets what `run_block` of its compiled plan gives, whatever else is in the batch. Builds that play
alike are compiled and played once.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of, distinct_rows, mask_where
from buildsearch.evaluate.sampling import blocks_of
from buildsearch.evaluate.threads import in_parallel
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.kernel.batch.batch import Batch
from buildsearch.systems.vitality.kernel.batch.columns import Columns, columns_of
from buildsearch.systems.vitality.kernel.batch.structures import structures_of
from buildsearch.systems.vitality.kernel.batch.tables import group_equal
from buildsearch.systems.vitality.kernel.batch.template import Template
from buildsearch.systems.vitality.kernel.content import WORDS, digest_rows
from buildsearch.systems.vitality.kernel.driver import play_attacks
from buildsearch.systems.vitality.kernel.known_words import STRUCTURAL, has_any
from buildsearch.systems.vitality.results import COUNTS, LOST, SURVIVED, TIMED_OUT
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

# Builds are looked at by so many, and plans compiled and played by so many: what is held stays in the tens
# of megabytes.
_SLAB = 1 << 15
_CHUNK = 1 << 13
_KEY = 3
# Only without the JIT (for coverage) would numpy warn that digests and generators wrap around, as they must.
_WRAPPING = partial(np.errstate, over="ignore")


@dataclass(frozen=True, eq=False)
class BatchTallies:
    """By build; rows that are not supported are zeros, and for another engine.

    `contents` says which plan was played: equal contents are the same fights. `histograms` counts fights by
    turns, and has no rows unless it was asked for.
    """

    supported: NDArray[np.bool_]
    fights: NDArray[np.int64]
    turns: NDArray[np.int64]
    squares: NDArray[np.int64]
    survived: NDArray[np.int64]
    timed_out: NDArray[np.int64]
    lost: NDArray[np.int64]
    contents: NDArray[np.uint64]
    histograms: NDArray[np.int64]


def sample_batch(
    rules: VitalityRules,
    attacker: Attacker,
    encounter: Encounter,
    attack_type: str,
    masks: NDArray[np.uint64],
    effect: Effect = "damage",
    *,
    seed: int,
    fights: int,
    first_block: int = 0,
    shape: str | None = None,
    histograms: bool = False,
    jobs: int = 1,
) -> BatchTallies:
    """Play so many fights of each build of one type, rows of bits over the options in rules-file order.

    The fights are those of the blocks from `first_block` on, as `evaluate.sampling.sample` deals them. An
    area without a shape has the first of its type. `jobs` threads; how many does not matter to the result.
    """
    if fights < 0:
        raise ValueError(f"cannot play {fights} fights")
    shapes = rules.attack_types[attack_type].shapes
    template = Template(
        rules, attacker, encounter, attack_type, effect, shape or (shapes[0] if shapes else None)
    )
    masks = np.ascontiguousarray(masks, np.uint64)
    with _WRAPPING():
        plans = _plans(template, masks)
    if plans is None:
        return _by_row(np.zeros(len(masks), bool), None, encounter.max_turns, fights)
    blocks = np.array(blocks_of(first_block, fights), np.int64).reshape(-1, 2)
    rounds = -(-len(plans.masks) // (jobs * _CHUNK))
    size = -(-len(plans.masks) // (jobs * rounds))  # equal shares: no thread waits long for another

    def play(start: int) -> _Played:
        chunk = slice(start, start + size)
        with _WRAPPING():
            return _play(plans, chunk, seed, blocks, histograms=histograms)

    played = in_parallel(play, range(0, len(plans.masks), size), jobs)
    return _by_row(plans.supported, _together(played, plans.of_row), encounter.max_turns, fights)


def supported_rows(columns: Columns, masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which builds consist of options that batches know how to combine."""
    words = masks.shape[1]
    supported = ~(masks & mask_where(~columns.known, words)).any(axis=1)
    for bearers in columns.one_a_build:
        supported &= np.bitwise_count(masks & mask_where(bearers, words)).sum(axis=1) <= 1
    return supported


@dataclass(frozen=True, eq=False)
class _Plans:
    """Builds that play apart, in an order that keeps equal attacks together; `of_row` for the supported."""

    batch: Batch
    supported: NDArray[np.bool_]
    masks: NDArray[np.uint64]
    structure_of: NDArray[np.int64]
    of_row: NDArray[np.int64]


def _plans(template: Template, masks: NDArray[np.uint64]) -> _Plans | None:
    words = masks.shape[1]
    present = bits_of(np.bitwise_or.reduce(masks, axis=0, keepdims=True), len(template.names))[0]
    columns = columns_of(template, template.samples, present)
    supported = supported_rows(columns, masks)
    masks = masks[supported]
    if len(masks) == 0:
        return None
    is_structural = np.array(
        [has_any(each, STRUCTURAL) for each in template.rules.enhancements.values()], bool
    )
    sets = masks & mask_where(is_structural, words)
    firsts, set_of = distinct_rows(sets)
    structures, structure_of = structures_of(template, bits_of(sets[firsts], len(template.names)))
    batch = Batch(template, columns, structures)
    of_build = structure_of[set_of]
    keys = np.zeros((len(masks), _KEY), np.int64)
    for slab in _slices(len(masks), _SLAB):
        numbers, fields = batch.numbers(masks[slab])
        others = np.stack([of_build[slab], fields["activation"]], axis=1)
        words = np.concatenate([numbers, others], axis=1).view(np.uint64)
        # What tells builds apart: a digest of strikes alone, to sort by, and one of everything.
        keys[slab, :1] = digest_rows(words[:, : columns.strikes])[:, :1] >> np.uint64(1)
        keys[slab, 1:] = digest_rows(words)[:, :2] >> np.uint64(1)
    firsts, kinds = group_equal(keys)
    order = np.argsort(keys[firsts, 0], kind="stable")
    place = np.zeros(len(order), np.int64)
    place[order] = np.arange(len(order))
    chosen = firsts[order]
    return _Plans(batch, supported, masks[chosen], of_build[chosen], place[kinds])


def _slices(size: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, size, step))


@dataclass(frozen=True, eq=False)
class _Played:
    sums: NDArray[np.int64]
    counts: NDArray[np.int64]
    contents: NDArray[np.uint64]
    histograms: NDArray[np.int64]


def _play(plans: _Plans, chunk: slice, seed: int, blocks: NDArray[np.int64], *, histograms: bool) -> _Played:
    """Compile and play a chunk; plans that turn out to be equal are played once."""
    arsenal = plans.batch.arsenal(plans.masks[chunk], plans.structure_of[chunk])
    firsts, kinds = group_equal(arsenal.contents.view(np.int64))
    played = play_attacks(arsenal, firsts, seed, blocks)
    sums = np.stack([played.turns, played.squares], axis=1)
    kept = played.histograms[kinds] if histograms else played.histograms[:0]
    return _Played(sums[kinds], played.counts[kinds], arsenal.contents, kept)


def _together(played: list[_Played], of_row: NDArray[np.int64]) -> _Played:
    def rows(name: str) -> NDArray[np.generic]:
        found = np.concatenate([getattr(each, name) for each in played])
        return found[of_row] if len(found) > 0 else found

    return _Played(rows("sums"), rows("counts"), rows("contents"), rows("histograms"))


def _by_row(
    supported: NDArray[np.bool_], played: _Played | None, max_turns: int, fights: int
) -> BatchTallies:
    """Spread what was played over all rows."""

    def spread(values: NDArray[np.generic]) -> NDArray[np.generic]:
        found = np.zeros((len(supported), *values.shape[1:]), values.dtype)
        found[supported] = values
        return found

    if played is None:
        played = _Played(
            np.zeros((0, 2), np.int64),
            np.zeros((0, COUNTS), np.int64),
            np.zeros((0, WORDS), np.uint64),
            np.zeros((0, max_turns + 1), np.int64),
        )
    sums, counts = spread(played.sums), spread(played.counts)
    return BatchTallies(
        supported=supported,
        fights=np.where(supported, fights, 0),
        turns=sums[:, 0],
        squares=sums[:, 1],
        survived=counts[:, SURVIVED],
        timed_out=counts[:, TIMED_OUT],
        lost=counts[:, LOST],
        contents=spread(played.contents),
        histograms=spread(played.histograms) if len(played.histograms) > 0 else played.histograms,
    )
