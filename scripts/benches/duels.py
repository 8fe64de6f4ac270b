"""Measure duels a second on one core, against the readable reference in the same run.

Run it as `scripts/bench duels`. Both sides have the base stats and the sample deck. The kernel is
warm, its code loaded from numba's cache where there is one. CPU time, best of several runs.
"""

from __future__ import annotations

import time

from buildsearch.evaluate.randomness import SeededDice
from buildsearch.systems.armitage.bouts import OURS, THEIRS, Fighter
from buildsearch.systems.armitage.builds.build import in_order
from buildsearch.systems.armitage.kernel.driver import run_block
from buildsearch.systems.armitage.kernel.plan_maker import compile_plan
from buildsearch.systems.armitage.reference.fight import fight
from buildsearch.systems.armitage.rules.model import ArmitageRules, Play
from buildsearch.workflow.input_files import load_rules


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
    start = time.perf_counter()
    plan = compile_plan(rules, fighters, rules.max_turns)
    compiled = time.perf_counter() - start
    start = time.perf_counter()
    run_block(plan, 0, 0, 1)
    first_call = time.perf_counter() - start
    best = float("inf")
    for block in range(repeats):
        start = time.process_time()
        tally = run_block(plan, 0, block, fights)
        best = min(best, time.process_time() - start)
    rounds = sum(i * int(number) for i, number in enumerate(tally.counts[: rules.max_turns + 1])) / fights
    slow_fights = max(2, fights // 100)
    dice = SeededDice(1)
    start = time.process_time()
    for _ in range(slow_fights):
        fight(rules, fighters, rules.max_turns, dice)
    reference = slow_fights / (time.process_time() - start)
    return {
        "cards": sum(number for _, number in fighters[0].deck),
        "rounds": rounds,
        "plan_milliseconds": compiled * 1000,
        "first_call_seconds": first_call,
        "duels_per_second": fights / best,
        "nanoseconds_per_turn": best / fights / rounds / 2 * 1e9,
        "reference_per_second": reference,
        "ratio": fights / best / reference,
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
