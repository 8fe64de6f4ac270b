"""Who decides in a fight: greedy play, best play where it can be worked out, else one turn of look-ahead."""

from __future__ import annotations

from buildsearch.systems.vitality.best_play.lookahead import LookaheadPolicy
from buildsearch.systems.vitality.best_play.optimum import TooManyStatesError, solve_best_play
from buildsearch.systems.vitality.best_play.policy_chooser import BestPolicy
from buildsearch.systems.vitality.best_play.support import why_not_exact, why_not_known
from buildsearch.systems.vitality.bouts import Bout
from buildsearch.systems.vitality.builds.build import Build
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.sampled_fights import Policy


def why_not_played(rules: VitalityRules, build: Build, bout: Bout) -> str | None:
    """Why nobody can decide in the way that is asked for."""
    return None if bout.play == "greedy" else why_not_known(rules, build)


def policy_of(rules: VitalityRules, build: Build, bout: Bout) -> Policy | None:
    """The policy for the reference; None is greedy play."""
    if bout.play == "greedy":
        return None
    if why_not_exact(rules, build, bout.attacker, bout.encounter) is None:
        try:
            return BestPolicy(solve_best_play(rules, build, bout.attacker, bout.encounter))
        except TooManyStatesError:
            pass
    return LookaheadPolicy(rules, build, bout.attacker, bout.encounter)
