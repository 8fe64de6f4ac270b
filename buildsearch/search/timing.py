"""How long a run takes: its stages by the clock, and the time that is left.

The time left follows from what earlier runs took: of the same rules on this machine, or of the same game
where `typical_times.json` was measured. They count CPU seconds, which other work on the machine does not
change; how much slower the clock goes is seen in the run itself. It decides nothing about scores.
"""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from buildsearch.evaluate.threads import under_way
from buildsearch.files.atomic import write_whole
from buildsearch.files.safe_reading import read_json
from buildsearch.model.errors import UsageError
from buildsearch.search.race import ALONE
from buildsearch.search.score_cache import MOST_HELD
from buildsearch.search.scoring import Advance, Bar, Effort

TIMES = "times.json"
TYPICAL_TIMES = Path(__file__).with_name("typical_times.json")
_MOST_BYTES, _MOST_RUNS = 1 << 20, 8
# Kinds of work in their order, by the first word of their bar.
_KINDS = {
    "trying": "search", "solving": "solve", "sampling": "floor", "racing": "race", "contenders": "alone",
    "details": "order", "writing": "write",
}  # fmt: skip
# A race is over when each (build, fight) near the top has had about this many fights.
_FIGHTS_TO_DECIDE = 1 << 17
# CPU seconds grow with the amount of work to this power: the more builds, the more they have in common.
_GROWTH = 0.85
# A run of another objective counts as one of this many times the size, as a natural logarithm.
_OTHER = 3.0
# An earlier run counts as much as this share of the work would, done in this run.
_TRUST = 0.1
# And the clock goes as slowly as if these seconds had passed with all workers busy.
_IDLE = 0.5
# The largest share of a kind of work that is done while it is not over.
_MOST_DONE = 0.95
# Beyond the arrays: the interpreter, compiled code, and what engines hold that solve slow builds alone.
_BASE_BYTES = 1200 << 20
# Numbers of every build that ranking them holds at once.
_COLUMNS = 8

# What a run took: by kind of work its units and CPU seconds; `size`: (build, fight), and those sampled; what
# was `asked` for.
Past = Mapping[str, Any]
# Seconds on the clock, and of CPU.
Clock = Callable[[], tuple[float, float]]


def clock() -> tuple[float, float]:
    """Of this process, all threads."""
    return time.perf_counter(), time.process_time()


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Note how long the block took."""
    begun = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] = time.perf_counter() - begun


class Stages:
    """A stopwatch: whatever has passed since the last mark belongs to the stage that is named now.

    Stages follow one another without a gap, so they add up to the whole.
    """

    def __init__(self, begun: float | None = None) -> None:
        self._last = time.perf_counter() if begun is None else begun
        self._seconds: dict[str, float] = {}

    def mark(self, stage: str) -> None:
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


def past_runs(folder: Path | None, rules: str) -> list[Past]:
    """What finished runs of these rules took on this machine; what cannot be read is not there."""
    return [] if folder is None else _runs(_read(folder / TIMES), f"{platform.node()} {rules}")


def typical_runs(system: str) -> list[Past]:
    """What a few runs of a game took elsewhere, for those that are the first of it here."""
    return _runs(_read(TYPICAL_TIMES), system)


def keep_run(folder: Path, rules: str, run: Past) -> None:
    """Keep what a run took, in place of the last one of its size, or of the oldest."""
    key, same = f"{platform.node()} {rules}", (run["asked"], run["size"])
    others = [each for each in past_runs(folder, rules) if (each["asked"], each["size"]) != same]
    runs = [*others, dict(run)][-_MOST_RUNS:]
    # A folder that cannot be written costs the next run its forecast, and this one nothing.
    with suppress(OSError, UsageError):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / TIMES, json.dumps({**_read(folder / TIMES), key: runs}) + "\n")


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = read_json(path, _MOST_BYTES)
        return found if isinstance(found, dict) else {}
    return {}


def _runs(found: dict[str, Any], key: str) -> list[Past]:
    runs = found.get(key)
    return [each for each in runs if _is_run(each)] if isinstance(runs, list) else []


def _is_run(found: Any) -> bool:
    """Two numbers of each kind, and of `size`."""
    if not isinstance(found, dict) or "size" not in found or "asked" not in found:
        return False
    values = [value for name, value in found.items() if name != "asked"]
    pairs = [each if isinstance(each, list) and len(each) == 2 else [None] for each in values]
    return all(isinstance(each, int | float) and 0 <= each < math.inf for pair in pairs for each in pair)


@dataclass(frozen=True, slots=True)
class Work:
    """How much a run has to do. `kept` is the share of its scores that the cache has."""

    builds: int
    fights: int
    effort: Effort
    is_open: bool = False  # every build must be sampled
    trials: int = 0  # of a guided search, which scores its builds as it goes
    limit: float = math.inf  # seconds, after which it ends
    kept: float = 0.0
    asked: str = ""  # objectives

    @property
    def pairs(self) -> int:
        return self.builds * self.fights

    def units(self, open_pairs: float) -> dict[str, float]:
        """By kind of work, where this many (build, fight) must be sampled."""
        near_top = min(self.effort.top * self.fights, open_pairs)
        fresh = 0.0 if self.trials else 1 - self.kept
        return {
            "search": self.trials,
            "solve": fresh * self.pairs,
            "floor": fresh * open_pairs * self.effort.floor,
            "race": (1 - self.kept) * min(self.effort.budget, _FIGHTS_TO_DECIDE * near_top),
            "alone": 0.0 if self.is_open else (1 - self.kept) * min(ALONE, open_pairs),
            "order": min(self.effort.top, self.builds) * self.fights,
            "write": self.pairs,
        }

    def unlike(self, run: Past) -> float:
        """How little another run says of this one."""
        times = max(run["size"][0], 1) / max(self.pairs, 1)
        return abs(math.log(times)) + (0.0 if run["asked"] == self.asked else _OTHER)

    def bytes(self, words: int, outcomes: int) -> int:
        """Memory at most: codes, exact means, score and bounds, also sorted; sums of fights; kept scores."""
        each = 8 * words + 8 * self.fights + 8 * _COLUMNS
        sums = 8 * (outcomes + 2) * self.fights * 3 // 2  # with room for those that race on
        return self.builds * (each + sums) + min(MOST_HELD, 24 * self.pairs) + _BASE_BYTES


@dataclass(slots=True)
class _Kind:
    """A kind of work: its size, what another run took for it, how much of it is done and what that took."""

    units: float
    other: Sequence[float]  # its units, and CPU seconds
    total: int = 0  # of its bar, while it is at work
    done: float = 0.0
    spent: float = 0.0

    def left(self) -> float:
        """CPU seconds: by the other run, and the more is done, by what that took."""
        units, took = self.other
        expected = took * math.pow(self.units / units, _GROWTH) if units else 0.0
        more = under_way() / self.total if self.total else 0.0
        done = min(self.done + more, max(self.done, _MOST_DONE))
        seen = self.spent / done if done else expected
        weight = done / (done + _TRUST)
        return (1 - done) * (expected * math.pow(seen / expected, weight) if expected else seen)


class Forecast:
    """The time that is left of a run, by runs like it and by what its work so far took."""

    def __init__(
        self, work: Work, past: Sequence[Past], typical: Sequence[Past], workers: int, clock: Clock = clock
    ) -> None:
        self.work, self._workers, self._clock = work, workers, clock
        self.is_known = bool(past) and (not work.trials or any("search" in run for run in past))
        # Of runs of the same size the last one.
        near = [*sorted([*reversed(past)], key=work.unlike), *sorted(typical, key=work.unlike)]
        self._is_told = bool(near)
        pairs, sampled = near[0]["size"] if near else (1, 0)
        self._open = work.pairs * (1.0 if work.is_open else sampled / max(pairs, 1))
        self._kinds = {
            name: _Kind(units, next((run[name] for run in near if name in run), (0.0, 0.0)))
            for name, units in work.units(self._open).items()
        }
        self._at_work: list[str] = []
        self._begun = self._last = self._clock()
        self._lock = Lock()  # it is asked while another thread works
        self.stage = "listing builds"

    @property
    def left(self) -> float | None:
        """Seconds until the end; None where there is nothing to tell it from."""
        self._pass()
        if not self._is_told:
            return None
        passed, spent = (now - begun for now, begun in zip(self._last, self._begun, strict=True))
        each = (passed + _IDLE) / (max(spent, 0.0) + _IDLE * self._workers)
        left = {name: each * kind.left() for name, kind in self._kinds.items()}
        if self._kinds["search"].done < 1:
            left["search"] = min(left["search"], max(0.0, self.work.limit - passed))
        return sum(left.values())

    @property
    def share(self) -> float:
        left, passed = self.left, self._last[0] - self._begun[0]
        return 0.0 if left is None else passed / max(passed + left, 1e-9)

    def took(self) -> Past:
        """What a finished run took, to be kept. What ended by its limit is left out."""
        limited = "search" if self.work.limit < math.inf else ""
        return {"asked": self.work.asked, "size": [self.work.pairs, self._open]} | {
            name: [kind.units, round(kind.spent, 3)]
            for name, kind in self._kinds.items()
            if kind.spent and kind.units and name != limited
        }

    def watching(self, bar: Bar) -> Bar:
        """The same bars, and what they are told is counted here."""

        @contextmanager
        def counted(what: str, total: int) -> Iterator[Advance]:
            with self.doing(what, total) as reach, bar(what, total) as tell:

                def advance(more: int) -> None:
                    reach(more)
                    tell(more)

                yield advance

        return counted

    @contextmanager
    def doing(self, what: str, total: int) -> Iterator[Advance]:
        """A kind of work, which may be part of another. Those before it are over, or left out."""
        name, before = _KINDS[what.split(maxsplit=1)[0]], self.stage
        kind = self._kinds[name]
        for each, other in self._kinds.items():
            if each == name:
                break
            if each not in self._at_work:
                other.done = 1.0
        self._pass()
        self._at_work.append(name)
        self.stage = what
        if name == "floor":
            self._open = total
            for each, units in self.work.units(total).items():
                self._kinds[each].units = units
        # A race is over when it is decided: what it may take is more.
        kind.total = round(kind.units) if name == "race" else total
        done = 0

        def reach(more: int) -> None:
            nonlocal done
            done += more
            kind.done = min(done / max(kind.total, 1), _MOST_DONE)

        try:
            yield reach
        finally:
            self._pass()
            self._at_work.pop()
            self.stage, kind.total, kind.done = before, 0, 1.0

    def _pass(self) -> None:
        """What has passed since the last time belongs to the work at hand, or to what begins next."""
        with self._lock:
            name = next(
                (each for each in self._at_work[::-1] or self._kinds if self._kinds[each].done < 1), ""
            )
            now, last = self._clock(), self._last
            self._last = now
            if name:
                self._kinds[name].spent += max(0.0, now[1] - last[1])
