"""What an attribute, a weapon, a piece, a spell or a foe is, in words and numbers."""

from __future__ import annotations

from buildsearch.model.rules_file import Option
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
    summary = f"{weapon.hit} to hit, {weapon.pierce} to pierce, {_wounds(weapon.wounds, weapon.type)}"
    facts = [("Hands", hands), ("Rank", weapon.rank or "none"), ("Section", weapon.section)]
    return Option(
        id=name, kind="weapon", name=weapon.name, summary=summary, cost=weapon.cost, facts=_said(facts)
    )


def _piece(name: str, piece: Piece) -> Option:
    parts = [f"AV {piece.av}" if piece.av else "", f"SR {piece.sr}" if piece.sr else ""]
    if piece.bane:
        few = "fewer" if piece.bane > 0 else "more"
        dice = "die" if abs(piece.bane) == 1 else "dice"
        parts.append(f"{abs(piece.bane)} {dice} {few} for every roll of a caster")
    facts = [("Needs power", str(piece.power)), ("Hands", str(piece.hands) if piece.hands else "")]
    return Option(
        id=name,
        kind=piece.slot,
        name=piece.name,
        summary=", ".join(part for part in parts if part) or "nothing",
        cost=piece.cost,
        facts=_said([*facts, ("Section", piece.section)]),
    )


def _spell(name: str, spell: Spell) -> Option:
    facts = [("Magica", str(spell.base)), ("Hands", "a tome, one hand" if spell.hands else "a cantrip, none")]
    return Option(
        id=name,
        kind="spell",
        name=spell.name,
        summary=_deed(spell),
        cost=spell.cost,
        facts=_said([*facts, ("Section", spell.section)]),
    )


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
        _wounds(spell.harm.wounds, spell.harm.type)
        if spell.harm is not None
        else f"the target gains {spell.stress} stress"
    )
    return f"{test}, {spell.pierce} against SR, {effect}"


def _wounds(number: int, damage: str) -> str:
    return f"{number} {damage} wound{'' if number == 1 else 's'}"


def _said(facts: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((label, text) for label, text in facts if text)
