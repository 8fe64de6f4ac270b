"""A piece of work as it travels, and what is done with it where it arrives.

It holds all that its scores hang on; what comes back is a shard of the cache, whose checksum covers the
context too. So scores of other rules, of another fight or engine are never taken for those that were asked
for. Versions must be the same everywhere, or scores might differ: our own code, and whoever computes for it.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from buildsearch.evaluate.randomness import content_digest
from buildsearch.model.evaluation import Sampling
from buildsearch.model.scorer import BulkScorer
from buildsearch.model.space import Chunk
from buildsearch.search.cached_scorer import SOLVED, rows_of, sampling_context, solving_context
from buildsearch.search.score_cache import pack_shard


class OtherVersionsError(Exception):
    """The worker and the client are not the same; says what differs."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Builds of one chunk in one fight: solved `how`, or sampled where `fights` are given.

    `content` is a digest of what its scores hang on: the context, and what the builds do.
    """

    versions: Mapping[str, str]
    content: bytes
    scorer: bytes
    fight: bytes
    group: str
    codes: NDArray[np.uint64]
    how: bytes = SOLVED
    seed: int = 0
    fights: int | None = None

    @property
    def name(self) -> str:
        """By content: whoever asks for the same asks for one and the same piece."""
        digest = content_digest(f"{sorted(self.versions.items())}".encode(), self.content)
        return f"buildsearch-{'solve' if self.fights is None else 'sample'}-{digest.hex()[:32]}"

    def work(self) -> bytes:
        """Its scores, as a shard."""
        scorer: BulkScorer = _unpacked(self.scorer)
        fight = _unpacked(self.fight)
        chunk = Chunk(self.group, self.codes)
        if self.fights is not None:
            context = sampling_context(scorer, self.group, fight, self.seed, self.fights)
            numbers = rows_of(scorer.sample(chunk, fight, self.seed, self.fights))
        else:
            context = solving_context(scorer, self.how, self.group, fight)
            solve = scorer.solve if self.how == SOLVED else scorer.solve_alone
            numbers = solve(chunk, fight)[:, None]
        return pack_shard(context, scorer.keys(chunk), numbers)


@dataclass(frozen=True, slots=True, eq=False)
class BuildsToDescribe:
    """All metrics of builds in fights. `asked`: the numbers of an evaluator and of a fight, and a build."""

    versions: Mapping[str, str]
    evaluators: bytes
    fights: tuple[bytes, ...]
    asked: bytes

    @property
    def name(self) -> str:
        """By content."""
        about = f"{sorted(self.versions.items())}"
        digest = content_digest(about.encode(), self.evaluators, *self.fights, self.asked)
        return f"buildsearch-evaluate-{digest.hex()[:32]}"

    def work(self) -> bytes:
        """Their evaluations."""
        evaluators: Sequence[Any] = _unpacked(self.evaluators)
        fights = [_unpacked(fight) for fight in self.fights]
        asked = pickle.loads(self.asked)  # noqa: S301 - from whoever hired us
        return packed(
            [
                evaluators[evaluator].evaluate(build, fights[fight], Sampling(0))
                for evaluator, fight, build in asked
            ]
        )


def work(data: bytes) -> bytes:
    """What a worker runs. Raises OtherVersionsError before anything is computed by other code."""
    said, piece = pickle.loads(data)  # noqa: S301 - Dask runs whatever a client sends; see docs/cluster.md
    told = difference(said, versions())
    if told is not None:
        raise OtherVersionsError(told)
    found: bytes = pickle.loads(piece).work()  # noqa: S301 - the same
    return found


def wrapped(piece: Piece | BuildsToDescribe) -> bytes:
    """A piece as it travels: versions outside, as what is inside may not be readable for others."""
    return packed((dict(piece.versions), packed(piece)))


def packed(thing: Any) -> bytes:
    """As bytes; raises whatever pickle does where it cannot travel."""
    return pickle.dumps(thing, protocol=5)


# Scorers and fights come with every piece, and are read once: they remember what they worked out.
@lru_cache(maxsize=64)
def _unpacked(data: bytes) -> Any:
    return pickle.loads(data)  # noqa: S301 - the same


_PACKAGE = Path(__file__).resolve().parent.parent
_CODE = "code of buildsearch"


@cache
def versions() -> dict[str, str]:
    """By name: the version, and of our own code a digest, as a clone may differ from the release it names."""
    # As they are installed: numba is not imported for it, as it may have to be told where to keep its code.
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **{name: version(name) for name in ("buildsearch", "numpy", "numba", "llvmlite")},
        _CODE: _code(),
    }


def _code() -> str:
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str | None:
    """What differs between this machine and a worker, in words; None: nothing."""
    told = [
        f"{name} {there.get(name, 'missing')} instead of {own}"
        for name, own in here.items()
        if name != _CODE and there.get(name) != own
    ]
    if not told and there.get(_CODE) != here.get(_CODE):
        told = [f"other code under the same version of buildsearch ({here.get('buildsearch')})"]
    return ", ".join(told) or None
