"""Goals from words: assertions of `check` by name, and measures with a limit. Every problem at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from buildsearch.analysis.thresholds import Thresholds, with_aim, with_margin
from buildsearch.balancing import goals
from buildsearch.balancing.goals import Goal
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
from buildsearch.model.errors import InputError, Problem
from buildsearch.model.evaluation import Scale
from buildsearch.ruleset.messages import suggest

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


class _Refused(Exception):  # noqa: N818 - control flow inside this file
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
        except _Refused as refused:
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
            raise _Refused(
                f"`{text}` needs numbers, which an assertion in buildsearch.toml has",
                "Write it there and name it, or write a measure such as `viable@80% >= 25%`.",
            ) from None
    matched = _MEASURE.fullmatch(text)
    if matched is not None and matched["what"] in _RENAMED:
        new = _RENAMED[matched["what"]]
        raise _Refused(f"`{matched['what']}` has another name now", f"Write it such as `{new}`.")
    if matched is None:
        raise _Refused(
            f"`{text}` is not a goal",
            f"{suggest(text, [*KINDS, *assertions, *MEASURES]) or ''} {_HINT}".strip(),
        )
    return _measure(matched, text, options)


def _of_assertion(assertion: object, text: str, run: _Run) -> Goal:
    limits, fights = run.limits, run.fights
    match assertion:
        case Overpowered():
            return goals.no_overpowered(with_aim(limits, assertion.margin), text, run.scale)
        case MustHave():
            return goals.no_must_have(with_margin(limits, assertion.margin), text)
        case InstantWin():
            if not run.counts_steps:
                raise _Refused(
                    f"`{text}`: the score of this run does not say how long fights last", "Leave it out."
                )
            return goals.no_fight_decided(text)
        case DominantType():
            changed = limits.verdict.model_copy(update={"dominant_share": assertion.share})
            return goals.no_dominant(limits.model_copy(update={"verdict": changed}), text)
        case FewViableOptions():
            return goals.viable_options(assertion.viability, assertion.min_share, text)
        case Undercosted() | Overcosted():
            is_dear = isinstance(assertion, Overcosted)
            return goals.no_mispriced(with_margin(limits, assertion.margin), text, dear=is_dear)
        case BuildBeatsLimit():
            unknown = [name for name in assertion.scenario if name not in fights]
            if unknown:
                raise _Refused(
                    f"`{text}` is about the scenario `{unknown[0]}`", suggest(unknown[0], fights) or ""
                )
            return goals.no_build_beats(assertion.limit, assertion.scenario, text)
    raise _Refused(
        f"`{text}` rests on a whole analysis of every build, which no edit can be searched by",
        "Choose another goal, and run `check` on the file that ‹apply› writes.",
    )


def _measure(matched: re.Match[str], text: str, options: Sequence[str]) -> Goal:
    what, sign = matched["what"], matched["sign"]
    percent = matched["percent"]
    limit = float(matched["limit"].removesuffix("%").strip() if percent else matched["limit"])
    limit = limit / 100 if percent else limit
    if sign not in (">=", "<="):
        raise _Refused(f"`{text}`: a limit is said with `>=` or `<=`, not with `{sign}`")
    at_least = sign == ">="
    at, name = matched["at"], matched["name"]
    if (at is not None and what != "viable") or (name is not None and what != "viability"):
        raise _Refused(f"`{text}` is not a goal")
    if what == "best":
        return goals.best(limit, text, at_least=at_least)
    if what == "benchmark":
        return goals.benchmark(limit, text, at_least=at_least)
    if what in ("viable", "viability", "builds") and not at_least:
        raise _Refused(f"`{text}`: of {what} there can be too little, not too much", "Write it with `>=`.")
    if what == "viable":
        near = 0.8 if at is None else _share(at, text)
        return goals.viable_options(near, limit, text)
    if what == "viability":
        if name is None or name not in options:
            raise _Refused(f"`{text}`: which option?", suggest(name or "", options) or "Name one.")
        return goals.viability(name, _share(str(limit), text), text)
    if what == "builds":
        return goals.builds_kept(_share(str(limit), text), text)
    if what == "ahead" and not at_least and limit > 0:
        return goals.ahead(limit, text)
    raise _Refused(f"`{text}` is not a goal", f"{suggest(what, list(MEASURES)) or ''} {_HINT}".strip())


def _share(text: str, whole: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise _Refused(f"`{whole}`: {text} is not a share: write 0.8 or 80%")
    return share
