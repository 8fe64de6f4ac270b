"""Ranks that fights have not decided: between whom, and why they are sampled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from buildsearch.search.optimization import Answer
from buildsearch.workflow.search import Search

_MOST_PAIRS = 3


def say_open(search: Search, answer: Answer, undecided: Sequence[int]) -> str:
    """Which pairs are not told apart, the best first, and why they are sampled."""
    pairs = []
    for place in undecided:
        if "sampled" not in answer.details[place].method:
            continue
        # The neighbour whose bounds it shares: the next one that is not for certain better.
        other = place + 1 if place + 1 < len(answer.builds) else place - 1
        pairs.append((place, other))
    said = "; ".join(
        " and ".join(search.setup.space.name(answer.builds[place]) for place in pair if place >= 0)
        for pair in pairs[:_MOST_PAIRS]
    )
    more = f" and {len(pairs) - _MOST_PAIRS} more" if len(pairs) > _MOST_PAIRS else ""
    if not pairs:
        return "they lie beside sampled builds."
    return f"fights do not tell apart yet: {said}{more}. {_why(search, answer, [pair[0] for pair in pairs])}"


def _why(search: Search, answer: Answer, places: Sequence[int]) -> str:
    """Why these are sampled, each reason once."""
    loaded, ledger = search.setup.loaded, answer.ledger
    # The first is the one for builds as they are ranked.
    exact = [each for each in loaded.system.evaluators(loaded.model) if each.method == "exact"][:1]
    reasons: dict[str, None] = {}
    for number, fight in enumerate(ledger.fights.values()):
        # One build for each fight: to say that a fight is too large to solve may take as long as trying.
        is_exact = ledger.is_exact(number)
        sampled = [place for place in places if not is_exact[answer.ordered.rows[place]]][:1]
        for evaluator, place in product(exact, sampled):
            reason = evaluator.why_not(answer.builds[place], fight)
            if reason is not None:
                reasons[reason] = None
    return f"They are sampled, as {' and '.join(reasons)}." if reasons else ""
