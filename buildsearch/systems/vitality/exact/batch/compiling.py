"""What takes longest to compile of the batches, compiled without a batch to solve."""

from __future__ import annotations

import numpy as np

from buildsearch.systems.vitality.exact.batch.arrivals import PackedArrivals
from buildsearch.systems.vitality.exact.batch.chain import STEP
from buildsearch.systems.vitality.exact.batch.lanes.solving import solve_pairs
from buildsearch.systems.vitality.exact.batch.lanes.tables import Ladders
from buildsearch.systems.vitality.exact.batch.packing import Packed
from buildsearch.systems.vitality.exact.batch.places import Damages
from buildsearch.systems.vitality.exact.batch.splinter import no_splinter


def compile_pairs() -> None:
    """`solve_pairs`, by solving none: of what it is given only the types matter (a test compares them)."""
    numbers, chances = np.zeros(0, np.int64), np.zeros(0)
    number_table, chance_table, chance_cube = (
        np.zeros((0, 0), np.int64),
        np.zeros((0, 0)),
        np.zeros((0, 0, 0)),
    )
    packed = Packed(
        steps=np.zeros(0, STEP),
        first_step=numbers,
        spreads=number_table,
        first_spread=numbers,
        states=numbers,
        places_of=numbers,
        events=chance_cube,
        sets=chance_cube,
        same_as_next=number_table,
        strike_class=numbers,
        max_hp=numbers,
        ends_wave=numbers,
    )
    arriving = PackedArrivals(
        before=chances,
        states=numbers,
        first_state=numbers,
        first_row=numbers,
        turns=numbers,
        by_turn=chance_cube,
        grown=chance_cube,
    )
    damages = Damages(
        chances=chance_table,
        at_least=chance_table,
        touched=chances,
        lowest=numbers,
        highest=numbers,
        echoes=chance_table,
        echo_at_least=chance_table,
        echo_highest=numbers,
        basic=numbers,
        rungs=numbers,
    )
    ladders = Ladders(number_table, number_table)
    solve_pairs(packed, arriving, damages, no_splinter(), numbers, ladders, 1, chances, numbers)
