"""What a matrix of win rates says of a game: who is better, and how much goes in circles."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from buildsearch.model.arrays import Bools, Floats
from buildsearch.model.evaluation import TIE


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """`ratings`: how much more than half each build wins against an average one of the pool.

    Ratings explain as much of the edges as one number for each build can; `cyclic` is the share of the edges'
    squares that they leave over, what fights of noise would leave taken off. `triples` are those in which
    every pair is decided, `cycles` those of them in which A beats B, B beats C and C beats A: a quarter where
    chance decides who beats whom, none where the better build always wins.
    """

    ratings: Floats
    cyclic: float
    triples: int
    cycles: tuple[tuple[int, int, int], ...]
    undecided: int  # pairs
    order: tuple[int, ...]  # in which circles show

    @property
    def cycle_share(self) -> float | None:
        """Of the decided triples; None where there is none."""
        return len(self.cycles) / self.triples if self.triples else None


def structure(means: Floats, low: Floats, high: Floats, errors: Floats) -> Structure:
    """Everything about a matrix. Who beats whom is decided where a bound says so."""
    edges = means - 0.5
    ratings = edges.mean(axis=1)
    beats = low > 0.5 + TIE
    decided = beats | beats.T
    triples, cycles = _cycles(beats, decided)
    pairs = np.triu_indices(len(means), 1)
    return Structure(
        ratings=ratings,
        cyclic=_cyclic_share(edges, ratings, errors),
        triples=triples,
        cycles=tuple(cycles),
        undecided=int((~decided[pairs]).sum()),
        order=circular_order(edges, ratings),
    )


def _cyclic_share(edges: Floats, ratings: Floats, errors: Floats) -> float:
    """The part of the sum of squares that ratings do not explain.

    Errors add their variance to every pair, and one in n / 2 of it is taken for ratings.
    """
    size = len(edges)
    pairs = np.triu_indices(size, 1)
    noise = float((errors[pairs] ** 2).sum())
    rest = edges - (ratings[:, None] - ratings[None, :])
    whole = float((edges[pairs] ** 2).sum()) - noise
    left = float((rest[pairs] ** 2).sum()) - noise * max(0.0, 1 - 2 / size)
    return min(1.0, max(0.0, left / whole)) if whole > 0 else 0.0


def _cycles(beats: Bools, decided: Bools) -> tuple[int, list[tuple[int, int, int]]]:
    triples, found = 0, []
    for a, b, c in combinations(range(len(beats)), 3):
        if decided[a, b] and decided[b, c] and decided[a, c]:
            triples += 1
            if beats[a, b] and beats[b, c] and beats[c, a]:
                found.append((a, b, c))
            elif beats[b, a] and beats[c, b] and beats[a, c]:
                found.append((a, c, b))
    return triples, found


def circular_order(edges: Floats, ratings: Floats) -> tuple[int, ...]:
    """Builds by their angle in the strongest circle of who beats whom, each before those that it beats.

    An antisymmetric matrix moves a plane in circles: its leading pair of eigenvalues is imaginary, and the
    angles of the eigenvector say who follows whom. The circle is cut at its widest gap. Where there is none,
    ratings decide.
    """
    if len(edges) < 3 or np.abs(edges).max() < 1e-12:
        return tuple(int(i) for i in np.argsort(-ratings, kind="stable"))
    _, vectors = np.linalg.eigh(1j * edges)
    angles = np.angle(vectors[:, -1])
    around = np.argsort(angles, kind="stable")
    gaps = np.diff(np.append(angles[around], angles[around[0]] + 2 * np.pi))
    first = int(np.argmax(gaps)) + 1
    around = np.roll(around, -first)
    # Both ways round are the same circle: take that in which neighbours lie before those whom they beat.
    forward = float(edges[around[:-1], around[1:]].sum())
    chosen = around if forward >= 0 else around[::-1]
    return tuple(int(i) for i in chosen)
