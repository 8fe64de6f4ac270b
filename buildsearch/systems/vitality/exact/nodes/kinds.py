"""What a roll did, as far as the rest of the turn and the next turn's choice ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

# While the front lives: it was missed; hit without damage to anybody; hit unharmed, others hurt; the same,
# and some of the others fell; the front was hurt; the front was hurt and others fell; a bleed hurt it, which
# was not hit.
MISSED, TOUCHED, OTHERS, OTHERS_FELL, HARMED, HARMED_FELL, TICKED = range(7)
ALIVE = 7

# How far a turn has got while the front lives: nothing, a hit, a tick, damage, a defeat.
LEVEL = (0, 1, 3, 4, 3, 4, 2)


@dataclass(frozen=True)
class Kinds:
    """Numbers of kinds. Where Combo Move asks who was hit, `classes` is how many classes are told apart.

    While the front lives a kind is (what happened, which classes of others were hit). Then come: the front
    fell and the new one is of this class, and this roll hit it or not; the wave is over, the next one comes.
    Where Splinter goes on from there, all these come again by how many fell, up to `fallen`, and which
    classes were hit stays told apart when the front fell; those who fell behind it are `counted` or not. The
    last kind leads nowhere: of outcomes that are there for other fields.
    """

    classes: int
    fallen: int = 0
    counted: bool = True

    @cached_property
    def patterns(self) -> int:
        """How many sets of classes there are."""
        return 1 << self.classes

    @cached_property
    def down(self) -> int:
        """The first kind after the front fell."""
        return ALIVE * self.patterns

    @cached_property
    def fronts(self) -> int:
        """How many kinds there are after the front fell for each class of the new one."""
        return self.patterns if self.fallen else 2

    @cached_property
    def cleared(self) -> int:
        """The kind after the last of a wave, or of all, fell."""
        return self.down + self.fronts * max(self.classes, 1)

    @cached_property
    def block(self) -> int:
        """How many kinds there are for each number of the fallen."""
        return self.cleared + 1

    @cached_property
    def nowhere(self) -> int:
        """The kind that leads nowhere."""
        return self.block * (1 + self.fallen)

    @cached_property
    def size(self) -> int:
        """How many kinds there are."""
        return self.nowhere + 1
