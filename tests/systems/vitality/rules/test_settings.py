from __future__ import annotations

import pytest

from buildsearch.model.errors import UsageError
from buildsearch.systems.vitality.parameters import PARAMETERS
from buildsearch.systems.vitality.rules.settings import read_settings


def test_defaults(v2_rules):
    settings = read_settings(v2_rules, {})
    assert (settings.tier, settings.archetype, settings.budget, settings.attacks) == (3, "focused", 6, 1)
    assert settings.effect == "damage"


def test_a_budget_goes_before_the_archetypes(v2_rules):
    settings = read_settings(
        v2_rules, {"tier": "5", "archetype": "dual_natured", "budget": "0", "effect": "condition"}
    )
    assert (settings.tier, settings.budget, settings.attacks, settings.effect) == (5, 0, 2, "condition")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"tiers": "3"}, "unknown parameter `tiers`. Did you mean `tier`?"),
        ({"tier": "6"}, "no tier 6. Known: 3, 4, 5."),
        ({"tier": "three"}, "tier must be a whole number"),
        ({"archetype": "focussed"}, "Did you mean `focused`?"),
        ({"effect": "burn"}, "Known: condition, damage."),
        *(({"budget": text}, "from 0 to 1000") for text in ("-1", "1001", "1_0", "٣", "1.5", "", "9" * 5000)),
    ],
)
def test_bad_parameters(given, expected, v2_rules):
    with pytest.raises(UsageError) as raised:
        read_settings(v2_rules, given)
    assert expected in str(raised.value)


def test_every_parameter_has_help():
    assert all(parameter.help for parameter in PARAMETERS)


def test_archetype_and_budget_limit_the_cost():
    assert [parameter.name for parameter in PARAMETERS if parameter.limits_cost] == ["archetype", "budget"]
