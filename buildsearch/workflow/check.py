"""Assertions about balance, judged for every combination of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from buildsearch.gate.baseline import Baseline, read_baseline
from buildsearch.gate.checker import Checker
from buildsearch.gate.config import GateConfig
from buildsearch.gate.facts import Facts
from buildsearch.gate.memory import Memory
from buildsearch.gate.results import AssertionResult, Level, Outcome
from buildsearch.model.errors import Cancelled
from buildsearch.model.request import SearchRequest
from buildsearch.search.objectives import read_objectives
from buildsearch.search.optimization import Answer, Question
from buildsearch.search.race import RaceRules
from buildsearch.workflow.fight_setup import setup_of
from buildsearch.workflow.gate_facts import facts_of
from buildsearch.workflow.input_files import Loaded
from buildsearch.workflow.meta import check_assertions
from buildsearch.workflow.report import write_report
from buildsearch.workflow.runs import load_run
from buildsearch.workflow.search import Search, make_scorer
from buildsearch.workflow.watch import SILENT, Watch

_REPORTED = 100  # rows of the leaderboard in a report


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The rules, what was found, and under which parameters."""

    loaded: Loaded
    results: list[AssertionResult]
    labels: list[str]


def check_runs(
    settings: GateConfig,
    request: SearchRequest,
    values: Mapping[str, Sequence[str]],
    *,
    cache: Path | None = None,
    jobs: int = -1,
    html: Path | None = None,
    watch: Watch = SILENT,
) -> Judged:
    """Judge every combination of values of parameters; those given here go before the config's.

    With `html` the report of each run is written there, and the run beside it; of several, numbered.
    """
    results: list[AssertionResult] = []
    labels: list[str] = []
    runs = _combinations(settings, request, values)
    with watch.bar("deciding (fights)", settings.fights) as advance:
        checker = Checker(settings.fights, Memory(cache), advance)
        for number, run in enumerate(runs, start=1):
            page = html if html is None or len(runs) == 1 else html.with_stem(f"{html.stem}-{number}")
            loaded, facts = _facts(run, settings, cache, jobs, page, watch)
            labels.append(facts.where)
            for name, assertion in settings.assertions.items():
                results += checker.check(name, assertion, facts)
    return Judged(loaded, results, labels)


def sifted(judged: Judged, baseline: Path) -> tuple[Outcome, Baseline | None]:
    """What is new against a baseline, the worst first, and the baseline if there is one."""
    known = read_baseline(baseline, judged.loaded.model.id)
    found = tuple(finding for result in judged.results for finding in result.findings)
    outcome = known.sift(judged.results) if known is not None else Outcome(tuple(judged.results), found)
    return _worst_first(outcome), known


def _combinations(
    settings: GateConfig, request: SearchRequest, values: Mapping[str, Sequence[str]]
) -> list[SearchRequest]:
    configured = {name: list(map(str, given)) for name, given in settings.parameters.items()}
    free = {name: given for name, given in configured.items() if name not in values} | dict(values)
    return [
        request.changed(parameters=dict(zip(free, chosen, strict=True))) for chosen in product(*free.values())
    ]


def _facts(
    request: SearchRequest,
    settings: GateConfig,
    cache: Path | None,
    jobs: int,
    html: Path | None,
    watch: Watch,
) -> tuple[Loaded, Facts]:
    setup = setup_of(request)
    check_assertions(settings.assertions, setup)
    shown = 1 if html is None else _REPORTED
    rules = RaceRules(top=shown, floor=256, budget=0, seed=request.seed)
    question = Question(read_objectives((), setup.loaded.system.metrics), rules, jobs)
    scorer = make_scorer(setup, cache, watch)
    search = Search(setup, request.wanted, question, scorer, request, watch)
    search.counts()
    answer = search.run()
    if answer.is_partial:
        raise Cancelled("interrupted.")
    if html is not None:
        _write_page(search, answer, html)
    objective = question.objectives[0]
    known = (scorer, answer.ledger, answer.costs[0])
    return setup.loaded, facts_of(setup, *known, objective, rules, jobs, fights=settings.fights)


def _write_page(search: Search, answer: Answer, html: Path) -> None:
    """The report of a run, whose files go into a folder beside it."""
    folder = html.with_name(f"{html.stem}-run")
    search.write(answer, folder)
    write_report(load_run(str(folder), watch=search.watch), html, watch=search.watch)


def _worst_first(outcome: Outcome) -> Outcome:
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
