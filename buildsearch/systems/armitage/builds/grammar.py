"""How a build is written: `hth+2,tuf+4 / light_attack*4,heal*8`; a stat line without steps is `base`."""

from __future__ import annotations

from buildsearch.builds.notation import BETWEEN, UNRAISED, BuildReader, name_raises, times
from buildsearch.systems.armitage.builds.build import Build, Counts, in_order
from buildsearch.systems.armitage.rules.model import ArmitageRules


def parse_build(text: str, rules: ArmitageRules) -> Build:
    """Read a build; raises InputError with every problem of the text."""
    reader = BuildReader(text)
    stats, slash, deck = text.partition("/")
    if not slash:
        stats, deck = UNRAISED, text
    raises = reader.raises(stats, tuple(rules.raises), "stat")
    cards = reader.numbers(deck.split(","), "*", tuple(rules.cards), "card")
    reader.finish()
    return Build(in_order(raises, tuple(rules.raises)), in_order(cards, tuple(rules.cards)))


def name_build(build: Build) -> str:
    """The canonical text: rules-file order, one of a kind without a number."""
    return name_raises(build.raises) + BETWEEN + name_deck(build.deck)


def name_deck(deck: Counts) -> str:
    """`light_attack*4,heal`."""
    return ",".join(times(name, number) for name, number in deck)
