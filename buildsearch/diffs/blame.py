"""Which edit did it: each by itself and left out, on the builds that decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from buildsearch.diffs.comparison import Comparison
from buildsearch.diffs.edits import EditKind, RuleEdit, checked, with_edits, without_edits
from buildsearch.diffs.sides import GameFactory, Keys, Side, build_keys, feature_words
from buildsearch.model.arrays import Floats
from buildsearch.model.errors import BuildsearchError
from buildsearch.model.space import Chunk
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import Objective
from buildsearch.search.race import score
from buildsearch.search.scoring import Effort, ScoringSetup, no_bar

BEST = 1_000
# Changes that are no single swap (points of one stat for those of another) are learnt from so many builds.
_TEACHERS = 10


def pool_of(sides: Sequence[tuple[Side, Mapping[str, str]]]) -> Keys:
    """The first word of every build's key that blame looks at, sorted; it need not be legal anywhere.

    A build's key is the sum of its features' words, so one change is one addition, whatever the rules.
    """
    names = list(
        dict.fromkeys(
            renamed.get(name, name) for side, renamed in sides for name in side.arena.space.feature_names
        )
    )
    words = feature_words(names, {})[:, 0]
    named = dict(zip(names, words, strict=True))
    found: list[Keys] = []
    for side, renamed in sides:
        rows = np.sort(side.best(BEST))
        if len(rows) == 0:
            continue
        keys = side.keys[rows, 0]
        space = side.arena.space
        mine = feature_words(space.feature_names, renamed)[:, 0]
        has = np.concatenate([space.levels(chunk) > 0 for chunk in side.ledger.part(rows).chunks])
        found.append(keys)
        found.append((keys[:, None] + words).ravel())
        for key, parts in zip(keys, has, strict=True):
            dropped = key - mine[parts]
            found += [dropped, (dropped[:, None] + words).ravel()]
        found.append((keys[:, None] + _taught(side, renamed, named)).ravel())
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.uint64)


def _taught(side: Side, renamed: Mapping[str, str], words: Mapping[str, np.uint64]) -> Keys:
    """What the space's own neighbours differ by, where that is not a feature added, dropped or swapped."""
    space = side.arena.space
    each = np.array(list(words.values()), np.uint64)
    singles = np.concatenate([each, np.uint64(0) - each, (each[:, None] - each).ravel()])
    found: list[int] = []
    for row in side.best(_TEACHERS):
        own = int(side.keys[row, 0])
        for neighbour in space.neighbours(side.build(int(row))):
            key = sum(
                feature.level * int(words[renamed.get(feature.name, feature.name)])
                for feature in space.features(neighbour)
            )
            found.append((key - own) % (1 << 64))
    taught = np.unique(np.array(found, np.uint64))
    return taught[~np.isin(taught, singles)]


def pooled(arena: ScoringSetup, pool: Keys, renamed: Mapping[str, str]) -> Iterator[Chunk]:
    """The builds of a ruleset that are in the pool."""
    for chunk in arena.chunks():
        keys = build_keys(arena.space, [chunk], renamed)[:, 0]
        at = np.minimum(np.searchsorted(pool, keys), len(pool) - 1)
        codes = chunk.codes[pool[at] == keys] if len(pool) else chunk.codes[:0]
        if len(codes):
            yield Chunk(chunk.group, codes)


TOP = 100
# More edits than this are blamed option by option: each takes two rounds of scoring.
MOST_UNITS = 24


@dataclass(frozen=True, slots=True)
class Summit:
    """The best score of a ruleset and the mean of its best hundred, as people read them."""

    best: float
    mean: float


@dataclass(frozen=True, slots=True)
class Shift:
    """How a summit changes, in the metric's own direction."""

    best: float
    mean: float


@dataclass(frozen=True, slots=True)
class Blame:
    """One edit (or all edits of an option). `why_not_...` says why a shift is not known."""

    edits: tuple[int, ...]  # places in the comparison's edits
    label: str
    alone: Shift | None
    left_out: Shift | None
    why_not_alone: str | None = None
    why_not_left_out: str | None = None


@dataclass(frozen=True, slots=True)
class Blames:
    """All of them, the whole change, and what no edit causes alone; None where some edit has no shift."""

    total: Shift
    each: tuple[Blame, ...]
    together: Shift | None
    builds: int  # that were scored for it; 0 where one edit is the whole change


def blame(
    comparison: Comparison,
    sides: tuple[Side, Side],
    open_arena: GameFactory,
    effort: Effort,
) -> Blames:
    """Apply each edit to the first ruleset, and leave each out of the second."""
    units = _units(comparison.edits)
    if len(units) == 1:
        # The only edit is the whole change, and both ends are scored already.
        ends = [_summit(side.costs, effort.objective) for side in sides]
        total = _shift(ends[0], ends[1])
        return Blames(total, (Blame(units[0][1], units[0][0], total, total),), Shift(0.0, 0.0), 0)
    runner = _Runner(comparison, pool_of(_named(comparison, sides)), open_arena, effort)
    start, end = runner.summit(comparison.base), runner.summit(comparison.second.data)
    total = _shift(start, end)
    found = []
    with effort.bar("blaming edits", 2 * len(units)) as advance:
        for label, places in units:
            edits = [comparison.edits[place] for place in places]
            alone, why_not = runner.attempt(with_edits(comparison.base, edits))
            advance(1)
            rest, why_not_rest = runner.attempt(without_edits(comparison.second.data, edits))
            advance(1)
            found.append(
                Blame(
                    places,
                    label,
                    None if alone is None else _shift(start, alone),
                    None if rest is None else _shift(rest, end),
                    why_not,
                    why_not_rest,
                )
            )
    return Blames(total, tuple(found), _together(total, found), runner.builds)


def _units(edits: Sequence[RuleEdit]) -> list[tuple[str, tuple[int, ...]]]:
    """What is blamed: every edit but renames, which change no score; options as wholes if there are many."""
    places = [i for i, edit in enumerate(edits) if edit.kind is not EditKind.RENAMED]
    if len(places) <= MOST_UNITS:
        return [(edits[i].label, (i,)) for i in places]
    grouped: dict[str, list[int]] = {}
    for i in places:
        changed = edits[i].changes[0].path
        grouped.setdefault(edits[i].subject or str(changed[0]), []).append(i)
    return [
        (edits[mine[0]].label if len(mine) == 1 else f"{subject}: {len(mine)} edits", tuple(mine))
        for subject, mine in grouped.items()
    ]


def _named(comparison: Comparison, sides: tuple[Side, Side]) -> list[tuple[Side, Any]]:
    return [(sides[0], comparison.names), (sides[1], {})]


@dataclass(eq=False)
class _Runner:
    comparison: Comparison
    pool: Keys
    open_arena: GameFactory
    effort: Effort
    builds: int = 0

    def attempt(self, data: dict[str, Any]) -> tuple[Summit | None, str | None]:
        """The summit of edited rules, or why they are none."""
        try:
            return self.summit(data), None
        except BuildsearchError as error:
            return None, str(error).splitlines()[0]

    def summit(self, data: dict[str, Any]) -> Summit:
        arena: ScoringSetup = self.open_arena(checked(self.comparison.first.system, data))
        # Everybody has the second ruleset's names here.
        chunks = list(pooled(arena, self.pool, {}))
        ledger = Ledger.empty(arena.fights, chunks, arena.scorer.scorer.outcomes)
        score(ledger, arena.scorer, replace(self.effort, top=TOP, bar=no_bar))
        self.builds += len(ledger)
        return _summit(self.effort.objective.costs(ledger, arena.scorer.scorer), self.effort.objective)


def _summit(costs: Floats, objective: Objective) -> Summit:
    best = np.sort(costs[~np.isnan(costs)])[:TOP]
    if len(best) == 0:
        return Summit(float("nan"), float("nan"))
    return Summit(float(objective.shown(best[:1])[0]), float(objective.shown(best).mean()))


def _shift(before: Summit, after: Summit) -> Shift:
    return Shift(after.best - before.best, after.mean - before.mean)


def _together(total: Shift, found: Sequence[Blame]) -> Shift | None:
    shifts = [each.alone for each in found]
    known = [shift for shift in shifts if shift is not None]
    if len(known) < len(shifts):
        return None
    return Shift(
        total.best - sum(shift.best for shift in known), total.mean - sum(shift.mean for shift in known)
    )
