"""`python -m scripts.loadouts_that_fight`: the search for loadouts against trying every pair that must fight.

A cut-down ruleset at four points, melee_dg and areas. The figures are in docs/measurements.md.
"""

from __future__ import annotations

import time

import numpy as np

from buildsearch.library.input_files import load_rules, load_scenarios
from buildsearch.model.space import Wanted
from buildsearch.search.loadouts.race import LoadoutEffort, LoadoutField, race_loadouts
from buildsearch.search.loadouts.search import LoadoutSearch, explore
from buildsearch.systems.vitality.bouts import Bout, make_bouts
from buildsearch.systems.vitality.builds.space import VitalitySpace
from buildsearch.systems.vitality.loadouts.left_out import sampled_kinds
from buildsearch.systems.vitality.loadouts.sampled import SampledLoadouts
from buildsearch.systems.vitality.loadouts.scorer import VitalityLoadouts
from buildsearch.systems.vitality.rules.model import VitalityRules
from buildsearch.systems.vitality.rules.settings import read_settings

KEPT = (
    *("power_attack", "accurate_attack", "ricochet", "explosive_critical", "extra_attack", "bleed"),
    *("cooldown", "charge_up", "unreliable_1", "patient", "combo_move", "passive", "vengeful"),
    *("reliable_accuracy", "captain_slayer_dmg", "minion_slayer_dmg"),
)
TIER = 4
SHOWN = 5
# Everybody, then the best so many: fights of each.
LOOKS = ((None, 128), (3_000, 1_024), (300, 32_768))


class Everything:
    """All attacks of the space, as a scorer of those that must fight."""

    def __init__(self, rules: VitalityRules, space: VitalitySpace, bouts: list[Bout], wanted: Wanted) -> None:
        self.attacks, must = [], []
        for chunk in space.chunks(wanted, 1 << 16):
            fights = np.logical_or.reduce([has for _, has in sampled_kinds(rules, chunk.group, chunk.codes)])
            self.attacks += [build.attacks[0] for build in space.builds(chunk)]
            must += fights.tolist()
        number = len(self.attacks)
        self.pairs = np.array(
            [(i, j) for i in range(number) for j in range(i, number) if must[i] or must[j]], np.int64
        )
        self._bouts = bouts
        self._fights = SampledLoadouts(rules, space, bouts, self.attacks.__getitem__, seed=1, jobs=2)

    def outcome_range(self, fight: int) -> tuple[float, float]:
        return 1.0, float(self._bouts[fight].encounter.max_turns)

    def exact_values(self, fight: int, loadouts: np.ndarray) -> np.ndarray:
        return self._fights.exact(fight, loadouts)

    def fight_on(
        self, fight: int, loadouts: np.ndarray, fights: int, first_block: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        played = self._fights.play(fight, loadouts, fights, first_block)
        return played.turns, played.squares


def main() -> None:
    """Print both lists for two sets of scenarios."""
    rules = load_rules("vitality-v2").model
    settings = read_settings(rules, {"tier": str(TIER), "archetype": "dual_natured", "budget": "4"})
    space = VitalitySpace(rules, settings)
    gone = tuple(name for name in rules.enhancements if name not in KEPT)
    wanted = Wanted(groups=("melee_dg", "area"), without_features=gone)
    every = make_bouts(rules, load_scenarios("default").model, TIER, {})
    for names in (("mixed", "swarm"), ("boss", "guard")):
        bouts, weights = {name: every[name] for name in names}, np.ones(len(names))
        begun = time.process_time()
        scorer = VitalityLoadouts(rules, space, bouts, wanted, jobs=2)
        search = LoadoutSearch(scorer, weights.tolist())
        partners = explore(search, scorer, weights, 3, 20)
        known = [(each.loadout, each.score) for each in search.ranked(20)]
        raced = race_loadouts(scorer, weights, known, partners, LoadoutEffort(20, 10_000_000))
        search.take_in(raced)
        spent = time.process_time() - begun
        print(f"{names}: searched {raced.tried:,} loadouts that must fight, {spent:.0f} s of CPU time")
        for each in search.ranked(SHOWN):
            print(f"  {each.score:.3f} {space.name(scorer.build(each.loadout))}")
        begun = time.process_time()
        everything = Everything(rules, space, list(bouts.values()), wanted)
        field = LoadoutField(everything, weights, everything.pairs)
        for keep, fights in LOOKS:
            if keep is not None:
                field = field.part(np.argsort(field.scores, kind="stable")[:keep])
            if (keep, fights) == LOOKS[-1]:
                field.solve()  # as the race does: exact where best play is known
            field.fight_on(np.arange(len(field)), fights)
        spent = time.process_time() - begun
        print(f"  every one of {len(everything.pairs):,}, {spent:.0f} s:")
        for row in np.argsort(field.scores, kind="stable")[:SHOWN]:
            attacks = [everything.attacks[one] for one in field.loadouts[row]]
            joined = " | ".join("+".join((each.type, *each.enhancements)) for each in attacks)
            print(f"  {field.scores[row]:.3f} {joined}")


if __name__ == "__main__":
    main()
