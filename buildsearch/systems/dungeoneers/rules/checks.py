"""What the shape of a file cannot say: unknown ids, contradictions, entries that nobody can use."""

from __future__ import annotations

from collections.abc import Collection

from buildsearch.model.errors import ProblemSink
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.dungeoneers.rules.model import (
    ATTRIBUTES,
    SIZES,
    DungeoneersRules,
    DungeoneersScenarios,
)


def check_rules(rules: DungeoneersRules, problems: ProblemSink) -> None:
    """Report every problem of a rules file that has the right shape."""
    _check_names(rules, problems)
    for name, weapon in rules.weapons.items():
        if weapon.rank is not None:
            _check_known(weapon.rank, rules.ranks, "rank", ["weapons", name, "rank"], problems)
    _check_known(rules.limits.rank, rules.ranks, "rank", ["limits", "rank"], problems)
    _check_limits(rules, problems)
    _check_gear(rules, problems)
    for name, foe in rules.foes.items():
        for i, spell in enumerate(foe.spells):
            _check_known(spell, rules.spells, "spell", ["foes", name, "spells", i], problems)


def check_scenarios(scenarios: DungeoneersScenarios, problems: ProblemSink) -> None:
    """Report what can be seen without the rules: braces and counts; names are looked up in a fight."""
    for name, scenario in scenarios.scenarios.items():
        foes = scenario.foes.partition("@")[0]
        if foes.count("{") != foes.count("}") or not all(entry.strip() for entry in foes.split("|")):
            message = f"`{scenario.foes}` is not a list of foes"
            hint = "Write names with | between them, changes in braces: `goblin*2|knight{sr=5}`."
            problems.error(["scenarios", name, "foes"], message, value=scenario.foes, hint=hint)


def _check_known(
    name: str, known: Collection[str], what: str, path: list[str | int], problems: ProblemSink
) -> None:
    if name not in known:
        problems.error(path, f"unknown {what} `{name}`", value=name, hint=suggest(name, known))


def _check_names(rules: DungeoneersRules, problems: ProblemSink) -> None:
    for attribute in ATTRIBUTES:
        if attribute not in rules.attributes:
            problems.error(["attributes"], f"`{attribute}` has no name", hint=f"Add `{attribute}: ...`.")
    for size in SIZES:
        if size not in rules.sizes:
            problems.error(["sizes"], f"how much does `{size}` sustain?", hint=f"Add `{size}: ...`.")
    taken: dict[str, str] = dict.fromkeys(rules.attributes, "attributes")
    for shelf, entries in rules.shelves.items():
        for name in entries:
            if name in taken or name == "base":
                place = taken.get(name, "the words of builds")
                problems.error([shelf, name], f"the id `{name}` is taken: it is under {place} too", key=True)
            taken[name] = shelf


def _check_limits(rules: DungeoneersRules, problems: ProblemSink) -> None:
    limits, base = rules.limits, rules.hero.base
    if limits.max_rank < base:
        message = f"every attribute is {base} to begin with, and none may be above {limits.max_rank}"
        problems.error(["limits", "max_rank"], message, value=limits.max_rank)
    elif limits.points > len(ATTRIBUTES) * (limits.max_rank - base):
        most = len(ATTRIBUTES) * (limits.max_rank - base)
        message = f"{limits.points} points cannot be spent: {most} raise every attribute to the highest rank"
        problems.error(["limits", "points"], message, value=limits.points, hint="Raise `max_rank`.")
    if not any(weapon.rank is None and weapon.cost == 0 for weapon in rules.weapons.values()):
        problems.error(["weapons"], "no weapon is free and of no rank", hint="Bare fists are always there.")


def _check_gear(rules: DungeoneersRules, problems: ProblemSink) -> None:
    if sum(map(len, rules.shelves.values())) > 62:
        problems.error(["weapons"], "more than 62 weapons, pieces and spells together", hint="Drop some.")
    for shelf, entries in rules.shelves.items():
        for name, entry in entries.items():
            if entry.hands > rules.hero.hands:
                message = f"`{name}` takes {entry.hands} hands, and a hero has {rules.hero.hands}"
                problems.warning([shelf, name, "hands"], message, value=entry.hands)
    for deed in ("armor", "mend", "calm"):
        of_it = [name for name, spell in rules.spells.items() if getattr(spell, deed) is not None]
        if len(of_it) > 1:
            message = f"{', '.join(of_it)} all do `{deed}`, and the engines know one such spell"
            problems.error(["spells", of_it[1]], message, hint="Keep one of them.", key=True)
