"""The fight kernel: many fights of one loadout from one random stream. One attack is a loadout of one.

What a turn and a strike do is said in `mechanics`; here outcomes are drawn, and what changes is stored. It is
one function on purpose, with the generator in locals: an inlined helper that takes arrays counts references
in the hot loop, which makes a turn five to ten times as long. Helpers that take numbers are free.

Randomness: each turn draws one word. Its low half decides the first strike, its high half the retaliation.
Every further decision (activation, other strikes, dice that several enemies share) draws a word of its own
and uses the low half; the targets of an area take both halves in turn. Strikes at one enemy that an area sets
off always draw. Nothing is drawn for a choice among attacks.

Several attacks are chosen from each turn: greedily, the first that can attack or charge, or looking a turn
ahead, which takes the action that removes the most HP for each turn that it takes, as
`best_play/policies.py` says in plain Python.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.engines.jit import step
from buildsearch.evaluate.randomness import next_word
from buildsearch.systems.vitality.kernel.loadouts.lookahead import GREEDY, TIE, mean_removed
from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, DAMAGE, HIT, HIT_BIT
from buildsearch.systems.vitality.kernel.plan import (
    AREA,
    LOADOUT,
    PLAIN,
    RICH,
    TRIGGERED,
    WAITS_ALONE,
    Arsenal,
)
from buildsearch.systems.vitality.mechanics.limits import (
    ATTACK,
    BASIC,
    CHARGE,
    NOT_ATTACKED,
    WAIT,
    channel_after,
    greedy_action,
    held_after,
    is_made,
    last_turn_allows,
    ready_after,
    state_allows,
    timing_allows,
    uses_after,
)
from buildsearch.systems.vitality.mechanics.strikes import (
    BASE,
    EXPLOSION,
    EXTRA,
    FIRST,
    RICOCHET,
    SPLINTER,
    begins,
    exposed_to,
    feeds_splinter,
    follow_up,
    goes_before,
    healed,
    is_due,
    strike,
    tick,
)
from buildsearch.systems.vitality.results import LOST, SURVIVED, TIMED_OUT

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(inline="always")
def drawn(entry: int, bits: int, mask: int) -> int:
    """The outcome that an alias entry gives for 32 random bits.

    Without a branch: the comparison is a coin toss that no processor predicts.
    """
    return (entry >> (16 * np.int64((bits & mask) >= (entry >> 32)))) & 0xFFFF


@njit(cache=True, nogil=True)
def tick_bleeds(
    turn: int, start: int, end: int, hp: NDArray[np.int64], bleeding: NDArray[np.int64]
) -> tuple[int, int]:
    """Deal the bleeds that are due: how many ticked and how many of those defeated."""
    ticks = 0
    defeats = 0
    for foe in range(start, end):
        if is_due(hp[foe], bleeding[foe, 1], bleeding[foe, 2], turn):
            bleeding[foe, 1] -= 1
            ticks += 1
            hp[foe] = tick(hp[foe], bleeding[foe, 0])
            defeats += np.int64(hp[foe] == 0)
    return ticks, defeats


@njit(inline="always")
def _settings(setup: np.void) -> tuple[int, ...]:
    """How an attack is attempted and strikes, in the order in which the kernel names it."""
    return (
        setup["strike_scope"],
        setup["hp_at_most"],
        setup["hp_full"],
        setup["hp_cost"],
        setup["activation"],
        setup["cooldown"],
        setup["failed_attack"],
        setup["strikes"],
        setup["levels"],
        setup["condition"],
        setup["bleed_ticks"],
        setup["leech"],
        setup["extra_limit"],
        setup["extra_single"],
        setup["double_tap"],
        setup["ricochet"],
        setup["explosive"],
        setup["cluster"],
        setup["splinter_limit"],
        setup["triggered_feed"],
        setup["chain"],
        setup["first_only"],
        setup["area"],
        setup["area_limit"],
        setup["area_single"],
        setup["rolls_natural"],
        setup["rolls_total"],
        setup["one_strike"],
        setup["strike_bits"],
        setup["natural_bits"],
        setup["total_bits"],
    )


def _specialised(
    *,
    several: bool = False,
    areas: bool = False,
    singles: bool = False,
    triggers: bool = False,
    rich: bool = False,
) -> Callable[..., None]:
    """The kernel for some loadouts. numba drops what an `if` on one of these constants rules out before it
    looks at it: a kernel costs no more to compile than what it needs.

    `several` attacks; `areas`, or strikes at `singles`; that set others off (`triggers`); `rich`: also with
    what few builds have (`plan.LATER`, or areas that set off strikes at one enemy).
    """
    plain = not (areas or triggers)

    @step
    def fight_block(
        arsenal: Arsenal,
        members: NDArray[np.int64],
        play: int,
        state: NDArray[np.uint64],
        fights: int,
        histogram: NDArray[np.int64],
        counts: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> None:
        """Add the results of so many fights to a histogram of turns, to the counts, and to those of actions.

        `members`: the attacks of the loadout, in order. Actions are counted where there are several.
        """
        # Everything in locals: reading an array out of a tuple counts references.
        setups = arsenal.setups
        places = arsenal.places
        foes = arsenal.foes
        kill_at = arsenal.kill_at
        strikes = arsenal.strikes
        grids = arsenal.grids
        naturals = arsenal.naturals
        totals = arsenal.totals
        retaliation = arsenal.retaliation
        fight = setups[members[0]]
        if rich:
            # Whose damage heals the attacker needs retaliation in full; then so has everybody beside it.
            for k in range(len(members)):
                if setups[members[k]]["leech"] > 0:
                    fight = setups[members[k]]
                    retaliation = arsenal.retaliation_in_full
        max_turns = fight["max_turns"]
        waves = fight["waves"]
        full_hp = fight["attacker_hp"]
        defeat_is_loss = fight["defeat_is_loss"] != 0
        target_rule = FIRST if plain else fight["target_rule"]
        classes = fight["classes"]
        cap = fight["retaliation_cap"]
        retaliation_shift = 32 - fight["retaliation_bits"]
        retaliation_mask = (1 << retaliation_shift) - 1
        one_retaliation_class = plain or fight["one_retaliation_class"] != 0

        member = members[0]
        setup = setups[member]
        unmet = setup["unmet_waits"]
        unmet_waits = unmet != 0 and (unmet != WAITS_ALONE or len(members) == 1)
        (
            strike_scope, hp_at_most, hp_full, hp_cost, activation, cooldown, failed_attack,
            base_strikes, levels, condition, all_bleed_ticks, leech, extra_limit,
            extra_single, double_tap, ricochet, explosive, cluster, splinter_limit,
            triggered_feed, chain, first_only, area, area_limit, area_single, rolls_natural,
            rolls_total, one_strike, strike_bits, natural_bits, total_bits,
        ) = _settings(setup)  # fmt: skip
        if not rich:
            strike_scope = hp_cost = leech = chain = first_only = area_single = failed_attack = 0
        if plain:
            all_bleed_ticks = 0
            one_strike = 1
        if several:
            removal = arsenal.removal
            criticals = arsenal.criticals
            activations = arsenal.activation
            all_held = np.zeros(len(members), np.int64)
            all_ready = np.zeros(len(members), np.int64)
            all_uses = np.zeros(len(members), np.int64)
            channels = np.zeros(len(members), np.int64)
        else:
            ungated = setup["ungated"] != 0
            first_turn = setup["first_turn"]
            last_turn = setup["last_turn"]
            since_mask = setup["since_mask"]
            last_damage = setup["last_damage"] != 0
            last_defeat = setup["last_defeat"] != 0
            last_hit = setup["last_hit"] != 0
            passive = setup["passive"] != 0
            charge = setup["charge"]
        exposes = setup["vulnerable"] != 0
        place = places[member]
        hp_matters = setup["hp_matters"] != 0
        bleed_at_start = setup["bleed_at_start"] != 0
        # A bleed may begin while so many ticks of another are to come.
        bleed_over = all_bleed_ticks * setup["bleed_replaces"]
        if several:
            for k in range(len(members)):
                setup = setups[members[k]]
                exposes = exposes or setup["vulnerable"] != 0
                hp_matters = hp_matters or setup["hp_matters"] != 0
                bleed_at_start = bleed_at_start or setup["bleed_at_start"] != 0
                bleed_over = max(bleed_over, setup["bleed_ticks"] * setup["bleed_replaces"])

        s0 = state[0]
        s1 = state[1]
        s2 = state[2]
        s3 = state[3]
        hp = np.zeros(len(foes), np.int64)
        if rich:
            exposed = np.zeros(len(foes), np.int64)  # so much more damage from the next hit
        living = np.zeros(len(foes), np.int64)  # of the wave, in order; kept where there are areas
        bleeding = np.zeros((len(foes), 3), np.int64)  # damage, ticks left, turn on which it began
        max_hps = np.zeros(len(foes), np.int64)
        strike_class = np.zeros(len(foes), np.int64)
        for foe in range(len(foes)):
            max_hps[foe] = foes[foe]["max_hp"]
            strike_class[foe] = foes[foe]["strike_class"]

        for _ in range(fights):
            start = 0
            end = foes[0]["wave_end"]
            wave = 1
            for foe in range(len(hp)):
                hp[foe] = max_hps[foe]
                bleeding[foe, 1] = 0
                living[foe] = foe
                if rich:
                    if exposes:
                        exposed[foe] = 0
            alive = end - start
            first = start
            attacker_hp = full_hp
            survived = True
            since = NOT_ATTACKED
            attacked_before = False
            damaged_before = 0
            defeated_before = 0
            hits_before = 0
            held = 0
            ready = 0
            uses_left = setups[member]["uses"]
            channel = 0
            which = 0
            if several:
                for k in range(len(members)):
                    all_held[k] = 0
                    all_ready[k] = 0
                    all_uses[k] = setups[members[k]]["uses"]
                    channels[k] = 0
            pending = False
            turn = 0
            while True:
                if turn == max_turns:
                    counts[TIMED_OUT] += 1
                    break
                turn += 1
                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                low = np.int64(word & _LOW)
                high = np.int64(word >> _HALF)
                attacked = False
                damaged = 0
                defeated = 0
                hits = 0
                unlisted = 0  # defeats that `living` does not know of

                if not plain:
                    if pending and bleed_at_start:
                        damaged, defeated = tick_bleeds(turn, start, end, hp, bleeding)
                        alive -= defeated
                        if areas and defeated > 0:
                            kept = 0
                            for foe in range(start, end):
                                if hp[foe] > 0:
                                    living[kept] = foe
                                    kept += 1

                if alive == 0:
                    # Bleeds felled the wave before the attacker acts: a charge and a channel are lost.
                    held = 0
                    channel = 0
                    if several:
                        for k in range(len(members)):
                            all_held[k] = 0
                            channels[k] = 0
                else:
                    # Whom a strike at one enemy would go at.
                    while hp[first] <= 0:
                        first += 1
                    target = first
                    if target_rule != FIRST:
                        for foe in range(first + 1, end):
                            if goes_before(target_rule, hp[foe], hp[target]):
                                target = foe

                    # What to do.
                    if several:
                        which = 0
                        action = -1
                        waits = False
                        best = -1.0
                        for k in range(len(members)):
                            setup = setups[members[k]]
                            passive_fails = False
                            owed = 0
                            if setup["ungated"] == 0:
                                if not (
                                    timing_allows(
                                        turn, setup["first_turn"], setup["last_turn"], all_ready[k],
                                        setup["since_mask"], since,
                                    )
                                    and state_allows(
                                        all_uses[k], attacker_hp, full_hp, setup["hp_at_most"],
                                        setup["hp_full"], setup["hp_cost"],
                                    )
                                ):  # fmt: skip
                                    continue
                                if all_held[k] == 0:
                                    was_hit = (hits_before >> target) & 1 != 0
                                    if setup["last_hit"] != 0:
                                        for i in range(alive * setup["area"]):
                                            was_hit = was_hit or (hits_before >> living[i]) & 1 != 0
                                    if not last_turn_allows(
                                        setup["last_damage"] != 0, damaged_before, setup["last_defeat"] != 0,
                                        defeated_before, setup["last_hit"] != 0, was_hit,
                                    ):  # fmt: skip
                                        continue
                                passive_fails = setup["passive"] != 0 and attacked_before
                                owed = max(setup["charge"] - all_held[k], 0)
                            if play == GREEDY:
                                if not passive_fails:
                                    action = CHARGE if owed > 0 else ATTACK
                                    which = k
                                    break
                                waits = True
                            else:
                                table = (
                                    places[members[k]]["removal"] + 1 + min(channels[k], setup["levels"] - 1)
                                )
                                rate = activations[members[k]] * mean_removed(
                                    setup, True, removal, criticals, table, target, alive, living, hp,
                                    strike_class,
                                )  # fmt: skip
                                if passive_fails:
                                    rate /= owed + 2
                                elif owed > 0:
                                    rate /= owed + 1
                                if rate > best * (1 + TIE):
                                    best = rate
                                    which = k
                                    action = WAIT if passive_fails else CHARGE if owed > 0 else ATTACK
                        if play == GREEDY:
                            if action < 0:
                                action = WAIT if waits or unmet_waits else BASIC
                                which = 0
                        else:
                            for k in range(len(members)):
                                table = places[members[k]]["removal"]
                                rate = mean_removed(
                                    setups[members[k]], False, removal, criticals, table, target, alive,
                                    living, hp, strike_class,
                                )  # fmt: skip
                                if rate > best * (1 + TIE):
                                    best = rate
                                    which = k
                                    action = BASIC
                        if action == WAIT:
                            which = 0
                        actions[action, which] += 1
                        member = members[which]
                        (
                            strike_scope, hp_at_most, hp_full, hp_cost, activation, cooldown,
                            failed_attack, base_strikes, levels, condition, all_bleed_ticks, leech,
                            extra_limit, extra_single, double_tap, ricochet, explosive,
                            cluster, splinter_limit, triggered_feed, chain, first_only, area, area_limit,
                            area_single, rolls_natural, rolls_total, one_strike, strike_bits,
                            natural_bits, total_bits,
                        ) = _settings(setups[member])  # fmt: skip
                        place = places[member]
                        uses_left = all_uses[which]
                        channel = channels[which]
                    else:
                        usable = ungated or (
                            timing_allows(turn, first_turn, last_turn, ready, since_mask, since)
                            and state_allows(uses_left, attacker_hp, full_hp, hp_at_most, hp_full, hp_cost)
                        )
                        if not ungated and usable and held == 0:
                            was_hit = (hits_before >> target) & 1 != 0
                            if areas and last_hit:
                                for i in range(alive * area):
                                    was_hit = was_hit or (hits_before >> living[i]) & 1 != 0
                            usable = last_turn_allows(
                                last_damage, damaged_before, last_defeat, defeated_before, last_hit, was_hit
                            )
                        action = greedy_action(usable, passive and attacked_before, held, charge, unmet_waits)
                        held = held_after(held, action == CHARGE)

                    basic = action == BASIC
                    special = action == ATTACK
                    failed = False
                    if special:
                        if strike_scope != 0:
                            # Each strike will be an attempt.
                            failed = True
                        else:
                            uses_left = uses_after(uses_left)
                            ready = ready_after(turn, cooldown)
                            attacker_hp -= hp_cost
                            if several:
                                all_ready[which] = ready
                            if activation <= _LOW:
                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                special = np.int64(word & _LOW) < activation
                                failed = not special
                    strikes_left = np.int64(basic)
                    strikes_at = place["basic_strikes"]
                    grid_at = place["basic_grids"]
                    if special:
                        # Rows of tables are those of the classes, level by level.
                        row = classes * min(channel, levels - 1)
                        strikes_at = place["strikes"] + (row << strike_bits)
                        grid_at = place["grids"] + (row << (total_bits + natural_bits))
                        strikes_left = base_strikes
                    is_special = np.int64(special)
                    bleed_ticks = all_bleed_ticks * is_special
                    deals_damage = 1 - condition
                    strike_shift = 32 - strike_bits
                    strike_mask = (1 << strike_shift) - 1
                    if not plain:
                        natural_shift = 32 - natural_bits
                        natural_mask = (1 << natural_shift) - 1
                        total_shift = 32 - total_bits
                        total_mask = (1 << total_shift) - 1
                        # Dice of the basic attack stand first, then the attack's own.
                        naturals_at = place["naturals"] + (is_special << natural_bits)
                        totals_at = place["totals"] + (is_special << total_bits)

                    if singles and (area == 0 or not areas) and (basic or one_strike != 0):
                        # Most turns of most builds: one strike that triggers nothing.
                        if special or basic:
                            cell = (strike_class[target] << strike_bits) + (low >> strike_shift)
                            outcome = drawn(strikes[strikes_at + cell], low, strike_mask)
                            hits = ((outcome >> HIT_BIT) & 1) << target
                            damage = outcome & DAMAGE
                            if rich:
                                if exposes and condition == 0:
                                    damage, exposed[target] = exposed_to(
                                        outcome & HIT != 0, damage, exposed[target],
                                        setups[member]["vulnerable"] * is_special,
                                    )  # fmt: skip
                            damaged |= damage * deals_damage
                            if rich:
                                if leech > 0 and special:
                                    attacker_hp = healed(attacker_hp, full_hp, damage, leech)
                            hp[target], felled = strike(
                                kill_at[member, target] * is_special, hp[target], damage
                            )
                            if felled:
                                defeated = 1
                                unlisted = 1
                                alive -= 1
                            elif begins(bleed_ticks, damage, bleeding[target, 1], bleed_over):
                                bleeding[target, 0] = damage
                                bleeding[target, 1] = bleed_ticks
                                bleeding[target, 2] = turn
                                pending = True
                    elif not plain:
                        fresh = True
                        extras = 0
                        splinters = 0
                        links = chain
                        # Whether base strikes, this one or those after the first, set nothing else off.
                        quiet = False
                        first_base = True
                        while strikes_left > 0 and alive > 0:
                            if singles:
                                if (area == 0 or not areas) and hp[target] <= 0:
                                    break
                            strikes_left -= 1
                            centre = target
                            stage = BASE
                            feeding = 0
                            natural = 0
                            total = 0
                            critical = False
                            harmed = False
                            if rich:
                                quiet = first_only != 0 and not first_base

                            if areas and (area != 0 or not singles):
                                only = -1
                                if rich:
                                    if area_single != 0 and not first_base:
                                        only = living[0]
                                        if target_rule != FIRST:
                                            for i in range(1, alive):
                                                if goes_before(target_rule, hp[living[i]], hp[only]):
                                                    only = living[i]
                                landed = 0
                                source = -1  # the first enemy that was critically hit, and by which dice
                                source_natural = 0
                                source_total = 0
                                while True:
                                    lost = False
                                    if rich:
                                        if strike_scope != 0 and special:
                                            lost = not state_allows(
                                                uses_left, attacker_hp, full_hp, hp_at_most, hp_full, hp_cost
                                            )
                                            if not lost:
                                                uses_left = uses_after(uses_left)
                                                attacker_hp -= hp_cost
                                                if activation <= _LOW:
                                                    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                    lost = np.int64(word & _LOW) >= activation
                                                failed = failed and lost
                                    total = 0
                                    if rolls_total != 0 and not lost:
                                        if not fresh:
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            low = np.int64(word & _LOW)
                                        fresh = False
                                        total = drawn(
                                            totals[totals_at + (low >> total_shift)], low, total_mask
                                        )
                                    begin = 0
                                    stop = min(alive, area_limit)
                                    if only >= 0:
                                        while living[begin] != only:
                                            begin += 1
                                        stop = begin + 1
                                    if lost:
                                        stop = begin
                                    kept = begin
                                    for i in range(begin, stop):
                                        foe = living[i]
                                        natural = 0
                                        if rolls_natural != 0:
                                            # One word serves two targets, or one and its condition check.
                                            if condition != 0 or (i - begin) & 1 == 0:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            else:
                                                word >>= _HALF
                                            low = np.int64(word & _LOW)
                                            natural = drawn(
                                                naturals[naturals_at + (low >> natural_shift)],
                                                low,
                                                natural_mask,
                                            )
                                            if condition != 0:
                                                low = np.int64(word >> _HALF)
                                                total = drawn(
                                                    totals[totals_at + (low >> total_shift)], low, total_mask
                                                )
                                        cell = ((strike_class[foe] << total_bits) + total) << natural_bits
                                        outcome = np.int64(grids[grid_at + cell + natural])
                                        hits |= ((outcome >> HIT_BIT) & 1) << foe
                                        damage = outcome & DAMAGE
                                        if rich:
                                            if exposes and condition == 0:
                                                damage, exposed[foe] = exposed_to(
                                                    outcome & HIT != 0, damage, exposed[foe],
                                                    setups[member]["vulnerable"] * is_special,
                                                )  # fmt: skip
                                        damaged |= damage * deals_damage
                                        if (rich or extra_limit > 0) and stage == BASE:
                                            landed |= np.int64(damage > 0) << foe
                                        if rich:
                                            if leech > 0 and special:
                                                attacker_hp = healed(attacker_hp, full_hp, damage, leech)
                                            if stage == BASE and source < 0 and outcome & CRITICAL != 0:
                                                source = foe
                                                source_natural = natural
                                                source_total = total
                                        hp[foe], felled = strike(
                                            kill_at[member, foe] * is_special, hp[foe], damage
                                        )
                                        # No branch: among many small enemies a defeat is as likely as not.
                                        defeated |= np.int64(felled)
                                        if rich:
                                            if feeds_splinter(stage, triggered_feed != 0):
                                                feeding += np.int64(felled)
                                        if (
                                            begins(bleed_ticks, damage, bleeding[foe, 1], bleed_over)
                                            and not felled
                                        ):
                                            bleeding[foe, 0] = damage
                                            bleeding[foe, 1] = bleed_ticks
                                            bleeding[foe, 2] = turn
                                            pending = True
                                        living[kept] = foe
                                        kept += np.int64(not felled)
                                    if kept < stop:
                                        for i in range(stop, alive):
                                            living[kept] = living[i]
                                            kept += 1
                                    else:
                                        kept = alive
                                    alive = kept
                                    if not special or quiet or (only >= 0 and hp[only] <= 0):
                                        break
                                    stage = follow_up(
                                        stage, double_tap != 0, source >= 0, extra_limit - extras,
                                        landed != 0, alive > 0,
                                    )  # fmt: skip
                                    if stage > EXTRA:
                                        break
                                    if stage == EXTRA:
                                        if extra_single != 0:
                                            for i in range(alive - 1, -1, -1):
                                                if (landed >> living[i]) & 1 != 0:
                                                    only = living[i]
                                            if only < 0:
                                                break
                                        extras += 1
                                harmed = landed != 0
                                critical = source >= 0
                                stage = EXTRA
                                natural = source_natural
                                total = source_total
                                centre = source

                            first_base = False
                            if triggers:
                                # Strikes at one enemy: a base strike and its triggers, or an area's.
                                foe = target
                                bounces = 0
                                other = start
                                strikes_now = area == 0 or not areas
                                while True:
                                    if areas and not special:
                                        break
                                    if strikes_now:
                                        lost = False
                                        if rich:
                                            if strike_scope != 0 and stage != EXPLOSION:
                                                lost = not state_allows(
                                                    uses_left, attacker_hp, full_hp, hp_at_most, hp_full,
                                                    hp_cost,
                                                )  # fmt: skip
                                                if not lost:
                                                    uses_left = uses_after(uses_left)
                                                    attacker_hp -= hp_cost
                                                    if activation <= _LOW:
                                                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                        lost = np.int64(word & _LOW) >= activation
                                                    failed = failed and lost
                                        if lost:
                                            outcome = 0
                                        elif stage == EXPLOSION:
                                            cell = strike_class[foe] << (total_bits + natural_bits)
                                            cell += grid_at + natural
                                            if (
                                                condition != 0
                                                and grids[cell + (total << natural_bits)] & HIT != 0
                                            ):
                                                # The check is rolled for each enemy that the die hits.
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                low = np.int64(word & _LOW)
                                                total = drawn(
                                                    totals[totals_at + (low >> total_shift)], low, total_mask
                                                )
                                            outcome = np.int64(grids[cell + (total << natural_bits)])
                                        else:
                                            if not fresh or (areas and area != 0):
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                low = np.int64(word & _LOW)
                                            fresh = False
                                            if explosive != 0 and stage == BASE:
                                                natural = drawn(
                                                    naturals[naturals_at + (low >> natural_shift)],
                                                    low,
                                                    natural_mask,
                                                )
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                low = np.int64(word & _LOW)
                                                total = drawn(
                                                    totals[totals_at + (low >> total_shift)], low, total_mask
                                                )
                                                cell = (
                                                    (strike_class[foe] << total_bits) + total
                                                ) << natural_bits
                                                outcome = np.int64(grids[grid_at + cell + natural])
                                            else:
                                                cell = (strike_class[foe] << strike_bits) + (
                                                    low >> strike_shift
                                                )
                                                outcome = drawn(strikes[strikes_at + cell], low, strike_mask)
                                        hits |= ((outcome >> HIT_BIT) & 1) << foe
                                        damage = outcome & DAMAGE
                                        if rich:
                                            if exposes and condition == 0:
                                                damage, exposed[foe] = exposed_to(
                                                    outcome & HIT != 0, damage, exposed[foe],
                                                    setups[member]["vulnerable"] * is_special,
                                                )  # fmt: skip
                                        damaged |= damage * deals_damage
                                        if rich:
                                            if leech > 0:
                                                attacker_hp = healed(attacker_hp, full_hp, damage, leech)
                                        hp[foe], felled = strike(kill_at[member, foe], hp[foe], damage)
                                        if felled:
                                            defeated = 1
                                            unlisted = 1
                                            alive -= 1
                                            if feeds_splinter(stage, triggered_feed != 0):
                                                feeding += 1
                                        elif begins(bleed_ticks, damage, bleeding[foe, 1], bleed_over):
                                            bleeding[foe, 0] = damage
                                            bleeding[foe, 1] = bleed_ticks
                                            bleeding[foe, 2] = turn
                                            pending = True
                                        if stage == BASE:
                                            critical = outcome & CRITICAL != 0
                                            harmed = damage > 0
                                    strikes_now = True
                                    if quiet:
                                        break
                                    if stage < RICOCHET:
                                        stage = follow_up(
                                            stage, double_tap != 0, critical, extra_limit - extras, harmed,
                                            hp[target] > 0,
                                        )  # fmt: skip
                                        if stage < RICOCHET:
                                            extras += np.int64(stage == EXTRA)
                                            continue
                                    if stage == RICOCHET:
                                        if critical and bounces < ricochet:
                                            while other < end and (other == centre or hp[other] <= 0):
                                                other += 1
                                            if other < end:
                                                foe = other
                                                other += 1
                                                bounces += 1
                                                continue
                                        stage = EXPLOSION
                                        other = start
                                        bounces = 0
                                    if stage == EXPLOSION:
                                        if explosive != 0 and critical and bounces < cluster:
                                            while other < end and (other == centre or hp[other] <= 0):
                                                other += 1
                                            if other < end:
                                                foe = other
                                                other += 1
                                                bounces += 1
                                                continue
                                        stage = SPLINTER
                                    if feeding == 0 or splinters >= splinter_limit or alive == 0:
                                        break
                                    feeding -= 1
                                    splinters += 1
                                    foe = start
                                    while hp[foe] <= 0:
                                        foe += 1
                                    if target_rule != FIRST:
                                        for rival in range(foe + 1, end):
                                            if goes_before(target_rule, hp[rival], hp[foe]):
                                                foe = rival
                                if areas and area != 0 and unlisted > 0:
                                    unlisted = 0
                                    kept = 0
                                    for foe in range(start, end):
                                        if hp[foe] > 0:
                                            living[kept] = foe
                                            kept += 1
                            if rich:
                                # A strike of a chain that did damage allows the next, at no cost of others.
                                links -= 1
                                if harmed and links > 0 and special:
                                    strikes_left += 1
                                else:
                                    links = chain

                    # An attack is made if its attempt, or that of one strike at least, did not fail.
                    made = is_made(special, failed, failed_attack != 0)
                    attacked = made or basic
                    channel = channel_after(channel, made)
                    if several:
                        all_uses[which] = uses_left
                        for k in range(len(members)):
                            all_held[k] = held_after(all_held[k], action == CHARGE and k == which)
                            channels[k] = channel_after(channels[k], made and k == which)
                    if not plain:
                        if pending and not bleed_at_start:
                            ticks, defeats = tick_bleeds(turn, start, end, hp, bleeding)
                            damaged |= ticks
                            defeated |= defeats
                            alive -= defeats
                            unlisted += defeats
                        if areas and unlisted > 0:
                            kept = 0
                            for foe in range(start, end):
                                if hp[foe] > 0:
                                    living[kept] = foe
                                    kept += 1

                attacked_before = attacked
                damaged_before = damaged
                defeated_before = defeated
                hits_before = hits
                if alive == 0:
                    if wave == waves:
                        break
                    # The next wave stands there from the next turn on; nobody retaliates in between.
                    wave += 1
                    start = end
                    end = foes[start]["wave_end"]
                    first = start
                    alive = end - start
                    since = NOT_ATTACKED
                    if areas:
                        for i in range(alive):
                            living[i] = start + i
                    continue
                if cap == 0 or not (survived or hp_matters):
                    continue
                if one_retaliation_class:
                    code = drawn(
                        retaliation[min(cap, alive) - 1, high >> retaliation_shift], high, retaliation_mask
                    )
                    since = code >> 14
                    attacker_hp -= code & DAMAGE
                else:
                    since = 0
                    attackers = 0
                    for foe in range(start, end):
                        if hp[foe] > 0 and attackers < cap and (attacker_hp > 0 or not defeat_is_loss):
                            attackers += 1
                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                            low = np.int64(word & _LOW)
                            code = drawn(
                                retaliation[foes[foe]["retaliation_class"] * cap, low >> retaliation_shift],
                                low,
                                retaliation_mask,
                            )
                            since = max(since, code >> 14)
                            attacker_hp -= code & DAMAGE
                if attacker_hp <= 0:
                    survived = False
                    if defeat_is_loss:
                        counts[LOST] += 1
                        turn = max_turns
                        break
            histogram[turn] += 1
            if survived:
                counts[SURVIVED] += 1

    return fight_block


_plain = _specialised(singles=True)
_triggered = _specialised(singles=True, triggers=True)
_area = _specialised(areas=True)
_rich = _specialised(areas=True, singles=True, triggers=True, rich=True)
_loadout = _specialised(several=True, areas=True, singles=True, triggers=True, rich=True)
# By kind of plan; the last plays several attacks.
FIGHT_BLOCKS = (_plain, _triggered, _area, _rich, _loadout)


def _of_many(kind: int) -> Callable[..., None]:
    """The kernel of one kind for many loadouts, which Python calls. What nobody asks for is not compiled."""

    @njit(cache=True, nogil=True)
    def fight_loadouts(
        arsenal: Arsenal,
        loadouts: NDArray[np.int64],
        rows: NDArray[np.int64],
        play: int,
        states: NDArray[np.uint64],
        fights: NDArray[np.int64],
        histograms: NDArray[np.int64],
        counts: NDArray[np.int64],
        actions: NDArray[np.int64],
    ) -> None:
        """Add the results of these loadouts' fights to their histograms of turns, counts and actions.

        `states`: by loadout and block, where the generator starts; `fights`: how many a block has.
        """
        for i in rows:
            for block in range(len(fights)):
                own = (loadouts[i], play, states[i, block], fights[block])
                found = (histograms[i], counts[i], actions[i])
                if kind == PLAIN:
                    _plain(arsenal, *own, *found)
                if kind == TRIGGERED:
                    _triggered(arsenal, *own, *found)
                if kind == AREA:
                    _area(arsenal, *own, *found)
                if kind == RICH:
                    _rich(arsenal, *own, *found)
                if kind == LOADOUT:
                    _loadout(arsenal, *own, *found)

    return fight_loadouts


KERNELS = tuple(_of_many(kind) for kind in (PLAIN, TRIGGERED, AREA, RICH, LOADOUT))
