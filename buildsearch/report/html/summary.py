"""What a run found, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis.findings import BROKEN, DEAD, DOMINATED, ERROR, OUTCLASSING, UNIVERSAL
from buildsearch.report.html.source import Source

_MOST_NAMES = 6
_MOST_FINDINGS = 200
_WHY = 3

# What each kind of finding is called when there is one of it, and when there are more.
_KINDS = (
    (BROKEN, "One combination is broken", "{} combinations are broken"),
    (UNIVERSAL, "One option is in nearly every top build", "{} options are in nearly every top build"),
    (OUTCLASSING, "One option outclasses many others", "{} options outclass many others"),
    (ERROR, "One rule can never do anything", "{} rules can never do anything"),
    (DEAD, "One rule is dead", "{} rules are dead"),
    (DOMINATED, "One option is always worse than another", "{} options are always worse than others"),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A short statement, and the names that belong to it."""

    head: str
    rest: str
    is_bad: bool


def summary(source: Source, rows: Sequence[dict[str, Any]]) -> list[Sentence]:
    """The best build and why, what is broken, what is dead."""
    sentences = [_best(source, rows[0])]
    for kind, one, many in _KINDS:
        found = [finding for finding in source.analysis.findings if finding.kind == kind]
        if found:
            names = [" + ".join(source.title_of(part) for part in finding.parts) for finding in found]
            head = one if len(found) == 1 else many.format(len(found))
            sentences.append(Sentence(head, f"{_listed(names)}.", is_bad=True))
    if len(sentences) == 1:
        sentences.append(
            Sentence("Nothing stands out", "No option is broken, universal, dominated or dead.", is_bad=False)
        )
    return sentences


def _best(source: Source, row: dict[str, Any]) -> Sentence:
    parts = [source.title_of(part, level) for part, level in row["parts"]]
    label = source.about["objectives"][0]["label"]
    how = "exactly" if not row["half"] else f"give or take {row['half']:.2g}"
    said = f"{' + '.join(parts)}. It scores {row['score']:.4g} ({label}, {how})"
    said += f" at a cost of {row['cost']}" if row["cost"] else ""
    if row["tied"] > 1:
        said += f", as {row['tied'] - 1:,} other{'s do' if row['tied'] > 2 else ' does'}"
    said += "."
    why = [f"{source.title_of(part)} ({loss:.2g})" for part, loss, _ in row["gains"][:_WHY] if loss > 0]
    if why:
        without = "with its best replacement for" if row["gains"][0][2] else "without"
        said += f" It would be worse by so much {without}: {', '.join(why)}."
    return Sentence("The best build", said, is_bad=False)


def _listed(names: Sequence[str]) -> str:
    shown = "; ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown}; and {len(names) - _MOST_NAMES} more"


def findings(source: Source) -> list[dict[str, str]]:
    """Findings with their evidence, as `analyze` says them; so many that a page stays small."""
    every = source.analysis.findings
    found = [{"kind": finding.kind, "text": finding.text} for finding in every[:_MOST_FINDINGS]]
    if len(every) > _MOST_FINDINGS:
        more = (
            f"{len(every) - _MOST_FINDINGS:,} findings are not in this file; `buildsearch analyze` has them."
        )
        found.append({"kind": "more", "text": more})
    return found


def facts(source: Source) -> list[tuple[str, str]]:
    """What the run was, for the head of the page."""
    about, scores = source.about, source.scores
    methods = about.get("by_method", {})
    scored = sum(methods.values())
    found = [
        ("Rules", f"{source.title} ({source.system})"),
        *say_parameters(about["parameters"]),
        ("Scenarios", say_scenarios(dict(zip(scores.fights, scores.weights.tolist(), strict=True)))),
        ("Builds", f"{len(source.scores):,}"),
        ("Scored exactly", f"{methods.get('exact', 0) / scored:.1%}" if scored else "unknown"),
        ("Score", _score(about["objectives"][0])),
        ("Seed", str(about.get("seed", ""))),
        ("buildsearch", str(about.get("buildsearch", ""))),
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


def _score(objective: Any) -> str:
    return f"{objective['label']}; {'more' if objective['higher_is_better'] else 'less'} is better"
