"""What solving one attack takes: guessed beforehand, and paid once."""

import numpy as np
from vitality_exact_support import build_of, scene, v2_rules

from buildsearch.model.space import Chunk
from buildsearch.systems.vitality.exact import solving
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.exact.nodes.support import alone_costs
from buildsearch.systems.vitality.exact.solving import solve


def cost(text, encounter):
    rules = v2_rules()
    (attack,) = build_of(rules, text).attacks
    bits = sum(1 << i for i, name in enumerate(rules.enhancements) if name in attack.enhancements)
    words = [(bits >> 64 * word) & (2**64 - 1) for word in range(1 + len(rules.enhancements) // 64)]
    return float(alone_costs(rules, Chunk(attack.type, np.array([words], np.uint64)), encounter)[0])


def test_bleed_with_explosions_is_dear_where_many_fields_may_bleed():
    few, many = scene(3, "9,9")[1], scene(3, "25,25,20,20,20,20,20,20")[1]
    assert cost("melee_dg+explosive_critical", many) == cost("melee_dg+bleed", many) == 1
    assert cost("melee_dg+explosive_critical+bleed", few) == 1
    assert cost("melee_dg+explosive_critical+bleed", many) > 10
    assert cost("melee_dg+explosive_critical+bleed", scene(3, "200")[1]) == 1
    assert cost("melee_dg+ricochet", few) > 20


def test_what_was_solved_is_not_solved_again(monkeypatch):
    """A race asks for means, and whoever shows a build for the rest of the same solution."""
    rules = v2_rules()
    attacker, encounter = scene(3, "7,6")
    ground = [
        exact_ground(rules, build_of(rules, text), attacker, encounter)
        for text in (
            "melee_dg+explosive_critical",
            "melee_dg+explosive_critical",
            "melee_ac+explosive_critical",
        )
    ]
    first = solve(ground[0])
    assert solve(ground[1]) is first
    assert solve(ground[2]) is not first
    assert solving.solver_of(ground[0]).solve(ground[0]).mean == first.mean
