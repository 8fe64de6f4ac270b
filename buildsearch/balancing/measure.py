"""A game in numbers, before and after edits: what `analyze` would say of either."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.analysis.analyses import Judged, RunAnalysis
from buildsearch.analysis.assessment import Assessment
from buildsearch.analysis.findings import Finding, FindingCode, by_subject
from buildsearch.analysis.reach import SURE, Freedom, priced
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.balancing.goals import Goal, still_ahead
from buildsearch.model.arrays import Ints
from buildsearch.model.evaluation import Scale
from buildsearch.model.levers import CUTS, PAIRS, RAISES, TYPES, Edit


@dataclass(frozen=True, slots=True)
class Measure:
    """`kept` is the share of today's builds that stay, `shift` how far their ranks move in the mean."""

    builds: int
    kept: float
    shift: float
    best: float
    best_build: str
    reference: float | None
    freedom: tuple[Freedom, ...]
    overpowered: int
    must_haves: tuple[str, ...]
    decided: int
    findings: tuple[Finding, ...]
    # How far the best is ahead of the benchmark, as a part of it (of its odds, or of the span), and in words.
    ahead: float | None = None
    ahead_text: str = ""

    def free(self, least: float) -> Freedom:
        """The freedom at the level nearest to one."""
        return min(self.freedom, key=lambda each: abs(each.least - least))


@dataclass(frozen=True, slots=True)
class FindingChange:
    """Findings that stay, that are new, and that are gone, by what they accuse."""

    stays: tuple[Finding, ...]
    new: tuple[Finding, ...]
    gone: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Quick:
    """What a set of edits is chosen by."""

    edits: int
    steps: int
    lost: float
    freedom: int
    shift: float
    best: float
    last: int = 0
    weak: int = 0  # options that miss the benchmark now, and did not before

    @property
    def costs(self) -> tuple[float, ...]:
        """Smaller is better. `last` comes first: what only takes builds away (0) before what makes builds
        legal (1), and what moves the benchmark (2) after all others, however small."""
        return (self.last, self.edits, self.steps, self.lost, -self.freedom, self.weak)


def quick(state: EditedGame, viable: float, goals: Sequence[Goal]) -> Quick:
    """In a few milliseconds."""
    (free,) = state.freedom((viable,))
    # Where the best is not held against the benchmark, cheaper is as good an answer as dearer.
    is_held = any(goal.margin is not None for goal in goals)
    last = int(is_held and any(edit.lets_in for edit in state.edits))
    if still_ahead(goals, state, state.court.state(())) is not None:
        last = 2
    return Quick(
        edits=len(state.edits),
        steps=sum(edit.steps for edit in state.edits),
        lost=1 - state.kept,
        freedom=free.options,
        shift=state.shift,
        best=state.best,
        last=last,
        weak=len(_weak(state) - _weak(state.court.state(()))),
    )


def _weak(state: EditedGame) -> set[str]:
    """Options that miss the benchmark, before a closer look explains some of them."""
    if state.reference is None:
        return set()
    far = state.reference.loss + state.contest.yardstick.margin
    return {each.choice.name for each in state.reaches if each.counts and each.loss > far}


def measure(state: EditedGame) -> Measure:
    return measure_of(state.judged, builds=len(state.rows), kept=state.kept, shift=state.shift)


def measure_of(
    judged: Judged | RunAnalysis, *, builds: int, kept: float = 1.0, shift: float = 0.0
) -> Measure:
    verdict, findings = judged.verdict, tuple(judged.findings)
    winner = verdict.contest.winner
    musts = [" + ".join(each.subjects) for each in findings if each.code is FindingCode.MUST_HAVE]
    decided = [each.numbers["builds"] for each in findings if each.code is FindingCode.INSTANT_WIN]
    return Measure(
        builds=builds,
        kept=kept,
        shift=shift,
        best=verdict.best,
        best_build=judged.build_names[winner],
        reference=None if verdict.reference is None else verdict.reference.score,
        freedom=verdict.freedom,
        overpowered=len(verdict.overpowered.rows),
        must_haves=tuple(dict.fromkeys(musts)),
        decided=int(sum(decided)),
        findings=findings,
        **_ahead(verdict),
    )


def _ahead(verdict: Assessment) -> dict[str, Any]:
    if verdict.reference is None:
        return {}
    scale = verdict.contest.yardstick.scale
    apart = verdict.reference.loss - float(verdict.contest.losses[verdict.contest.winner])
    part = apart if scale is Scale.OTHER else 1 - math.exp(-apart)
    return {"ahead": part, "ahead_text": say_ahead(scale, apart)}


def moved_benchmark(goals: Sequence[Goal], state: EditedGame, today: EditedGame) -> str:
    """How far the best build stays ahead of today's benchmark, in words, where the goal is kept only because
    the benchmark moves; else nothing."""
    apart = still_ahead(goals, state, today)
    return "" if apart is None else say_ahead(state.contest.yardstick.scale, apart)


def say_ahead(scale: Scale, apart: float) -> str:
    """How far the best is ahead of the benchmark, from a difference of losses."""
    if scale is Scale.PROBABILITY:
        return f"{math.exp(apart):.3g} times the odds"
    return f"{apart:.0%} of the span" if scale is Scale.OTHER else f"{1 - math.exp(-apart):.0%}"


def change(before: Measure, after: Measure) -> FindingChange:
    """Which findings an edit ends, leaves and brings."""
    return changed_findings(before.findings, after.findings)


def changed_findings(
    before: Sequence[Finding], after: Sequence[Finding], names: Mapping[str, str] | None = None
) -> FindingChange:
    """Findings that stay, that are new and that are gone; `names` are what the second game calls options of
    the first."""
    called = names or {}
    old = {_key(each, called): each for found in before for each in by_subject(found)}
    new = {_key(each, {}): each for found in after for each in by_subject(found)}
    return FindingChange(
        stays=tuple(each for key, each in new.items() if key in old),
        new=tuple(each for key, each in new.items() if key not in old),
        gone=tuple(each for key, each in old.items() if key not in new),
    )


def weakened(found: FindingChange) -> list[str]:
    weak = (FindingCode.OVERCOSTED, FindingCode.TOO_WEAK)
    return [name for each in found.new if each.code in weak for name in each.subjects]


def _key(finding: Finding, names: Mapping[str, str]) -> tuple[object, ...]:
    # Which scenarios it is about makes no other finding; which options does.
    of_scenarios = finding.code in (
        FindingCode.INSTANT_WIN,
        FindingCode.FLAT_SCENARIO,
        FindingCode.NEAR_LIMIT,
    )
    # Too weak is overcosted at any cost: an option that goes from one to the other was weak before.
    code = FindingCode.OVERCOSTED if finding.code is FindingCode.TOO_WEAK else finding.code
    return (code, () if of_scenarios else tuple(sorted(names.get(n, n) for n in finding.subjects)))


def deciding(state: EditedGame, goals: Sequence[Goal]) -> Ints:
    """Sampled builds that the answer hangs on, the best first: those at a goal's limit, within what sampling
    may move them or it, and with them those that the reference level is made of."""
    contest = state.contest
    sampled = state.rows[contest.errors[state.rows] > 0]
    if len(sampled) == 0:
        return sampled
    middle = _middle(state)
    doubt = max((float(contest.errors[row]) for row in middle), default=0.0)
    chosen = np.zeros(len(contest.losses), dtype=np.bool_)
    for goal in goals:
        limit = goal.look(state).limit
        if limit is None:
            continue
        apart = np.abs(contest.losses[state.rows] - limit)
        near = state.rows[apart <= SURE * np.hypot(contest.errors[state.rows], doubt)]
        near = near[(contest.errors[near] > 0) | (doubt > 0)]
        if len(near):
            chosen[near] = True
            chosen[middle] = True
    found: Ints = sampled[chosen[sampled]]
    return found


def _middle(state: EditedGame) -> list[int]:
    """The rows that the reference level is made of."""
    ordered = sorted(priced(state.reaches), key=lambda reach: reach.loss)
    return [reach.row for reach in ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]]


def describe(edits: Sequence[Edit]) -> str:
    """A set of edits in words: `Raise A from 1 to 2; don't allow A together with B or C`."""
    said = [edit.words for edit in edits if not edit.pair]
    pairs = [edit.pair for edit in edits if edit.pair]
    while pairs:
        # The option of most pairs comes first, and the others with it make one sentence.
        names = [name for pair in pairs for name in pair]
        shared = max(dict.fromkeys(names), key=names.count)
        others = [pair[pair[0] == shared] for pair in pairs if shared in pair]
        pairs = [pair for pair in pairs if shared not in pair]
        said.append(f"Don't allow {shared} together with {_either(others)}")
    return "; ".join(text if i == 0 else text[0].lower() + text[1:] for i, text in enumerate(said))


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


Candidate = tuple[tuple[Edit, ...], Quick]
_COSTS, _BANS = {RAISES, CUTS}, {PAIRS, TYPES}
# Columns of `Quick.costs`, and the share of builds that a reader would notice.
_LAST, _EDITS, _LOST, _VIABLE, _WEAK = 0, 1, 3, 4, 5
_NOTABLE_LOSS = 0.02
_FEWEST = "fewest edits"
NOTHING_OVERCOSTED = "nothing overcosted"


def pick(candidates: Sequence[Candidate], most: int) -> list[tuple[Candidate, str]]:
    """At most `most`, with what each is best at: raises and bans first, of those the smallest; what moves
    the benchmark last. A set that is best at nothing a reader would notice is left out."""
    if not candidates:
        return []
    front = undominated(_one_a_set(candidates))
    chosen: dict[int, list[str]] = {}
    costs = np.array([each.costs for _, each in front], dtype=float)
    kinds = [{edit.kind for edit in edits} for edits, _ in front]
    order = np.lexsort(costs.T[::-1])

    def take(place: int, what: str) -> None:
        if place in chosen or len(chosen) < most:
            chosen.setdefault(place, []).append(what)

    def is_better(place: int, column: int, by: float) -> bool:
        return all(costs[i, column] - costs[place, column] >= by for i in chosen)

    fewest = costs[:, _EDITS].min()
    take(int(order[0]), _FEWEST if costs[order[0], _EDITS] == fewest else "fewest raises and bans")

    def smaller(kind: int) -> None:
        """The smallest of those that make builds legal (1) or move the benchmark (2)."""
        mine = [i for i in order.tolist() if costs[i, _LAST] == kind]
        if mine and is_better(mine[0], _EDITS, 1):
            take(mine[0], _FEWEST if costs[mine[0], _EDITS] == fewest else "fewer edits, with cost cuts")

    smaller(1)
    for column, what, by in (
        (_WEAK, NOTHING_OVERCOSTED, 1),
        (_LOST, "keeps the most builds", _NOTABLE_LOSS),
        (_VIABLE, "most viable options", 2),
    ):
        place = int(np.lexsort([costs[:, c] for c in (2, 1, column, 0)])[0])
        if place not in chosen and is_better(place, column, by):
            take(place, what if column != _WEAK or costs[place, _WEAK] == 0 else "fewest newly overcosted")
    smaller(2)
    for wanted, what in ((_BANS, "bans only"), (_COSTS, "costs only")):
        mine = [i for i in order.tolist() if kinds[i] <= wanted]
        # Where all are of that kind, it tells nothing.
        if mine and not all(each <= wanted for each in kinds) and chosen.get(mine[0]) != [_FEWEST]:
            take(mine[0], what)
    ranked = [i for i in order.tolist() if i in chosen]
    return [(front[i], ", ".join(chosen[i])) for i in ranked]


def undominated(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Those that no other beats in something and is worse than in nothing."""
    costs = np.array([each.costs for _, each in candidates], dtype=float)
    kept = []
    for i, candidate in enumerate(candidates):
        no_worse = (costs <= costs[i] + 1e-12).all(axis=1)
        better = (costs < costs[i] - 1e-12).any(axis=1)
        if not (no_worse & better).any():
            kept.append(candidate)
    return kept


def _one_a_set(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of sets that move the same levers the one that moves them least."""
    found: dict[frozenset[str], Candidate] = {}
    for edits, costs in candidates:
        key = frozenset(edit.lever for edit in edits)
        if key not in found or costs.steps < found[key][1].steps:
            found[key] = (edits, costs)
    return list(found.values())
