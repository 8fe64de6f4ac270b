"""Findings held against assertions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from buildsearch.analysis.causes import minimal_causes
from buildsearch.analysis.findings import (
    LISTS,
    OPTION_CLASSES,
    Finding,
    FindingCode,
    FindingSeverity,
    by_subject,
)
from buildsearch.analysis.reach import freedom
from buildsearch.analysis.saturation import saturation
from buildsearch.analysis.thresholds import Thresholds, with_margin
from buildsearch.gate import meta_assertions
from buildsearch.gate.assertions import (
    FORBIDDEN,
    KINDS,
    Assertion,
    BuildBeatsLimit,
    DominantType,
    FewBuildsWorthPlaying,
    FewViableOptions,
    LargeShare,
    NoCounter,
    UbiquitousOption,
)
from buildsearch.gate.check_input import CheckInput
from buildsearch.gate.results import AssertionResult, CheckCache, Level, Remark, Violation
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import UsageError
from buildsearch.ruleset.messages import suggest
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.race import next_step, share_of_alpha
from buildsearch.search.scoring import Advance, sample_rows

# What asks for a whole analysis; the rest is an assessment, which takes a moment.
_WHOLE = ("strictly-worse", "dead-option")


class Checker:
    """Checks assertions on one run after another; `fights` are left to decide what is near a limit."""

    def __init__(self, fights: int, memory: CheckCache, advance: Advance) -> None:
        self.fights = fights
        self.memory = memory
        self.advance = advance

    def check(self, name: str, assertion: Assertion, facts: CheckInput) -> list[AssertionResult]:
        """Its results: one for each scenario where it is about scenarios, none where it does not apply."""
        if assertion.level is Level.OFF or not _applies(name, assertion, facts):
            return []
        if isinstance(assertion, BuildBeatsLimit):
            return [self._beats(name, assertion, facts, fight) for fight in _fights(assertion, facts)]
        begun = time.perf_counter()
        # Matchups depend on more than scores; their fights are cached by themselves.
        is_kept = not isinstance(assertion, meta_assertions.KINDS)
        found = self.memory.recall(name, assertion, facts.content) if is_kept else None
        if found is None:
            found = tuple(_violations(name, assertion, facts))
            if is_kept:
                self.memory.keep(name, assertion, facts.content, found)
        took = time.perf_counter() - begun
        remark = why_it_cannot_fail(assertion, facts)
        return [AssertionResult(name, assertion.kind, assertion.level, facts.where, found, took, remark)]

    def _beats(self, name: str, assertion: BuildBeatsLimit, facts: CheckInput, fight: int) -> AssertionResult:
        begun = time.perf_counter()
        metric = facts.primary
        scorer, ledger = facts.scored
        settled = decide_limit(
            scorer,
            ledger,
            fight,
            assertion.limit,
            higher_is_better=metric.higher_is_better,
            budget=self.fights,
            seed=facts.seed,
            alpha=facts.alpha,
            advance=self.advance,
        )
        self.fights -= settled.fights
        where = f"{facts.where}, {facts.scores.fights[fight]}"
        found = [
            *_beating(name, assertion, facts, fight, where, settled.better, is_open=False),
            *_beating(name, assertion, facts, fight, where, settled.undecided, is_open=True),
        ]
        took = time.perf_counter() - begun
        return AssertionResult(name, assertion.kind, assertion.level, where, tuple(found), took)


def _applies(name: str, assertion: Assertion, facts: CheckInput) -> bool:
    """Whether the run is one that the assertion is about. What a parameter is called must be known."""
    here = facts.space.parameters
    for parameter in assertion.parameters:
        if parameter not in here:
            raise UsageError(
                f"assertion `{name}` is about the parameter `{parameter}`, which this game does not have. "
                f"{suggest(parameter, here)}"
            )
    return all(str(here[parameter]) in map(str, values) for parameter, values in assertion.parameters.items())


def _fights(assertion: BuildBeatsLimit, facts: CheckInput) -> list[int]:
    names = facts.scores.fights
    for name in assertion.scenario:
        if name not in names:
            raise UsageError(f"an assertion is about the scenario `{name}`. {suggest(name, names)}")
    return [i for i, name in enumerate(names) if not assertion.scenario or name in assertion.scenario]


def _violations(name: str, assertion: Assertion, facts: CheckInput) -> Iterator[Violation]:
    if assertion.kind in FORBIDDEN:
        codes = FORBIDDEN[assertion.kind]
        limits = _limits(assertion, facts)
        # By the thresholds of `analyze`, its own findings; by others, what they alone decide.
        is_usual = limits == facts.limits or assertion.kind in _WHOLE
        found = facts.analysis.findings if is_usual else facts.judged(limits).findings
        return (
            _of_finding(name, assertion, facts, each)
            for finding in found
            if finding.code in codes and finding.severity is not FindingSeverity.NOTE
            for each in by_subject(finding)
        )
    match assertion:
        case FewViableOptions():
            return _too_few_viable(name, assertion, facts)
        case UbiquitousOption():
            return _ubiquitous(name, assertion, facts)
        case NoCounter():
            return meta_assertions.without_counter(name, assertion, facts)
        case FewBuildsWorthPlaying():
            return meta_assertions.effective(name, assertion, facts)
        case LargeShare():
            return meta_assertions.largest(name, assertion, facts)
    raise AssertionError(f"no check for {assertion.kind}")


def _limits(assertion: Assertion, facts: CheckInput) -> Thresholds:
    """The thresholds that an assertion asks for."""
    if isinstance(assertion, DominantType):
        changed = facts.limits.verdict.model_copy(update={"dominant_share": assertion.share})
        return facts.limits.model_copy(update={"verdict": changed})
    return with_margin(facts.limits, getattr(assertion, "margin", None))


def _of_finding(name: str, assertion: Assertion, facts: CheckInput, each: Finding) -> Violation:
    """A finding that an assertion forbids, in its own words; one of a list by what it is called."""
    value, limit = _measured(assertion, facts, each)
    message, group = each.text, ""
    if each.code in LISTS:
        group = each.text
        title, known = facts.subject.titles.get(each.subjects[0], each.subjects[0]), OPTION_CLASSES[each.code]
        message = f"{title} is {known.name}: {known.meaning}."
    return facts.violation(
        name,
        assertion,
        subjects=each.subjects,
        message=message,
        value=value,
        limit=limit,
        excess=abs(value - limit),
        builds=int(each.numbers.get("builds", 0)),
        example=facts.name(each.builds[0]) if each.builds else "",
        is_open=each.is_open,
        code=each.code.value,
        group=group,
        fix=each.fix,
    )


def _measured(assertion: Assertion, facts: CheckInput, each: Finding) -> tuple[float, float]:
    """The number that says how bad it is, so that worse can be told from known, and its limit."""
    limits = with_margin(facts.limits, getattr(assertion, "margin", None)).verdict
    match each.code:
        case FindingCode.OVERPOWERED | FindingCode.MUST_HAVE:
            return float(each.numbers["ratio"] or np.inf), 1 / (1 - limits.margin)
        case FindingCode.INSTANT_WIN:
            return float(each.numbers["weight"]), limits.instant_weight
        case FindingCode.DOMINANT_TYPE:
            return each.numbers["builds"] / each.numbers["of_best"], limits.dominant_share
        case FindingCode.UNDERCOSTED | FindingCode.OVERCOSTED | FindingCode.TOO_WEAK:
            return float(each.numbers["best"][each.subjects[0]]), float(each.numbers["benchmark"])
    return 0.0, 0.0


def _too_few_viable(name: str, assertion: FewViableOptions, facts: CheckInput) -> Iterator[Violation]:
    verdict = facts.judged().verdict
    if why_not_judged(facts) is not None:
        return
    (found,) = freedom(verdict.reaches, (assertion.viability,))
    share = found.options / max(1, found.of)
    if share >= assertion.min_share:
        return
    yield facts.violation(
        name,
        assertion,
        subjects=(),
        message=f"{found.options} of {found.of} options are viable (within {1 - assertion.viability:.0%} of "
        f"the best build); at least {assertion.min_share:.0%} should be",
        value=share,
        limit=assertion.min_share,
        excess=assertion.min_share - share,
        example=facts.name(verdict.contest.winner),
    )


def _ubiquitous(name: str, assertion: UbiquitousOption, facts: CheckInput) -> Iterator[Violation]:
    limits = facts.limits.saturation.model_copy(update={"shares": (assertion.top,)})
    found = saturation(facts.population, limits)
    at = next((i for i, cut in enumerate(found.cuts) if not cut.is_top), None)
    if at is None:
        return
    for curve in found.curves:
        lift = curve.lifts[at]
        if curve.part.is_chosen and curve.part.at_least == 1 and lift > assertion.lift:
            yield facts.violation(
                name,
                assertion,
                subjects=(curve.part.name,),
                message=f"{curve.part.name} is {lift:.1f} times as common in the top {assertion.top:.2%} "
                f"as overall ({curve.shares[at]:.1%} against {curve.base:.1%})",
                value=lift,
                limit=assertion.lift,
                # Sampled scores at the edge of the top: the true share could be on either side of the limit.
                is_open=facts.is_sampled and curve.low[at] <= assertion.lift,
            )


def _beating(
    name: str,
    assertion: BuildBeatsLimit,
    facts: CheckInput,
    fight: int,
    where: str,
    rows: Any,
    *,
    is_open: bool,
) -> Iterator[Violation]:
    """Builds beyond a limit, by cause."""
    part = facts.scored[1].part(np.sort(rows))
    if len(part) == 0:
        return
    levels = np.concatenate([facts.space.levels(chunk) for chunk in part.chunks])
    means = part.mean(fight, 0)
    sign = -1.0 if facts.primary.higher_is_better else 1.0
    builds = [build for chunk in part.chunks for build in facts.space.builds(chunk)]
    for cause in minimal_causes(levels, facts.space.feature_names, frozenset(facts.scores.groups)):
        best = int(cause.rows[np.argmin(sign * means[cause.rows])])
        value = float(means[best])
        example = facts.space.name(builds[best])
        many = f" ({len(cause.rows):,} builds)" if len(cause.rows) > 1 else ""
        verb = "may beat" if is_open else "beats"
        yield facts.violation(
            name,
            assertion,
            subjects=cause.features,
            where=where,
            message=f"{example} {verb} {assertion.limit:g} {facts.primary.label} in {where}: "
            f"{value:.4g}{many}",
            value=value,
            limit=assertion.limit,
            excess=sign * (assertion.limit - value),
            builds=len(cause.rows),
            example=example,
            is_open=is_open,
        )


def why_not_judged(facts: CheckInput) -> Remark | None:
    """Why nothing can be flagged in this run; None where something can."""
    verdict = facts.judged().verdict
    if verdict.flat is not None:
        return Remark(f"The scenarios do not separate builds: {verdict.flat}.")
    return _too_small(facts)


def _too_small(facts: CheckInput) -> Remark | None:
    why = facts.judged().verdict.too_small
    return None if why is None else Remark(f"Too few builds to judge: {why}.")


def why_it_cannot_fail(assertion: Assertion, facts: CheckInput) -> Remark | None:
    """Why an assertion can hardly fail on the builds at hand, or not at all; None where it can."""
    match assertion.kind:
        case "strictly-worse":
            return _too_small(facts)
        case "instant-win" if facts.subject.least is None:
            return Remark("The score does not say how long fights last.")
        case "dominant-type" if facts.judged().verdict.dominant is None:
            return Remark(f"There are too few builds, or only one {facts.space.grouped_by}.")
        case "undercosted" if all(price is None for price in facts.subject.prices.values()):
            return Remark("Nothing has a cost in points.")
        case "overpowered-combination" | "instant-win" | "dominant-type" | "undercosted" | "overcosted":
            return why_not_judged(facts)
        case "must-have" | "flat-scenario":
            return _too_small(facts)
        case "few-viable-options":
            return why_not_judged(facts)
    return _why_not_ubiquitous(assertion, facts) if isinstance(assertion, UbiquitousOption) else None


def _why_not_ubiquitous(assertion: UbiquitousOption, facts: CheckInput) -> Remark | None:
    """Which options can never have such a lift: it is at most 1 / share. None where each can."""
    population = facts.population
    shares = [float(population.has(int(part)).mean()) for part in population.free]
    unable = sum(1 / share <= assertion.lift for share in shares if share > 0)
    if unable == 0:
        return None
    why = f"a lift of {assertion.lift:g}: lift is at most 1 / share."
    if unable == len(shares):
        return Remark(f"No option can reach {why}")
    return Remark(f"{unable} of {len(shares)} options can never reach {why}", can_fail=True)


ABOUT = {kind: " ".join((shape.__doc__ or "").split()) for kind, shape in KINDS.items()}


@dataclass(frozen=True, slots=True, eq=False)
class DecidedBuilds:
    """Which builds are better than the limit for sure, and which may be; all other builds are not."""

    better: Ints
    undecided: Ints
    fights: int


def decide_limit(
    scorer: CachedScorer,
    ledger: Ledger,
    fight: int,
    limit: float,
    *,
    higher_is_better: bool,
    budget: int,
    seed: int,
    alpha: float,
    advance: Advance,
) -> DecidedBuilds:
    """Compare the primary metric with a limit. The bounds hold at every moment and for all builds at once,
    so fighting on near the limit, and stopping when it is decided, is no cheating."""
    share = share_of_alpha(ledger, alpha)
    spent = 0
    rows = np.arange(len(ledger))
    near = ledger
    better: list[Ints] = []
    while True:
        low, high = near.bounds(scorer.scorer, fight, 0, share)
        certain = (low > limit) if higher_is_better else (high < limit)
        possible = (high > limit) if higher_is_better else (low < limit)
        better.append(rows[certain])
        kept = np.flatnonzero(possible & ~certain)
        rows, near = rows[kept], near.part(kept)
        # Exact scores are decided, so whoever is left is sampled.
        columns = near.open_columns(fight, np.arange(len(near.sampled)))
        if len(columns):
            least = int(near.fought[columns].min())
            columns = columns[near.fought[columns] == least]
        needed = near.fights_for(columns, next_step(least)) if len(columns) else 0
        if len(columns) == 0 or spent + needed > budget:
            return DecidedBuilds(np.sort(np.concatenate(better)), rows, spent)
        sample_rows(scorer, near, columns, next_step(least), seed)
        ledger.take_over(near, rows)
        advance(needed)
        spent += needed
