"""Builds: grammar, legality, enumeration against a plain twin."""

from __future__ import annotations

from itertools import islice, product

import numpy as np
import pytest
from armitage_support import rules, space, text_rules
from hypothesis import given
from hypothesis import strategies as st

from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.space import Wanted
from buildsearch.systems.armitage.builds.build import Build, in_order, raised_stats
from buildsearch.systems.armitage.builds.grammar import name_build, parse_build


def counts(names, most):
    return st.dictionaries(st.sampled_from(names), st.integers(1, most)).map(
        lambda found: in_order(found, names)
    )


BUILDS = st.builds(
    Build, counts(tuple(rules().raises), 20), counts(tuple(rules().cards), 200).filter(lambda deck: deck)
)


@given(BUILDS)
def test_names_read_back(build):
    assert parse_build(name_build(build), rules()) == build


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "tuf+4,hth+2/heal*4, heavy_attack*4,light_attack*4",
            "hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*4",
        ),
        ("heal*1", "base / heal"),
        ("base / heal", "base / heal"),
    ],
)
def test_canonical_names(text, name):
    assert name_build(parse_build(text, rules())) == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hht+2 / heal", "unknown stat `hht`"),
        ("hth+2 / hael", "Did you mean `heal`?"),
        ("hth+2,hth+1 / heal", "`hth` is given twice"),
        ("hth+0 / heal", "`0` is not a number of hth"),
        ("hth / heal", "`hth` adds nothing"),
        ("base / heal*x", "`x` is not a number of heal"),
        ("base / ", "an empty card"),
        ("/ heal", "an empty stat"),
        ("x" * 20_000, "too long"),
    ],
)
def test_what_is_not_a_build(text, expected):
    with pytest.raises(InputError) as caught:
        parse_build(text, rules())
    assert expected in str(caught.value)


def test_every_problem_at_once():
    with pytest.raises(InputError) as caught:
        parse_build("a+1,b+2 / c,d", rules())
    assert len(caught.value.problems) == 4


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*4", []),
        ("hth+2,tuf+3 / light_attack*4,heavy_attack*4,heal*4", ["leaves 1 points unspent"]),
        ("hth+5,tuf+4 / light_attack*4,heavy_attack*4,heal*4", ["costs 9 points"]),
        ("hth+6 / light_attack*4,heavy_attack*4,heal*4", ["raised by 6, and 5 is the most"]),
        ("hth+2,tuf+4 / light_attack*5,heavy_attack*4,heal*3", ["5 of `light_attack`"]),
        ("hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*3", ["11 cards, not 12"]),
        ("hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*3,quick", ["status card, and these are off"]),
    ],
)
def test_legality(text, reasons):
    found = space().reasons_against(space().parse(text))
    assert len(found) == len(reasons)
    for problem, reason in zip(found, reasons, strict=True):
        assert reason in problem.message


def plain_twin(found, spend_all):
    """Every build, by trying everything."""
    entries = list(found.raises.items())
    lines = [
        in_order(dict(zip(found.raises, steps, strict=True)), tuple(found.raises))
        for steps in product(*(range(entry.most + 1) for _, entry in entries))
        if (cost := sum(n * entry.cost for n, (_, entry) in zip(steps, entries, strict=True))) == found.points
        or (cost < found.points and not spend_all)
    ]
    cards = [name for name, card in found.cards.items() if card.status is None]
    most = found.deck.copies or found.deck.size
    decks = [
        in_order(dict(zip(cards, numbers, strict=True)), tuple(found.cards))
        for numbers in product(range(most + 1), repeat=len(cards))
        if sum(numbers) == found.deck.size
    ]
    return {Build(line, deck) for line in lines for deck in decks}


@pytest.mark.parametrize("found", [rules(), text_rules()], ids=lambda found: found.id)
@pytest.mark.parametrize("spend", ["all", "any"])
def test_enumeration_equals_the_twin(found, spend):
    here = space(found, spend=spend)
    listed = [build for chunk in here.chunks(Wanted(), 1000) for build in here.builds(chunk)]
    assert len(listed) == len(set(listed)) == sum(here.count(Wanted()).values())
    assert set(listed) == plain_twin(found, spend == "all")


@pytest.mark.parametrize("spend", ["all", "any"])
def test_stat_lines_reach_one_another(spend):
    here = space(spend=spend)
    start = here.sample(Wanted(), 1, np.random.default_rng(1))[0]
    seen, todo = {start.raises}, [start]
    while todo:
        for other in here.neighbours(todo.pop()):
            if other.deck == start.deck and other.raises not in seen:
                seen.add(other.raises)
                todo.append(other)
    assert len(seen) == len(here.count(Wanted()))


def test_neighbours_are_swaps():
    here = space(status_cards="on")
    build = here.parse("hth+3,eva+1 / light_attack*4,heavy_attack*4,heal*4")
    for other in here.neighbours(build):
        assert here.reasons_against(other) == []
        changed = (build.raises != other.raises) + (build.deck != other.deck)
        assert changed == 1
        before, after = dict(build.deck), dict(other.deck)
        assert sum(abs(after.get(name, 0) - before.get(name, 0)) for name in rules().cards) in (0, 2)


def test_filters():
    here = space(status_cards="on")
    wanted = Wanted(groups=("tuf+4,hth+2",), with_features=("quick", "slow"), without_features=("heal",))
    assert list(here.count(wanted)) == ["hth+2,tuf+4"]
    chunk = next(here.chunks(wanted, 50))
    for build in here.builds(chunk):
        names = {feature.name for feature in here.features(build)}
        assert {"quick", "slow"} <= names
        assert "heal" not in names
        assert here.reasons_against(build) == []
    for build in here.sample(wanted, 20, np.random.default_rng(3)):
        assert {"quick", "slow"} <= {name for name, _ in build.deck}
    assert sum(here.count(Wanted(with_features=("eva",))).values()) % 975_338 == 0


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(groups=("hth+9",)), "unknown stat line `hth+9`"),
        (Wanted(with_features=("hael",)), "Did you mean `heal`?"),
        (Wanted(with_features=("heal",), without_features=("heal",)), "both required and excluded"),
        (Wanted(with_features=("quick",)), "unknown stat or card `quick`"),
    ],
)
def test_bad_filters(wanted, expected):
    with pytest.raises(UsageError) as caught:
        space().count(wanted)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"status_cards": "yes"}, "must be on or off"), ({"spent": "all"}, "Did you mean `spend`?")],
)
def test_bad_parameters(given, expected):
    with pytest.raises(UsageError) as caught:
        space(**given)
    assert expected in str(caught.value)


def test_the_table_names_what_builds_are_called():
    here = space(status_cards="on", spend="any")
    for chunk in islice(here.chunks(Wanted(), 300), 3):
        columns = here.table(chunk)
        assert [str(name) for name in columns["build"]] == [here.name(build) for build in here.builds(chunk)]
        assert set(here.cards) <= set(columns)


def test_raises_raise():
    stats = raised_stats(rules(), parse_build("hth+2,eva+1,initiative+3 / heal", rules()))
    assert (stats.hth, stats.eva, stats.res, stats.initiative) == (22, 12, 2, 3)
