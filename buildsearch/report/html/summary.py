"""What a run found, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis.findings import Finding, Severity
from buildsearch.document.blocks import Step
from buildsearch.report.html.source import Source
from buildsearch.report.run_record import Measure
from buildsearch.views.analysis import AnalysisAnswer, RunFacts, answer_of, document_of

_MOST_SENTENCES = 10
_MOST_FINDINGS = 200
_WHY = 3
_ERROR, _WARNING, _FINE = _SEVERITIES = ("error", "warning", "fine")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A short statement, and the names that belong to it."""

    head: str
    rest: str
    is_bad: bool
    is_warning: bool = False


def summary(source: Source, rows: Sequence[dict[str, Any]]) -> list[Sentence]:
    """The health of the game, what is wrong by severity, and the best build and why."""
    analysis = source.analysis
    found = analysis.findings
    worst = min((_severity(finding) for finding in found), default=_FINE, key=_SEVERITIES.index)
    if worst == _FINE and analysis.verdict.too_small is not None:
        worst = _WARNING  # no green light where there were too few builds to judge
    answer = _answer(source)
    health = _sentence("Health", answer.headline, worst)
    sentences = [
        _sentence(finding.code.replace("-", " ").capitalize(), finding.text, _severity(finding))
        for finding in found[:_MOST_SENTENCES]
    ]
    end = _sentence("Next step", _next_step(answer, can_balance=source.workbench is not None), worst)
    return [health, *sentences, end, _best(source, rows[0])]


def _answer(source: Source) -> AnalysisAnswer:
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


def _next_step(answer: AnalysisAnswer, *, can_balance: bool) -> str:
    page = document_of(answer, None, can_balance=can_balance)
    step = next(block for block in page.blocks if isinstance(block, Step))
    return f"{step.command}: {step.why}."


def _sentence(head: str, rest: str, severity: str) -> Sentence:
    return Sentence(head, rest, is_bad=severity == _ERROR, is_warning=severity == _WARNING)


def _severity(finding: Finding) -> str:
    if finding.severity is Severity.NOTE:
        return _FINE
    return _ERROR if finding.is_error else _WARNING


def _best(source: Source, row: dict[str, Any]) -> Sentence:
    parts = [source.title_of(part, level) for part, level in row["parts"]]
    label = source.record.objectives[0].label
    ends = row["bounds"]
    how = "exactly" if ends is None else "estimated" if None in ends else f"{ends[0]:.4g} to {ends[1]:.4g}"
    said = f"{' + '.join(parts)}. It scores {row['score']:.4g} ({label}, {how})"
    said += f" at a cost of {row['cost']}" if row["cost"] else ""
    if row["tied"] > 1:
        said += f", as {row['tied'] - 1:,} other{'s do' if row['tied'] > 2 else ' does'}"
    said += "."
    why = [f"{source.title_of(part)} ({loss:.2g})" for part, loss, _ in row["gains"][:_WHY] if loss > 0]
    if why:
        without = "with its best replacement for" if row["gains"][0][2] else "without"
        said += f" What it would lose {without}: {', '.join(why)}."
    return Sentence("The best build", said, is_bad=False)


def as_evidence(finding: Finding) -> dict[str, str]:
    """A finding as the page shows it: its sentence, the fix, how sure it is."""
    return {
        "kind": finding.code,
        "severity": _severity(finding),
        "text": finding.text,
        "cure": f"{finding.fix} {finding.holds}".strip(),
        "certainty": finding.certainty,
    }


def findings(source: Source) -> list[dict[str, str]]:
    """Findings with their evidence, as `analyze` says them; so many that a page stays small."""
    every = source.analysis.findings
    found = [as_evidence(finding) for finding in every[:_MOST_FINDINGS]]
    if len(every) > _MOST_FINDINGS:
        more = (
            f"{len(every) - _MOST_FINDINGS:,} findings are not in this file; `buildsearch analyze` has them."
        )
        found.append({"kind": "more", "severity": _WARNING, "text": more, "cure": "", "certainty": ""})
    return found


def facts(source: Source) -> list[tuple[str, str]]:
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


def _score(objective: Measure) -> str:
    return f"{objective.label}; {'more' if objective.higher_is_better else 'less'} is better"
