"""An analysis as sheets: what `analyze` writes, prints and gives to programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.broken import Interaction
from buildsearch.analysis.ranking import EVERYTHING, SCORE
from buildsearch.analysis.saturation import CLASSES, Saturation
from buildsearch.report.sheets import Cell, Sheet
from buildsearch.report.verdict_sheets import explained, verdict_sheets

# Interactions are many and mostly nothing: so many of each kind are kept, the strongest either way.
_MOST_INTERACTIONS = 2_000


def analysis_sheets(analysis: Analysis, costs: Mapping[str, int | None]) -> list[Sheet]:
    """Every table of an analysis."""
    return [
        _findings(analysis),
        *verdict_sheets(analysis),
        _saturation(analysis),
        *_rankings(analysis, costs),
        _triggers(analysis),
        _dead(analysis),
        _combinations(analysis),
        _interactions(analysis, "pairs", analysis.pairs),
        _interactions(analysis, "triples", analysis.triples),
        _outliers(analysis),
        _effects(analysis),
        _front(analysis),
        _outclassed(analysis),
    ]


def _findings(analysis: Analysis) -> Sheet:
    columns = ("kind", "severity", "culprits", "text", "cures", "certainty", "holds")
    rows = [
        (
            finding.kind,
            finding.severity.value,
            " + ".join(finding.culprits),
            finding.text,
            " ".join(finding.cures),
            finding.certainty,
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
    title = "Saturation: share of the best N"
    return Sheet("saturation", title, tuple(columns), rows, shown, note, percent=percent)


def _note(found: Saturation) -> str:
    mean = f"Over all legal builds the mean share of an option is {found.mean_base:.1%}."
    return found.infeasible or mean


def _rankings(analysis: Analysis, costs: Mapping[str, int | None]) -> Iterator[Sheet]:
    columns = (
        "option",
        "group",
        "measure",
        "with",
        "mean_with",
        "mean_without",
        "gain",
        "gain_error",
        "gain_per_point",
        "median_with",
        "median_without",
        "top10_with",
        "top10_without",
    )
    rows: list[list[Cell]] = []
    for each in analysis.standings:
        cost = costs.get(analysis.population.names[each.part.feature])
        rows.append(
            [
                each.part.name,
                each.group,
                each.measure,
                each.with_it.builds,
                each.with_it.mean,
                each.without.mean,
                each.gain,
                each.gain_error,
                each.gain / cost if cost else None,
                each.with_it.median,
                each.without.median,
                each.with_it.top,
                each.without.top,
            ]
        )
    overall = [row for row in rows if row[1] == EVERYTHING and row[2] == SCORE]
    overall.sort(key=lambda row: -float(row[6] or 0))
    short = tuple(column for column in columns if column not in ("group", "measure", "gain_error"))
    title = "Ranking: scores with an option and without it"
    yield Sheet(
        "ranking",
        title,
        columns,
        overall,
        short,
        "A positive gain means that builds with the option score better on average.",
    )
    yield Sheet("ranking_by_group_and_scenario", f"{title}, by group and scenario", columns, rows)


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
    return Sheet("dead_rules", "Dead rules", columns, rows, ("option", "verdict", "is_error", "proof"))


def _combinations(analysis: Analysis) -> Sheet:
    names, score = analysis.population.names, analysis.population.scores.score
    columns = (
        "options",
        "broken",
        "interaction",
        "error",
        "factor",
        "contexts",
        "lift",
        "lift_low",
        "lift_high",
        "lift_of_parts",
        "top_share",
        "builds",
        "best_with",
        "score_with",
        "best_without",
        "score_without",
        "price",
    )
    rows = [
        (
            " + ".join(names[part] for part in each.parts),
            each.is_broken,
            each.interaction.mean,
            each.interaction.error,
            math.exp(each.interaction.mean),
            each.interaction.contexts,
            each.lift,
            each.lift_low,
            each.lift_high,
            each.parts_lift,
            each.top_share,
            each.builds,
            analysis.build_names[each.best_with],
            float(score[each.best_with]),
            None if each.best_without is None else analysis.build_names[each.best_without],
            None if each.best_without is None else float(score[each.best_without]),
            each.price,
        )
        for each in analysis.combinations
    ]
    shown = ("options", "broken", "factor", "lift", "lift_of_parts", "score_with", "score_without", "price")
    note = (
        "Factor: the score as a multiple of what the parts explain. Price: by how many points the "
        "combination must cost more so that no build with it beats the best without it."
    )
    return Sheet("combinations", "Combinations at the top", columns, rows, shown, note)


def _interactions(analysis: Analysis, name: str, found: Sequence[Interaction]) -> Sheet:
    names = analysis.population.names
    half = _MOST_INTERACTIONS // 2
    kept = found if len(found) <= _MOST_INTERACTIONS else [*found[:half], *found[-half:]]
    rows = [
        (
            " + ".join(names[part] for part in each.parts),
            each.mean,
            each.error,
            each.spread,
            each.deviations,
            each.contexts,
        )
        for each in kept
    ]
    columns = ("options", "interaction", "error", "spread", "deviations", "contexts")
    note = "Mean over contexts, on log scores; below 0 is better together than the parts explain."
    return Sheet(name, f"Interactions of {name}", columns, rows, (), note)


def _outliers(analysis: Analysis) -> Sheet:
    names = analysis.population.names
    rows = [
        (
            " + ".join(names[part] for part in group.culprits) or "no smaller cause",
            group.builds,
            group.deviations,
            analysis.build_names[group.best],
            float(analysis.population.scores.score[group.best]),
        )
        for group in analysis.outliers
    ]
    columns = ("cause", "builds", "deviations", "best_build", "score")
    return Sheet("outliers", "Outliers among builds of their cost, by cause", columns, rows)


def _effects(analysis: Analysis) -> Sheet:
    names = analysis.population.names
    columns = ("option", "cost", "effect", "error", "spread", "per_point", "contexts")
    effects = sorted(analysis.effects, key=lambda each: -(each.per_point or -math.inf))
    rows = [
        (
            names[each.part],
            each.cost,
            each.effect,
            each.error,
            each.spread,
            each.per_point,
            each.contexts,
        )
        for each in effects
    ]
    note = (
        "The mean gain in log score over all legal contexts. Players do not play averages: what an option is "
        "worth to one who chooses well is in options.csv."
    )
    return Sheet("average_effects", "Average effects", columns, rows, (), note)


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
