"""Measure duels a second on one core, against the same statement in plain Python.

Run it as `scripts/bench duels`. Both sides have the base stats and the sample deck. The kernel is
warm, its code loaded from numba's cache where there is one. CPU time, best of several runs.
"""

from __future__ import annotations

import time

from buildsearch.engines.stated import StatedFight
from buildsearch.engines.told import play_plainly
from buildsearch.library.input_files import load_rules
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Bout, Fighter
from buildsearch.systems.armitage.builds.build import Build, in_order
from buildsearch.systems.armitage.rules.model import ArmitageRules, Play
from buildsearch.systems.armitage.sheet import build_row, kinds_of, make_terms


def sample_duel(rules: ArmitageRules, *, status_cards: bool, play: Play = "greedy") -> tuple[Fighter, ...]:
    """Two combatants with the base stats and the sample deck: 32 cards, 24 without the status cards."""
    deck = in_order(
        {
            name: number
            for name, number in rules.presets["sample"].items()
            if status_cards or rules.cards[name].status is None
        },
        tuple(rules.cards),
    )
    return tuple(Fighter("sample", side, rules.base, deck, play) for side in (OURS, THEIRS))


def bench(rules: ArmitageRules, fighters: tuple[Fighter, ...], fights: int, repeats: int) -> dict[str, float]:
    """The figures of one duel."""
    ours, theirs = fighters
    bout = Bout("duel", 1.0, rules.max_turns, ((ours,), (theirs,)), (ours.play, theirs.play))
    kinds = kinds_of(rules, bout, ())
    start = time.perf_counter()
    fight, row = StatedFight(make_terms(rules, bout, kinds)), build_row(rules, kinds, Build((), ()))
    content = fight.content(row)
    made = time.perf_counter() - start
    start = time.perf_counter()
    fight.sample(row, 0, 0, 1, content)
    first_call = time.perf_counter() - start
    best = float("inf")
    for i in range(repeats):
        start = time.process_time()
        counted = fight.sample(row, 0, i * fights, fights, content)
        best = min(best, time.process_time() - start)
    rounds = float(counted.rounds @ range(len(counted.rounds))) / fights
    slow_fights = max(2, fights // 100)
    start = time.process_time()
    for number in range(slow_fights):
        play_plainly(fight, row, 0, number, content=content)
    plain = slow_fights / (time.process_time() - start)
    return {
        "cards": sum(number for _, number in ours.deck),
        "rounds": rounds,
        "setup_milliseconds": made * 1000,
        "first_call_seconds": first_call,
        "duels_per_second": fights / best,
        "nanoseconds_per_turn": best / fights / rounds / 2 * 1e9,
        "plain_per_second": plain,
        "ratio": fights / best / plain,
    }


def main() -> None:
    """Print the figures with and without status cards, and for look-ahead."""
    rules = load_rules("armitage").model
    cases: tuple[tuple[str, bool, Play, int], ...] = (
        ("sample deck, greedy", False, "greedy", 2_000),
        ("sample deck with status cards, greedy", True, "greedy", 2_000),
        ("sample deck, look-ahead", False, "lookahead", 300),
    )
    for title, status_cards, play, fights in cases:
        print(title)
        figures = bench(rules, sample_duel(rules, status_cards=status_cards, play=play), fights, repeats=40)
        for name, value in figures.items():
            print(f"  {name:24} {value:,.3f}" if value < 100 else f"  {name:24} {value:,.0f}")


if __name__ == "__main__":
    main()
