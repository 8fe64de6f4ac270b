"""Why a build is not allowed."""

from __future__ import annotations

from buildsearch.model.errors import Problem
from buildsearch.systems.armitage.builds.build import Build
from buildsearch.systems.armitage.rules.model import ArmitageRules
from buildsearch.systems.armitage.rules.settings import Settings


def cost_of(build: Build, rules: ArmitageRules) -> int:
    """The points that the stat line takes; cards cost nothing."""
    costs: dict[str, int] = {name: entry.cost for name, entry in rules.raises.items()}
    return sum(steps * costs[name] for name, steps in build.raises)


def reasons_against(
    build: Build, rules: ArmitageRules, settings: Settings, *, at_any_cost: bool
) -> list[Problem]:
    """Every reason, the points aside if told."""
    found: list[Problem] = []
    for name, steps in build.raises:
        most = rules.raises[name].most  # type: ignore[index]  # names come from the grammar
        if steps > most:
            found.append(Problem(f"`{name}` is raised by {steps}, and {most} is the most", value=str(steps)))
    if not at_any_cost:
        found += _points(cost_of(build, rules), rules.points, spend_all=settings.spend_all)
    for name, number in build.deck:
        if rules.cards[name].status is not None and not settings.status_cards:
            hint = "Bring status cards in with `-p status_cards=on`."
            found.append(Problem(f"`{name}` is a status card, and these are off", value=name, hint=hint))
        copies = rules.deck.copies
        if copies is not None and number > copies:
            found.append(Problem(f"{number} of `{name}`, and {copies} is the most", value=str(number)))
    size = sum(number for _, number in build.deck)
    if size != rules.deck.size:
        hint = f"Take {_more_or_fewer(rules.deck.size - size)}."
        found.append(Problem(f"the deck has {size} cards, not {rules.deck.size}", value=str(size), hint=hint))
    return found


def _points(cost: int, points: int, *, spend_all: bool) -> list[Problem]:
    if cost > points:
        return [Problem(f"the stat line costs {cost} points, and there are {points}", value=str(cost))]
    if cost < points and spend_all:
        hint = "Spend them, or allow it with `-p spend=any`."
        return [Problem(f"the stat line leaves {points - cost} points unspent", value=str(cost), hint=hint)]
    return []


def _more_or_fewer(number: int) -> str:
    return f"{number} more" if number > 0 else f"{-number} fewer"
