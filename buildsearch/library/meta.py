"""Matchups: opened, played, written; and what `check` asserts about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from buildsearch.document.blocks import Document
from buildsearch.files.atomic import check_writable
from buildsearch.gate.meta_assertions import KINDS
from buildsearch.library.arguments import takes
from buildsearch.library.fight_setup import FightSetup
from buildsearch.library.game import Game
from buildsearch.library.runs import best_of_run
from buildsearch.library.search import (
    NO_BUILD,
    BuildSearch,
    content_hash,
    make_guide,
    make_scorer,
    run_folder,
)
from buildsearch.library.tables import Answer
from buildsearch.library.watch import Scoring, Watch, scoring_for
from buildsearch.meta.double_oracle import Meta, MetaLimits, find_meta
from buildsearch.meta.guided import guided_finder
from buildsearch.meta.matches import Matches
from buildsearch.model.arrays import Floats
from buildsearch.model.errors import Cancelled, UsageError
from buildsearch.model.space import Chunk, Wanted
from buildsearch.model.system import Meets
from buildsearch.options.fields import shared
from buildsearch.options.game import Filters, GameOptions
from buildsearch.options.search import MetaArguments, MetaFields, MetaOptions, SearchOptions
from buildsearch.report.meta_files import META, meta_data, write_meta
from buildsearch.report.run_files import folder_for_interrupted
from buildsearch.search.cached_scorer import CachedScorer
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import read_objectives
from buildsearch.search.scoring import CHUNK, Advance, Effort
from buildsearch.systems.registry import systems
from buildsearch.version import __version__
from buildsearch.views.meta import matchups as page_of_matchups
from buildsearch.views.meta import matchups_page

# So many builds are all kept in memory with what they win; of more some are tried.
_MOST = 200_000
_TRIALS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Builds of one game that can meet."""

    setup: FightSetup
    wanted: Wanted
    scorer: CachedScorer
    options: Mapping[str, str]

    @property
    def total(self) -> int:
        return sum(self.setup.space.count(self.wanted).values())

    @property
    def is_large(self) -> bool:
        """Whether there are too many to try every one."""
        most = self.setup.space.most_to_rank
        return self.total > (_MOST if most is None else min(most, _MOST))

    def match(self, build: Any) -> Any:
        """The fight of whatever build against this one; raises UsageError."""
        loaded = self.setup.loaded
        parameters = {name: str(value) for name, value in self.setup.space.parameters.items()}
        return _meeting(loaded.system).match(loaded.model, build, parameters, self.options)

    def play(
        self,
        start: Sequence[Chunk],
        rules: MetaLimits,
        trials: int,
        advance: Advance,
        on_interrupt: Callable[[], None] = lambda: None,
    ) -> Meta:
        """Who beats whom, from these builds on."""
        space = self.setup.space
        matches = Matches(space, self.scorer, self.match, seed=rules.seed, alpha=rules.alpha)
        singles = [Chunk(chunk.group, chunk.codes[i : i + 1]) for chunk in start for i in range(len(chunk))]
        finder = None
        if self.is_large:
            matches.add_builds(singles)
            metric = self.setup.loaded.system.metrics[0]
            finder = guided_finder(matches, space, self.wanted, metric, rules, trials, advance)
        else:
            matches.add_builds(list(space.chunks(self.wanted, CHUNK)))
        rows = [row for one in singles if (row := matches.find(one)) is not None]
        if not rows:
            raise UsageError("the filters exclude every build to start from. Remove a filter.")
        return find_meta(matches, rows, rules, advance, finder, on_interrupt)


class Matchups(Answer):
    """Who beats whom: the page of `buildsearch meta`, and by name what meta.json has."""

    __slots__ = ("folder", "is_partial")

    def __init__(self, page: Document, folder: Path, *, is_partial: bool) -> None:
        super().__init__(page)
        self.folder, self.is_partial = folder, is_partial


@takes(MetaArguments)
def matchups(game: Game, given: MetaArguments) -> Answer:
    """Play builds against each other: those worth playing, their counters and cycles, as `meta` does.

    Args:
        game: what `load` gave; its builds must be able to meet.

    Returns:
        The page of `buildsearch meta`; by name what meta.json has.

    Raises:
        UsageError: for a game in which builds fight foes.

    """
    request = MetaOptions(
        **shared(GameOptions, game.request) | shared(MetaFields, given) | shared(Filters, given)
    )
    return play_meta(game.setup, request, scoring_for(given), str(given.out))


def play_meta(setup: FightSetup, request: MetaOptions, how: Scoring, out: str | None = None) -> Matchups:
    """Find out who beats whom, and write its folder; raises UsageError, also where builds fight foes."""
    begun = time.perf_counter()
    _meeting(setup.loaded.system)
    watch = how.watch
    meeting = Meeting(setup, request.wanted, make_scorer(setup, how), request.fight_options)
    first = next(iter(setup.space.chunks(request.wanted, 1)), None)
    if first is None:
        raise UsageError(NO_BUILD)
    # What does not fit together is an error before the work begins.
    meeting.match(next(iter(setup.space.builds(first))))
    folder = run_folder(setup, request, out, "meta")
    check_writable(folder / META)
    rules = MetaLimits(
        epsilon=request.epsilon,
        budget=request.fights,
        most=request.pool,
        seed=request.seed,
        alpha=request.alpha,
    )
    trials = request.trials or _TRIALS
    start = _best(meeting, request, rules, trials, watch)
    with watch.bar("playing (fights, at most)", request.fights) as advance:
        meta = meeting.play(start, rules, trials, advance, watch.on_interrupt)
    if meta.is_partial:
        folder = folder_for_interrupted(folder, META)
    return _written(meeting, meta, request, folder, begun)


def meta_of_ledger(
    setup: FightSetup,
    scorer: CachedScorer,
    ledger: Ledger,
    costs: Floats,
    request: SearchOptions,
    fights: int | None,
) -> Meta:
    """Who beats whom, from the best of these builds on."""
    usual = MetaOptions()
    known = np.flatnonzero(~np.isnan(costs))
    best = np.sort(known[np.argsort(costs[known], kind="stable")][: usual.start])
    budget = usual.fights if fights is None else fights
    asked = MetaLimits(epsilon=usual.epsilon, budget=budget, seed=request.seed, alpha=request.alpha)
    meeting = Meeting(setup, Wanted(), scorer, {})
    found = meeting.play(ledger.part(best).chunks, asked, _TRIALS, lambda _done: None)
    if found.is_partial:
        raise Cancelled("interrupted.")
    return found


def builds_meet(setup: FightSetup) -> bool:
    """Whether builds of this game can fight each other."""
    return isinstance(setup.loaded.system, Meets)


def check_assertions(assertions: Mapping[str, Any], setup: FightSetup) -> None:
    """Raises UsageError where an assertion is about builds that meet, and they fight foes."""
    for name, assertion in assertions.items():
        if isinstance(assertion, KINDS) and not isinstance(setup.loaded.system, Meets):
            said = _why_not(setup.loaded.system.title)
            raise UsageError(f"assertion `{name}`: {said} Take it out of the config.")


def _meeting(system: Any) -> Meets:
    if not isinstance(system, Meets):
        raise UsageError(_why_not(system.title))
    return system


def _why_not(title: str) -> str:
    others = " and ".join(system.title for system in systems() if isinstance(system, Meets))
    return (
        f"`meta` plays builds against each other. In {title} they fight foes: it is for {others}. "
        "`buildsearch optimize` ranks builds against foes, and `analyze` says what the best have in common."
    )


def _best(
    meeting: Meeting, request: MetaOptions, rules: MetaLimits, trials: int, watch: Watch
) -> Sequence[Chunk]:
    """The best few of a run, or of the leaderboard after a floor of fights: `optimize` without its race."""
    setup = meeting.setup
    if request.from_run is not None:
        # Filters say who may join; of the run's best, those that they leave are there to start from.
        return best_of_run(request.from_run, setup, Wanted(), request.start).chunks
    objectives = read_objectives((), setup.loaded.system.metrics)
    asked = SearchOptions(
        rules=request.rules,
        search="optuna" if meeting.is_large else "exhaustive",
        trials=trials if meeting.is_large else None,
        seed=rules.seed,
        initial_fights=rules.floor,
    )
    search = BuildSearch(
        setup=setup,
        wanted=meeting.wanted,
        effort=Effort(objectives, request.start, rules.floor, 0, rules.seed, rules.alpha),
        scorer=replace(meeting.scorer),
        request=asked,
        watch=watch,
        guide=make_guide(asked, setup.space, meeting.wanted, 1),
    )
    answer = search.run()
    if answer.is_partial:
        raise Cancelled("Stopped before the first match; nothing was saved.")
    return [setup.space.encode(build) for build in answer.builds]


def _written(meeting: Meeting, meta: Meta, request: MetaOptions, folder: Path, begun: float) -> Matchups:
    setup, total = meeting.setup, meeting.total
    model, parameters = setup.loaded.model, dict(setup.space.parameters)
    about = {
        "buildsearch": __version__,
        "request": asdict(request),
        "rules": {"id": model.id, "hash": content_hash(model)},
        "parameters": parameters,
        "seed": request.seed,
        **meta_data(meta, total),
        "seconds": round(time.perf_counter() - begun, 3),
    }
    write_meta(folder, meta, about, matchups_page(meta, model.name, total, about))
    page = page_of_matchups(meta, model.name, total, about, str(folder))
    return Matchups(page, folder, is_partial=meta.is_partial)
