"""What the shape of a file cannot say: unknown ids, contradictions, wrong numbers, dead entries."""

from __future__ import annotations

from buildsearch.model.errors import ProblemSink
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.armitage.rules.expectations import event_chances, say_chance
from buildsearch.systems.armitage.rules.model import MOST_CARDS, MOST_STATUSES, ArmitageRules
from buildsearch.systems.armitage.rules.scenarios import BUILD, ArmitageScenarios


def check_rules(rules: ArmitageRules, problems: ProblemSink) -> None:
    """Report every problem of a rules file that has the right shape."""
    _check_cards(rules, problems)
    _check_decks(rules, problems)
    _check_points(rules, problems)
    _check_expectations(rules, problems)


def check_scenarios(scenarios: ArmitageScenarios, problems: ProblemSink) -> None:
    """Report every problem of a scenario file that has the right shape."""
    known = (BUILD, *scenarios.combatants)
    used: set[str] = set()
    if BUILD in scenarios.combatants:
        message = f"`{BUILD}` is the build itself"
        problems.error(["combatants", BUILD], message, hint="Rename this combatant.", key=True)
    for name, scenario in scenarios.scenarios.items():
        for side in ("allies", "opponents"):
            for i, combatant in enumerate(getattr(scenario, side)):
                used.add(combatant)
                if combatant not in known:
                    message = f"unknown combatant `{combatant}`"
                    hint = suggest(combatant, known)
                    problems.error(["scenarios", name, side, i], message, value=combatant, hint=hint)
    for name in scenarios.combatants:
        if name not in used:
            problems.warning(["combatants", name], f"no scenario has a `{name}`", key=True)


def _check_cards(rules: ArmitageRules, problems: ProblemSink) -> None:
    statuses = [name for name, card in rules.cards.items() if card.status is not None]
    if len(statuses) > MOST_STATUSES:
        message = f"{len(statuses)} status cards; the engines can separate at most {MOST_STATUSES}"
        problems.error(["cards"], message, value=len(statuses), hint="Drop some.")
    for name, card in rules.cards.items():
        if name in rules.raises:
            message = f"the id `{name}` is taken: it is under `raises` too"
            problems.error(["cards", name], message, hint="Rename the card.", key=True)
        if card.ap > rules.base.ap:
            message = f"`{name}` costs {card.ap} AP, and a turn has {rules.base.ap}"
            problems.warning(["cards", name, "ap"], message)
        if card.status is not None:
            if card.status.amount == 0:
                problems.warning(["cards", name, "status", "amount"], f"`{name}` does nothing")
            elif (card.status.amount > 0) != (card.status.bearer == "self"):
                problems.warning(
                    ["cards", name, "status"], f"`{name}` helps the other side", value=card.status.amount
                )


def _check_decks(rules: ArmitageRules, problems: ProblemSink) -> None:
    known = tuple(rules.cards)
    for preset, deck in rules.presets.items():
        for card in deck:
            if card not in known:
                path = ["presets", preset, card]
                problems.error(
                    path, f"unknown card `{card}`", value=card, hint=suggest(card, known), key=True
                )
        if sum(deck.values()) > MOST_CARDS:
            message = f"{sum(deck.values())} cards, and at most {MOST_CARDS} are a deck"
            problems.error(["presets", preset], message, value=sum(deck.values()), hint="Drop some.")
    always = sum(card.status is None for card in rules.cards.values())
    kinds = len(known) if rules.status_cards else always
    if rules.deck.copies is not None and kinds * rules.deck.copies < rules.deck.size:
        message = f"{kinds} kinds of at most {rules.deck.copies} copies do not make {rules.deck.size} cards"
        problems.error(["deck", "size"], message, hint="Allow more copies, or make decks smaller.")


def _check_points(rules: ArmitageRules, problems: ProblemSink) -> None:
    # Which totals the raises can make, a bit each.
    totals = 1
    for entry in rules.raises.values():
        for _ in range(entry.most):
            totals |= totals << entry.cost
    if rules.spend_all and not totals >> rules.points & 1:
        message = f"no stat line costs exactly {rules.points} points"
        problems.error(["points"], message, hint="Change the points, or set `spend_all: false`.")


def _check_expectations(rules: ArmitageRules, problems: ProblemSink) -> None:
    chances = event_chances(rules)
    for i, expected in enumerate(rules.expectations):
        if expected.event not in chances:
            message = f"unknown event `{expected.event}`"
            hint = suggest(expected.event, chances)
            problems.error(["expectations", i, "event"], message, value=expected.event, hint=hint)
            continue
        chance = chances[expected.event]
        if abs(float(chance) - expected.stated) > expected.within:
            message = f"the chance of `{expected.event}` is {say_chance(chance)}, not {expected.stated:.3g}"
            source = f"The text states it under {expected.section}." if expected.section else None
            problems.warning(["expectations", i, "stated"], message, value=expected.stated, hint=source)
