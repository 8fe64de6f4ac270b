"""The fight kernel: many fights of one plan from one random stream.

One function on purpose, with the generator in locals: split into helpers it runs at half speed when numba
loads it from its cache, and an inlined helper that takes arrays counts references in the hot loop, which
costs as much again. That is why the few lines that apply damage stand here three times. Turn and strike
follow the sections "A turn", "The attacker's action", "An attack" and "More than one strike" of the reading.

Randomness: each turn draws one word. Its low half decides the first strike, its high half the retaliation.
Every further decision (activation, other strikes, dice that several enemies share) draws a word of its own
and uses the low half; the targets of an area take both halves in turn. Strikes at one enemy that an area sets
off always draw.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value"

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.xoshiro import next_word
from buildsearch.systems.vitality.kernel.content import WORDS, stream_into
from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, DAMAGE, HIT, HIT_BIT
from buildsearch.systems.vitality.kernel.pack import Pack
from buildsearch.systems.vitality.kernel.plan import AREA, NOT_ATTACKED, PLAIN, RICH, TRIGGERED
from buildsearch.systems.vitality.results import LOST, SURVIVED, TIMED_OUT

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
# The order in which one base strike and all that it triggers are resolved.
_BASE, _DOUBLE_TAP, _EXTRA, _RICOCHET, _EXPLOSION, _SPLINTER = range(6)


@njit(inline="always")
def drawn(entry: int, bits: int, mask: int) -> int:
    """The outcome that an alias entry gives for 32 random bits.

    Without a branch: the comparison is a coin toss that no processor predicts.
    """
    return (entry >> (16 * np.int64((bits & mask) >= (entry >> 32)))) & 0xFFFF


@njit(inline="always")
def holds(uses_left: int, hp: int, at_most: int, needs_full: int, full_hp: int, cost: int) -> bool:
    """Whether limits that strikes can change in mid-action hold, for a strike that is asked by itself."""
    return (
        uses_left != 0 and hp <= at_most and (needs_full == 0 or hp == full_hp) and (cost == 0 or hp > cost)
    )


@njit(cache=True, nogil=True)
def tick_bleeds(
    turn: int, start: int, end: int, hp: NDArray[np.int64], bleeding: NDArray[np.int64]
) -> tuple[int, int]:
    """Deal the bleeds that began on an earlier turn: how many ticked and how many of those defeated."""
    ticks = 0
    defeats = 0
    for foe in range(start, end):
        if hp[foe] > 0 and bleeding[foe, 1] > 0 and bleeding[foe, 2] < turn:
            bleeding[foe, 1] -= 1
            ticks += 1
            hp[foe] -= bleeding[foe, 0]
            if hp[foe] <= 0:
                hp[foe] = 0
                defeats += 1
    return ticks, defeats


def _specialised(kind: int) -> Callable[..., None]:
    """The kernel compiled for one kind of plan; what the kind rules out is not even looked at."""

    @njit(cache=True, nogil=True)
    def fight_block(
        setup: NDArray[np.void],
        foes: NDArray[np.void],
        strikes: NDArray[np.int64],
        grid: NDArray[np.uint16],
        naturals: NDArray[np.int64],
        totals: NDArray[np.int64],
        retaliation: NDArray[np.int64],
        state: NDArray[np.uint64],
        fights: int,
        histogram: NDArray[np.int64],
        counts: NDArray[np.int64],
    ) -> None:
        """Add the results of so many fights to a histogram of turns and to the counts."""
        plan = setup[0]
        max_turns = plan["max_turns"]
        waves = plan["waves"]
        full_hp = plan["attacker_hp"]
        defeat_is_loss = plan["defeat_is_loss"] != 0
        target_rule = 0 if kind == PLAIN else plan["target_rule"]
        classes = plan["classes"]
        condition = plan["condition"] != 0
        deals_damage = 1 - plan["condition"]
        # What only rich plans have is constant elsewhere, so that compilers drop it there.
        rich = kind == RICH
        area = plan["area"] != 0 if kind == RICH else kind == AREA
        chain = plan["chain"] if kind == RICH else 0
        leech = plan["leech"] if kind == RICH else 0
        hp_cost = plan["hp_cost"] if kind == RICH else 0
        strike_scope = plan["strike_scope"] != 0 if kind == RICH else False
        first_only = plan["first_only"] != 0 if kind == RICH else False
        area_single = plan["area_single"] != 0 if kind == RICH else False
        failed_attack = plan["failed_attack"] != 0 if kind == RICH else False
        area_limit = plan["area_limit"]
        base_strikes = plan["strikes"]
        extra_limit = plan["extra_limit"]
        extra_single = plan["extra_single"] != 0
        double_tap = plan["double_tap"] != 0
        ricochet = plan["ricochet"]
        explosive = plan["explosive"] != 0
        cluster = plan["cluster"]
        splinter_limit = plan["splinter_limit"]
        triggered_feed = plan["triggered_feed"] != 0
        all_bleed_ticks = 0 if kind == PLAIN else plan["bleed_ticks"]
        bleed_at_start = plan["bleed_at_start"] != 0
        # A bleed may begin while so many ticks of another are to come.
        bleed_over = plan["bleed_ticks"] * plan["bleed_replaces"]
        top_level = plan["levels"] - 1
        unmet_waits = plan["unmet_waits"] != 0
        first_turn = plan["first_turn"]
        last_turn = plan["last_turn"]
        uses = plan["uses"]
        cooldown = plan["cooldown"]
        charge = plan["charge"]
        activation = plan["activation"]
        hp_at_most = plan["hp_at_most"]
        hp_full = plan["hp_full"]
        since_mask = plan["since_mask"]
        passive = plan["passive"] != 0
        last_hit = plan["last_hit"] != 0
        last_damage = plan["last_damage"] != 0
        last_defeat = plan["last_defeat"] != 0
        strike_shift = 32 - plan["strike_bits"]
        strike_mask = (1 << strike_shift) - 1
        natural_shift = 32 - plan["natural_bits"]
        natural_mask = (1 << natural_shift) - 1
        total_shift = 32 - plan["total_bits"]
        total_mask = (1 << total_shift) - 1
        retaliation_shift = 32 - plan["retaliation_bits"]
        retaliation_mask = (1 << retaliation_shift) - 1
        cap = plan["retaliation_cap"]
        one_retaliation_class = kind == PLAIN or plan["one_retaliation_class"] != 0
        hp_matters = plan["hp_matters"] != 0
        rolls_natural = plan["rolls_natural"] != 0
        rolls_total = plan["rolls_total"] != 0
        ungated = plan["ungated"] != 0
        one_strike = kind == PLAIN or plan["one_strike"] != 0

        s0 = state[0]
        s1 = state[1]
        s2 = state[2]
        s3 = state[3]
        hp = np.zeros(len(foes), np.int64)
        living = np.zeros(len(foes), np.int64)  # of the wave, in order; kept for areas only
        bleeding = np.zeros((len(foes), 3), np.int64)  # damage, ticks left, turn on which it began
        max_hps = np.zeros(len(foes), np.int64)
        strike_class = np.zeros(len(foes), np.int64)
        kill_at = np.zeros(len(foes), np.int64)
        for foe in range(len(foes)):
            max_hps[foe] = foes[foe]["max_hp"]
            strike_class[foe] = foes[foe]["strike_class"]
            kill_at[foe] = foes[foe]["kill_at"]

        for _ in range(fights):
            start = 0
            end = foes[0]["wave_end"]
            wave = 1
            for foe in range(len(hp)):
                hp[foe] = max_hps[foe]
                bleeding[foe, 1] = 0
                living[foe] = foe
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
            uses_left = uses
            channel = 0
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
                    if area and defeats > 0:
                        kept = 0
                        for foe in range(start, end):
                            if hp[foe] > 0:
                                living[kept] = foe
                                kept += 1

                if alive == 0:
                    # Bleeds felled the wave before the attacker acts: a charge and a channel are lost.
                    held = 0
                    channel = 0
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

                    # What greedy play does.
                    usable = ungated or (
                        turn >= first_turn
                        and turn <= last_turn
                        and turn >= ready
                        and uses_left != 0
                        and attacker_hp <= hp_at_most
                        and (hp_full == 0 or attacker_hp == full_hp)
                        and (hp_cost == 0 or attacker_hp > hp_cost)
                        and (since_mask >> since) & 1 != 0
                    )
                    if not ungated and usable and held == 0:
                        if last_damage and damaged_before == 0:
                            usable = False
                        if last_defeat and defeated_before == 0:
                            usable = False
                        if last_hit:
                            if area:
                                some = False
                                for i in range(alive):
                                    if (hits_before >> living[i]) & 1 != 0:
                                        some = True
                                usable = usable and some
                            elif (hits_before >> target) & 1 == 0:
                                usable = False
                    special = False
                    basic = False
                    failed = False
                    if usable:
                        if passive and attacked_before:
                            held = 0
                        elif held < charge:
                            held += 1
                        elif strike_scope:
                            # Each strike will be an attempt.
                            held = 0
                            special = True
                            failed = True
                        else:
                            held = 0
                            if uses_left > 0:
                                uses_left -= 1
                            ready = turn + cooldown + 1
                            attacker_hp -= hp_cost
                            special = True
                            if activation <= _LOW:
                                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                special = np.int64(word & _LOW) < activation
                                failed = not special
                    else:
                        held = 0
                        basic = not unmet_waits
                    row = 0
                    strikes_left = 1
                    if special:
                        row = classes * (1 + min(channel, top_level))
                        strikes_left = base_strikes
                    elif not basic:
                        strikes_left = 0
                    is_special = np.int64(special)
                    bleed_ticks = all_bleed_ticks * is_special
                    fresh = True
                    extras = 0
                    splinters = 0
                    links = chain
                    # Whether base strikes, this one or those after the first, set nothing else off.
                    quiet = False
                    first_base = True

                    if area:
                        table = is_special
                        while strikes_left > 0 and alive > 0:
                            strikes_left -= 1
                            is_base = True
                            only = -1
                            if rich and not first_base:
                                quiet = first_only
                                if area_single:
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
                                if strike_scope and special:
                                    lost = not holds(
                                        uses_left, attacker_hp, hp_at_most, hp_full, full_hp, hp_cost
                                    )
                                    if not lost:
                                        if uses_left > 0:
                                            uses_left -= 1
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
                                    total = drawn(totals[table, low >> total_shift], low, total_mask)
                                first_damaged = -1
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
                                            naturals[table, low >> natural_shift], low, natural_mask
                                        )
                                        if condition:
                                            low = np.int64(word >> _HALF)
                                            total = drawn(totals[table, low >> total_shift], low, total_mask)
                                    outcome = np.int64(grid[row + strike_class[foe], total, natural])
                                    hits |= ((outcome >> HIT_BIT) & 1) << foe
                                    damage = outcome & DAMAGE
                                    damaged |= damage * deals_damage
                                    if leech > 0 and special:
                                        attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                    if rich and stage == _BASE:
                                        landed |= np.int64(damage > 0) << foe
                                        if source < 0 and outcome & CRITICAL != 0:
                                            source = foe
                                            source_natural = natural
                                            source_total = total
                                    left = hp[foe] - damage
                                    # No branch: among many small enemies a defeat is as likely as not.
                                    down = np.int64(left <= kill_at[foe] * is_special) & np.int64(damage > 0)
                                    left *= 1 - down
                                    defeated |= down
                                    if rich and (stage == _BASE or triggered_feed):
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
                                    if (
                                        extra_limit > 0
                                        and damage > 0
                                        and (first_damaged < 0 or hp[first_damaged] <= 0)
                                    ):
                                        first_damaged = foe
                                    living[kept] = foe
                                    kept += np.int64(left > 0)
                                if kept < stop:
                                    for i in range(stop, alive):
                                        living[kept] = living[i]
                                        kept += 1
                                else:
                                    kept = alive
                                alive = kept
                                if rich:
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
                                if not (
                                    is_base
                                    and special
                                    and first_damaged >= 0
                                    and extras < extra_limit
                                    and alive > 0
                                ):
                                    break
                                if extra_single:
                                    if hp[first_damaged] <= 0:
                                        break
                                    only = first_damaged
                                extras += 1
                                is_base = False
                            if rich and special:
                                # What the area sets off besides itself: strikes at one enemy after another.
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
                                        total = source_total
                                        reached = grid[row + strike_class[foe], total, source_natural]
                                        if condition and reached & HIT != 0:
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            low = np.int64(word & _LOW)
                                            total = drawn(totals[1, low >> total_shift], low, total_mask)
                                        outcome = np.int64(
                                            grid[row + strike_class[foe], total, source_natural]
                                        )
                                    else:
                                        lost = False
                                        if strike_scope:
                                            lost = not holds(
                                                uses_left, attacker_hp, hp_at_most, hp_full, full_hp, hp_cost
                                            )
                                            if not lost:
                                                if uses_left > 0:
                                                    uses_left -= 1
                                                attacker_hp -= hp_cost
                                                if activation <= _LOW:
                                                    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                                    lost = np.int64(word & _LOW) >= activation
                                        outcome = 0
                                        if not lost:
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            low = np.int64(word & _LOW)
                                            outcome = drawn(
                                                strikes[row + strike_class[foe], low >> strike_shift],
                                                low,
                                                strike_mask,
                                            )
                                    hits |= ((outcome >> HIT_BIT) & 1) << foe
                                    damage = outcome & DAMAGE
                                    damaged |= damage * deals_damage
                                    if leech > 0:
                                        attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                    left = hp[foe] - damage
                                    if left <= kill_at[foe] and damage > 0:
                                        left = 0
                                        defeated = 1
                                        alive -= 1
                                        if triggered_feed:
                                            feeding += 1
                                    elif bleed_ticks > 0 and damage > 0 and bleeding[foe, 1] <= bleed_over:
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
                                # A strike of a chain that did damage allows the next, at no cost of others.
                                links -= 1
                                if landed != 0 and links > 0:
                                    strikes_left += 1
                                else:
                                    links = chain
                    elif basic or one_strike:
                        # Most turns of most builds: one strike that triggers nothing.
                        if special or basic:
                            outcome = drawn(
                                strikes[row + strike_class[target], low >> strike_shift], low, strike_mask
                            )
                            hits = ((outcome >> HIT_BIT) & 1) << target
                            damage = outcome & DAMAGE
                            damaged |= damage * deals_damage
                            if leech > 0 and special:
                                attacker_hp = min(full_hp, attacker_hp + damage // leech)
                            left = hp[target] - damage
                            if left <= kill_at[target] * is_special and damage > 0:
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
                            if rich:
                                quiet = first_only and not first_base
                                first_base = False
                            while True:
                                lost = False
                                if strike_scope and stage != _EXPLOSION:
                                    lost = not holds(
                                        uses_left, attacker_hp, hp_at_most, hp_full, full_hp, hp_cost
                                    )
                                    if not lost:
                                        if uses_left > 0:
                                            uses_left -= 1
                                        attacker_hp -= hp_cost
                                        if activation <= _LOW:
                                            word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                            lost = np.int64(word & _LOW) >= activation
                                        failed = failed and lost
                                if lost:
                                    outcome = 0
                                elif stage == _EXPLOSION:
                                    if condition and grid[row + strike_class[foe], total, natural] & HIT != 0:
                                        # The check is rolled for each enemy whom the critical's die hits.
                                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                        low = np.int64(word & _LOW)
                                        total = drawn(totals[1, low >> total_shift], low, total_mask)
                                    outcome = np.int64(grid[row + strike_class[foe], total, natural])
                                else:
                                    if not fresh:
                                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                        low = np.int64(word & _LOW)
                                    fresh = False
                                    if explosive and stage == _BASE:
                                        natural = drawn(naturals[1, low >> natural_shift], low, natural_mask)
                                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                                        low = np.int64(word & _LOW)
                                        total = drawn(totals[1, low >> total_shift], low, total_mask)
                                        outcome = np.int64(grid[row + strike_class[foe], total, natural])
                                    else:
                                        outcome = drawn(
                                            strikes[row + strike_class[foe], low >> strike_shift],
                                            low,
                                            strike_mask,
                                        )
                                hits |= ((outcome >> HIT_BIT) & 1) << foe
                                damage = outcome & DAMAGE
                                damaged |= damage * deals_damage
                                if leech > 0:
                                    attacker_hp = min(full_hp, attacker_hp + damage // leech)
                                left = hp[foe] - damage
                                if left <= kill_at[foe] and damage > 0:
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
                            if rich:
                                links -= 1
                                if did_damage and links > 0:
                                    strikes_left += 1
                                else:
                                    links = chain

                    # An attack is made if its attempt, or that of one strike at least, did not fail.
                    made = special or failed
                    if failed and not failed_attack:
                        made = False
                    channel = channel + 1 if made else 0
                    attacked = made or basic
                    if pending and not bleed_at_start:
                        ticks, defeats = tick_bleeds(turn, start, end, hp, bleeding)
                        damaged |= ticks
                        defeated |= defeats
                        alive -= defeats
                        if area and defeats > 0:
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
                    if area:
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


fight_plain = _specialised(PLAIN)
fight_triggered = _specialised(TRIGGERED)
fight_area = _specialised(AREA)
fight_rich = _specialised(RICH)


@njit(cache=True, nogil=True)
def fight_many(
    pack: Pack,
    which: NDArray[np.int64],
    seed: NDArray[np.uint64],
    blocks: NDArray[np.int64],
    sums: NDArray[np.int64],
    counts: NDArray[np.int64],
    histograms: NDArray[np.int64],
) -> None:
    """Play blocks (number, fights) of each plan named: sums of turns and of their squares, and the counts.

    It stands here because numba's cache only notices edits in a function's own file. `histograms` may have
    no rows; then none are kept.
    """
    # Everything in locals: reading an array out of a tuple counts references.
    setups = pack.setups
    contents = pack.contents
    first_row = pack.first_row
    row_numbers = pack.rows
    shared_strikes = pack.strikes
    shared_grids = pack.grids
    grid_at = pack.grid_at
    usual_retaliation = pack.retaliation
    retaliation_in_full = pack.retaliation_in_full
    width = shared_strikes.shape[1]
    most_rows = 0
    for i in range(len(which)):
        most_rows = max(most_rows, first_row[which[i] + 1] - first_row[which[i]])
    strikes_space = np.zeros((most_rows, width), np.int64)
    grid_space = np.zeros(4, np.uint16)
    # Plans come sorted by attack: most of the rows gathered for one serve the next.
    held_strikes = np.full(most_rows, -1, np.int64)
    held_grids = np.full(most_rows, -1, np.int64)
    held_size = 0
    state = np.zeros(WORDS, np.uint64)
    for i in range(len(which)):
        plan = which[i]
        setup = setups[plan : plan + 1]
        kind = setup[0]["kind"]
        first = first_row[plan]
        rows = first_row[plan + 1] - first
        if setup[0]["strike_bits"] > 0:
            for row in range(rows):
                number = row_numbers[first + row]
                if held_strikes[row] != number:
                    held_strikes[row] = number
                    strikes_space[row] = shared_strikes[number]
        strikes = strikes_space[:rows]
        grid = grid_space[:1].reshape((1, 1, 1))
        if setup[0]["total_bits"] > 0:
            across = 1 << setup[0]["natural_bits"]
            size = across << setup[0]["total_bits"]
            if rows * size > len(grid_space) or size != held_size:
                grid_space = np.zeros(max(rows * size, len(grid_space)), np.uint16)
                held_grids[:] = -1
                held_size = size
            for row in range(rows):
                number = row_numbers[first + row]
                if held_grids[row] != number:
                    held_grids[row] = number
                    at = grid_at[number]
                    grid_space[row * size : (row + 1) * size] = shared_grids[at : at + size]
            grid = grid_space[: rows * size].reshape((rows, size // across, across))
        foes = pack.foes[pack.foes_of[plan]]
        naturals = pack.naturals[pack.dice_of[plan]]
        totals = pack.totals[pack.dice_of[plan]]
        histogram = np.zeros(setup[0]["max_turns"] + 1, np.int64)
        retaliation = retaliation_in_full if setup[0]["leech"] > 0 else usual_retaliation
        for block in range(len(blocks)):
            stream_into(seed, contents[plan], blocks[block, 0], state)
            fights = blocks[block, 1]
            if kind == PLAIN:
                fight_plain(setup, foes, strikes, grid, naturals, totals, retaliation,
                            state, fights, histogram, counts[i])  # fmt: skip
            elif kind == TRIGGERED:
                fight_triggered(setup, foes, strikes, grid, naturals, totals, retaliation,
                                state, fights, histogram, counts[i])  # fmt: skip
            elif kind == AREA:
                fight_area(setup, foes, strikes, grid, naturals, totals, retaliation,
                           state, fights, histogram, counts[i])  # fmt: skip
            else:
                fight_rich(setup, foes, strikes, grid, naturals, totals, retaliation,
                           state, fights, histogram, counts[i])  # fmt: skip
        for turns in range(len(histogram)):
            sums[i, 0] += turns * histogram[turns]
            sums[i, 1] += turns * turns * histogram[turns]
        if len(histograms) > 0:
            histograms[i] = histogram
