"""Combinations far above the reference level, with what removes them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from buildsearch.analysis.accused.bench import SHOWN, Bench
from buildsearch.analysis.findings import OVERPOWERED, Finding, Severity
from buildsearch.analysis.names import listed
from buildsearch.analysis.verdict.culprits import Culprit


def overpowered(bench: Bench) -> Iterator[Finding]:
    """A finding for each culprit."""
    verdict, yardstick = bench.verdict, bench.contest.yardstick
    reference = verdict.reference
    assert reference is not None  # noqa: S101 - without one nothing is overpowered
    sure = set(verdict.overpowered.sure.tolist())
    for number, culprit in enumerate(verdict.culprits.family):
        best = int(culprit.rows[0])
        factor = yardstick.factor(float(bench.contest.losses[best]), reference.loss)
        rung = verdict.ladder[number + 1]
        many = len(culprit.rows)
        several = f"{many} builds with it are" if many > 1 else "One build with it is"
        left = "nothing" if rung.score is None else f"{rung.score:.4g}"
        before = " and those above" if number else ""
        text = (
            f"{bench.naming.together(culprit.choices)}: {several} far above the reference level. The best, "
            f"{bench.build(best)}, is {yardstick.say(factor)} than what a typical option reaches "
            f"({reference.score:.4g} {bench.label}). Banning it{before} leaves {left} as the best score; "
            f"alone it takes {culprit.builds:,} of {len(bench.contest.population):,} builds out of the game."
        )
        yield Finding(
            kind=OVERPOWERED,
            severity=Severity.ERROR,
            culprits=culprit.names,
            text=text,
            cures=tuple(_cures(bench, culprit)),
            builds=tuple(culprit.rows[:SHOWN].tolist()),
            is_open=not any(row in sure for row in culprit.rows.tolist()),
            is_exact=bench.is_exact(best),
            numbers={
                "builds": len(culprit.rows),
                "best": float(bench.contest.scores[best]),
                "reference": reference.score,
                "factor": factor,
                "lost": culprit.builds,
                "proved": verdict.culprits.is_proved,
            },
        )


def _cures(bench: Bench, culprit: Culprit) -> Iterator[str]:
    """A ban, or the smallest price rise of one of the options that takes all its builds out of the budget."""
    groups = [choice for choice in culprit.choices if not choice.part.is_chosen]
    chosen = [choice for choice in culprit.choices if choice.part.is_chosen]
    where = f" on {bench.naming.together(groups)}" if groups else ""
    named = listed([bench.naming.choice(choice) for choice in chosen])
    yield f"Exclude {named} from one another{where}." if len(chosen) > 1 else f"Ban {named}{where}."
    if bench.purse is None:
        return
    population = bench.contest.population
    room = bench.purse.budget - population.scores.cost[culprit.rows]
    rises = []
    for choice in chosen:
        if choice.price is not None:
            each = bench.purse.steps(population, culprit.rows, choice.part.feature)
            rise = int(np.floor(room / each + 1e-9).max()) + 1
            rises.append((rise, choice.price, bench.naming.choice(choice)))
    if rises:
        rise, price, name = min(rises)
        yield f"Or raise the price of {name} from {price} to {price + rise}."
