"""How a build is written: `power+1,prowess+3 / stiletto,light_shield`; a line without points is `base`."""

from __future__ import annotations

from dataclasses import dataclass

from buildsearch.builds import lines
from buildsearch.builds.notation import BETWEEN, BuildReader, name_raises
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, SLOTS, DungeoneersRules


@dataclass(frozen=True, slots=True)
class Build:
    """An attribute line, and the names of its gear in canonical order."""

    raises: lines.Raises
    gear: tuple[str, ...]


def gear_order(rules: DungeoneersRules) -> tuple[str, ...]:
    """Everything that a build can take: weapons, armour by slot, spells; what does nothing is left out."""
    pieces = [
        name
        for slot in SLOTS
        for name, piece in rules.armour.items()
        if piece.slot == slot and not piece.does_nothing
    ]
    return (*rules.weapons, *pieces, *rules.spells)


def parse_build(text: str, rules: DungeoneersRules) -> Build:
    """Read a build; raises InputError with every problem of the text."""
    reader = BuildReader(text)
    line, slash, gear = text.partition("/")
    if not slash:
        hint = "Write attributes / gear, such as `power+1,prowess+2 / mace,boots`, or `base / improvised`."
        reader.complain("a build has attributes, a slash and gear", hint)
        reader.finish()
    raises = lines.in_order(reader.raises(line, ATTRIBUTES, "attribute"), ATTRIBUTES)
    found = _gear(gear, reader, rules)
    reader.finish()
    return Build(raises, found)


def _gear(gear: str, reader: BuildReader, rules: DungeoneersRules) -> tuple[str, ...]:
    found: list[str] = []
    known = tuple(rules.gear)
    for part in gear.split(","):
        name = part.strip()
        if name not in known:
            message = f"unknown gear `{name}`" if name else "an empty piece of gear"
            reader.complain(message, suggest(name, known))
        elif name in found:
            reader.complain(f"`{name}` is given twice", "Write it once.")
        else:
            found.append(name)
    slots = [rules.armour[name].slot for name in found if name in rules.armour]
    for name in found:
        if name in rules.armour and rules.armour[name].does_nothing:
            slot = rules.armour[name].slot
            if slots.count(slot) > 1:
                reader.complain(f"`{name}` and another piece for the {slot}", "Keep one.")
    return tuple(name for name in gear_order(rules) if name in found)


def name_build(build: Build) -> str:
    """The canonical text."""
    return name_raises(build.raises) + BETWEEN + ",".join(build.gear)
