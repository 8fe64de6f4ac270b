"""The duel kernel: greedy play, one against one, a hand that fits in one word. `fights` plays the rest.

The same fights from the same stream as `fights` (a test compares them), laid out for speed: what a turn
changes is in locals, a hand is a word with a byte a card, and a card is played without a branch on what it
does, because that is a coin toss: each kind of card has a row of numbers that are neutral where it does not
do a thing.
"""

# Compiled code has one kind of integer; to mypy numpy's and Python's are two.
# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from collections.abc import Callable

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
from buildsearch.systems.armitage.kernel.plan import AP, ATTACK, EVA, HEAL, RES, RESOLVE, TUF, Arrays

# Cards in the largest hand that this kernel plays: their keys are in locals.
LARGEST_HAND = 5
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def _specialised(statuses: bool) -> Callable[..., None]:
    """The kernel compiled for duels with or without status cards; without them nothing asks for any."""

    @njit(cache=True, nogil=True)
    def duel_block(
        arrays: Arrays,
        state: NDArray[np.uint64],
        fights: int,
        histogram: NDArray[np.int64],
        counts: NDArray[np.int64],
    ) -> None:
        """Add the results of so many duels to the histogram of outcomes and to those of rounds and HP."""
        setup, fighters, cards, decks, strikes, _, _, heals, heal_means, _, keys, shifts = arrays
        most_heal = heal_means.shape[1] - 1
        plan = setup[0]
        max_turns = plan["max_turns"]
        hand_size = plan["hand"]
        lowest_eva, highest_eva, highest_res, ress, reach, states, most_hp, most_resolve = bounds_of(plan)
        ties = plan["ties"] != 0
        kinds = len(cards)

        # What each kind of card does, by its number plus one; 0 is an empty place in the hand.
        key_start = np.zeros(kinds + 1, np.uint32)
        reading_of = np.zeros(kinds + 1, np.uint8)
        bit_of = np.zeros(kinds + 1, np.int64)
        roll_start = np.zeros(kinds + 1, np.int64)
        roll_step = np.zeros(kinds + 1, np.int64)  # from one state of the target to the next
        roll_shift = np.full(kinds + 1, 32, np.int64)
        attacks = np.zeros(kinds + 1, np.int64)  # all bits or none
        healing = np.zeros(kinds + 1, np.int64)
        amount_of = np.zeros(kinds + 1, np.int64)
        on_self = 0
        on_other = 0
        columns = strikes.shape[2]
        rolls = np.zeros(strikes.size + heals.size + 1, np.int64)
        at = 0
        for i in range(strikes.shape[0]):
            for j in range(strikes.shape[1]):
                for k in range(columns):
                    rolls[at] = strikes[i, j, k]
                    at += 1
        for i in range(heals.shape[0]):
            for k in range(heals.shape[1]):
                rolls[at] = heals[i, k]
                at += 1
        # One key more, for an empty place: worth nothing.
        weights = np.zeros(len(keys) + 1, np.int64)
        for i in range(len(keys)):
            weights[i] = keys[i]
        key_start[0] = len(keys)
        reading_of[0] = READINGS
        for kind in range(kinds):
            card = kind + 1
            deed = cards[kind]["deed"]
            key_start[card] = cards[kind]["keys"]
            reading_of[card] = cards[kind]["reading"]
            bit_of[card] = cards[kind]["bit"]
            roll_start[card] = at
            if deed == ATTACK:
                roll_start[card] = cards[kind]["row"] * strikes.shape[1] * columns
                roll_step[card] = columns
                roll_shift[card] = 32 - plan["strike_bits"]
                attacks[card] = -1
            elif deed == HEAL:
                roll_start[card] = strikes.size + cards[kind]["row"] * heals.shape[1]
                roll_shift[card] = 32 - plan["heal_bits"]
                healing[card] = -1
            elif deed == RESOLVE:
                amount_of[card] = cards[kind]["amount"]
            if cards[kind]["on_self"] != 0:
                on_self |= bit_of[card]
            else:
                on_other |= bit_of[card]

        # Each fighter under each set of statuses.
        sets = len(shifts)
        key_place = np.zeros((2, sets), np.int64)
        strike_place = np.zeros((2, sets), np.int64)  # where RES does not apply
        res_under = np.zeros((2, sets), np.int64)
        tuf_under = np.zeros((2, sets), np.int64)
        ap_under = np.zeros((2, sets), np.int64)
        deck_size = np.zeros(2, np.int64)
        deck_start = np.zeros(2, np.int64)
        max_hp = np.zeros(2, np.int64)
        for who in range(2):
            deck_size[who] = fighters[who]["deck_size"]
            deck_start[who] = fighters[who]["deck_start"]
            max_hp[who] = fighters[who]["max_hp"]
            for i in range(sets):
                eva = max(0, fighters[who]["eva"] + shifts[i, EVA])
                eva = min(max(eva, lowest_eva), highest_eva) - lowest_eva
                res = min(max(0, fighters[who]["res"] + shifts[i, RES]), highest_res)
                key_place[who, i] = (eva * ress + res) * (2 * reach + 2) + reach + 1
                strike_place[who, i] = eva * ress
                res_under[who, i] = res
                tuf_under[who, i] = max(0, fighters[who]["tuf"] + shifts[i, TUF])
                ap_under[who, i] = max(0, fighters[who]["ap"] + shifts[i, AP])
        first = np.uint64(fighters[0]["acts"])
        ours = fighters[0]["side"]  # of two, ours is the first if its side is 0
        everything = 0
        for i in range(hand_size):
            everything = (everything << 8) | (8 * i)

        largest = max(deck_size[0], deck_size[1], 1)
        hp = np.zeros(2, np.int64)
        hit_counter = np.zeros(2, np.int64)
        active = np.zeros(2, np.int64)  # statuses, a bit each
        hands = np.zeros(2, np.int64)  # a byte a card
        gaps = np.zeros(2, np.int64)  # the empty places of a hand, a byte each
        missing_cards = np.zeros(2, np.int64)
        pile = np.zeros((2, largest), np.uint8)
        pile_size = np.zeros(2, np.int64)
        thrown = np.zeros((2, largest), np.uint8)
        thrown_size = np.zeros(2, np.uint64)
        index = np.zeros(READINGS + 1, np.uint32)

        s0 = state[0]
        s1 = state[1]
        s2 = state[2]
        s3 = state[3]
        for _ in range(fights):
            for who in range(2):
                hp[who] = max_hp[who]
                hit_counter[who] = 0
                active[who] = 0
                for i in range(deck_size[who]):
                    pile[who, i] = decks[deck_start[who] + i] + 1
                pile_size[who] = deck_size[who]
                thrown_size[who] = 0
                hands[who] = 0
                gaps[who] = everything
                missing_cards[who] = hand_size
            if ties:
                # Either order is equally likely, whatever it was in the fight before.
                word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                first ^= (word >> np.uint64(31)) & np.uint64(1)
            over = False
            turn = 0
            while turn < max_turns:
                actor = first ^ np.uint64(turn & 1)
                rival = actor ^ np.uint64(1)
                turn += 1
                hand = hands[actor]
                gap = gaps[actor]
                wanted = missing_cards[actor]
                left = pile_size[actor]
                discarded = thrown_size[actor]
                while wanted > 0:
                    if left == 0:
                        left = np.int64(discarded)
                        if left == 0:
                            break
                        for i in range(discarded):
                            pile[actor, i] = thrown[actor, i]
                        discarded = np.uint64(0)
                    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
                    pick = ((word & _LOW) * np.uint64(left)) >> _HALF
                    left -= 1
                    hand |= np.int64(pile[actor, pick]) << (gap & 0xFF)
                    gap >>= 8
                    pile[actor, pick] = pile[actor, np.uint64(left)]
                    wanted -= 1
                pile_size[actor] = left

                own_hp = hp[actor]
                own_max = max_hp[actor]
                own_hits = hit_counter[actor]
                hp_there = hp[rival]
                hits_there = hit_counter[rival]
                own_set = np.uint64(0)
                set_there = np.uint64(0)
                fresh = 0  # statuses that the end of this turn does not end
                if statuses:
                    own_set = np.uint64(active[actor])
                    set_there = np.uint64(active[rival])
                ap = ap_under[actor, own_set]
                while ap > 0:
                    own_tuf = tuf_under[actor, own_set]
                    tuf_there = tuf_under[rival, set_there]
                    beyond = hits_there - tuf_there
                    place_there = key_place[rival, set_there] + min(max(beyond, -reach - 1), reach)
                    needed = min(max(own_hits - own_tuf + 1, 0), most_resolve + 1)
                    index[BY_TARGET_AND_HP] = min(hp_there, most_hp) * states + place_there
                    index[BY_MISSING] = min(own_max - own_hp, most_heal)
                    own_resolves = res_under[actor, own_set] * (most_resolve + 2)
                    index[BY_OWN_HITS] = own_resolves + (needed & -np.int64(own_tuf > 0))
                    c0 = np.uint64(hand & 0xFF)
                    c1 = np.uint64((hand >> 8) & 0xFF)
                    c2 = np.uint64((hand >> 16) & 0xFF)
                    c3 = np.uint64((hand >> 24) & 0xFF)
                    c4 = np.uint64((hand >> 32) & 0xFF)
                    if statuses:
                        own_place = min(max(own_hits - own_tuf, -reach - 1), reach)
                        index[BY_SELF] = key_place[actor, own_set] + own_place
                        index[BY_AP_AND_TARGET] = ap * states + place_there
                        index[BY_TARGET] = place_there
                    k0 = weights[key_start[c0] + index[reading_of[c0]]]
                    k1 = weights[key_start[c1] + index[reading_of[c1]]] + 1
                    k2 = weights[key_start[c2] + index[reading_of[c2]]] + 2
                    k3 = weights[key_start[c3] + index[reading_of[c3]]] + 3
                    k4 = weights[key_start[c4] + index[reading_of[c4]]] + 4
                    if statuses:
                        there = (np.int64(own_set) & on_self) | (np.int64(set_there) & on_other)
                        k0 &= -np.int64((there & bit_of[c0]) == 0)
                        k1 &= -np.int64((there & bit_of[c1]) == 0)
                        k2 &= -np.int64((there & bit_of[c2]) == 0)
                        k3 &= -np.int64((there & bit_of[c3]) == 0)
                        k4 &= -np.int64((there & bit_of[c4]) == 0)
                    # Without branches: what is in a hand is a coin toss.
                    m0 = k0 & -np.int64(((k0 >> SLOT_BITS) & AP_MASK) <= ap)
                    m1 = k1 & -np.int64(((k1 >> SLOT_BITS) & AP_MASK) <= ap)
                    m2 = k2 & -np.int64(((k2 >> SLOT_BITS) & AP_MASK) <= ap)
                    m3 = k3 & -np.int64(((k3 >> SLOT_BITS) & AP_MASK) <= ap)
                    m4 = k4 & -np.int64(((k4 >> SLOT_BITS) & AP_MASK) <= ap)
                    m1 = max(m0, m1)
                    m3 = max(m2, m3)
                    m4 = max(m1, m4)
                    best_key = max(m3, m4)
                    if best_key < SLOTS:
                        break
                    slot = best_key & (SLOTS - 1)
                    best = np.uint64(LAST_KIND + 1 - ((best_key >> (SLOT_BITS + AP_BITS)) & LAST_KIND))
                    ap -= (best_key >> SLOT_BITS) & AP_MASK
                    hand &= ~(0xFF << (8 * slot))
                    gap = (gap << 8) | (8 * slot)
                    wanted += 1
                    thrown[actor, discarded] = best
                    discarded += np.uint64(1)

                    attack = attacks[best]
                    heal = healing[best]
                    # Only what rolls takes a word.
                    word, n0, n1, n2, n3 = next_word(s0, s1, s2, s3)
                    taken = np.uint64(attack | heal)
                    s0 ^= (s0 ^ n0) & taken
                    s1 ^= (s1 ^ n1) & taken
                    s2 ^= (s2 ^ n2) & taken
                    s3 ^= (s3 ^ n3) & taken
                    bits = np.int64(word & _LOW)
                    struck = strike_place[rival, set_there] + (
                        res_under[rival, set_there] & -np.int64(beyond < 0)
                    )
                    shift = roll_shift[best]
                    entry = rolls[np.uint64(roll_start[best] + roll_step[best] * struck + (bits >> shift))]
                    upper = np.int64((bits & ((1 << shift) - 1)) >= (entry >> 32))
                    outcome = (entry >> (16 * upper)) & 0xFFFF
                    hp_there -= max(outcome - 1, 0) & attack
                    own_hp = min(own_max, own_hp + (outcome & heal))
                    if hp_there <= 0:
                        hp_there = 0
                        over = True
                        break
                    hits_there += np.int64(outcome > 0) & np.int64(beyond < 0) & attack
                    own_hits = max(0, own_hits - amount_of[best])
                    if statuses:
                        bit = bit_of[best]
                        fresh |= bit & on_self
                        own_set |= np.uint64(bit & on_self)
                        set_there |= np.uint64(bit & on_other)
                hp[actor] = own_hp
                hp[rival] = hp_there
                if over:
                    break
                hit_counter[actor] = own_hits
                hit_counter[rival] = hits_there
                hands[actor] = hand
                gaps[actor] = gap
                missing_cards[actor] = wanted
                thrown_size[actor] = discarded
                if statuses:
                    active[actor] = fresh
                    active[rival] = np.int64(set_there)
            histogram[end_of(over, hp[ours] > 0)] += 1
            counts[(turn + 1) >> 1] += 1
            counts[max_turns + 1 + hp[ours]] += 1

    return duel_block


duel_plainly = _specialised(statuses=False)
duel_with_statuses = _specialised(statuses=True)
