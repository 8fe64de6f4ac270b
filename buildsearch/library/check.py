"""Assertions about balance, checked on the run that `analyze` reads, for every combination of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from buildsearch.balancing.first_proposal import StoredProposal
from buildsearch.document.blocks import Document
from buildsearch.gate.baseline import read_baseline, write_baseline
from buildsearch.gate.check_input import CheckInput
from buildsearch.gate.checker import Checker
from buildsearch.gate.config import GateConfig, read_config, with_preset
from buildsearch.gate.results import AssertionResult, CheckCache, CheckStatus, Level, Outcome, Violation
from buildsearch.library.analyze import proposal_of
from buildsearch.library.arguments import takes
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.game import Game
from buildsearch.library.meta import check_assertions
from buildsearch.library.report import write_report
from buildsearch.library.runs import LoadedRun
from buildsearch.library.search import content_hash
from buildsearch.library.stored_runs import RunOf, facts_of, run_of
from buildsearch.library.tables import Page, Table, table_of_rows
from buildsearch.library.watch import Scoring, scoring_for
from buildsearch.model.errors import UsageError
from buildsearch.options.balance import CheckArguments, CheckFields
from buildsearch.options.fields import as_path, shared
from buildsearch.options.game import GameOptions
from buildsearch.options.search import SearchOptions
from buildsearch.report.kept_answers import proposal_key, read_proposal
from buildsearch.report.latest import as_typed
from buildsearch.ruleset.extends import from_here, option_lines
from buildsearch.views.check import Checked, check_document, check_rows

_FINDING = ("check", "severity", "subjects", "where", "text", "value", "limit", "builds", "example")
_CHECK = ("check", "kind", "level", "where", "result", "findings", "can_fail", "remark")


class Check(Page):
    """How a check ended. `passed` is for an `assert`, `sentence` for what it says if it fails."""

    def __init__(self, found: Checked, setup: FightSetup, settings: GateConfig) -> None:
        self.found, self.setup, self.settings = found, setup, settings
        self._outcome = found.outcome

    def document(self) -> Document:
        """The page of `buildsearch check`."""
        return check_document(self.found)

    @property
    def result(self) -> str:
        """`pass`, `fail`, or `inconclusive` where sampling leaves something on either side of a limit."""
        return self._outcome.verdict.value

    @property
    def passed(self) -> bool:
        """Whether nothing failed and nothing is inconclusive."""
        return self._outcome.verdict is CheckStatus.PASS

    @property
    def sentence(self) -> str:
        """The result, and each finding that the baseline does not accept, a line each."""
        return "\n".join([f"Result: {self.result}.", *map(_line, self._outcome.fresh)])

    @property
    def findings(self) -> Table:
        """What is new against the baseline, the worst first."""
        return table_of_rows(
            list(map(_row, self._outcome.fresh)), list(_FINDING), title="Findings", index="subjects"
        )

    @property
    def checks(self) -> Table:
        """Every check and how it ended."""
        rows: list[dict[str, Any]] = [
            row | {"can_fail": each.can_fail}
            for row, each in zip(check_rows(self._outcome), self._outcome.results, strict=True)
        ]
        return table_of_rows(rows, list(_CHECK), title="Checks", index="check")

    def __repr__(self) -> str:
        return f"<Check: {self.result}, {len(self._outcome.fresh)} new findings>"


def _row(finding: Violation) -> dict[str, Any]:
    return asdict(finding) | {
        "check": finding.assertion,
        "severity": _severity(finding),
        "subjects": " + ".join(finding.subjects),
        "text": finding.message,
    }


def _severity(finding: Violation) -> str:
    return "error" if finding.level is Level.ERROR else "warning"


def _line(finding: Violation) -> str:
    return f"{_severity(finding)}: {finding.message} [{finding.code}]"


@takes(CheckArguments)
def check(game: Game, given: CheckArguments) -> Check:
    """Check a game under its parameters, on the stored run that `analyze` reads or on one made for it.

    Args:
        game: what `load` gave.

    Returns:
        How it ended, with findings and checks as tables.

    """
    if given.baseline is not None and not Path(given.baseline).exists():
        raise UsageError(f"there is no ‹baseline› {given.baseline}.")
    # The game says under which parameters; those of the config are for the command line.
    settings = settings_of(given).model_copy(update={"parameters": {}})
    request = SearchOptions(**shared(GameOptions, game.request), seed=given.seed)
    values = {name: (value,) for name, value in request.parameters.items()}
    return check_game(settings, request, values, scoring_for(given), given)


def settings_of(given: CheckFields) -> GateConfig:
    """The config, with a preset for what it leaves open, and as many fights as are asked for."""
    found = with_preset(read_config(as_path(given.config))[0], given.preset)
    return found if given.fights is None else found.model_copy(update={"fights": given.fights})


def check_game(
    settings: GateConfig,
    request: SearchOptions,
    values: Mapping[str, Sequence[str]],
    how: Scoring,
    given: CheckFields,
    *,
    keep: bool = False,
    html: Path | None = None,
) -> Check:
    """Check every combination of values of parameters against the baseline, or against earlier rules.

    `keep`: runs that are made are written under results/. With `html` the report of each run is written.
    """
    from buildsearch.library.against import check_against

    baseline = Path(given.baseline or settings.baseline)
    if given.against is not None:
        return check_against(settings, request, values, given.against, how, baseline, html=html)
    runs = check_runs(settings, request, values, how, keep=keep, html=html)
    found = page_of(sifted(runs, baseline), runs.setup, builds=runs.builds, several=len(runs.runs) > 1)
    run = as_typed(runs.runs[0].folder) if keep and len(runs.runs) == 1 else ""
    return Check(replace(found, fix=runs.fix, fights=runs.fights, run=run), runs.setup, settings)


def accept_findings(
    settings: GateConfig,
    request: SearchOptions,
    values: Mapping[str, Sequence[str]],
    how: Scoring,
    given: CheckFields,
    *,
    html: Path | None = None,
) -> tuple[int, Path]:
    """Write everything that is found now into the baseline; gives how many findings, and its path."""
    baseline = Path(given.baseline or settings.baseline)
    runs = check_runs(settings, request, values, how, keep=True, html=html)
    model = runs.setup.loaded.model
    known = read_baseline(baseline, model.id)
    digest = content_hash(model)
    return write_baseline(baseline, model.id, digest, runs.results, runs.labels, known), baseline


@dataclass(frozen=True, slots=True, eq=False)
class CheckedRuns:
    """The rules, what was found, under which parameters, and in which runs."""

    setup: FightSetup
    results: list[AssertionResult]
    labels: list[str]
    runs: list[LoadedRun]
    fights: int = 0
    fix: StoredProposal | None = None

    @property
    def builds(self) -> int:
        return sum(len(run.scores) for run in self.runs)


def check_runs(
    settings: GateConfig,
    request: SearchOptions,
    values: Mapping[str, Sequence[str]],
    how: Scoring,
    *,
    keep: bool = False,
    html: Path | None = None,
) -> CheckedRuns:
    """Check every combination of values of parameters; those given here go before the config's.

    Runs that are not stored are made; `keep` writes them under results/. With `html` the report of each run
    is written there; of several, numbered.
    """
    results: list[AssertionResult] = []
    labels: list[str] = []
    runs: list[LoadedRun] = []
    fix = None
    requests = combinations(settings, request, values)
    setup = setup_of(requests[0])
    checker = Assertions(settings, how)
    for number, each in enumerate(requests, start=1):
        if number > 1:
            setup = setup_of(each)
        checker.accept(setup)
        found = run_of(setup, each, how, keep=keep or html is not None)
        facts = facts_of(found, fights=settings.fights)
        labels.append(facts.where)
        runs.append(found.run)
        results += checker.check(facts)
        if keep and len(requests) == 1:
            fix = _fix(found, facts, results)
        if html is not None:
            page = html if len(requests) == 1 else html.with_stem(f"{html.stem}-{number}")
            write_report(found.run, page, jobs=how.jobs, watch=how.watch)
    return CheckedRuns(setup, results, labels, runs, checker.spent, fix)


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
    return kept or proposal_of(run, facts.analysis, facts.subject, facts.limits, found.how.watch)


class Assertions:
    """The assertions of a config, held against one run after another."""

    def __init__(self, settings: GateConfig, how: Scoring) -> None:
        self._settings, self._how = settings, how
        self._left = settings.fights
        self.spent = 0

    def accept(self, setup: FightSetup) -> None:
        """Raises UsageError where an assertion cannot be about this game."""
        check_assertions(self._settings.assertions, setup)

    def check(self, facts: CheckInput) -> list[AssertionResult]:
        """All results of one run; fights to decide what is near a limit are shared by all runs."""
        with self._how.watch.bar("deciding near limits (fights)", self._left) as advance:
            checker = Checker(self._left, CheckCache(self._how.cache), advance)
            found = [
                result
                for name, assertion in self._settings.assertions.items()
                for result in checker.check(name, assertion, facts)
            ]
        self.spent += self._left - checker.fights
        self._left = checker.fights
        return found


def sifted(runs: CheckedRuns, baseline: Path) -> Outcome:
    """What is new against a baseline, the worst first."""
    known = read_baseline(baseline, runs.setup.loaded.model.id)
    results = tuple(runs.results)
    found = tuple(finding for result in results for finding in result.findings)
    return worst_first(known.sift(results) if known is not None else Outcome(results, found))


def page_of(outcome: Outcome, setup: FightSetup, *, builds: int, several: bool) -> Checked:
    """A check with what its page says about files."""
    loaded = setup.loaded
    options = loaded.system.options(loaded.model)
    scenarios = loaded if setup.scenarios is None else setup.scenarios
    return Checked(
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
    settings: GateConfig, request: SearchOptions, values: Mapping[str, Sequence[str]]
) -> list[SearchOptions]:
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
