"""How a build is written: `hth+2,tuf+4 / light_attack*4,heal*8`; a stat line without steps is `base`."""

from __future__ import annotations

import re

from buildsearch.model.errors import InputError
from buildsearch.model.problem import Problem
from buildsearch.ruleset.hints import suggest
from buildsearch.systems.armitage.builds.build import Build, Counts, in_order
from buildsearch.systems.armitage.rules.model import ArmitageRules

UNRAISED = "base"
BETWEEN = " / "
LONGEST_BUILD_TEXT = 10_000
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)


def parse_build(text: str, rules: ArmitageRules) -> Build:
    """Read a build; raises InputError with every problem of the text."""
    if len(text) > LONGEST_BUILD_TEXT:
        raise InputError([_problem(text[:40] + "...", "this is too long to be a build", "")])
    problems: list[Problem] = []
    stats, slash, deck = text.partition("/")
    if not slash:
        stats, deck = UNRAISED, text
    parts = () if stats.strip() == UNRAISED else stats.split(",")
    raises = _parse(text, parts, "+", tuple(rules.raises), "stat", problems)
    cards = _parse(text, deck.split(","), "*", tuple(rules.cards), "card", problems)
    if problems:
        raise InputError(problems)
    return Build(raises, cards)


def name_build(build: Build) -> str:
    """The canonical text: rules-file order, one of a kind without a number."""
    return name_raises(build.raises) + BETWEEN + name_deck(build.deck)


def name_raises(raises: Counts) -> str:
    """`hth+2,tuf+4`."""
    return ",".join(f"{name}+{steps}" for name, steps in raises) or UNRAISED


def name_deck(deck: Counts) -> str:
    """`light_attack*4,heal`."""
    return ",".join(name_cards(name, number) for name, number in deck)


def name_cards(name: str, number: int) -> str:
    """Some cards of a kind."""
    return name if number == 1 else f"{name}*{number}"


def _parse(
    text: str,
    parts: list[str] | tuple[str, ...],
    sign: str,
    known: tuple[str, ...],
    what: str,
    problems: list[Problem],
) -> Counts:
    counts: dict[str, int] = {}
    for part in parts:
        name, given, number = (piece.strip() for piece in part.partition(sign))
        if name not in known:
            message = f"unknown {what} `{name}`" if name else f"an empty {what}"
            problems.append(_problem(text, message, suggest(name, known)))
        elif name in counts:
            problems.append(_problem(text, f"`{name}` is given twice", f"Add up: `{name}{sign}2`."))
        elif given and not (_NUMBER.fullmatch(number) and int(number)):
            hint = f"Write a whole number from 1 up, such as `{name}{sign}2`."
            problems.append(_problem(text, f"`{number}` is not a number of {name}", hint))
        elif not given and sign == "+":
            problems.append(_problem(text, f"`{name}` is raised by nothing", f"Write `{name}+1`."))
        else:
            counts[name] = int(number) if given else 1
    return in_order(counts, known)


def _problem(text: str, message: str, hint: str) -> Problem:
    return Problem(message, source=f"build '{text.strip()}'", hint=hint)
