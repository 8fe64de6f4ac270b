"""The one file of the digest that knows how builds are scored: a case and a role in, numbers out.

Roles name what an engine is for, not where it stands: engines may be rebuilt, cases and answers stay.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import buildsearch
from buildsearch.model.evaluation import Sampling
from tests.digest.cases import Case

EXACT, EXACT_BULK, BEST = "exact", "exact in bulk", "best play"
SAMPLED, SAMPLED_BULK, LOOKAHEAD, REFERENCE = "sampled", "sampled in bulk", "look-ahead", "reference"
ROLES = (EXACT, EXACT_BULK, BEST, SAMPLED, SAMPLED_BULK, LOOKAHEAD, REFERENCE)
SOLVED = (EXACT, EXACT_BULK, BEST)
GAMES = ("vitality-v2", "vitality-v1", "armitage", "armitage-text", "dungeoneers", "animon-story")
_BY_METHOD = {"sampled": SAMPLED, "lookahead": LOOKAHEAD, "reference": REFERENCE}


@dataclass(frozen=True)
class Answer:
    """Means and deviations of a fight's metrics, the primary one first; `fights` is None if solved."""

    means: dict[str, float]
    deviations: dict[str, float]
    fights: int | None


class Setting:
    """The rules, the space and the fight of a case, ready for any build."""

    def __init__(self, case: Case) -> None:
        self.play = case.play
        with tempfile.TemporaryDirectory() as folder:
            file = None
            if case.scenarios is not None:
                file = str(Path(folder) / "drawn.yaml")
                Path(file).write_text(json.dumps(case.scenarios), encoding="utf-8")
            game = buildsearch.load(
                case.game,
                overrides=case.overrides,
                rulings=case.rulings,
                scenarios=file,
                only=case.only or (),
                **case.parameters,
                **case.fight,
            )
        setup = game.setup
        self.system, self.rules, self.space = setup.loaded.system, setup.loaded.model, setup.space
        if len(setup.fights) != 1:
            raise buildsearch.UsageError(f"a case has one fight, and here are {len(setup.fights)}.")
        (self.fight,) = setup.fights.values()
        self.metrics = {metric.name: metric for metric in self.system.metrics}
        self.evaluators = self.system.evaluators(self.rules)
        self.bulk = self.system.bulk(self.rules, self.space)

    def answer(self, text: str, role: str, seed: int = 0, fights: int = 2) -> Answer | None:
        """What an engine says; None where it does not take the build."""
        build = self.space.parse(text)
        if role in (EXACT_BULK, SAMPLED_BULK):
            return self._in_bulk(build, role, seed, fights)
        for evaluator in self.evaluators:
            solved = BEST if self.play == "optimal" else EXACT
            mine = _BY_METHOD.get(evaluator.method, solved)
            if mine == role and evaluator.why_not(build, self.fight) is None:
                return self._read(evaluator.evaluate(build, self.fight, Sampling(fights, seed)), role)
        return None

    def _in_bulk(self, build: Any, role: str, seed: int, fights: int) -> Answer | None:
        if " | " in self.space.name(build) or (self.play == "optimal" and role == SAMPLED_BULK):
            return None
        chunk, names = self.space.encode(build), self.bulk.outcomes
        if role == EXACT_BULK:
            try:
                (mean,) = self.bulk.solve(chunk, self.fight)
            except buildsearch.UsageError:  # it does not play like this
                return None
            return None if np.isnan(mean) else Answer({names[0]: float(mean)}, {}, None)
        samples = self.bulk.sample(chunk, self.fight, seed, fights)
        if np.isnan(samples.totals).any():
            return None
        return Answer(dict(zip(names, (samples.totals[:, 0] / fights).tolist(), strict=True)), {}, fights)

    def _read(self, found: Any, role: str) -> Answer:
        """Metrics that follow from the primary one's mean say nothing of their own."""
        primary = self.system.metrics[0].name
        follows = self.bulk.derived(self.fight, np.ones(1))
        means = {name: each.value for name, each in found.estimates.items() if name not in follows}
        if role == BEST:
            # Its estimate may ignore the turn limit, under which fights are sampled.
            outcomes = np.arange(len(found.distribution)) * found.step
            means = {**means, primary: float(found.distribution @ outcomes / found.distribution.sum())}
        deviations = {primary: float(found.stdev)}
        for name, mean in means.items():
            metric = self.metrics[name]
            if name != primary and found.fights:
                deviations[name] = found.estimates[name].se * found.fights**0.5
            elif name != primary and (metric.low, metric.high) == (0, 1):
                deviations[name] = max(0.0, mean * (1 - mean)) ** 0.5
        return Answer(means, deviations, found.fights)


@lru_cache(maxsize=4)
def _of_setting(setting: str) -> Setting:
    return Setting(Case.read(json.loads(setting)))


def setting_of(case: Case) -> Setting:
    """The last few are kept: cases that share one come after each other."""
    return _of_setting(case.setting)


def answer(case: Case, role: str, seed: int = 0, fights: int = 2) -> Answer | None:
    """What an engine says of a case; None where it does not take it."""
    return setting_of(case).answer(case.build, role, seed, fights)


def is_higher_better(case: Case, metric: str) -> bool:
    """The direction of a metric."""
    return setting_of(case).metrics[metric].higher_is_better


# Small runs that still have findings.
_RUNS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "vitality-v2": ({"budget": 2, "only": ("boss", "mixed")}, {}),
    "vitality-v1": ({"budget": 2, "only": ("boss", "mixed")}, {}),
    "armitage": ({"only": ("sample", "brute")}, {"initial_fights": 64, "ranking_fights": 200_000}),
    "armitage-text": ({"only": ("brute",)}, {"initial_fights": 64, "ranking_fights": 100_000}),
    "dungeoneers": ({"points": 2, "gear": 2, "max_spells": 1}, {}),
    "animon-story": ({"stage": "basic", "elements": "fire", "only": ("duel", "elder", "rival")}, {}),
}


def run_of(game: str) -> dict[str, dict]:
    """A small run: its best 100 builds with their scores, and its findings with the numbers behind them."""
    loaded, searched = _RUNS[game]
    run = buildsearch.optimize(buildsearch.load(game, **loaded), top=100, cache=False, **searched)
    table = run.to_arrow()
    top = dict(zip(table["build"].to_pylist(), table["score"].to_pylist(), strict=True))
    findings = {}
    for each in buildsearch.analyze(run, triggers=False).findings:
        name = f"{each['severity']} {each['code']}: {' + '.join(each['subjects'])}"
        findings[name] = name
        findings |= {f"{name}, {key}": _plain_value(value) for key, value in each["numbers"].items()}
    return {"top": top, "findings": findings}


def _plain_value(value: Any) -> float | str:
    return float(value) if isinstance(value, int | float | np.number) else str(value)
