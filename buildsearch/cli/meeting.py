"""From the command line's words to who beats whom: what `meta` and `check` have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from buildsearch.gate.from_meta import KINDS
from buildsearch.meta.matches import Matches
from buildsearch.meta.oracle import Meta, Rules, find_meta
from buildsearch.model.errors import UsageError
from buildsearch.model.meets import Meets
from buildsearch.model.space import Chunk, Wanted
from buildsearch.search.cached import CachedScorer
from buildsearch.search.ledger import Floats, Ledger
from buildsearch.search.race import RaceRules
from buildsearch.search.scoring import CHUNK, Advance
from buildsearch.systems.registry import SYSTEMS

if TYPE_CHECKING:
    from buildsearch.cli.fight_setup import FightSetup

# So many builds are all kept in memory with what they win; more are searched.
_MOST = 200_000
TRIALS = 400
# Builds of the leaderboard to start from.
START = 8


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Builds of one game that can meet."""

    setup: FightSetup
    wanted: Wanted
    scorer: CachedScorer
    options: Mapping[str, str]
    jobs: int

    @property
    def total(self) -> int:
        """How many builds there are."""
        return sum(self.setup.space.count(self.wanted).values())

    @property
    def is_large(self) -> bool:
        """Whether there are too many to try every one."""
        most = self.setup.space.most_to_rank
        return self.total > (_MOST if most is None else min(most, _MOST))

    def play(self, start: Sequence[Chunk], rules: Rules, trials: int, advance: Advance) -> Meta:
        """Who beats whom, from these builds on."""
        loaded, space = self.setup.loaded, self.setup.space
        system = meeting_system(self.setup)
        parameters = {name: str(value) for name, value in space.parameters.items()}
        matches = Matches(
            space,
            self.scorer,
            lambda build: system.match(loaded.model, build, parameters, self.options),
            seed=rules.seed,
            jobs=self.jobs,
            alpha=rules.alpha,
        )
        singles = [Chunk(chunk.group, chunk.codes[i : i + 1]) for chunk in start for i in range(len(chunk))]
        finder = None
        if self.is_large:
            matches.add_builds(singles)
            from buildsearch.meta.guided import guided_finder

            metric = loaded.system.metrics[0]
            finder = guided_finder(matches, space, self.wanted, metric, rules, trials, advance)
        else:
            matches.add_builds(list(space.chunks(self.wanted, CHUNK)))
        rows = [row for one in singles if (row := matches.find(one)) is not None]
        if not rows:
            raise UsageError("none of the builds to start from is among those asked for. Loosen the filters.")
        return find_meta(matches, rows, rules, advance, finder)


def meeting_system(setup: FightSetup) -> Meets:
    """The system, if its builds can meet; raises UsageError."""
    system = setup.loaded.system
    if not isinstance(system, Meets):
        raise UsageError(why_not_meeting(system.title))
    return system


def check_meeting(assertions: Mapping[str, Any], setup: FightSetup) -> None:
    """Raises UsageError where an assertion is about builds that meet, and they fight foes."""
    for name, assertion in assertions.items():
        if isinstance(assertion, KINDS) and not isinstance(setup.loaded.system, Meets):
            title = setup.loaded.system.title
            raise UsageError(f"assertion `{name}`: {why_not_meeting(title)} Take it out of the config.")


def why_not_meeting(title: str) -> str:
    """Why there is no meta of a game against foes."""
    others = " and ".join(system.title for system in SYSTEMS if isinstance(system, Meets))
    return (
        f"`meta` is about builds that fight one another, and in {title} they fight foes: it is for {others}. "
        "`buildsearch optimize` ranks builds against foes, and `analyze` says what the best have in common."
    )


def meta_of_ledger(
    setup: FightSetup,
    scorer: CachedScorer,
    ledger: Ledger,
    costs: Floats,
    rules: RaceRules,
    jobs: int,
    fights: int | None,
) -> Callable[[], Meta] | None:
    """How to find out who beats whom, from the best of these builds on; None where builds do not meet."""
    if not isinstance(setup.loaded.system, Meets):
        return None

    def play() -> Meta:
        known = np.flatnonzero(~np.isnan(costs))
        best = np.sort(known[np.argsort(costs[known], kind="stable")][:START])
        asked = Rules(seed=rules.seed, alpha=rules.alpha)
        asked = asked if fights is None else replace(asked, budget=fights)
        meeting = Meeting(setup, Wanted(), scorer, {}, jobs)
        found = meeting.play(ledger.part(best).chunks, asked, TRIALS, lambda _done: None)
        if found.is_partial:
            raise KeyboardInterrupt
        return found

    return play


def best_to_start(
    meeting: Meeting, words: Mapping[str, Any], rules: Rules, start: int, trials: int, *, quiet: bool
) -> list[Chunk]:
    """The best few of the leaderboard, after a floor of fights: a run of `optimize` without its race."""
    from buildsearch.cli.guiding import make_guide
    from buildsearch.cli.searching import Search
    from buildsearch.search.objectives import read_objectives
    from buildsearch.search.optimizing import Question

    setup = meeting.setup
    objectives = read_objectives((), setup.loaded.system.metrics)
    race = RaceRules(start, rules.floor, 0, rules.seed, rules.alpha)
    guide = None
    if meeting.is_large:
        guide = make_guide("optuna", setup.space, meeting.wanted, 1, trials, None, None, None)
    search = Search(
        setup=setup,
        wanted=meeting.wanted,
        question=Question(objectives, race, meeting.jobs),
        scorer=replace(meeting.scorer),
        quiet=quiet,
        words=words,
        guide=guide,
    )
    search.counts()
    answer = search.run()
    if answer.is_partial:
        raise KeyboardInterrupt
    return [setup.space.encode(build) for build in answer.builds]
