"""Options far off the reference level for what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from buildsearch.analysis.accused.bench import Bench
from buildsearch.analysis.findings import HOPELESS, TOO_CHEAP, TOO_DEAR, Finding, Severity
from buildsearch.analysis.verdict.overpowered import SURE
from buildsearch.analysis.verdict.reach import Reach


def mispriced(bench: Bench) -> Iterator[Finding]:
    """Too cheap, too dear, or hopeless: far off the reference level, and off its price."""
    verdict, yardstick = bench.verdict, bench.contest.yardstick
    reference = verdict.reference
    assert reference is not None  # noqa: S101 - without one nobody is accused
    in_family: dict[str, int] = {}
    for culprit in verdict.culprits.family:
        for name in culprit.names:
            in_family[name] = in_family.get(name, 0) + 1
    heavy = {name for loss in (*verdict.must_haves, *verdict.revealed) for name in loss.names}
    for reach in verdict.reaches:
        choice = reach.choice
        if not choice.part.is_chosen or choice.part.at_least > 1 or choice.like is not None:
            continue
        doubt = SURE * float(np.hypot(reach.error, reference.error))
        apart = reach.loss - reference.loss
        if apart < -yardstick.margin and choice.name not in heavy and in_family.get(choice.name, 0) > 1:
            finding = _too_cheap(
                bench, reach, in_family[choice.name], is_open=apart > -yardstick.margin - doubt
            )
            if finding is not None:
                yield finding
        elif choice.name in verdict.weak:
            yield _too_dear(bench, reach, apart, is_open=apart < yardstick.margin + doubt)


def _too_cheap(bench: Bench, reach: Reach, families: int, *, is_open: bool) -> Finding | None:
    """One that stands behind several overpowered combinations, and would be worth it at a higher price."""
    price = bench.verdict.prices[reach.choice.name]
    if price.indifferent is None or price.price is None or price.indifferent <= price.price:
        return None
    name = bench.naming.choice(reach.choice)
    return Finding(
        kind=TOO_CHEAP,
        severity=Severity.ERROR,
        culprits=(reach.choice.name,),
        text=f"{name} is too cheap at {price.price}: it is part of {families} overpowered combinations, and "
        f"at {price.indifferent} its best build would still reach the reference level. Its best build now is "
        f"{bench.build(reach.row)}.",
        cures=(f"Raise its price from {price.price} to {price.indifferent}.",),
        builds=(reach.row,),
        is_open=is_open,
        is_exact=bench.is_exact(reach.row),
        numbers={"price": price.price, "indifference_price": price.indifferent, "best_with": reach.score},
    )


def _too_dear(bench: Bench, reach: Reach, apart: float, *, is_open: bool) -> Finding:
    verdict, yardstick = bench.verdict, bench.contest.yardstick
    reference = verdict.reference
    assert reference is not None  # noqa: S101 - the caller compared with it
    price = verdict.prices[reach.choice.name]
    name = bench.naming.choice(reach.choice)
    factor = yardstick.factor(reference.loss, reach.loss)
    is_hopeless = apart > yardstick.twice
    head = f"Nobody should take {name}" if is_hopeless else f"{name} is too dear"
    if price.price is not None and not is_hopeless:
        head += f" at {price.price}"
    text = (
        f"{head}: its best build is {bench.build(reach.row)}, and the reference level of "
        f"{reference.score:.4g} is {yardstick.say(factor)}."
    )
    cure = "Strengthen it."
    if price.indifferent is not None and price.price is not None and price.indifferent < price.price:
        cure = f"Lower its price from {price.price} to {price.indifferent}, or strengthen it."
    elif price.price:
        cure = f"Strengthen it, or lower its price ({price.why})."
    return Finding(
        kind=HOPELESS if is_hopeless else TOO_DEAR,
        severity=Severity.WARNING,
        culprits=(reach.choice.name,),
        text=text,
        cures=(cure,),
        builds=(reach.row,),
        is_open=is_open,
        is_exact=bench.is_exact(reach.row),
        numbers={"price": price.price, "indifference_price": price.indifferent, "best_with": reach.score},
    )
