"""What a run found, in plain sentences, and the words that every page refers to by number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from buildsearch.analysis.findings import Finding, FindingSeverity, Status
from buildsearch.model.evaluation import Metric
from buildsearch.model.rules_file import Option
from buildsearch.model.text import count
from buildsearch.report.html.source import ReportSource
from buildsearch.views.analysis import AnalysisAnswer, RunFacts, answer_of, fix_effects, fix_sentence

_MOST_FINDINGS = 200


def head(source: ReportSource) -> dict[str, Any]:
    """The first screen of a report: the verdict in one line, the numbers behind it, the fix, the findings."""
    answer, fix = _answer(source), source.fix
    verdict, _, numbers = answer.headline.partition(". ")
    counts = [count(answer.count(each), each.value) for each in FindingSeverity if answer.count(each)]
    return {
        "verdict": verdict.rstrip("."),
        "is_broken": answer.status is Status.BROKEN,
        "numbers": numbers,
        "counts": ", ".join(counts) or "No findings",
        "fix": "" if fix is None else fix_sentence(answer, fix.stored),
        "fix_more": "" if fix is None else " ".join(fix_effects(answer, fix.stored)),
        "fix_lines": "" if fix is None else fix.lines,
        "balance": source.command,
        "findings": findings(source),
    }


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


def as_evidence(finding: Finding) -> dict[str, str]:
    """A finding as the page shows it: its sentence, the fix, how sure it is."""
    is_open_error = finding.severity is FindingSeverity.ERROR and finding.is_open
    return {
        "code": finding.code,
        "severity": "warning" if is_open_error else finding.severity.value,
        "text": finding.text,
        "fix": f"{finding.fix} {finding.holds}".strip(),
        "certainty": "" if finding.certainty == "exact" else finding.certainty,
    }


def findings(source: ReportSource) -> list[dict[str, str]]:
    """Findings with their evidence, as `analyze` says them; so many that a page stays small."""
    every = source.analysis.findings
    found = [as_evidence(finding) for finding in every[:_MOST_FINDINGS]]
    if len(every) > _MOST_FINDINGS:
        left = len(every) - _MOST_FINDINGS
        more = f"{left:,} findings are not in this file; `buildsearch analyze` has them."
        found.append({"code": "more", "severity": "note", "text": more, "fix": "", "certainty": ""})
    return found


def facts(source: ReportSource) -> list[tuple[str, str]]:
    record, scores = source.record, source.scores
    objective = record.objectives[0]
    found = [
        ("Rules", f"{source.title} ({source.system})"),
        *say_parameters(record.parameters),
        ("Scenarios", say_scenarios(dict(zip(scores.fights, scores.weights.tolist(), strict=True)))),
        ("Builds", f"{len(source.scores):,}"),
        ("Exact builds", f"{scores.exact_share:.1%}"),
        ("Score", f"{objective.label}; {'more' if objective.higher_is_better else 'less'} is better"),
        ("Seed", str(record.seed)),
        ("buildsearch", record.buildsearch),
    ]
    return [(name, value) for name, value in found if value]


def say_parameters(parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name.replace("_", " ").capitalize(), str(value)) for name, value in parameters.items()]


def say_scenarios(weights: Mapping[str, float]) -> str:
    """`boss (50%), swarm (25%), guard (25%)`; weights that are all alike are not said."""
    total = sum(weights.values())
    if len(set(weights.values())) == 1:
        return ", ".join(weights)
    return ", ".join(f"{name} ({weight / total:.0%})" for name, weight in weights.items())


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
        "parts": [
            {"id": name, "name": option.name, "cost": option.cost, "summary": option.summary}
            if (option := known.get(name)) is not None
            else {"id": name, "name": name, "cost": None, "summary": ""}
            for name in names
        ],
        "groups": [known[group].name if group in known else group for group in groups],
        "fights": list(fights),
        "weights": list(fights.values()),
        "primary": {"label": metrics[0].label, "up": metrics[0].higher_is_better},
        "metrics": {metric.name: metric.label for metric in metrics},
    }
