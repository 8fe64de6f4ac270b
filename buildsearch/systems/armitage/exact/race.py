"""A duel in which both sides can only attack, with one kind of attack each: a race of two clocks.

Neither side can touch the other's progress, so each needs a number of turns that is independent of the
other's, and the win probability is a sum of products over turns instead of a walk through joint states.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines.wins import DREW, LOST, OUTCOMES, WON
from buildsearch.systems.armitage.bouts import Fighter
from buildsearch.systems.armitage.rules.chances import damage_chances
from buildsearch.systems.armitage.rules.model import ArmitageRules, Strike


@dataclass(frozen=True, slots=True, eq=False)
class Siege:
    """One side's attacks on the other, turn by turn; index 0 is before the first turn."""

    standing: NDArray[np.float64]  # the chance that the target still stands after so many turns
    mean_hp: NDArray[np.float64]  # its mean HP then, 0 where it does not stand


@dataclass(frozen=True, slots=True, eq=False)
class RaceResult:
    """Exact numbers of a duel."""

    outcomes: NDArray[np.float64]
    rounds: float
    hp_left: float


def attack_of(rules: ArmitageRules, fighter: Fighter) -> str | None:
    """The only card of a deck, where it is an attack."""
    if len(fighter.deck) != 1:
        return None
    ((name, _),) = fighter.deck
    return name if rules.cards[name].attack is not None else None


def attacks_a_turn(rules: ArmitageRules, fighter: Fighter) -> int:
    """As many as AP and hand allow: with one kind of card the hand is always full, or the whole deck."""
    ((name, number),) = fighter.deck
    return min(fighter.stats.ap // rules.cards[name].ap, rules.hand, number)


def besiege(rules: ArmitageRules, attacker: Fighter, target: Fighter, turns: int) -> Siege:
    """The target's fate under so many turns of the attacker's only attack."""
    ((name, _),) = attacker.deck
    strike = rules.cards[name].attack
    assert strike is not None  # noqa: S101 - asked by whoever calls
    step = _attack_step(rules, strike, target)
    attacks = attacks_a_turn(rules, attacker)
    full_hp, tuf = target.stats.hth, target.stats.tuf
    # Chances by (hit counter, HP); the counter stops at TUF.
    state = np.zeros((tuf + 1, full_hp + 1))
    state[0, full_hp] = 1.0
    hp = np.arange(full_hp + 1)
    standing, mean_hp = np.zeros(turns + 1), np.zeros(turns + 1)
    standing[0], mean_hp[0] = 1.0, full_hp
    for turn in range(1, turns + 1):
        for _ in range(attacks):
            state = _attacked(state, step)
        standing[turn] = state[:, 1:].sum()
        mean_hp[turn] = (state @ hp).sum()
    return Siege(standing, mean_hp)


def race(rules: ArmitageRules, ours: Fighter, theirs: Fighter, max_turns: int) -> RaceResult:
    """A duel; a coin decides who begins where initiative does not."""
    turns = (max_turns + 1) // 2
    on_them, on_us = besiege(rules, ours, theirs, turns), besiege(rules, theirs, ours, turns)
    gap = ours.stats.initiative - theirs.stats.initiative
    first = 0.5 if gap == 0 else float(gap > 0)
    results = []
    for chance, we_begin in ((first, True), (1 - first, False)):
        if chance:
            results.append((chance, _race(on_them, on_us, max_turns, we_begin=we_begin)))
    return RaceResult(
        outcomes=np.sum([chance * result.outcomes for chance, result in results], axis=0),
        rounds=sum(chance * result.rounds for chance, result in results),
        hp_left=sum(chance * result.hp_left for chance, result in results),
    )


def _race(on_them: Siege, on_us: Siege, max_turns: int, *, we_begin: bool) -> RaceResult:
    outcomes = np.zeros(OUTCOMES)
    rounds = hp_left = 0.0
    # Turns taken so far by us and by them.
    ours = theirs = 0
    for turn in range(1, max_turns + 1):
        if (turn % 2 == 1) == we_begin:
            ours += 1
            # They fall on this turn, while we still stand: two independent events.
            falls = on_them.standing[ours - 1] - on_them.standing[ours]
            outcomes[WON] += falls * on_us.standing[theirs]
            rounds += ((turn + 1) // 2) * falls * on_us.standing[theirs]
            hp_left += falls * on_us.mean_hp[theirs]
        else:
            theirs += 1
            falls = on_us.standing[theirs - 1] - on_us.standing[theirs]
            outcomes[LOST] += falls * on_them.standing[ours]
            rounds += ((turn + 1) // 2) * falls * on_them.standing[ours]
    both = on_them.standing[ours] * on_us.standing[theirs]
    outcomes[DREW] = both
    rounds += ((max_turns + 1) // 2) * both
    hp_left += on_them.standing[ours] * on_us.mean_hp[theirs]
    return RaceResult(outcomes, rounds, hp_left)


def _attack_step(
    rules: ArmitageRules, strike: Strike, target: Fighter
) -> tuple[dict[int | None, float], dict[int | None, float]]:
    """The chances of each damage while RES lasts, and after."""
    stats = target.stats
    protected = damage_chances(rules, strike, stats.eva, stats.res)
    bare = damage_chances(rules, strike, stats.eva, 0)
    return (
        {damage: float(chance) for damage, chance in protected.items()},
        {damage: float(chance) for damage, chance in bare.items()},
    )


def _attacked(
    state: NDArray[np.float64], step: tuple[dict[int | None, float], dict[int | None, float]]
) -> NDArray[np.float64]:
    after = np.zeros_like(state)
    after[:, 0] = state[:, 0]  # who has fallen is not attacked again
    tuf = len(state) - 1
    for hits in range(tuf + 1):
        protected = hits < tuf
        for damage, chance in step[0 if protected else 1].items():
            if damage is None:
                after[hits, 1:] += chance * state[hits, 1:]
                continue
            row, standing = after[hits + int(protected)], chance * state[hits, 1:]
            row[1 : max(1, len(row) - damage)] += standing[damage:]
            row[0] += standing[:damage].sum()
    return after
