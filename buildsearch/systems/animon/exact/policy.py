"""Best play in words: what the build does in the states that fights come to most."""

from __future__ import annotations

import numpy as np

from buildsearch.engines.graphs import Best, forward
from buildsearch.systems.animon.bouts.bout import Bout, Combatant, combatants
from buildsearch.systems.animon.builds.build import Build
from buildsearch.systems.animon.builds.grammar import name_signature
from buildsearch.systems.animon.exact import options as option
from buildsearch.systems.animon.exact.solver import Explored
from buildsearch.systems.animon.mechanics import layout as at
from buildsearch.systems.animon.mechanics.layout import Ints
from buildsearch.systems.animon.rules.model import STAGES, AnimonRules

# States that are shown: those that most fights come to.
_SHOWN = 14
_WORDS = {
    at.DEFENDING: "defending",
    at.DISORIENTED: "disoriented",
    at.WEAKENED: "weakened",
    at.STUNNED: "stunned",
    at.INCAPACITATED: "incapacitated",
    at.BOOSTED: "boosted",
}


def describe_play(
    rules: AnimonRules, bout: Bout, build: Build, explored: Explored, best: Best
) -> tuple[str, ...]:
    """A line for what is done how often, then the states with what is done there."""
    units = combatants(rules, bout, build)
    graph = explored.graph
    seen = forward(graph, explored.starts, explored.chances, bout.max_rounds, best.choice).visits
    states: dict[tuple[str, str], float] = {}
    kinds: dict[str, float] = {}
    for node in np.flatnonzero(seen > 0):
        if graph.first[node + 1] - graph.first[node] == 1:
            continue  # a foe, or nothing to decide
        what = graph.what[int(best.choice[node])]
        deed, state = _deed(what, units), _state(explored.keys[node], units)
        share = float(seen[node])
        states[state, deed] = states.get((state, deed), 0.0) + share
        for word in _kinds(what, units[0]):
            kinds[word] = kinds.get(word, 0.0) + share
    total = ", ".join(f"{word} {number:.2f}" for word, number in sorted(kinds.items(), key=lambda x: -x[1]))
    shown = sorted(states.items(), key=lambda each: (-each[1], each[0]))[:_SHOWN]
    return (
        f"in a fight, in the mean: {total or 'nothing to decide'}",
        *(f"{share:7.2%} {state}: {deed}" for (state, deed), share in shown),
        f"({len(states)} states in which the build decides; shown are those that fights come to most, with "
        "how often in a fight, as played with all rounds still to come)",
    )


def _kinds(what: Ints, me: Combatant) -> list[str]:
    found = ["evolve"] if what[option.EVOLVE] >= 0 else []
    if what[option.KIND_OF] == at.STRIKE:
        attack = int(what[option.ATTACK])
        found.append("+".join(me.attacks[attack - 1].signature.effects) if attack else "attack")
        found += ["die bought"] if what[option.DIE] else []
        found += ["use bought"] if what[option.BOUGHT] else []
    else:
        found.append({at.DEFEND: "defend", at.PASS: "pass"}.get(int(what[option.KIND_OF]), "nothing"))
    return found


def _deed(what: Ints, units: list[Combatant]) -> str:
    evolving = f"evolve to {STAGES[int(what[option.EVOLVE])]}, " if what[option.EVOLVE] >= 0 else ""
    if what[option.KIND_OF] != at.STRIKE:
        return evolving + {at.DEFEND: "defend", at.PASS: "pass"}.get(int(what[option.KIND_OF]), "do nothing")
    attack = int(what[option.ATTACK])
    name = name_signature(units[0].attacks[attack - 1].signature) if attack else "attack"
    uses = f" with {int(what[option.USES])} uses" if what[option.USES] > 1 else ""
    bought = ", buying a use" if what[option.BOUGHT] else ""
    die = ", buying a die" if what[option.DIE] else ""
    others = sum(unit.side == 1 for unit in units) > 1
    target = f" at {units[int(what[option.TARGET])].name}" if others else ""
    return f"{evolving}{name}{target}{uses}{bought}{die}"


def _state(words: Ints, units: list[Combatant]) -> str:
    parts = []
    for word, unit in zip(words, units, strict=False):
        hp = int(word) & at.HP_MASK
        if not hp:
            continue
        stage = (int(word) >> at.FORM) & at.FORM_MASK
        form = unit.forms[stage]
        left = max(0, form.uses - ((int(word) >> at.SPENT) & at.SPENT_MASK))
        bond = (int(word) >> at.BOND) & at.BOND_MASK
        said = [f"{unit.name} {hp}/{form.hp} HP"]
        said += [STAGES[stage]] if len(unit.forms) > 1 and stage != unit.top else []
        said += [f"{left} uses"] if unit.attacks else []
        said += [f"{bond} bond points"] if bond else []
        said += [name for bit, name in _WORDS.items() if (int(word) >> bit) & 1]
        said += ["vulnerable"] if (int(word) >> at.VULNERABLE) & at.VULNERABLE_MASK else []
        said += ["poisoned"] if (int(word) >> at.POISON) & at.POISON_MASK else []
        parts.append(" ".join(said[:1]) + "".join(f", {each}" for each in said[1:]))
    return "; ".join(parts)
