"""What is attacked: each reader, and what it may answer. Anything but a sentence for users is a find."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from buildsearch.analysis.thresholds import DEFAULTS, read_thresholds
from buildsearch.gate.baseline import read_baseline
from buildsearch.gate.config import read_config
from buildsearch.gate.results import CheckCache, Level, Violation
from buildsearch.library.fight_setup import builds_in_file, setup_of
from buildsearch.library.input_files import inspect, load_rules
from buildsearch.library.runs import load_run
from buildsearch.model.errors import InputError
from buildsearch.model.space import Wanted
from buildsearch.options.game import GameOptions
from buildsearch.report.run_record import read_record
from buildsearch.search.score_cache import ScoreCache

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("corpus")


class WrongError(Exception):
    """A reader took damage for an answer."""


@dataclass(frozen=True)
class Target:
    """A reader of files: seeds to damage, and what is done with the damaged file."""

    name: str
    seeds: tuple[bytes, ...]
    attempt: Callable[[bytes], object]


def corpus(name):
    """Files of a kind that were trouble once, or may be."""
    return tuple(path.read_bytes() for path in sorted((CORPUS / name).glob("*")))


def text_targets(place):
    """Readers of files that people write."""
    rules = [
        REPOSITORY / "tests" / "analysis" / "planted.yaml",
        *sorted((REPOSITORY / "rules").glob("*.yaml")),
    ]
    scenarios = sorted((REPOSITORY / "scenarios").glob("*.yaml"))
    presets = sorted((REPOSITORY / "buildsearch" / "gate" / "presets").glob("*.toml"))
    setup = setup_of(GameOptions(rules=str(rules[0])))
    games = {"vitality": load_rules("vitality-v2").model, "armitage": load_rules("armitage").model}

    def read_rules(path):
        loaded, problems = inspect(path)
        if loaded is None and not problems:
            raise WrongError("refused without a reason")
        if loaded is None:
            raise InputError(problems)
        if loaded.kind == "rules":
            loaded.system.space(loaded.model, {}).count(Wanted())
        return loaded

    def read_scenarios(path):
        loaded = read_rules(path)
        if loaded.kind == "scenarios" and loaded.system.id in games:
            loaded.system.fights(games[loaded.system.id], loaded.model, {}, {})

    def read_builds(path):
        setup.read_builds(builds_in_file(path))

    readers = {
        "rules": (read_rules, ".yaml", [path.read_bytes() for path in rules]),
        "scenarios": (read_scenarios, ".yaml", [path.read_bytes() for path in scenarios]),
        "config": (read_config, ".toml", [path.read_bytes() for path in presets]),
        "thresholds": (read_thresholds, ".toml", [DEFAULTS.read_bytes()]),
        "baseline": (lambda path: read_baseline(path, "mine"), ".json", []),
        "builds": (read_builds, ".txt", []),
    }
    return [
        Target(name, (*seeds, *corpus(name)), _through_a_file(place / f"{name}{ending}", reader))
        for name, (reader, ending, seeds) in readers.items()
    ]


def _through_a_file(path, reader):
    def attempt(data):
        path.write_bytes(data)
        return reader(path)

    return attempt


def run_targets(folder):
    """Files of a run: read as they were written, or refused."""
    whole = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    said = json.loads(whole["run.json"])
    score = load_run(str(folder)).scores.score.tobytes()

    def attempt_on(name):
        def attempt(data):
            try:
                (folder / name).write_bytes(data)
                read = load_run(str(folder))
                if read.scores.score.tobytes() != score:
                    raise WrongError("other scores without a word")
                now, then = read_record(folder).said(), dict(said)
                for part in ("seconds", "cache"):
                    now.pop(part, None), then.pop(part, None)
                if now != then:
                    raise WrongError("another run.json without a word")
            finally:
                (folder / name).write_bytes(whole[name])

        return attempt

    return [Target(name, (whole[name],), attempt_on(name)) for name in ("run.json", "scores.parquet")]


def cache_targets(place):
    """Kept scores and judgements: as they were written, or not known."""
    context, rng = b"c" * 32, np.random.default_rng(7)
    keys = rng.integers(1 << 63, size=(40, 2)).astype(np.uint64)
    numbers = rng.random((40, 3))
    ScoreCache(place / "cache").add(context, keys, numbers)
    (shard,) = (place / "cache").rglob("*.scores")
    finding = Violation(
        assertion="a",
        kind="kind",
        level=Level.ERROR,
        subjects=("bleed",),
        where="here",
        message="too good",
        value=1.0,
        limit=0.5,
        excess=0.5,
    )
    memory, assertion = CheckCache(place / "cache"), _Words()
    memory.keep("a", assertion, b"content", (finding,))
    (kept,) = (memory.path or place).glob("*.json")

    def attempt_shard(data):
        shard.write_bytes(data)
        found, values = ScoreCache(place / "cache").find(context, keys, 3)
        for aside in shard.parent.glob("*.damaged"):
            aside.unlink()
        if found.any() and not (found.all() and np.array_equal(values, numbers)):
            raise WrongError("other numbers without a word")

    def attempt_judgement(data):
        kept.write_bytes(data)
        if memory.recall("a", assertion, b"content") not in (None, (finding,)):
            raise WrongError("another verdict without a word")

    return [
        Target("cache", (shard.read_bytes(),), attempt_shard),
        Target("judgement", (kept.read_bytes(),), attempt_judgement),
    ]


class _Words:
    def model_dump_json(self):
        return "{}"


def journal_target(place):
    """A study that others may have written."""
    import optuna

    from buildsearch.search.guided.study import open_study, storage_trouble

    path = place / "study"
    sampler = optuna.samplers.RandomSampler(seed=0)
    study = open_study(str(path), "study", sampler, (1.0,))
    for _ in range(3):
        trial = study.ask()
        trial.suggest_categorical("x", ["a", "b"])
        study.tell(trial, 1.0)

    def attempt(data):
        path.write_bytes(data)
        (place / "study.lock").unlink(missing_ok=True)
        with storage_trouble(str(path)):
            open_study(str(path), "study", sampler, (1.0,)).get_trials(deepcopy=False)

    return Target("journal", (path.read_bytes(), *corpus("journal")), attempt)
