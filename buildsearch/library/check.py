"""Assertions about balance, checked on the run that `analyze` reads, for every combination of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.gate.baseline import Baseline, read_baseline
from buildsearch.gate.check_input import CheckInput
from buildsearch.gate.checker import Checker
from buildsearch.gate.config import GateConfig, read_config, with_preset
from buildsearch.gate.memory import Memory
from buildsearch.gate.results import AssertionResult, Level, Outcome
from buildsearch.library.analyze import proposal_of
from buildsearch.library.defaults import DEFAULT_RULES
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.gate_facts import facts_of
from buildsearch.library.meta import check_assertions
from buildsearch.library.report import write_report
from buildsearch.library.runs import Run
from buildsearch.library.stored_runs import Making, RunOf, run_of
from buildsearch.model.errors import UsageError
from buildsearch.model.request import SearchRequest
from buildsearch.report.proposal_file import proposal_key, read_proposal
from buildsearch.ruleset.extends import from_here, option_lines
from buildsearch.views.check import Checked as Page


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """The rules, what was found, under which parameters, and in which runs."""

    setup: FightSetup
    results: list[AssertionResult]
    labels: list[str]
    runs: list[Run]
    fights: int = 0
    fix: StoredProposal | None = None

    @property
    def builds(self) -> int:
        """Builds of all runs."""
        return sum(len(run.scores) for run in self.runs)


def settings_of(
    config: Path | None,
    preset_name: str | None,
    rules: str | None,
    scenarios: str | None,
    fights: int | None,
    inconclusive: str | None,
) -> GateConfig:
    """The config, then a preset for what it leaves open, with the command line's words on top."""
    found = with_preset(read_config(config)[0], preset_name)
    if inconclusive not in (None, "pass", "fail"):
        raise UsageError(f"‹inconclusive› is pass or fail, not `{inconclusive}`.")
    changes: dict[str, Any] = {
        "rules": rules or found.rules or DEFAULT_RULES,
        "scenarios": scenarios or found.scenarios,
        "fights": found.fights if fights is None else fights,
        "inconclusive": inconclusive or found.inconclusive,
    }
    return found.model_copy(update=changes)


def check_runs(
    settings: GateConfig,
    request: SearchRequest,
    values: Mapping[str, Sequence[str]],
    making: Making,
    *,
    keep: bool = False,
    html: Path | None = None,
) -> Checked:
    """Check every combination of values of parameters; those given here go before the config's.

    Runs that are not stored are made; `keep` writes them under results/. With `html` the report of each run
    is written there; of several, numbered.
    """
    results: list[AssertionResult] = []
    labels: list[str] = []
    runs: list[Run] = []
    fix = None
    requests = combinations(settings, request, values)
    setup = setup_of(requests[0])
    checker = Assertions(settings, making)
    for number, each in enumerate(requests, start=1):
        if number > 1:
            setup = setup_of(each)
        checker.accept(setup)
        found = run_of(setup, each, making, keep=keep or html is not None)
        facts = facts_of(found, fights=settings.fights)
        labels.append(facts.where)
        runs.append(found.run)
        results += checker.check(facts)
        if keep and len(requests) == 1:
            fix = _fix(found, facts, results)
        if html is not None:
            page = html if len(requests) == 1 else html.with_stem(f"{html.stem}-{number}")
            write_report(found.run, page, jobs=making.jobs, watch=making.watch)
    return Checked(setup, results, labels, runs, checker.spent, fix)


def _fix(found: RunOf, facts: CheckInput, results: Sequence[AssertionResult]) -> StoredProposal | None:
    """The fix that `analyze` shows, where something failed: kept beside the run, or searched for now."""
    run = found.run
    is_broken = any(
        result.level is Level.ERROR and any(not each.is_open for each in result.findings)
        for result in results
    )
    if not is_broken:
        return None
    kept = read_proposal(run.folder, proposal_key(run.record.checksum, facts.limits))
    return kept or proposal_of(run, facts.analysis, facts.subject, facts.limits, found.making.watch)


class Assertions:
    """The assertions of a config, held against one run after another."""

    def __init__(self, settings: GateConfig, making: Making) -> None:
        self._settings, self._making = settings, making
        self._left = settings.fights
        self.spent = 0

    def accept(self, setup: FightSetup) -> None:
        """Raises UsageError where an assertion cannot be about this game."""
        check_assertions(self._settings.assertions, setup)

    def check(self, facts: CheckInput) -> list[AssertionResult]:
        """All results of one run; fights to decide what is near a limit are shared by all runs."""
        with self._making.watch.bar("deciding near limits (fights)", self._left) as advance:
            checker = Checker(self._left, Memory(self._making.cache), advance)
            found = [
                result
                for name, assertion in self._settings.assertions.items()
                for result in checker.check(name, assertion, facts)
            ]
        self.spent += self._left - checker.fights
        self._left = checker.fights
        return found


def sifted(checked: Checked, baseline: Path) -> tuple[Outcome, Baseline | None]:
    """What is new against a baseline, the worst first, and the baseline if there is one."""
    return sifted_by(checked, read_baseline(baseline, checked.setup.loaded.model.id))


def sifted_by(checked: Checked, known: Baseline | None) -> tuple[Outcome, Baseline | None]:
    """The same with a baseline that was read."""
    found = tuple(finding for result in checked.results for finding in result.findings)
    results = tuple(checked.results)
    outcome = known.sift(results) if known is not None else Outcome(results, found)
    return worst_first(outcome), known


def page_of(outcome: Outcome, setup: FightSetup, *, builds: int, several: bool) -> Page:
    """A check with what its page says about files."""
    loaded = setup.loaded
    options = loaded.system.options(loaded.model)
    scenarios = loaded if setup.scenarios is None else setup.scenarios
    return Page(
        outcome=outcome,
        rules_file=from_here(str(loaded.path)),
        scenarios_file=from_here(str(scenarios.path)),
        scenarios=tuple(setup.fights),
        places=option_lines(loaded.path, {option.id for option in options}),
        titles={option.id: option.name for option in options},
        builds=builds,
        seconds=0.0,
        several=several,
    )


def combinations(
    settings: GateConfig, request: SearchRequest, values: Mapping[str, Sequence[str]]
) -> list[SearchRequest]:
    """A request for each combination of values of parameters, with the fights that the settings allow."""
    configured = {name: list(map(str, given)) for name, given in settings.parameters.items()}
    free = {name: given for name, given in configured.items() if name not in values} | dict(values)
    return [
        request.changed(parameters=dict(zip(free, chosen, strict=True)), ranking_fights=settings.fights)
        for chosen in product(*free.values())
    ]


def worst_first(outcome: Outcome) -> Outcome:
    """Errors before warnings, then as the assertions stand in the file, then by how far beyond the limit."""
    place = {name: i for i, name in enumerate(dict.fromkeys(each.assertion for each in outcome.results))}
    order = sorted(
        outcome.fresh,
        key=lambda each: (
            each.level is not Level.ERROR,
            each.is_open,
            place.get(each.assertion, len(place)),
            -each.excess,
        ),
    )
    return replace(outcome, fresh=tuple(order))
