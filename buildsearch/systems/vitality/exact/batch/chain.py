"""Gating as a Markov chain: which action each turn, whatever the enemies' HP.

What a turn's choice depends on besides counters is the retaliation just before it, and that depends only on
how many enemies live: it is an event with chances of its own at each place, no state. Timid needs one bit
of memory (whether the attacker was ever damaged). The turn is a clock that stops when it no longer matters.
Whoever follows the attacker's HP and what the enemies did beside the chain (`joint_chain`) says itself each
turn whether these allow the attack.
"""

# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.jit import kernel_without_refcounts, step
from buildsearch.evaluate.randomness import content_digest
from buildsearch.systems.vitality.exact.batch.compiled import set_all
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING, SPECIAL
from buildsearch.systems.vitality.mechanics.limits import (
    ATTACK,
    DAMAGED,
    NOT_ATTACKED,
    WAIT,
    counters_after,
    counters_allow,
    greedy_action,
    is_made,
)
from buildsearch.systems.vitality.mechanics.limits import BASIC as USE_BASIC

# The retaliation just before a turn: accepted by limits or not (1), did damage or not (2); or there was none.
NO_RETALIATION = 4
# Events of a `joint_chain`: whether HP, turn and enemies allow the attack; or there is nobody to act against.
UNUSABLE, USABLE, NOBODY = range(3)
# An attempt whose activation roll fails: an action that does nothing.
FAILED = -1
_UNMATTERED = 1 << 30
MOST_STATES = 400

STEP = np.dtype(
    [
        ("state", np.int64),
        ("event", np.int64),
        ("chance", np.float64),
        ("action", np.int64),
        # the state after a miss, a hit without damage, damage, a defeat, a defeat that ends a wave
        ("missed", np.int64),
        ("touched", np.int64),
        ("damaged", np.int64),
        ("defeated", np.int64),
        ("cleared", np.int64),
        # after damage by a bleed alone
        ("ticked", np.int64),
        # after a defeat and a hit by Splinter that leaves the next enemy standing
        ("splintered", np.int64),
        # whether it is an attempt to use the attack, which may fail
        ("attempts", np.int64),
    ]
)

SIZES = ("clock", "calm", "full", "held", "rest", "uses", "channel", "attacked", "damaged", "defeated", "hit")
_CLOCK, _CALM, _FULL, _HELD, _REST, _USES, _CHANNEL, _ATTACKED, _DAMAGED, _DEFEATED, _HIT = range(11)


@dataclass(frozen=True, eq=False)
class Chain:
    """Steps by state, in the order of states; the fight starts in state 0."""

    states: int
    steps: NDArray[np.void]
    # The states of the `entries` that were asked for.
    entered: NDArray[np.int64]
    # Whether retaliation changes anything.
    reads_events: bool = True

    @cached_property
    def content(self) -> bytes:
        """What tells chains apart."""
        return content_digest(
            f"{self.states} {self.reads_events}".encode(), self.steps.tobytes(), self.entered.tobytes()
        )


def chain_of(
    setup: np.void,
    levels: int,
    activation: float,
    *,
    entries: NDArray[np.int64] | None = None,
    splinters: bool = False,
) -> Chain | None:
    """The chain of a gating, None where it is not one or too large.

    `splinters`: an attack that defeats somebody may have hit one who lives.

    `entries` are states to begin with instead of the first turn's, as rows of `SIZES`; calm 2 in them: the
    attacker was just damaged.
    """
    reads_since = int(setup["since_mask"]) != 0b1111
    if int(setup["hp_at_most"]) != _UNMATTERED or setup["defeat_is_loss"]:
        return None
    first, last = int(setup["first_turn"]), int(setup["last_turn"])
    clock = first if last == _UNMATTERED else max(first, last + 1)
    calms = 1 + (reads_since or bool(setup["hp_full"])) + (entries is not None and reads_since)
    sizes = np.array([clock, calms, 1 + int(setup["hp_full"]), *_counters(setup, levels)], np.int64)
    if int(np.prod(sizes)) > 1 << 20:
        return None
    calm_accepted = (int(setup["since_mask"]) >> NOT_ATTACKED) & 1
    if entries is None:
        entries = np.zeros((1, len(sizes)), np.int64)
        entries[0, [_CALM, _FULL]] = 1
    entries = entries.copy()
    entries[:, _USES] = sizes[_USES] - 1
    also_hits = BASIC if splinters else _UNMATTERED
    steps, states, entered = _walk(
        setup, sizes, reads_since, calm_accepted, activation, entries, also_hits, False
    )
    if states > MOST_STATES:
        return None
    return Chain(states, steps, entered)


def _counters(setup: np.void, levels: int) -> list[int]:
    """How many numbers each of `SIZES` has from `held` on."""
    # Never twice in a row: then the first level of channelling is the only one.
    one_level = setup["charge"] or setup["cooldown"] or setup["passive"]
    bits = ("passive", "last_damage", "last_defeat", "last_hit")
    return [
        int(setup["charge"]) + 1,
        int(setup["cooldown"]) + 1,
        max(int(setup["uses"]), 0) + 1,
        1 if one_level else levels,
        *(1 + int(setup[name]) for name in bits),
    ]


def joint_chain(setup: np.void, levels: int, activation: float) -> Chain:
    """The chain for whoever follows HP, turn and what the enemies did, and says which event it is."""
    setup = setup.copy()
    setup["first_turn"], setup["last_turn"], setup["waves"] = 1, _UNMATTERED, 1
    sizes = np.array([1, 1, 1, *_counters(setup, levels)], np.int64)
    entries = np.zeros((1, len(sizes)), np.int64)
    entries[0, _USES] = sizes[_USES] - 1
    # All that the turn before must be remembered for may have happened at once.
    steps, states, entered = _walk(setup, sizes, False, 1, activation, entries, NOTHING, True)
    return Chain(states, steps, entered)


@step
def _number(sizes: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    number = 0
    for i in range(len(sizes)):
        number = number * sizes[i] + min(values[i], sizes[i] - 1)
    return number


@step
def _state(
    sizes: NDArray[np.int64], values: NDArray[np.int64], names: NDArray[np.int64], queue: NDArray[np.int64]
) -> int:
    """The place of a state in the queue, where it is put if it is new; `queue[0]` is how many there are."""
    number = _number(sizes, values)
    if names[number] < 0:
        names[number] = queue[0]
        queue[0] += 1
        queue[queue[0]] = number
    return names[number]


@step
def _choose(
    setup: np.void,
    sizes: NDArray[np.int64],
    now: NDArray[np.int64],
    usable: bool,
    stands: bool,
    activated: bool,
    after: NDArray[np.int64],
) -> int:
    """Greedy play's action; `after` becomes what is remembered of it. `usable`: what the state forgets.

    `stands`: there is somebody to act against. `activated`: what an attempt is rolled for. The answer is an
    action of `transitions`, or `FAILED`.
    """
    set_all(after, 0)
    turn = now[_CLOCK] + 1
    usable = usable and counters_allow(
        setup, turn, now[_USES], now[_HELD], now[_REST], now[_DAMAGED], now[_DEFEATED], now[_HIT]
    )
    choice = WAIT
    if stands:
        waits = setup["unmet_waits"] != 0
        choice = greedy_action(usable, now[_ATTACKED] == 1, now[_HELD], setup["charge"], waits)
    failed = choice == ATTACK and not activated
    made = is_made(choice == ATTACK and activated, failed, setup["failed_attack"] != 0)
    uses, held, rest, channel = counters_after(
        setup, turn, now[_USES], now[_HELD], now[_REST], now[_CHANNEL], choice, made
    )
    after[_CLOCK] = turn
    after[_USES] = uses
    after[_HELD] = held
    after[_REST] = rest
    after[_CHANNEL] = channel
    after[_ATTACKED] = 1 if made or choice == USE_BASIC else 0
    if failed:
        return FAILED
    if choice == ATTACK:
        return SPECIAL + now[_CHANNEL]
    return BASIC if choice == USE_BASIC else NOTHING


def _walk(
    setup: np.void,
    sizes: NDArray[np.int64],
    reads_since: bool,
    calm_accepted: int,
    activation: float,
    entries: NDArray[np.int64],
    also_hits: int,
    joint: bool,
) -> tuple[NDArray[np.void], int, NDArray[np.int64]]:
    """Every state that can be reached, and the steps from it.

    Actions above `also_hits` may defeat somebody and hit somebody else. `joint`: events are `USABLE` and the
    two beside it.
    """
    total, room = int(np.prod(sizes)), 64
    entered = np.zeros(len(entries), np.int64)
    # Arrays are made here: numba would compile each way to make one.
    while True:
        names, queue = np.full(total, -1, np.int64), np.zeros(total + 1, np.int64)
        steps, pair = np.zeros(room, STEP), np.zeros((2, len(sizes)), np.int64)
        count, states = _fill_steps(
            setup, sizes, reads_since, calm_accepted, activation, entries, also_hits, joint,
            names, queue, pair[0], pair[1], entered, steps,
        )  # fmt: skip
        if count <= room:
            return steps[:count], states, entered
        room = max(count, 8 * room)


@kernel_without_refcounts
def _fill_steps(  # noqa: PLR0917 - one walk
    setup: np.void,
    sizes: NDArray[np.int64],
    reads_since: bool,
    calm_accepted: int,
    activation: float,
    entries: NDArray[np.int64],
    also_hits: int,
    joint: bool,
    names: NDArray[np.int64],
    queue: NDArray[np.int64],
    now: NDArray[np.int64],
    after: NDArray[np.int64],
    entered: NDArray[np.int64],
    steps: NDArray[np.void],
) -> tuple[int, int]:
    """How many steps and states there are; more steps than fit: it stopped, and has to begin again."""
    count = 0
    struck_accepted = (setup["since_mask"] >> DAMAGED) & 1
    for i in range(len(entries)):
        entered[i] = _state(sizes, entries[i], names, queue)
    here = 0
    while here < queue[0]:
        number = queue[1 + here]
        for i in range(len(sizes) - 1, -1, -1):
            now[i] = number % sizes[i]
            number //= sizes[i]
        calm = not joint and (now[_CALM] != 0 or sizes[_CALM] == 1)
        certain = struck_accepted if now[_CALM] == 2 else calm_accepted
        last = (NOBODY if joint else NO_RETALIATION - 1) + 1
        for event in range(NO_RETALIATION if calm else 0, NO_RETALIATION + 1 if calm else last):
            accepted = (certain if event == NO_RETALIATION else event & 1) == 1 or not reads_since
            full = now[_FULL] == 1 and (event == NO_RETALIATION or event & 2 == 0)
            usable = accepted and (full or sizes[_FULL] == 1)
            if joint:
                usable = event == USABLE
            for success in range(2):
                action = _choose(setup, sizes, now, usable, not joint or event != NOBODY, success == 1, after)
                attempts = action >= SPECIAL or action == FAILED
                chance = 1.0
                if attempts:
                    chance = activation if success == 1 else 1.0 - activation
                if chance == 0.0 or (success == 0 and not attempts):
                    continue
                after[_FULL] = 1 if full else 0
                if count == len(steps):
                    return count + 1, here
                step = steps[count]
                count += 1
                step["state"] = here
                step["event"] = event
                step["chance"] = chance
                step["action"] = max(action, NOTHING)
                step["attempts"] = attempts
                step["missed"] = _state(sizes, after, names, queue)
                after[_HIT] = 1
                step["touched"] = _state(sizes, after, names, queue)
                after[_DAMAGED] = 1 - setup["condition"]
                step["damaged"] = _state(sizes, after, names, queue)
                after[_HIT] = 0
                step["ticked"] = _state(sizes, after, names, queue)
                after[_DEFEATED] = 1
                step["defeated"] = _state(sizes, after, names, queue)
                step["splintered"] = step["defeated"]
                if action > also_hits:
                    after[_HIT] = 1
                    step["splintered"] = _state(sizes, after, names, queue)
                    after[_HIT] = 0
                after[_CALM] = 1 if setup["waves"] > 1 else 0
                step["cleared"] = _state(sizes, after, names, queue)
        here += 1
    return count, here
