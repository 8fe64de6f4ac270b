"""Draw pile, hand and discard. Text, Deck Management Rules."""

from __future__ import annotations

from buildsearch.evaluate.randomness import Dice
from buildsearch.systems.armitage.reference.battle import Body


def shuffle(cards: list[str], dice: Dice) -> None:
    """Fisher and Yates: every order is equally likely."""
    for last in range(len(cards) - 1, 0, -1):
        other = dice.roll(last + 1) - 1
        cards[last], cards[other] = cards[other], cards[last]


def fill_hand(body: Body, size: int, dice: Dice) -> bool:
    """Draw until the hand is full; spec: what is left of the pile first, then the discard reshuffled.

    Drawing as a turn begins is the same as drawing at the end of the turn before: nobody else's turn
    touches the piles. The answer is whether the discard was reshuffled.
    """
    reshuffled = False
    while len(body.hand) < size:
        if not body.draw_pile:
            if not body.discard:
                break
            body.draw_pile, body.discard = body.discard, []
            shuffle(body.draw_pile, dice)
            reshuffled = True
        body.hand.append(body.draw_pile.pop())
    return reshuffled
