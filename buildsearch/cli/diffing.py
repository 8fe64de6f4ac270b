"""A diff from the command line's words to an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from buildsearch import __version__
from buildsearch.cli.fight_setup import make_sampling, set_up_loaded_of
from buildsearch.cli.loading import Loaded, load_rules
from buildsearch.cli.problems import warn
from buildsearch.cli.progress import progress_bar
from buildsearch.cli.searching import content_hash
from buildsearch.diff.comparing import Comparison, compare
from buildsearch.diff.ground import Effort, Ground, Side
from buildsearch.diff.normal import read_rules
from buildsearch.diff.running import Difference, FindingsChange, run_diff
from buildsearch.model.errors import UsageError
from buildsearch.model.space import Wanted
from buildsearch.report.html.difference_content import DifferenceSource
from buildsearch.search.cache import ScoreCache
from buildsearch.search.cached import CachedScorer
from buildsearch.search.objectives import read_objectives
from buildsearch.search.race import RaceRules
from buildsearch.search.scoring import Advance


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The answer, and what was asked: for people (`source`) and for programs (`about`)."""

    difference: Difference
    title: str
    objective: str
    about: dict[str, Any]
    source: DifferenceSource


def diff_of(
    first: str,
    second: str | None,
    words: Mapping[str, Any],
    *,
    objective: str,
    top: int,
    floor: int,
    race_fights: int,
    seed: int,
    jobs: int,
    cache: Path | None,
    with_blame: bool,
    with_check: bool,
    quiet: bool,
) -> Found:
    """Read, compare and score both rulesets; raises what the user can mend."""
    make_sampling(None, None, seed, jobs)  # checks them
    changes = words["set"], words["ruling"]
    before = load_rules(first, *(changes if second is not None else ()))
    after = load_rules(first if second is None else second, *changes)
    is_one_sided = second is None
    second = second or " ".join([first, *(changes[0] or ()), *(changes[1] or ())])
    if before.system.id != after.system.id:
        raise UsageError(f"{first} is for {before.system.title}, and {second} for {after.system.title}.")
    (chosen,) = read_objectives([objective], before.system.metrics)
    comparison = compare(*(read_rules(each.system, each.model, each.document) for each in (before, after)))
    # One set of scenarios for both; where files name different ones, the old file's.
    scenarios = words["scenarios"] or before.model.default_scenarios
    scores = ScoreCache(cache, warn)
    said = {**words, "scenarios": scenarios}
    opener = _Opener(said, comparison, scores)

    def bar(what: str, total: int) -> AbstractContextManager[Advance]:
        return progress_bar(what, total, quiet=quiet)

    effort = Effort(chosen, RaceRules(max(top, 100), floor, race_fights, seed), jobs, bar)

    def judge(one: Side, other: Side) -> FindingsChange:
        from buildsearch.cli.diff_findings import findings_change  # analysis is slow to import

        return findings_change((one, other), (before, after), comparison.names, effort, cache)

    difference, grounds = None, None
    setups = set_up_loaded_of(before, said), set_up_loaded_of(after, said)
    if is_one_sided and not with_check:
        from buildsearch.cli.what_if import kept_difference

        difference = kept_difference(setups, comparison, said, effort, top, lambda: opener.open(after))
    if difference is None:
        grounds = opener.open(before, is_first=True), opener.open(after)
        if not any(sum(ground.space.count(ground.wanted).values()) for ground in grounds):
            raise UsageError("no legal build fits these filters and this budget. Loosen one of them.")
        difference = run_diff(
            comparison,
            grounds,
            lambda model: opener.open(replace(after, model=model)),
            effort,
            top=top,
            with_blame=with_blame,
            judge=judge if with_check else None,
            with_subjects=is_one_sided,
        )
    about = {
        "a": _about(first, before),
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
            "hits": sum(ground.scorer.hits for ground in grounds or ()),
            "misses": sum(ground.scorer.misses for ground in grounds or ()),
        },
    }
    source = DifferenceSource(
        difference=difference,
        rules=(first, second),
        system=after.system.title,
        objective=chosen.label,
        parameters=(setups[0].space.parameters, setups[1].space.parameters),
        weights={name: fight.weight for name, fight in setups[1].fights.items()},
        seed=seed,
        version=__version__,
        titles={
            option.id: option.name for each in (before, after) for option in each.system.options(each.model)
        },
    )
    return Found(difference, f"{first} -> {second}", chosen.label, about, source)


def _about(word: str, loaded: Loaded) -> dict[str, Any]:
    return {"rules": word, "id": loaded.model.id, "hash": content_hash(loaded.model)}


@dataclass(frozen=True, slots=True, eq=False)
class _Opener:
    """Makes rules ready; everybody shares one cache, so what two rulesets have in common is read once."""

    words: Mapping[str, Any]
    comparison: Comparison
    scores: ScoreCache

    def open(self, loaded: Loaded, *, is_first: bool = False) -> Ground:
        words = self.words
        setup = set_up_loaded_of(loaded, words)
        wanted = Wanted(
            self._named(words["type"], is_first=is_first),
            self._named(words["with"], is_first=is_first),
            self._named(words["without"], is_first=is_first),
        )
        scorer = CachedScorer(loaded.system.bulk(loaded.model, setup.space), self.scores)
        return Ground(setup.space, wanted, setup.fights, scorer)

    def _named(self, given: Sequence[str] | None, *, is_first: bool) -> tuple[str, ...]:
        """Filters may use either side's names."""
        names = self.comparison.names
        if is_first:
            names = {new: old for old, new in names.items()}
        return tuple(names.get(each, each) for each in given or ())
