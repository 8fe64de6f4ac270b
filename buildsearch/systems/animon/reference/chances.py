"""What greedy play expects of a roll, die by die: apart from the tables of the other engines."""

from __future__ import annotations

from functools import lru_cache

from buildsearch.systems.animon.rules.model import Rolling


@lru_cache(maxsize=4096)
def successes(dice: int, chance: float) -> tuple[float, ...]:
    """The chance of each number of successes."""
    found = [1.0]
    for _ in range(dice):
        after = [0.0] * (len(found) + 1)
        for number, likely in enumerate(found):
            after[number] += likely * (1 - chance)
            after[number + 1] += likely * chance
        found = after
    return tuple(found)


@lru_cache(maxsize=4096)
def margins(ours: int, our_chance: float, theirs: int, their_chance: float) -> tuple[float, ...]:
    """The chance of each margin; the first is that of a miss."""
    found = [0.0] * (ours + 1)
    for hits, likely in enumerate(successes(ours, our_chance)):
        for dodges, also in enumerate(successes(theirs, their_chance)):
            found[max(0, hits - dodges)] += likely * also
    return tuple(found)


def chance_of(dice: Rolling, net: int) -> float:
    """That a die succeeds at a net boost. Spec, Dice: sources add up, and the sum is limited."""
    net = max(-dice.most_boost, min(dice.most_boost, net))
    return (dice.sides + 1 - dice.success + net) / dice.sides
