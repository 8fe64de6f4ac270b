"""Which heroes a fight cannot tell apart: each row becomes the first of its kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.dungeoneers.exact.layout import AMBIENT, ARMOR
from buildsearch.systems.dungeoneers.exact.template import (
    AGAINST,
    AV,
    BANE,
    BOOK_BASE,
    BOOK_DEED,
    BOOK_PIERCE,
    KNOWN,
    MIND,
    PIERCE,
    POWER,
    RESISTANCE,
    SAVES,
    SPELL,
    SR,
    TEST,
    TYPE,
    Template,
    most_extra,
)
from buildsearch.systems.dungeoneers.mechanics.rolls import HIGHEST, PIERCE_DICE

Rows = NDArray[np.int64]


class Equivalence:
    """What a fight looks at. Whatever it never reads, or reads to the same chances, is made the same."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.rounds, self.counts_bane, self.is_capped = (int(template.hero[i]) for i in (3, 4, 5))
        book, foes = template.book, template.foes
        cast = [
            number
            for number in range(len(book))
            if book[number, BOOK_DEED] < ARMOR and any(self._can_cast(foe, number) for foe in foes)
        ]
        self._resisted = {int(book[number, AGAINST]) for number in cast if book[number, TEST] == SAVES}
        self._sr = self._sr_map({int(book[number, BOOK_PIERCE]) for number in cast})
        self._types = _first_alike(template.changes.T)
        self._av = {armored: self._av_map(armored) for armored in (False, True)}
        self._pierce = self._pierce_map()

    def reduced(self, rows: Rows) -> Rows:
        """The first of its kind for each row."""
        rows, book = rows.copy(), self.template.book
        if not self.counts_bane:
            rows[:, BANE] = 0
        rows[rows[:, SPELL] - rows[:, BANE] < 1, KNOWN] = 0
        top = rows[:, MIND] if self.is_capped else rows[:, MIND] + self.rounds
        for number in range(len(book)):
            too_dear = max(0, book[number, BOOK_BASE] - int(self.template.law[AMBIENT])) > top
            rows[too_dear, KNOWN] &= ~(1 << number)
        self._forget_magic(rows)
        if RESISTANCE not in self._resisted:
            rows[:, RESISTANCE] = 0
        armors = sum(1 << number for number in range(len(book)) if book[number, BOOK_DEED] == ARMOR)
        is_armored = rows[:, KNOWN] & armors != 0
        rows[:, AV] = np.where(is_armored, self._av[True][rows[:, AV]], self._av[False][rows[:, AV]])
        rows[:, SR] = self._sr[rows[:, SR]]
        rows[:, TYPE] = self._types[rows[:, TYPE]]
        if POWER not in self._resisted:
            first = self._pierce[rows[:, PIERCE], rows[:, POWER]]
            rows[:, PIERCE], rows[:, POWER] = first[:, 0], first[:, 1]
        return rows

    def _forget_magic(self, rows: Rows) -> None:
        """What only casters need: of those who cast nothing, or nothing that takes this roll."""
        book = self.template.book
        at_others = sum(1 << number for number in range(len(book)) if book[number, BOOK_DEED] < ARMOR)
        attacks = sum(
            1 << number
            for number in range(len(book))
            if book[number, BOOK_DEED] < ARMOR and book[number, TEST] != SAVES
        )
        known = rows[:, KNOWN]
        rows[known & at_others == 0, BANE] = 0
        if SPELL not in self._resisted:
            unused = known & attacks == 0
            rows[unused, SPELL] = np.where(known[unused] == 0, 0, rows[unused, BANE] + 1)
        if MIND not in self._resisted:
            rows[known == 0, MIND] = 0

    def _can_cast(self, foe: Rows, number: int) -> bool:
        top = foe[MIND] if self.is_capped else foe[MIND] + self.rounds
        base = max(0, self.template.book[number, BOOK_BASE] - int(self.template.law[AMBIENT]))
        return bool((foe[KNOWN] >> number) & 1 and foe[SPELL] >= 1 and base <= top)

    def _av_map(self, armored: bool) -> Rows:
        """By the chances that the foes pierce it, with magic armour too where that can be had."""
        template = self.template
        reaches = [template.reaches[foe[PIERCE], foe[POWER]].T for foe in template.foes]
        plain = np.concatenate(reaches, axis=1)
        if not armored:
            return _first_alike(plain)
        raised = plain[np.minimum(np.arange(HIGHEST + 1) + template.armor, HIGHEST)]
        return _first_alike(np.concatenate([plain, raised], axis=1))

    def _sr_map(self, dice: set[int]) -> Rows:
        """By the chances that the foes' spells go through: nobody casts at the hero, and all are one."""
        most = min(PIERCE_DICE, most_extra(self.template) + 1)
        chances = [self.template.reaches[die, 1 : most + 1, 0].T for die in sorted(dice)]
        return _first_alike(np.concatenate([np.zeros((HIGHEST + 1, 1)), *chances], axis=1))

    def _pierce_map(self) -> Rows:
        """By the chances that die and power pierce the foes."""
        template = self.template
        dice, powers = template.reaches.shape[0], int(template.reaches.shape[1])
        numbers = sorted({int(foe[AV]) + extra for foe in template.foes for extra in (0, template.armor)})
        chances = template.reaches[:, :, :, numbers].reshape(dice * powers, -1)
        first = _first_alike(chances)
        return np.stack([first // powers, first % powers], axis=1).reshape(dice, powers, 2)


def _first_alike(chances: NDArray[np.float64] | NDArray[np.int64]) -> Rows:
    """For each row of chances the number of the first one that is the same."""
    seen: dict[bytes, int] = {}
    return np.array(
        [seen.setdefault(row.tobytes(), i) for i, row in enumerate(np.ascontiguousarray(chances))]
    )
