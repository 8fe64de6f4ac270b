"""How a fight is stated: what changes in it, its rules, what is measured. The statement is made from that.

The author's rules read `g`: `g.who[i]` has the numbers of the sheet of actor i (0 is the build), lists are
`g.deck[i, kind]`, chances are rolled with `roll(dice, g.damage, i)`; tables of the game have their own names.
"""

from __future__ import annotations

import re
import sys
from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.graphs import END
from buildsearch.engines.statement import Statement, rule
from buildsearch.kit.chances import Chances
from buildsearch.kit.trouble import check_texts
from buildsearch.model.errors import UsageError

Ints = NDArray[np.int64]
# What `outcome` says of a fight.
OPEN, WON, LOST, DRAWN = range(4)
# The most of a field: a number, the name of a number of the sheet, or a rule of an actor's numbers.
Most = int | str | Callable[..., Any]


@dataclass(frozen=True)
class Measure:
    """A metric, in a line: `of(t, c, g)` is a whole number from 0 to `span` when a fight is over."""

    name: str
    label: str
    of: Callable[..., Any]
    span: int
    higher_is_better: bool = True
    unit: str = ""


@dataclass(frozen=True, eq=False)
class Fight:
    """`actor`, `table` and `counts` name what changes, and the most of each; the other fields are rules.

    begin(t, c, g, dice)          all fields are 0 before; may roll
    decide(t, c, g)               an action, a whole number; no dice, and nothing changes
    act(t, c, g, action, dice)    one action, as few rolls as can be: NEXT, ROUND or TICK
    outcome(t, c, g)              OPEN, WON, LOST or DRAWN, seen from actor 0; asked after each action
    options(t, c, g, out)         actions that actor 0 may choose among, for `--play optimal`; 0: none
    same(t, c, g, code)           makes equal what is equal in all that follows, and gives the code back

    `story` has a text for each kind of `tell(dice, kind, a, b, c)`. `triggers` names options by their number
    in `trigger(dice, number)`; `actions` says what an action is, for `--show-policy`.
    """

    actor: Mapping[str, Most]
    begin: Callable[..., Any]
    decide: Callable[..., Any]
    act: Callable[..., Any]
    outcome: Callable[..., Any]
    metrics: tuple[Measure, ...]
    table: Mapping[str, Most] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    options: Callable[..., Any] | None = None
    same: Callable[..., Any] | None = None
    story: Mapping[int, str] = field(default_factory=dict)
    triggers: tuple[str, ...] = ()
    actions: Mapping[int, str] = field(default_factory=dict)
    largest_roll: int = 60


@dataclass(frozen=True)
class Layout:
    """What sheets hold, by name: numbers, lists with their length, chances of up to `width` values."""

    numbers: tuple[str, ...]
    lists: tuple[tuple[str, int], ...]
    rolls: tuple[str, ...]
    width: int

    @classmethod
    def of(cls, sheets: list[Mapping[str, Any]], width: int) -> Layout:
        """That of some sheets together: each may lack what another has."""
        values = {name: value for sheet in sheets for name, value in sheet.items()}
        rolls = tuple(name for name, value in values.items() if isinstance(value, Chances))
        lists = tuple(
            (name, max(len(each[name]) for each in sheets if name in each))
            for name, value in values.items()
            if isinstance(value, list | tuple)
        )
        others = {*rolls, *(name for name, _ in lists)}
        return cls(tuple(name for name in values if name not in others), lists, rolls, width)

    @property
    def sheet(self) -> tuple[str | tuple[str, tuple[int, ...]], ...]:
        """As a statement declares it; chances are the bits of floats."""
        rolls = ((name, (self.width,)) for name in self.rolls)
        return (*self.numbers, *((name, (size,)) for name, size in self.lists), *rolls)

    def row(self, sheet: Mapping[str, Any], whose: object) -> Ints:
        """A sheet as numbers; raises UsageError, about `whose` sheet it is, for what no sheet can hold."""
        known = {*self.numbers, *self.rolls, *(name for name, _ in self.lists)}
        for name in sheet:
            if name not in known:
                raise UsageError(
                    f"the sheet of {whose} has `{name}`, and the first build's has not. Every sheet of a "
                    "build has the same names."
                )
        found = np.zeros(len(self), np.int64)
        for at, name in enumerate(self.numbers):
            found[at] = _number(name, sheet.get(name, 0), whose)
        at = len(self.numbers)
        for name, size in self.lists:
            some = [_number(name, value, whose) for value in sheet.get(name, ())]
            found[at : at + len(some)] = some
            at += size
        for name in self.rolls:
            chances = sheet.get(name, _ZERO)
            if not isinstance(chances, Chances):
                raise UsageError(
                    f"the sheet of {whose} has `{name}` = {chances!r}, and others have chances there."
                )
            if len(chances.odds) > self.width:
                raise UsageError(
                    f"the sheet of {whose}: `{name}` can come to {chances.most}, and {self.width - 1} is the "
                    f"most. Say `largest_roll={chances.most}` in Fight(...)."
                )
            found[at : at + len(chances.odds)] = _bits(chances)
            at += self.width
        return found

    def __len__(self) -> int:
        return len(self.numbers) + sum(size for _, size in self.lists) + len(self.rolls) * self.width


_ZERO = Chances((1.0,))


def _number(name: str, value: Any, whose: object) -> int:
    if isinstance(value, int | np.integer):
        return int(value)
    raise UsageError(
        f"the sheet of {whose} has `{name}` = {value!r}. A sheet holds whole numbers, lists of them, and "
        "chances such as dice('2d6'). Round it, or make chances of it."
    )


@lru_cache(maxsize=4096)
def _bits(chances: Chances) -> Ints:
    return np.array(chances.odds, np.float64).view(np.int64)


def statement_of(name: str, fight: Fight, layout: Layout) -> Statement:
    """The fight in the form that `engines/statement.py` describes."""
    _check_names(fight, layout)
    check_texts(fight.act)
    rules = {part: _as_rule(getattr(fight, part)) for part in ("begin", "decide", "act", "outcome")}
    space = {**rules, "END": END, "OPEN": OPEN, "WON": WON, "LOST": LOST}
    space |= {f"metric{i}": _as_rule(each.of) for i, each in enumerate(fight.metrics)}
    space |= {
        f"most_{field}": _as_rule(most)
        for field, most in {**fight.actor, **fight.table}.items()
        if callable(most)
    }
    for text in (_prepare(layout), _ranges(fight), _act(), _measure(fight)):
        exec(compile(text, f"<{name}: made by the kit>", "exec"), space)  # noqa: S102 - names are checked
    made = {part: rule(space[f"made_{part}"]) for part in ("prepare", "ranges", "act", "measure")}
    further = {part: _as_rule(getattr(fight, part)) for part in ("options", "same") if getattr(fight, part)}
    return Statement(
        name=name,
        home=fight.act.__module__,
        table=tuple(fight.table) or ("unused",),
        actor=tuple(fight.actor),
        metrics=("win", "draw", "loss", *(each.name for each in fight.metrics)),
        begin=rules["begin"],
        decide=rules["decide"],
        sheet=layout.sheet,
        counts=tuple(fight.counts),
        own=("who", *(each for each, _ in layout.lists), *layout.rolls),
        **made,
        **further,
    )


def _as_rule(function: Callable[..., Any]) -> Any:
    return function if hasattr(function, "py_func") else rule(function)


_METRICS = ("win", "draw", "loss", "rounds")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def _check_names(fight: Fight, layout: Layout) -> None:
    lists = tuple(name for name, _ in layout.lists)
    of_tables = (*layout.numbers, *lists, *layout.rolls, *fight.counts)
    metrics = tuple(each.name for each in fight.metrics)
    for name in (*fight.actor, *fight.table, *of_tables, *metrics):
        is_taken = (name == "who" and name in of_tables) or (name in _METRICS and name in metrics)
        if is_taken or not _NAME.fullmatch(name):
            raise UsageError(f"`{name}` cannot be a name in a fight: use lower-case letters, digits and _.")
    for name in fight.counts:
        if name in (*lists, *layout.rolls):
            raise UsageError(f"Fight(counts=...): sheets have a `{name}` too. Give the cards another name.")
    known = {"actor": layout.numbers, "table": layout.numbers, "counts": lists}
    for part, sheet in known.items():
        for name, most in getattr(fight, part).items():
            if isinstance(most, str) and most not in sheet:
                raise UsageError(
                    f"Fight({part}=...): the most of `{name}` is said to be `{most}`, which no sheet has. "
                    f"Sheets have {', '.join(sheet)}."
                )


def _prepare(layout: Layout) -> str:
    lines = ["def made_prepare(g, source, sheet):", "    pass"]
    lines += [f"    g.who[0].{name} = sheet['{name}']" for name in layout.numbers]
    for name, size in layout.lists:
        lines += [f"    for i in range({size}):", f"        g.{name}[0, i] = sheet['{name}'][i]"]
    for name in layout.rolls:
        lines += [f"    for i in range({layout.width}):"]
        lines += [f"        g.{name}[0, i] = int64(sheet['{name}'][i]).view(float64)"]
    return "\n".join(["from numpy import float64, int64", *lines])


def _ranges(fight: Fight) -> str:
    lines = ["def made_ranges(t, c, g):", "    for i in range(len(c)):"]
    for name, most in fight.actor.items():
        lines.append(f"        c[i].{name} = {_most(name, most)}")
    for name, most in fight.table.items():
        lines.append(f"        t.{name} = max(t.{name}, {_most(name, most)})")
    for name, deck in fight.counts.items():
        lines += [f"        for k in range(g.{name}.shape[1]):"]
        lines += [f"            g.{name}[i, k] = {_all_of(deck)}"]
    return "\n".join(lines)


def _most(name: str, most: Most) -> str:
    if callable(most):
        return f"most_{name}(g.who[i])"
    return str(most) if isinstance(most, int) else f"g.who[i].{most}"


def _all_of(deck: str) -> str:
    return f"g.{deck}[i, k]"


def _act() -> str:
    return (
        "def made_act(t, c, g, action, dice):\n"
        "    code = act(t, c, g, action, dice)\n"
        "    return code if outcome(t, c, g) == OPEN else END"
    )


def _measure(fight: Fight) -> str:
    lines = [
        "def made_measure(t, c, g, out):",
        "    how = outcome(t, c, g)",
        "    out[0] = 1 if how == WON else 0",
        "    out[2] = 1 if how == LOST else 0",
        "    out[1] = 1 - out[0] - out[2]",
    ]
    lines += [f"    out[{3 + i}] = metric{i}(t, c, g)" for i in range(len(fight.metrics))]
    return "\n".join(lines)


def tables_of(names: tuple[str, ...]) -> Any:
    """A NamedTuple of these fields. It is known to this module, so that compiled code finds it again."""
    known = f"Tables_of_{'_'.join(names)}"
    module = sys.modules[__name__]
    if not hasattr(module, known):
        made = namedtuple(known, names)  # type: ignore[misc]
        made.__module__ = __name__
        setattr(module, known, made)
    return getattr(module, known)
