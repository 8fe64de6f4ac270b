"""When an attack may be used: each condition of the vocabulary as one plain statement.

Several limits on one attack need no rule for combining them: every clause of every limit must hold, so the
lowest number of uses, the longest charge and the longest cooldown decide by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from buildsearch.systems.vitality.rules.vocabulary import Conditions, LastTurn, SinceLastTurn


@dataclass(frozen=True, slots=True)
class Situation:
    """What the clauses look at: one attack of the loadout at the moment of the attacker's choice."""

    turn: int
    hp: int
    max_hp: int
    # This attack's own: how often and when it was attempted, how many charged turns it holds.
    attempts: int
    last_attempt: int | None
    charge: int
    # The retaliation just before this turn.
    was_attacked: bool
    was_hit: bool
    was_damaged: bool
    # The attacker's previous turn, whichever attack it was.
    made_attack: bool
    dealt_damage: bool
    defeated_enemy: bool
    target_was_hit: bool


class Kind(Enum):
    """How greedy play treats a clause that does not hold."""

    STATE = auto()
    PASSIVE = auto()  # worth waiting for
    ACTION = auto()  # not asked while a charge is held
    CHARGE = auto()  # can be worked off by charging
    ROLL = auto()  # decided by a die when the attack is attempted


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition: whether it holds, and the sentence that tells a reader what it asks."""

    kind: Kind
    why: str
    holds: Callable[[Situation], bool]

    def met(self, now: Situation) -> bool:
        """Whether it stands in the way of nothing."""
        # Text, note to Charge Up: action-based limits "are only checked on the FIRST charge turn".
        return (self.kind is Kind.ACTION and now.charge > 0) or self.holds(now)


@dataclass(frozen=True, slots=True)
class Limit:
    """An enhancement with conditions."""

    enhancement: str
    clauses: tuple[Clause, ...]

    def met(self, now: Situation) -> bool:
        """Whether all its clauses are met."""
        return all(clause.met(now) for clause in self.clauses)

    @property
    def why(self) -> str:
        return "; ".join(clause.why for clause in self.clauses)


_SINCE: dict[SinceLastTurn, tuple[str, Callable[[Situation], bool]]] = {
    # Text, Conditional Limits. Before turn 1 and between waves nobody attacked.
    SinceLastTurn.HIT: ("hit since last turn", lambda now: now.was_hit),
    SinceLastTurn.DAMAGED: ("damaged since last turn", lambda now: now.was_damaged),
    SinceLastTurn.HIT_UNHARMED: (
        "hit but not damaged since last turn",
        lambda now: now.was_hit and not now.was_damaged,
    ),
    SinceLastTurn.ALL_MISSED: (
        "attacked and always missed since last turn",
        lambda now: now.was_attacked and not now.was_hit,
    ),
    SinceLastTurn.NOT_DAMAGED: ("not damaged since last turn", lambda now: not now.was_damaged),
    SinceLastTurn.NOT_ATTACKED: ("not attacked since last turn", lambda now: not now.was_attacked),
}

_LAST: dict[LastTurn, tuple[str, Callable[[Situation], bool]]] = {
    # Text, Sequential Action Limits.
    LastTurn.HIT_TARGET: ("the target was hit last turn", lambda now: now.target_was_hit),
    LastTurn.DEALT_DAMAGE: ("damage was dealt last turn", lambda now: now.dealt_damage),
    LastTurn.DEFEATED_ENEMY: ("an enemy was defeated last turn", lambda now: now.defeated_enemy),
}


def clauses_of(asked: Conditions) -> Iterator[Clause]:
    """Every condition that is asked for."""
    yield from _timing_clauses(asked)
    yield from _state_clauses(asked)
    if asked.no_attack_last_turn:  # Passive; spec: "any, basic ones included"
        yield Clause(Kind.PASSIVE, "no attack was made last turn", lambda now: not now.made_attack)
    if asked.last_turn is not None:
        yield Clause(Kind.ACTION, *_LAST[asked.last_turn])
    if (needed := asked.activation_roll) is not None:  # Random Activation Limits
        yield Clause(Kind.ROLL, f"decided by a roll of {needed} or more when attempted", lambda _: True)


def _timing_clauses(asked: Conditions) -> Iterator[Clause]:
    """Turn-Based Limits, and the uses of Charges."""
    if asked.turn is not None and (first := asked.turn.first) is not None:
        yield Clause(Kind.STATE, f"usable from turn {first}", lambda now: now.turn >= first)
    if asked.turn is not None and (last := asked.turn.last) is not None:
        yield Clause(Kind.STATE, f"usable up to turn {last}", lambda now: now.turn <= last)
    if (uses := asked.uses) is not None:
        yield Clause(Kind.STATE, f"at most {uses} uses in a fight", lambda now: now.attempts < uses)
    if (rest := asked.cooldown) is not None:
        # Spec: attempted on turn t, with a cooldown of 3 next on t + 4.
        yield Clause(
            Kind.STATE,
            f"not within {rest} turns after an attempt",
            lambda now: now.last_attempt is None or now.turn > now.last_attempt + rest,
        )
    if (owed := asked.charge) is not None:
        yield Clause(Kind.CHARGE, f"after {owed} charged turns", lambda now: now.charge >= owed)


def _state_clauses(asked: Conditions) -> Iterator[Clause]:
    """HP-Based Limits and Conditional Limits."""
    if (most := asked.hp_at_most) is not None:
        yield Clause(Kind.STATE, f"at {most} HP or fewer", lambda now: now.hp <= most)
    if asked.hp_full:
        yield Clause(Kind.STATE, "at full HP", lambda now: now.hp == now.max_hp)
    if (cost := asked.hp_cost) is not None:  # Attrition; spec v1: "usable above 20 HP", charging turns too
        yield Clause(Kind.STATE, f"above {cost} HP, which an attempt costs", lambda now: now.hp > cost)
    if asked.since_last_turn is not None:
        yield Clause(Kind.STATE, *_SINCE[asked.since_last_turn])
