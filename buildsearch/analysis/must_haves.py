"""What an optimiser loses without a choice, without two of them, and without their being together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from buildsearch.analysis.choices import Choice, with_none, with_not_all
from buildsearch.analysis.reach import SURE
from buildsearch.analysis.score_order import ScoreOrder

TOGETHER, NEITHER = "together", "neither"
# Pairs are told apart among the best builds; further down nobody plays.
_LOOK = 65_536
_MOST_TOGETHER = 4
# Without both of a pair a build loses this many times what it loses without either.
_MORE_THAN_ALONE = 2.0
# A combination costs about as much as its parts from this share on.
_ABOUT = 0.8


@dataclass(frozen=True, slots=True)
class Loss:
    """Bans of one choice, or of two (`how`: not together, or neither). `factor` is how many times better the
    `best` build is than the best that is left, `row`; None where nothing is left."""

    choices: tuple[Choice, ...]
    how: str
    best: int
    row: int | None
    apart: float
    factor: float | None
    is_heavy: bool
    is_open: bool
    is_near: bool = False  # not heavy, but nearly

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(choice.name for choice in self.choices)


def losses_when_banned(contest: ScoreOrder, choices: Sequence[Choice]) -> list[Loss]:
    return [
        _loss(contest, (choice,), NEITHER, contest.best(with_none(contest.population, (choice,))))
        for choice in choices
    ]


def losses_of_pairs(contest: ScoreOrder, choices: Sequence[Choice], alone: Sequence[Loss]) -> list[Loss]:
    """Pairs whose ban costs more than the margin where neither does so alone: interchangeable must-haves hide
    behind one another (`neither`), and so do two that only shine together (`together`)."""
    heavy = {loss.choices[0].name for loss in alone if loss.is_heavy}
    light = [choice for choice in choices if choice.name not in heavy and _can_be_needed(choice)]
    found = [_loss(contest, pair, NEITHER, row) for pair, row in _neither(contest, light)]
    top = np.array([contest.winner])
    mine = [choice for choice in light if choice.has(contest.population, top)[0]]
    for pair in combinations(mine, 2):
        row = contest.best(with_not_all(contest.population, pair))
        found.append(_loss(contest, pair, TOGETHER, row))
    apart = {loss.choices[0].name: loss.apart for loss in alone}
    return [
        loss
        for loss in found
        if loss.is_heavy
        and not _are_nested(loss.choices)
        # Two losses that only add up are no pair.
        and loss.apart > _MORE_THAN_ALONE * sum(apart[name] for name in loss.names)
    ]


def _are_nested(pair: Sequence[Choice]) -> bool:
    return pair[0].part.feature == pair[1].part.feature


def _neither(contest: ScoreOrder, choices: Sequence[Choice]) -> Iterator[tuple[tuple[Choice, Choice], int]]:
    """The best build with neither of two, for all pairs; pairs that every build has one of are no choice."""
    rows = contest.order[:_LOOK]
    lacks = [~choice.has(contest.population, rows) for choice in choices]
    for (i, first), (j, second) in combinations(enumerate(choices), 2):
        found = lacks[i] & lacks[j]
        place = int(found.argmax())
        if found[place]:
            yield (first, second), int(rows[place])
        else:
            row = contest.best(with_none(contest.population, (first, second)))
            if row is not None:
                yield (first, second), row


def _loss(contest: ScoreOrder, choices: tuple[Choice, ...], how: str, row: int | None) -> Loss:
    if row is None:
        return Loss(choices, how, contest.winner, None, np.inf, None, is_heavy=True, is_open=False)
    top = contest.winner
    apart = float(contest.losses[row] - contest.losses[top])
    doubt = SURE * float(np.hypot(contest.errors[row], contest.errors[top])) if row != top else 0.0
    factor = contest.yardstick.factor(float(contest.losses[top]), float(contest.losses[row]))
    margin = contest.yardstick.margin
    is_near = contest.yardstick.near < apart <= margin
    return Loss(
        choices, how, top, row, apart, factor, apart > margin, margin < apart <= margin + doubt, is_near
    )


def needed_together(contest: ScoreOrder, alone: Sequence[Loss]) -> list[Loss]:
    """What the best build cannot do without: options, and combinations of them.

    Options whose being together, when it is banned, costs about as much as each of them does are one; and so
    are options none of which the best build needs any more once that is banned.
    """
    left = _highest_levels([loss for loss in alone if loss.is_heavy and loss.factor is not None])
    found = []
    for size in range(min(_MOST_TOGETHER, len(left)), 1, -1):
        for some in combinations(left, size):
            if all(loss in left for loss in some):
                choices = tuple(loss.choices[0] for loss in some)
                row = contest.best(with_not_all(contest.population, choices))
                together = _loss(contest, choices, TOGETHER, row)
                is_as_much = together.apart >= _ABOUT * max(loss.apart for loss in some)
                if is_as_much or (together.is_heavy and _is_all(contest, choices)):
                    found.append(together)
                    left = [loss for loss in left if loss not in some]
    return [*found, *left]


def _is_all(contest: ScoreOrder, choices: Sequence[Choice]) -> bool:
    """Whether the best build needs none of some choices any more once they may not be together."""
    having_all = np.logical_and.reduce([choice.part.of(contest.population) for choice in choices])
    left = contest.without(having_all)
    return left is not None and not any(
        _loss(left, (choice,), NEITHER, left.best(with_none(left.population, (choice,)))).is_heavy
        for choice in choices
    )


def explains(contest: ScoreOrder, banned: Sequence[Choice], loss: Loss) -> bool:
    """Whether banning a combination alone costs about as much as banning a part of it does."""
    if not set(loss.choices) <= set(banned) or len(banned) == 1:
        return False
    row = contest.best(with_not_all(contest.population, banned))
    return row is None or float(contest.losses[row] - contest.losses[contest.winner]) >= _ABOUT * loss.apart


def _highest_levels(heavy: Sequence[Loss]) -> list[Loss]:
    """A build that needs four of a card needs three of it: only the highest number counts."""
    by_feature = {loss.choices[0].part.feature: loss for loss in heavy if _can_be_needed(loss.choices[0])}
    return list(by_feature.values())


def _can_be_needed(choice: Choice) -> bool:
    """Groups are no options, and every build must spend its points on some stats."""
    return choice.part.is_chosen and not choice.part.is_stat


@dataclass(frozen=True, slots=True)
class Substitutes:
    """Choices that `others` replace: without both the best build is far worse, as `loss` says.

    Several choices of one side are needed together.
    """

    choices: tuple[Choice, ...]
    others: tuple[Choice, ...]
    loss: Loss


def hidden_must_haves(pairs: Sequence[Loss]) -> list[Substitutes]:
    """Interchangeable must-haves, each pair of sides once.

    Two that hide behind the same others and not behind one another are one: they work only together.
    """
    heavy = [loss for loss in pairs if loss.how == NEITHER and loss.factor is not None]
    behind: dict[Choice, list[Choice]] = {}
    for loss in heavy:
        first, second = loss.choices
        behind.setdefault(first, []).append(second)
        behind.setdefault(second, []).append(first)
    sides: dict[frozenset[str], list[Choice]] = {}
    for choice, others in behind.items():
        sides.setdefault(frozenset(other.name for other in others), []).append(choice)
    found: dict[frozenset[str], Substitutes] = {}
    for names, choices in sides.items():
        mine = [loss for loss in heavy if set(loss.choices) & set(choices)]
        worst = max(mine, key=lambda loss: loss.apart)
        others = [choice for choice in behind if choice.name in names]
        both = names | {choice.name for choice in choices}
        found.setdefault(both, Substitutes(tuple(choices), tuple(others), worst))
    return list(found.values())
