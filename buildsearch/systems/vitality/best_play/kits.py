"""Many attacks prepared for the fast kernel at once, so that loadouts of them are rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.distinct_rows import bits_of, distinct_rows, mask_where
from buildsearch.systems.vitality.best_play.axes import LIMITS, Enemies, enemies_on
from buildsearch.systems.vitality.best_play.fast_solver import Solved, nothing_solved, solve_loadout
from buildsearch.systems.vitality.best_play.loadout import WITHOUT_LIMIT
from buildsearch.systems.vitality.best_play.support import unknown_word
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.encounter import Attacker, Encounter
from buildsearch.systems.vitality.exact.batch.case import has_any, ruled_rows
from buildsearch.systems.vitality.exact.batch.class_rows import ClassDamages, class_damages, joined
from buildsearch.systems.vitality.exact.batch.gatings import all_fields, levels_reached
from buildsearch.systems.vitality.exact.batch.options import Options, options_of
from buildsearch.systems.vitality.exact.batch.profiles import Attackers, classes_of, modifiers_of
from buildsearch.systems.vitality.exact.batch.solvers import ruling_against_bleeds
from buildsearch.systems.vitality.exact.batch.tables import profiles_of
from buildsearch.systems.vitality.exact.ground import exact_ground
from buildsearch.systems.vitality.kernel.profile import kill_threshold
from buildsearch.systems.vitality.rules.model import Effect, VitalityRules

Group = tuple[str, NDArray[np.uint64]]
_MOST_COUNTERS = 4_000


@dataclass(frozen=True, eq=False)
class Kits:
    """Attacks in one encounter. `ready[i]`: whether the fast kernel knows attack i there."""

    ready: NDArray[np.bool_]
    limits: NDArray[np.void]
    rows: NDArray[np.int64]
    basic_rows: NDArray[np.int64]  # by attack, of its type
    conditions: NDArray[np.int64]
    enemies: Enemies
    attacker_hp: int
    damages: ClassDamages

    @property
    def bleeds(self) -> NDArray[np.bool_]:
        """Which attacks begin a bleed."""
        return np.asarray(self.damages.echo[self.rows] > 0)

    @property
    def thresholds(self) -> NDArray[np.bool_]:
        """Which attacks defeat above 0 HP: these are not valued beside a bleed."""
        return self._defeats_early(self.rows)

    def part(self, chosen: NDArray[np.int64]) -> Kits:
        """Some of the attacks, with the same tables."""
        return replace(
            self,
            ready=self.ready[chosen],
            limits=self.limits[chosen],
            rows=self.rows[chosen],
            basic_rows=self.basic_rows[chosen],
            conditions=self.conditions[chosen],
        )

    def values(self, loadouts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Mean turns of best play of each row of attacks; NaN: not known here.

        A bleed beside a threshold is not known: a tick triggers nothing, so HP and what is pending do not
        add up.
        """
        rows = self.rows[loadouts]
        bleeds = (self.damages.echo[rows] > 0).any(axis=1)
        thresholds = self._defeats_early(rows).any(axis=1)
        wanted = self.ready[loadouts].all(axis=1) & ~(bleeds & thresholds)
        return self._solve(loadouts, loadouts, np.asarray(wanted), np.asarray(bleeds), keep=False)[0]

    def solved(self, loadout: NDArray[np.int64], *, bleeds: bool = False) -> Solved:
        """Best play with its whole value function; without attacks, of all the basic ones.

        With `bleeds` what is pending is followed, by whose attack ever.
        """
        offered = loadout if len(loadout) > 0 else np.arange(len(self.rows))
        return self._solve(loadout[None], offered[None], np.array([True]), np.array([bleeds]), keep=True)[1]

    def _defeats_early(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether attacks with these first rows defeat any class of enemy above 0 HP."""
        classes = np.arange(self.damages.classes)
        return np.asarray((self.damages.kill_at[rows[..., None] + classes] > 0).any(axis=-1))

    def _solve(
        self,
        loadouts: NDArray[np.int64],
        offered: NDArray[np.int64],
        wanted: NDArray[np.bool_],
        bleeds: NDArray[np.bool_],
        *,
        keep: bool,
    ) -> tuple[NDArray[np.float64], Solved]:
        """The value of each loadout that is wanted, else NaN, and the last one solved.

        `offered`: attacks of whose types basic attacks are at hand.
        """
        found = np.full(len(loadouts), np.nan)
        # Whatever the caller's layout, one compiled kernel.
        last = _solve_rows(
            np.ascontiguousarray(loadouts), np.ascontiguousarray(offered), wanted, bleeds, self.limits,
            self.rows, self.basic_rows, self.conditions, self.enemies, self.attacker_hp, self.damages,
            _MOST_COUNTERS, keep, found,
        )  # fmt: skip
        return found, last


@njit(cache=True, nogil=True)
def _solve_rows(  # noqa: PLR0917 - arrays of one call
    loadouts: NDArray[np.int64], offered: NDArray[np.int64], wanted: NDArray[np.bool_],
    bleeds: NDArray[np.bool_], limits: NDArray[np.void], rows: NDArray[np.int64],
    basic_rows: NDArray[np.int64], conditions: NDArray[np.int64], enemies: Enemies, full: int,
    damages: ClassDamages, most: int, keep: bool, found: NDArray[np.float64],
) -> Solved:  # fmt: skip
    own = np.zeros(loadouts.shape[1], limits.dtype)
    own_rows = np.zeros(loadouts.shape[1], np.int64)
    kinds = np.zeros(offered.shape[1], np.int64)
    effects = np.zeros(offered.shape[1], np.int64)
    last = nothing_solved()
    for i in range(len(loadouts)):
        if not wanted[i]:
            continue
        for j in range(len(own)):
            own[j] = limits[loadouts[i, j]]
            own_rows[j] = rows[loadouts[i, j]]
        basics = 0
        for j in range(len(kinds)):
            attack = offered[i, j]
            seen = False
            for k in range(basics):
                seen = seen or kinds[k] == basic_rows[attack]
            if not seen:
                kinds[basics] = basic_rows[attack]
                effects[basics] = conditions[attack]
                basics += 1
        last = solve_loadout(
            own, own_rows, kinds[:basics], effects[:basics], enemies, full, damages, most, bleeds[i], keep
        )
        found[i] = last.mean
    return last


def make_kits(
    rules: VitalityRules,
    attacker: Attacker,
    encounter: Encounter,
    groups: Sequence[Group],
    effect: Effect = "damage",
) -> Kits:
    """Prepare attacks given as (type, rows of bits)."""
    unlimited = replace(encounter, max_turns=WITHOUT_LIMIT)
    options = options_of(rules, attacker)
    parts = [_part(rules, attacker, unlimited, group, effect, options) for group in groups]
    offsets = np.concatenate([[0], np.cumsum([len(part.damages.chances) for part in parts])])
    return Kits(
        ready=np.concatenate([part.ready for part in parts]),
        limits=np.concatenate([part.limits for part in parts]),
        rows=np.concatenate([part.rows + at for part, at in zip(parts, offsets, strict=False)]),
        basic_rows=np.concatenate([part.basic_rows + at for part, at in zip(parts, offsets, strict=False)]),
        conditions=np.concatenate([part.conditions for part in parts]),
        enemies=parts[0].enemies,
        attacker_hp=attacker.hp,
        damages=joined([part.damages for part in parts]),
    )


def _part(
    rules: VitalityRules,
    attacker: Attacker,
    encounter: Encounter,
    group: Group,
    effect: Effect,
    options: Options | None,
) -> Kits:
    attack_type, masks = group
    ground = exact_ground(rules, Build((Attack(attack_type, effect=effect),)), attacker, encounter)
    assert options is not None  # noqa: S101 - `why_no_kits` was asked
    given = Attackers(rules, attacker, encounter, attack_type, effect, options, classes_of([encounter]))
    words = masks.shape[1]
    has = bits_of(masks, len(options.known))
    sets, set_of = distinct_rows(masks & mask_where(options.is_limit, words))
    limit_bits = has[sets] & options.is_limit
    added = modifiers_of(given, limit_bits)
    ready, bleeds = _ready(given, masks, area=bool(ground.setup["area"]))
    rows, levels, damages = _tables(given, has & ~options.is_limit, added[set_of], bleeds)
    fields, activation = all_fields(given, limit_bits)
    limits = np.zeros(len(masks), LIMITS)
    for name in LIMITS.names or ():
        if name in fields:
            limits[name] = fields[name][set_of]
    limits["activation"] = activation[set_of]
    limits["condition"] = effect == "condition"
    limits["levels"] = levels_reached(limits, levels)
    return Kits(
        ready=ready,
        limits=limits,
        rows=rows,
        basic_rows=np.zeros(len(masks), np.int64),
        conditions=np.full(len(masks), int(effect == "condition")),
        enemies=enemies_on(ground),
        attacker_hp=attacker.hp,
        damages=damages,
    )


def _tables(
    given: Attackers, upgrades: NDArray[np.bool_], added: NDArray[np.int64], bleeds: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], ClassDamages]:
    """By attack its first row of damages and its levels; those that bleed stand behind the others."""
    # Basic attacks come with the plain ones, so there is always one of these.
    others = ~bleeds if not bleeds.all() else np.zeros(1, np.int64)
    plain = profiles_of(given, upgrades[others], added[others], bleeds=False)
    damages, first_rows, _ = class_damages(plain, given.class_hp)
    rows, levels = np.zeros(len(upgrades), np.int64), np.ones(len(upgrades), np.int64)
    rows[others] = first_rows[plain.of_row]
    levels[others] = plain.levels[plain.of_row]
    if bleeds.any():
        bled = profiles_of(given, upgrades[bleeds], added[bleeds], bleeds=True)
        found, first_rows, _ = class_damages(bled, given.class_hp)
        rows[bleeds] = len(damages.chances) + first_rows[bled.of_row]
        levels[bleeds] = bled.levels[bled.of_row]
        damages = joined([damages, found])
    return rows, levels, damages._replace(backwards=np.ascontiguousarray(damages.chances[:, ::-1]))


def why_no_kits(rules: VitalityRules, attacker: Attacker) -> str | None:
    """Why attacks under these rules cannot be prepared in bulk."""
    if options_of(rules, attacker) is None:
        return "an option is both an upgrade and a limit"
    if rules.rulings.target == "highest_hp" or rules.rulings.attacker_defeat == "loss":
        return "best play does not know one of the rulings"
    return None


def _ready(
    given: Attackers, masks: NDArray[np.uint64], *, area: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Attacks whose turn does the same at every HP, in words that are known; which of them bleed."""
    numbers = given.options.numbers
    other = numbers["extra_limit"] > 1
    bleed = (numbers["bleed"] >= 0) & (given.effect == "damage")
    if ruling_against_bleeds(given.rules.rulings) is not None:
        other = other | bleed
    if max(map(len, given.encounter.waves)) > 1:
        other = other | (numbers["needs_others"] >= 0) | (numbers["splinter"] >= 0)
    names = list(given.rules.enhancements)
    strange = [unknown_word(given.rules, Attack(given.attack_type, (name,), given.effect)) for name in names]
    other = other | np.array([word is not None for word in strange], bool)
    known_type = unknown_word(given.rules, Attack(given.attack_type, (), given.effect)) is None
    bleeds = has_any(masks, bleed)
    largest = max(foe.max_hp for foe in given.classes)
    defeats = np.array([kill_threshold([each], largest) > 0 for each in given.options.known], bool)
    left = has_any(masks, other) | (bleeds & has_any(masks, defeats))
    left |= ruled_rows(given, masks, beside=True)
    ready = np.asarray(~left & (known_type and not area), np.bool_)
    return ready, np.asarray(bleeds & ready, np.bool_)
