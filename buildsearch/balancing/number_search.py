"""Numbers as chains of steps one way, and sets of them searched by branch and bound.

A chain weakens where every step leaves builds with its option as good as they were or makes them worse. Then
a build that is in the way at the farthest steps of some chains is in the way wherever they go less far: no
step of them needs a look, and whoever adds a chain adds one that touches this build. So sets of chains are a
tree of builds that must be touched, and the steps of a set are boxes that are cut in halves.
"""

from __future__ import annotations

import heapq
import math
import operator
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

from buildsearch.balancing.number_games import GamesEvaluator, Parts
from buildsearch.model.levers import Edit, Lever

# So many looks at the steps of one set of chains.
_LOOKS_A_SET = 24


@dataclass(frozen=True, slots=True)
class StepSequence:
    """The edits of a lever one way, the nearest first."""

    lever: str
    about: Parts
    edits: tuple[Edit, ...]

    @property
    def weakens(self) -> bool:
        return all(edit.strength < 0 for edit in self.edits)


def chains_of(levers: Sequence[Lever]) -> list[StepSequence]:
    """Two for a lever whose number goes up and down; where nobody says what a step does, up and down are told
    apart by nothing, and each edit is a chain of its own."""
    found = []
    for lever in levers:
        by_way: dict[int, list[Edit]] = {}
        for edit in lever.edits:
            by_way.setdefault(edit.strength, []).append(edit)
        for way, edits in by_way.items():
            near = tuple(sorted(edits, key=lambda edit: edit.steps))
            about = frozenset(name for edit in near for name in edit.about)
            some = [near] if way else [(edit,) for edit in near]
            found += [StepSequence(lever.name, about, each) for each in some]
    return found


@dataclass(eq=False)
class BranchAndBound:
    """A search over sets of chains that weaken. At most so many `looks`, and so many times `bounds` are asked
    for; it says what it did, and whether that `is_whole`."""

    chains: Sequence[StepSequence]
    jury: GamesEvaluator
    looks: int
    bounds: int
    until: float = math.inf
    tried: int = 0
    asked: int = 0
    ruled_out: int = 0
    is_whole: bool = True
    left: dict[frozenset[StepSequence], tuple[Parts, ...]] = field(default_factory=dict)

    def sets(self, size: int) -> Iterator[tuple[Edit, ...]]:
        """Edits of so many chains that keep the goal as far as a look says, of each set the nearest ones."""
        done: set[frozenset[StepSequence]] = set()
        stack: list[tuple[StepSequence, ...]] = [()]
        while stack:
            chosen = stack.pop()
            key = frozenset(chosen)
            if key in done:
                continue
            done.add(key)
            if self._is_spent():
                return
            blocker = self._blocker([chain.edits[-1] for chain in chosen])
            if blocker is not None:
                if len(chosen) == size:
                    self.ruled_out += 1
                else:
                    stack += self._children(chosen, (blocker,))
            elif len(chosen) == size:
                yield from self._steps(chosen)
            else:
                stack += self._children(chosen, self.left.get(key, ()))

    def _children(
        self, chosen: tuple[StepSequence, ...], builds: Sequence[Parts]
    ) -> list[tuple[StepSequence, ...]]:
        """One chain more, which touches a build; in the order of chains once taken from the end."""
        taken = {chain.lever for chain in chosen}
        more = [
            (*chosen, chain)
            for chain in self.chains
            if chain.lever not in taken
            and (not (chosen or builds) or any(chain.about & parts for parts in builds))
            and self.jury.reach(chain.edits[-1]) is not None
        ]
        about = frozenset[str]().union(*(chain.about for chain in chosen))

        def promise(some: tuple[StepSequence, ...]) -> tuple[bool, int, float]:
            """Another option than those moved, more of the builds, more of what is in the way today."""
            last = some[-1]
            touched = sum(bool(last.about & parts) for parts in builds)
            return not last.about & about, touched, self.jury.reach(last.edits[-1]) or 0.0

        # The last is taken first; who promises the same, in the order of the chains.
        more.reverse()
        return sorted(more, key=promise)

    def _steps(self, chosen: tuple[StepSequence, ...]) -> Iterator[tuple[Edit, ...]]:
        """The nearest steps of some chains that keep the goal: boxes, those that may be nearest first."""
        order = count()
        first = tuple((0, len(chain.edits) - 1) for chain in chosen)
        heap = [(0, next(order), first)]
        about = frozenset[str]().union(*(chain.about for chain in chosen))
        dead: list[tuple[int, ...]] = []
        looks = 0
        ways: list[Parts] = []
        while heap:
            _, _, box = heapq.heappop(heap)
            far = self._at(chosen, [high for _, high in box])
            if self._is_spent() or looks == _LOOKS_A_SET:
                self.is_whole = False
                break
            near = [low for low, _ in box]
            if any(all(map(operator.ge, near, each)) for each in dead) or self._blocker(far) is not None:
                self.ruled_out += 1
                continue
            side = max(range(len(box)), key=lambda each: box[each][1] - box[each][0])
            low, high = box[side]
            if low < high:
                middle = (low + high) // 2
                for half in ((low, middle), (middle + 1, high)):
                    part = (*box[:side], half, *box[side + 1 :])
                    least = self._at(chosen, [each for each, _ in part])
                    heapq.heappush(heap, (sum(edit.steps for edit in least), next(order), part))
                continue
            looks += 1
            self.tried += 1
            seen = self.jury.look(far)
            if seen.is_kept:
                yield far
                if not self.jury.is_refuted(far):
                    return
            ways += seen.in_the_way
            if any(not about & parts for parts in seen.in_the_way):
                # It is in the way of what these chains have left, and farther steps leave less.
                dead.append(tuple(near))
        self.left[frozenset(chosen)] = tuple(dict.fromkeys(ways))

    def _blocker(self, edits: Sequence[Edit]) -> Parts | None:
        self.asked += 1
        return self.jury.blocker(edits)

    def _is_spent(self) -> bool:
        if self.tried < self.looks and self.asked < self.bounds and time.monotonic() < self.until:
            return False
        self.is_whole = False
        return True

    @staticmethod
    def _at(chosen: Sequence[StepSequence], steps: Sequence[int]) -> tuple[Edit, ...]:
        return tuple(chain.edits[step] for chain, step in zip(chosen, steps, strict=True))


# The levers that sets are made of, the most promising first.
_MOST_LEVERS = 24


@dataclass(eq=False)
class Trials:
    """Sets of up to `most` edits. `tried` says how many were looked at."""

    chains: Sequence[StepSequence]
    jury: GamesEvaluator
    most: int
    trials: int
    seed: int
    until: float = math.inf
    tried: int = 0
    is_whole: bool = False

    def alone(self) -> Iterator[tuple[Edit, ...]]:
        """Every edit by itself that keeps the goal as far as a look says, the small steps first."""
        edits = sorted((edit for chain in self.chains for edit in chain.edits), key=lambda edit: edit.steps)
        for edit in edits:
            if self.tried == self.trials or time.monotonic() > self.until:
                return
            self.tried += 1
            if self.jury.look((edit,)).is_kept:
                yield (edit,)
        self.is_whole = True

    def together(self) -> Iterator[tuple[Edit, ...]]:
        """Sets that keep it, by Optuna: what came near is changed a little."""
        import optuna

        by_lever: dict[str, list[Edit]] = {}
        for chain in self.chains:
            if chain.lever in by_lever or len(by_lever) < _MOST_LEVERS:
                by_lever.setdefault(chain.lever, []).extend(chain.edits)
        if len(by_lever) < 2 or self.most < 2:
            return
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=self.seed))
        for _ in range(self.trials):
            if time.monotonic() > self.until:
                return
            trial = study.ask()
            chosen: dict[str, Edit] = {}
            for place in range(self.most):
                lever = trial.suggest_categorical(f"lever {place}", list(by_lever))
                # A lever that is chosen twice is moved once.
                far = trial.suggest_float(f"step {place}", 0.0, 1.0)
                edits = by_lever[lever]
                chosen.setdefault(lever, edits[min(int(far * len(edits)), len(edits) - 1)])
            some = tuple(chosen.values())
            self.tried += 1
            seen = self.jury.look(some)
            study.tell(trial, seen.gap)
            if seen.is_kept:
                yield self._fewest(some)

    def _fewest(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        for edit in edits:
            rest = tuple(each for each in edits if each is not edit)
            if rest and self.jury.look(rest).is_kept:
                return self._fewest(rest)
        return edits
