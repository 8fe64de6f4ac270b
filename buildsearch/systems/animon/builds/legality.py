"""Why a build is not allowed."""

from __future__ import annotations

from buildsearch.model.errors import Problem
from buildsearch.systems.animon.builds.build import Build, Signature, signature_stages, total_of
from buildsearch.systems.animon.builds.grammar import name_signature
from buildsearch.systems.animon.rules.model import MOST_EFFECTS, STAGES, STATS, AnimonRules
from buildsearch.systems.animon.rules.settings import Settings


def points_of(build: Build, rules: AnimonRules) -> int:
    """Points of stats above the least, and improvements."""
    least = rules.stages[build.stage].least
    return sum(stat - least for stat in build.lines[-1]) + sum(count for _, count in build.improvements)


def reasons_against(
    build: Build, rules: AnimonRules, settings: Settings, *, at_any_cost: bool
) -> list[Problem]:
    """Every reason; the parameters of the space aside if told."""
    found = [*_stats(build, rules), *_improvements(build, rules)]
    for signature in build.signatures:
        found += signature_problems(signature, rules)
    return found if at_any_cost else [*found, *_limits(build, rules, settings)]


def _stats(build: Build, rules: AnimonRules) -> list[Problem]:
    found = []
    first = STAGES.index(build.stage) + 1 - len(build.lines)
    for stage, line in zip(STAGES[first:], build.lines, strict=False):
        row = rules.stages[stage]
        for name, stat in zip(STATS, line, strict=True):
            if not row.least <= stat <= row.most:
                message = f"{name} {stat} of the {stage} form is not from {row.least} to {row.most}"
                found.append(Problem(message, value=str(stat)))
        wanted = total_of(rules, stage)
        if sum(line) != wanted:
            message = f"the stats of the {stage} form add up to {sum(line)}, and {wanted} is right"
            found.append(Problem(message, value=str(sum(line)), hint="All points are spent."))
    return found


def _improvements(build: Build, rules: AnimonRules) -> list[Problem]:
    most = rules.improvements.most
    return [
        Problem(f"`{name}` is taken {count} times, and {most} is the most", value=name)
        for name, count in build.improvements
        if count > most
    ]


def signature_problems(signature: Signature, rules: AnimonRules) -> list[Problem]:
    """What a signature attack cannot be."""
    found = []
    said = name_signature(signature)
    effects = signature.effects
    if len(effects) > MOST_EFFECTS:
        found.append(Problem(f"`{said}` has {len(effects)} effects, and {MOST_EFFECTS} is the most known"))
    for name in dict.fromkeys(effects):
        if name != "multi_element" and effects.count(name) > 1:
            found.append(Problem(f"`{said}` has {name} {effects.count(name)} times", hint="Once is enough."))
    for one, other in rules.never_together:
        if one in effects and other in effects:
            found.append(Problem(f"`{said}`: {one} and {other} do not go together", value=said))
    wanted = 0 if "power_transfer" in effects else 1 + effects.count("multi_element")
    if len(signature.elements) != wanted:
        have = len(signature.elements)
        hint = (
            "A power transfer has none."
            if wanted == 0
            else "One, and one more for each multi_element, after @ with + between them."
        )
        found.append(Problem(f"`{said}` has {have} elements, and {wanted} is right", value=said, hint=hint))
    return found


def _limits(build: Build, rules: AnimonRules, settings: Settings) -> list[Problem]:
    found = []
    if build.stage != settings.stage:
        hint = f"Ask for it with `-p stage={build.stage}`."
        found.append(
            Problem(f"this is a {build.stage} build, not {settings.stage}", value=build.stage, hint=hint)
        )
    number = sum(count for _, count in build.improvements)
    wanted = settings.bond_level // rules.improvements.levels
    if number != wanted:
        message = f"{number} improvements, and bond level {settings.bond_level} gives {wanted}"
        found.append(Problem(message, value=str(number), hint="All of them are taken."))
    lines = own_lines(rules, settings)
    if build.stage == settings.stage and len(build.lines) != lines:
        hint = (
            "Lower forms follow from the highest."
            if settings.lower_forms == "derived"
            else "Write lines from basic up, with > between them: `4-4-2-2>5-4-3-2`."
        )
        found.append(Problem(f"{len(build.lines)} lines of stats, and {lines} are wanted", hint=hint))
    for element in dict.fromkeys([build.element, *(e for s in build.signatures for e in s.elements)]):
        if element not in settings.elements:
            hint = f"Allow it with `-p elements={'+'.join((*settings.elements, element))}`."
            found.append(Problem(f"`{element}` is not an element", value=element, hint=hint))
    for signature in build.signatures:
        if len(signature.effects) != settings.effects:
            effects = len(signature.effects)
            message = f"`{name_signature(signature)}` has {effects} effects, and {settings.effects} is right"
            found.append(Problem(message, hint=f"Ask for it with `-p effects={effects}`."))
    return found


def own_lines(rules: AnimonRules, settings: Settings) -> int:
    """How many lines of stats a build names: one, or one for each stage with a signature attack."""
    if settings.lower_forms == "derived":
        return 1
    return max(1, len(signature_stages(rules, settings.stage)))
