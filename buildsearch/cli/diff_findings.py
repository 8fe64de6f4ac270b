"""New and fixed findings of `check`, for `diff --check`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.cli.loading import Loaded
from buildsearch.diff.ground import Effort, Side
from buildsearch.diff.running import FindingsChange
from buildsearch.gate.config import GateConfig, preset, read_config
from buildsearch.gate.facts import Facts
from buildsearch.gate.findings import Finding
from buildsearch.gate.judging import Judge
from buildsearch.gate.memory import Memory
from buildsearch.search.score_table import score_table

_DEFAULT = "lenient"


def findings_change(
    sides: tuple[Side, Side],
    loaded: tuple[Loaded, Loaded],
    names: Mapping[str, str],
    effort: Effort,
    cache: Path | None,
) -> FindingsChange:
    """Judge both sides by the assertions that `check` would take here; what stays open is left out."""
    settings = _settings()
    # One name for both places: a finding is the same one although a budget was edited.
    place = ", ".join(f"{name} {value}" for name, value in sides[1].ground.space.parameters.items())
    before, after = (
        _findings(side, each, settings, place, effort, cache)
        for side, each in zip(sides, loaded, strict=True)
    )
    before = [
        replace(each, culprits=tuple(names.get(name, name) for name in each.culprits)) for each in before
    ]
    old, new = ({each.fingerprint for each in found} for found in (before, after))
    return FindingsChange(
        new=tuple(_say(each) for each in after if each.fingerprint not in old and not each.is_open),
        fixed=tuple(_say(each) for each in before if each.fingerprint not in new and not each.is_open),
    )


def _settings() -> GateConfig:
    found, _ = read_config(None)
    chosen = found.preset or (None if found.assertions else _DEFAULT)
    assertions = {**(preset(chosen).assertions if chosen else {}), **found.assertions}
    return found.model_copy(update={"assertions": assertions})


def _findings(
    side: Side, loaded: Loaded, settings: GateConfig, place: str, effort: Effort, cache: Path | None
) -> list[Finding]:
    primary = loaded.system.metrics[0]
    ground = side.ground
    facts = Facts(
        place=place,
        scorer=ground.scorer,
        ledger=side.ledger,
        scores=score_table(
            side.ledger,
            ground.space,
            effort.objective.shown(side.costs),
            higher_is_better=effort.objective.higher_is_better,
            primary_higher_is_better=primary.higher_is_better,
        ),
        space=ground.space,
        options=loaded.system.options(loaded.model),
        primary=primary,
        replayer=loaded.system.replayer(loaded.model),
        limits=read_thresholds(),
        seed=effort.rules.seed,
        jobs=os.cpu_count() or 1 if effort.jobs == -1 else effort.jobs,
        alpha=effort.rules.alpha,
    )
    judge = Judge(settings.fights, Memory(cache), lambda _done: None)
    return [
        finding
        for name, assertion in settings.assertions.items()
        for result in judge.judge(name, assertion, facts)
        for finding in result.findings
    ]


def _say(finding: Finding) -> str:
    return f"{finding.level.value}: {finding.assertion}: {finding.message}"
