"""The parameters of a Dungeoneers space: how many points, how much gear, which weapons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import only_known
from buildsearch.systems.dungeoneers.parameters import PARAMETERS
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, MOST_SCORE, DungeoneersRules

_MOST = {"points": 60, "gear": 100, "max_spells": 20, "max_rank": MOST_SCORE}


@dataclass(frozen=True, slots=True)
class Settings:
    """The parameters, checked."""

    points: int
    gear: int
    max_spells: int
    rank: str
    max_rank: int

    @property
    def in_words(self) -> dict[str, int | str]:
        """As they are given on the command line."""
        return asdict(self)


def read_settings(rules: DungeoneersRules, given: Mapping[str, str]) -> Settings:
    """Check the parameters; raises UsageError with a sentence that says what could be given."""
    only_known(given, PARAMETERS)
    limits = rules.limits
    rank = given.get("rank", limits.rank)
    if rank not in rules.ranks:
        raise UsageError(f"unknown rank `{rank}`. Ranks, the lowest first: {', '.join(rules.ranks)}.")
    found = Settings(
        points=_number(given, "points", limits.points),
        gear=_number(given, "gear", limits.gear),
        max_spells=_number(given, "max_spells", limits.max_spells),
        rank=rank,
        max_rank=_number(given, "max_rank", limits.max_rank),
    )
    most = len(ATTRIBUTES) * (found.max_rank - rules.hero.base)
    if found.points > most:
        raise UsageError(
            f"points={found.points} cannot all be spent: with max_rank={found.max_rank} there is room for "
            f"{max(0, most)}. Give fewer points, or raise max_rank."
        )
    return found


def _number(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name, str(default))
    if not (text.isascii() and text.isdigit() and int(text) <= _MOST[name]):
        raise UsageError(f"{name} must be a whole number from 0 to {_MOST[name]}, not `{text}`.")
    return int(text)
