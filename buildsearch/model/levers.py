"""What may be moved in a game's rules without a fight: prices, bans, limits.

Scores of builds do not depend on such edits: they only say which builds there are. So an edit tells what it
does to the points that builds pay and which builds it forbids, and how it is written into the rules file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

Steps = tuple[str | int, ...]

# Kinds of levers, as people name them.
RAISES, CUTS, PAIRS, TYPES, FACTORS, BUDGETS, CAPS, VALUES = (
    "cost-raises",
    "cost-cuts",
    "pair-bans",
    "type-bans",
    "cost-factors",
    "budgets",
    "caps",
    "values",
)
COSTS = "costs"
KINDS = {
    RAISES: "costs go up",
    CUTS: "costs go down: this makes builds legal that may not have been scored",
    PAIRS: "two options are not allowed together",
    TYPES: "an option is banned on a type",
    FACTORS: "what a type multiplies costs by",
    BUDGETS: "how many points there are",
    CAPS: "how many there may be of something",
    VALUES: "values that change fights: every build is scored again",
}
# Written into files whose entries say where they come from.
SECTION = "Balance"


@dataclass(frozen=True, slots=True)
class Account:
    """Points that builds pay from: the sum of price x level over their parts, times the factor of their
    group. `is_spent`: exactly the budget, not just up to it."""

    name: str
    budget: int
    prices: Mapping[str, int]
    factors: Mapping[str, int] = field(default_factory=dict)
    is_spent: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """Another value at a path of the rules file."""

    path: Steps
    value: Any


@dataclass(frozen=True, slots=True)
class Add:
    """One more entry of a list of the rules file."""

    path: Steps
    entry: Mapping[str, Any] = field(hash=False)


# All of these parts, each at least so many times: a build that has them all is forbidden.
Ban = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One change. `about` are the options and groups that it is about; `steps` says how far it goes.

    `prices`, `factors` and `budgets` are differences by account. `lets_in`: builds may become legal that were
    not. `changes_fights`: it is no edit of prices and bans, and kept scores do not hold any more. `strength`
    of such an edit: 1 where builds that it is about do as well then or better, -1 where as well or worse, 0
    where nobody says; `unless` they have one of these.
    """

    lever: str
    kind: str
    about: tuple[str, ...]
    text: str
    words: str
    steps: int
    writes: tuple[Put | Add, ...]
    prices: tuple[tuple[str, str, int], ...] = ()
    factors: tuple[tuple[str, str, int], ...] = ()
    budgets: tuple[tuple[str, int], ...] = ()
    bans: tuple[Ban, ...] = ()
    lets_in: bool = False
    changes_fights: bool = False
    strength: int = 0
    unless: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()  # the titles of two options that are not allowed together


# Values of a number of the rules: a die is a step of its scale.
Value = int | float | str


@dataclass(frozen=True, slots=True)
class Lever:
    """Something that can be moved: its edits exclude one another.

    `edits` are those within reason. `to` gives the edit to any other value of a number or a price, None where
    the rules allow no such value; it is None for what has no values, such as a ban.
    """

    name: str
    edits: tuple[Edit, ...]
    value: Value | None = None
    scale: tuple[Value, ...] = ()  # where its values are no numbers, such as dice
    to: Callable[[Value], Edit | None] | None = field(default=None, compare=False, repr=False)


@runtime_checkable
class Movable(Protocol):
    """A system whose prices and bans can be moved."""

    def accounts(self, rules: Any, space: Any) -> tuple[Account, ...]:
        """What builds of a space pay."""

    def levers(self, rules: Any, space: Any) -> tuple[Lever, ...]:
        """Everything that can be moved, within reason; whoever asks chooses among it."""


# How far the price of an option is looked at, up and down.
_FAR = 6


def price_lever(
    account: Account, feature: str, path: Steps, *, title: str | None = None, least: int = 0
) -> Lever:
    """The price of an option, up and down to `least`."""
    price, name = account.prices[feature], title or feature

    def to(value: Value) -> Edit | None:
        if not isinstance(value, int) or value < least or value == price:
            return None
        step = value - price
        return Edit(
            lever=f"{feature}.cost",
            kind=RAISES if step > 0 else CUTS,
            about=(feature,),
            text=f"{feature}.cost={value}",
            words=f"{'Raise' if step > 0 else 'Lower'} {name} from {price} to {value}",
            steps=abs(step),
            writes=(Put(path, value),),
            prices=((account.name, feature, step),),
            # Where all points are spent, a dearer part leaves room for other sums.
            lets_in=step < 0 or account.is_spent,
        )

    edits = [to(price + step) for step in range(-_FAR, _FAR + 1)]
    return Lever(f"{feature}.cost", tuple(edit for edit in edits if edit is not None), price, (), to)


def pair_lever(first: str, second: str, write: Add, titles: Mapping[str, str]) -> Lever:
    """Two options exclude one another."""
    low, high = sorted((first, second))
    name = f"{low}+{high}"
    pair = (titles.get(low, low), titles.get(high, high))
    words = f"Don't allow {pair[0]} together with {pair[1]}"
    bans = (((low, 1), (high, 1)),)
    edit = Edit(name, PAIRS, (low, high), f"ban {name}", words, 1, (write,), bans=bans, pair=pair)
    return Lever(name, (edit,))


def type_lever(group: str, option: str, write: Add, titles: Mapping[str, str]) -> Lever:
    """An option does not go on a type; a type is a part of its builds by its name."""
    name = f"{option}@{group}"
    words = f"Ban {titles.get(option, option)} on {titles.get(group, group)}"
    edit = Edit(
        name, TYPES, (option, group), f"ban {name}", words, 1, (write,), bans=(((group, 1), (option, 1)),)
    )
    return Lever(name, (edit,))


def factor_lever(
    account: Account, group: str, path: Steps, *, title: str | None = None, most: int = 4
) -> Lever:
    """What a type multiplies prices by."""
    factor, name = account.factors.get(group, 1), title or group
    edits = tuple(
        Edit(
            lever=f"{group}.cost_factor",
            kind=FACTORS,
            about=(group,),
            text=f"{group}.cost_factor={other}",
            words=f"Let {name} multiply prices by {other} instead of {factor}",
            steps=abs(other - factor),
            writes=(Put(path, other),),
            factors=((account.name, group, other - factor),),
            lets_in=other < factor or account.is_spent,
        )
        for other in range(1, most + 1)
        if other != factor
    )
    return Lever(f"{group}.cost_factor", edits)


def budget_lever(account: Account, path: Steps, *, name: str = "budget", far: int = 2) -> Lever:
    """How many points there are."""
    edits = tuple(
        Edit(
            lever=name,
            kind=BUDGETS,
            about=(name,),
            text=f"{'.'.join(map(str, path))}={account.budget + step}",
            words=f"Give {account.budget + step} points of {account.name} instead of {account.budget}",
            steps=abs(step),
            writes=(Put(path, account.budget + step),),
            budgets=((account.name, step),),
            lets_in=step > 0 or account.is_spent,
        )
        for step in range(-far, far + 1)
        if step and account.budget + step >= 0
    )
    return Lever(name, edits)


def limit_lever(
    name: str,
    features: Iterable[str],
    most: int,
    path: Steps,
    *,
    words: str,
    base: int = 0,
    far: int = 3,
    least: int = 1,
) -> Lever:
    """How many there may be of each of some parts: lower, by banning what has more.

    The file has `base` more than builds count. `words` stand before the number.
    """
    parts = tuple(features)
    edits = tuple(
        Edit(
            lever=name,
            kind=CAPS,
            about=parts if len(parts) == 1 else (name,),
            text=f"{'.'.join(map(str, path))}={limit + base}",
            words=f"{words} {limit + base} instead of {most + base}",
            steps=most - limit,
            writes=(Put(path, limit + base),),
            bans=tuple(((part, limit + 1),) for part in parts),
        )
        for limit in range(max(least, most - far), most)
    )
    return Lever(name, edits)


def number_lever(
    name: str,
    about: str | tuple[str, ...],
    value: Value,
    others: Iterable[Value],
    path: Steps,
    words: str,
    *,
    scale: Sequence[Value] = (),
    fits: Callable[[Value], bool] = lambda _value: True,
    grows: int = 0,
    unless: tuple[str, ...] = (),
) -> Lever:
    """A number that changes fights: kept scores do not hold any more.

    `others` are the values within reason, `fits` says which the rules allow at all. Steps are points, or
    those of a `scale` such as dice. `grows`: 1 where more is better for builds with it, -1 where it is worse,
    `unless` they have one of some options; that is for a test to show, not to be assumed.
    """

    def steps(other: Value) -> float:
        if scale:
            return scale.index(other) - scale.index(value) if other in scale else 0
        return 0 if isinstance(other, str) or isinstance(value, str) else other - value

    def to(other: Value) -> Edit | None:
        far = steps(other)
        if far == 0 or not fits(other):
            return None
        return Edit(
            lever=name,
            kind=VALUES,
            about=(about,) if isinstance(about, str) else about,
            text=f"{name}={other}",
            words=f"{words} from {value} to {other}",
            steps=math.ceil(abs(far)),
            writes=(Put(path, other),),
            changes_fights=True,
            strength=grows if far > 0 else -grows,
            unless=unless,
        )

    edits = (to(other) for other in others)
    return Lever(name, tuple(edit for edit in edits if edit is not None), value, tuple(scale), to)
