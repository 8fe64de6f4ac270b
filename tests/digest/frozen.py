"""The digest: what this tree says of kept cases and kept runs, as rows that later trees are compared with.

    scripts/digest                 prints every row that moved; the answer is 1 where one did
    scripts/digest --short         some cases with each option, and the runs that take a moment
    scripts/digest --bless         writes what this tree says

A row has a name and a value. Solved means and scores may move by 2e-6, the numbers of findings by 1e-4.
Sampled means have their seed and their fights, and do not move at all.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.digest.cases import Case
from tests.digest.drawing import SHARED, draw
from tests.digest.engines import REFERENCE, ROLES, SOLVED, answer, run_of

FOLDER = Path(__file__).parent / "kept"
CASES, RUNS = FOLDER / "cases.jsonl.gz", FOLDER / "runs.json"
SEED = 1  # that of the campaign in docs/measurements.md: these are cases that engines agreed about
NUMBERS = {
    "vitality-v2": 1600,
    "vitality-v1": 1400,
    "armitage": 400,
    "armitage-text": 304,
    "dungeoneers": 696,
    "animon-story": 600,
}
FIGHTS, REFERENCE_FIGHTS = 256, 6
TOLERANCE, SAME = 2e-6, 1e-12
OF_FINDINGS = 1e-4  # ratios of small chances: they move further than scores do
SHORT = 4  # so many cases with each option
_WORD = re.compile(r"[a-z][a-z_0-9]*")
QUICK = ("vitality-v1", "armitage-text", "dungeoneers")

Values = dict[str, float | str]
Moved = tuple[str, object, object]


def answers_of(case: Case) -> dict[str, Values]:
    """By role what each engine that takes a case says; an error is an answer too."""
    found: dict[str, Values] = {}
    for role in ROLES:
        fights = REFERENCE_FIGHTS if role == REFERENCE else FIGHTS
        try:
            said = answer(case, role, case.number + 1, fights)
        except Exception as error:
            found[role] = {"raises": type(error).__name__}
            continue
        if said is not None:
            digits = 9 if role in SOLVED else 15
            found[role] = {name: round(mean, digits) for name, mean in said.means.items()}
    return found


def kept_cases(*, short: bool = False) -> list[dict]:
    """The lines of the file; for a short look the first few with each option, ruling and play."""
    with gzip.open(CASES, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    if not short:
        return lines
    counted: Counter[tuple[str, str]] = Counter()
    some = []
    for line in lines:
        case = Case.read(line["case"])
        words = {*_WORD.findall(case.build), *case.rulings, case.play}
        new = {(case.game, word) for word in words}
        if any(counted[each] < SHORT for each in new):
            counted.update(new)
            some.append(line)
    return some


def moved_in_case(line: dict) -> list[Moved]:
    """The rows of a case that moved."""
    case = Case.read(line["case"])
    now = answers_of(case)
    rows = []
    for role in ROLES:
        tolerance = TOLERANCE if role in SOLVED else SAME
        name = f"{case.game} case {case.number}, {role}"
        rows += list(moved(name, line["answers"].get(role, {}), now.get(role, {}), tolerance))
    return rows


def moved(name: str, old: Values, new: Values, tolerance: float) -> Iterator[Moved]:
    """Values that differ, are gone, or are new."""
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if isinstance(before, float | int) and isinstance(after, float | int):
            same = abs(before - after) <= tolerance * max(1.0, abs(before))
        else:
            same = before == after
        if not same:
            yield f"{name}, {key}", before, after


def moved_in_run(game: str, old: dict) -> list[Moved]:
    """Of a run's best builds and findings."""
    new = run_of(game)
    rows = list(moved(f"{game} finding", old["findings"], new["findings"], OF_FINDINGS))
    # Builds as good as the last one may take its place.
    last = [list(each["top"].values())[-1] for each in (old, new)]
    for row in moved(f"{game} top", old["top"], new["top"], TOLERANCE):
        score = row[2] if row[1] is None else row[1]
        tied = None in row and any(abs(score - each) <= TOLERANCE for each in last)
        rows += [] if tied else [row]
    return rows


def _answered(numbers: tuple[str, int]) -> list[dict]:
    game, first = numbers
    cases = [draw(game, SEED, number) for number in range(first, first + SHARED)]
    return [{"case": case.written(), "answers": answers_of(case)} for case in cases]


def _bless(jobs: int) -> None:
    sets = [(game, first) for game, number in NUMBERS.items() for first in range(0, number, SHARED)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        lines = [line for some in pool.map(_answered, sets, chunksize=8) for line in some]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    FOLDER.mkdir(exist_ok=True)
    CASES.write_bytes(gzip.compress(text.encode(), mtime=0))
    runs = {game: run_of(game) for game in NUMBERS}
    RUNS.write_text(json.dumps(runs, indent=1) + "\n", encoding="utf-8")
    print(f"{len(lines):,} cases and {len(runs)} runs in {FOLDER}")


def moved_rows(*, short: bool = False, jobs: int = 1) -> Iterator[Moved]:
    """Every row that moved, cases first."""
    lines = kept_cases(short=short)
    if jobs == 1:
        for line in lines:
            yield from moved_in_case(line)
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
            for rows in pool.map(moved_in_case, lines, chunksize=8 * SHARED):
                yield from rows
    for game, old in json.loads(RUNS.read_text(encoding="utf-8")).items():
        if not short or game in QUICK:
            yield from moved_in_run(game, old)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.bless:
        _bless(given.jobs)
        return 0
    count = 0
    for name, old, new in moved_rows(short=given.short, jobs=given.jobs):
        count += 1
        print(f"{name}: {old} -> {new}", flush=True)
    print(f"{count:,} rows moved." if count else "No row moved.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
