"""Everything that an optimising player finds in the rules, in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.analysis.causes import Culprits, culprits, having
from buildsearch.analysis.choices import Choice, choices_of
from buildsearch.analysis.fair_costs import Beyond, IndifferencePrice, indifference_prices, purse_of
from buildsearch.analysis.instant_wins import Chance, Decided, decided_at_once
from buildsearch.analysis.must_haves import (
    Loss,
    hidden_must_haves,
    losses_of_pairs,
    losses_when_banned,
    needed_together,
)
from buildsearch.analysis.population import Population
from buildsearch.analysis.reach import (
    Freedom,
    Level,
    Overpowered,
    Reach,
    Reference,
    freedom,
    level,
    overpowered,
    priced,
    reaches,
    reference,
)
from buildsearch.analysis.score_order import Contest, Yardstick, contest_in, contest_of
from buildsearch.analysis.thresholds import VerdictThresholds


@dataclass(frozen=True, slots=True)
class Dominant:
    """The group with most of the best `top` builds: how many, its share of all builds, the best of others."""

    group: str
    top: int
    builds: int
    share: float
    best_other: int | None
    accuses: bool


def dominant_group(contest: Contest, limits: VerdictThresholds) -> Dominant | None:
    """None where there is one group only, where groups are made of parts, or where the top is too small."""
    scores = contest.population.scores
    top = min(limits.dominant_top, len(contest.order) // 10)
    is_kind = set(scores.groups) <= set(contest.population.names)
    if len(scores.groups) < 2 or not is_kind or top < limits.dominant_fewest:
        return None
    counts = np.bincount(scores.group[contest.order[:top]], minlength=len(scores.groups))
    first = int(counts.argmax())
    share = float((scores.group[contest.order] == first).mean())
    builds = int(counts[first])
    return Dominant(
        group=scores.groups[first],
        top=top,
        builds=builds,
        share=share,
        best_other=contest.best(lambda rows: scores.group[rows] != first),
        # A group that is most of the space is most of its top too.
        accuses=builds >= limits.dominant_share * top and share <= limits.dominant_share / 2,
    )


GROUP, FIGHT = "group", "scenario"


@dataclass(frozen=True, slots=True)
class Rung:
    """The best build once the first culprits are banned."""

    banned: tuple[str, ...]
    row: int | None
    score: float | None


@dataclass(frozen=True, eq=False)
class Verdict:
    """All measures. `too_small` says why nobody may be accused, `flat` why fights do not tell builds apart;
    both are None where findings may be drawn. `must_haves` are what the best build cannot do without,
    `revealed` what it cannot do without once culprits are banned. `weak` are the choices far below the
    reference level, now and in the game without all that is too strong: others are only its victims. `calm`
    is the reference level of that game, None where nothing is left.
    """

    contest: Contest
    reaches: Sequence[Reach]
    reference: Reference | None
    freedom: tuple[Freedom, ...]
    overpowered: Overpowered
    culprits: Culprits
    losses: Sequence[Loss]
    must_haves: Sequence[Loss]
    revealed: Sequence[Loss]
    pair_losses: Sequence[Loss]
    weak: frozenset[str]
    calm: Reference | None
    prices: Mapping[str, IndifferencePrice]
    decided: Sequence[Decided]
    dominant: Dominant | None
    ladder: Sequence[Rung]
    levels: Sequence[Level]
    too_small: str | None
    flat: str | None

    @property
    def best(self) -> float:
        """The best score."""
        return float(self.contest.scores[self.contest.winner])

    @property
    def ahead(self) -> float | None:
        """How many times better the best build is than the reference level."""
        if self.reference is None:
            return None
        best = float(self.contest.losses[self.contest.winner])
        return self.contest.yardstick.factor(best, self.reference.loss)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What a verdict is about: the builds, how scores are compared, what options cost, and who can say how
    fights end. `least` has the least number of turns of each fight, where turns are counted."""

    population: Population
    yardstick: Yardstick
    fight_yardstick: Yardstick
    prices: Mapping[str, int | None]
    least: Sequence[float] | None
    chance: Chance
    beyond: Beyond | None = None


def reach_verdict(case: Case, limits: VerdictThresholds) -> Verdict:
    """Every measure of a run."""
    population = case.population
    contest = contest_of(population, case.yardstick)
    choices = choices_of(population, case.prices)
    found = reaches(contest, choices)
    level_of_all = reference(contest, found)
    too_small = too_small_why(found, limits)
    flat = flat_why(contest, level_of_all)
    over = overpowered(contest, level_of_all)
    accuses = too_small is None and flat is None
    family = culprits(contest, over.rows, choices, limits.culprit_seconds) if accuses else culprits_of_none()
    alone = losses_when_banned(contest, choices)
    needed = needed_together(contest, alone)
    pairs = losses_of_pairs(contest, choices, alone)
    combined = [
        *(each.choices for each in family.family),
        *(each.choices for each in needed if len(each.choices) > 1),
    ]
    calmer = contest.without(_banned(population, combined))
    everything = [
        *combined,
        *(each.choices for each in needed),
        *(side.choices for side in hidden_must_haves(pairs)),
    ]
    calmest = contest.without(_banned(population, everything))
    budget = int(population.scores.cost.max())
    purse = purse_of(population, case.prices, budget)
    return Verdict(
        contest=contest,
        reaches=found,
        reference=level_of_all,
        freedom=freedom(found, limits.viable),
        overpowered=over,
        culprits=family,
        losses=alone,
        must_haves=needed,
        revealed=_revealed(calmer, choices, needed) if combined else [],
        pair_losses=pairs,
        weak=_far_below(contest, found, level_of_all) & _weak_without(calmest, choices),
        calm=None if calmest is None else reference(calmest, reaches(calmest, choices)),
        prices=indifference_prices(contest, found, level_of_all, purse, case.beyond),
        decided=decided_at_once(contest, case.least, case.chance, limits),
        dominant=dominant_group(contest, limits),
        ladder=_ladder(contest, family),
        levels=_levels(case, contest, choices, limits),
        too_small=too_small,
        flat=flat,
    )


def _banned(population: Population, combinations: Sequence[Sequence[Choice]]) -> NDArray[np.bool_]:
    """The builds that have all choices of some combination."""
    gone = np.zeros(len(population), dtype=np.bool_)
    for choices in combinations:
        gone |= having(population, choices)
    return gone


def _revealed(calmer: Contest | None, choices: Sequence[Choice], known: Sequence[Loss]) -> list[Loss]:
    """Must-haves that something stronger hid."""
    if calmer is None:
        return []
    names = {choice.name for loss in known for choice in loss.choices}
    found = needed_together(calmer, losses_when_banned(calmer, choices))
    return [loss for loss in found if not names & set(loss.names)]


def _far_below(contest: Contest, found: Sequence[Reach], level_of_all: Reference | None) -> frozenset[str]:
    if level_of_all is None:
        return frozenset()
    limit = level_of_all.loss + contest.yardstick.margin
    return frozenset(reach.choice.name for reach in found if reach.loss > limit)


def _weak_without(calmest: Contest | None, choices: Sequence[Choice]) -> frozenset[str]:
    """Choices far below the reference level of a game without all that is too strong; also those that only
    ever stood beside it."""
    if calmest is None:
        return frozenset(choice.name for choice in choices)
    found = reaches(calmest, choices)
    gone = {choice.name for choice in choices} - {reach.choice.name for reach in found}
    return _far_below(calmest, found, reference(calmest, found)) | gone


def culprits_of_none() -> Culprits:
    """Nobody is accused."""
    return Culprits((), 0, True, 0)


def too_small_why(found: Sequence[Reach], limits: VerdictThresholds) -> str | None:
    """Why a space is too small to accuse anybody; None where it is not."""
    options = [reach for reach in found if reach.counts]
    if len(options) < limits.fewest_options:
        return (
            f"The space has {len(options)} options, and with fewer than {limits.fewest_options} a typical "
            "one means little: nobody is accused."
        )
    contexts = float(np.median([reach.choice.builds for reach in priced(found)] or [0]))
    if contexts < limits.fewest_contexts:
        return (
            f"The median option stands in {contexts:,.0f} builds, and fewer than {limits.fewest_contexts} "
            "are too few to accuse anybody. Look at a larger budget."
        )
    return None


def flat_why(contest: Contest, level_of_all: Reference | None) -> str | None:
    """Fights that every option wins equally well say nothing about options."""
    if level_of_all is None:
        return "No option can be chosen: there is nothing to compare."
    best = float(contest.losses[contest.winner])
    yardstick = contest.yardstick
    if abs(level_of_all.loss - best) < 1e-9 and contest.scores.min() < contest.scores.max():
        why = "a build around any option does as well as the best"
    elif contest.scores.min() == contest.scores.max():
        why = "all builds score the same"
    elif yardstick.is_clipped(level_of_all.loss):
        end = "won" if level_of_all.loss < 0 else "lost"
        why = f"a build around a typical option has {end} them already ({level_of_all.score:.3g})"
    else:
        return None
    return f"These fights do not tell builds apart: {why}. Choose harder or easier ones."


def _ladder(contest: Contest, family: Culprits) -> list[Rung]:
    population = contest.population
    top = contest.winner
    rungs = [Rung((), top, float(contest.scores[top]))]
    left = np.ones(len(population), dtype=np.bool_)
    for culprit in family.family:
        left &= ~having(population, culprit.choices)
        row = contest.best(left.__getitem__)
        rungs.append(Rung(culprit.names, row, None if row is None else float(contest.scores[row])))
    return rungs


def _levels(
    case: Case, contest: Contest, choices: Sequence[Choice], limits: VerdictThresholds
) -> list[Level]:
    scores = case.population.scores
    found = []
    # Groups that are made of parts (a line of stats) are choices already.
    if len(scores.groups) > 1 and set(scores.groups) <= set(case.population.names):
        for number, name in enumerate(scores.groups):
            mine = np.flatnonzero(scores.group == number)
            part = contest_of(case.population, case.yardstick, mine)
            inside = [choice for choice in choices if choice.part.is_chosen]
            found.append(level(part, inside, limits.viable, name, GROUP))
    if len(scores.fights) > 1:
        for number, name in enumerate(scores.fights):
            part = contest_in(case.population, case.fight_yardstick, number)
            found.append(level(part, choices, limits.viable, name, FIGHT))
    return found
