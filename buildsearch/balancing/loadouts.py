"""Balance of loadouts, over those that were valued: what is not listed is no better than the last one listed.

A loadout is legal if each of its members is. So an edit takes listed loadouts away, and what is left is
judged as `analyze` does it. Nothing is proved of loadouts that were not listed, and the answer says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from buildsearch.analysis.findings import Finding, FindingSeverity
from buildsearch.analysis.loadout_verdict import LoadoutJudge, Loadouts, LoadoutVerdict
from buildsearch.model.arrays import Bools
from buildsearch.model.levers import Account, Edit
from buildsearch.model.space import BuildSpace


@dataclass(frozen=True, slots=True, eq=False)
class LoadoutProposal:
    """Edits, how many of the listed loadouts stay, and what is left to say about those."""

    edits: tuple[Edit, ...]
    listed: int
    best: float
    best_loadout: str
    findings: tuple[Finding, ...]

    @property
    def steps(self) -> int:
        return sum(edit.steps for edit in self.edits)


@dataclass(frozen=True, eq=False)
class EditedLoadouts:
    """Listed loadouts and what their members are made of."""

    loadouts: Loadouts
    judge: LoadoutJudge
    members: Sequence[Sequence[str]]
    levels: Mapping[str, Mapping[str, int]]
    groups: Mapping[str, str]
    accounts: tuple[Account, ...]

    def legal(self, edits: Sequence[Edit]) -> Bools:
        """Which of the listed loadouts some edits allow."""
        fits = {name: self._fits(name, edits) for name in self.levels}
        return np.array([all(fits[name] for name in each) for each in self.members], dtype=np.bool_)

    def _fits(self, name: str, edits: Sequence[Edit]) -> bool:
        levels, group = self.levels[name], self.groups[name]
        for account in self.accounts:
            prices, factor, budget = dict(account.prices), account.factors.get(group, 1), account.budget
            for edit in edits:
                for its, feature, change in edit.prices:
                    if its == account.name:
                        prices[feature] = prices.get(feature, 0) + change
                factor += sum(c for its, which, c in edit.factors if its == account.name and which == group)
                budget += sum(c for its, c in edit.budgets if its == account.name)
            cost = factor * sum(prices.get(part, 0) * level for part, level in levels.items())
            if cost > budget or (account.is_spent and cost != budget):
                return False
        has = {**levels, group: 1}
        return not any(
            all(has.get(part, 0) >= least for part, least in ban) for edit in edits for ban in edit.bans
        )

    def judged(self, edits: Sequence[Edit]) -> tuple[Loadouts, LoadoutVerdict] | None:
        """The verdict on what is left; None where nothing that is listed is."""
        rows = np.flatnonzero(self.legal(edits))
        if len(rows) == 0:
            return None
        whole = self.loadouts
        has = whole.has[rows]
        there = np.flatnonzero(has.any(axis=0))
        left = replace(
            whole,
            names=[whole.names[i] for i in rows.tolist()],
            scores=whole.scores[rows],
            errors=whole.errors[rows],
            parts=[whole.parts[i] for i in there.tolist()],
            kinds=[whole.kinds[i] for i in there.tolist()],
            has=has[:, there],
            decided=whole.decided[rows],
            is_complete=False,
        )
        return left, self.judge.judge(left)


def loadout_table(
    loadouts: Loadouts,
    judge: LoadoutJudge,
    space: BuildSpace,
    accounts: tuple[Account, ...],
    joined: str,
) -> EditedLoadouts:
    """Ready to edit; `joined` stands between the members of a loadout's name."""
    members = [name.split(joined) for name in loadouts.names]
    levels, groups = {}, {}
    for name in dict.fromkeys(each for some in members for each in some):
        build = space.parse(name)
        levels[name] = {feature.name: feature.level for feature in space.features(build)}
        groups[name] = space.encode(build).group
    return EditedLoadouts(loadouts, judge, members, levels, groups, accounts)


def balanced(
    table: EditedLoadouts, edits: Sequence[Edit], seconds: float, most: int
) -> tuple[list[LoadoutProposal], int]:
    """Sets of one and of two edits after which nothing listed is broken, the smallest first; and how many
    edits were tried in full."""
    until = time.monotonic() + seconds
    useful = [edit for edit in edits if not edit.lets_in and not table.legal((edit,)).all()]
    found: list[LoadoutProposal] = []
    for size in (1, 2):
        for some in combinations(useful, size):
            if time.monotonic() > until:
                return _sorted(found)[:most], size - 1
            if len({edit.lever for edit in some}) < size or _is_more(some, found):
                continue
            found.extend(_tried(table, some))
        if found:
            return _sorted(found)[:most], size
    return [], 2


def _tried(table: EditedLoadouts, some: tuple[Edit, ...]) -> Iterator[LoadoutProposal]:
    judged = table.judged(some)
    if judged is None:
        return
    left, verdict = judged
    if not any(each.severity is FindingSeverity.ERROR for each in verdict.findings):
        yield LoadoutProposal(
            some, len(left.names), float(left.scores[0]), left.names[0], tuple(verdict.findings)
        )


def _is_more(some: Sequence[Edit], found: Sequence[LoadoutProposal]) -> bool:
    return any(set(each.edits) <= set(some) for each in found)


def _sorted(found: Sequence[LoadoutProposal]) -> list[LoadoutProposal]:
    least: dict[frozenset[str], LoadoutProposal] = {}
    for each in sorted(found, key=lambda each: (each.steps, -each.listed)):
        least.setdefault(frozenset(edit.lever for edit in each.edits), each)
    return sorted(least.values(), key=lambda each: (len(each.edits), each.steps, -each.listed))
