"""The tables of an analysis: what `analyze --full` shows, and its CSV files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from buildsearch.analysis.analyses import RunAnalysis
from buildsearch.analysis.fair_costs import IndifferencePrice
from buildsearch.analysis.findings import CLASSES, VIABLE, class_of
from buildsearch.analysis.instant_wins import BEST
from buildsearch.analysis.reach import Reach, ReachLevel
from buildsearch.analysis.saturation import CLASSES as PICK_CLASSES
from buildsearch.analysis.saturation import Saturation
from buildsearch.document.blocks import Cell, Column, Kind, Show, Table, table_of

# Overpowered builds that are listed one by one.
_MOST_BUILDS = 1_000
_TOP = 100

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
    contest, worths, prices = verdict.contest, verdict.worths, verdict.prices
    losses = {loss.choices[0].name: loss.row for loss in verdict.losses}
    top = contest.order[:_TOP]
    unit = analysis.words.unit
    sign = -1.0 if contest.yardstick.higher_is_better else 1.0
    ranked = sorted(
        verdict.reaches,
        key=lambda each: (sign * worths[each.choice.name].mean_of_best, each.choice.name),
    )
    kinds = {
        name: class_of(name, analysis.findings, is_passenger=worth.is_passenger)
        for name, worth in worths.items()
    }
    seen = {kinds[each.choice.name] for each in ranked}
    note = (
        "Fair: the highest cost at which a build with it reaches the benchmark; <1: no cost does; ?: not "
        "scored yet, run optimize --over-budget 2. Saves: how much worse its best build is without it "
        "(negative: better). " + _explained({name: said for name, said in CLASSES.items() if name in seen})
    )

    def without(reach: Reach) -> Cell:
        row = losses[reach.choice.name]
        return None if row is None else float(contest.scores[row])

    return table_of(
        "options",
        "Options, by the mean of their 10 best builds",
        ranked,
        (_build("option", Show.ALWAYS), lambda each: each.choice.name),
        (_text("name", show=Show.FILE), lambda each: analysis.naming.choice(each.choice)),
        (_text("class", show=Show.FILE), lambda each: kinds[each.choice.name]),
        (_count("cost"), lambda each: prices[each.choice.name].price),
        (_count("fair_cost", show=Show.FILE), lambda each: prices[each.choice.name].indifferent),
        (_text("fair", show=Show.PAGE), lambda each: fair_text(prices[each.choice.name])),
        (Column("mean_of_best", head="mean"), lambda each: worths[each.choice.name].mean_of_best),
        (Column("best"), lambda each: each.score),
        (Column("best_without", show=Show.FILE), without),
        (_share("viability"), lambda each: each.viability),
        (
            Column(f"saves_{unit}" if unit else "saves", head="saves"),
            lambda each: worths[each.choice.name].saves,
        ),
        (
            _share(f"pick_rate_top_{_TOP}", head=f"top {_TOP}", show=Show.WIDE),
            lambda each: float(each.choice.has(population, top).mean()),
        ),
        (_share("pick_rate", show=Show.FILE), lambda each: each.choice.builds / len(population)),
        (_count("builds", show=Show.FILE), lambda each: each.choice.builds),
        (_build(), lambda each: analysis.build_names[each.row]),
        (_text("class", show=Show.PAGE), lambda each: kinds[each.choice.name]),
        note=note,
    )


def fair_text(price: IndifferencePrice) -> str:
    """A fair cost as people read it: `2`, `<1` where no cost is low enough, `?` where it is not known."""
    if price.indifferent is not None:
        return str(price.indifferent)
    if price.price is None:
        return ""
    return "<1" if price.is_hopeless else "?"


def _combinations(analysis: RunAnalysis) -> Table:
    causes, scores = analysis.verdict.causes, analysis.verdict.contest.scores
    proof = (
        "No other set of bans loses fewer."
        if causes.is_proved
        else f"Not proved: another set of bans may lose as few as {causes.least:,} builds."
    )
    note = f"Banning all of these leaves no overpowered build and loses {causes.lost:,} builds. {proof}"
    return table_of(
        "overpowered_combinations",
        "Overpowered combinations",
        causes.family,
        (_text("combination"), lambda each: _together(each.names, analysis.population.scores.groups)),
        (_count("overpowered_builds", "overpowered"), lambda each: len(each.rows)),
        (_count("builds_lost"), lambda each: each.builds),
        (Column("best"), lambda each: float(scores[each.rows[0]])),
        (_build(), lambda each: analysis.build_names[int(each.rows[0])]),
        note=note if causes.family else "",
    )


def _together(names: Sequence[str], groups: Sequence[str]) -> str:
    """`barrage + charges_1 on area`."""
    chosen = [name for name in names if name not in groups]
    where = [name for name in names if name in groups]
    said = " + ".join(chosen)
    return f"{said} on {' and '.join(where)}" if chosen and where else said or " and ".join(where)


def _bans(analysis: RunAnalysis) -> Table:
    bans, groups = analysis.verdict.bans, analysis.population.scores.groups
    return table_of(
        "bans_in_order",
        "Best build after each ban",
        [(_together(each.banned, groups), each.health) for each in (bans if len(bans) > 1 else ())],
        (_text("also_banned"), lambda each: each[0] or "nothing"),
        (Column("best"), lambda each: None if each[1] is None else each[1].score),
        (Column("benchmark"), lambda each: _benchmark(each[1])),
        (_count("viable_options", "viable"), lambda each: _viable(each[1])),
        (_build(), lambda each: None if each[1] is None else analysis.build_names[each[1].best]),
    )


def _health(analysis: RunAnalysis) -> Table:
    """The health of the whole game, without its first cause, by type and by scenario."""
    verdict = analysis.verdict
    whole, first = verdict.bans[0].health, verdict.without_first_cause
    levels: list[tuple[str, str, ReachLevel]] = []
    if whole is not None:
        levels.append(("all", "", whole))
    if first is not None and first.health is not None:
        levels.append((f"without {' + '.join(first.banned)}", "ban", first.health))
    levels += [(each.name, "type" if each.kind == "group" else each.kind, each) for each in verdict.levels]
    note = (
        "Viable: within 20% of the best. Even a healthy game has strong builds in one type or one scenario."
    )
    return table_of(
        "health",
        "Health, by type and scenario",
        levels,
        (_text("of"), lambda each: each[0]),
        (_text("by"), lambda each: each[1]),
        (_count("builds"), lambda each: each[2].builds),
        (Column("best"), lambda each: each[2].score),
        (Column("benchmark"), lambda each: _benchmark(each[2])),
        (_count("viable_options", "viable"), lambda each: _viable(each[2])),
        (_count("options"), lambda each: each[2].freedom[0].of),
        (_build(), lambda each: analysis.build_names[each[2].best]),
        note=note,
    )


def _benchmark(level: ReachLevel | None) -> Cell:
    return None if level is None or level.reference is None else level.reference.score


def _viable(level: ReachLevel | None) -> Cell:
    return None if level is None else min(level.freedom, key=lambda each: abs(each.least - VIABLE)).options


def _instant_wins(analysis: RunAnalysis) -> Table:
    names, scores = analysis.build_names, analysis.verdict.contest.scores
    wins = [(each.row, *chance) for each in analysis.verdict.decided for chance in each.chances.items()]
    return table_of(
        "instant_wins",
        "Instant wins",
        wins,
        (_build("build", Show.ALWAYS), lambda each: names[each[0]]),
        (Column("score"), lambda each: float(scores[each[0]])),
        (_text("scenario"), lambda each: each[1]),
        (_share("chance"), lambda each: each[2]),
        note=f"Of the best {BEST} builds: the chance to win as fast as possible, at least.",
    )


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
    return Table("pick_rates", title, tuple(columns), rows, note)


def _mean(found: Saturation) -> str:
    return found.infeasible or f"Over all legal builds the mean share of an option is {found.mean_base:.1%}."


def _dead(analysis: RunAnalysis) -> Table:
    return table_of(
        "dead_options",
        "Dead options",
        analysis.dead,
        (_text("option"), lambda rule: analysis.population.names[rule.part]),
        (_text("verdict"), lambda rule: rule.verdict),
        (_text("is_error"), lambda rule: rule.is_error),
        (_text("proof", show=Show.OWN_LINE), lambda rule: rule.proof),
        (_count("contexts", show=Show.FILE), lambda rule: rule.contexts),
        (_count("exact", show=Show.FILE), lambda rule: rule.exact),
        (Column("furthest", show=Show.FILE), lambda rule: rule.furthest),
        (_count("fights", show=Show.FILE), lambda rule: rule.fights),
    )


# For programs -----------------------------------------------------------------------------------------


def _overpowered(analysis: RunAnalysis) -> Table:
    verdict, contest = analysis.verdict, analysis.verdict.contest
    sure = set(verdict.overpowered.sure.tolist())
    groups, family = analysis.population.scores.groups, verdict.causes.family
    benchmark, factor = verdict.reference, contest.yardstick.factor
    listed = sorted(verdict.overpowered.rows.tolist(), key=lambda row: contest.losses[row])[:_MOST_BUILDS]
    return table_of(
        "overpowered_builds",
        "Overpowered builds",
        listed,
        (_build("build", Show.ALWAYS), lambda row: analysis.build_names.get(row, "")),
        (Column("score"), lambda row: float(contest.scores[row])),
        (
            Column("benchmark_ratio"),
            lambda row: None if benchmark is None else factor(float(contest.losses[row]), benchmark.loss),
        ),
        (_text("is_certain"), lambda row: row in sure),
        (
            _text("cause"),
            lambda row: "; ".join(_together(each.names, groups) for each in family if row in each.rows),
        ),
        shown=0,
    )


def _pairs(analysis: RunAnalysis) -> Table:
    names, scores = analysis.build_names, analysis.verdict.contest.scores
    return table_of(
        "must_have_pairs",
        "Pairs that the best build needs",
        analysis.verdict.pair_losses,
        (_text("pair"), lambda loss: " + ".join(loss.names)),
        (_text("banned"), lambda loss: loss.how),
        (Column("best_without"), lambda loss: None if loss.row is None else float(scores[loss.row])),
        (_build(), lambda loss: None if loss.row is None else names[loss.row]),
        note="Neither: both are banned. Together: only having both is. Alone neither is a must-have.",
        shown=0,
    )


def _triggers(analysis: RunAnalysis) -> Table:
    found = [
        (analysis.population.names[part], fight, firing)
        for part, witness in analysis.witnesses.items()
        for fight, firing in witness.firings.items()
    ]
    return table_of(
        "triggers",
        "Trigger rates, in the smallest build with it",
        found,
        (_text("option"), lambda each: each[0]),
        (_text("scenario"), lambda each: each[1]),
        (_count("fights"), lambda each: each[2].fights),
        (_share("available"), lambda each: each[2].usable),
        (_share("triggered"), lambda each: each[2].fired),
        note="How much of the time it was available, and in what share of fights it triggered.",
        shown=0,
    )


def _dominated(analysis: RunAnalysis) -> Table:
    names = analysis.population.names
    return table_of(
        "dominated_options",
        "Options that another outclasses in every legal context",
        analysis.outclassed,
        (_text("option"), lambda each: names[each.part]),
        (_text("dominated_by"), lambda each: "nothing" if each.by is None else names[each.by]),
        (_text("proven"), lambda each: each.is_proven),
        (_count("contexts"), lambda each: each.compared),
        (_count("better"), lambda each: each.better),
        (_share("certain"), lambda each: each.certain),
        (_count("illegal_but_idle"), lambda each: each.alone),
        (Column("gain"), lambda each: each.gain),
        shown=0,
    )


def _front(analysis: RunAnalysis) -> list[Table]:
    """Only where certificates of dominance were asked for."""
    found, scores = analysis.dominance, analysis.population.scores
    if found is None:
        return []
    note = (
        f"{len(scores) - len(found.front):,} of {len(scores):,} builds are dominated by the "
        f"{len(found.front):,} of the front; certificates are in dominance.parquet."
    )
    if found.step > 1:
        note += f" Shares are counted on every {found.step}th build."
    columns = (
        _build("build", Show.ALWAYS),
        _count("cost"),
        Column("score"),
        _share("dominates"),
        *(Column(f"{name}_{analysis.primary_name}") for name in scores.fights),
    )
    rows: list[Row] = [
        (
            analysis.build_names[row],
            int(scores.cost[row]),
            float(scores.score[row]),
            float(share),
            *scores.fight_means[:, row].tolist(),
        )
        for row, share in zip(found.front.tolist(), found.shares, strict=True)
    ]
    return [Table("front", "Pareto front over scenarios and cost", columns, rows, note, shown=0)]
