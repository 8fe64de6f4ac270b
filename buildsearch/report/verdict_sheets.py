"""The assessment as tables: every option, overpowered combinations, bans in order, health by group."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.findings import CLASSES, class_of
from buildsearch.analysis.health import VIABLE
from buildsearch.analysis.instant_wins import BEST
from buildsearch.analysis.reach import Level
from buildsearch.report.sheets import Cell, Sheet

# Overpowered builds that are listed one by one.
_MOST_BUILDS = 1_000
_TOP = 100


def verdict_sheets(analysis: Analysis) -> list[Sheet]:
    """All tables of the assessment."""
    return [
        _options(analysis),
        _overpowered(analysis),
        _combinations(analysis),
        _substitutes(analysis),
        _bans(analysis),
        _instant_wins(analysis),
        _health(analysis),
    ]


def explained(classes: Mapping[str, str]) -> str:
    """What class names mean."""
    return " ".join(f"{name.capitalize()}: {said}." for name, said in classes.items() if name)


def _options(analysis: Analysis) -> Sheet:
    """One row an option, the strongest first: what it reaches, its cost and its class."""
    verdict, population = analysis.verdict, analysis.population
    contest = verdict.contest
    losses = {loss.choices[0].name: loss for loss in verdict.losses}
    top = contest.order[:_TOP]
    columns = (
        "option",
        "name",
        "class",
        "cost",
        "fair_cost",
        "mean_of_best",
        "best",
        "best_without",
        "viability",
        "saves",
        f"pick_rate_top_{_TOP}",
        "pick_rate",
        "builds",
        "best_build",
        "fair_cost_note",
        "like",
    )
    rows: list[tuple[Cell, ...]] = []
    for reach in verdict.reaches:
        choice, worth = reach.choice, verdict.worths[reach.choice.name]
        price, without = verdict.prices[choice.name], losses[choice.name].row
        rows.append(
            (
                choice.name,
                analysis.naming.choice(choice),
                class_of(choice.name, analysis.findings, is_passenger=worth.is_passenger),
                price.price,
                price.indifferent,
                worth.mean_of_best,
                reach.score,
                None if without is None else float(contest.scores[without]),
                reach.viability,
                worth.saves,
                float(choice.has(population, top).mean()),
                choice.builds / len(population),
                choice.builds,
                analysis.build_names[reach.row],
                price.why,
                choice.like,
            )
        )
    sign = -1.0 if contest.yardstick.higher_is_better else 1.0
    rows.sort(key=lambda row: (sign * float(row[5] or 0), str(row[0])))
    seen = {str(row[2]) for row in rows}
    note = (
        "Mean of best: the mean score of the 10 best builds with the option. Fair cost: the highest at which "
        "a build with it still reaches the benchmark. Saves: how much worse its best build is without it. "
        + explained({name: said for name, said in CLASSES.items() if name in seen})
    )
    shown = ("option", "cost", "fair_cost", "mean_of_best", "best", "viability", "saves", "class")
    title = "Options, by the mean of their 10 best builds"
    return Sheet("options", title, columns, rows, shown, note, percent=frozenset({"viability"}))


def _overpowered(analysis: Analysis) -> Sheet:
    verdict, contest = analysis.verdict, analysis.verdict.contest
    sure = set(verdict.overpowered.sure.tolist())
    family = verdict.causes.family
    rows: list[tuple[Cell, ...]] = []
    for row in sorted(verdict.overpowered.rows.tolist(), key=lambda row: contest.losses[row])[:_MOST_BUILDS]:
        causes = [" + ".join(cause.names) for cause in family if row in cause.rows]
        reference = verdict.reference
        rows.append(
            (
                analysis.build_names.get(row, ""),
                float(contest.scores[row]),
                None
                if reference is None
                else contest.yardstick.factor(float(contest.losses[row]), reference.loss),
                row in sure,
                "; ".join(causes),
            )
        )
    columns = ("build", "score", "benchmark_ratio", "is_certain", "cause")
    return Sheet("overpowered_builds", "Overpowered builds", columns, rows)


def _combinations(analysis: Analysis) -> Sheet:
    verdict = analysis.verdict
    rows = [
        (
            " + ".join(cause.names),
            len(cause.rows),
            cause.builds,
            analysis.build_names[int(cause.rows[0])],
            float(verdict.contest.scores[cause.rows[0]]),
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
    columns = ("combination", "overpowered_builds", "builds_lost", "best_build", "best")
    title = "Overpowered combinations"
    return Sheet("overpowered_combinations", title, columns, rows, (), note if rows else "")


def _substitutes(analysis: Analysis) -> Sheet:
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
    columns = ("pair", "banned", "best_without", "best_build")
    return Sheet("must_have_pairs", "Pairs that the best build needs", columns, rows, (), note)


def _bans(analysis: Analysis) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for step in analysis.verdict.bans:
        numbers: tuple[Cell, ...] = (None, None, None, None)
        if step.health is not None:
            numbers = (*_numbers(step.health), analysis.build_names[step.health.best])
        rows.append((" + ".join(step.banned) or "nothing", *numbers))
    note = "The game as one combination after the other is banned. In a healthy game nothing changes."
    columns = ("also_banned", "best", "benchmark", "viable_options", "best_build")
    title = "Best build after each ban"
    return Sheet("bans_in_order", title, columns, rows if len(rows) > 1 else (), columns[:-1], note)


def _instant_wins(analysis: Analysis) -> Sheet:
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
    columns = ("build", "score", "scenario", "chance")
    return Sheet("instant_wins", "Instant wins", columns, rows, (), note, percent=frozenset({"chance"}))


def _health(analysis: Analysis) -> Sheet:
    """The health of the whole game, without its first cause, by group and by scenario."""
    verdict, names = analysis.verdict, analysis.build_names
    rows: list[tuple[Cell, ...]] = []
    whole = verdict.bans[0].health
    if whole is not None:
        rows.append(("all", "", whole.builds, *_numbers(whole), whole.freedom[0].of, names[whole.best]))
    first = verdict.without_first_cause
    if first is not None and first.health is not None:
        level = first.health
        banned = f"without {' + '.join(first.banned)}"
        rows.append((banned, "ban", level.builds, *_numbers(level), level.freedom[0].of, names[level.best]))
    for level in verdict.levels:
        rows.append(
            (
                level.name,
                level.kind,
                level.builds,
                *_numbers(level),
                level.freedom[0].of,
                names[level.best],
            )
        )
    columns = ("of", "by", "builds", "best", "benchmark", "viable_options", "options", "best_build")
    note = (
        "Viable: within 20% of the best. Even a healthy game has strong builds in one group or one scenario."
    )
    return Sheet("health", "Health, by group and scenario", columns, rows, columns[:-1], note)


def _numbers(level: Level) -> tuple[Cell, ...]:
    viable = min(level.freedom, key=lambda each: abs(each.least - VIABLE))
    return (level.score, None if level.reference is None else level.reference.score, viable.options)
