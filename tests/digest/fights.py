"""Random parameters and fights of each game. Enemies are few and weak: solving them takes milliseconds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.digest.cases import Case


def some(rng: np.random.Generator, of: tuple[str, ...], count: int) -> list[str]:
    """So many of them, each once."""
    return [of[i] for i in rng.choice(len(of), size=min(count, len(of)), replace=False)]


def one(rng: np.random.Generator, *of):
    """One of them."""
    return of[int(rng.integers(len(of)))]


def _stats(rng: np.random.Generator, most: int = 3) -> dict[str, int]:
    names = ("focus", "power", "mobility", "endurance")
    return {name: int(rng.integers(0, 5)) for name in some(rng, names, int(rng.integers(0, most)))}


def _vitality(case: Case, rng: np.random.Generator) -> Case:
    parameters, fight = {"tier": str(rng.integers(3, 6))}, {}
    if rng.random() < 0.3:
        parameters["archetype"] = one(rng, "dual_natured", "versatile_master")
    parameters["budget"] = str(rng.integers(2, 9))
    if rng.random() < 0.1:
        parameters["effect"] = "condition"
    if rng.random() < 0.3:
        fight["play"] = "optimal"
    for who in ("attacker", "enemy"):
        changes = ",".join(f"{name}={value}" for name, value in _stats(rng).items())
        if changes and rng.random() < 0.5:
            fight[who] = changes
    case = replace(case, parameters=parameters, fight=fight)
    if rng.random() < 0.04:
        return replace(case, only=one(rng, "boss", "mixed"))
    if rng.random() < 0.4:
        hp = [str(rng.integers(1, 31)) for _ in range(int(rng.integers(1, 5)))]
        return replace(case, fight={**fight, "enemies": ",".join(hp)})
    kinds = {name: {"hp": int(one(rng, 1, 5, 10, 15, 25, 30)), **_stats(rng)} for name in "abc"}
    waves = [
        [one(rng, *"abc") for _ in range(int(rng.integers(1, 4)))]
        for _ in range(int(rng.choice((1, 1, 2, 3))))
    ]
    scenario: dict = {"name": "Drawn", "waves": waves, "max_turns": int(one(rng, 7, 20, 40, 100))}
    if rng.random() < 0.5:
        scenario["adjacent"] = True
    if rng.random() < 0.5:
        scenario["cluster"] = int(rng.integers(0, 3))
    if rng.random() < 0.5:
        scenario["area_targets"] = {shape: int(rng.integers(1, 4)) for shape in ("burst", "cone", "line")}
    return replace(case, scenarios=_file("vitality", {"drawn": scenario}, enemies=kinds))


def _armitage(case: Case, rng: np.random.Generator) -> Case:
    parameters = {"status_cards": "on"} if case.game == "armitage" and rng.random() < 0.5 else {}
    one_card = rng.random() < 0.35
    attacks = ("light_attack", "heavy_attack")[: 1 + (case.game == "armitage")]
    cards = (*attacks[1:], "heal", "resolve")
    cards += ("protected", "quick", "weak", "confused") if case.game == "armitage" else ()
    fighters = {}
    for name in "abc":
        stats = {
            "hth": int(rng.integers(2, 10)),
            "eva": int(rng.integers(8, 14)),
            "res": int(rng.integers(0, 3)),
        }
        stats |= {"tuf": int(rng.integers(0, 4)), "initiative": int(rng.integers(-3, 6))}
        if one_card:
            deck = {one(rng, *attacks): int(rng.integers(6, 13))}
        else:
            deck = {card: int(rng.integers(1, 7)) for card in ["light_attack", *some(rng, cards, 3)]}
        fighters[name] = {**stats, "deck": deck}
    scenario: dict = {"name": "Drawn", "opponents": ["a"], "max_turns": int(one(rng, 10, 25, 50))}
    if not one_card and rng.random() < 0.5:
        scenario["opponents"] = one(rng, ["a", "b"], ["build"], ["a", "a"])
        scenario["allies"] = one(rng, [], ["b"], ["build"])
    plays = one(rng, "greedy", "greedy", "lookahead", "greedy,lookahead", "lookahead,greedy")
    return replace(
        case,
        parameters=parameters,
        fight={"play": plays} if plays != "greedy" else {},
        scenarios=_file("armitage", {"drawn": scenario}, combatants=fighters),
        overrides=(f"base.hth={rng.integers(3, 10)}", *(("deck.copies=12",) if one_card else ())),
    )


def _dungeoneers(case: Case, rng: np.random.Generator) -> Case:
    parameters = {"points": str(rng.integers(2, 9)), "gear": str(rng.integers(0, 7))}
    parameters |= {"max_spells": str(rng.integers(0, 3)), "rank": one(rng, *"EDCB")}
    foes = []
    kinds = ("foe", "skeleton", "zombie", "goblin", "hexer", "knight", "ogre", "wraith", "golem")
    for _ in range(int(rng.choice((1, 1, 2, 3)))):
        changes = {
            "power": 4,
            "prowess": 4,
            "endurance": 4,
            "resistance": 4,
            "mind": 4,
            "spell": 3,
            "av": 8,
            "sr": 4,
        }
        changed = some(rng, tuple(changes), int(rng.integers(0, 3)))
        told = [
            f"{name}={rng.integers(1 if changes[name] == 4 else 0, changes[name] + 1)}" for name in changed
        ]
        foes.append(one(rng, *kinds) + (f"{{{' '.join(told)}}}" if told else ""))
    terms = [f"rounds={one(rng, 3, 8, 15)}"] + (["ambient=1"] if rng.random() < 0.2 else [])
    fight = {"enemies": "|".join(foes) + "@" + " ".join(terms)}
    return replace(case, parameters=parameters, fight=fight | _play(rng))


def _animon(case: Case, rng: np.random.Generator) -> Case:
    """Several at once have few HP and few rounds: their states multiply."""
    stage = one(rng, "fledgling", "basic", "basic", "super", "ultra")
    parameters = {"stage": stage, "elements": "all", "lower_forms": one(rng, "derived", "own")}
    if stage != "fledgling":
        parameters["effects"] = str(one(rng, 1, 1, 2, 3))
    play, kind = _play(rng), one(rng, "single", "single", "several", "waves", "ally")
    if play:
        kind = one(rng, "single", "single", "several")
    foes = {"single": [1], "several": [2], "waves": [1, 1], "ally": [1]}[kind]
    small = kind in ("several", "ally")
    parts = ["foes=" + ">".join(",".join(_unit(rng, small=small) for _ in range(count)) for count in foes)]
    if kind == "ally":
        parts.append("allies=" + one(rng, "build", _unit(rng, small=True)))
    terms = {
        "bp": ("0",) if play and small else ("1",) if play or small else ("on", "1", "3", "7"),
        "start": ("fledgling", "basic"),
        "first": ("yes",),
        "zero": ("devolve", "out"),
        "between": ("breath",),
        "surprised": ("us", "them"),
    }
    parts += [f"{name}={one(rng, *some)}" for name, some in terms.items() if rng.random() < 0.3]
    if small or play or rng.random() < 0.3:
        parts.append(f"rounds={one(rng, *((1, 2) if small else (2, 4, 6) if play else (2, 5, 12)))}")
    return replace(case, parameters=parameters, fight={"enemies": "; ".join(parts)} | play)


def _unit(rng: np.random.Generator, *, small: bool) -> str:
    elements = ("neutral", "fire", "water", "nature")
    effects = (
        "sap",
        "heavy_strike",
        "poison_strike",
        "stunning_strike",
        "energy_drain",
        "overcharge",
        "misdirect",
    )
    text = f"L{rng.integers(0, 7)}:{one(rng, 'basic', 'super')}:{one(rng, *elements)}"
    text += f"!{one(rng, *effects)}" if rng.random() < 0.5 else ""
    changes = {"dmg": 9, "atk": 6, "dod": 5, "ini": 6, "use": 4}
    text += f"/hp{rng.integers(1, 8)}" if small else f"/hp{rng.integers(5, 30)}"
    return text + "".join(
        f"/{name}{rng.integers(1, most + 1)}" for name, most in changes.items() if rng.random() < 0.25
    )


def _play(rng: np.random.Generator) -> dict[str, str]:
    return {"play": "optimal"} if rng.random() < 0.3 else {}


def _file(system: str, scenarios: dict, **more: dict) -> dict:
    head = {"kind": "scenarios", "system": system, "id": "drawn", "name": "Drawn"}
    return {**head, **more, "scenarios": scenarios}


GAMES = {"vitality": _vitality, "armitage": _armitage, "dungeoneers": _dungeoneers, "animon": _animon}
