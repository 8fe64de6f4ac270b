"""How a build is written: `power+1,prowess+3 / stiletto,light_shield`; a line without points is `base`."""

from __future__ import annotations

from buildsearch.builds import lines
from buildsearch.builds.notation import BETWEEN, BuildReader, name_raises
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.dungeoneers.builds.build import Build, gear_order, in_order
from buildsearch.systems.dungeoneers.rules.model import ATTRIBUTES, DungeoneersRules


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
    known = (*rules.weapons, *rules.armour, *rules.spells)
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
    return in_order(found, gear_order(rules))


def name_build(build: Build) -> str:
    """The canonical text."""
    return name_raises(build.raises) + BETWEEN + ",".join(build.gear)
