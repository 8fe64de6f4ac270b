"""A build space: which builds exist, what they are called, and how to move between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from buildsearch.model.arrays import Ints
from buildsearch.model.errors import Problem


class Feature(NamedTuple):
    """A part of a build; a card that occurs four times has level 4."""

    name: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of a space is asked for; empty means everything."""

    groups: tuple[str, ...] = ()
    with_features: tuple[str, ...] = ()
    without_features: tuple[str, ...] = ()

    def allows(self, space: BuildSpace, build: Any) -> bool:
        """Whether a legal build is in that part."""
        if self == Wanted():
            return True
        has = {feature.name for feature in space.features(build) if feature.level}
        return (
            (not self.groups or space.encode(build).group in self.groups)
            and has.issuperset(self.with_features)
            and has.isdisjoint(self.without_features)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Builds of one group as rows of codes; only the space that made it can read them."""

    group: str
    codes: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.codes)

    def some(self, rows: Any) -> Chunk:
        """Some of its builds: their rows, a mask or a slice."""
        return Chunk(self.group, self.codes[rows])


class BuildSpace(Protocol):
    """Every legal build under one set of rules and parameters. `Any` is the system's own build type."""

    @property
    def grouped_by(self) -> str:
        """The word for what `count` and chunks are grouped by."""

    @property
    def groups_have_parts(self) -> bool:
        """Whether groups differ in parts that are bought like others, and not just in kind."""

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """The parameters in force, defaults filled in."""

    def parse(self, text: str) -> Any:
        """Read a build; raises InputError with everything that is wrong about the text."""

    def name(self, build: Any) -> str:
        """The canonical name: equal builds have equal names, and parsing it gives the build back."""

    def features(self, build: Any) -> tuple[Feature, ...]:
        """What the build is made of."""

    def cost(self, build: Any) -> int:
        """What the build costs in points."""

    def costs(self, chunk: Chunk) -> Ints:
        """What each build of a chunk costs in points."""

    def reasons_against(self, build: Any, *, at_any_cost: bool = False) -> list[Problem]:
        """Every reason why the build is illegal, its cost aside if told; empty when it is legal."""

    def count(self, wanted: Wanted) -> dict[str, int]:
        """The number of legal builds in each group."""

    def chunks(self, wanted: Wanted, size: int) -> Iterator[Chunk]:
        """Every legal build once, in a fixed order, at most `size` at a time."""

    def builds(self, chunk: Chunk) -> Iterator[Any]:
        """The builds of a chunk as objects: for showing some, not for work on all."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Everything that a build of the space can have, in the order of the columns of `levels`."""

    def levels(self, chunk: Chunk) -> NDArray[np.uint8]:
        """How much of each feature each build of a chunk has, as (builds, features)."""

    def encode(self, build: Any) -> Chunk:
        """A chunk of this one build."""

    def table(self, chunk: Chunk) -> Mapping[str, Any]:
        """The columns of a chunk, for a CSV or Parquet file."""

    def sample(self, wanted: Wanted, size: int, rng: np.random.Generator) -> list[Any]:
        """Builds drawn uniformly, with replacement."""

    def drop(self, build: Any, feature: str) -> Any | None:
        """The legal build that lacks just this feature; None where there is none."""

    def neighbours(self, build: Any) -> Iterator[Any]:
        """The legal builds one change away."""

    @property
    def most_to_rank(self) -> int | None:
        """With more builds than this, ranking every one is out of reach; None if it never is."""

    def parts(self, wanted: Wanted) -> tuple[str, ...]:
        """The features that are put together freely within a group; the rest follows from the group."""

    def most_parts(self, wanted: Wanted) -> int:
        """No build has more parts, each counted as often as the build has it."""

    def assembled(self, wanted: Wanted, group: str, parts: Sequence[str]) -> Any | None:
        """The legal build of a group from parts, the most important first; None if the group has none.

        What does not fit is left out, what must be there is put in. The parts of a legal build, in any order,
        give that build.
        """
