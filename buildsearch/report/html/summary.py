"""What a run found, in plain sentences, and the words that every page refers to by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis.findings import Finding, FindingSeverity, Status
from buildsearch.model.evaluation import Metric
from buildsearch.model.rules_file import Option
from buildsearch.model.text import count
from buildsearch.report.html.source import ReportSource
from buildsearch.report.run_record import MeasureRecord
from buildsearch.views.analysis import AnalysisAnswer, RunFacts, answer_of, fix_effects, fix_sentence

_MOST_FINDINGS = 200
_ERROR, _WARNING, _FINE = "error", "warning", "fine"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A short statement, and the names that belong to it."""

    head: str
    rest: str
    is_bad: bool
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The first screen of a report: the verdict in one line, the numbers behind it, the fix, the findings."""

    verdict: str
    is_broken: bool
    numbers: str
    counts: str
    fix: str
    fix_more: str
    fix_lines: str
    balance: str
    findings: Sequence[Mapping[str, str]]


def head(source: ReportSource) -> Head:
    answer = _answer(source)
    verdict, _, numbers = answer.headline.partition(". ")
    tally = [
        (FindingSeverity.ERROR, "error"),
        (FindingSeverity.WARNING, "warning"),
        (FindingSeverity.NOTE, "note"),
    ]
    counts = ", ".join(count(answer.count(which), name) for which, name in tally if answer.count(which))
    fix = source.fix
    return Head(
        verdict=verdict.rstrip("."),
        is_broken=answer.status is Status.BROKEN,
        numbers=numbers,
        counts=counts or "No findings",
        fix="" if fix is None else fix_sentence(answer, fix.stored),
        fix_more="" if fix is None else " ".join(fix_effects(answer, fix.stored)),
        fix_lines="" if fix is None else fix.lines,
        balance=source.command,
        findings=findings(source),
    )


def _answer(source: ReportSource) -> AnalysisAnswer:
    record, scores = source.record, source.scores
    facts = RunFacts(
        folder="",
        path="",
        rules=record.request.rules,
        name=source.title,
        parameters=record.parameters,
        scenarios=tuple(scores.fights),
        all_scenarios=len(scores.fights),
        builds=len(scores),
        legal_builds=record.builds,
        exact_share=scores.exact_share,
        is_partial=record.incomplete,
    )
    return answer_of(source.analysis, facts, (), source.analysis.words.metric)


def _severity(finding: Finding) -> str:
    if finding.severity is FindingSeverity.NOTE:
        return _FINE
    return _ERROR if finding.is_error else _WARNING


def as_evidence(finding: Finding) -> dict[str, str]:
    """A finding as the page shows it: its sentence, the fix, how sure it is."""
    return {
        "code": finding.code,
        "severity": {_ERROR: "error", _WARNING: "warning"}.get(_severity(finding), "note"),
        "text": finding.text,
        "fix": f"{finding.fix} {finding.holds}".strip(),
        "certainty": "" if finding.certainty == "exact" else finding.certainty,
    }


def findings(source: ReportSource) -> list[dict[str, str]]:
    """Findings with their evidence, as `analyze` says them; so many that a page stays small."""
    every = source.analysis.findings
    found = [as_evidence(finding) for finding in every[:_MOST_FINDINGS]]
    if len(every) > _MOST_FINDINGS:
        more = (
            f"{len(every) - _MOST_FINDINGS:,} findings are not in this file; `buildsearch analyze` has them."
        )
        found.append({"code": "more", "severity": "note", "text": more, "fix": "", "certainty": ""})
    return found


def facts(source: ReportSource) -> list[tuple[str, str]]:
    """What the run was, for the head of the page."""
    record, scores = source.record, source.scores
    found = [
        ("Rules", f"{source.title} ({source.system})"),
        *say_parameters(record.parameters),
        ("Scenarios", say_scenarios(dict(zip(scores.fights, scores.weights.tolist(), strict=True)))),
        ("Builds", f"{len(source.scores):,}"),
        ("Exact builds", f"{scores.exact_share:.1%}"),
        ("Score", _score(record.objectives[0])),
        ("Seed", str(record.seed)),
        ("buildsearch", record.buildsearch),
    ]
    return [(name, value) for name, value in found if value]


def say_parameters(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Parameters with their names as words."""
    return [(name.replace("_", " ").capitalize(), str(value)) for name, value in parameters.items()]


def say_scenarios(weights: Mapping[str, float]) -> str:
    """`boss (50%), swarm (25%), guard (25%)`; weights that are all alike are not said."""
    total = sum(weights.values())
    if len(set(weights.values())) == 1:
        return ", ".join(weights)
    return ", ".join(f"{name} ({weight / total:.0%})" for name, weight in weights.items())


def _score(objective: MeasureRecord) -> str:
    return f"{objective.label}; {'more' if objective.higher_is_better else 'less'} is better"


def vocabulary(
    options: Sequence[Option],
    names: Iterable[str],
    groups: Iterable[str],
    fights: Mapping[str, float],
    metrics: Sequence[Metric],
) -> dict[str, Any]:
    """Parts by `names` and groups, both in their order; `fights` are weights by name."""
    known = {option.id: option for option in options}
    return {
        "parts": [_part(name, known.get(name)) for name in names],
        "groups": [known[group].name if group in known else group for group in groups],
        "fights": list(fights),
        "weights": list(fights.values()),
        "primary": {"label": metrics[0].label, "up": metrics[0].higher_is_better},
        "metrics": {metric.name: metric.label for metric in metrics},
    }


def _part(name: str, option: Option | None) -> dict[str, Any]:
    if option is None:
        return {"id": name, "name": name, "cost": None, "summary": ""}
    return {"id": name, "name": option.name, "cost": option.cost, "summary": option.summary}
