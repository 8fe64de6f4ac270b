"""A fight of the reference, rewritten as the random words with which the kernel plays the same fight.

The kernel's draws are undone: for each outcome that the reference had, the bits are looked up that make the
kernel's table give it. What word is asked for when is written in the docstring of `fighting`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from buildsearch.systems.vitality.kernel.outcomes import CRITICAL, HIT
from buildsearch.systems.vitality.mechanics.limits import DAMAGED, HIT_UNHARMED
from buildsearch.systems.vitality.reference.events import (
    ActionChosen,
    ActivationRolled,
    BleedTick,
    Retaliation,
    Strike,
    StrikeLost,
    TurnStarted,
)

ALL_ONES = (1 << 32) - 1
BASE = ("base", "chain")


def bits_that_draw(row, bits, code):
    """32 bits for which an alias row gives this code."""
    shift = 32 - bits
    full = 1 << shift
    for column, entry in enumerate(row.tolist()):
        threshold, other, own = entry >> 32, (entry >> 16) & 0xFFFF, entry & 0xFFFF
        if own == code and threshold > 0:
            return column << shift
        if other == code and threshold < full:
            return (column << shift) | (full - 1)
    raise AssertionError(f"no bits draw {code:#x}: the table says that this cannot happen")


@dataclass
class Turn:
    """What the reference did on one turn."""

    activations: list = field(default_factory=list)
    strikes: list = field(default_factory=list)
    lost: list = field(default_factory=list)  # before how many strikes a base strike was lost
    retaliations: list = field(default_factory=list)
    kind: str = "wait"
    living: int = 0


def turns_of(events):
    turns: list[Turn] = []
    for event in events:
        match event:
            case TurnStarted():
                turns.append(Turn(living=len(event.enemies)))
            case ActionChosen():
                turns[-1].kind = event.kind
            case ActivationRolled():
                turns[-1].activations.append((len(turns[-1].strikes), event))
            case Strike():
                turns[-1].strikes.append(event)
            case StrikeLost() if event.cause in BASE:
                turns[-1].lost.append(len(turns[-1].strikes))
            case BleedTick() if not turns[-1].strikes and event.defeated:
                turns[-1].living -= 1
            case Retaliation():
                turns[-1].retaliations.append(event)
    return turns


def attempts_of(rolls):
    """Attempts with one roll for each limit that asks for one: how many strikes came before, and success."""
    found: list[tuple[int, bool]] = []
    names: set[str] = set()
    for before, roll in rolls:
        if not found or roll.enhancement in names:
            found.append((before, True))
            names = set()
        names.add(roll.enhancement)
        found[-1] = (before, found[-1][1] and roll.success)
    return found


class Scripter:
    """Writes the words for one plan."""

    def __init__(self, plan, first_totals):
        self.plan = plan
        self.setup = {name: int(plan.setup[name][0]) for name in plan.setup.dtype.names}
        self.first_totals = first_totals  # the total that column 0 of the grid stands for: basic, special
        self.words: list[int] = []
        self.lost = False

    def script(self, turns):
        for turn in turns:
            self._turn(turn)
        return self.words

    def _turn(self, turn):
        self.words.append(0)
        place = len(self.words) - 1
        self.fresh = place
        self.attempts = attempts_of(turn.activations)
        if turn.strikes:
            if self.setup["area"]:
                self._area(turn.strikes, turn.living, turn.lost)
            else:
                self._single(turn.strikes)
        self._attempt(len(turn.strikes))
        self._retaliation(turn.retaliations, place)

    def _attempt(self, told):
        """The rolls of attempts that came before as many strikes as were told."""
        while self.attempts and self.attempts[0][0] <= told:
            _, success = self.attempts.pop(0)
            if self.setup["activation"] <= ALL_ONES:
                self.words.append(0 if success else ALL_ONES)

    def _give(self, bits):
        """The low half of the next word; the first of a turn is the turn's own."""
        if self.fresh is not None:
            self.words[self.fresh] |= bits
            self.fresh = None
        else:
            self.words.append(bits)

    def _row(self, strike):
        foe = self.plan.foes[strike.target]
        classes = self.setup["classes"]
        level = 0 if strike.attack is None else 1 + min(strike.channel_turns, self.setup["levels"] - 1)
        return classes * level + int(foe["strike_class"])

    def _code(self, strike):
        most = int(self.plan.foes[strike.target]["max_hp"])
        rolled = strike.damage - strike.exposed
        if self.setup["leech"]:
            most = rolled  # half of all of it is healed
        damage = most * strike.landed if self.setup["condition"] else min(rolled, most)
        return HIT * strike.hit + CRITICAL * strike.critical + damage * strike.hit

    def _natural_bits(self, strike):
        which = int(strike.attack is not None)
        return bits_that_draw(self.plan.naturals[which], self.setup["natural_bits"], strike.natural - 1)

    def _total_bits(self, strike):
        which = int(strike.attack is not None)
        total = sum(strike.effect_dice) - self.first_totals[which] if strike.effect_dice else 0
        return bits_that_draw(self.plan.totals[which], self.setup["total_bits"], total)

    def _single(self, strikes):
        for i, strike in enumerate(strikes):
            self._attempt(i)
            if strike.cause == "explosive_critical":
                if self.setup["condition"]:
                    self.words.append(self._total_bits(strike))
                continue
            if self.setup["explosive"] and strike.attack is not None and strike.cause in BASE:
                self._give(self._natural_bits(strike))
                self.words.append(self._total_bits(strike) if strike.effect_dice else 0)
            else:
                self._give(self._strike_bits(strike))

    def _strike_bits(self, strike):
        row = self.plan.strikes[self._row(strike)]
        return bits_that_draw(row, self.setup["strike_bits"], self._code(strike))

    def _area(self, strikes, living, lost):
        """Passes over the area: each catches as many of the living as it may, or one enemy alone."""
        total = len(strikes)
        bases = 0
        while strikes:
            self._attempt(total - len(strikes))
            bases += strikes[0].cause in BASE
            missed = sum(before <= total - len(strikes) for before in lost)
            alone = strikes[0].cause == "extra_attack" and self.setup["extra_single"]
            alone = alone or (self.setup["area_single"] and bases + missed > 1)
            at_one = strikes[0].cause in ("ricochet", "explosive_critical", "splinter")
            size = 1 if alone or at_one else min(living, self.setup["area_limit"])
            targets, strikes = strikes[:size], strikes[size:]
            living -= sum(strike.defeated for strike in targets)
            if at_one:
                if targets[0].cause != "explosive_critical":
                    self.words.append(self._strike_bits(targets[0]))
                elif self.setup["condition"]:
                    self.words.append(self._total_bits(targets[0]))
                continue
            if self.setup["rolls_total"]:
                shared = next((strike for strike in targets if strike.effect_dice), targets[0])
                self._give(self._total_bits(shared))
            if not self.setup["rolls_natural"]:
                continue
            for i, strike in enumerate(targets):
                if self.setup["condition"]:
                    check = self._total_bits(strike) if strike.effect_dice else 0
                    self.words.append(self._natural_bits(strike) | check << 32)
                elif i % 2 == 0:
                    self.words.append(self._natural_bits(strike))
                else:
                    self.words[-1] |= self._natural_bits(strike) << 32

    def _retaliation(self, retaliations, place):
        if not retaliations or (self.lost and not self.setup["hp_matters"]):
            return
        most = 1 << 14 if self.setup["leech"] else self.setup["attacker_hp"]
        bits, cap = self.setup["retaliation_bits"], self.setup["retaliation_cap"]
        if self.setup["one_retaliation_class"]:
            code = self._retaliation_code(retaliations, most)
            row = self.plan.retaliation[len(retaliations) - 1]
            self.words[place] |= bits_that_draw(row, bits, code) << 32
        else:
            for event in retaliations:
                kind = int(self.plan.foes[event.enemy]["retaliation_class"])
                code = self._retaliation_code([event], most)
                self.words.append(bits_that_draw(self.plan.retaliation[kind * cap], bits, code))
        self.lost = self.lost or retaliations[-1].attacker_hp_after <= 0

    def _retaliation_code(self, events, most):
        if not any(event.hit for event in events):
            return 0
        damage = min(sum(event.damage for event in events), most)
        return (DAMAGED << 14) + damage if damage else HIT_UNHARMED << 14
