"""Best play of a loadout in an encounter, solved; what its actions do to enemies attacked one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.best_play.counter_graph import BEST_PLAY, CounterGraph, find_states
from buildsearch.systems.vitality.best_play.general_solver import Values, solve_fields
from buildsearch.systems.vitality.best_play.loadout import CompiledLoadout, compile_loadout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact import action_tables
from buildsearch.systems.vitality.exact.action_tables import Tables, fill_table, joined, style_of
from buildsearch.systems.vitality.exact.transitions import bases_of
from buildsearch.systems.vitality.rules.model import VitalityRules


def places_of(loadout: CompiledLoadout) -> NDArray[np.void]:
    """The enemies with their fields, without thresholds."""
    return action_tables.places_of(loadout.places, bases_of(loadout.places["max_hp"], loadout.ticks))


def tables_of(loadout: CompiledLoadout) -> Tables:
    places = places_of(loadout)
    size = int(places[-1]["next_base"])
    parts = [fill_table(_style(loadout, 0, strikes=False), places, np.zeros((1, 1)), 0, size)]
    for basic in loadout.basics:
        ground = loadout.grounds[basic]
        parts.append(fill_table(_style(loadout, basic), places, ground.chances, 0, size))
    for attack, ground in enumerate(loadout.grounds):
        own = places.copy()
        own["kill_at"] = ground.foes["kill_at"]
        for level in range(int(loadout.limits[attack]["levels"])):
            row = int(ground.setup["classes"]) * (1 + level)
            parts.append(fill_table(_style(loadout, attack, special=True), own, ground.chances, row, size))
    return joined(parts)


def _style(loadout: CompiledLoadout, attack: int, *, strikes: bool = True, special: bool = False) -> np.void:
    """How an action with the attack strikes, remembering what any attack of the loadout asks for."""
    style = style_of(loadout.grounds[attack].setup, strikes=strikes, special=special)
    style["ticks"], style["tracks_hit"] = loadout.ticks, loadout.tracks_hit
    return style


# Of the counters, and of counters x fields x HP of the attacker (8 bytes each).
MOST_COUNTERS = 20_000
MOST_STATES = 1 << 25


class TooManyStatesError(Exception):
    """More states than are worth following."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """The value of best play (`mean`, infinite where enemies cannot be defeated) and all that led to it."""

    mean: float
    loadout: CompiledLoadout
    graph: CounterGraph
    tables: Tables
    places: NDArray[np.void]
    values: Values


def find_graph(loadout: CompiledLoadout, greedy: int = BEST_PLAY) -> CounterGraph:
    """The states of a loadout's counters; raises TooManyStatesError."""
    conditions = [int(loadout.grounds[basic].setup["condition"]) for basic in loadout.basics]
    splinters = any(bool(ground.setup["splinter_limit"]) for ground in loadout.grounds)
    fits, graph = find_states(
        loadout.limits,
        np.array(conditions, np.int64),
        loadout.ticks > 0,
        len(loadout.places) > 1,
        splinters,
        greedy,
        MOST_COUNTERS,
    )
    if not fits:
        raise TooManyStatesError
    return graph


def solve_best_play(rules: VitalityRules, build: Build, attacker: Attacker, encounter: Encounter) -> Optimum:
    """Solve; `support.why_not_exact` was asked before. Raises TooManyStatesError."""
    loadout = compile_loadout(rules, build, attacker, encounter)
    graph = find_graph(loadout)
    places = places_of(loadout)
    states, fields = len(graph.values), int(places[-1]["next_base"])
    if fields * states * loadout.hp_size > MOST_STATES:
        raise TooManyStatesError
    tables = tables_of(loadout)
    values = Values(
        np.zeros((fields, states, loadout.hp_size)), np.zeros((len(places), states, loadout.hp_size))
    )
    solved = solve_fields(graph, tables, places, loadout.blows(), values)
    mean = float(values.calm[0, graph.first, loadout.hp_size - 1]) if solved else np.inf
    return Optimum(mean, loadout, graph, tables, places, values)
