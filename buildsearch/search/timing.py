"""How long a run takes: its stages by the clock, and the time that is left.

The time left follows from seconds per unit of each kind of work, kept on this machine by finished runs, and
from how this run has gone so far. It decides nothing about scores. Compiling is not counted.
"""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.model.errors import UsageError
from buildsearch.search.cache import MOST_HELD
from buildsearch.search.race import RaceRules
from buildsearch.search.scoring import Advance

# Opens a bar: what is counted, and how many of it there will be.
Bar = Callable[[str, int], AbstractContextManager[Advance]]

RATES = "rates.json"
_MOST_BYTES = 1 << 20
# The kinds of work in their order, and seconds of one thread for a unit where no rate is kept.
_DEFAULTS = {"search": 0.02, "solve": 5e-5, "floor": 5e-7, "race": 7e-7, "order": 0.05, "write": 1e-6}
# The share of (build, fight) that is sampled, where none is kept.
OPEN = "open"
_DEFAULT_OPEN = 0.1
# The kind of work behind the first word of a bar.
_KINDS = {"trying": "search", "solving": "solve", "sampling": "floor", "racing": "race", "details": "order"}
# A race is over when each (build, fight) near the top has had about so many fights.
_FIGHTS_TO_DECIDE = 1 << 17
# Seconds at the default that are mixed into every rate.
_FEW = 3.0
# Rates count as much as a few seconds and this share of a run would: kept ones, and the defaults.
_TRUST_KEPT, _TRUST_DEFAULTS = 0.1, 0.01
# A piece that takes longer than expected leaves at least this share of the time left when it was begun.
_LEAST_LEFT = 0.1
# A kind of work that is not over is at most so far.
_MOST_DONE = 0.95
# Beyond the arrays: the interpreter, compiled code, and what engines hold that solve slow builds alone.
_BASE_BYTES = 1200 << 20
# Numbers of every build that ranking them holds at once.
_COLUMNS = 8


class Stages:
    """A stopwatch: whatever has passed since the last mark belongs to the stage that is named now.

    Stages follow one another without a gap, so they add up to the whole.
    """

    def __init__(self, begun: float | None = None) -> None:
        self._last = time.perf_counter() if begun is None else begun
        self._seconds: dict[str, float] = {}

    def mark(self, stage: str) -> None:
        """A stage ends."""
        now = time.perf_counter()
        self._add(stage, now - self._last)
        self._last = now

    def take(self, seconds: Mapping[str, float], rest: str) -> None:
        """Stages that were timed elsewhere since the last mark end; what is left over goes to `rest`."""
        now = time.perf_counter()
        for stage, took in seconds.items():
            self._add(stage, took)
        self._add(rest, max(0.0, now - self._last - sum(seconds.values())))
        self._last = now

    def _add(self, stage: str, took: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + took

    def rounded(self) -> dict[str, float]:
        """All stages in order, and `total`, which is their sum."""
        stages = {stage: round(took, 3) for stage, took in self._seconds.items()}
        return stages | {"total": round(sum(stages.values()), 3)}


# By kind of work what finished runs took: seconds of one thread, and for how many units.
Taken = Mapping[str, tuple[float, float]]


def kept_rates(folder: Path | None, rules: str) -> dict[str, tuple[float, float]]:
    """What finished runs of these rules have left on this machine; what cannot be read is not there."""
    found = _read(folder).get(_key(rules)) if folder is not None else None
    kept: dict[str, tuple[float, float]] = {}
    for kind in (*_DEFAULTS, OPEN):
        with suppress(ValueError, TypeError, KeyError, OverflowError):
            seconds, units = map(float, found[kind])  # type: ignore[index]
            if 0 <= seconds < math.inf and 0 < units < math.inf:
                kept[kind] = seconds, units
    return kept


def keep_rates(folder: Path, rules: str, taken: Taken) -> None:
    """Add a run to half of what was kept, so that later and larger runs count for more."""
    kept = kept_rates(folder, rules)
    for kind, (seconds, units) in taken.items():
        before = kept.get(kind, (0.0, 0.0))
        kept[kind] = before[0] / 2 + seconds, before[1] / 2 + units
    # A folder that cannot be written costs the next run its forecast, and this one nothing.
    with suppress(OSError, UsageError):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / RATES, json.dumps({**_read(folder), _key(rules): kept}, indent=1) + "\n")


def _read(folder: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = read_json(folder / RATES, _MOST_BYTES)
        return found if isinstance(found, dict) else {}
    return {}


def _key(rules: str) -> str:
    return f"{platform.node()} {rules}"


@dataclass(frozen=True, slots=True)
class Work:
    """How much a run has to do. `kept` is the share of its scores that the cache has."""

    builds: int
    fights: int
    rules: RaceRules
    is_open: bool = False  # every build must be sampled
    trials: int = 0  # of a guided search, which scores its builds as it goes
    limit: float = math.inf  # seconds, after which it ends
    kept: float = 0.0

    @property
    def pairs(self) -> int:
        """How many (build, fight) are scored."""
        return self.builds * self.fights

    def units(self, open_pairs: float) -> dict[str, float]:
        """By kind of work, where so many (build, fight) must be sampled."""
        near_top = self.rules.top * self.fights
        # Where fewer are sampled a race is shorter, but not in proportion: engines are loaded all the same.
        raced = _FIGHTS_TO_DECIDE * math.sqrt(near_top * min(near_top, open_pairs))
        fresh = 0.0 if self.trials else 1 - self.kept
        return {
            "search": self.trials,
            "solve": fresh * self.pairs,
            "floor": fresh * open_pairs * self.rules.floor,
            "race": (1 - self.kept) * min(self.rules.budget, raced),
            "order": min(self.rules.top, self.builds) * self.fights,
            "write": self.pairs,
        }

    def bytes(self, words: int, outcomes: int) -> int:
        """Memory at most: codes, exact means, score and bounds, also sorted; sums of fights; kept scores."""
        each = 8 * words + 8 * self.fights + 8 * _COLUMNS
        sums = 8 * (outcomes + 2) * self.fights * 3 // 2  # with room for those that race on
        return self.builds * (each + sums) + min(MOST_HELD, 24 * self.pairs) + _BASE_BYTES


def _mixed(default: float, seconds: float, units: float) -> float:
    """A rate as if some seconds at the default had been kept too: short work says little of long work."""
    if seconds <= 0:
        return default
    return math.exp((seconds * math.log(seconds / units) + _FEW * math.log(default)) / (seconds + _FEW))


class Forecast:
    """The time that is left of a run, from rates, corrected by what its work so far took."""

    def __init__(
        self, work: Work, kept: Taken, hands: int, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.work, self._hands, self._clock = work, hands, clock
        timed = "search" in kept or work.limit < math.inf
        self.is_known = "write" in kept and (work.trials == 0 or timed)
        self._rates = {kind: _mixed(rate, *kept.get(kind, (0.0, 0.0))) for kind, rate in _DEFAULTS.items()}
        sampled, pairs = kept.get(OPEN, (_DEFAULT_OPEN, 1.0))
        share = 1.0 if work.is_open else min(1.0, sampled / pairs)
        self._units = work.units(share * work.pairs)
        self._done = dict.fromkeys(_DEFAULTS, 0.0)
        self._begun = self._last = self._at = clock()
        # What this run has shown of its kinds of work.
        self.taken: dict[str, tuple[float, float]] = {}
        self._left = self.seconds
        self.stage, self._total = "listing builds", 0

    def _predicted(self, kind: str) -> float:
        seconds = self._units[kind] * self._rates[kind] / self._hands
        return min(seconds, self.work.limit) if kind == "search" else seconds

    @property
    def seconds(self) -> float:
        """The whole run, by rates alone."""
        return sum(map(self._predicted, self._units))

    @property
    def left(self) -> float | None:
        """Seconds until the end; None while there is nothing to tell it from."""
        if not self.is_known and not any(self._done.values()):
            return None
        return max(self._left - (self._clock() - self._at), _LEAST_LEFT * self._left)

    @property
    def share(self) -> float:
        """How much of the run is over."""
        passed, left = self._clock() - self._begun, self.left
        return 0.0 if left is None else passed / max(passed + left, 1e-9)

    def watching(self, bar: Bar) -> Bar:
        """The same bars, and what they are told is counted here."""

        @contextmanager
        def counted(what: str, total: int) -> Iterator[Advance]:
            kind, done = _KINDS[what.split(maxsplit=1)[0]], 0
            self.begin(kind, total, what)

            def advance(more: int) -> None:
                nonlocal done
                done += more
                self.reach(kind, done)
                tell(more)

            with bar(what, total) as tell:
                yield advance
            self.end(kind)

        return counted

    def begin(self, kind: str, total: int, what: str) -> None:
        """A kind of work begins. How much is sampled is known when that begins; what is left out is over."""
        self.stage, self._total = what, total
        if kind == "floor":
            actual = self.work.units(total)
            self._units |= {each: actual[each] for each in ("floor", "race")}
        if kind in ("floor", "order") and not self.work.is_open:
            self.taken.setdefault(OPEN, (total if kind == "floor" else 0, self.work.pairs))
        for each in list(self._units)[: list(self._units).index(kind)]:
            if self._done[each] < 1:
                self._units[each] = 0
        self._correct()

    def reach(self, kind: str, done: int) -> None:
        """So many of a bar are done. A race is over when it is: what it was given is the most it takes."""
        of = self._units["race"] if kind == "race" else self._total
        self._done[kind] = min(done / max(of, 1), _MOST_DONE)
        if kind == "search":
            passed = (self._clock() - self._last) / self.work.limit
            self._done[kind] = min(max(self._done[kind], passed), _MOST_DONE)
        self._correct()

    def end(self, kind: str) -> None:
        """It is done. What ended by its limit is no rate."""
        now = self._clock()
        if self._units[kind] and (kind != "search" or self.work.limit == math.inf):
            self.taken[kind] = (now - self._last) * self._hands, self._units[kind]
        self._last, self._done[kind] = now, 1.0
        self._correct()

    def _correct(self) -> None:
        now, whole = self._clock(), self.seconds
        done = sum(self._done[kind] * self._predicted(kind) for kind in self._units)
        trust = _FEW + whole * (_TRUST_KEPT if self.is_known else _TRUST_DEFAULTS)
        self._left = (whole - done) * (now - self._begun + trust) / max(done + trust, 1e-9)
        self._at = now
