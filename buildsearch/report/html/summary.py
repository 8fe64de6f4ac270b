"""What a run found, in plain sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.analysis import findings as kinds
from buildsearch.analysis.findings import Finding, Severity
from buildsearch.analysis.health import conclusion, headline
from buildsearch.report.html.source import Source
from buildsearch.report.run_record import Measure

_MOST_NAMES = 6
_MOST_FINDINGS = 200
_WHY = 3
_ERROR, _WARNING, _FINE = _SEVERITIES = ("error", "warning", "fine")

# What each kind of finding is called when there is one of it, and when there are more.
_KINDS = {
    kinds.ERROR: ("One rule can never do anything", "{} rules can never do anything"),
    kinds.FLAT: ("These fights do not tell builds apart", "These fights do not tell builds apart"),
    kinds.OVERPOWERED: ("One combination is overpowered", "{} combinations are overpowered"),
    kinds.MUST_HAVE: ("One option is a must-have", "{} options are must-haves"),
    kinds.DECIDED: ("Fights are decided at once", "Fights are decided at once"),
    kinds.DOMINANT: ("One kind of build has nearly all of the top", "{} kinds of builds share the top"),
    kinds.TOO_CHEAP: ("One option is too cheap", "{} options are too cheap"),
    kinds.TOO_DEAR: ("One option is too dear", "{} options are too dear"),
    kinds.HOPELESS: ("Nobody should take one option", "Nobody should take {} options"),
    kinds.OUTCLASSING: ("One option outclasses many others", "{} options outclass many others"),
    kinds.DOMINATED: ("One option is always worse than another", "{} options are always worse than others"),
    kinds.DEAD: ("One rule is dead", "{} rules are dead"),
}


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
        worst = _WARNING  # no green light where nobody could be accused
    health = _sentence("Health", headline(analysis.verdict, analysis.label), worst)
    sentences = []
    for kind, (one, many) in _KINDS.items():
        mine = [finding for finding in found if finding.kind == kind]
        if mine:
            head = one if len(mine) == 1 else many.format(len(mine))
            worst_of_kind = min((_severity(finding) for finding in mine), key=_SEVERITIES.index)
            sentences.append(_sentence(head, _listed([_named(source, each) for each in mine]), worst_of_kind))
    sentences.sort(key=lambda sentence: not sentence.is_bad)
    said = _sentence("In a word", conclusion(found, analysis.verdict), worst)
    return [health, *sentences, said, _best(source, rows[0])]


def _sentence(head: str, rest: str, severity: str) -> Sentence:
    return Sentence(head, rest, is_bad=severity == _ERROR, is_warning=severity == _WARNING)


def _severity(finding: Finding) -> str:
    return _ERROR if finding.severity is Severity.ERROR and not finding.is_open else _WARNING


def _named(source: Source, finding: Finding) -> str:
    joined = ", " if finding.kind == kinds.DECIDED else " + "
    return joined.join(source.say(name) for name in finding.culprits)


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


def _listed(names: Sequence[str]) -> str:
    named = [name for name in names if name]
    shown = "; ".join(named[:_MOST_NAMES])
    more = "" if len(named) <= _MOST_NAMES else f"; and {len(named) - _MOST_NAMES} more"
    return f"{shown}{more}." if shown else ""


def as_evidence(finding: Finding) -> dict[str, str]:
    """A finding as the page shows it: its sentence, what cures it, how sure it is."""
    return {
        "kind": finding.kind,
        "severity": _severity(finding),
        "text": finding.text,
        "cure": " ".join((*finding.cures, finding.holds)).strip(),
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
    methods = record.by_method
    scored = sum(methods.values())
    found = [
        ("Rules", f"{source.title} ({source.system})"),
        *say_parameters(record.parameters),
        ("Scenarios", say_scenarios(dict(zip(scores.fights, scores.weights.tolist(), strict=True)))),
        ("Builds", f"{len(source.scores):,}"),
        ("Scored exactly", f"{methods.get('exact', 0) / scored:.1%}" if scored else "unknown"),
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
