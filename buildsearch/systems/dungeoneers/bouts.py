"""The fights that a command line asks for: foes, numbers and readings, and how the hero plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.dungeoneers.rules.compact import NamedFoe, read_terms
from buildsearch.systems.dungeoneers.rules.model import (
    PLAYS,
    DungeoneersRules,
    DungeoneersScenarios,
    FightNumbers,
    Play,
    Rulings,
)


@dataclass(frozen=True, slots=True)
class Bout:
    """One hero against every foe of the list."""

    name: str
    weight: float
    foes: tuple[NamedFoe, ...]
    numbers: FightNumbers
    rulings: Rulings
    play: Play

    def order(self, prowess: int) -> list[list[int]]:
        """The orders of turns, all equally likely: 0 is the hero, the foes are numbered from 1.

        Spec, A fight: by prowess; the hero stands at each place among foes of the same prowess.
        """
        foes = sorted(range(1, len(self.foes) + 1), key=lambda each: -self.foes[each - 1].foe.prowess)
        if self.rulings.first != "prowess":
            return [[0, *foes]] if self.rulings.first == "hero" else [[*foes, 0]]
        before = sum(each.foe.prowess > prowess for each in self.foes)
        equal = sum(each.foe.prowess == prowess for each in self.foes)
        return [[*foes[:place], 0, *foes[place:]] for place in range(before, before + equal + 1)]


def make_bouts(
    rules: DungeoneersRules, scenarios: DungeoneersScenarios, options: Mapping[str, str]
) -> dict[str, Bout]:
    """Every fight by name; `enemies` makes up one instead."""
    asked = options.get("play", "greedy")
    chosen = [play for play in PLAYS if play == asked]
    if not chosen:
        raise UsageError(f"‹play› {asked}: there is no such way to play. {suggest(asked, PLAYS)}")
    if "enemies" in options:
        written = {"enemies": (options["enemies"], 1.0)}
    else:
        written = {name: (each.foes, each.weight) for name, each in scenarios.scenarios.items()}
    found = {}
    for name, (text, weight) in written.items():
        found[name] = Bout(name, weight, *read_terms(text, rules), chosen[0])
    return found
