"""The thresholds of an analysis, from a TOML file: what counts as dead, a must-have, broken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from buildsearch.files.safe_reading import parse_toml, read_text
from buildsearch.model.errors import InputError, Problem, UsageError, reason_of
from buildsearch.ruleset.checking import known_keys
from buildsearch.ruleset.messages import hint_of, message_of, suggest

DEFAULTS = Path(__file__).with_name("thresholds.toml")
_MOST_BYTES = 1_000_000


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class SaturationThresholds(_Strict):
    """Where the classes of saturation curves begin."""

    tops: tuple[int, ...] = Field(min_length=2)
    shares: tuple[float, ...]
    target: tuple[float, float]
    dead_mean: float
    must_have: float = Field(gt=0, le=1)
    staple: float = Field(gt=0, le=1)
    common_lift: float = Field(ge=1)
    top_heavy: float
    inverted: float
    volatile: float


class DeadThresholds(_Strict):
    """When a rule changes nothing, and how long to look for it to fire."""

    tolerance: float = Field(ge=0)
    fights: int = Field(ge=1)
    fights_to_be_sure: int = Field(ge=1)
    point: float = Field(gt=0, lt=1)
    error_rate: float = Field(gt=0, lt=0.5)


class VerdictThresholds(_Strict):
    """What an optimising player may not find: far too good builds, options that every good build has."""

    margin: float = Field(gt=0, lt=1)
    near: float = Field(gt=0, lt=1)
    odds: float = Field(gt=1)
    weak: float = Field(gt=0)
    undercosted: float = Field(ge=0, lt=1)
    passenger: float = Field(ge=0, lt=1)
    best_builds: int = Field(ge=1)
    flat: float = Field(ge=0, lt=1)
    errors: int = Field(ge=1)
    clip: tuple[float, float]
    viable: tuple[float, ...] = Field(min_length=1)
    fewest_options: int = Field(ge=1)
    fewest_contexts: int = Field(ge=1)
    instant_chance: float = Field(gt=0.5, lt=1)
    instant_weight: float = Field(gt=0, le=1)
    dominant_top: int = Field(ge=1)
    dominant_share: float = Field(gt=0, le=1)
    dominant_fewest: int = Field(ge=2)
    cause_work: float = Field(gt=0)

    @model_validator(mode="after")
    def _ordered(self) -> VerdictThresholds:
        low, high = self.clip
        if not 0 < low < high < 1:
            raise ValueError("clip is two probabilities, the lower one first, such as [0.02, 0.98]")
        return self


class BalanceThresholds(_Strict):
    """How far `balance` goes: further than to where errors end, so that a small change leaves it fixed."""

    aim: float = Field(gt=0, lt=1)
    aim_odds: float = Field(gt=1)


class Thresholds(_Strict):
    """All of them."""

    saturation: SaturationThresholds
    dead: DeadThresholds
    verdict: VerdictThresholds
    balance: BalanceThresholds


def with_aim(limits: Thresholds, margin: float | None) -> Thresholds:
    """The thresholds with the margin that is asked for, else with the one that `balance` aims at, which is
    never wider than where an error begins."""
    if margin is not None:
        return with_margin(limits, margin)
    aim = {
        "margin": min(limits.balance.aim, limits.verdict.margin),
        "odds": min(limits.balance.aim_odds, limits.verdict.odds),
    }
    return limits.model_copy(update={"verdict": limits.verdict.model_copy(update=aim)})


def with_margin(limits: Thresholds, margin: float | None) -> Thresholds:
    """The thresholds with another margin, where one is asked for."""
    if margin is None:
        return limits
    changed = limits.verdict.model_copy(update={"margin": margin, "odds": 1 / (1 - margin)})
    return limits.model_copy(update={"verdict": changed})


def read_thresholds(path: Path | None = None) -> Thresholds:
    """The shipped thresholds, with those of a file in their place; raises UsageError or InputError."""
    data = _read(DEFAULTS)
    if path is not None:
        for section, values in _read(path).items():
            # A table changes what it names; anything else is left to the check below.
            data[section] = {**data.get(section, {}), **values} if isinstance(values, dict) else values
    try:
        return Thresholds.model_validate(data)
    except ValidationError as error:
        raise InputError(
            [_problem(each, str(path or DEFAULTS)) for each in error.errors(include_url=False)]
        ) from error


def _problem(error: Mapping[str, Any], source: str) -> Problem:
    keys = [str(part) for part in error["loc"]]
    hint = hint_of(error)
    if error["type"] == "extra_forbidden":
        hint = suggest(keys[-1], known_keys(Thresholds, keys[:-1]))
    return Problem(message_of(error, f"`{keys[-1]}`"), source=source, path=".".join(keys), hint=hint)


def _read(path: Path) -> dict[str, dict[str, object]]:
    try:
        return parse_toml(read_text(path, _MOST_BYTES))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read thresholds from {path}: {reason_of(error)}.") from error
