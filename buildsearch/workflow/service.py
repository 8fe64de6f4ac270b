"""What a served workbench asks for: builds scored again, proposals, edits saved. It knows of no network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.analysis.thresholds import Thresholds
from buildsearch.gate.config import GateConfig
from buildsearch.model.errors import Cancelled, UsageError, naming_arguments
from buildsearch.model.levers import Edit
from buildsearch.proposals.edit_syntax import read_edits
from buildsearch.proposals.sentences import as_data, conclusion
from buildsearch.report.html.workbench.page import MOST_ROWS, Page, made
from buildsearch.report.html.workbench.parcel import Parcel, pack_scores
from buildsearch.report.html.workbench.selection import kept
from buildsearch.search.cache import ScoreCache
from buildsearch.workflow.balance import Desk, open_desk
from buildsearch.workflow.balance_search import BalanceRequest, open_balance
from buildsearch.workflow.numbers import edits_of, numbers_of, under
from buildsearch.workflow.rules_on_disk import RulesOnDisk
from buildsearch.workflow.runs import Run
from buildsearch.workflow.watch import Progress, watch_by
from buildsearch.workflow.waves import Rescorer, Wave
from buildsearch.workflow.workbench import source_of

Tell = Callable[[dict[str, Any]], None]
Numbers = Mapping[str, int | float]


class Service:
    """A run, and what its page may ask. One work at a time: a new one ends the one before."""

    def __init__(
        self,
        run: Run,
        folder: Path,
        limits: Thresholds,
        config: GateConfig,
        *,
        cache: Path | None,
        jobs: int,
        rows: int = MOST_ROWS,
    ) -> None:
        # Builds above the budget were scored under the numbers of the run only.
        self._desk = open_desk(replace(run, beyond=None))
        self._limits, self._config, self._cache, self._jobs = limits, config, cache, jobs
        self._kept = kept(self._desk.table, rows)
        self._numbers = () if run.record.partial else numbers_of(self._desk)
        self._rescorer = Rescorer(self._desk, limits, ScoreCache(cache), jobs)
        _ = self._rescorer.matter  # worked out now, so that the first answer does not wait for it
        self._scored: tuple[tuple[str, ...], Desk] = ((), self._desk)
        self._work: threading.Event | None = None
        self._lock = threading.Lock()
        self._rules: RulesOnDisk | None = None
        self.why_not_saved: str | None = None
        try:
            self._rules = RulesOnDisk(self._desk, folder)
        except UsageError as error:
            self.why_not_saved = error.naming(lambda name: f"--{name}")
        self.page: Page = made(source_of(self._desk, limits), self._kept, self._told())

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
            "file": None if self._rules is None else str(self._rules.path),
            "whyNotSaved": self.why_not_saved,
        }

    def begin(self) -> threading.Event:
        """A new work, which ends the one before; it is cancelled by setting the event."""
        with self._lock:
            if self._work is not None:
                self._work.set()
            self._work = threading.Event()
            return self._work

    def score(self, numbers: Numbers, tell: Tell, cancel: threading.Event) -> None:
        """Builds under other numbers, in waves; raises what can be mended, and Cancelled."""
        edits = edits_of(self._numbers, numbers)
        if not edits:
            self._scored = ((), self._desk)
            return
        setup = under(self._desk, edits)

        def progress(far: Progress) -> None:
            tell({"kind": "progress", "stage": far.stage, "done": far.done, "total": far.total})

        for wave in self._rescorer.waves(setup, watch_by(progress, cancel)):
            _stop_if(cancel)
            if wave.is_whole:
                self._scored = (_key(edits), self._rescorer.desk_of(setup, wave.scores))
            tell(self._parcel(wave))

    def _parcel(self, wave: Wave) -> dict[str, Any]:
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

    def balance(self, request: BalanceRequest, numbers: Numbers, tell: Tell, cancel: threading.Event) -> None:
        """Proposals of `balance` under these numbers; raises what can be mended, and Cancelled."""
        key, desk = self._scored
        if key != _key(edits_of(self._numbers, numbers)):
            raise UsageError("not all builds are scored under these numbers yet. Wait until they are.")

        def say(text: str) -> None:
            _stop_if(cancel)
            tell({"kind": "progress", "stage": text, "done": 0, "total": 0})

        search = open_balance(
            desk,
            request,
            self._limits,
            self._config,
            cache=self._cache,
            jobs=self._jobs,
            watch=watch_by(None, cancel),
            say=say,
        )
        answer = search.run()
        _stop_if(cancel)
        last = conclusion(answer, str(desk.run.folder))
        tell({"kind": "proposals", **as_data(answer), "conclusion": naming_arguments(last, str)})

    def save(self, edits: Sequence[str], numbers: Numbers) -> dict[str, Any]:
        """Edits of the page in the rules file of the run; says which file, and what is other in it."""
        if self._rules is None:
            raise UsageError(self.why_not_saved or "nothing can be saved.")
        moved = read_edits(edits, self._desk.levers) if edits else ()
        saved = self._rules.save((*moved, *edits_of(self._numbers, numbers)))
        return {"file": str(saved.path), "patch": saved.patch}


def _about(path: Sequence[str | int], titles: Mapping[str, str]) -> str | None:
    """The option that a number belongs to, as people call it."""
    return next((titles[step] for step in path if isinstance(step, str) and step in titles), None)


def _key(edits: Sequence[Edit]) -> tuple[str, ...]:
    return tuple(sorted(edit.text for edit in edits))


def _stop_if(cancel: threading.Event) -> None:
    if cancel.is_set():
        raise Cancelled("something else was asked for meanwhile.")
