"""What a stat, an element, a quality, an effect or an improvement is, in words and numbers."""

from __future__ import annotations

from buildsearch.model.rules_file import Option
from buildsearch.systems.animon.rules.model import (
    STAGES,
    AnimonRules,
    Effect,
    Element,
    Improvement,
    Stage,
    Stat,
)

_STATS: dict[Stat, str] = {
    "power": "attack dice and damage",
    "agility": "dodge dice",
    "brains": "initiative dice, and uses of signature attacks",
    "heart": "HP, and heart tests",
}
_QUALITIES = {
    "attack": "more dice on attack rolls",
    "dodge": "more dice on dodge rolls",
    "initiative": "more dice on initiative",
}
_IMPROVEMENTS: dict[Improvement, str] = {
    "hp": "more HP in every form",
    "damage": "a higher damage score in every form",
    "dodge": "more dodge dice",
    "uses": "more initiative and uses",
}


def describe_options(rules: AnimonRules) -> tuple[Option, ...]:
    """Everything that a build can take; effects and elements of attacks go by their stage."""
    stages = [stage for stage in STAGES if rules.stages[stage].rank]
    return (
        *(_stat(name, title, rules) for name, title in rules.stats.items()),
        *(_element(name, rules) for name in rules.elements),
        *(
            Option(
                id=f"quality_{name}",
                kind="quality",
                name=each.name,
                summary=_QUALITIES[name],
                facts=(("Dice", f"+{each.dice}"),),
            )
            for name, each in rules.qualities.items()
        ),
        *(
            Option(
                id=name,
                kind="improvement",
                name=each.name,
                summary=_IMPROVEMENTS[name],
                cost=1,
                facts=(("Amount", f"+{each.amount}"),),
            )
            for name, each in rules.improvements.kinds.items()
        ),
        *(_effect(stage, name, rules) for stage in stages for name in rules.effects),
        *(
            Option(
                id=f"{stage}_{name}",
                kind=f"{stage} attack element",
                name=f"{rules.stages[stage].name} attack of {rules.elements[name].name}",
                summary=f"the {stage} attack has this element",
            )
            for stage in stages
            for name in rules.elements
        ),
    )


def _stat(name: Stat, title: str, rules: AnimonRules) -> Option:
    row = rules.stages[rules.limits.stage]
    facts = ((f"At {rules.limits.stage}", f"{row.least} to {row.most}"),)
    return Option(id=name, kind="stat", name=title, summary=_STATS[name], cost=1, facts=facts)


def _element(name: Element, rules: AnimonRules) -> Option:
    strong = rules.elements[name].strong_against
    weak = [other for other, each in rules.elements.items() if each.strong_against == name]
    facts = [("Strong against", strong or "nothing"), ("Weak against", ", ".join(weak) or "nothing")]
    return Option(
        id=name,
        kind="element",
        name=rules.elements[name].name,
        summary="the innate element: of plain attacks, and what others are strong or weak against",
        facts=tuple(facts),
    )


def _effect(stage: Stage, name: Effect, rules: AnimonRules) -> Option:
    each, row = rules.effects[name], rules.stages[stage]
    never = [other for pair in rules.never_together if name in pair for other in pair if other != name]
    facts = [("Rank", str(row.rank)), ("Never with", ", ".join(never)), ("Section", each.section)]
    return Option(
        id=f"{stage}_{name}",
        kind=f"{stage} effect",
        name=f"{row.name} {each.name}",
        summary=each.says,
        facts=tuple((label, text) for label, text in facts if text),
    )
