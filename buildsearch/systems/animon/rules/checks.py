"""What the shape of a file cannot say: missing entries, contradictions, scenarios that cannot be read."""

from __future__ import annotations

from typing import Any

from buildsearch.model.errors import ProblemSink
from buildsearch.systems.animon.rules.model import (
    EFFECTS,
    ELEMENTS,
    IMPROVEMENTS,
    QUALITIES,
    STAGES,
    STATS,
    AnimonRules,
)
from buildsearch.systems.animon.rules.scenarios import AnimonScenarios


def check_rules(rules: AnimonRules, problems: ProblemSink) -> None:
    """Report every problem of a rules file that has the right shape."""
    shelves: tuple[tuple[str, tuple[str, ...], Any], ...] = (
        ("stages", STAGES, rules.stages),
        ("stats", STATS, rules.stats),
        ("elements", ELEMENTS, rules.elements),
        ("qualities", QUALITIES, rules.qualities),
        ("effects", EFFECTS, rules.effects),
    )
    for shelf, wanted, entries in shelves:
        for name in wanted:
            if name not in entries:
                problems.error([shelf], f"`{name}` is missing", hint=f"Add `{name}: ...`.")
    for kind in IMPROVEMENTS:
        if kind not in rules.improvements.kinds:
            problems.error(["improvements", "kinds"], f"`{kind}` is missing", hint=f"Add `{kind}: ...`.")
    _check_stages(rules, problems)
    if rules.dice.success > rules.dice.sides:
        message = f"a die with {rules.dice.sides} sides never shows {rules.dice.success}"
        problems.error(["dice", "success"], message, value=rules.dice.success)
    if "heavy_strike" in rules.effects and rules.effects["heavy_strike"].extra is None:
        problems.error(["effects", "heavy_strike"], "how much extra damage?", hint="Add `extra: 1`.")
    for i, (one, other) in enumerate(rules.never_together):
        if one == other:
            problems.error(["never_together", i], f"`{one}` is named twice", hint="Name two effects.")
    if len(set(rules.limits.elements)) < len(rules.limits.elements):
        problems.error(["limits", "elements"], "an element is named twice", hint="Name each once.")


def _check_stages(rules: AnimonRules, problems: ProblemSink) -> None:
    before = 0
    for stage in STAGES:
        if stage not in rules.stages:
            continue
        row = rules.stages[stage]
        if row.most < row.least or row.points > len(STATS) * (row.most - row.least):
            message = f"{row.points} points cannot be spent from {row.least} to {row.most} on four stats"
            problems.error(["stages", stage, "points"], message, value=row.points)
        total = len(STATS) * row.least + row.points
        if total < before:
            message = f"the {stage} form has fewer points than the one below it"
            problems.error(["stages", stage, "points"], message, value=row.points)
        before = total
        if row.hp + row.hp_per_heart * row.least < 1:
            problems.error(["stages", stage, "hp"], "a form has no HP at all", value=row.hp)
        if (row.rank == 0) != (stage == STAGES[0]):
            message = "every stage but the lowest brings a signature attack, and the lowest none"
            problems.error(["stages", stage, "rank"], message, value=row.rank)


def check_scenarios(scenarios: AnimonScenarios, problems: ProblemSink) -> None:
    """Report what can be seen without the rules: braces; names are looked up in a fight."""
    for name, scenario in scenarios.scenarios.items():
        for key, text in (("foes", scenario.foes), ("allies", scenario.allies or "")):
            if text.count("{") != text.count("}"):
                hint = (
                    "Write a whole build between { and }: `{basic fire 4-4-2-2 / attack / sap@fire / none}`."
                )
                problems.error(["scenarios", name, key], "a brace is not closed", value=text, hint=hint)
