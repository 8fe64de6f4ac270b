"""The fight kernel: many fights of one plan from one random stream. `duels` plays greedy duels faster.

One function on purpose, with the generator in locals: split into helpers it runs at half speed when numba
loads it from its cache, and an inlined helper that takes arrays counts references in the hot loop. What is
rare (look-ahead, stats under statuses) is called as a function. Sections: text, Combat Loop; spec, A fight.

A hand is a number of each kind of card, a pile is a list whose places are drawn at random: nobody can tell
that from a shuffled pile drawn from the top. Every draw, attack, heal and lot takes one word of the stream.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import next_word
from buildsearch.systems.armitage.kernel.bounds import bounds_of, end_of
from buildsearch.systems.armitage.kernel.card_worth import (
    AP_BITS,
    AP_MASK,
    BY_AP_AND_TARGET,
    BY_MISSING,
    BY_OWN_HITS,
    BY_SELF,
    BY_TARGET,
    BY_TARGET_AND_HP,
    LAST_KIND,
    READINGS,
    SLOT_BITS,
    SLOTS,
)
from buildsearch.systems.armitage.kernel.look_ahead import (
    EQUAL,
    EVA_NOW,
    FLOATS,
    INTEGERS,
    LEFT,
    MISSING,
    OWN_HITS,
    PLACED,
    RES_NOW,
    TARGET_HITS,
    TARGET_HP,
    TUF_NOW,
    WORTH,
    best_plan,
)
from buildsearch.systems.armitage.kernel.plan import (
    AHEAD,
    AP,
    ATTACK,
    EVA,
    HEAL,
    RES,
    RESOLVE,
    STATUS,
    TUF,
    Arrays,
)

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(inline="always")
def drawn(entry: int, bits: int, mask: int) -> int:
    """The outcome that an alias entry gives for 32 random bits, without a branch."""
    return (entry >> (16 * np.int64((bits & mask) >= (entry >> 32)))) & 0xFFFF


@njit(inline="always")
def state_of(eva: int, res: int, beyond: int, ress: int, reach: int) -> tuple[int, int]:
    """The place of a combatant's state among the keys, and among the outcomes of attacks.

    `eva` and `res` are places in the tables, `beyond` is hits minus TUF.
    """
    near = min(max(beyond, -reach - 1), reach) + reach + 1
    applies = res if beyond < 0 else 0
    return (eva * ress + res) * (2 * reach + 2) + near, eva * ress + applies


@njit(cache=True, nogil=True)
def status_worth(
    cards: NDArray[np.void],
    means: NDArray[np.float64],
    stats: NDArray[np.int64],
    hit_counter: NDArray[np.int64],
    setup: NDArray[np.void],
    kind: int,
    who: int,
    target: int,
    ap: int,
) -> float:
    """What a status is worth against plain attacks; it is not asked where it is there already."""
    lowest_eva = setup[0]["lowest_eva"]
    highest_eva = setup[0]["highest_eva"]
    highest_res = setup[0]["highest_res"]
    stat = cards[kind]["stat"]
    amount = cards[kind]["amount"]
    on_self = cards[kind]["on_self"] != 0
    if stat == AP:
        # A point more is a plain attack more on the target, a point fewer one less on oneself.
        victim = target if on_self else who
        change_eva = 0
        change_res = 0
        change_tuf = 0
    else:
        victim = who if on_self else target
        change_eva = amount if stat == EVA else 0
        change_res = amount if stat == RES else 0
        change_tuf = amount if stat == TUF else 0
    eva = min(max(stats[victim, EVA], lowest_eva), highest_eva) - lowest_eva
    res = min(stats[victim, RES], highest_res) if hit_counter[victim] < stats[victim, TUF] else 0
    now = means[0, eva, res]
    if stat == AP:
        return amount * now if on_self else -amount * now
    eva = min(max(stats[victim, EVA] + change_eva, lowest_eva), highest_eva) - lowest_eva
    res = 0
    if hit_counter[victim] < max(0, stats[victim, TUF] + change_tuf):
        res = min(max(0, stats[victim, RES] + change_res), highest_res)
    change = means[0, eva, res] - now
    if on_self:
        return -setup[0]["foreseen"] * change
    return min(setup[0]["foreseen"], ap - cards[kind]["ap"]) * change


@njit(cache=True, nogil=True)
def fight_block(
    arrays: Arrays,
    state: NDArray[np.uint64],
    fights: int,
    histogram: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add the results of so many fights to the histogram of outcomes and to those of rounds and HP."""
    setup, fighters, cards, decks, strikes, hits, means, heals, heal_means, prevented, keys, shifts = arrays
    plan = setup[0]
    max_turns = plan["max_turns"]
    hand_size = plan["hand"]
    lowest_eva, highest_eva, highest_res, ress, reach, states, most_hp, most_resolve = bounds_of(plan)
    ties = plan["ties"] != 0
    statuses = plan["statuses"] != 0
    strike_shift = 32 - plan["strike_bits"]
    strike_mask = (1 << strike_shift) - 1
    heal_shift = 32 - plan["heal_bits"]
    heal_mask = (1 << heal_shift) - 1
    most_heal = heal_means.shape[1] - 1
    everybody = len(fighters)
    kinds = len(cards)

    deck_size = np.zeros(everybody, np.int64)
    deck_start = np.zeros(everybody, np.int64)
    max_hp = np.zeros(everybody, np.int64)
    side = np.zeros(everybody, np.int64)
    ahead = np.zeros(everybody, np.int64)
    base = np.zeros((everybody, 4), np.int64)
    order = np.zeros(everybody, np.uint64)  # unsigned: an index that cannot be negative is not asked
    tie_end = np.zeros(everybody, np.int64)
    size = np.zeros(2, np.int64)
    largest = 1
    most = 1  # more HP than anybody has
    for who in range(everybody):
        deck_size[who] = fighters[who]["deck_size"]
        deck_start[who] = fighters[who]["deck_start"]
        max_hp[who] = fighters[who]["max_hp"]
        side[who] = fighters[who]["side"]
        ahead[who] = fighters[who]["play"] == AHEAD
        base[who, EVA] = fighters[who]["eva"]
        base[who, RES] = fighters[who]["res"]
        base[who, TUF] = fighters[who]["tuf"]
        base[who, AP] = fighters[who]["ap"]
        order[who] = fighters[who]["acts"]
        tie_end[who] = fighters[who]["tie_end"]
        size[side[who]] += 1
        largest = max(largest, deck_size[who])
        most = max(most, max_hp[who] + 1)
    card_ap = np.zeros(kinds, np.int64)
    card_deed = np.zeros(kinds, np.int64)
    card_row = np.zeros(kinds, np.int64)
    card_amount = np.zeros(kinds, np.int64)
    card_keys = np.zeros(kinds, np.uint32)
    card_reading = np.zeros(kinds, np.uint8)
    card_bit = np.zeros(kinds, np.int64)
    on_self = 0
    on_other = 0
    for kind in range(kinds):
        card_ap[kind] = cards[kind]["ap"]
        card_deed[kind] = cards[kind]["deed"]
        card_row[kind] = cards[kind]["row"]
        card_amount[kind] = cards[kind]["amount"]
        card_keys[kind] = cards[kind]["keys"]
        card_reading[kind] = cards[kind]["reading"]
        card_bit[kind] = cards[kind]["bit"]
        if cards[kind]["on_self"] != 0:
            on_self |= card_bit[kind]
        else:
            on_other |= card_bit[kind]

    hp = np.zeros(everybody, np.int64)
    hit_counter = np.zeros(everybody, np.int64)
    stats = np.zeros((everybody, 4), np.int64)  # with statuses: EVA, RES, TUF, AP
    place_in_keys = np.zeros(everybody, np.int64)
    place_in_strikes = np.zeros(everybody, np.uint64)
    active = np.zeros(everybody, np.int64)  # statuses, a bit each
    fresh = np.zeros(everybody, np.int64)  # those of them that the end of this turn does not end
    pile = np.zeros((everybody, largest), np.uint8)
    pile_size = np.zeros(everybody, np.int64)
    thrown = np.zeros((everybody, largest), np.uint8)
    thrown_size = np.zeros(everybody, np.int64)
    hands = np.zeros((everybody, hand_size), np.uint8)
    in_hand = np.zeros(everybody, np.int64)
    alive = np.zeros(2, np.int64)
    index = np.zeros(READINGS, np.uint32)
    held = np.zeros(kinds, np.int64)
    fixed = np.zeros(kinds, np.float64)
    reals = np.zeros((hand_size + 1, FLOATS), np.float64)
    wholes = np.zeros((hand_size + 1, INTEGERS), np.int64)

    s0 = state[0]
    s1 = state[1]
    s2 = state[2]
    s3 = state[3]
    for _ in range(fights):
        alive[0] = size[0]
        alive[1] = size[1]
        for who in range(everybody):
            hp[who] = max_hp[who]
            hit_counter[who] = 0
            active[who] = 0
            fresh[who] = 0
            for stat in range(4):
                stats[who, stat] = base[who, stat]
            eva = min(max(stats[who, EVA], lowest_eva), highest_eva) - lowest_eva
            res = min(stats[who, RES], highest_res)
            place_in_keys[who], place_in_strikes[who] = state_of(eva, res, -stats[who, TUF], ress, reach)
            for i in range(deck_size[who]):
                pile[who, i] = decks[deck_start[who] + i]
            pile_size[who] = deck_size[who]
            thrown_size[who] = 0
            in_hand[who] = 0
        if ties:
            # Among equals every order is equally likely, whatever it was in the fight before.
            for place in range(everybody):
                span = tie_end[place] - place
                if span > 1:
                    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                    other = place + ((np.int64(word & _LOW) * span) >> 32)
                    earlier = order[place]
                    order[place] = order[other]
                    order[other] = earlier
        turn = 0
        rounds = 0
        over = False
        while not over and turn < max_turns:
            rounds += 1
            for place in range(everybody):
                actor = order[place]
                if hp[actor] <= 0:
                    continue
                turn += 1
                holding = in_hand[actor]
                left = pile_size[actor]
                while holding < hand_size:
                    if left == 0:
                        left = thrown_size[actor]
                        if left == 0:
                            break
                        for i in range(left):
                            pile[actor, i] = thrown[actor, i]
                        thrown_size[actor] = 0
                    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                    pick = ((word & _LOW) * np.uint64(left)) >> _HALF
                    left -= 1
                    hands[actor, holding] = pile[actor, pick]
                    pile[actor, pick] = pile[actor, left]
                    holding += 1
                pile_size[actor] = left

                other_side = 1 - side[actor]
                ap = stats[actor, AP]
                played = 0  # places in the hand, a bit each
                while ap > 0:
                    playing = False
                    best = np.uint8(0)
                    slot = 0
                    # The least HP, then the first, as one number; without branches, which would be tosses.
                    least = most << 20
                    for victim in range(everybody):
                        foe = np.int64(side[victim] == other_side) & np.int64(hp[victim] > 0)
                        least = min(least, (((hp[victim] - most) & -foe) + most) << 20 | victim)
                    target = np.uint64(least & 0xFFFFF)
                    if ahead[actor] == 0:
                        target_place = place_in_keys[target]
                        index[BY_TARGET_AND_HP] = min(hp[target], most_hp) * states + target_place
                        index[BY_MISSING] = min(max_hp[actor] - hp[actor], most_heal)
                        needed = hit_counter[actor] - stats[actor, TUF] + 1
                        needed = min(max(needed, 0), most_resolve + 1) * np.int64(stats[actor, TUF] > 0)
                        own_res = min(stats[actor, RES], highest_res)
                        index[BY_OWN_HITS] = own_res * (most_resolve + 2) + needed
                        there = 0
                        if statuses:
                            index[BY_SELF] = place_in_keys[actor]
                            index[BY_AP_AND_TARGET] = ap * states + target_place
                            index[BY_TARGET] = target_place
                            there = (active[actor] & on_self) | (active[target] & on_other)
                        # Without branches: what is in a hand is a coin toss.
                        best_key = 0
                        for i in range(holding):
                            kind = hands[actor, i]
                            key = keys[card_keys[kind] + index[card_reading[kind]]]
                            usable = ((played >> i) & 1) == 0
                            usable &= (there & card_bit[kind]) == 0
                            usable &= ((key >> SLOT_BITS) & AP_MASK) <= ap
                            best_key = max(best_key, (key + i) & -np.int64(usable))
                        slot = best_key & (SLOTS - 1)
                        if best_key >= SLOTS:
                            playing = True
                            best = np.uint8(LAST_KIND - ((best_key >> (SLOT_BITS + AP_BITS)) & LAST_KIND))
                    else:
                        for kind in range(kinds):
                            held[kind] = 0
                        for i in range(holding):
                            held[hands[actor, i]] += 1 - ((played >> i) & 1)
                        best_worth = EQUAL
                        for victim in range(everybody):
                            if side[victim] != other_side or hp[victim] <= 0:
                                continue
                            there = 0
                            for kind in range(kinds):
                                borne = active[actor] if cards[kind]["on_self"] != 0 else active[victim]
                                there |= np.int64((borne & card_bit[kind]) != 0) << kind
                                fixed[kind] = 0.0
                                if card_deed[kind] == STATUS and held[kind] > 0:
                                    fixed[kind] = status_worth(
                                        cards,
                                        means,
                                        stats,
                                        hit_counter,
                                        setup,
                                        kind,
                                        np.int64(actor),
                                        victim,
                                        ap,
                                    )
                            reals[0, WORTH] = 0.0
                            reals[0, TARGET_HP] = hp[victim]
                            reals[0, TARGET_HITS] = hit_counter[victim]
                            reals[0, MISSING] = max_hp[actor] - hp[actor]
                            wholes[0, LEFT] = ap
                            wholes[0, EVA_NOW] = stats[victim, EVA]
                            wholes[0, RES_NOW] = stats[victim, RES]
                            wholes[0, TUF_NOW] = stats[victim, TUF]
                            wholes[0, OWN_HITS] = hit_counter[actor]
                            wholes[0, PLACED] = 0
                            first, worth = best_plan(
                                cards,
                                hits,
                                means,
                                heal_means,
                                held,
                                fixed,
                                reals,
                                wholes,
                                lowest_eva,
                                highest_eva,
                                highest_res,
                                there,
                                stats[actor, TUF],
                                prevented[min(stats[actor, RES], highest_res)],
                            )
                            if first >= 0 and worth > best_worth + EQUAL:
                                playing = True
                                best = np.uint8(first)
                                best_worth = worth
                                target = np.uint64(victim)
                        for i in range(holding):
                            if hands[actor, i] == best and (played >> i) & 1 == 0:
                                slot = i
                    if not playing:
                        break

                    ap -= card_ap[best]
                    played |= 1 << slot
                    thrown[actor, thrown_size[actor]] = best
                    thrown_size[actor] += 1
                    deed = card_deed[best]
                    bearer = actor
                    if deed == ATTACK:
                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                        bits = np.int64(word & _LOW)
                        entry = strikes[
                            card_row[best], place_in_strikes[target], np.uint64(bits >> strike_shift)
                        ]
                        outcome = drawn(entry, bits, strike_mask)
                        # Without a branch on the hit, which is a coin toss too.
                        hp[target] -= max(outcome - 1, 0)
                        if hp[target] <= 0:
                            hp[target] = 0
                            alive[other_side] -= 1
                            if alive[other_side] == 0:
                                over = True
                                break
                        hit_counter[target] += np.int64(outcome > 0) & np.int64(
                            hit_counter[target] < stats[target, TUF]
                        )
                        bearer = target
                    elif deed == HEAL:
                        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                        bits = np.int64(word & _LOW)
                        entry = heals[card_row[best], np.uint64(bits >> heal_shift)]
                        hp[actor] = min(max_hp[actor], hp[actor] + drawn(entry, bits, heal_mask))
                    elif deed == RESOLVE:
                        hit_counter[actor] = max(0, hit_counter[actor] - card_amount[best])
                    else:
                        bearer = target
                        if (on_self & card_bit[best]) != 0:
                            bearer = actor
                            fresh[actor] |= card_bit[best]
                        active[bearer] |= card_bit[best]
                        for stat in range(4):
                            stats[bearer, stat] = max(
                                0, base[bearer, stat] + shifts[np.uint64(active[bearer]), stat]
                            )
                    eva = min(max(stats[bearer, EVA], lowest_eva), highest_eva) - lowest_eva
                    res = min(stats[bearer, RES], highest_res)
                    beyond = hit_counter[bearer] - stats[bearer, TUF]
                    place_in_keys[bearer], place_in_strikes[bearer] = state_of(eva, res, beyond, ress, reach)
                kept = 0
                for i in range(holding):
                    hands[actor, kept] = hands[actor, i]
                    kept += 1 - ((played >> i) & 1)
                in_hand[actor] = kept
                if active[actor] != 0:
                    active[actor] = fresh[actor]
                    fresh[actor] = 0
                    for stat in range(4):
                        stats[actor, stat] = max(
                            0, base[actor, stat] + shifts[np.uint64(active[actor]), stat]
                        )
                    eva = min(max(stats[actor, EVA], lowest_eva), highest_eva) - lowest_eva
                    res = min(stats[actor, RES], highest_res)
                    beyond = hit_counter[actor] - stats[actor, TUF]
                    place_in_keys[actor], place_in_strikes[actor] = state_of(eva, res, beyond, ress, reach)
                if over or turn == max_turns:
                    break
        histogram[end_of(over, alive[0] > 0)] += 1
        counts[rounds] += 1
        hp_left = 0
        for who in range(everybody):
            if side[who] == 0:
                hp_left += hp[who]
        counts[max_turns + 1 + hp_left] += 1
