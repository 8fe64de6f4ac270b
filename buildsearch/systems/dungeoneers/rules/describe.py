"""What an attribute, a weapon, a piece, a spell or a foe is, in words and numbers."""

from __future__ import annotations

from buildsearch.model.rules_file import Option
from buildsearch.model.text import count
from buildsearch.systems.dungeoneers.rules.model import Attribute, DungeoneersRules, Piece, Spell, Weapon

_MEANING: dict[Attribute, str] = {
    "power": "pierce dice of weapons; heavy gear needs it",
    "prowess": "hit dice and dodge dice; the higher acts first",
    "endurance": "stress that one can handle",
    "resistance": "dice against spells that are resisted with the body",
    "spell": "dice of spell attacks; with none left, nothing can be cast",
    "mind": "magica, dice of spells that are saved against, dice against dread",
}


def describe_options(rules: DungeoneersRules) -> tuple[Option, ...]:
    """Everything that a build can take."""
    return (
        *(_attribute(name, title, rules) for name, title in rules.attributes.items()),
        *(_weapon(name, weapon) for name, weapon in rules.weapons.items()),
        *(_piece(name, piece) for name, piece in rules.armour.items()),
        *(_spell(name, spell) for name, spell in rules.spells.items()),
    )


def _attribute(name: Attribute, title: str, rules: DungeoneersRules) -> Option:
    facts = (("Base", str(rules.hero.base)), ("At most", str(rules.limits.max_rank)))
    return Option(id=name, kind="attribute", name=title, summary=_MEANING[name], cost=1, facts=facts)


def _weapon(name: str, weapon: Weapon) -> Option:
    hands = {0: "no hand", 1: "one hand"}.get(weapon.hands, f"{weapon.hands} hands")
    wounds = count(weapon.wounds, f"{weapon.type} wound")
    summary = f"{weapon.hit} to hit, {weapon.pierce} to pierce, {wounds}"
    return _gear(name, weapon, "weapon", summary, ("Hands", hands), ("Rank", weapon.rank or "none"))


def _piece(name: str, piece: Piece) -> Option:
    parts = [f"AV {piece.av}" if piece.av else "", f"SR {piece.sr}" if piece.sr else ""]
    if piece.bane:
        few = "fewer" if piece.bane > 0 else "more"
        dice = "die" if abs(piece.bane) == 1 else "dice"
        parts.append(f"{abs(piece.bane)} {dice} {few} for every roll of a caster")
    summary = ", ".join(part for part in parts if part) or "nothing"
    hands = ("Hands", str(piece.hands) if piece.hands else "")
    return _gear(name, piece, piece.slot, summary, ("Needs power", str(piece.power)), hands)


def _spell(name: str, spell: Spell) -> Option:
    hands = ("Hands", "a tome, one hand" if spell.hands else "a cantrip, none")
    return _gear(name, spell, "spell", _deed(spell), ("Magica", str(spell.base)), hands)


def _gear(
    name: str, entry: Weapon | Piece | Spell, kind: str, summary: str, *facts: tuple[str, str]
) -> Option:
    """Facts that say something, and the section of the rules."""
    said = tuple(each for each in (*facts, ("Section", entry.section)) if each[1])
    return Option(id=name, kind=kind, name=entry.name, summary=summary, cost=entry.cost, facts=said)


def _deed(spell: Spell) -> str:
    if spell.armor is not None:
        return f"AV +{spell.armor} until the fight ends, once"
    if spell.mend is not None:
        return f"{spell.mend} wound less of one's own"
    if spell.calm is not None:
        return f"{spell.calm} stress less of one's own"
    test = (
        f"spell {spell.attack} against dodge"
        if spell.attack is not None
        else f"mind {spell.save} against {spell.against}"
    )
    effect = (
        count(spell.harm.wounds, f"{spell.harm.type} wound")
        if spell.harm is not None
        else f"the target gains {spell.stress} stress"
    )
    return f"{test}, {spell.pierce} against SR, {effect}"
