"""The verdict as tables: every option, culprits, must-haves, the ladder, levels by group and scenario."""

from __future__ import annotations

from collections.abc import Mapping

from buildsearch.analysis.analyses import Analysis
from buildsearch.analysis.health import CLASSES, class_of
from buildsearch.analysis.instant_wins import BEST
from buildsearch.report.sheets import Cell, Sheet

# Overpowered builds that are listed one by one.
_MOST_BUILDS = 1_000


def verdict_sheets(analysis: Analysis) -> list[Sheet]:
    """All tables of the verdict."""
    return [
        _options(analysis),
        _overpowered(analysis),
        _culprits(analysis),
        _pairs(analysis),
        _ladder(analysis),
        _decided(analysis),
        _levels(analysis),
    ]


def explained(classes: Mapping[str, str]) -> str:
    """What class names mean."""
    return " ".join(f"{name.capitalize()}: {said}." for name, said in classes.items() if name)


def _options(analysis: Analysis) -> Sheet:
    """One row an option: what it reaches, what is lost without it, its price and its class."""
    verdict = analysis.verdict
    losses = {loss.choices[0].name: loss for loss in verdict.losses}
    saturation = {curve.part.name: curve.kind for curve in analysis.saturation.curves}
    columns = (
        "option",
        "title",
        "viability",
        "best_with",
        "best_build",
        "loss_when_banned",
        "price",
        "indifference_price",
        "price_note",
        "class",
        "saturation",
        "builds",
        "like",
    )
    rows: list[tuple[Cell, ...]] = []
    for reach in verdict.reaches:
        choice = reach.choice
        price = verdict.prices[choice.name]
        loss = losses[choice.name]
        rows.append(
            (
                choice.name,
                analysis.naming.choice(choice),
                reach.viability,
                reach.score,
                analysis.build_names[reach.row],
                loss.factor,
                price.price,
                price.indifferent,
                price.why,
                class_of(choice.name, analysis.findings),
                saturation.get(choice.name, ""),
                choice.builds,
                choice.like,
            )
        )
    rows.sort(key=lambda row: (-float(row[2] or 0), str(row[0])))
    seen = {str(row[9]) for row in rows}
    note = (
        "Viability: what of the best score is left when one builds around the option. Loss when banned: how "
        "many times better the best build is than the best without the option. Indifference price: the "
        "highest at which a build with it still reaches the reference level. "
        + explained({name: said for name, said in CLASSES.items() if name in seen})
    )
    shown = ("option", "viability", "best_with", "loss_when_banned", "price", "indifference_price", "class")
    title = "Options: what each is worth to a player who chooses well"
    return Sheet("options", title, columns, rows, shown, note, percent=frozenset({"viability"}))


def _overpowered(analysis: Analysis) -> Sheet:
    verdict, contest = analysis.verdict, analysis.verdict.contest
    sure = set(verdict.overpowered.sure.tolist())
    family = verdict.culprits.family
    rows: list[tuple[Cell, ...]] = []
    for row in sorted(verdict.overpowered.rows.tolist(), key=lambda row: contest.losses[row])[:_MOST_BUILDS]:
        guilty = [" + ".join(culprit.names) for culprit in family if row in culprit.rows]
        reference = verdict.reference
        rows.append(
            (
                analysis.build_names.get(row, ""),
                float(contest.scores[row]),
                None
                if reference is None
                else contest.yardstick.factor(float(contest.losses[row]), reference.loss),
                row in sure,
                "; ".join(guilty),
            )
        )
    columns = ("build", "score", "times_the_reference", "sure", "culprits")
    return Sheet("overpowered_builds", "Builds far above the reference level", columns, rows)


def _culprits(analysis: Analysis) -> Sheet:
    verdict = analysis.verdict
    rows = [
        (
            " + ".join(culprit.names),
            len(culprit.rows),
            culprit.builds,
            analysis.build_names[int(culprit.rows[0])],
            float(verdict.contest.scores[culprit.rows[0]]),
        )
        for culprit in verdict.culprits.family
    ]
    proof = (
        "No family of bans loses fewer."
        if verdict.culprits.is_proved
        else (f"Not proved: a family that loses as few as {verdict.culprits.least:,} builds may exist.")
    )
    lost = f"{verdict.culprits.lost:,} builds"
    note = f"Banning all of these leaves no overpowered build and loses {lost}. {proof}"
    columns = ("culprits", "overpowered_builds", "builds_lost", "best_build", "score")
    title = "Culprits: the combinations behind overpowered builds"
    return Sheet("culprits", title, columns, rows, (), note if rows else "")


def _pairs(analysis: Analysis) -> Sheet:
    rows = [
        (
            " + ".join(loss.names),
            loss.how,
            loss.factor,
            None if loss.row is None else analysis.build_names[loss.row],
        )
        for loss in analysis.verdict.pair_losses
    ]
    note = "Neither: both are banned. Together: only their being together is. Alone neither is a must-have."
    columns = ("pair", "banned", "loss_when_banned", "best_build")
    return Sheet("must_have_pairs", "Pairs that the best build needs", columns, rows, (), note)


def _ladder(analysis: Analysis) -> Sheet:
    rungs = analysis.verdict.ladder
    rows = [
        (
            "nothing" if number == 0 else " + ".join(rung.banned),
            number,
            rung.score,
            None if rung.row is None else analysis.build_names[rung.row],
        )
        for number, rung in enumerate(rungs)
    ]
    note = "The best build as one culprit after another is banned. In a healthy game the ladder is flat."
    columns = ("also_banned", "bans", "best", "best_build")
    return Sheet("ladder", "The ladder", columns, rows if len(rows) > 1 else (), (), note)


def _decided(analysis: Analysis) -> Sheet:
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
    note = f"Of the best {BEST} builds: the chance to end a fight as fast as it can end, at least."
    columns = ("build", "score", "scenario", "chance")
    return Sheet(
        "decided_fights", "Fights decided at once", columns, rows, (), note, percent=frozenset({"chance"})
    )


def _levels(analysis: Analysis) -> Sheet:
    verdict = analysis.verdict
    free = [f"viable_{each.least:g}" for each in verdict.freedom]
    rows: list[tuple[Cell, ...]] = [
        (
            "all",
            "score",
            len(verdict.contest.order),
            verdict.best,
            None if verdict.reference is None else verdict.reference.score,
            *(each.options for each in verdict.freedom),
            verdict.freedom[0].of,
            analysis.build_names[verdict.contest.winner],
        )
    ]
    for level in verdict.levels:
        rows.append(
            (
                level.name,
                level.kind,
                level.builds,
                level.score,
                None if level.reference is None else level.reference.score,
                *(each.options for each in level.freedom),
                level.freedom[0].of,
                analysis.build_names[level.best],
            )
        )
    columns = ("of", "by", "builds", "best", "reference", *free, "options", "best_build")
    shown = columns[:-1]
    note = (
        "The best score, what a build around a typical option reaches, and how many options have at least "
        "that viability. Even a healthy game has builds far above the rest in one group or one scenario."
    )
    return Sheet("levels", "Best and reference level, by group and scenario", columns, rows, shown, note)
