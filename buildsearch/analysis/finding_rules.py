"""From an assessment to findings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.assessment import Verdict
from buildsearch.analysis.causes import Culprit, having
from buildsearch.analysis.choices import Naming, listed
from buildsearch.analysis.fair_costs import Purse
from buildsearch.analysis.findings import (
    DECIDED,
    DOMINANT,
    FLAT,
    HOPELESS,
    MUST_HAVE,
    OVERPOWERED,
    TOO_CHEAP,
    TOO_DEAR,
    Finding,
    Severity,
)
from buildsearch.analysis.must_haves import Loss, Side, explains, hidden_must_haves
from buildsearch.analysis.reach import SURE, Reach
from buildsearch.analysis.score_order import Contest

# Rows of builds that a finding shows as evidence.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Bench:
    """What accusations are drawn from: the verdict, names, builds by row, and the label of the score."""

    verdict: Verdict
    naming: Naming
    build_names: Mapping[int, str]
    label: str
    purse: Purse | None

    @property
    def contest(self) -> Contest:
        """All builds by score."""
        return self.verdict.contest

    def build(self, row: int) -> str:
        """A build with its score."""
        return f"{self.build_names.get(row, '')} ({self.score(row)})"

    def score(self, row: int) -> str:
        """A build's score."""
        return f"{self.contest.scores[row]:.4g}"

    def is_exact(self, *rows: int) -> bool:
        """Whether none of some builds is sampled."""
        return all(self.contest.score_errors[row] == 0 for row in rows)


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


def accusations(bench: Bench) -> list[Finding]:
    """Everything that the verdict accuses; nothing where the space is too small to."""
    verdict = bench.verdict
    if verdict.flat is not None:
        return [Finding(FLAT, Severity.WARNING, (), verdict.flat, ("Use other scenarios.",))]
    if verdict.too_small is not None:
        return []
    return [
        *overpowered(bench),
        *must_haves(bench),
        *decided(bench),
        *dominant(bench),
        *mispriced(bench),
    ]


def shown_rows(verdict: Verdict) -> list[int]:
    """The rows of builds that accusations name."""
    rows = [verdict.contest.winner]
    for culprit in verdict.culprits.family:
        rows += culprit.rows[:SHOWN].tolist()
    losses = (*verdict.losses, *verdict.must_haves, *verdict.revealed, *verdict.pair_losses)
    rows += [loss.row for loss in losses if loss.row is not None]
    rows += [each.row for each in verdict.decided]
    rows += [reach.row for reach in verdict.reaches]
    rows += [rung.row for rung in verdict.ladder if rung.row is not None]
    rows += [level.best for level in verdict.levels]
    if verdict.dominant is not None and verdict.dominant.best_other is not None:
        rows.append(verdict.dominant.best_other)
    return list(dict.fromkeys(int(row) for row in rows))
