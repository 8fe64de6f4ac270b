"""Expected outcomes, which both ways to play weigh cards by."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from buildsearch.systems.armitage.reference.battle import Battle, Body
from buildsearch.systems.armitage.rules.model import ArmitageRules, Criticals, Dice, Strike

PLAIN = Strike()


def expected_hit(rules: ArmitageRules, strike: Strike, eva: int) -> float:
    """The chance that an attack hits."""
    return _outlook(rules.dice, rules.criticals, strike, eva, 0)[0]


def expected_damage(rules: ArmitageRules, strike: Strike, eva: int, res: int) -> float:
    """The mean damage of an attack, misses included."""
    return _outlook(rules.dice, rules.criticals, strike, eva, res)[1]


def resolve_worth(battle: Battle, who: Body, hits: int, lowered: int) -> float:
    """Ours: what RES, as it stands, takes off the next plain hit, where it would take nothing otherwise."""
    tuf, res = battle.stat(who, "tuf"), battle.stat(who, "res")
    if hits < tuf or max(0, hits - lowered) >= tuf:
        return 0.0
    rolls = _sums(battle.rules.dice.damage, battle.rules.dice.sides)
    return sum(min(roll, res) for roll in rolls) / len(rolls)


def expected_heal(rules: ArmitageRules, dice: int, missing: float) -> float:
    """The mean HTH that a heal recovers where so much is missing."""
    rolls = _sums(dice, rules.dice.sides)
    return sum(min(roll, missing) for roll in rolls) / len(rolls)


def plain_damage(battle: Battle, body: Body, change: tuple[str, int] | None = None) -> float:
    """The mean damage of a plain attack on somebody as they stand, with one stat changed if told."""
    stats = {name: battle.stat(body, name) for name in ("eva", "res", "tuf")}
    if change is not None and change[0] in stats:
        stats[change[0]] = max(0, stats[change[0]] + change[1])
    res = stats["res"] if body.hit_counter < stats["tuf"] else 0
    return expected_damage(battle.rules, PLAIN, stats["eva"], res)


def status_worth(battle: Battle, who: Body, name: str, target: Body, ap: int) -> float:
    """What a status card is worth in HP, weighed against plain attacks; nothing where it is there already.

    Ours: protection is weighed against the attacks that are foreseen; an opponent's weakness against those
    that the AP left allow; an action point is one plain attack more or less.
    """
    card = battle.card(name)
    status = card.status
    assert status is not None  # noqa: S101 - asked by the caller
    bearer = who if status.bearer == "self" else target
    if name in bearer.statuses:
        return 0.0
    if status.stat == "ap":
        return status.amount * (plain_damage(battle, target) if bearer is who else -plain_damage(battle, who))
    change = plain_damage(battle, bearer, (status.stat, status.amount)) - plain_damage(battle, bearer)
    foreseen = battle.rules.rulings.foreseen_attacks
    if bearer is who:
        return -foreseen * change
    return min(foreseen, ap - card.ap) * change


@lru_cache(maxsize=4096)
def _outlook(dice: Dice, crits: Criticals, strike: Strike, eva: int, res: int) -> tuple[float, float]:
    rolls = list(product(range(1, dice.sides + 1), repeat=dice.attack))
    damages = _sums(dice.damage, dice.sides)
    mean = sum(max(0, roll + strike.damage - res) for roll in damages) / len(damages)
    hits = total = 0.0
    for roll in rolls:
        if sum(roll) + strike.to_hit >= eva:
            alike = max(map(roll.count, roll))
            hits += 1
            total += mean + (crits.three_alike if alike >= 3 else crits.two_alike if alike == 2 else 0)
    return hits / len(rolls), total / len(rolls)


@lru_cache(maxsize=64)
def _sums(dice: int, sides: int) -> tuple[int, ...]:
    return tuple(map(sum, product(range(1, sides + 1), repeat=dice)))
