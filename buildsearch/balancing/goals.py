"""What shall hold. A goal looks at a state of the game and says whether it is kept, and who is in its way.

Edits that only take builds away make every option's best build worse or leave it. So what is said here of
`rows` holds for whatever takes more away: as long as one of them is legal, the goal is broken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pydantic import ValidationError

from buildsearch.analysis.findings import FindingCode, FindingSeverity
from buildsearch.analysis.score_order import ScoreScale
from buildsearch.analysis.thresholds import Thresholds, with_aim, with_margin
from buildsearch.balancing.edited_game import EditedGame
from buildsearch.gate.assertions import (
    KINDS,
    BuildBeatsLimit,
    DominantType,
    FewViableOptions,
    InstantWin,
    MustHave,
    Overcosted,
    Overpowered,
    Undercosted,
)
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import InputError, Problem
from buildsearch.model.evaluation import TIE, Scale
from buildsearch.ruleset.messages import suggest

_NOBODY: Ints = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class GoalStatus:
    """`is_kept`, or not; `is_open`: sampled scores leave that undecided. `rows` are builds that must go.

    `limit` is the loss that no build may stay below. `gap` says how far off the goal is; 0 where it is kept.
    """

    is_kept: bool
    rows: Ints
    gap: float
    is_open: bool = False
    limit: float | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """`text` is what people wrote or would write. `by_removal`: `rows` hold for whatever takes more away."""

    text: str
    words: str
    look: Callable[[EditedGame], GoalStatus]
    by_removal: bool = True
    needs_steps: bool = False
    accuses: bool = False  # where nobody can be accused, it is kept
    about: tuple[str, ...] = ()  # options that it names
    # How far the best build may be ahead of the benchmark, as a difference of losses; None: it asks no such
    # thing.
    margin: Callable[[ScoreScale], float] | None = None


def _kept(limit: float | None = None) -> GoalStatus:
    return GoalStatus(True, _NOBODY, 0.0, limit=limit)


def _above(state: EditedGame, limit: float) -> GoalStatus:
    """No build may be better than a limit (a loss)."""
    rows = state.contest.better_than(limit - TIE)
    if len(rows) == 0:
        return _kept(limit)
    return GoalStatus(False, rows, limit - state.best_loss, limit=limit)


def no_overpowered(limits: Thresholds, text: str, scale: Scale = Scale.POSITIVE) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        found = state.overpowered(limits.verdict)
        if len(found.rows) == 0:
            return _kept(found.limit)
        gap = found.limit - state.best_loss
        return GoalStatus(False, found.rows, gap, is_open=len(found.sure) == 0, limit=found.limit)

    verdict = limits.verdict
    limit = {
        Scale.POSITIVE: f"{verdict.margin:.0%}",
        Scale.PROBABILITY: f"{verdict.odds:.3g} times the odds",
        Scale.OTHER: f"{verdict.margin:.0%} of the span",
    }[scale]

    def margin(yardstick: ScoreScale) -> float:
        return replace(yardstick, limits=verdict).margin

    return Goal(text, f"best build at most {limit} ahead", look, accuses=True, margin=margin)


def no_must_have(limits: Thresholds, text: str) -> Goal:
    """No option, and no two, without which the best build is far worse."""

    def look(state: EditedGame) -> GoalStatus:
        heavy = state.must_haves(limits.verdict)
        margin = state.court.yardstick(limits.verdict).margin
        if not heavy:
            return _kept(state.best_loss + state.heaviest - margin)
        apart = max(loss.apart for loss in heavy)
        limit = state.best_loss + apart - margin
        rows = state.contest.better_than(limit - TIE)
        return GoalStatus(
            False, rows, apart - margin, is_open=all(loss.is_open for loss in heavy), limit=limit
        )

    return Goal(text, "no must-have", look, accuses=True)


def no_fight_decided(text: str) -> Goal:
    """No build ends half of the fights as fast as they can end."""

    def look(state: EditedGame) -> GoalStatus:
        rows = np.array([each.row for each in state.decided], dtype=np.int64)
        return _kept() if len(rows) == 0 else GoalStatus(False, rows, float(len(rows)))

    return Goal(text, "no instant win", look, needs_steps=True, accuses=True)


def no_dominant(limits: Thresholds, text: str) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        found = state.dominant(limits.verdict)
        if found is None or not found.accuses:
            return _kept()
        return GoalStatus(False, _NOBODY, found.builds / found.top)

    said = "no type with nearly all of the best builds"
    return Goal(text, said, look, by_removal=False, accuses=True)


def no_mispriced(limits: Thresholds, text: str, *, dear: bool) -> Goal:
    """No option undercosted; with `dear`, none overcosted instead."""
    accused = {FindingCode.OVERCOSTED, FindingCode.TOO_WEAK} if dear else {FindingCode.UNDERCOSTED}

    def look(state: EditedGame) -> GoalStatus:
        found = [
            each
            for each in state.judged_by(limits).findings
            if each.code in accused and each.severity is not FindingSeverity.NOTE
        ]
        if not found:
            return _kept()
        return GoalStatus(
            False,
            _NOBODY,
            float(sum(len(each.subjects) for each in found)),
            is_open=all(each.is_open for each in found),
        )

    said = "no overcosted option" if dear else "no undercosted option"
    return Goal(text, said, look, by_removal=False, accuses=True)


def no_build_beats(limit: float, fights: tuple[str, ...], text: str) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        scores = state.court.table.population.scores
        better = np.zeros(len(state.rows), dtype=np.bool_)
        most = 0.0
        for place, name in enumerate(scores.fights):
            if fights and name not in fights:
                continue
            values = scores.fight_means[place, state.rows]
            ahead = values - limit if scores.primary_higher_is_better else limit - values
            better |= ahead > TIE
            most = max(most, float(ahead.max(initial=0.0)))
        rows = state.rows[better]
        return _kept() if len(rows) == 0 else GoalStatus(False, rows, most)

    return Goal(text, f"no build better than {limit:g}", look)


def best(limit: float, text: str, *, at_least: bool) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        yardstick = state.contest.yardstick
        is_cap = at_least != yardstick.higher_is_better
        edge = yardstick.loss(limit)
        if is_cap:
            return _above(state, edge)
        gap = state.best_loss - edge
        return _kept(edge) if gap <= TIE else GoalStatus(False, _NOBODY, gap, limit=edge)

    return Goal(text, f"best build at {'least' if at_least else 'most'} {limit:g}", look)


def ahead(factor: float, text: str) -> Goal:
    """The best build is at most `factor` times better than the benchmark."""

    def margin(yardstick: ScoreScale) -> float:
        return factor if yardstick.scale is Scale.OTHER else math.log(factor)

    def look(state: EditedGame) -> GoalStatus:
        if state.reference is None:
            return _kept()
        return _above(state, state.reference.loss - margin(state.contest.yardstick))

    said = f"best build at most {factor:g} times better than the benchmark"
    return Goal(text, said, look, margin=margin)


def benchmark(limit: float, text: str, *, at_least: bool) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        value = None if state.reference is None else state.reference.score
        off = math.inf if value is None else (limit - value if at_least else value - limit)
        return _kept() if off <= TIE else GoalStatus(False, _NOBODY, off)

    said = f"benchmark at {'least' if at_least else 'most'} {limit:g}"
    return Goal(text, said, look, by_removal=False)


def viable_options(viability: float, least: float, text: str) -> Goal:
    """At least `least` options (a share of them up to 1) come near the best."""

    def look(state: EditedGame) -> GoalStatus:
        counted = sorted(each.loss for each in state.reaches if each.counts)
        wanted = math.ceil(least * len(counted) - TIE) if least <= 1 else math.ceil(least)
        if wanted > len(counted) or not counted:
            return GoalStatus(False, _NOBODY, float(max(1, wanted - len(counted))))
        (found,) = state.freedom((viability,))
        if found.options >= wanted:
            return _kept()
        # So many options reach this; unless the best comes down to it, they are not viable.
        return _near(state, counted[max(0, wanted - 1)], viability, float(wanted - found.options))

    many = f"{least:.0%} of the options" if least <= 1 else f"{least:g} options"
    return Goal(text, f"at least {many} viable at {viability:.0%}", look)


def viability(name: str, least: float, text: str) -> Goal:
    """The best build with an option comes near the best."""

    def look(state: EditedGame) -> GoalStatus:
        found = state.reach(name)
        if found is None:
            return GoalStatus(False, _NOBODY, 1.0)
        if found.viability >= least - TIE:
            return _kept()
        return _near(state, found.loss, least, least - found.viability)

    return Goal(text, f"viability of {name} at least {least:.0%}", look, about=(name,))


def _near(state: EditedGame, loss: float, viability_: float, gap: float) -> GoalStatus:
    """Builds so good that something with this loss is not viable beside them."""
    is_other = state.contest.yardstick.scale is Scale.OTHER
    limit = loss - ((1 - viability_) if is_other else -math.log(viability_))
    return GoalStatus(False, state.contest.better_than(limit - TIE), gap, limit=limit)


def builds_kept(least: float, text: str) -> Goal:
    def look(state: EditedGame) -> GoalStatus:
        return _kept() if state.kept >= least - TIE else GoalStatus(False, _NOBODY, least - state.kept)

    return Goal(text, f"at least {least:.0%} of the builds still legal", look)


def still_ahead(goals: Sequence[Goal], state: EditedGame, today: EditedGame) -> float | None:
    """How far the best build is ahead of today's benchmark, where that is too far: then the goal is kept
    because the benchmark comes nearer, not because the best build is weaker."""
    if today.reference is None:
        return None
    yardstick, apart = state.contest.yardstick, today.reference.loss - state.best_loss
    is_far = any(goal.margin is not None and apart > goal.margin(yardstick) + TIE for goal in goals)
    return apart if is_far else None


@dataclass(frozen=True, slots=True)
class GoalResult:
    """How a state does by all goals: who is not kept, and what is in the way."""

    broken: tuple[tuple[Goal, GoalStatus], ...]
    why_not: str = ""
    is_final: bool = False  # whatever takes more away fails too

    @property
    def is_kept(self) -> bool:
        return not self.broken and not self.why_not

    @property
    def is_open(self) -> bool:
        """Whether only sampling leaves it undecided."""
        return bool(self.broken) and not self.why_not and all(look.is_open for _, look in self.broken)

    @property
    def is_possible(self) -> bool:
        return self.is_kept or self.is_open


def hold(goals: tuple[Goal, ...], state: EditedGame) -> GoalResult:
    """Whether all goals hold. A game in which an option cannot be taken any more, or where nobody can be
    accused because too little is left, is no cure: then that is said."""
    if len(state.rows) == 0:
        return GoalResult((), "no build is left", is_final=True)
    if not state.is_whole and state.court.state(()).is_whole:
        gone = {each.name for each in state.court.choices} - {each.choice.name for each in state.reaches}
        return GoalResult((), f"{', '.join(sorted(gone))} could not be taken any more", is_final=True)
    broken = []
    for goal in goals:
        look = goal.look(state)
        if not look.is_kept:
            broken.append((goal, look))
            # What is cheap comes first, and one reason is enough; `explain` asks each goal by itself.
            break
    if not broken and state.silent is not None and state.court.state(()).silent is None:
        return GoalResult((), state.silent)
    return GoalResult(tuple(broken))


DEFAULT = ("overpowered-combination", "must-have", "instant-win")
MEASURES = ("best", "benchmark", "ahead", "viable@80%", "viability OPTION", "builds")
# Measures under the names of earlier versions.
_RENAMED = {"reference": "benchmark <= 7", "freedom": "viable@80% >= 60%"}
_MEASURE = re.compile(
    r"(?P<what>[a-z_]+)(?:@(?P<at>[0-9.]+%?))?(?:\s+(?P<name>[a-z][a-z0-9_]*(?: x[0-9]+)?))?"
    r"\s*(?P<sign>>=|<=|=>|=<|>|<|==|=)\s*(?P<limit>[0-9]+(?:\.[0-9]*)?(?P<percent>\s*%)?)"
)
_HINT = "Write an assertion of `check` by name, or such as `best >= 6`, `viable@80% >= 60%`."


@dataclass(frozen=True, slots=True)
class _Run:
    """What goals hang on besides their words."""

    limits: Thresholds
    fights: Sequence[str]
    counts_steps: bool
    scale: Scale


class _NotAGoal(Exception):  # noqa: N818 - control flow inside this file
    def __init__(self, message: str, hint: str = _HINT) -> None:
        self.message, self.hint = message, hint


def read_goals(
    words: Sequence[str],
    assertions: Mapping[str, object],
    limits: Thresholds,
    options: Sequence[str],
    fights: Sequence[str],
    *,
    counts_steps: bool,
    scale: Scale = Scale.POSITIVE,
) -> tuple[Goal, ...]:
    """Goals by what was written; nothing means the default. Raises InputError with every problem.

    `assertions` are those that `check` has here, `options` what builds can have, `scale` how scores compare.
    Where scores count no steps, no fight is decided at once by itself.
    """
    given = list(words) or [each for each in DEFAULT if counts_steps or each != DEFAULT[2]]
    run = _Run(limits, fights, counts_steps, scale)
    found: list[Goal] = []
    problems: list[Problem] = []
    for text in given:
        try:
            found.append(_goal(text.strip(), assertions, options, run))
        except _NotAGoal as refused:
            problems.append(Problem(refused.message, source=f"‹goals› {text!r}", hint=refused.hint))
    if problems:
        raise InputError(problems)
    unique = {goal.text: goal for goal in found}
    # What takes longer to look at comes last.
    return tuple(sorted(unique.values(), key=lambda goal: (not goal.by_removal, goal.needs_steps)))


def _goal(text: str, assertions: Mapping[str, object], options: Sequence[str], run: _Run) -> Goal:
    if text in assertions:
        return _of_assertion(assertions[text], text, run)
    if text in KINDS:
        named = [each for each in assertions.values() if getattr(each, "kind", None) == text]
        if named:
            return _of_assertion(named[0], text, run)
        try:
            return _of_assertion(KINDS[text].model_validate({"kind": text}), text, run)
        except ValidationError:
            raise _NotAGoal(
                f"`{text}` needs numbers, which an assertion in buildsearch.toml has",
                "Write it there and name it, or write a measure such as `viable@80% >= 25%`.",
            ) from None
    matched = _MEASURE.fullmatch(text)
    if matched is not None and matched["what"] in _RENAMED:
        new = _RENAMED[matched["what"]]
        raise _NotAGoal(f"`{matched['what']}` has another name now", f"Write it such as `{new}`.")
    if matched is None:
        raise _NotAGoal(
            f"`{text}` is not a goal",
            f"{suggest(text, [*KINDS, *assertions, *MEASURES]) or ''} {_HINT}".strip(),
        )
    return _measure(matched, text, options)


def _of_assertion(assertion: object, text: str, run: _Run) -> Goal:
    limits, fights = run.limits, run.fights
    match assertion:
        case Overpowered():
            return no_overpowered(with_aim(limits, assertion.margin), text, run.scale)
        case MustHave():
            return no_must_have(with_margin(limits, assertion.margin), text)
        case InstantWin():
            if not run.counts_steps:
                raise _NotAGoal(
                    f"`{text}`: the score of this run does not say how long fights last", "Leave it out."
                )
            return no_fight_decided(text)
        case DominantType():
            changed = limits.verdict.model_copy(update={"dominant_share": assertion.share})
            return no_dominant(limits.model_copy(update={"verdict": changed}), text)
        case FewViableOptions():
            return viable_options(assertion.viability, assertion.min_share, text)
        case Undercosted() | Overcosted():
            is_dear = isinstance(assertion, Overcosted)
            return no_mispriced(with_margin(limits, assertion.margin), text, dear=is_dear)
        case BuildBeatsLimit():
            unknown = [name for name in assertion.scenario if name not in fights]
            if unknown:
                raise _NotAGoal(
                    f"`{text}` is about the scenario `{unknown[0]}`", suggest(unknown[0], fights) or ""
                )
            return no_build_beats(assertion.limit, assertion.scenario, text)
    raise _NotAGoal(
        f"`{text}` rests on a whole analysis of every build, which no edit can be searched by",
        "Choose another goal, and run `check` on the file that ‹apply› writes.",
    )


def _measure(matched: re.Match[str], text: str, options: Sequence[str]) -> Goal:
    what, sign = matched["what"], matched["sign"]
    percent = matched["percent"]
    limit = float(matched["limit"].removesuffix("%").strip() if percent else matched["limit"])
    limit = limit / 100 if percent else limit
    if sign not in (">=", "<="):
        raise _NotAGoal(f"`{text}`: a limit is said with `>=` or `<=`, not with `{sign}`")
    at_least = sign == ">="
    at, name = matched["at"], matched["name"]
    if (at is not None and what != "viable") or (name is not None and what != "viability"):
        raise _NotAGoal(f"`{text}` is not a goal")
    if what == "best":
        return best(limit, text, at_least=at_least)
    if what == "benchmark":
        return benchmark(limit, text, at_least=at_least)
    if what in ("viable", "viability", "builds") and not at_least:
        raise _NotAGoal(f"`{text}`: of {what} there can be too little, not too much", "Write it with `>=`.")
    if what == "viable":
        near = 0.8 if at is None else _share(at, text)
        return viable_options(near, limit, text)
    if what == "viability":
        if name is None or name not in options:
            raise _NotAGoal(f"`{text}`: which option?", suggest(name or "", options) or "Name one.")
        return viability(name, _share(str(limit), text), text)
    if what == "builds":
        return builds_kept(_share(str(limit), text), text)
    if what == "ahead" and not at_least and limit > 0:
        return ahead(limit, text)
    raise _NotAGoal(f"`{text}` is not a goal", f"{suggest(what, list(MEASURES)) or ''} {_HINT}".strip())


def _share(text: str, whole: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise _NotAGoal(f"`{whole}`: {text} is not a share: write 0.8 or 80%")
    return share
