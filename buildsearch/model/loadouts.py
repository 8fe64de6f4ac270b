"""Several builds taken together: what a search for the best of them needs to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from buildsearch.model.arrays import Floats, Ints
from buildsearch.model.space import Wanted


@dataclass(frozen=True, slots=True)
class Use:
    """An action, the candidate of the loadout (by its place) whose use it is if any, its share of decisions.

    `action` calls candidates A, B, C, ... by their place.
    """

    part: int | None
    action: str
    share: float


class LoadoutScorer(Protocol):
    """Values of loadouts of `size` candidates; smaller is better. A candidate may be taken twice."""

    @property
    def size(self) -> int:
        """How many candidates a loadout takes."""

    @property
    def candidates(self) -> int:
        """How many there are to take from."""

    @property
    def left_out(self) -> Mapping[str, int]:
        """Builds that are no candidates, by reason. Reasons that prove that nothing is lost start with =."""

    @property
    def extra(self) -> int:
        """How many builds stand behind the candidates, with values, but too slow for what is to be proved."""

    @property
    def sampled(self) -> int:
        """How many builds stand behind all of those, that only fights can value, at least in some fights."""

    @property
    def sampled_method(self) -> str:
        """How such fights are played, in a word."""

    def outcome_range(self, fight: int) -> tuple[float, float]:
        """The least and the most that a fight's outcome can be."""

    def exact_values(self, fight: int, loadouts: Ints) -> Floats:
        """Exact values of loadouts with such builds, NaN where there is none at little cost."""

    def fight_on(self, fight: int, loadouts: Ints, fights: int, first_block: int = 0) -> tuple[Ints, Ints]:
        """By loadout: sums of the outcomes of so many fights, and of their squares.

        The fights are those of the blocks from `first_block` on: what a loadout gets depends on nothing else.
        """

    def floor_with_extra(self) -> Floats:
        """By fight: a number that no loadout is below, those with such builds included."""

    @property
    def replaced(self) -> int:
        """How many candidates are known to be replaced without loss by others, in some loadouts at least."""

    @property
    def without_value(self) -> str | None:
        """In words, which loadouts of candidates have no value; None: all have one."""

    def values(self, loadouts: Ints) -> Floats:
        """By loadout (rows of any number of candidates) and fight; NaN where a loadout has no value."""

    def fight_values(self, fight: int, loadouts: Ints) -> Floats:
        """The same in one fight, by its number."""

    def bounds(self, rest: tuple[int, ...]) -> Floats:
        """By candidate and fight: a number that `rest` with this candidate is not below.

        Infinite for candidates that another replaces without loss in such a loadout.
        """

    def guesses(self, rest: tuple[int, ...]) -> Floats:
        """By candidate and fight: what `rest` with this candidate may be worth; only an order to try them."""

    def floor_near(self, loadout: tuple[int, ...]) -> Floats:
        """By fight: another number that no loadout of candidates is below, good if this one is."""

    def floor(self) -> Floats:
        """By fight: a number that no loadout of candidates is below."""

    def build(self, loadout: tuple[int, ...]) -> Any:
        """The loadout as a build of the space."""

    def uses(self, loadouts: Sequence[tuple[int, ...]]) -> list[list[list[Use]]]:
        """By loadout and fight: how often each action is taken, the most frequent first."""


@runtime_checkable
class PicksLoadouts(Protocol):
    """A system whose characters may take several builds."""

    loadout_member: str  # what one of them is called

    def loadout_size(self, space: Any) -> int:
        """How many builds a character takes; 1: there are no loadouts."""

    def loadout_bytes(self, builds: int, fights: int) -> int:
        """Memory that candidates among so many builds take, about."""

    def loadouts(
        self,
        rules: Any,
        space: Any,
        fights: Mapping[str, Any],
        wanted: Wanted,
        most: int | None,
        *,
        seed: int = 0,
        jobs: int = 1,
    ) -> LoadoutScorer | None:
        """Candidates for loadouts, all or `most` at most; None where a character takes one build.

        `seed`: of fights where they are needed; `jobs` threads, which do not matter to any result.
        """
