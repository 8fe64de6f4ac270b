"""One build by its whole state, forward in time: attacks at one enemy, and areas that roll nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from buildsearch.systems.vitality.exact.action_tables import fill_table, joined, places_of, style_of
from buildsearch.systems.vitality.exact.area import TooManyFieldsError, area_transitions
from buildsearch.systems.vitality.exact.batch.chain import Chain, joint_chain
from buildsearch.systems.vitality.exact.forward import (
    AXES,
    CUT,
    LOST,
    SURVIVED,
    TIMED_OUT,
    TOTALS,
    Table,
    play_of,
    run_forward,
)
from buildsearch.systems.vitality.exact.ground import ExactGround
from buildsearch.systems.vitality.exact.solution import Solution
from buildsearch.systems.vitality.exact.transitions import BASIC, NOTHING, Transitions, bases_of, field_of
from buildsearch.systems.vitality.mechanics.limits import (
    NOT_ATTACKED,
    state_allows,
)

# States of 8 bytes, kept three times.
MOST_STATES = 1 << 25
# Moves times the attacker's HP: some seconds. Only bleeds that are renewed have so many.
MOST_STEPS = 1 << 27
_HIGHEST_HP = 2
_ALWAYS = 0b1111


def why_not_forward(ground: ExactGround) -> str | None:
    """The reason why a build has too many states or transitions; None when it can be solved."""
    setup = ground.setup
    if setup["area"]:
        return _too_many(ground, _area_fields(ground))
    if int(setup["target_rule"]) == _HIGHEST_HP:
        return "the exact engine does not play the ruling target=highest_hp"
    fields = int(bases_of(ground.foes["max_hp"], int(setup["bleed_ticks"]))[-1])
    return _too_many(ground, fields) or _too_long(ground)


def solve_forward(ground: ExactGround, *, survival: bool = True) -> Solution:
    """Without `survival` the attacker's HP is followed only where limits ask for it."""
    transitions = area_transitions(ground) if ground.setup["area"] else _single_target_transitions(ground)
    chain = _chain(ground)
    axes = _axes(ground, chain, survival=survival)
    ends, totals = np.zeros(int(axes["max_turns"]) + 1), np.zeros(TOTALS)
    run_forward(
        axes,
        play_of(chain),
        transitions.first_field,
        Table(
            transitions.starts, transitions.fields, transitions.bits, transitions.chances, transitions.idle
        ),
        transitions.living_of,
        _blows(ground, transitions, axes),
        _early_fields(ground, transitions, axes),
        ends,
        totals,
    )
    return Solution(
        ends=ends,
        timeouts=float(totals[TIMED_OUT]),
        lost=float(totals[LOST]),
        cut=float(totals[CUT]),
        survival=float(totals[SURVIVED]) if survival else None,
    )


def _too_long(ground: ExactGround) -> str | None:
    """A renewed bleed leads from every field to as many as there are HP, or to pairs of HP and bleed."""
    setup = ground.setup
    if not (setup["bleed_ticks"] and setup["bleed_replaces"]):
        return None
    steps = 0
    for foe in ground.foes:
        hp = np.arange(1, int(foe["max_hp"]) + 1)
        steps += int((hp * setup["bleed_ticks"] * (hp if setup["one_strike"] else hp * hp // 2)).sum())
    if steps * int(ground.setup["attacker_hp"] + 1) > MOST_STEPS:
        return "the exact engine would have to follow too many renewed bleeds"
    return None


def _area_fields(ground: ExactGround) -> int:
    try:
        return area_transitions(ground).size
    except TooManyFieldsError:
        return MOST_STATES + 1


def _too_many(ground: ExactGround, fields: int) -> str | None:
    axes = _axes(ground, _chain(ground), survival=True)
    if fields * int(axes["size"]) * int(axes["hp_size"]) > MOST_STATES:
        return "the exact engine would have to follow too many states"
    return None


def _chain(ground: ExactGround) -> Chain:
    return joint_chain(ground.setup, int(ground.setup["levels"]), ground.activation)


def _axes(ground: ExactGround, chain: Chain, *, survival: bool) -> np.void:
    """What is followed beside the chain; with `survival` HP are, even where no limit looks at them."""
    setup = ground.setup
    axes: np.void = np.zeros(1, AXES)[0]
    for name in ("max_turns", "first_turn", "last_turn", "defeat_is_loss", "hp_cost"):
        axes[name] = setup[name]
    tracks_since = int(setup["since_mask"]) != _ALWAYS
    axes["accepted_size"] = 1 + tracks_since
    axes["calm"] = (int(setup["since_mask"]) >> NOT_ATTACKED) & 1 if tracks_since else 0
    axes["size"] = chain.states * int(axes["accepted_size"])
    axes["no_retaliation"] = setup["retaliation_cap"] == 0
    allowed = _allowed_hp(setup)
    # Of HP that limits do not tell apart the lowest are one.
    alike = np.flatnonzero(allowed != allowed[0])
    floor = int(alike[0]) - 1 if len(alike) else len(allowed) - 1
    if survival or setup["defeat_is_loss"]:
        floor = 0
    usable = np.flatnonzero(allowed[floor:])
    axes["hp_size"] = len(allowed) - floor
    if len(usable) > 0:
        axes["usable_from"], axes["usable_to"] = usable[0], usable[-1] + 1
    return axes


def _allowed_hp(setup: np.void) -> NDArray[np.bool_]:
    """By HP of the attacker whether limits allow the attack: a range of them."""
    # So few numbers that numba would take longer to compile it.
    allows = getattr(state_allows, "py_func", state_allows)
    full, *limits = (int(setup[name]) for name in ("attacker_hp", "hp_at_most", "hp_full", "hp_cost"))
    return np.array([allows(-1, hp, full, *limits) for hp in range(full + 1)], np.bool_)


def _early_fields(ground: ExactGround, transitions: Transitions, axes: np.void) -> int:
    """How many of the first fields share the attacker's HP: all before another retaliation, or a wave's end.

    Only where transitions never lead back to an earlier place, nothing looks at HP or at what happened since
    last turn, and nobody stops for want of HP.
    """
    reads = ("hp_full", "hp_cost", "leech", "defeat_is_loss")
    if ground.setup["area"] or any(ground.setup[name] for name in reads) or axes["accepted_size"] > 1:
        return 0
    # Where HP is followed at all, it is down to 0: a limit on it would begin elsewhere.
    alike = axes["hp_size"] > 1 and axes["usable_from"] == 0 and axes["usable_to"] == axes["hp_size"]
    if not alike or axes["no_retaliation"]:
        return 0
    places = 0
    first = ground.losses(transitions.living[0])
    for place in range(int(ground.foes[0]["wave_end"])):
        if not np.array_equal(ground.losses(transitions.living[place]), first):
            break
        places += 1
    return int(np.searchsorted(transitions.living_of, places, side="left"))


def _blows(ground: ExactGround, transitions: Transitions, axes: np.void) -> NDArray[np.float64]:
    """The chance of each loss of HP, split by whether the limits accept what the enemies did."""
    mask = int(ground.setup["since_mask"])
    events = np.array([ground.blows(living, mask) for living in transitions.living])
    accepted = events[:, :2] + events[:, 2:]
    if int(axes["accepted_size"]) == 1:
        accepted[:, 0], accepted[:, 1] = accepted.sum(axis=1), 0.0
    return np.asarray(accepted)


def _single_target_transitions(ground: ExactGround) -> Transitions:
    """Every move between fields of the numbering in `fields`."""
    setup = ground.setup
    ticks = int(setup["bleed_ticks"])
    bases = bases_of(ground.foes["max_hp"], ticks)
    size = int(bases[-1])
    places = places_of(ground.foes, bases)
    own = places.copy()
    own["kill_at"] = ground.foes["kill_at"]
    parts = []
    for action in range(BASIC + 1 + int(setup["levels"])):
        special = action > BASIC
        style = style_of(setup, strikes=action != NOTHING, special=special)
        style["ticks"], style["at_start"] = ticks, setup["bleed_at_start"]
        style["tracks_hit"] = setup["last_hit"]
        row = int(setup["classes"]) * (action - BASIC) if special else 0
        parts.append(fill_table(style, own if special else places, ground.chances, row, size))
    tables = joined(parts)
    return Transitions(
        first_field=int(field_of(bases[0], ticks, int(places[0]["max_hp"]), 0, 0)),
        starts=tables.starts,
        fields=tables.fields,
        bits=tables.bits,
        chances=tables.chances,
        living_of=np.repeat(np.arange(len(places)), np.diff(bases)),
        living=[ground.standing(place) for place in range(len(places))],
        idle=_idle(setup, places, size),
    )


def _idle(setup: np.void, places: NDArray[np.void], size: int) -> NDArray[np.bool_]:
    """Which fields are of the last of a wave, who falls to a bleed that opens the turn."""
    idle = np.zeros(size, np.bool_)
    if setup["bleed_ticks"] == 0 or setup["bleed_at_start"] == 0:
        return idle
    for place in range(len(places)):
        if place + 1 < places[place]["wave_end"]:
            continue
        for hp in range(1, places[place]["max_hp"] + 1):
            for left in range(1, setup["bleed_ticks"] + 1):
                idle[field_of(int(places[place]["base"]), int(setup["bleed_ticks"]), hp, hp, left)] = True
    return idle
