"""The fights that a command line asks for."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.animon.bouts.bout import Bout
from buildsearch.systems.animon.bouts.compact import check_size, read_allies, read_scenario, read_waves
from buildsearch.systems.animon.builds.build import Build
from buildsearch.systems.animon.rules.model import PLAYS, AnimonRules, Play
from buildsearch.systems.animon.rules.scenarios import AnimonScenarios, Scenario

AD_HOC = "enemies"


def make_bouts(rules: AnimonRules, scenarios: AnimonScenarios, options: Mapping[str, str]) -> dict[str, Bout]:
    """Every fight by name; `enemies` makes up one instead."""
    asked = options.get("play", "greedy")
    chosen = [play for play in PLAYS if play == asked]
    if not chosen:
        raise UsageError(f"‹play› {asked}: there is no such way to play. {suggest(asked, PLAYS)}")
    written = dict(scenarios.scenarios)
    if "enemies" in options:
        written = {AD_HOC: read_scenario(options["enemies"], rules)}
    return {name: make_bout(name, each, rules, chosen[0]) for name, each in written.items()}


def match_against(rules: AnimonRules, build: Build, options: Mapping[str, str]) -> Bout:
    """Whatever build against this one, both alone and alike.

    Only the build's side may have bond points and devolve, so neither is part of a match.
    """
    if options.get("play", PLAYS[0]) != PLAYS[0]:
        raise UsageError(
            f"‹play› {options['play']}: two builds that meet play alike, and a rival is {PLAYS[0]}."
        )
    if "enemies" in options:
        raise UsageError("‹enemies› makes up foes, but builds that meet fight each other. Leave it out.")
    if rules.rulings.initiative_ties != "again":
        raise UsageError(
            "where initiative ties go by number, one side of a match is always the first: builds that meet "
            "need the ruling initiative_ties=again."
        )
    return Bout(
        name="match",
        weight=1.0,
        waves=((build,),),
        allies=(),
        bond_points=0,
        start=None,
        first_evolution=False,
        zero_hp="out",
        between="extended",
        surprised="nobody",
        max_rounds=rules.fights.max_rounds,
        play="greedy",
    )


def make_bout(name: str, scenario: Scenario, rules: AnimonRules, play: Play) -> Bout:
    """One fight; raises UsageError."""
    waves = read_waves(scenario.foes, rules)
    allies = read_allies(scenario.allies, rules)
    check_size(scenario.foes, waves, allies)
    return Bout(
        name=name,
        weight=scenario.weight,
        waves=waves,
        allies=allies,
        bond_points=None if scenario.bond_points == "on" else scenario.bond_points,
        start=scenario.start,
        first_evolution=scenario.first_evolution,
        zero_hp=scenario.zero_hp or rules.rulings.zero_hp,
        between=scenario.between,
        surprised=scenario.surprised,
        max_rounds=scenario.max_rounds or rules.fights.max_rounds,
        play=play,
    )
