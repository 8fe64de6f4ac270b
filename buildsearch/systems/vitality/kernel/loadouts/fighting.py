"""The loadout kernel: many fights of some attacks from their random streams, with a choice each turn.

One function, the generator in locals, for the reasons that `kernel/fighting.py` gives (split into helpers
that take arrays, a turn took five to ten times as long); strikes, triggers, waves and retaliation are played
as there, and draw the same words. What differs: each turn an attack of the loadout is chosen, and the
settings of that attack are read. Nothing is drawn for the choice.

Greedy play takes the first attack that can attack or charge. Looking ahead takes the action that removes the
most HP for each turn that it takes, as `best_play/lookahead.py` says in plain Python.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.xoshiro import next_word
from buildsearch.systems.vitality.kernel.content import WORDS, digest_into, stream_into
from buildsearch.systems.vitality.kernel.fighting import drawn, holds, tick_bleeds
from buildsearch.systems.vitality.kernel.loadouts.arms import Arms
from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, DAMAGE, HIT, HIT_BIT
from buildsearch.systems.vitality.kernel.plan import NOT_ATTACKED, WAITS_ALONE
from buildsearch.systems.vitality.results import LOST, SURVIVED, TIMED_OUT

# Bump when the same attacks are played differently.
LOADOUT_VERSION = 1
# What can be done with a turn, the first index of the counts of actions.
WAIT, BASIC, CHARGE, ATTACK = range(4)
ACTIONS = 4
GREEDY, LOOKAHEAD = range(2)
# Rates that differ by no more are equal: two ways to add up the same numbers may differ in the last bits.
TIE = 1e-12

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
# The order in which one base strike and all that it triggers are resolved.
_BASE, _DOUBLE_TAP, _EXTRA, _RICOCHET, _EXPLOSION, _SPLINTER = range(6)


@njit(cache=True, nogil=True)
def mean_removed(
    setups: NDArray[np.void],
    places: NDArray[np.void],
    worth: NDArray[np.float64],
    criticals: NDArray[np.float64],
    member: int,
    row: int,
    width: int,
    target: int,
    alive: int,
    living: NDArray[np.int64],
    hp: NDArray[np.int64],
    strike_class: NDArray[np.int64],
) -> float:
    """HP that one attempt takes on average from those who stand there; of the basic attack in row 0."""
    setup = setups[member]
    at = places[member]["worth"]
    from_target = 0
    to_target = 1
    area = setup["area"] != 0
    if area:
        to_target = min(alive, setup["area_limit"])
    reached = 0
    if row > 0:
        reached = setup["cluster"] if setup["explosive"] != 0 else setup["ricochet"]
    total = 0.0
    for i in range(from_target, to_target):
        foe = living[i] if area else target
        own = row + strike_class[foe]
        total += worth[at + 2 * (own * width + hp[foe])]
        if reached > 0:
            critical = criticals[places[member]["criticals"] + own]
            others = 0
            for j in range(alive):
                other = living[j]
                if other != foe and others < reached:
                    others += 1
                    place = at + 2 * ((row + strike_class[other]) * width + hp[other])
                    total += critical * worth[place + 1]
    return total


@njit(cache=True, nogil=True)
def fight_loadouts(
    arms: Arms,
    loadouts: NDArray[np.int64],
    play: int,
    states: NDArray[np.uint64],
    fights: NDArray[np.int64],
    histograms: NDArray[np.int64],
    all_counts: NDArray[np.int64],
    all_actions: NDArray[np.int64],
) -> None:
    """Add the results of each loadout's fights to its histogram of turns, its counts and its actions.

    `states`: by loadout and block, where the generator starts; `fights`: how many a block has.
    """
    # Everything in locals: reading an array out of a tuple counts references.
    setups = arms.setups
    places = arms.places
    foes = arms.foes
    kill_at = arms.kill_at
    strikes = arms.strikes
    grids = arms.grids
    naturals = arms.naturals
    totals = arms.totals
    retaliation = arms.retaliation
    worth = arms.worth
    criticals = arms.criticals
    activations = arms.activation
    plan = arms.fight[0]
    max_turns = plan["max_turns"]
    waves = plan["waves"]
    full_hp = plan["attacker_hp"]
    defeat_is_loss = plan["defeat_is_loss"] != 0
    target_rule = plan["target_rule"]
    classes = plan["classes"]
    cap = plan["retaliation_cap"]
    retaliation_shift = 32 - plan["retaliation_bits"]
    retaliation_mask = (1 << retaliation_shift) - 1
    one_retaliation_class = plan["one_retaliation_class"] != 0
    size = loadouts.shape[1]
    hp = np.zeros(len(foes), np.int64)
    living = np.zeros(len(foes), np.int64)  # of the wave, in order
    bleeding = np.zeros((len(foes), 3), np.int64)  # damage, ticks left, turn on which it began
    max_hps = np.zeros(len(foes), np.int64)
    strike_class = np.zeros(len(foes), np.int64)
    width = np.int64(1)
    for foe in range(len(foes)):
        max_hps[foe] = foes[foe]["max_hp"]
        strike_class[foe] = foes[foe]["strike_class"]
        width = max(width, max_hps[foe] + 1)
    held = np.zeros(size, np.int64)
    ready = np.zeros(size, np.int64)
    uses_left = np.zeros(size, np.int64)
    channels = np.zeros(size, np.int64)

    for number in range(len(loadouts)):
        members = loadouts[number]
        histogram = histograms[number]
        counts = all_counts[number]
        actions = all_actions[number]
        unmet = setups[members[0]]["unmet_waits"]
        unmet_waits = unmet != 0 and (unmet != WAITS_ALONE or size == 1)
        hp_matters = False
        bleed_at_start = False
        bleed_over = 0
        for k in range(size):
            setup = setups[members[k]]
            hp_matters = hp_matters or setup["hp_matters"] != 0
            bleed_at_start = bleed_at_start or setup["bleed_at_start"] != 0
            # A bleed may begin while so many ticks of another are to come.
            bleed_over = max(bleed_over, setup["bleed_ticks"] * setup["bleed_replaces"])

        for block in range(len(fights)):
            s0 = states[number, block, 0]
            s1 = states[number, block, 1]
            s2 = states[number, block, 2]
            s3 = states[number, block, 3]
            for _ in range(fights[block]):
                start = 0
                end = foes[0]["wave_end"]
                wave = 1
                for foe in range(len(hp)):
                    hp[foe] = max_hps[foe]
                    bleeding[foe, 1] = 0
                    living[foe] = foe
                for k in range(size):
                    held[k] = 0
                    ready[k] = 0
                    uses_left[k] = setups[members[k]]["uses"]
                    channels[k] = 0
                alive = end - start
                first = start
                attacker_hp = full_hp
                survived = True
                since = NOT_ATTACKED
                attacked_before = False
                damaged_before = 0
                defeated_before = 0
                hits_before = 0
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

                    if pending and bleed_at_start:
                        ticks, defeats = tick_bleeds(turn, start, end, hp, bleeding)
                        damaged = ticks
                        defeated = defeats
                        alive -= defeats
                        if defeats > 0:
                            kept = 0
                            for foe in range(start, end):
                                if hp[foe] > 0:
                                    living[kept] = foe
                                    kept += 1

                    if alive == 0:
                        # Bleeds felled the wave before the attacker acts: charges and channels are lost.
                        for k in range(size):
                            held[k] = 0
                            channels[k] = 0
                    else:
                        # Whom a single-target attack would go at.
                        while hp[first] <= 0:
                            first += 1
                        target = first
                        if target_rule != 0:
                            for foe in range(first + 1, end):
                                if hp[foe] > 0 and (
                                    (target_rule == 1 and hp[foe] < hp[target])
                                    or (target_rule == 2 and hp[foe] > hp[target])
                                ):
                                    target = foe

                        # What to do.
                        kind = -1
                        which = 0
                        waits = False
                        best = -1.0
                        for k in range(size):
                            setup = setups[members[k]]
                            passive_fails = False
                            owed = 0
                            if setup["ungated"] == 0:
                                if not (
                                    turn >= setup["first_turn"]
                                    and turn <= setup["last_turn"]
                                    and turn >= ready[k]
                                    and uses_left[k] != 0
                                    and attacker_hp <= setup["hp_at_most"]
                                    and (setup["hp_full"] == 0 or attacker_hp == full_hp)
                                    and (setup["hp_cost"] == 0 or attacker_hp > setup["hp_cost"])
                                    and (setup["since_mask"] >> since) & 1 != 0
                                ):
                                    continue
                                if held[k] == 0:
                                    if setup["last_damage"] != 0 and damaged_before == 0:
                                        continue
                                    if setup["last_defeat"] != 0 and defeated_before == 0:
                                        continue
                                    if setup["last_hit"] != 0:
                                        some = (hits_before >> target) & 1 != 0
                                        if setup["area"] != 0:
                                            for i in range(alive):
                                                some = some or (hits_before >> living[i]) & 1 != 0
                                        if not some:
                                            continue
                                passive_fails = setup["passive"] != 0 and attacked_before
                                owed = max(setup["charge"] - held[k], 0)
                            if play == GREEDY:
                                if not passive_fails:
                                    kind = CHARGE if owed > 0 else ATTACK
                                    which = k
                                    break
                                waits = True
                            else:
                                row = classes * (1 + min(channels[k], setup["levels"] - 1))
                                rate = activations[members[k]] * mean_removed(
                                    setups, places, worth, criticals, members[k], row, width, target, alive,
                                    living, hp, strike_class,
                                )  # fmt: skip
                                if passive_fails:
                                    rate /= owed + 2
                                elif owed > 0:
                                    rate /= owed + 1
                                if rate > best * (1 + TIE):
                                    best = rate
                                    which = k
                                    kind = WAIT if passive_fails else CHARGE if owed > 0 else ATTACK
                        if play == GREEDY:
                            if kind < 0:
                                kind = WAIT if waits or unmet_waits else BASIC
                        else:
                            for k in range(size):
                                rate = mean_removed(
                                    setups, places, worth, criticals, members[k], np.int64(0), width, target,
                                    alive,
                                    living, hp, strike_class,
                                )  # fmt: skip
                                if rate > best * (1 + TIE):
                                    best = rate
                                    which = k
                                    kind = BASIC
                        if kind == WAIT:
                            which = 0
                        actions[kind, which] += 1

                        # The attack that was chosen, and how it strikes.
                        member = members[which]
                        setup = setups[member]
                        special = kind == ATTACK
                        basic = kind == BASIC
                        leech = setup["leech"] if special else 0
                        failed = False
                        strike_scope = special and setup["strike_scope"] != 0
                        hp_at_most = setup["hp_at_most"]
                        hp_full = setup["hp_full"]
                        hp_cost = setup["hp_cost"]
                        activation = setup["activation"]
                        if strike_scope:
                            # Each strike will be an attempt.
                            failed = True
                        elif special:
                            if uses_left[which] > 0:
                                uses_left[which] -= 1
                            ready[which] = turn + setup["cooldown"] + 1
                            attacker_hp -= hp_cost
                            if activation <= _LOW:
                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                special = np.int64(word & _LOW) < activation
                                failed = not special
                        row = 0
                        strikes_left = np.int64(basic)
                        if special:
                            row = classes * (1 + min(channels[which], setup["levels"] - 1))
                            strikes_left = setup["strikes"]
                        for k in range(size):
                            # Every attempt spends a charge, and what does not go on with it loses it.
                            held[k] = held[k] + 1 if kind == CHARGE and k == which else 0
                        is_special = np.int64(special)
                        bleed_ticks = setup["bleed_ticks"] * is_special
                        deals_damage = 1 - setup["condition"]
                        condition = setup["condition"] != 0
                        extra_limit = setup["extra_limit"]
                        extra_single = setup["extra_single"] != 0
                        double_tap = setup["double_tap"] != 0
                        ricochet = setup["ricochet"]
                        explosive = setup["explosive"] != 0
                        cluster = setup["cluster"]
                        splinter_limit = setup["splinter_limit"]
                        triggered_feed = setup["triggered_feed"] != 0
                        chain = setup["chain"]
                        strike_bits = setup["strike_bits"]
                        strike_shift = 32 - strike_bits
                        strike_mask = (1 << strike_shift) - 1
                        natural_bits = setup["natural_bits"]
                        natural_shift = 32 - natural_bits
                        natural_mask = (1 << natural_shift) - 1
                        total_bits = setup["total_bits"]
                        total_shift = 32 - total_bits
                        total_mask = (1 << total_shift) - 1
                        place = places[member]
                        strikes_at = place["strikes"] + (row << strike_bits)
                        grid_at = place["grid"] + (row << (total_bits + natural_bits))
                        # Dice of the basic attack stand first, then the attack's own.
                        naturals_at = place["naturals"] + (is_special << natural_bits)
                        totals_at = place["totals"] + (is_special << total_bits)
                        fresh = True
                        extras = 0
                        splinters = 0
                        links = chain
                        # Whether base strikes after the first set nothing else off.
                        quiet = False
                        first_base = True

                        if setup["area"] != 0:
                            rolls_natural = setup["rolls_natural"] != 0
                            rolls_total = setup["rolls_total"] != 0
                            area_limit = setup["area_limit"]
                            while strikes_left > 0 and alive > 0:
                                strikes_left -= 1
                                only = -1
                                if not first_base:
                                    quiet = setup["first_only"] != 0
                                    if setup["area_single"] != 0:
                                        only = living[0]
                                        if target_rule != 0:
                                            for i in range(1, alive):
                                                if (target_rule == 1 and hp[living[i]] < hp[only]) or (
                                                    target_rule == 2 and hp[living[i]] > hp[only]
                                                ):
                                                    only = living[i]
                                first_base = False
                                stage = _BASE
                                feeding = 0
                                landed = 0
                                source = -1  # the first enemy that was critically hit, and by which dice
                                source_natural = 0
                                source_total = 0
                                while True:
                                    lost = False
                                    if strike_scope:
                                        lost = not holds(
                                            uses_left[which],
                                            attacker_hp,
                                            hp_at_most,
                                            hp_full,
                                            full_hp,
                                            hp_cost,
                                        )
                                        if not lost:
                                            if uses_left[which] > 0:
                                                uses_left[which] -= 1
                                            attacker_hp -= hp_cost
                                            if activation <= _LOW:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                lost = np.int64(word & _LOW) >= activation
                                            failed = failed and lost
                                    total = 0
                                    if rolls_total and not lost:
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
                                        if rolls_natural:
                                            # One word serves two targets, or one and its condition check.
                                            if condition or (i - begin) & 1 == 0:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            else:
                                                word >>= _HALF
                                            low = np.int64(word & _LOW)
                                            natural = drawn(
                                                naturals[naturals_at + (low >> natural_shift)],
                                                low,
                                                natural_mask,
                                            )
                                            if condition:
                                                low = np.int64(word >> _HALF)
                                                total = drawn(
                                                    totals[totals_at + (low >> total_shift)], low, total_mask
                                                )
                                        cell = (
                                            ((strike_class[foe] << total_bits) + total) << natural_bits
                                        ) + natural
                                        outcome = np.int64(grids[grid_at + cell])
                                        hits |= ((outcome >> HIT_BIT) & 1) << foe
                                        damage = outcome & DAMAGE
                                        damaged |= damage * deals_damage
                                        if leech > 0 and special:
                                            attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                        if stage == _BASE:
                                            landed |= np.int64(damage > 0) << foe
                                            if source < 0 and outcome & CRITICAL != 0:
                                                source = foe
                                                source_natural = natural
                                                source_total = total
                                        left = hp[foe] - damage
                                        down = np.int64(left <= kill_at[member, foe] * is_special) & np.int64(
                                            damage > 0
                                        )
                                        left *= 1 - down
                                        defeated |= down
                                        if stage == _BASE or triggered_feed:
                                            feeding += down
                                        if (
                                            bleed_ticks > 0
                                            and damage > 0
                                            and left > 0
                                            and bleeding[foe, 1] <= bleed_over
                                        ):
                                            bleeding[foe, 0] = damage
                                            bleeding[foe, 1] = bleed_ticks
                                            bleeding[foe, 2] = turn
                                            pending = True
                                        hp[foe] = left
                                        living[kept] = foe
                                        kept += np.int64(left > 0)
                                    if kept < stop:
                                        for i in range(stop, alive):
                                            living[kept] = living[i]
                                            kept += 1
                                    else:
                                        kept = alive
                                    alive = kept
                                    if not special or quiet:
                                        break
                                    if only >= 0 and hp[only] <= 0:
                                        break
                                    if stage == _BASE:
                                        stage = _DOUBLE_TAP
                                        if double_tap and source >= 0 and alive > 0:
                                            continue
                                    if stage == _DOUBLE_TAP:
                                        stage = _EXTRA
                                        if landed != 0 and extras < extra_limit and alive > 0:
                                            if extra_single:
                                                for i in range(alive - 1, -1, -1):
                                                    if (landed >> living[i]) & 1 != 0:
                                                        only = living[i]
                                            if only >= 0 or not extra_single:
                                                extras += 1
                                                continue
                                    break
                                if special:
                                    # What else the area sets off: strikes at one enemy after another.
                                    stage = _RICOCHET
                                    other = start
                                    bounces = 0
                                    while not quiet:
                                        foe = -1
                                        if stage == _RICOCHET:
                                            if source >= 0 and bounces < ricochet:
                                                while other < end and (other == source or hp[other] <= 0):
                                                    other += 1
                                                if other < end:
                                                    foe = other
                                                    other += 1
                                                    bounces += 1
                                            if foe < 0:
                                                stage = _EXPLOSION
                                                other = start
                                                bounces = 0
                                        if stage == _EXPLOSION:
                                            if source >= 0 and explosive and bounces < cluster:
                                                while other < end and (other == source or hp[other] <= 0):
                                                    other += 1
                                                if other < end:
                                                    foe = other
                                                    other += 1
                                                    bounces += 1
                                            if foe < 0:
                                                stage = _SPLINTER
                                        if stage == _SPLINTER:
                                            if not (feeding > 0 and splinters < splinter_limit and alive > 0):
                                                break
                                            feeding -= 1
                                            splinters += 1
                                            foe = start
                                            while hp[foe] <= 0:
                                                foe += 1
                                            if target_rule != 0:
                                                for rival in range(foe + 1, end):
                                                    if hp[rival] > 0 and (
                                                        (target_rule == 1 and hp[rival] < hp[foe])
                                                        or (target_rule == 2 and hp[rival] > hp[foe])
                                                    ):
                                                        foe = rival
                                        if stage == _EXPLOSION:
                                            cell = (
                                                strike_class[foe] << (total_bits + natural_bits)
                                            ) + source_natural
                                            total = source_total
                                            reached = grids[grid_at + cell + (total << natural_bits)]
                                            if condition and reached & HIT != 0:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                low = np.int64(word & _LOW)
                                                total = drawn(
                                                    totals[totals_at + (low >> total_shift)], low, total_mask
                                                )
                                            outcome = np.int64(
                                                grids[grid_at + cell + (total << natural_bits)]
                                            )
                                        else:
                                            lost = False
                                            if strike_scope:
                                                lost = not holds(
                                                    uses_left[which],
                                                    attacker_hp,
                                                    hp_at_most,
                                                    hp_full,
                                                    full_hp,
                                                    hp_cost,
                                                )
                                                if not lost:
                                                    if uses_left[which] > 0:
                                                        uses_left[which] -= 1
                                                    attacker_hp -= hp_cost
                                                    if activation <= _LOW:
                                                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                        lost = np.int64(word & _LOW) >= activation
                                                    failed = failed and lost
                                            outcome = 0
                                            if not lost:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                low = np.int64(word & _LOW)
                                                cell = strikes_at + (strike_class[foe] << strike_bits)
                                                cell += low >> strike_shift
                                                outcome = drawn(strikes[cell], low, strike_mask)
                                        hits |= ((outcome >> HIT_BIT) & 1) << foe
                                        damage = outcome & DAMAGE
                                        damaged |= damage * deals_damage
                                        if leech > 0:
                                            attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                        left = hp[foe] - damage
                                        if left <= kill_at[member, foe] and damage > 0:
                                            left = 0
                                            defeated = 1
                                            alive -= 1
                                            if triggered_feed:
                                                feeding += 1
                                        elif (
                                            bleed_ticks > 0 and damage > 0 and bleeding[foe, 1] <= bleed_over
                                        ):
                                            bleeding[foe, 0] = damage
                                            bleeding[foe, 1] = bleed_ticks
                                            bleeding[foe, 2] = turn
                                            pending = True
                                        hp[foe] = left
                                    kept = 0
                                    for foe in range(start, end):
                                        if hp[foe] > 0:
                                            living[kept] = foe
                                            kept += 1
                                    # A strike of a chain that did damage allows the next one for nothing.
                                    links -= 1
                                    if landed != 0 and links > 0:
                                        strikes_left += 1
                                    else:
                                        links = chain
                        elif basic or setup["one_strike"] != 0:
                            # One strike that triggers nothing.
                            if special or basic:
                                cell = (strike_class[target] << strike_bits) + (low >> strike_shift)
                                outcome = drawn(strikes[strikes_at + cell], low, strike_mask)
                                hits = ((outcome >> HIT_BIT) & 1) << target
                                damage = outcome & DAMAGE
                                damaged |= damage * deals_damage
                                if leech > 0:
                                    attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                left = hp[target] - damage
                                if left <= kill_at[member, target] * is_special and damage > 0:
                                    left = 0
                                    defeated = 1
                                    alive -= 1
                                elif bleed_ticks > 0 and damage > 0 and bleeding[target, 1] <= bleed_over:
                                    bleeding[target, 0] = damage
                                    bleeding[target, 1] = bleed_ticks
                                    bleeding[target, 2] = turn
                                    pending = True
                                hp[target] = left
                        else:
                            while strikes_left > 0 and hp[target] > 0:
                                strikes_left -= 1
                                stage = _BASE
                                foe = target
                                feeding = 0
                                is_critical = False
                                did_damage = False
                                bounces = 0
                                other = start
                                natural = 0
                                total = 0
                                quiet = setup["first_only"] != 0 and not first_base
                                first_base = False
                                while True:
                                    lost = False
                                    if strike_scope and stage != _EXPLOSION:
                                        lost = not holds(
                                            uses_left[which],
                                            attacker_hp,
                                            hp_at_most,
                                            hp_full,
                                            full_hp,
                                            hp_cost,
                                        )
                                        if not lost:
                                            if uses_left[which] > 0:
                                                uses_left[which] -= 1
                                            attacker_hp -= hp_cost
                                            if activation <= _LOW:
                                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                lost = np.int64(word & _LOW) >= activation
                                            failed = failed and lost
                                    if lost:
                                        outcome = 0
                                    elif stage == _EXPLOSION:
                                        cell = (strike_class[foe] << (total_bits + natural_bits)) + natural
                                        reached = grids[grid_at + cell + (total << natural_bits)]
                                        if condition and reached & HIT != 0:
                                            # The check is rolled for each enemy whom the critical's die hits.
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            low = np.int64(word & _LOW)
                                            total = drawn(
                                                totals[totals_at + (low >> total_shift)], low, total_mask
                                            )
                                        outcome = np.int64(grids[grid_at + cell + (total << natural_bits)])
                                    else:
                                        if not fresh:
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            low = np.int64(word & _LOW)
                                        fresh = False
                                        if explosive and stage == _BASE:
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
                                                ((strike_class[foe] << total_bits) + total) << natural_bits
                                            ) + natural
                                            outcome = np.int64(grids[grid_at + cell])
                                        else:
                                            cell = (strike_class[foe] << strike_bits) + (low >> strike_shift)
                                            outcome = drawn(strikes[strikes_at + cell], low, strike_mask)
                                    hits |= ((outcome >> HIT_BIT) & 1) << foe
                                    damage = outcome & DAMAGE
                                    damaged |= damage * deals_damage
                                    if leech > 0:
                                        attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                    left = hp[foe] - damage
                                    if left <= kill_at[member, foe] and damage > 0:
                                        left = 0
                                        defeated = 1
                                        alive -= 1
                                        if stage == _BASE or triggered_feed:
                                            feeding += 1
                                    elif bleed_ticks > 0 and damage > 0 and bleeding[foe, 1] <= bleed_over:
                                        bleeding[foe, 0] = damage
                                        bleeding[foe, 1] = bleed_ticks
                                        bleeding[foe, 2] = turn
                                        pending = True
                                    hp[foe] = left
                                    if stage == _BASE:
                                        is_critical = outcome & CRITICAL != 0
                                        did_damage = damage > 0
                                        if quiet:
                                            break
                                        stage = _DOUBLE_TAP
                                        if double_tap and is_critical and hp[target] > 0:
                                            continue
                                    if stage == _DOUBLE_TAP:
                                        stage = _EXTRA
                                        if did_damage and extras < extra_limit and hp[target] > 0:
                                            extras += 1
                                            continue
                                    if stage == _EXTRA:
                                        stage = _RICOCHET
                                        other = start
                                    if stage == _RICOCHET:
                                        if is_critical and bounces < ricochet:
                                            while other < end and (other == target or hp[other] <= 0):
                                                other += 1
                                            if other < end:
                                                foe = other
                                                other += 1
                                                bounces += 1
                                                continue
                                        stage = _EXPLOSION
                                        other = start
                                        bounces = 0
                                    if stage == _EXPLOSION:
                                        if explosive and is_critical and bounces < cluster:
                                            while other < end and (other == target or hp[other] <= 0):
                                                other += 1
                                            if other < end:
                                                foe = other
                                                other += 1
                                                bounces += 1
                                                continue
                                        stage = _SPLINTER
                                    if feeding > 0 and splinters < splinter_limit and alive > 0:
                                        feeding -= 1
                                        splinters += 1
                                        foe = start
                                        while hp[foe] <= 0:
                                            foe += 1
                                        if target_rule != 0:
                                            for rival in range(foe + 1, end):
                                                if hp[rival] > 0 and (
                                                    (target_rule == 1 and hp[rival] < hp[foe])
                                                    or (target_rule == 2 and hp[rival] > hp[foe])
                                                ):
                                                    foe = rival
                                        continue
                                    break
                                links -= 1
                                if did_damage and links > 0:
                                    strikes_left += 1
                                else:
                                    links = chain

                        # An attack is made if its attempt, or that of one strike at least, did not fail.
                        made = special or failed
                        if failed and setup["failed_attack"] == 0:
                            made = False
                        for k in range(size):
                            channels[k] = channels[k] + 1 if made and k == which else 0
                        attacked = made or basic
                        if pending and not bleed_at_start:
                            ticks, defeats = tick_bleeds(turn, start, end, hp, bleeding)
                            damaged |= ticks
                            defeated |= defeats
                            alive -= defeats
                        if defeated > 0:
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
                        for i in range(alive):
                            living[i] = start + i
                        continue
                    if cap == 0 or not (survived or hp_matters):
                        continue
                    if one_retaliation_class:
                        code = drawn(
                            retaliation[min(cap, alive) - 1, high >> retaliation_shift],
                            high,
                            retaliation_mask,
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
                                    retaliation[
                                        foes[foe]["retaliation_class"] * cap, low >> retaliation_shift
                                    ],
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


@njit(cache=True, nogil=True)
def loadout_content(
    header: NDArray[np.uint64],
    contents: NDArray[np.uint64],
    members: NDArray[np.int64],
    play: int,
    digest: NDArray[np.uint64],
) -> None:
    """What the streams of a loadout start from: its attacks in order, who decides, and the retaliation."""
    size = len(members)
    words = np.zeros(len(header) + 3 + WORDS * size, np.uint64)
    at = len(header)
    for i in range(at):
        words[i] = header[i]
    words[at] = np.uint64(LOADOUT_VERSION)
    words[at + 1] = np.uint64(play)
    words[at + 2] = np.uint64(size)
    at += 3
    for k in range(size):
        for j in range(WORDS):
            words[at + WORDS * k + j] = contents[members[k], j]
    digest_into(words, digest)


@njit(cache=True, nogil=True)
def fill_states(
    header: NDArray[np.uint64],
    contents: NDArray[np.uint64],
    loadouts: NDArray[np.int64],
    play: int,
    seed: NDArray[np.uint64],
    first_block: int,
    states: NDArray[np.uint64],
) -> None:
    """Where the generator starts: by loadout and block, from the first block on."""
    content = np.zeros(WORDS, np.uint64)
    for i in range(len(loadouts)):
        loadout_content(header, contents, loadouts[i], play, content)
        for block in range(states.shape[1]):
            stream_into(seed, content, first_block + block, states[i, block])
