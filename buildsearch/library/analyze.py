"""What the scores of a run say about its rules, kept beside it for a second look."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from buildsearch.analysis.thresholds import Thresholds, read_thresholds
from buildsearch.document.blocks import Document
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.watch import SILENT, Scoring, Watch
from buildsearch.model.errors import UsageError
from buildsearch.model.levers import Movable
from buildsearch.model.system import NeedsTargets
from buildsearch.options.balance import AnalyzeFields
from buildsearch.options.fields import as_path
from buildsearch.options.game import DEFAULT_RULES
from buildsearch.report.kept_answers import (
    analysis_key,
    proposal_key,
    read_analysis,
    read_proposal,
    write_analysis,
    write_proposal,
)
from buildsearch.report.latest import as_typed
from buildsearch.report.loadout_files import has_loadouts
from buildsearch.report.run_record import RunRecord, over_budget_folder, read_record
from buildsearch.ruleset.extends import option_lines
from buildsearch.search.executor import Jobs
from buildsearch.views.analysis import AnalysisAnswer, RunFacts, answer_of, document_of

if TYPE_CHECKING:  # a second look imports no kernels
    from buildsearch.analysis.analyses import AnalysisInput, RunAnalysis
    from buildsearch.balancing.first_proposal import StoredProposal
    from buildsearch.library.runs import LoadedRun
    from buildsearch.search.score_table import ScoreTable


@dataclass(frozen=True, slots=True)
class Looked:
    """An analysis as plain data, the first proposal if one is known, and whether costs and bans can move."""

    answer: AnalysisAnswer
    proposal: StoredProposal | None
    can_balance: bool


@dataclass(frozen=True, slots=True)
class AnalysisDepth:
    """What is asked: `full` with every table and certificate, `triggers` with fights for trigger rates,
    `readings` with other rulings and stats."""

    full: bool = False
    triggers: bool = True
    readings: bool = False

    def keys(self, folder: Path, record: RunRecord, limits: Thresholds) -> list[str]:
        """The keys of analyses that answer it, the narrowest first."""
        above = over_budget_folder(folder, record)
        checksums = [record.checksum, *([] if above is None else [read_record(above).checksum])]
        wider = (False, True) if not self.full else (True,)
        return [analysis_key(checksums, limits, {"full": full, "triggers": self.triggers}) for full in wider]


_PAGE = AnalysisDepth()


def analysis_page(
    folder: Path,
    given: AnalyzeFields,
    *,
    jobs: Jobs,
    full: bool,
    rows: int = 15,
    ignore_checksums: bool = False,
    watch: Watch = SILENT,
) -> Document:
    """What a run says about its rules, as a page; `full`: with tables of so many rows."""
    limits = read_thresholds(as_path(given.thresholds))
    if has_loadouts(folder):
        from buildsearch.library.loadouts import loadout_page

        return loadout_page(folder, limits, rows, ignore_checksums=ignore_checksums)
    look = AnalysisDepth(full=full, triggers=given.triggers, readings=given.readings)
    found = look_at_run(folder, limits, look, jobs, ignore_checksums=ignore_checksums, watch=watch)
    return document_of(found.answer, found.proposal, can_balance=found.can_balance, full=full, rows=rows)


def look_at_run(
    folder: Path,
    limits: Thresholds,
    look: AnalysisDepth = _PAGE,
    jobs: Jobs = -1,
    *,
    ignore_checksums: bool = False,
    watch: Watch = SILENT,
) -> Looked:
    """The analysis of a run: the one that is kept beside it, or a new one, which is kept then.

    Raises UsageError for a run of some builds only, and for one whose rules have changed.
    """
    from buildsearch.library.runs import load_run, reopen_as

    record, setup = reopen_as(RunRecord, folder, ignore_checksums=ignore_checksums, watch=watch)
    # Files that nobody vouches for may differ under one checksum.
    is_kept = bool(record.checksum) and not ignore_checksums and not look.readings
    if is_kept:
        kept = read_analysis(folder, look.keys(folder, record, limits))
        if kept is not None:
            kept = replace(kept, facts=replace(kept.facts, folder=as_typed(folder), path=str(folder)))
            found = read_proposal(folder, proposal_key(record.checksum, limits))
            return Looked(kept, found, isinstance(setup.loaded.system, Movable))
    return analyse_run(
        load_run(str(folder), ignore_checksums=ignore_checksums, watch=watch), limits, look, jobs, watch=watch
    )


def analyse_run(
    run: LoadedRun, limits: Thresholds, look: AnalysisDepth = _PAGE, jobs: Jobs = -1, *, watch: Watch = SILENT
) -> Looked:
    """A new analysis of a run, kept in its folder; raises UsageError for a run of some builds only."""
    from buildsearch.library.rescoring import score_flagged
    from buildsearch.views.analysis_tables import tables_of

    if run.record.legal_builds is not None:
        raise UsageError(
            f"{run.folder} has only some builds of its space (a guided search, or ‹from_run›), and shares of "
            "them would say what was looked for. Run optimize with ‹search› exhaustive on a smaller space."
        )
    subject = subject_of(run.setup, run.scores, run.objective, triggers=look.triggers, beyond=run.beyond)
    analysis = analysis_of(subject, limits, jobs, full=look.full, watch=watch)
    if look.full and run.beyond is None:
        # Fair costs of what is flagged, where few builds above the budget say them. They fill the table and
        # change no finding: the page, `check` and its baseline are the same before and after.
        above = score_flagged(run, analysis, subject, jobs, watch)
        if above is not None:
            scores, space, covered = above
            priced = replace(subject, beyond=(scores, space), covered=covered)
            prices = analysis_of(priced, limits, jobs, full=False, watch=watch).verdict.prices
            analysis = replace(analysis, verdict=replace(analysis.verdict, prices=prices))
    proposal = proposal_of(run, analysis, subject, limits, watch)
    if look.readings:
        analysis = under_other_readings(run, analysis, jobs, watch)
    objective, rank = subject.objective, run.scores.rank
    answer = answer_of(
        analysis,
        _facts(run, analysis),
        tables_of(analysis),
        None if objective is None else objective.metric,
        None if rank is None else rank.tolist(),
    )
    key = look.keys(run.folder, run.record, limits)[0] if not look.readings else ""
    write_analysis(run.folder, key if run.record.checksum else "", answer, analysis.dominance)
    return Looked(answer, proposal, isinstance(run.setup.loaded.system, Movable))


def subject_of(
    setup: FightSetup,
    scores: ScoreTable,
    objective: str | None = None,
    *,
    triggers: bool = True,
    beyond: tuple[ScoreTable, FightSetup] | None = None,
) -> AnalysisInput:
    """Scores of a setup's builds by an objective (default: the mean of the primary metric)."""
    from buildsearch.analysis.analyses import AnalysisInput
    from buildsearch.search.objectives import read_objectives

    system, rules = setup.loaded.system, setup.loaded.model
    chosen = read_objectives(() if objective is None else (objective,), system.metrics)[0]
    primary = system.metrics[0]
    least = None
    if primary.counts_steps and chosen.metric is primary:
        scorer = system.bulk(rules, setup.space)
        least = [scorer.outcome_range(primary.name, setup.fights[name])[0] for name in scores.fights]
    return AnalysisInput(
        scores=scores,
        space=setup.space,
        options=system.options(rules),
        fights=setup.fights,
        replayer=system.replayer(rules) if triggers else None,
        objective=chosen,
        primary=primary,
        evaluators=system.evaluators(rules),
        least=least,
        beyond=None if beyond is None else (beyond[0], beyond[1].space),
        below_rules=_below_rules(setup),
        absent_targets=(
            system.absent_targets(rules, setup.fights) if isinstance(system, NeedsTargets) else {}
        ),
    )


def _below_rules(setup: FightSetup) -> dict[str, tuple[int, int]]:
    """Parameters with fewer points than the rules give by themselves: both numbers, by name."""
    system, mine = setup.loaded.system, setup.space.parameters
    limits = [each.name for each in system.parameters if each.limits_cost and each.is_number]
    given = {name: str(value) for name, value in mine.items() if name not in limits and value is not None}
    usual = system.space(setup.loaded.model, given).parameters
    return {
        name: (int(mine[name]), int(usual[name]))
        for name in limits
        if mine.get(name) is not None and usual.get(name) is not None and int(mine[name]) < int(usual[name])
    }


def analysis_of(
    subject: AnalysisInput, limits: Thresholds, jobs: Jobs, *, full: bool = True, watch: Watch = SILENT
) -> RunAnalysis:
    """Everything that is said about a game."""
    from buildsearch.analysis.analyses import analyse
    from buildsearch.search.executor import executor_of

    return analyse(subject, limits, watch.stage, executor_of(jobs).threads, certificates=full)


def _facts(run: LoadedRun, analysis: RunAnalysis) -> RunFacts:
    setup, record = run.setup, run.record
    named = {name for finding in analysis.findings for name in finding.subjects}
    lines: dict[str, tuple[str, int]] = {}
    with suppress(UsageError, OSError, ValueError):  # rules of a revision have no file
        lines = option_lines(setup.loaded.path, named)
    return RunFacts(
        folder=as_typed(run.folder),
        path=str(run.folder),
        rules=record.request.rules,
        name=setup.loaded.model.name,
        parameters=dict(setup.space.parameters),
        scenarios=tuple(run.scores.fights),
        all_scenarios=_all_scenarios(setup, record),
        builds=len(run.scores),
        legal_builds=record.builds or len(run.scores),
        exact_share=run.scores.exact_share,
        is_partial=record.incomplete,
        is_default_rules=record.request.rules == DEFAULT_RULES,
        locations=lines,
    )


def _all_scenarios(setup: FightSetup, record: RunRecord) -> int:
    """How many scenarios there are in the file that the fights come from."""
    if not record.request.only or setup.scenarios is None:
        return len(setup.fights)
    known = getattr(setup.scenarios.model, "scenarios", setup.fights)
    return max(len(known), len(setup.fights))


def proposal_of(
    run: LoadedRun, analysis: RunAnalysis, subject: AnalysisInput, limits: Thresholds, watch: Watch
) -> StoredProposal | None:
    """The proposal that is kept beside a run, or a quick one, which is kept then."""
    from buildsearch.balancing.first_proposal import first_proposal
    from buildsearch.gate.config import GateConfig, with_preset

    system, rules = run.setup.loaded.system, run.setup.loaded.model
    is_broken = any(finding.is_error for finding in analysis.findings)
    if not isinstance(system, Movable) or not is_broken or run.record.incomplete:
        return None
    key = proposal_key(run.record.checksum, limits)
    kept = read_proposal(run.folder, key) if run.record.checksum else None
    if kept is not None:
        return kept
    watch.stage("a fix")
    found = first_proposal(
        analysis,
        subject,
        system.accounts(rules, run.setup.space),
        system.levers(rules, run.setup.space),
        limits,
        with_preset(GateConfig()).assertions,
        system.title,
    )
    if found is not None and run.record.checksum:
        write_proposal(run.folder, key, found)
    return found


def under_other_readings(run: LoadedRun, analysis: RunAnalysis, jobs: Jobs, watch: Watch) -> RunAnalysis:
    """The analysis, its findings with the readings that they hold under."""
    from buildsearch.analysis.robustness import rows_that_matter, with_readings
    from buildsearch.library.optimize import arena_under
    from buildsearch.search.objectives import read_objectives
    from buildsearch.search.readings import sweep

    system, space = run.setup.loaded.system, run.setup.space
    rows: Sequence[int] = rows_that_matter(analysis.verdict)
    builds = [build for row in rows for build in space.builds(analysis.population.chunk(row))]
    changes = system.variations(run.setup.loaded.model)
    objective = read_objectives((run.objective,) if run.objective else (), system.metrics)[0]
    with watch.bar("other readings", len(changes) + 1) as advance:
        arena = arena_under(run.record.request, Scoring(None, jobs))
        found = sweep(builds, changes, arena, objective, alone=0, advance=advance)
    return replace(analysis, findings=with_readings(analysis.findings, analysis.verdict, rows, found))
