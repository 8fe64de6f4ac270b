"""Vitality as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from buildsearch.engines.games import Game
from buildsearch.model.evaluation import Evaluator, Fight, Metric, Replayer, Scale
from buildsearch.model.loadouts import LoadoutScorer
from buildsearch.model.rules_file import Variation
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import BuildSpace, Wanted
from buildsearch.model.system import Dial, Unscored
from buildsearch.systems.vitality import strains
from buildsearch.systems.vitality.bouts import make_bouts, stat_steps
from buildsearch.systems.vitality.builds import levers
from buildsearch.systems.vitality.parameters import FIGHT_OPTIONS, PARAMETERS, TITLE
from buildsearch.systems.vitality.rules import checks
from buildsearch.systems.vitality.rules.describe import describe_options
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.relations import RELATIONS
from buildsearch.systems.vitality.rules.scenarios import VitalityScenarios
from buildsearch.systems.vitality.rules.settings import read_settings

METRICS = (
    Metric(
        "mean_turns",
        "turns to win",
        higher_is_better=False,
        low=1,
        counts_steps=True,
        unit="turns",
        verb="wins in",
    ),
    Metric("damage_per_turn", "damage per turn", higher_is_better=True, low=0),
    Metric("survival", "survival", higher_is_better=True, low=0, high=1, scale=Scale.PROBABILITY),
    Metric(
        "timeout_share",
        "timeouts",
        higher_is_better=False,
        low=0,
        high=1,
        remarkable_above=0.01,
        scale=Scale.PROBABILITY,
    ),
)


class VitalitySystem(Game):
    """One attacker with one or several attacks against waves of enemies."""

    id = "vitality"
    title = TITLE
    rules_model = VitalityRules
    scenarios_model = VitalityScenarios
    parameters = PARAMETERS
    fight_options = FIGHT_OPTIONS
    metrics = METRICS
    leaderboard_columns = ("effect", "unspent")
    relations = RELATIONS

    check_rules = staticmethod(checks.check_rules)
    check_scenarios = staticmethod(checks.check_scenarios)
    options = staticmethod(describe_options)
    accounts = staticmethod(levers.accounts)
    levers = staticmethod(levers.levers)

    def unscored(self, rules: Any) -> Unscored | None:
        """Survival, where an attacker that is defeated fights on."""
        if rules.rulings.attacker_defeat != "ignore":
            return None
        return Unscored("survival", "The score ignores the attacker's death.")

    def space(self, rules: Any, parameters: Mapping[str, str]) -> BuildSpace:
        # Here and not above: the enumeration kernels cost half a second of imports, and most commands
        # that only read rules never need them.
        from buildsearch.systems.vitality.builds.space import VitalitySpace

        return VitalitySpace(rules, read_settings(rules, parameters))

    def fights(
        self, rules: Any, scenarios: Any, parameters: Mapping[str, str], options: Mapping[str, str]
    ) -> Mapping[str, Fight]:
        """The bouts of a scenario set, or an ad hoc one."""
        return make_bouts(rules, scenarios, read_settings(rules, parameters).tier, options)

    def evaluators(self, rules: Any) -> tuple[Evaluator, ...]:
        """Exact engines, the kernel, looking ahead, then the reference."""
        from buildsearch.systems.vitality.best_play.loadout_evaluators import (
            BestPlayEvaluator,
            GreedyLoadoutEvaluator,
            LookaheadEvaluator,
        )
        from buildsearch.systems.vitality.evaluators import (
            ExactEvaluator,
            KernelEvaluator,
            ReferenceEvaluator,
        )

        return (
            ExactEvaluator(rules),
            GreedyLoadoutEvaluator(rules),
            BestPlayEvaluator(rules),
            KernelEvaluator(rules),
            LookaheadEvaluator(rules),
            ReferenceEvaluator(rules),
        )

    loadout_member = "attack"

    def loadout_size(self, space: Any) -> int:
        return int(space.settings.attacks)

    def loadout_bytes(self, builds: int, fights: int) -> int:
        """Measured: 2.1 GB for 531,438 builds in four fights."""
        return (300 << 20) + 900 * builds * fights

    def loadouts(
        self,
        rules: Any,
        space: Any,
        fights: Mapping[str, Any],
        wanted: Wanted,
        most: int | None,
        *,
        seed: int = 0,
        jobs: int = 1,
    ) -> LoadoutScorer | None:
        """Attacks to choose from, where the archetype has several."""
        if space.settings.attacks == 1:
            return None
        from buildsearch.systems.vitality.loadouts.scorer import VitalityLoadouts

        return VitalityLoadouts(rules, space, fights, wanted, most, seed=seed, jobs=jobs)

    def bulk(self, rules: Any, space: Any) -> BulkScorer:
        from buildsearch.systems.vitality.bulk import VitalityBulk

        return VitalityBulk(rules, space)

    def variations(self, rules: Any) -> tuple[Variation, ...]:
        """Every other ruling; each stat a step up or down, for the attacker and for the enemies."""
        return (*super().variations(rules), *stat_steps(rules))

    def absent_targets(self, rules: Any, fights: Mapping[str, Any]) -> Mapping[str, str]:
        """Slayers of enemies that no scenario has."""
        there = {foe.max_hp for bout in fights.values() for wave in bout.encounter.waves for foe in wave}
        found = {}
        for name, entry in rules.enhancements.items():
            slayer = entry.mechanics.slayer
            if slayer is not None and not any(slayer.matches(hp) for hp in there):
                most = "" if slayer.match == "exactly" else " or less"
                found[name] = f"an enemy of {slayer.max_hp} HP{most}"
        return found

    def dials(self, rules: Any, scenarios: Any) -> tuple[Dial, ...]:
        """Enemies by kind, their HP and their stats."""
        return strains.dials(rules, scenarios)

    def strained(self, rules: Any, scenarios: Any, values: Mapping[str, int]) -> dict[str, Any]:
        """A scenario file with one such fight."""
        return strains.strained(rules, scenarios, values)

    def replayer(self, rules: Any) -> Replayer:
        from buildsearch.systems.vitality.replayer import VitalityReplayer

        return VitalityReplayer(rules)
