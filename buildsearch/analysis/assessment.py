"""Everything that an optimising player finds in the rules, in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.causes import Causes, find_causes, grouped, having
from buildsearch.analysis.choices import Choice, choices_of
from buildsearch.analysis.fair_costs import BuildsOverBudget, IndifferencePrice, indifference_prices, purse_of
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
    OverpoweredBuilds,
    Reach,
    ReachLevel,
    Reference,
    Worth,
    freedom,
    level,
    overpowered,
    reaches,
    reference,
    worths,
)
from buildsearch.analysis.score_order import ScoreOrder, ScoreScale, contest_in, contest_of
from buildsearch.analysis.thresholds import VerdictThresholds
from buildsearch.model.arrays import Bools
from buildsearch.model.evaluation import TIE


@dataclass(frozen=True, slots=True)
class Dominant:
    """The group with most of the best `top` builds: how many, its share of all builds, the best of others."""

    group: str
    top: int
    builds: int
    share: float
    best_other: int | None
    accuses: bool


def dominant_group(contest: ScoreOrder, limits: VerdictThresholds) -> Dominant | None:
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
class BanStep:
    """The game once one more combination is banned; None where no build is left."""

    banned: tuple[str, ...]
    health: ReachLevel | None


@dataclass(frozen=True, eq=False)
class Assessment:
    """All measures. `too_small` says why there are too few builds to judge, `flat` why the fights as a whole
    do not separate builds, `flat_fights` which of them do not; None where findings may be drawn. `must_haves`
    are what the best build cannot do without, `revealed` what it cannot do without once `causes` are banned.
    `weak` are the choices far below the benchmark, now and in the game without all that is too strong: others
    are weak only because of that. `bans` are the combinations of `causes` banned one after the other;
    `without_first_cause` is the game without the first cause, which is named there. `calm` is the benchmark
    of the game without all that is too strong, None where nothing is left.
    """

    contest: ScoreOrder
    reaches: Sequence[Reach]
    worths: Mapping[str, Worth]
    reference: Reference | None
    freedom: tuple[Freedom, ...]
    overpowered: OverpoweredBuilds
    causes: Causes
    losses: Sequence[Loss]
    must_haves: Sequence[Loss]
    revealed: Sequence[Loss]
    pair_losses: Sequence[Loss]
    weak: frozenset[str]
    calm: Reference | None
    prices: Mapping[str, IndifferencePrice]
    decided: Sequence[Decided]
    dominant: Dominant | None
    bans: Sequence[BanStep]
    without_first_cause: BanStep | None
    levels: Sequence[ReachLevel]
    too_small: str | None
    flat: str | None
    flat_fights: tuple[str, ...]

    @property
    def best(self) -> float:
        return float(self.contest.scores[self.contest.winner])

    @property
    def ahead(self) -> float | None:
        """How many times better the best build is than the reference level."""
        if self.reference is None:
            return None
        best = float(self.contest.losses[self.contest.winner])
        return self.contest.yardstick.factor(best, self.reference.loss)


@dataclass(frozen=True, slots=True, eq=False)
class AssessmentInput:
    """What a verdict is about: the builds, how scores are compared, what options cost, and who can say how
    fights end. `least` has the least number of turns of each fight, where turns are counted."""

    population: Population
    yardstick: ScoreScale
    fight_yardstick: ScoreScale
    prices: Mapping[str, int | None]
    least: Sequence[float] | None
    chance: Chance
    beyond: BuildsOverBudget | None = None


def reach_verdict(case: AssessmentInput, limits: VerdictThresholds) -> Assessment:
    population = case.population
    contest = contest_of(population, case.yardstick)
    choices = choices_of(population, case.prices)
    found = reaches(contest, choices)
    level_of_all = reference(contest, found)
    too_small = too_small_why(found, limits)
    flat = flat_why(contest, level_of_all)
    over = overpowered(contest, level_of_all)
    causes = Causes((), 0, True, 0)
    if too_small is None and flat is None:
        causes = find_causes(contest, over.rows, choices, limits.cause_work)
    alone = losses_when_banned(contest, choices)
    needed = needed_together(contest, alone)
    combined = [
        *(each.choices for each in causes.family),
        *(each.choices for each in needed if len(each.choices) > 1),
    ]
    calmer = contest.without(_banned(population, combined))
    # What overpowered combinations make the best build needs is told with them.
    pairs = losses_of_pairs(contest, choices, alone)
    if causes.family and calmer is not None:
        pairs = losses_of_pairs(calmer, choices, losses_when_banned(calmer, choices))
    everything = [
        *combined,
        *(each.choices for each in needed),
        *(side.choices for side in hidden_must_haves(pairs)),
    ]
    calmest = contest.without(_banned(population, everything))
    budget = int(population.scores.cost.max())
    purse = purse_of(population, case.prices, budget)
    levels = _levels(case, contest, choices, limits)
    return Assessment(
        contest=contest,
        reaches=found,
        worths=worths(contest, found, limits),
        reference=level_of_all,
        freedom=freedom(found, limits.viable),
        overpowered=over,
        causes=causes,
        losses=alone,
        must_haves=needed,
        revealed=_revealed(calmer, choices, needed) if combined else [],
        pair_losses=pairs,
        weak=_far_below(contest, found, level_of_all) & _weak_without(calmest, choices),
        calm=None if calmest is None else reference(calmest, reaches(calmest, choices)),
        prices=indifference_prices(contest, found, level_of_all, purse, case.beyond),
        decided=decided_at_once(contest, case.least, case.chance, limits, accused_only=True),
        dominant=dominant_group(contest, limits),
        bans=_bans_in_order(contest, choices, causes, limits),
        without_first_cause=_without_first_cause(contest, choices, causes, limits),
        levels=levels,
        too_small=too_small,
        flat=flat,
        flat_fights=_flat_fights(case, levels, limits),
    )


def _banned(population: Population, combinations: Sequence[Sequence[Choice]]) -> Bools:
    """The builds that have all choices of some combination."""
    gone = np.zeros(len(population), dtype=np.bool_)
    for choices in combinations:
        gone |= having(population, choices)
    return gone


def _revealed(calmer: ScoreOrder | None, choices: Sequence[Choice], known: Sequence[Loss]) -> list[Loss]:
    """Must-haves that something stronger hid."""
    if calmer is None:
        return []
    features = {choice.part.feature for loss in known for choice in loss.choices}
    found = needed_together(calmer, losses_when_banned(calmer, choices))
    return [loss for loss in found if not features & {choice.part.feature for choice in loss.choices}]


def _far_below(contest: ScoreOrder, found: Sequence[Reach], level_of_all: Reference | None) -> frozenset[str]:
    if level_of_all is None:
        return frozenset()
    limit = level_of_all.loss + contest.yardstick.margin
    return frozenset(reach.choice.name for reach in found if reach.loss > limit)


def _weak_without(calmest: ScoreOrder | None, choices: Sequence[Choice]) -> frozenset[str]:
    """Choices far below the reference level of a game without all that is too strong; also those that only
    ever stood beside it."""
    if calmest is None:
        return frozenset(choice.name for choice in choices)
    found = reaches(calmest, choices)
    gone = {choice.name for choice in choices} - {reach.choice.name for reach in found}
    return _far_below(calmest, found, reference(calmest, found)) | gone


def too_small_why(found: Sequence[Reach], limits: VerdictThresholds) -> str | None:
    """Why there are too few builds to judge; None where there are enough."""
    options = [reach for reach in found if reach.counts]
    if len(options) < limits.fewest_options:
        return f"there are {len(options)} options, and judging needs {limits.fewest_options}"
    chosen = [reach.choice for reach in options if reach.choice.part.is_chosen]
    paid = [choice for choice in chosen if choice.price is not None]
    contexts = float(np.median([choice.builds for choice in paid or chosen] or [0]))
    if contexts < limits.fewest_contexts:
        return (
            f"half of the options are in at most {contexts:,.0f} builds, and judging needs "
            f"{limits.fewest_contexts}"
        )
    return None


def flat_why(contest: ScoreOrder, level_of_all: Reference | None) -> str | None:
    """Why fights that every option wins equally well do not separate builds; None where they do."""
    if level_of_all is None:
        return "there is no option to choose"
    yardstick = contest.yardstick
    if contest.scores.min() == contest.scores.max():
        return "all builds score the same"
    if abs(level_of_all.loss - float(contest.losses[contest.winner])) < 1e-9:
        return "a build around any option does as well as the best"
    if yardstick.is_clipped(level_of_all.loss):
        end = "wins" if level_of_all.loss < 0 else "loses"
        return f"a build around a typical option {end} nearly always"
    return None


def _flat_fights(
    case: AssessmentInput, levels: Sequence[ReachLevel], limits: VerdictThresholds
) -> tuple[str, ...]:
    """The fights that any option wins as well as the best, or half of all builds about as well. In a balanced
    fight good builds do equally well, but not half of all of them."""
    yardstick = case.fight_yardstick
    found = []
    for each in levels:
        if each.kind == FIGHT and each.reference is not None:
            best = yardstick.loss(each.score)
            is_flat = each.reference.loss - best < TIE or yardstick.is_clipped(each.reference.loss)
            if is_flat or each.median_loss - best < yardstick.distance(limits.flat):
                found.append(each.name)
    return tuple(found)


def _bans_in_order(
    contest: ScoreOrder, choices: Sequence[Choice], causes: Causes, limits: VerdictThresholds
) -> list[BanStep]:
    """The game as it is, then as one combination after the other is banned."""
    gone = np.zeros(len(contest.population), dtype=np.bool_)
    steps = [BanStep((), level(contest, choices, limits.viable, "", ""))]
    for cause in causes.family:
        gone |= having(contest.population, cause.choices)
        steps.append(BanStep(cause.names, _health(contest.without(gone), choices, limits)))
    return steps


def _without_first_cause(
    contest: ScoreOrder, choices: Sequence[Choice], causes: Causes, limits: VerdictThresholds
) -> BanStep | None:
    """The game without the option that the first cause is about, or without its combination."""
    for shared, combinations in grouped(causes.family):
        banned = combinations[0].choices if shared is None else (shared,)
        left = contest.without(having(contest.population, banned))
        kept = [choice for choice in choices if choice not in banned or len(banned) > 1]
        return BanStep(tuple(choice.name for choice in banned), _health(left, kept, limits))
    return None


def _health(
    contest: ScoreOrder | None, choices: Sequence[Choice], limits: VerdictThresholds
) -> ReachLevel | None:
    return None if contest is None else level(contest, choices, limits.viable, "", "")


def _levels(
    case: AssessmentInput, contest: ScoreOrder, choices: Sequence[Choice], limits: VerdictThresholds
) -> list[ReachLevel]:
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
