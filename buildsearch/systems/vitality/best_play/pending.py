"""Every state twice: with nothing pending, and with a bleed pending. One tick, not renewed, no thresholds.

Only HP less what is pending matters (`exact.batch.bleeding` has the reason). With D the damage of an attack
and b that of its first damaging strike, an enemy of h HP is down when D >= h, doomed when D < h <= D + b, and
else pending at e = h - D - b: an *echo* of the attack takes D + b off at once. Then

    pending(e): the next action does D, then the tick comes: down when D >= e, else standing at e - D
    doomed:     the next action does not matter, the tick defeats; it is what is pending at 0 HP

So neither has a loop of its own: both follow from what stands at the same HP. The player sees what is
pending.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.systems.vitality.best_play.counter_graph import SETS, CounterGraph
from buildsearch.systems.vitality.exact.transitions import DAMAGED, DEFEATED, HIT


@step
def with_pending(graph: CounterGraph, echoes: NDArray[np.bool_]) -> CounterGraph:
    """States, choices and leads of the pending states stand behind the others.

    `echoes`: which tables of moves begin a bleed; their echoes are numbered behind all tables.
    """
    states = graph.standing
    count = len(graph.choices)
    leads = len(graph.leads)
    first_choice = np.zeros(2 * states + 1, np.int64)
    for state in range(states):
        first_choice[state + 1] = graph.first_choice[state + 1]
        first_choice[states + state + 1] = count + graph.first_choice[state + 1]
    choices = np.concatenate((graph.choices, graph.choices))
    for c in range(count, 2 * count):
        choices[c]["lead"] += leads
        if choices[c]["failed"] >= 0:
            choices[c]["failed"] += leads
    both = np.concatenate((graph.leads, graph.leads))
    for lead in range(leads):
        for bits in range(SETS):
            if bits & DEFEATED == 0:
                # The tick does damage in any case.
                both[leads + lead, 1 + bits] = graph.leads[lead, 1 + (bits | DAMAGED)]
        if echoes[graph.leads[lead, 0]]:
            both[lead, 0] += len(echoes)
            both[lead, 1 + (DAMAGED | HIT)] += states
    values = np.concatenate((graph.values, graph.values))
    return CounterGraph(first_choice, choices, both, values, graph.first, states)


@step
def same_damage(graph: CounterGraph, lead: int) -> int:
    """The first lead of the same table to the same states, but for those after a miss."""
    standing = lead - len(graph.leads) // 2
    twice = graph.standing < len(graph.values) and standing >= 0
    return standing if twice and graph.leads[standing, 0] == graph.leads[lead, 0] else lead
