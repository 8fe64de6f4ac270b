"""A diff from a request to an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from buildsearch.balancing.what_if import Effect
from buildsearch.diffs.comparison import Comparison, compare
from buildsearch.diffs.difference import Difference, run_diff
from buildsearch.diffs.edits import read_rules
from buildsearch.diffs.sides import Effort
from buildsearch.gate.config import read_config, with_preset
from buildsearch.library.against import sorted_out
from buildsearch.library.check import Assertions
from buildsearch.library.fight_setup import check_jobs, set_up
from buildsearch.library.input_files import Loaded, load_rules
from buildsearch.library.search import NO_BUILD, content_hash
from buildsearch.library.sides import is_text, judge_both
from buildsearch.library.stored_runs import Making
from buildsearch.library.watch import SILENT, Watch
from buildsearch.model.errors import UsageError
from buildsearch.model.evaluation import TIE
from buildsearch.model.request import Request, SearchRequest
from buildsearch.report.difference import difference_to_dict
from buildsearch.ruleset.extends import from_here
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.search.score_cache import ScoreCache
from buildsearch.search.scoring import Arena
from buildsearch.views.diff import Diffed
from buildsearch.views.effects import effect_data

# Sampled scores count as different beyond so many standard errors.
_ERRORS = 3.0
_TOP = 100


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The answer as a page and as data; `difference` where builds that moved were asked for."""

    comparison: Comparison
    effect: Effect | None
    difference: Difference | None
    page: Diffed
    title: str
    objective: str
    data: dict[str, Any]
    higher_is_better: bool
    new_findings: int = 0

    @property
    def is_stronger(self) -> bool:
        """Whether the best build became better for certain."""
        if self.effect is None:
            return False
        before, after = self.effect.before, self.effect.after
        gain = after.best - before.best if self.higher_is_better else before.best - after.best
        return gain > TIE + _ERRORS * math.hypot(before.best_error, after.best_error)

    @property
    def is_worse(self) -> bool:
        """Whether the best build became better for certain, or `check` finds something new."""
        return self.is_stronger or self.new_findings > 0


def diff_of(
    first: Request,
    request: SearchRequest,
    *,
    jobs: int,
    cache: Path | None,
    with_edit_effects: bool,
    with_check: bool,
    full: bool = False,
    watch: Watch = SILENT,
) -> Found:
    """Read, compare and judge the rules of `first` and those of the request; raises what a user can fix.

    Everything but rules, overrides and rulings is the request's for both. `full`: also builds that moved.
    """
    check_jobs(jobs)
    before, after = (load_rules(each.rules, each.overrides, each.rulings) for each in (first, request))
    if before.system.id != after.system.id:
        raise UsageError(
            f"{first.rules} is for {before.system.title}, and {request.rules} for {after.system.title}."
        )
    edits = (*request.overrides, *request.rulings) if first.rules == request.rules else ()
    second = " ".join([request.rules, *edits])
    (chosen,) = read_objectives(request.objectives, before.system.metrics)
    comparison = compare(*(read_rules(each.system, each.model, each.document) for each in (before, after)))
    # One set of scenarios for both; where files name different ones, the old file's.
    request = request.changed(scenarios=request.scenarios or before.model.default_scenarios)
    old_names = {new: old for old, new in comparison.names.items()}
    # As `optimize` ranks them, so that a build has one score.
    whole = request.changed(top=max(request.top, _TOP))
    requests = (
        whole.changed(
            rules=first.rules,
            overrides=first.overrides,
            rulings=first.rulings,
            groups=_called(request.groups, old_names),
            with_features=_called(request.with_features, old_names),
            without_features=_called(request.without_features, old_names),
        ),
        whole.changed(
            groups=_called(request.groups, comparison.names),
            with_features=_called(request.with_features, comparison.names),
            without_features=_called(request.without_features, comparison.names),
        ),
    )
    setups = set_up(before, request), set_up(after, request)
    counts = tuple(
        sum(setup.space.count(each.wanted).values()) for setup, each in zip(setups, requests, strict=True)
    )
    if not any(counts):
        raise UsageError(NO_BUILD)
    changing = [edit for edit in comparison.edits if not is_text(edit)]
    making = Making(cache, jobs, watch)
    judged = judge_both(setups, requests, comparison, making) if changing and all(counts) else None
    new: list[str] | None = None
    fixed: list[str] = []
    if with_check:
        new = []
        if judged is not None:
            settings = with_preset(read_config(None)[0])
            checker = Assertions(settings, making)
            old, now = checker.check(judged.before), checker.check(judged.after)
            fresh, _, fixed = sorted_out(old, now, comparison.names)
            new = [f"{each.level.value}: {each.message}" for each in fresh if not each.is_open]
    scores = ScoreCache(cache, watch.warn)
    difference = None
    if full or (with_edit_effects and len(changing) > 1):
        opener = _Opener(scores, requests, setups[1].scenarios)
        arenas = opener.open(before, is_first=True), opener.open(after)
        rules = RaceRules(whole.top, request.initial_fights, request.ranking_fights, request.seed)
        difference = run_diff(
            comparison,
            arenas,
            lambda model: opener.open(replace(after, model=model)),
            Effort(chosen, rules, jobs, watch.bar),
            top=request.top,
            with_blame=with_edit_effects,
        )
    effect = None if judged is None else judged.effect()
    titles = {
        option.id: option.name for each in (before, after) for option in each.system.options(each.model)
    }
    data: dict[str, Any] = {
        "a": _about(first.rules, before),
        "b": _about(second, after),
        "scenarios": list(setups[1].fights),
        "parameters": {
            "a": dict(setups[0].space.parameters),
            "b": dict(setups[1].space.parameters),
        },
        "objective": chosen.name,
        "seed": request.seed,
        "effect": None if effect is None else effect_data(effect),
        "check": None if new is None else {"new": new, "fixed": fixed},
    }
    found = Found(
        comparison,
        effect,
        difference,
        Diffed(
            edits=comparison.edits,
            is_text=tuple(map(is_text, comparison.edits)),
            titles=titles,
            objective=chosen.label,
            effect=effect,
            builds=(counts[0], counts[1]),
            difference=difference,
            new=None if new is None else tuple(new),
            fixed=tuple(fixed),
            is_full=full,
        ),
        f"{_rules_name(first.rules)} -> {_rules_name(second)}",
        chosen.label,
        data,
        chosen.higher_is_better,
        len(new or ()),
    )
    data |= {"empty": not comparison.edits, "stronger": found.is_stronger, "worse": found.is_worse}
    if difference is not None:
        data |= difference_to_dict(difference)
        # (build, fight) of the two sides, not those of the edits alone.
        data["cache"] = {
            "hits": sum(arena.scorer.hits for arena in arenas),
            "misses": sum(arena.scorer.misses for arena in arenas),
        }
        data["seconds"] = {stage: round(took, 3) for stage, took in difference.seconds.items()}
    return replace(found, page=replace(found.page, data=data))


def _called(given: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """Filters may use either side's names."""
    return tuple(names.get(each, each) for each in given)


def _rules_name(word: str) -> str:
    """Rules as they were named on the command line; a file of this folder or repository as one of it."""
    return from_here(word) if Path(word).is_absolute() else word


def _about(word: str, loaded: Loaded) -> dict[str, Any]:
    return {"rules": word, "id": loaded.model.id, "hash": content_hash(loaded.model)}


@dataclass(frozen=True, slots=True, eq=False)
class _Opener:
    """Makes rules ready; one cache for all, so what two rulesets have in common is read once."""

    scores: ScoreCache
    requests: tuple[SearchRequest, SearchRequest]
    scenarios: Loaded | None

    def open(self, loaded: Loaded, *, is_first: bool = False) -> Arena:
        request = self.requests[0 if is_first else 1]
        setup = set_up(loaded, request, self.scenarios)
        scorer = CachedScorer(loaded.system.bulk(loaded.model, setup.space), self.scores)
        return Arena(setup.space, setup.fights, scorer, request.wanted)
