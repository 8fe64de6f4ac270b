"""The parameters of a Dungeoneers space: how many points, how much gear, which weapons."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import only_known, whole_number
from buildsearch.systems.dungeoneers.parameters import PARAMETERS
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, MOST_SCORE, DungeoneersRules, Limits


def read_settings(rules: DungeoneersRules, given: Mapping[str, str]) -> Limits:
    """Check the parameters; raises UsageError with a sentence that says what could be given."""
    only_known(given, PARAMETERS)
    limits = rules.limits
    rank = given.get("rank", limits.rank)
    if rank not in rules.ranks:
        raise UsageError(f"unknown rank `{rank}`. Ranks, the lowest first: {', '.join(rules.ranks)}.")
    found = Limits(
        points=whole_number(given, "points", limits.points, 0, 60),
        gear=whole_number(given, "gear", limits.gear, 0, 100),
        max_spells=whole_number(given, "max_spells", limits.max_spells, 0, 20),
        rank=rank,
        max_rank=whole_number(given, "max_rank", limits.max_rank, 0, MOST_SCORE),
    )
    most = len(ATTRIBUTES) * (found.max_rank - rules.hero.base)
    if found.points > most:
        raise UsageError(
            f"points={found.points} cannot all be spent: with max_rank={found.max_rank} there is room for "
            f"{max(0, most)}. Give fewer points, or raise max_rank."
        )
    return found
