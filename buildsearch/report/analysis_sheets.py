"""An analysis as sheets: what `analyze` writes, prints and gives to programs."""

from __future__ import annotations

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.saturation import CLASSES, Saturation
from buildsearch.report.sheets import Cell, Sheet
from buildsearch.report.verdict_sheets import explained, verdict_sheets


def analysis_sheets(analysis: Analysis) -> list[Sheet]:
    """Every table of an analysis."""
    return [
        _findings(analysis),
        *verdict_sheets(analysis),
        _saturation(analysis),
        _triggers(analysis),
        _dead(analysis),
        _front(analysis),
        _outclassed(analysis),
    ]


def _findings(analysis: Analysis) -> Sheet:
    columns = ("code", "severity", "subjects", "text", "fix", "certainty", "holds")
    rows = [
        (
            finding.code.value,
            finding.severity.value,
            ", ".join(finding.subjects),
            finding.text,
            finding.fix,
            finding.certainty.value,
            finding.holds,
        )
        for finding in analysis.findings
    ]
    return Sheet("findings", "Findings", columns, rows)


def _saturation(analysis: Analysis) -> Sheet:
    found = analysis.saturation
    columns = ["option", "share", "class"]
    for cut in found.cuts:
        columns += [f"{cut.label}", f"lift {cut.label}", f"lift_low {cut.label}", f"lift_high {cut.label}"]
    rows: list[list[Cell]] = []
    for curve in found.curves:
        row: list[Cell] = [curve.part.name, curve.base, curve.kind]
        for numbers in zip(curve.shares, curve.lifts, curve.low, curve.high, strict=True):
            row += list(numbers)
        rows.append(row)
    tops = [cut.label for cut in found.cuts if cut.is_top]
    shown = ("option", "share", *tops, *(f"lift {label}" for label in tops[-1:]), "class")
    rows.sort(key=lambda row: -float(row[3] or 0) if len(row) > 3 else 0.0)
    percent = frozenset(("share", *(cut.label for cut in found.cuts)))
    seen = {curve.kind for curve in found.curves}
    note = _note(found) + " " + explained({name: said for name, said in CLASSES.items() if name in seen})
    title = "Pick rates among the best N builds"
    return Sheet("pick_rates", title, tuple(columns), rows, shown, note, percent=percent)


def _note(found: Saturation) -> str:
    mean = f"Over all legal builds the mean share of an option is {found.mean_base:.1%}."
    return found.infeasible or mean


def _triggers(analysis: Analysis) -> Sheet:
    rows = [
        (analysis.population.names[part], fight, firing.fights, firing.usable, firing.fired)
        for part, witness in analysis.witnesses.items()
        for fight, firing in witness.firings.items()
    ]
    columns = ("option", "scenario", "fights", "usable", "fired")
    note = "How much of the time it was usable, and in what share of fights it fired; smallest build with it."
    return Sheet("triggers", "Trigger rates", columns, rows, (), note)


def _dead(analysis: Analysis) -> Sheet:
    columns = ("option", "verdict", "is_error", "proof", "contexts", "exact", "furthest", "fights")
    rows = [
        (
            analysis.population.names[rule.part],
            rule.verdict,
            rule.is_error,
            rule.proof,
            rule.contexts,
            rule.exact,
            rule.furthest,
            rule.fights,
        )
        for rule in analysis.dead
    ]
    return Sheet("dead_options", "Dead options", columns, rows, ("option", "verdict", "is_error", "proof"))


def _front(analysis: Analysis) -> Sheet:
    found, scores = analysis.dominance, analysis.population.scores
    columns = ("build", "cost", "score", "dominates", *scores.fights)
    rows: list[list[Cell]] = [
        [
            analysis.build_names[int(row)],
            int(scores.cost[row]),
            float(scores.score[row]),
            float(share),
            *(float(mean) for mean in scores.fight_means[:, row]),
        ]
        for row, share in zip(found.front, found.shares, strict=True)
    ]
    dominated = len(scores) - len(found.front)
    note = (
        f"{dominated:,} of {len(scores):,} builds are dominated by the {len(found.front):,} of the front; "
        "certificates are in dominance.parquet."
    )
    if found.step > 1:
        note += f" Shares are counted on every {found.step}th build."
    return Sheet("front", "Pareto front over scenarios and cost", columns, rows, (), note)


def _outclassed(analysis: Analysis) -> Sheet:
    names = analysis.population.names
    columns = (
        "option",
        "dominated_by",
        "proven",
        "contexts",
        "better",
        "certain",
        "illegal_but_idle",
        "gain",
    )
    rows = [
        (
            names[each.part],
            "nothing" if each.by is None else names[each.by],
            each.is_proven,
            each.compared,
            each.better,
            each.certain,
            each.alone,
            each.gain,
        )
        for each in analysis.outclassed
    ]
    title = "Options that another outclasses in every legal context"
    return Sheet("dominated_options", title, columns, rows)
