"""Dead rules: options that never fire, or change nothing when they do, each with its proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildsearch.analysis.choices import Naming
from buildsearch.analysis.drops import Drops
from buildsearch.analysis.findings import Finding, FindingCode, FindingSeverity
from buildsearch.analysis.pooling import Pooling
from buildsearch.analysis.population import SURE, Population
from buildsearch.analysis.thresholds import DeadThresholds
from buildsearch.analysis.triggers import TriggerStats, TriggerWatch
from buildsearch.files.large_arrays import stretches

NOTHING = "changes nothing"
BLOCKS = "is never usable"
NEVER = "never fires"
_FEW = 64


@dataclass(frozen=True, slots=True)
class DeadRule:
    """`is_error`: it cannot trigger, so the rules or the scenarios are wrong; else it acts to no effect."""

    part: int
    verdict: str
    is_error: bool
    proof: str
    contexts: int
    exact: int
    furthest: float
    fights: int


def dead_rules(
    population: Population,
    found: Drops | None,
    witnesses: Mapping[int, TriggerStats],
    watch: TriggerWatch | None,
    limits: DeadThresholds,
    pooling: Pooling,
) -> list[DeadRule]:
    """Everything that is dead. Without `found` (nothing can be dropped) only triggers speak."""
    rules = []
    for place, part in enumerate(population.free.tolist()):
        seen = witnesses.get(part)
        if found is None:
            rule = _by_triggers(part, seen, watch, limits, pooling.fights_without(len(population.free)))
        else:
            rule = _by_scores(population, place, part, found, seen, watch, limits, pooling)
        if rule is not None:
            rules.append(rule)
    return rules


def _by_triggers(
    part: int, seen: TriggerStats | None, watch: TriggerWatch | None, limits: DeadThresholds, fights: int
) -> DeadRule | None:
    """What fires in no fight may still fire seldom: so many fights a scenario exclude one point."""
    seen = _again(part, seen, watch, limits.fights_to_be_sure, fights)
    if seen is None or not seen.never_fired:
        return None
    return DeadRule(part, NEVER, True, _say_fights(seen), 0, 0, 0.0, seen.fights)


def _by_scores(
    population: Population,
    place: int,
    part: int,
    found: Drops,
    seen: TriggerStats | None,
    watch: TriggerWatch | None,
    limits: DeadThresholds,
    pooling: Pooling,
) -> DeadRule | None:
    contexts = int(found.contexts[place])
    if contexts == 0:
        return None
    changed = found.changed[place].any() or (found.furthest_z[place] > SURE).any()
    never_fired = seen is not None and seen.never_fired
    if changed and not never_fired:
        return None
    # Single pairs may show that it does something; that it does nothing only all pairs show together.
    pooled = pooling.pool(population, part) if found.sampled[place].any() else []
    verdict = NOTHING if not changed and pooling.changes_nothing(pooled) else ""
    if changed and pooling.never_helps(pooled):
        # It never helps: what changes is the worse for it. Else its always-on part is alive.
        if is_blocking(population, part, limits.tolerance):
            verdict = BLOCKS
        elif found.helps[place] == 0:
            verdict = NEVER
    if not verdict:
        return None
    # Where exact scores prove it, few fights will do: they only tell an error from a rule without effect.
    is_proven = verdict == NOTHING and not found.sampled[place].any()
    fights = min(limits.fights, limits.fights_to_be_sure) if is_proven else limits.fights_to_be_sure
    seen = _again(part, seen, watch, fights)
    if verdict != NOTHING and (seen is None or not seen.never_fired):
        return None
    exact = int(found.exact[place].sum())
    proof = {
        NOTHING: _say_equal(found, place, contexts, pooling),
        BLOCKS: "in each group all builds with it score the same, with any other parts",
        NEVER: f"none of {_builds(contexts)} is better in any scenario with it than without it",
    }[verdict]
    if seen is not None and seen.firings:
        proof += f"; {_say_fights(seen)}"
    elif seen is not None:
        proof += "; it has no trigger: what it does has no effect here"
    is_error = seen is not None and seen.never_fired
    furthest = float(found.furthest[place].max())
    played = seen.fights if seen is not None else 0
    return DeadRule(part, verdict, is_error, proof, contexts, exact, furthest, played)


def is_blocking(population: Population, part: int, tolerance: float) -> bool:
    """Whether builds with a part score the same in their group, with any other parts."""
    rows = np.flatnonzero(population.has(part))
    group = population.scores.group[rows]
    several = False
    for number in np.flatnonzero(np.bincount(group)):
        mine = rows[group == number]
        error, least, most = -np.inf, np.inf, -np.inf
        # A few builds nearly always tell already.
        few = mine[:_FEW]
        if np.ptp(population.means[few], axis=0).max() > tolerance + 2 * SURE * population.errors[few].max():
            return False
        for some in stretches(len(mine)):
            error = np.maximum(error, population.errors[mine[some]].max(axis=0))
            means = population.means[mine[some]]
            least, most = np.minimum(least, means.min(axis=0)), np.maximum(most, means.max(axis=0))
        if np.any(most - least > tolerance + SURE * error * 2):
            return False
        several = several or len(mine) > 1
    return several


def _again(
    part: int, seen: TriggerStats | None, watch: TriggerWatch | None, fights: int, enough: int = 0
) -> TriggerStats | None:
    """Another look, at more builds, at an option that did not fire in the first: so many fights a build and
    scenario, and at least `enough` a scenario."""
    if seen is None or watch is None or not seen.never_fired:
        return seen
    return watch.look_again(part, fights, enough)


def _say_equal(found: Drops, place: int, contexts: int, pooling: Pooling) -> str:
    sampled = int(found.sampled[place].sum())
    said = (
        f"{_builds(contexts)} with it score{'s' if contexts == 1 else ''} as without it in every scenario "
        f"(largest exact difference {found.furthest[place].max():.1g}"
    )
    if sampled:
        said += (
            f"; {sampled:,} sampled pairs together exclude a change of {pooling.point:.0%}, with a chance of "
            f"{pooling.rate:.1%} that any such claim about this game is wrong"
        )
    return said + ")"


def _say_fights(seen: TriggerStats) -> str:
    fired = sum(firing.fired * firing.fights for firing in seen.firings.values())
    count = "it never fired in" if fired == 0 else f"it fired in {fired:,.0f} of"
    return f"{count} {seen.fights:,} fights of {_builds(len(seen.builds))}"


def _builds(number: int) -> str:
    return "1 build" if number == 1 else f"{number:,} builds"


def dead_findings(
    rules: Sequence[DeadRule], naming: Naming, absent_targets: Mapping[str, str], *, is_small: bool
) -> list[Finding]:
    """Options that change nothing. In a space too small to flag anything that is no error of the rules yet:
    an option that takes most of the budget stands in a handful of builds. Where the enemy that it needs is in
    no scenario, the scenarios are at fault."""
    findings = []
    for rule in rules:
        name = naming.names[rule.part]
        if name in absent_targets:
            needs = absent_targets[name]
            findings.append(
                Finding(
                    code=FindingCode.ABSENT_TARGET,
                    severity=FindingSeverity.WARNING,
                    subjects=(name,),
                    text=f"{naming.part(rule.part)} needs {needs}, and no scenario has one.",
                    fix="Add such a scenario.",
                    numbers={"needs": needs},
                )
            )
            continue
        text = f"{naming.part(rule.part)} {rule.verdict}: {rule.proof}."
        is_error = rule.is_error and not is_small
        cure = "Give it something to do, or take it out."
        if rule.is_error:
            cure = "Correct the rule, or add a scenario in which it can trigger."
        if is_small:
            cure = f"Look at a larger space first. {cure}"
        findings.append(
            Finding(
                code=FindingCode.NEVER_TRIGGERS if is_error else FindingCode.DEAD_OPTION,
                severity=FindingSeverity.ERROR if is_error else FindingSeverity.WARNING,
                subjects=(name,),
                text=text,
                fix=cure,
                numbers={"contexts": rule.contexts, "fights": rule.fights},
            )
        )
    return findings
