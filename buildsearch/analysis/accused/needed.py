"""Must-haves: in plain sight, behind something stronger, or behind one another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from buildsearch.analysis.accused.bench import Bench
from buildsearch.analysis.findings import MUST_HAVE, Finding, Severity
from buildsearch.analysis.verdict.culprits import having
from buildsearch.analysis.verdict.must_haves import Loss, Side, explains, hidden_must_haves


def must_haves(bench: Bench) -> Iterator[Finding]:
    """What the best build cannot do without."""
    family = bench.verdict.culprits.family
    for loss in bench.verdict.must_haves:
        # A combination that is accused of being overpowered is not accused again.
        if not any(explains(bench.contest, culprit.choices, loss) for culprit in family):
            yield _must_have(bench, loss, bench.contest.winner, "")
    for loss in bench.verdict.revealed:
        best = bench.verdict.ladder[-1].row
        assert best is not None  # noqa: S101 - somebody is left, or nothing would be revealed
        yield _must_have(bench, loss, best, " once the combinations above are gone")
    for side in hidden_must_haves(bench.verdict.pair_losses):
        yield _hidden(bench, side)


def _must_have(bench: Bench, loss: Loss, best: int, when: str) -> Finding:
    contest = bench.contest
    assert loss.row is not None  # noqa: S101 - somebody is left
    assert loss.factor is not None  # noqa: S101 - the same
    name = bench.naming.together(loss.choices)
    top = contest.order[:50]
    population = contest.population
    share = float(np.logical_and.reduce([choice.has(population, top) for choice in loss.choices]).mean())
    base = float(having(population, loss.choices).mean())
    text = (
        f"{name}{when}: without it the best build is {bench.build(loss.row)} instead of {bench.build(best)}; "
        f"with it one is {contest.yardstick.say(loss.factor)}. It stands in {share:.0%} of the best "
        f"{len(top)} builds and in {base:.0%} of all."
    )
    cures = ["Weaken it, or offer something as good beside it."]
    price = bench.verdict.prices.get(loss.choices[0].name) if len(loss.choices) == 1 else None
    if price is not None and price.indifferent is not None and price.price is not None:
        fair = max(price.indifferent, price.price + 1)
        cures.insert(0, f"Raise its price from {price.price} to {fair}, and look again.")
        if price.indifferent > price.price:
            text += (
                f" It costs {price.price}; even at {price.indifferent} a build with it would still reach the "
                "reference level."
            )
    return Finding(
        kind=MUST_HAVE,
        severity=Severity.ERROR,
        culprits=loss.names,
        text=text,
        cures=tuple(cures),
        builds=(best, loss.row),
        is_open=loss.is_open,
        is_exact=bench.is_exact(best, loss.row),
        numbers={"loss_when_banned": loss.factor, "share_of_top": share, "share": base},
    )


def _hidden(bench: Bench, side: Side) -> Finding:
    """A must-have that another hides: one can do without either of them, but not without both."""
    contest, loss = bench.contest, side.loss
    assert loss.row is not None  # noqa: S101 - somebody is left
    assert loss.factor is not None  # noqa: S101 - the same
    names = bench.naming.together(side.choices)
    others = bench.naming.together(side.others)
    return Finding(
        kind=MUST_HAVE,
        severity=Severity.ERROR,
        culprits=tuple(choice.name for choice in side.choices),
        text=f"{names} and {others} stand in for one another: without either the best build is hardly worse, "
        f"without both it is {bench.build(loss.row)} instead of {bench.build(contest.winner)}; with one of "
        f"them one is {contest.yardstick.say(loss.factor)}.",
        cures=(f"Weaken both, or raise the price of both: changing {names} alone leaves {others}.",),
        builds=(contest.winner, loss.row),
        is_open=loss.is_open,
        is_exact=bench.is_exact(contest.winner, loss.row),
        numbers={
            "loss_when_banned": loss.factor,
            "hidden_by": [choice.name for choice in side.others],
        },
    )
