"""What Vitality asks to be told. Nothing heavy is imported here: command lines read it for their help."""

from __future__ import annotations

from buildsearch.model.parameter import Parameter

TITLE = "Vitality"
PARAMETERS = (
    Parameter(
        "tier", "the character's tier (default: the lowest of the rules)", is_number=True, shorthand=True
    ),
    Parameter(
        "archetype",
        "sets attacks and points (default: the first of the rules)",
        shorthand=True,
        limits_cost=True,
    ),
    Parameter(
        "budget",
        "points for each attack, instead of the archetype's",
        is_number=True,
        shorthand=True,
        limits_cost=True,
        is_budget=True,
    ),
    Parameter("effect", "damage or condition (default: damage)", shorthand=True),
)
FIGHT_OPTIONS = (
    Parameter("attacker", "the attacker's stats where they differ, e.g. focus=3,power=1", shorthand=True),
    Parameter("enemy", "every enemy's stats where they differ, e.g. mobility=4", shorthand=True),
    Parameter(
        "enemies",
        "a fight against enemies of these HP instead of a scenario, e.g. 50,25,25",
        shorthand=True,
        makes_fight=True,
    ),
    Parameter(
        "play", "greedy (default: the first attack that can be used), optimal (fewest turns)", shorthand=True
    ),
)
