"""Every sequence of dice of a fight, one after another, in fractions: the twin of all that is derived.

It runs the plain rules of a statement and nothing of the engines: no graph, no keys, no tree.
"""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from buildsearch.engines import dice as kinds
from buildsearch.engines.graphs import END, NEXT, ROUND
from buildsearch.engines.plain import plain
from buildsearch.engines.stated import StatedFight
from buildsearch.engines.told import _with_objects


class Faces(tuple):  # as all dice are
    """Dice that fall as a script says, and then to the first side."""

    def __new__(cls, script):
        self = super().__new__(cls)
        self.script, self.widths, self.p, self.gained = script, [], Fraction(1), [Fraction(0)]
        return self

    def fall(self, chances):
        """The place of one of these chances; sides without a chance do not come up."""
        sides = [i for i, p in enumerate(chances) if p > 0]
        turn = self.script[len(self.widths)] if len(self.widths) < len(self.script) else 0
        self.widths.append(len(sides))
        self.p *= Fraction(chances[sides[turn]])
        return sides[turn]


@kinds.chance.by(Faces)
def _(dice, p):
    return dice.fall([p, 1 - Fraction(p)]) == 0


@kinds.roll.by(Faces)
def _(dice, table, row):
    return dice.fall(table[0, row].tolist())


@kinds.pick.by(Faces)
def _(dice, chances, first, number):
    return dice.fall(chances[first : first + number].tolist())


@kinds.below.by(Faces)
def _(dice, number):
    return dice.fall([Fraction(1, int(number))] * int(number)) if number > 1 else 0


@kinds.draw.by(Faces)
def _(dice, source, target, row, total, number):
    for _ in range(number):  # one card after another
        kind = dice.fall([Fraction(int(each), int(source[row].sum())) for each in source[row]])
        source[row, kind] -= 1
        target[row, kind] += 1


@kinds.gain.by(Faces)
def _(dice, amount):
    dice.gained[0] += Fraction(amount)


@kinds.trigger.by(Faces)
def _(dice, number):
    pass


@kinds.seen.by(Faces)
def _(dice, number):
    pass


def every_way(run):
    """(chance, gain, result) of `run(dice)` for each sequence of dice."""
    script = []
    while True:
        dice = Faces(script)
        result = run(dice)
        yield dice.p, dice.gained[0], result
        script = [*script, *[0] * (len(dice.widths) - len(script))]
        while script and script[-1] + 1 == dice.widths[len(script) - 1]:
            script.pop()
        if not script:
            return
        script[-1] += 1


class BruteForce:
    """A build's fight; results are (metrics.., rounds, gain) as fractions."""

    def __init__(self, terms, row, *, worth=None, tie=0):
        self.terms, self.worth, self.tie = terms, worth, tie
        fight = StatedFight(terms)
        fight.write(np.array(row))
        self.tables = _with_objects(fight.desk.g)
        self.rules = {name: plain(each) for name, each in terms.statement.rules.items()}
        self.known = {}

    def opened(self, state):
        """Records with the fields of a state."""
        statement = self.terms.statement
        fields, actors, counts = state
        t = SimpleNamespace(**dict(zip(statement.table, fields, strict=True)))
        c = [SimpleNamespace(**dict(zip(statement.actor, each, strict=True))) for each in actors]
        arrays = {name: np.array(each) for name, each in zip(statement.counts, counts, strict=True)}
        return t, c, self.tables._replace(**arrays)

    def closed(self, t, c, g):
        statement = self.terms.statement
        fields = tuple(int(getattr(t, name)) for name in statement.table)
        actors = tuple(tuple(int(getattr(each, name)) for name in statement.actor) for each in c)
        return fields, actors, tuple(_rows(getattr(g, name)) for name in statement.counts)

    def whole(self):
        statement, terms = self.terms.statement, self.terms
        zero = (
            (0,) * len(statement.table),
            ((0,) * len(statement.actor),) * terms.actors,
            tuple(((0,) * terms.kinds[name],) * terms.actors for name in statement.counts),
        )

        def begin(dice):
            t, c, g = self.opened(zero)
            self.rules["begin"](t, c, g, dice)
            return self.closed(t, c, g)

        total = 0
        for p, gained, state in every_way(begin):
            found = self.value(state, terms.limit)
            found[-2] += 1
            found[-1] += gained
            total = total + p * found
        return total

    def measured(self, t, c, g):
        out = [0] * len(self.terms.most)
        self.rules["measure"](t, c, g, out)
        return np.array([*map(Fraction, map(int, out)), Fraction(0), Fraction(0)])

    def value(self, state, ticks):
        if (state, ticks) not in self.known:
            t, c, g = self.opened(state)
            listed = [0] * self.terms.options
            number = self.rules["options"](t, c, g, listed) if self.worth is not None else 0
            actions = listed[:number] if number else [self.rules["decide"](t, c, g)]
            found = [self.after(state, ticks, action) for action in actions]
            self.known[state, ticks] = self.chosen(found) if number else found[0]
        return self.known[state, ticks].copy()

    def chosen(self, found):
        values = [each[: len(self.worth)] @ self.worth for each in found]
        near = [each for each, value in zip(found, values, strict=True) if value >= max(values) - self.tie]
        soonest = min(each[-2] for each in near)
        return next(each for each in near if each[-2] <= soonest + self.tie)

    def after(self, state, ticks, action):
        def run(dice):
            t, c, g = self.opened(state)
            code = self.rules["act"](t, c, g, action, dice)
            return code, self.closed(t, c, g)

        total = 0
        for p, gained, (code, then) in every_way(run):
            if code == END or (code != NEXT and ticks == 1):
                found = self.measured(*self.opened(then))
            else:
                found = self.value(then, ticks if code == NEXT else ticks - 1)
                found[-2] += int(code == ROUND)
            found[-1] += gained
            total = total + p * found
        return total


def _rows(array):
    return tuple(tuple(int(each) for each in row) for row in array)
