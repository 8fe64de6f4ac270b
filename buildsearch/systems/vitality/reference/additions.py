"""Who adds what to one kind of roll (accuracy, damage or condition) of one attack."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from buildsearch.systems.vitality.rules.vocabulary import Slayer

Named = tuple[str, int]


class Sum(NamedTuple):
    """The additions to one roll: each by name, their total, and whose were not there on every roll."""

    modifiers: tuple[Named, ...]
    total: int
    occasional: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChannelGrowth:
    """What an attack made turn after turn gains on this roll."""

    enhancement: str
    own: int
    step: int
    cap: int
    caps_net: bool

    def after(self, turns: int) -> int:
        """The bonus after so many consecutive previous turns."""
        # Text, Channeled: "cannot give you more than 5 x Tier bonus". Ruling channel_cap, net: the cap
        # binds the option's own penalty and the growth together; bonus: the growth alone.
        if self.caps_net:
            return min(self.own + turns * self.step, self.cap) - self.own
        return min(turns * self.step, self.cap)


@dataclass(frozen=True, slots=True)
class Additions:
    """Everything that may be added to one kind of roll."""

    always: tuple[Named, ...]
    slayers: tuple[tuple[str, Slayer, int], ...] = ()
    channel: ChannelGrowth | None = None
    critical: tuple[Named, ...] = ()
    _memo: dict[tuple[int, int, bool], Sum] = field(default_factory=dict, repr=False, compare=False)

    def at(self, max_hp: int, channel_turns: int, critical: bool = False) -> Sum:
        """What is added against an enemy of this maximum HP, so long into a channel."""
        key = (max_hp, channel_turns, critical)
        if key not in self._memo:
            self._memo[key] = self._work_out(max_hp, channel_turns, critical)
        return self._memo[key]

    def _work_out(self, max_hp: int, channel_turns: int, critical: bool) -> Sum:
        # Text, Enemy Type Bonuses: the bonus applies against enemies of that maximum HP.
        occasional = [(name, amount) for name, slayer, amount in self.slayers if slayer.matches(max_hp)]
        if self.channel is not None:
            # Text, Channeled: "+Tier ... for each consecutive turn making the same channeled attack".
            occasional.append((self.channel.enhancement, self.channel.after(channel_turns)))
        if critical:
            # Text, Key Game Mechanics: a critical adds Tier; Powerful Critical: "add Tier bonus again".
            occasional.extend(self.critical)
        occasional = [(name, amount) for name, amount in occasional if amount]
        modifiers = (*self.always, *occasional)
        return Sum(modifiers, sum(amount for _, amount in modifiers), tuple(name for name, _ in occasional))
