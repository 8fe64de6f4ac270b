"""New and fixed findings of `check`, for `diff --check`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.changes.difference import FindingsChange
from buildsearch.changes.side import Effort, Side
from buildsearch.gate.checker import Checker
from buildsearch.gate.config import GateConfig, read_config, with_preset
from buildsearch.gate.facts import Facts
from buildsearch.gate.memory import Memory
from buildsearch.gate.results import Violation
from buildsearch.search.hands import workers
from buildsearch.search.score_table import score_table
from buildsearch.workflow.fight_setup import FightSetup
from buildsearch.workflow.gate_facts import say_parameters
from buildsearch.workflow.input_files import Loaded
from buildsearch.workflow.subjects import subject_of


def findings_change(
    sides: tuple[Side, Side],
    loaded: tuple[Loaded, Loaded],
    names: Mapping[str, str],
    effort: Effort,
    cache: Path | None,
) -> FindingsChange:
    """Judge both sides by the assertions that `check` would take here; what stays open is left out."""
    settings = with_preset(read_config(None)[0])
    # One name for both places: a finding is the same one although a budget was edited.
    where = say_parameters(sides[1].arena.space)
    before, after = (
        _findings(side, each, settings, where, effort, cache)
        for side, each in zip(sides, loaded, strict=True)
    )
    before = [
        replace(each, subjects=tuple(names.get(name, name) for name in each.subjects)) for each in before
    ]
    old, new = ({each.fingerprint for each in found} for found in (before, after))
    return FindingsChange(
        new=tuple(_say(each) for each in after if each.fingerprint not in old and not each.is_open),
        fixed=tuple(_say(each) for each in before if each.fingerprint not in new and not each.is_open),
    )


def _findings(
    side: Side, loaded: Loaded, settings: GateConfig, where: str, effort: Effort, cache: Path | None
) -> list[Violation]:
    arena, rules = side.arena, effort.rules
    setup = FightSetup(loaded, arena.space, arena.fights, at_any_cost=False)
    primary = loaded.system.metrics[0]
    scores = score_table(
        side.ledger,
        arena.space,
        effort.objective.shown(side.costs),
        higher_is_better=effort.objective.higher_is_better,
        primary_higher_is_better=primary.higher_is_better,
    )
    facts = Facts(
        where=where,
        subject=subject_of(setup, scores, effort.objective.name),
        primary=primary,
        limits=read_thresholds(),
        seed=rules.seed,
        jobs=workers(effort.jobs),
        alpha=rules.alpha,
        score_again=lambda: (arena.scorer, side.ledger),
    )
    checker = Checker(settings.fights, Memory(cache), lambda _done: None)
    return [
        finding
        for name, assertion in settings.assertions.items()
        for result in checker.check(name, assertion, facts)
        for finding in result.findings
    ]


def _say(finding: Violation) -> str:
    return f"{finding.level.value}: {finding.assertion}: {finding.message}"
