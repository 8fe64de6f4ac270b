"""How big a search will be, from a pilot of some builds.

Each class of work has a rate of its own, measured on compiled code (`pilot`): batches (which get cheaper by
the build the more there are), builds that are solved alone, fights, and the details of the builds that are
shown. What the cache has is not counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from buildsearch.model.evaluation import Evaluator
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.search.cache import MOST_HELD
from buildsearch.search.cached import CachedScorer
from buildsearch.search.hands import worked_at_once
from buildsearch.search.pilot import measure
from buildsearch.search.race import ALONE, RaceRules

# A race that few builds are in is over when each has had about so many fights in each scenario.
_FIGHTS_TO_DECIDE = 1 << 18
# So many times as often as elsewhere builds near the top cannot be solved in batches.
_OFTEN_OPEN = 5.0
# Seconds for a usual build that is solved alone; slow ones are not tried by a pilot, but count for many.
# Fights rule most of these out, and the others win in few turns: all cost no more than so many usual ones.
_USUAL_ALONE, _MOST_SLOW = 0.03, 1_500
# Seconds for each build and fight to be read from the cache, ordered and written.
_WRITTEN = 1.5e-6
# Beyond the arrays: the interpreter and compiled code; what engines hold that solve slow builds alone.
_BASE_BYTES, _SLOW_BYTES = 500 << 20, 700 << 20
# Numbers of every build that ranking them holds at once.
_COLUMNS = 8


@dataclass(frozen=True, slots=True)
class SearchEstimate:
    """Guesses before the work, in seconds by stage; what is cached already is left out.

    The stage `estimate` is over, and so is `compiling`, which the next run does not need.
    """

    builds: int
    exact_share: float
    stages: Mapping[str, float]
    bytes: int
    compiling: float = 0.0

    @property
    def seconds(self) -> float:
        """All stages together, of a run that finds everything compiled."""
        return sum(self.stages.values())

    @property
    def passed(self) -> float:
        """What of this run is over."""
        return self.compiling + self.stages["estimate"]


def estimate(
    space: BuildSpace,
    wanted: Wanted,
    counts: Mapping[str, int],
    fights: Mapping[str, Any],
    scorer: CachedScorer,
    evaluators: Sequence[Evaluator],
    *,
    words: int,
    rules: RaceRules,
    jobs: int,
    everywhere: bool,
) -> SearchEstimate:
    """Score some builds and scale up."""
    builds, hands = sum(counts.values()), worked_at_once(jobs)
    pairs = builds * len(fights)
    rates = measure(
        space, wanted, builds, fights, scorer, evaluators, rules=rules, jobs=jobs, everywhere=everywhere
    )
    open_pairs = rates.open_share * pairs
    # How often builds near the top are open: more often than others, where what is strong is hard to solve.
    often = 1.0 if everywhere else min(1.0, _OFTEN_OPEN * rates.open_share)
    contenders = min(ALONE, open_pairs, often * rules.top * len(fights))
    # Slow ones fight before they are solved: those near the top are left.
    slow = open_pairs * min(1.0, rules.top / builds) * rates.slow_cost
    slow = min(_MOST_SLOW, slow) * _USUAL_ALONE
    alone = 0.0 if everywhere else contenders * rates.alone * rates.quick_share + slow
    # What engines can solve one at a time is not raced for.
    raced = min(rules.budget, open_pairs * _FIGHTS_TO_DECIDE) * rates.fight * often
    raced *= 1.0 if everywhere else 1 - rates.alone_share
    # Who will race, a pilot cannot know; what races of before have left is counted.
    fresh = 1 - min(1.0, rates.raced / max(contenders, 1.0))
    stages = {
        "solve": rates.solve * (1 - rates.kept_share) / hands,
        "floor": open_pairs * rates.floor * (1 - rates.known_share) / hands,
        "race": (raced + alone) * fresh / hands,
        # Engines remember what a race had them solve; what is kept of a race is solved again to be shown.
        "order": min(rules.top, builds) * len(fights) * rates.detail / hands
        + (0.0 if everywhere else slow * (1 - fresh) / hands),
        "write": pairs * _WRITTEN,
    }
    stages = {"estimate": rates.timing} | {stage: took * rates.slower for stage, took in stages.items()}
    columns = len(scorer.scorer.outcomes) + 2
    # Codes and exact means; score and bounds, sorted too; sums of fights, with room for those that race on.
    size: float = builds * (8 * words + 8 * len(fights) + 8 * _COLUMNS)
    size += builds * 8 * rates.open_share * columns * len(fights) * 1.5
    size += min(MOST_HELD, 24 * pairs)
    held = _BASE_BYTES + (_SLOW_BYTES if slow > 0 and not everywhere else 0)
    return SearchEstimate(builds, rates.exact_share, stages, int(size) + held, rates.compiling)
