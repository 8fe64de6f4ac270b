"""From rules, fighters and builds to the tables that the statement reads."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from buildsearch.engines import policies as walks
from buildsearch.engines.dice import chances_of
from buildsearch.engines.statement import Statement, Terms, records, rule
from buildsearch.evaluate.fixed_order import product
from buildsearch.systems.armitage import policies
from buildsearch.systems.armitage import statement as stated
from buildsearch.systems.armitage.bouts import Bout, Fighter
from buildsearch.systems.armitage.builds.build import Build, Counts, raised_stats
from buildsearch.systems.armitage.rules.chances import Table, damage_table, sum_table
from buildsearch.systems.armitage.rules.model import ArmitageRules, Card, Criticals, Dice, Stats, Strike
from buildsearch.systems.armitage.statement import ATTACK, HEAL, RESOLVE, STATUS, Fight

Ints = NDArray[np.int64]

_STATS = ("eva", "res", "tuf", "ap")
_NUMBERS = ("hth", *_STATS, "initiative")
# A deck in words: a byte for each kind of the fight.
_KINDS_A_WORD, _WORDS = 8, 8
SHEET = (*_NUMBERS, *(f"cards{i}" for i in range(_WORDS)))
PLACE = ("side", "ahead", "is_build")


class Source(NamedTuple):
    """What builds are made to fights with."""

    others: Any  # SHEET of each actor; of the build's places nothing
    places: Any  # PLACE
    shifts: Ints  # shifts[set of statuses, stat]


def kinds_of(rules: ArmitageRules, bout: Bout, deck: Counts) -> tuple[str, ...]:
    """The cards that anybody has: others cannot move a result."""
    decks = [deck, *(each.deck for party in bout.parties for each in party if each is not None)]
    owned = {name for each in decks for name, _ in each}
    return tuple(name for name in rules.cards if name in owned)


def build_row(rules: ArmitageRules, kinds: tuple[str, ...], build: Build) -> Ints:
    """The sheet of a build in a fight of these cards."""
    return np.array(_row(kinds, raised_stats(rules, build), build.deck), np.int64)


def _row(kinds: tuple[str, ...], stats: Stats, deck: Counts) -> tuple[int, ...]:
    words = [0] * _WORDS
    for name, number in deck:
        word, place = divmod(kinds.index(name), _KINDS_A_WORD)
        words[word] |= number << 8 * place
    return (*(getattr(stats, name) for name in _NUMBERS), *words)


def most_hp(rules: ArmitageRules, bout: Bout) -> int:
    """All that our side can have."""
    hth = rules.base.hth + (rules.raises["hth"].most if "hth" in rules.raises else 0)
    return sum(hth if each is None else each.stats.hth for each in bout.parties[0])


def make_terms(rules: ArmitageRules, bout: Bout, kinds: tuple[str, ...]) -> Terms:
    """A fight of these cards, without the build."""
    fighters = [(side, each) for side, party in enumerate(bout.parties) for each in party]
    actors, cards = len(fighters), [rules.cards[name] for name in kinds]
    strikes = tuple(dict.fromkeys([Strike(), *(each.attack for each in cards if each.attack is not None)]))
    heals = sorted({each.heal for each in cards if each.heal is not None}) or [1]
    tables = _tables(rules.dice, rules.criticals, strikes, tuple(heals))
    statuses = [each for each in cards if each.status is not None]
    rows = [_card(each, strikes, heals, statuses) for each in cards]
    cost = np.array([each.ap for each in cards], np.int64)
    fight = Fight(
        who=records([(0,) * len(stated.WHO)] * actors, stated.WHO),
        score=np.zeros((actors, 1 << len(statuses), len(_STATS)), np.int64),
        deck=np.zeros((actors, len(kinds)), np.int64),
        hand=np.zeros((actors, len(kinds)), np.int64),
        pile=np.zeros((actors, len(kinds)), np.int64),
        cards=records(rows, stated.CARD),
        cost=cost,
        rate=1.0 / cost,
        **tables._asdict(),
        plan=np.zeros((rules.hand + 2, policies.COLUMNS)),
        walk=np.zeros((rules.hand + 2, walks.COLUMNS), np.int64),
        left=np.zeros(len(kinds), np.int64),
        hand_size=rules.hand,
        foreseen=rules.rulings.foreseen_attacks,
        highest=tables.hit.shape[1] - 1,
        most=tables.mean.shape[2] - 1,
    )
    source = Source(
        others=records([_other(kinds, each) for _, each in fighters], SHEET),
        places=records(
            [(side, int(bout.plays[side] == "lookahead"), int(each is None)) for side, each in fighters],
            PLACE,
        ),
        shifts=_shifts(statuses),
    )
    return Terms(
        ARMITAGE,
        fight,
        actors,
        bout.max_turns,
        most=(1, 1, 1, most_hp(rules, bout)),
        kinds={"hand": len(kinds), "pile": len(kinds)},
        triggers=2 * len(kinds) + 1,
        options=1,
        source=source,
    )


def _other(kinds: tuple[str, ...], fighter: Fighter | None) -> tuple[int, ...]:
    return (0,) * len(SHEET) if fighter is None else _row(kinds, fighter.stats, fighter.deck)


def _card(card: Card, strikes: tuple[Strike, ...], heals: list[int], statuses: list[Card]) -> tuple[int, ...]:
    if card.attack is not None:
        return card.ap, ATTACK, strikes.index(card.attack), 0, 0, 0, 0
    if card.heal is not None:
        return card.ap, HEAL, heals.index(card.heal), 0, 0, 0, 0
    if card.resolve is not None:
        return card.ap, RESOLVE, 0, card.resolve, 0, 0, 0
    assert card.status is not None  # noqa: S101 - the model has exactly one of the four
    bit = 1 << next(i for i, each in enumerate(statuses) if each is card)
    on_self = int(card.status.bearer == "self")
    return card.ap, STATUS, 0, card.status.amount, _STATS.index(card.status.stat), on_self, bit


def _shifts(statuses: list[Card]) -> Ints:
    """What each set of statuses adds to each stat."""
    found = np.zeros((1 << len(statuses), len(_STATS)), np.int64)
    sets = np.arange(len(found))
    for i, card in enumerate(statuses):
        assert card.status is not None  # noqa: S101 - chosen by it
        found[sets >> i & 1 == 1, _STATS.index(card.status.stat)] += card.status.amount
    return found


class _Tables(NamedTuple):
    strike: NDArray[np.float64]
    healing: NDArray[np.float64]
    hit: NDArray[np.float64]
    mean: NDArray[np.float64]
    mended: NDArray[np.float64]
    prevented: NDArray[np.float64]


# Builds by the thousand differ in their decks but roll on the same few tables, which take time to fill.
@lru_cache(maxsize=64)
def _tables(dice: Dice, criticals: Criticals, strikes: tuple[Strike, ...], heals: tuple[int, ...]) -> _Tables:
    """Every chance: EVA from 0 to where nothing hits, RES from 0 to where it takes off everything."""
    evas = range(dice.attack * dice.sides + max(each.to_hit for each in strikes) + 2)
    ress = range(dice.damage * dice.sides + max(each.damage for each in strikes) + 1)
    rows = [damage_table(dice, criticals, each, eva, res) for each in strikes for eva in evas for res in ress]
    strike = _padded(rows)
    shape = (len(strikes), len(evas), len(ress))
    mean = product(strike[:, 1:], np.arange(strike.shape[1] - 1.0)[:, None])
    healing = _padded([sum_table(each, dice.sides) for each in heals])
    rolls = np.arange(float(healing.shape[1]))
    plain = sum_table(dice.damage, dice.sides)
    return _Tables(
        strike=chances_of(strike),
        healing=chances_of(healing),
        hit=1.0 - strike[:, 0].reshape(shape)[:, :, 0],
        mean=mean.reshape(shape),
        mended=product(healing, np.minimum.outer(rolls, rolls)),
        prevented=product(plain[None], np.minimum.outer(np.arange(float(len(plain))), np.array(ress)))[0],
    )


def _padded(rows: list[Table]) -> Table:
    found = np.zeros((len(rows), max(map(len, rows))))
    for row, each in zip(found, rows, strict=True):
        row[: len(each)] = each
    return found


# Compiled: once a build ---------------------------------------------------------------------------


@rule
def _cards(a: Any, k: int) -> int:
    words = (a.cards0, a.cards1, a.cards2, a.cards3, a.cards4, a.cards5, a.cards6, a.cards7)
    return (words[k >> 3] >> (8 * (k & 7))) & 255


@rule
def _enter(g: Fight, source: Source, i: int, a: Any) -> None:
    """An actor, and its place in the order: behind all who are at least as quick and stand before it."""
    g.who[i].side = source.places[i].side
    g.who[i].ahead = source.places[i].ahead
    g.who[i].hp = a.hth
    for j in range(len(source.shifts)):
        g.score[i, j, stated.EVA] = max(0, a.eva + source.shifts[j, stated.EVA])
        g.score[i, j, stated.RES] = max(0, a.res + source.shifts[j, stated.RES])
        g.score[i, j, stated.TUF] = max(0, a.tuf + source.shifts[j, stated.TUF])
        g.score[i, j, stated.AP] = max(0, a.ap + source.shifts[j, stated.AP])
    for k in range(len(g.cards)):
        g.deck[i, k] = _cards(a, k)


@rule
def _initiative(source: Source, sheet: Any, i: int) -> int:
    return sheet.initiative if source.places[i].is_build else source.others[i].initiative


@rule
def prepare(g: Fight, source: Source, sheet: Any) -> None:
    """A build into the tables, in all of its places."""
    actors = len(g.who)
    for i in range(actors):
        if source.places[i].is_build:
            _enter(g, source, i, sheet)
        else:
            _enter(g, source, i, source.others[i])
        own, place, end = _initiative(source, sheet, i), 0, 0
        for j in range(actors):
            other = _initiative(source, sheet, j)
            if other > own or (other == own and j < i):
                place += 1
            if other >= own:
                end += 1
        g.who[place].acts = i
        g.who[place].tie_end = end


ARMITAGE = Statement(
    name="armitage",
    table=("place", "me", "ap"),
    actor=("hp", "hits", "active", "fresh", "acts"),
    counts=("hand", "pile"),
    metrics=("win_rate", "draws", "", "hp_left"),
    begin=stated.begin,
    decide=policies.decide,
    act=stated.act,
    measure=stated.measure,
    ranges=stated.ranges,
    prepare=prepare,
    sheet=SHEET,
    own=("who", "score", "deck"),
    scratch=("plan", "walk", "left"),
)
