"""What a served workbench asks for: builds scored again, proposals, edits saved. It knows of no network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.balancing.edit_table import scored, table_of
from buildsearch.balancing.edits import read_edits
from buildsearch.evaluate.randomness import content_digest
from buildsearch.gate.config import GateConfig
from buildsearch.library.analyze import subject_of
from buildsearch.library.balance import Desk, open_desk
from buildsearch.library.balance_search import open_balance
from buildsearch.library.fight_setup import FightSetup, setup_of
from buildsearch.library.report import source_of
from buildsearch.library.rescoring import court_over
from buildsearch.library.rules_edits import RulesOnDisk, edits_of, numbers_of, under
from buildsearch.library.runs import LoadedRun, is_run_of
from buildsearch.library.search import arena_of, content_hash, effort_for, fight_hash
from buildsearch.library.stored_runs import made_run
from buildsearch.library.watch import Scoring, Watch, watch_by
from buildsearch.model.arrays import Ints
from buildsearch.model.errors import Cancelled, UsageError
from buildsearch.model.levers import Edit, Movable
from buildsearch.options.balance import BalanceOptions
from buildsearch.options.output import Progress
from buildsearch.report.html.workbench.packing import Parcel, kept, pack_scores
from buildsearch.report.html.workbench.page import MOST_ROWS, WorkbenchPage, made
from buildsearch.search.objectives import read_objectives
from buildsearch.search.pareto import pareto_front
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.score_table import ScoreTable
from buildsearch.views.balance import BalanceAbout, balance_data

# The best builds, those with each option, and those far above the reference level.
_BEST, _EACH, _OVERPOWERED = 60, 4, 300
# How many of the best builds come after those that matter, before all of them.
_WAVES = (4_096, 65_536)
# Builds that are solved at a time: about a second of work, so that a new question need not wait.
_AT_A_TIME = 1 << 13


@dataclass(frozen=True, slots=True, eq=False)
class ScoredWave:
    """Builds that are scored again: `rows` of the desk's table, and their scores in this order."""

    rows: Ints
    scores: ScoreTable
    is_whole: bool


@dataclass(frozen=True, eq=False)
class Rescorer:
    """Scores the builds of a desk again, through the cache."""

    desk: Desk
    limits: Thresholds
    cache: ScoreCache
    how: Scoring

    @cached_property
    def matter(self) -> Ints:
        """The rows that a verdict rests on: the best, the best with each option, overpowered builds, and the
        front over the scenarios."""
        table = self.desk.table
        state = court_over(table, self.limits).state(())
        population = table.population
        chosen = [state.rows[:_BEST], state.overpowered(self.limits.verdict).rows[:_OVERPOWERED]]
        chosen += [state.rows[each.has(population, state.rows)][:_EACH] for each in state.choices]
        means = population.scores.fight_means
        chosen.append(pareto_front((-means if population.scores.primary_higher_is_better else means).T))
        return np.unique(np.concatenate(chosen).astype(np.int64))

    @cached_property
    def _row_of(self) -> Ints:
        """The row of the table of each build of the run, as the run lists them."""
        scores = self.desk.run.scores
        loss = -scores.score if scores.higher_is_better else scores.score
        rows = np.empty(len(scores), dtype=np.int64)
        rows[np.argsort(loss, kind="stable")] = np.arange(len(scores))
        return rows

    def waves(self, setup: FightSetup, watch: Watch) -> Iterator[ScoredWave]:
        """The builds that matter, then more of the best, then all; a watch can stop it."""
        desk = self.desk
        named = (desk.run.objective,) if desk.run.objective else ()
        objectives = read_objectives(named, setup.loaded.system.metrics)
        arena = arena_of(setup, self.how, scores=self.cache, wanted=desk.wanted)
        effort = replace(effort_for(desk.run.record.request, objectives), bar=watch.bar)
        like = desk.table.population.scores
        sizes = [size for size in _WAVES if size < len(like)]
        for rows in [self.matter, *(np.arange(size) for size in sizes)]:
            parts = [
                (
                    mine[first : first + _AT_A_TIME],
                    chunk.some(slice(first, first + _AT_A_TIME)),
                )
                for mine, chunk in like.chunks(rows)
                for first in range(0, len(mine), _AT_A_TIME)
            ]
            # Only all builds together are raced, as in a run.
            chunks = [chunk for _, chunk in parts]
            found = scored(arena, chunks, effort, like, f"{len(rows):,} builds", races=False)
            yield ScoredWave(np.concatenate([mine for mine, _ in parts]), found, is_whole=False)
        chunks = list(setup.space.chunks(desk.wanted, _AT_A_TIME))
        found = scored(arena, chunks, effort, like, f"{len(like):,} builds")
        self._check_same(found)
        yield ScoredWave(self._row_of, found, is_whole=True)

    def _check_same(self, found: ScoreTable) -> None:
        scores = self.desk.run.scores
        names = [[each.groups[number] for number in range(len(each.groups))] for each in (scores, found)]
        if not (
            names[0] == names[1]
            and np.array_equal(scores.group, found.group)
            and np.array_equal(scores.codes, found.codes)
            and np.array_equal(scores.cost, found.cost)
        ):
            raise UsageError(
                "these numbers change which builds there are, and only fights can be scored again here. "
                "`buildsearch diff RULES --set` shows what they do."
            )

    def desk_of(self, setup: FightSetup, scores: ScoreTable) -> Desk:
        """A desk for the edited rules, as one for a run of them would be."""
        system, rules = setup.loaded.system, setup.loaded.model
        assert isinstance(system, Movable)  # noqa: S101 - the desk at hand is of such a system
        subject = subject_of(setup, scores, self.desk.run.objective, triggers=False)
        return Desk(
            replace(self.desk.run, setup=setup, scores=scores),
            table_of(subject, system.accounts(rules, setup.space)),
            system.levers(rules, setup.space),
        )


Tell = Callable[[dict[str, Any]], None]
Numbers = Mapping[str, int | float]


# Memory for scores beside those on disk: what some edits of all builds need.
_LEAST_HELD, _HELD_A_SCORE = 1 << 26, 128


class OtherRulesError(UsageError):
    """A page asks that shows other rules than those that would answer."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What `serve` was told, whichever run it shows."""

    folder: Path
    limits: Thresholds
    config: GateConfig
    how: Scoring
    rows: int = MOST_ROWS


class Service:
    """The run that is shown. One work at a time: a new one ends the one before."""

    def __init__(self, run: LoadedRun, settings: ServeSettings) -> None:
        self._settings = settings
        self.shown = ServedRun(run, settings)
        self._work: threading.Event | None = None
        self._lock = threading.Lock()

    def begin(self) -> threading.Event:
        """A new work, which ends the one before; it is cancelled by setting the event."""
        with self._lock:
            if self._work is not None:
                self._work.set()
            self._work = threading.Event()
            return self._work

    def run_of(self, rules: str) -> ServedRun:
        """The run that is shown, for a page that shows these rules; raises OtherRulesError."""
        shown = self.shown
        if rules != shown.digest:
            raise OtherRulesError("This page shows other rules than the server has now. Reload the page.")
        return shown

    def reload(self, tell: Tell, cancel: threading.Event) -> None:
        """Show the rules as their files are now, with scores of these rules: those of the run where they say
        the same, else of a new run. Raises what can be mended, and Cancelled; then the old run stays."""
        run, watch = self.shown.run, _watch(tell, cancel)
        request = run.record.request
        setup = setup_of(request)
        if is_run_of(run.record, setup):
            run = replace(run, setup=setup)
        else:
            run = made_run(setup, request, replace(self._settings.how, watch=watch))
        _stop_if(cancel)
        self.shown = ServedRun(run, self._settings)


class ServedRun:
    """A run, and what its page may ask: always about the text of the rules that the run was opened with."""

    def __init__(self, run: LoadedRun, settings: ServeSettings) -> None:
        # Builds above the budget were scored under the numbers of the run only.
        self.run = replace(run, beyond=None)
        self._settings = settings
        self._desk = open_desk(self.run)
        self._kept = kept(self._desk.table, settings.rows)
        self._numbers = () if run.record.incomplete else numbers_of(self._desk)
        held = max(_LEAST_HELD, _HELD_A_SCORE * run.scores.fight_means.size)
        cache = ScoreCache(settings.how.cache, most_held=held)
        self._rescorer = Rescorer(self._desk, settings.limits, cache, settings.how)
        _ = self._rescorer.matter  # worked out now, so that the first answer does not wait for it
        self._scored: tuple[tuple[str, ...], Desk] = ((), self._desk)
        self._rules = RulesOnDisk(self._desk, settings.folder)
        self.why_not_saved = self._rules.why_not_saved
        self.digest = _digest(run)
        self.page: WorkbenchPage = made(source_of(self._desk, settings.limits), self._kept, self._told())

    def _told(self) -> dict[str, Any]:
        titles = {option.id: option.name for option in self._desk.table.subject.options}
        return {
            "numbers": [
                {
                    "path": each.text,
                    "value": each.value,
                    "line": each.line,
                    "about": _about(each.path, titles),
                }
                for each in self._numbers
            ],
            "rules": self.digest,
            "file": None if self._rules.path is None else str(self._rules.path),
            "whyNotSaved": self.why_not_saved,
        }

    def changed(self) -> list[str]:
        """The files of the run that changed on disk meanwhile."""
        return self._rules.changed()

    def edits(self, numbers: Numbers) -> tuple[Edit, ...]:
        """What a page asks to change; raises UsageError for what is no number of the rules."""
        return edits_of(self._numbers, numbers)

    def score(self, edits: Sequence[Edit], tell: Tell, cancel: threading.Event) -> None:
        """Builds under other numbers, in waves; raises what can be mended, and Cancelled."""
        if not edits:
            self._scored = ((), self._desk)
            return
        setup = under(self._desk, edits)
        for wave in self._rescorer.waves(setup, _watch(tell, cancel)):
            _stop_if(cancel)
            if wave.is_whole:
                self._scored = (_key(edits), self._rescorer.desk_of(setup, wave.scores))
            tell(self._parcel(wave))

    def _parcel(self, wave: ScoredWave) -> dict[str, Any]:
        """The builds of a wave that the page has, by its rows."""
        mine = self._kept.rows
        places = np.minimum(np.searchsorted(mine, wave.rows), len(mine) - 1)
        there = np.flatnonzero(mine[places] == wave.rows)
        parcel = Parcel()
        parcel.add("row", places[there].astype(np.uint32))
        pack_scores(parcel, wave.scores, there)
        best_missing = None
        if wave.is_whole and self._kept.left_out:
            gone = np.setdiff1d(np.arange(len(wave.rows)), there)
            some = wave.scores.score[gone]
            best_missing = float(some.max() if wave.scores.higher_is_better else some.min())
        return {
            "kind": "scores",
            "builds": len(wave.rows),
            "whole": wave.is_whole,
            "complete": best_missing,
            "sections": parcel.sections,
            "text": parcel.text(1),
        }

    def balance(
        self, request: BalanceOptions, edits: Sequence[Edit], tell: Tell, cancel: threading.Event
    ) -> None:
        """Proposals of `balance` under these numbers; raises what can be mended, and Cancelled."""
        key, desk = self._scored
        if key != _key(edits):
            raise UsageError("not all builds are scored under these numbers yet. Wait until they are.")

        def say(text: str) -> None:
            _stop_if(cancel)
            tell({"kind": "progress", "stage": text, "done": 0, "total": 0})

        told, watch = self._settings, replace(watch_by(None, cancel), say=say)
        answer = open_balance(desk, request, told.limits, told.config, replace(told.how, watch=watch)).run()
        _stop_if(cancel)
        about = BalanceAbout("buildsearch balance", desk.setup.loaded.model.id, "", {}, desk.words)
        tell({"kind": "proposals", **balance_data(answer, about)})

    def save(self, edits: Sequence[str], numbers: Sequence[Edit]) -> dict[str, Any]:
        """Edits of the page in the rules file of the run; says which file, and what is other in it."""
        moved = read_edits(edits, self._desk.levers) if edits else ()
        saved = self._rules.save((*moved, *numbers))
        return {"file": str(saved.path), "patch": saved.patch}


def _digest(run: LoadedRun) -> str:
    """Of what a page shows: the rules with their text, and the fights."""
    loaded, fights = run.setup.loaded, run.setup.fights
    parts = [loaded.document.text_sha256, content_hash(loaded.model), *map(fight_hash, fights.values())]
    return content_digest(*(part.encode() for part in parts)).hex()


def _watch(tell: Tell, cancel: threading.Event) -> Watch:
    def progress(far: Progress) -> None:
        tell({"kind": "progress", "stage": far.stage, "done": far.done, "total": far.total})

    return watch_by(progress, cancel)


def _about(path: Sequence[str | int], titles: Mapping[str, str]) -> str | None:
    """The option that a number belongs to, as people call it."""
    return next((titles[step] for step in path if isinstance(step, str) and step in titles), None)


def _key(edits: Sequence[Edit]) -> tuple[str, ...]:
    return tuple(sorted(edit.text for edit in edits))


def _stop_if(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled("something else was asked for meanwhile.")
