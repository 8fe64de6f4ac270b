"""The tables of an analysis: what `analyze --full` shows, and its CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from buildsearch.analysis.analyses import RunAnalysis
from buildsearch.analysis.fair_costs import IndifferencePrice
from buildsearch.analysis.findings import CLASSES, VIABLE, class_of
from buildsearch.analysis.instant_wins import BEST
from buildsearch.analysis.reach import ReachLevel
from buildsearch.analysis.saturation import CLASSES as PICK_CLASSES
from buildsearch.analysis.saturation import Saturation
from buildsearch.document.blocks import Cell, Column, Kind, Show, Table

# Overpowered builds that are listed one by one.
_MOST_BUILDS = 1_000
_TOP = 100
SHOWN = 15

Row = tuple[Cell, ...]


def tables_of(analysis: RunAnalysis) -> list[Table]:
    """Every table: those that a page shows first, then those for programs."""
    return [
        _options(analysis),
        _combinations(analysis),
        _bans(analysis),
        _health(analysis),
        _instant_wins(analysis),
        _pick_rates(analysis),
        _dead(analysis),
        _overpowered(analysis),
        _pairs(analysis),
        _triggers(analysis),
        _dominated(analysis),
        *_front(analysis),
    ]


def _text(name: str, head: str = "", show: Show = Show.ALWAYS) -> Column:
    return Column(name, Kind.TEXT, head, show)


def _build(name: str = "best_build", show: Show = Show.FILE) -> Column:
    return Column(name, Kind.BUILD, show=show)


def _count(name: str, head: str = "", show: Show = Show.ALWAYS) -> Column:
    return Column(name, Kind.COUNT, head, show)


def _share(name: str, head: str = "", show: Show = Show.ALWAYS) -> Column:
    return Column(name, Kind.PERCENT, head, show)


def _explained(classes: Mapping[str, str]) -> str:
    return " ".join(f"{name.capitalize()}: {said}." for name, said in classes.items() if name)


def _options(analysis: RunAnalysis) -> Table:
    """One row an option, the strongest first: what it reaches, its cost and its class."""
    verdict, population = analysis.verdict, analysis.population
    contest = verdict.contest
    losses = {loss.choices[0].name: loss for loss in verdict.losses}
    top = contest.order[:_TOP]
    unit = analysis.words.unit
    columns = (
        _build("option", Show.ALWAYS),
        _text("name", show=Show.FILE),
        _text("class", show=Show.FILE),
        _count("cost"),
        _count("fair_cost", show=Show.FILE),
        _text("fair", show=Show.PAGE),
        Column("mean_of_best", head="mean"),
        Column("best"),
        Column("best_without", show=Show.FILE),
        _share("viability"),
        Column(f"saves_{unit}" if unit else "saves", head="saves"),
        _share(f"pick_rate_top_{_TOP}", head=f"top {_TOP}", show=Show.WIDE),
        _share("pick_rate", show=Show.FILE),
        _count("builds", show=Show.FILE),
        _build(),
        _text("class", show=Show.PAGE),
    )
    ranked = []
    sign = -1.0 if contest.yardstick.higher_is_better else 1.0
    for reach in verdict.reaches:
        choice, worth = reach.choice, verdict.worths[reach.choice.name]
        price, without = verdict.prices[choice.name], losses[choice.name].row
        kind = class_of(choice.name, analysis.findings, is_passenger=worth.is_passenger)
        row: Row = (
            choice.name,
            analysis.naming.choice(choice),
            kind,
            price.price,
            price.indifferent,
            fair_text(price),
            worth.mean_of_best,
            reach.score,
            None if without is None else float(contest.scores[without]),
            reach.viability,
            worth.saves,
            float(choice.has(population, top).mean()),
            choice.builds / len(population),
            choice.builds,
            analysis.build_names[reach.row],
            kind,
        )
        ranked.append((sign * worth.mean_of_best, choice.name, row))
    ranked.sort(key=lambda each: each[:2])
    seen = {str(row[2]) for _, _, row in ranked}
    note = (
        "Fair: the highest cost at which a build with it reaches the benchmark; <1: no cost does; ?: not "
        "scored yet, run optimize --over-budget 2. Saves: how much worse its best build is without it "
        "(negative: better). " + _explained({name: said for name, said in CLASSES.items() if name in seen})
    )
    title = "Options, by the mean of their 10 best builds"
    return Table("options", title, columns, [row for _, _, row in ranked], note, SHOWN)


def fair_text(price: IndifferencePrice) -> str:
    """A fair cost as people read it: `2`, `<1` where no cost is low enough, `?` where it is not known."""
    if price.indifferent is not None:
        return str(price.indifferent)
    if price.price is None:
        return ""
    return "<1" if price.is_hopeless else "?"


def _combinations(analysis: RunAnalysis) -> Table:
    verdict = analysis.verdict
    rows = [
        (
            _together(cause.names, analysis.population.scores.groups),
            len(cause.rows),
            cause.builds,
            float(verdict.contest.scores[cause.rows[0]]),
            analysis.build_names[int(cause.rows[0])],
        )
        for cause in verdict.causes.family
    ]
    proof = (
        "No other set of bans loses fewer."
        if verdict.causes.is_proved
        else f"Not proved: another set of bans may lose as few as {verdict.causes.least:,} builds."
    )
    note = (
        f"Banning all of these leaves no overpowered build and loses {verdict.causes.lost:,} builds. {proof}"
    )
    columns = (
        _text("combination"),
        _count("overpowered_builds", "overpowered"),
        _count("builds_lost"),
        Column("best"),
        _build(),
    )
    title = "Overpowered combinations"
    return Table("overpowered_combinations", title, columns, rows, note if rows else "", SHOWN)


def _together(names: Sequence[str], groups: Sequence[str]) -> str:
    """`barrage + charges_1 on area`."""
    chosen = [name for name in names if name not in groups]
    where = [name for name in names if name in groups]
    said = " + ".join(chosen)
    return f"{said} on {' and '.join(where)}" if chosen and where else said or " and ".join(where)


def _bans(analysis: RunAnalysis) -> Table:
    rows: list[Row] = []
    for step in analysis.verdict.bans:
        numbers: Row = (None, None, None, None)
        if step.health is not None:
            numbers = (*_numbers(step.health), analysis.build_names[step.health.best])
        rows.append((_together(step.banned, analysis.population.scores.groups) or "nothing", *numbers))
    columns = (
        _text("also_banned"),
        Column("best"),
        Column("benchmark"),
        _count("viable_options", "viable"),
        _build(),
    )
    return Table(
        "bans_in_order", "Best build after each ban", columns, rows if len(rows) > 1 else (), "", SHOWN
    )


def _health(analysis: RunAnalysis) -> Table:
    """The health of the whole game, without its first cause, by type and by scenario."""
    verdict, names = analysis.verdict, analysis.build_names
    rows: list[Row] = []

    def add(of: str, by: str, level: ReachLevel) -> None:
        rows.append(
            (of, by, level.builds, *_numbers(level), level.freedom[0].of, names[level.best]),
        )

    whole = verdict.bans[0].health
    if whole is not None:
        add("all", "", whole)
    first = verdict.without_first_cause
    if first is not None and first.health is not None:
        add(f"without {' + '.join(first.banned)}", "ban", first.health)
    for level in verdict.levels:
        add(level.name, "type" if level.kind == "group" else level.kind, level)
    columns = (
        _text("of"),
        _text("by"),
        _count("builds"),
        Column("best"),
        Column("benchmark"),
        _count("viable_options", "viable"),
        _count("options"),
        _build(),
    )
    note = (
        "Viable: within 20% of the best. Even a healthy game has strong builds in one type or one scenario."
    )
    return Table("health", "Health, by type and scenario", columns, rows, note, SHOWN)


def _numbers(level: ReachLevel) -> Row:
    viable = min(level.freedom, key=lambda each: abs(each.least - VIABLE))
    return (level.score, None if level.reference is None else level.reference.score, viable.options)


def _instant_wins(analysis: RunAnalysis) -> Table:
    rows = [
        (
            analysis.build_names[each.row],
            float(analysis.verdict.contest.scores[each.row]),
            fight,
            chance,
        )
        for each in analysis.verdict.decided
        for fight, chance in each.chances.items()
    ]
    note = f"Of the best {BEST} builds: the chance to win as fast as possible, at least."
    columns = (_build("build", Show.ALWAYS), Column("score"), _text("scenario"), _share("chance"))
    return Table("instant_wins", "Instant wins", columns, rows, note, SHOWN)


def _pick_rates(analysis: RunAnalysis) -> Table:
    found = analysis.saturation
    tops = [cut.label for cut in found.cuts if cut.is_top]
    columns = [_build("option", Show.ALWAYS), _share("share")]
    for cut in found.cuts:
        show = Show.ALWAYS if cut.label in (*tops[:1], *tops[-1:]) else Show.WIDE
        columns += [
            _share(cut.label, show=show if cut.is_top else Show.FILE),
            Column(f"lift {cut.label}", show=Show.WIDE if cut.label in tops[-1:] else Show.FILE),
            Column(f"lift_low {cut.label}", show=Show.FILE),
            Column(f"lift_high {cut.label}", show=Show.FILE),
        ]
    columns.append(_text("class"))
    rows: list[Row] = []
    for curve in found.curves:
        numbers = zip(curve.shares, curve.lifts, curve.low, curve.high, strict=True)
        rows.append((curve.part.name, curve.base, *(cell for cut in numbers for cell in cut), curve.kind))
    if found.cuts:
        first = {curve.part.name: curve.shares[0] for curve in found.curves}
        rows.sort(key=lambda row: -first[str(row[0])])
    seen = {curve.kind for curve in found.curves}
    note = f"{_mean(found)} {_explained({name: said for name, said in PICK_CLASSES.items() if name in seen})}"
    title = "Pick rates among the best N builds"
    return Table("pick_rates", title, tuple(columns), rows, note, SHOWN)


def _mean(found: Saturation) -> str:
    return found.infeasible or f"Over all legal builds the mean share of an option is {found.mean_base:.1%}."


def _dead(analysis: RunAnalysis) -> Table:
    columns = (
        _text("option"),
        _text("verdict"),
        _text("is_error"),
        _text("proof", show=Show.OWN_LINE),
        _count("contexts", show=Show.FILE),
        _count("exact", show=Show.FILE),
        Column("furthest", show=Show.FILE),
        _count("fights", show=Show.FILE),
    )
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
    return Table("dead_options", "Dead options", columns, rows, "", SHOWN)


# For programs -----------------------------------------------------------------------------------------


def _overpowered(analysis: RunAnalysis) -> Table:
    verdict, contest = analysis.verdict, analysis.verdict.contest
    sure = set(verdict.overpowered.sure.tolist())
    groups = analysis.population.scores.groups
    benchmark = verdict.reference
    listed = sorted(verdict.overpowered.rows.tolist(), key=lambda row: contest.losses[row])[:_MOST_BUILDS]
    rows: list[Row] = [
        (
            analysis.build_names.get(row, ""),
            float(contest.scores[row]),
            None
            if benchmark is None
            else contest.yardstick.factor(float(contest.losses[row]), benchmark.loss),
            row in sure,
            "; ".join(_together(cause.names, groups) for cause in verdict.causes.family if row in cause.rows),
        )
        for row in listed
    ]
    columns = (
        _build("build", Show.ALWAYS),
        Column("score"),
        Column("benchmark_ratio"),
        _text("is_certain"),
        _text("cause"),
    )
    return Table("overpowered_builds", "Overpowered builds", columns, rows, shown=0)


def _pairs(analysis: RunAnalysis) -> Table:
    scores = analysis.verdict.contest.scores
    rows = [
        (
            " + ".join(loss.names),
            loss.how,
            None if loss.row is None else float(scores[loss.row]),
            None if loss.row is None else analysis.build_names[loss.row],
        )
        for loss in analysis.verdict.pair_losses
    ]
    note = "Neither: both are banned. Together: only having both is. Alone neither is a must-have."
    columns = (_text("pair"), _text("banned"), Column("best_without"), _build())
    return Table("must_have_pairs", "Pairs that the best build needs", columns, rows, note, shown=0)


def _triggers(analysis: RunAnalysis) -> Table:
    rows = [
        (analysis.population.names[part], fight, firing.fights, firing.usable, firing.fired)
        for part, witness in analysis.witnesses.items()
        for fight, firing in witness.firings.items()
    ]
    columns = (_text("option"), _text("scenario"), _count("fights"), _share("available"), _share("triggered"))
    note = "How much of the time it was available, and in what share of fights it triggered."
    return Table("triggers", "Trigger rates, in the smallest build with it", columns, rows, note, shown=0)


def _dominated(analysis: RunAnalysis) -> Table:
    names = analysis.population.names
    columns = (
        _text("option"),
        _text("dominated_by"),
        _text("proven"),
        _count("contexts"),
        _count("better"),
        _share("certain"),
        _count("illegal_but_idle"),
        Column("gain"),
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
    return Table("dominated_options", title, columns, rows, shown=0)


def _front(analysis: RunAnalysis) -> list[Table]:
    """Only where certificates of dominance were asked for."""
    found, scores = analysis.dominance, analysis.population.scores
    if found is None:
        return []
    columns = (
        _build("build", Show.ALWAYS),
        _count("cost"),
        Column("score"),
        _share("dominates"),
        *(Column(f"{name}_{analysis.primary_name}") for name in scores.fights),
    )
    rows: list[Row] = [
        (
            analysis.build_names[int(row)],
            int(scores.cost[row]),
            float(scores.score[row]),
            float(share),
            *(float(mean) for mean in scores.fight_means[:, row]),
        )
        for row, share in zip(found.front, found.shares, strict=True)
    ]
    dominated = len(scores) - len(found.front)
    note = (
        f"{dominated:,} of {len(scores):,} builds are dominated by the {len(found.front):,} of the front; "
        "certificates are in dominance.parquet."
    )
    if found.step > 1:
        note += f" Shares are counted on every {found.step}th build."
    return [Table("front", "Pareto front over scenarios and cost", columns, rows, note, shown=0)]
