"""The health of a game in a few lines: how many options are viable, with what, and without what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from buildsearch.analysis.findings import Finding, Severity
from buildsearch.model.text import count

if TYPE_CHECKING:  # they bring kernels, and nothing is computed here
    from buildsearch.analysis.assessment import Verdict
    from buildsearch.analysis.choices import Naming
    from buildsearch.analysis.reach import Level
    from buildsearch.model.evaluation import ScoreWords

# How viable an option must be to be called so.
VIABLE = 0.8


class Status(StrEnum):
    """The one word about a game."""

    BROKEN = "Broken"
    HEALTHY = "Healthy"
    TOO_SMALL = "Too small"
    INCONCLUSIVE = "Inconclusive"


def status(findings: Sequence[Finding], verdict: Verdict) -> Status:
    """Broken where an error is certain; healthy only where nothing stands against it."""
    if any(finding.is_error for finding in findings):
        return Status.BROKEN
    if verdict.flat is not None or any(finding.severity is Severity.ERROR for finding in findings):
        return Status.INCONCLUSIVE
    if verdict.too_small is not None:
        return Status.TOO_SMALL
    return Status.HEALTHY


def headline(
    findings: Sequence[Finding],
    verdict: Verdict,
    words: ScoreWords,
    below_rules: Mapping[str, tuple[int, int]],
) -> str:
    """The status, how many options are viable, and how far ahead the best build is."""
    said = str(status(findings, verdict))
    if below_rules:
        mine = ", ".join(f"{name} {value}" for name, (value, _) in below_rules.items())
        usual = ", ".join(str(usual) for _, usual in below_rules.values())
        said += f" at {mine} (the rules give {usual})"
    if verdict.too_small is not None and verdict.flat is None:
        return f"{said}: {verdict.too_small}."
    if verdict.reference is None:
        return f"{said}: there is no option to choose."
    free = min(verdict.freedom, key=lambda each: abs(each.least - VIABLE))
    said += (
        f": {free.options} of {free.of} options are viable. Best build {words.say(verdict.best)}, benchmark "
        f"{words.number(verdict.reference.score)}."
    )
    return f"{said} Expensive options look weaker here than they are." if below_rules else said


def health_lines(verdict: Verdict, naming: Naming, words: ScoreWords, *, groups: bool) -> Iterator[str]:
    """The same without the first cause, and where asked for by group, one line each."""
    step = verdict.without_first_cause
    if step is not None and step.health is not None:
        banned = " + ".join(naming.titles.get(name, name) for name in step.banned)
        yield f"Without {banned}: {_health(step.health, words)}."
    for level in verdict.levels:
        if groups and level.kind == "group":
            yield f"{naming.titles.get(level.name, level.name)}: {_health(level, words)}."


def _health(level: Level, words: ScoreWords) -> str:
    free = min(level.freedom, key=lambda each: abs(each.least - VIABLE))
    said = f"{free.options} of {free.of} viable, best {words.say(level.score)}"
    return said if level.reference is None else f"{said}, benchmark {words.number(level.reference.score)}"


def conclusion(findings: Sequence[Finding], verdict: Verdict) -> str:
    """What to do next, in a sentence."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    closed = [finding for finding in errors if finding.is_error]
    if closed:
        fix = closed[0].fix or closed[0].text
        return f"{count(len(closed), 'error')}. Begin with the first: {fix}"
    if errors:
        return f"{count(len(errors), 'error')} may be there: sampled scores leave it open. Run more fights."
    if verdict.too_small is not None:
        return "Score more builds before you change anything: raise the budget."
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    return f"No errors, {count(warnings, 'warning')}." if warnings else "No errors and no warnings."
