"""Random cases of all games, each scored by every engine that takes it: where do they disagree?

    scripts/disagree --game vitality-v2 --cases 10000 --seed 1 --rows FILE    many; finds and counts to a file
    scripts/disagree --game vitality-v2 --case 1234                           one by its number

Cases depend on game, seed and number alone. Finds are shrunk to the smallest case that still disagrees.
The answer is 1 where there was a find.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

from tests.digest.disagreements import BIAS, MORE, SURE, SUSPICIOUS, fights_of, finds_in, kind_of
from tests.digest.drawing import draw
from tests.digest.engines import GAMES, ROLES, answer
from tests.digest.shrinking import shrunk
from tests.digest.spaces import options_of

_SLOW = 5.0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=GAMES, help="one or some; all if left out")
    parser.add_argument("--cases", type=int, default=400, help="of each game")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="one case by its number")
    parser.add_argument(
        "--rows", type=Path, help="a file that finds and counts are added to, a line of JSON each"
    )
    given = parser.parse_args()
    if given.case is not None:
        return max(_one(game, given.seed, given.case) for game in given.game or GAMES)
    finds = 0
    for game in given.game or GAMES:
        finds += _many(game, given.seed, range(given.first, given.first + given.cases), given.rows)
    return 1 if finds else 0


def _one(game: str, seed: int, number: int) -> int:
    case = draw(game, seed, number)
    print(case.command())
    for role in ROLES:
        found = answer(case, role, number + 1, fights_of(case, role))
        print(f"  {role:16}", "does not take it" if found is None else found.means)
    finds = finds_in(case)
    for find in finds:
        print("FIND", find.engines, find.sentence)
        print("  smallest:", shrunk(find).case.command())
    return 1 if finds else 0


def _many(game: str, seed: int, numbers: range, rows: Path | None) -> int:
    cases: Counter = Counter()
    compared: Counter = Counter()
    biases: dict[str, np.ndarray] = {}
    finds = 0
    start = time.process_time()
    for number in numbers:
        begun = time.process_time()
        case = draw(game, seed, number)
        cases[kind_of(case)] += 1
        counted: Counter = Counter()
        for find in finds_in(case, counted):
            finds += 1
            small = shrunk(find)
            print(f"FIND {game} case {number}, {find.engines}: {find.sentence}")
            print(f"     smallest: {small.sentence}\n     {small.case.command()}", flush=True)
            _add(rows, {"find": find.written(), "smallest": small.written()})
        bias = counted.pop(BIAS, None)
        for option in options_of(case) if bias is not None else ():
            biases.setdefault(option, np.zeros(3))[:] += (1, bias, bias**2)
        compared.update({f"{kind_of(case)}: {pair}": times for pair, times in counted.items()})
        if time.process_time() - begun > _SLOW:
            print(f"slow: {game} case {number}, {time.process_time() - begun:.0f} s", flush=True)
    seconds = time.process_time() - start
    times = {pair: number for pair, number in compared.items() if not pair.endswith((", sum", ", squares"))}
    whole = f"{len(numbers):,} cases, {sum(times.values()):,} comparisons, {finds} finds"
    print(f"{game}: {whole}, {seconds:.0f} s CPU")
    print(f"  suspicious above {SUSPICIOUS} standard errors, a find above {SURE} in {MORE} times the fights")
    for pair, number in sorted(times.items()):
        mean, squares = (compared[f"{pair}, {each}"] / number for each in ("sum", "squares"))
        z = f"z: mean {mean:+.3f}, sd {(squares - mean**2) ** 0.5:.3f}" if " ~ " in pair else ""
        print(f"  {pair:62} {number:8,}  {z}", flush=True)
    for option, (number, total, squares) in biases.items():
        if abs(total) > SURE * squares**0.5:
            print(
                f"  the reference is biased with {option}: {total / squares**0.5:+.1f} in {number:.0f} cases"
            )
    _add(
        rows,
        {
            "game": game,
            "seed": seed,
            "first": numbers.start,
            "finds": finds,
            "seconds": seconds,
            "cases": cases,
            "compared": compared,
            "biases": {option: sums.tolist() for option, sums in biases.items()},
        },
    )
    return finds


def _add(rows: Path | None, row: dict) -> None:
    if rows is not None:
        with rows.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main())
