"""How a build is written: `type[shape]:effect+enhancement+... | another attack`."""

from __future__ import annotations

import re

from buildsearch.builds.notation import BuildReader
from buildsearch.ruleset.messages import suggest
from buildsearch.systems.vitality.builds.build import Attack, Build
from buildsearch.systems.vitality.builds.legality import Catalogue
from buildsearch.systems.vitality.rules.model import EFFECTS, Effect

_HEAD = re.compile(r"^(?P<type>[^\[\]:]*)(\[(?P<shape>[^\[\]]*)\])?(:(?P<effect>.*))?$")


def parse_build(text: str, catalogue: Catalogue, effect: Effect = "damage") -> Build:
    """Read a build; `effect` is taken where the text names none. Raises InputError with every problem."""
    reader = BuildReader(text)
    attacks = [_parse_attack(part, catalogue, effect, reader) for part in text.split("|")]
    reader.finish()
    return Build(tuple(attack for attack in attacks if attack is not None))


def name_build(build: Build, catalogue: Catalogue, effect: Effect = "damage") -> str:
    """The canonical text: rules-file order, nothing that is a default.

    `effect` is what the reader takes where none is named; a condition is named always.
    """
    return " | ".join(_name_attack(attack, catalogue, effect) for attack in build.attacks)


def _name_attack(attack: Attack, catalogue: Catalogue, default_effect: Effect) -> str:
    shape = f"[{attack.shape}]" if attack.shape != catalogue.default_shape(attack.type) else ""
    effect = "" if attack.effect == default_effect == "damage" else f":{attack.effect}"
    return "+".join((attack.type + shape + effect, *attack.enhancements))


def _parse_attack(
    text: str, catalogue: Catalogue, default_effect: Effect, reader: BuildReader
) -> Attack | None:
    head, *tail = (part.strip() for part in text.split("+"))
    found = len(reader.problems)
    attack_type, shape, effect = _parse_head(head, text, catalogue, default_effect, reader)
    seen: set[str] = set()
    for name in tail:
        if name not in catalogue.position:
            what = "an empty enhancement" if not name else f"unknown enhancement `{name}`"
            reader.complain(what, suggest(name, catalogue.ids), about=text)
        elif name in seen:
            reader.complain(f"`{name}` is taken twice", "Each enhancement at most once.", about=text)
        else:
            seen.add(name)
    if len(reader.problems) > found:
        return None
    return Attack(attack_type, catalogue.in_order(seen), effect, shape)


def _parse_head(
    head: str, text: str, catalogue: Catalogue, default_effect: Effect, reader: BuildReader
) -> tuple[str, str | None, Effect]:
    match = _HEAD.match(head)
    types = catalogue.rules.attack_types
    if match is None or match["type"] not in types:
        name = match["type"] if match else head
        what = f"unknown attack type `{name}`" if name else "no attack type"
        hint = suggest(name, tuple(types))
        reader.complain(what, f"A build begins with its attack type. {hint}", about=text)
        return name, None, default_effect
    attack_type = match["type"]
    shape = match["shape"]
    shapes = types[attack_type].shapes
    if shape is not None and shape not in shapes:
        hint = suggest(shape, shapes) if shapes else f"`{attack_type}` has no shapes."
        reader.complain(f"unknown shape `{shape}`", hint, about=text)
    effect = default_effect
    if match["effect"] is not None:
        named = [known for known in EFFECTS if known == match["effect"]]
        if not named:
            hint = suggest(match["effect"], EFFECTS)
            reader.complain(f"unknown effect `{match['effect']}`", hint, about=text)
        else:
            effect = named[0]
    return attack_type, shape or catalogue.default_shape(attack_type), effect
