"""What is wrong with the top as a whole: fights decided at once, one group that has nearly all of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from buildsearch.analysis.accused.bench import SHOWN, Bench
from buildsearch.analysis.findings import DECIDED, DOMINANT, Finding, Severity
from buildsearch.analysis.names import listed


def decided(bench: Bench) -> Iterator[Finding]:
    """Fights that nobody gets to play."""
    found = [each for each in bench.verdict.decided if each.accuses]
    if not found:
        return
    first = found[0]
    fights = listed(list(first.chances))
    many = f"{len(found)} of the best builds decide" if len(found) > 1 else "One of the best builds decides"
    least = min(first.chances.values())
    how = (
        "for certain"
        if least > 1 - 1e-9
        else f"each with a chance of {math.floor(1000 * least) / 10:g} % or more"
    )
    text = (
        f"{many} at least half of the fights at once. {bench.build(first.row)} ends {fights} as "
        f"fast as they can end, {how}."
    )
    yield Finding(
        kind=DECIDED,
        severity=Severity.ERROR,
        culprits=tuple(first.chances),
        text=text,
        cures=("Make these fights harder, or remove the combination that does it.",),
        builds=tuple(each.row for each in found[:SHOWN]),
        is_exact=bench.is_exact(first.row),
        numbers={"builds": len(found), "fights": dict(first.chances), "weight": first.weight},
    )


def dominant(bench: Bench) -> Iterator[Finding]:
    """A group that leaves the others nothing."""
    found = bench.verdict.dominant
    if found is None or not found.accuses:
        return
    name = bench.naming.titles.get(found.group, found.group)
    text = f"{name} has {found.builds} of the best {found.top} builds, and {found.share:.0%} of all."
    if found.best_other is not None:
        text += f" The best of the others is {bench.build(found.best_other)}."
    rows = (found.best_other,) if found.best_other is not None else ()
    yield Finding(
        kind=DOMINANT,
        severity=Severity.WARNING,
        culprits=(found.group,),
        text=text,
        cures=("Weaken it, or strengthen the others.",),
        builds=rows,
        is_exact=bench.is_exact(*rows),
        numbers={"of_the_top": found.builds, "top": found.top, "share": found.share},
    )
