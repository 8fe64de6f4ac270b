"""A diff from a request to an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from buildsearch.changes.comparison import Comparison, compare
from buildsearch.changes.difference import Difference, FindingsChange, run_diff
from buildsearch.changes.normal import read_rules
from buildsearch.changes.side import Effort, Side
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.request import Request, SearchRequest
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.report.difference_sentences import say_rules
from buildsearch.report.html.difference_content import DifferenceSource
from buildsearch.report.leaderboard import display_name
from buildsearch.search.arena import Arena
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.version import __version__
from buildsearch.workflow.fight_setup import check_jobs, set_up
from buildsearch.workflow.input_files import Loaded, load_rules
from buildsearch.workflow.search import NO_BUILD, content_hash
from buildsearch.workflow.watch import SILENT, Watch


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The answer, and what was asked: for people (`source`) and for programs (`about`)."""

    difference: Difference
    title: str
    objective: str
    about: dict[str, Any]
    source: DifferenceSource


def diff_of(
    first: Request,
    request: SearchRequest,
    *,
    jobs: int,
    cache: Path | None,
    with_blame: bool,
    with_check: bool,
    against_itself: bool = False,
    watch: Watch = SILENT,
) -> Found:
    """Read, compare and score the rules of `first` and those of the request; raises what can be mended.

    Everything but rules, overrides and rulings is the request's for both. `against_itself`: both are the same
    file, and what the request changes is all that differs.
    """
    check_jobs(jobs)
    top, seed = request.top, request.seed
    before, after = (load_rules(each.rules, each.overrides, each.rulings) for each in (first, request))
    if before.system.id != after.system.id:
        raise UsageError(
            f"{first.rules} is for {before.system.title}, and {request.rules} for {after.system.title}."
        )
    edits = (*request.overrides, *request.rulings) if against_itself else ()
    second = " ".join([request.rules, *edits])
    (chosen,) = read_objectives(request.objectives, before.system.metrics)
    comparison = compare(*(read_rules(each.system, each.model, each.document) for each in (before, after)))
    # One set of scenarios for both; where files name different ones, the old file's.
    scenarios = request.scenarios or before.model.default_scenarios
    scores = ScoreCache(cache, watch.warn)
    request = request.changed(scenarios=scenarios)
    opener = _Opener(request, comparison, scores)
    effort = Effort(
        chosen,
        RaceRules(max(top, 100), request.initial_fights, request.ranking_fights, seed),
        jobs,
        watch.bar,
    )

    def judge(one: Side, other: Side) -> FindingsChange:
        from buildsearch.workflow.diff_findings import findings_change  # analysis is slow to import

        return findings_change((one, other), (before, after), comparison.names, effort, cache)

    difference, arenas = None, None
    setups = set_up(before, request), set_up(after, request)
    if against_itself and not with_check:
        from buildsearch.workflow.what_if import kept_difference

        difference = kept_difference(setups, comparison, request, effort, lambda: opener.open(after))
    if difference is None:
        arenas = opener.open(before, is_first=True), opener.open(after)
        if not any(sum(arena.space.count(arena.wanted).values()) for arena in arenas):
            raise UsageError(NO_BUILD)
        difference = run_diff(
            comparison,
            arenas,
            lambda model: opener.open(replace(after, model=model)),
            effort,
            top=top,
            with_blame=with_blame,
            judge=judge if with_check else None,
            with_subjects=against_itself,
        )
    about = {
        "a": _about(first.rules, before),
        "b": _about(second, after),
        "scenarios": list(setups[1].fights),
        "parameters": {
            "a": dict(setups[0].space.parameters),
            "b": dict(setups[1].space.parameters),
        },
        "objective": chosen.name,
        "seed": seed,
        "seconds": {stage: round(took, 3) for stage, took in difference.seconds.items()},
        # (build, fight) of the two sides, not those of the blame.
        "cache": {
            "hits": sum(arena.scorer.hits for arena in arenas or ()),
            "misses": sum(arena.scorer.misses for arena in arenas or ()),
        },
    }
    titles = {
        option.id: option.name for each in (before, after) for option in each.system.options(each.model)
    }
    source = DifferenceSource(
        difference=difference,
        rules=(first.rules, second),
        system=after.system.title,
        objective=chosen.label,
        parameters=(setups[0].space.parameters, setups[1].space.parameters),
        weights={name: fight.weight for name, fight in setups[1].fights.items()},
        seed=seed,
        version=__version__,
        titles=titles,
        names=_names(difference, (setups[1].space, setups[0].space), titles),
    )
    return Found(difference, f"{say_rules(first.rules)} -> {say_rules(second)}", chosen.label, about, source)


def _names(difference: Difference, spaces: Sequence[BuildSpace], titles: Mapping[str, str]) -> dict[str, str]:
    """The builds that are shown, in the rules' own words, where those tell them apart."""
    found: dict[str, str] = {}
    for text in {move.build for move in (*difference.moves, *filter(None, difference.best))}:
        for space in spaces:
            with suppress(InputError):
                found[text] = display_name(space, space.parse(text), titles)
                break
    often = Counter(found.values())
    return {text: name for text, name in found.items() if often[name] == 1}


def _about(word: str, loaded: Loaded) -> dict[str, Any]:
    return {"rules": word, "id": loaded.model.id, "hash": content_hash(loaded.model)}


@dataclass(frozen=True, slots=True, eq=False)
class _Opener:
    """Makes rules ready; everybody shares one cache, so what two rulesets have in common is read once."""

    request: SearchRequest
    comparison: Comparison
    scores: ScoreCache

    def open(self, loaded: Loaded, *, is_first: bool = False) -> Arena:
        asked = self.request
        setup = set_up(loaded, asked)
        wanted = Wanted(
            self._named(asked.groups, is_first=is_first),
            self._named(asked.with_features, is_first=is_first),
            self._named(asked.without_features, is_first=is_first),
        )
        scorer = CachedScorer(loaded.system.bulk(loaded.model, setup.space), self.scores)
        return Arena(setup.space, setup.fights, scorer, wanted)

    def _named(self, given: Sequence[str], *, is_first: bool) -> tuple[str, ...]:
        """Filters may use either side's names."""
        names = self.comparison.names
        if is_first:
            names = {new: old for old, new in names.items()}
        return tuple(names.get(each, each) for each in given)
