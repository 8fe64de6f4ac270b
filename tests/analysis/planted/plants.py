"""Small healthy games, what breaks one of them in one place, and what `analyze` says of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class BaseGame:
    """Rules and fights of this folder in which `analyze` finds no error; `words` are for `optimize`."""

    name: str
    system: str
    words: tuple[str, ...] = ()

    def file(self, ending: str = "") -> str:
        return (_HERE / f"{self.name}{ending}.yaml").as_posix()


ARENA = BaseGame("arena", "vitality")
DUNGEON = BaseGame("dungeon", "dungeoneers")
# Sampled: with this number of fights an option twice as good as it should be is told from luck.
DECK = BaseGame("deck", "armitage", ("--initial-fights", "1024", "--ranking-fights", "0", "--seed", "0"))
PIT = BaseGame("pit", "vitality")
BASES = (ARENA, DUNGEON, DECK, PIT)

# What a designer may be told of each kind of fault.
CODES = {
    "dead": {"dead-option"},
    "never fires": {"never-triggers"},
    "trap": {"strictly-worse"},
    "undercosted": {"undercosted", "must-have", "overpowered-combination", "outclasses"},
    "overcosted": {"overcosted", "too-weak", "strictly-worse"},
    "pair": {"overpowered-combination", "must-have"},
    "triple on one type": {"overpowered-combination", "must-have"},
    "hidden must-have": {"must-have"},
    "two interchangeable options": {"must-have"},
    "trivial fight": {"flat-scenario", "instant-win"},
    "absent enemy": {"absent-target"},
    "overcosted card": {"overcosted", "too-weak", "strictly-worse"},
}
# Findings that are about one cause: what else they name is wrongly blamed. Others list options.
_ABOUT_ONE_CAUSE = ("overpowered-combination", "must-have", "flat-scenario", "instant-win")


@dataclass(frozen=True)
class Plant:
    """A change of a base game: `rules` and `fights` are YAML on top of its files.

    `kind` is one of CODES, and `subjects` are what has to be named; a healthy variant has neither. `also`
    are subjects that may be named with them: the type that a triple is broken on.
    """

    base: BaseGame
    about: str
    rules: str = ""
    fights: str = ""
    kind: str = ""
    subjects: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    missed: str = ""  # what was said instead, when it was first looked at

    def __str__(self) -> str:
        return f"{self.base.name}: {self.kind or 'healthy'}: {self.about}"

    def write(self, folder: Path) -> tuple[str, ...]:
        """The changed files; gives what `optimize` is told."""
        heads = {
            "": f"kind: rules\nsystem: {self.base.system}\nid: changed\nname: Changed\n",
            "-fights": f"kind: scenarios\nsystem: {self.base.system}\nid: changed-fights\nname: Changed\n",
        }
        for ending, text in (("", self.rules), ("-fights", self.fights)):
            head = f"extends: {self.base.file(ending)}\n{heads[ending]}"
            (folder / f"changed{ending}.yaml").write_text(head + text, encoding="utf-8")
        files = ("--rules", "changed.yaml", "--scenarios", "changed-fights.yaml")
        return (*files, *self.base.words, *self.words)


def planted(part: str) -> tuple[list[Plant], list[Plant]]:
    """The faults and the healthy variants of a part of the suite."""
    games = {game.name: game for game in BASES}
    data = yaml.safe_load((_HERE / f"{part}.yaml").read_text(encoding="utf-8"))

    def plant(game: str, **entry: Any) -> Plant:
        lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
        return Plant(games[game], **entry | lists)

    return [plant(**each) for each in data["faults"]], [plant(**each) for each in data["healthy"]]


@dataclass(frozen=True)
class Said:
    """One finding of `analyze --json`."""

    code: str
    severity: str
    subjects: tuple[str, ...]
    text: str
    is_open: bool  # sampled scores leave it undecided
    combinations: tuple[frozenset[str], ...]

    @property
    def is_error(self) -> bool:
        """Whether it says, beyond doubt, that the game is broken."""
        return self.severity == "error" and not self.is_open

    @property
    def options(self) -> set[str]:
        """What it names; two or more of a card are that card."""
        return {name.split(" x")[0] for name in self.subjects}

    def names(self, plant: Plant) -> bool:
        """Whether it is about the plant: a list of options may have others too, a combination may not."""
        if self.code not in CODES[plant.kind]:
            return False
        wanted, allowed = set(plant.subjects), {*plant.subjects, *plant.also}
        if self.combinations and len(wanted) > 1:
            return all(wanted <= each <= allowed for each in self.combinations)
        if self.code in _ABOUT_ONE_CAUSE:
            return wanted <= self.options <= allowed
        return wanted <= self.options


def is_named(plant: Plant, said: Sequence[Said]) -> bool:
    """Whether the first or the second finding is the plant. Options that replace each other may also be told
    one by one."""
    first = said[:2]
    if any(each.names(plant) for each in first):
        return True
    alone = [each.subjects for each in first if each.code == "overpowered-combination"]
    return "interchangeable" in plant.kind and {(name,) for name in plant.subjects} == set(alone)


def said_about(plant: Plant, run, folder: Path) -> Sequence[Said]:
    """Score every build and analyze, as a user would."""
    scored = run("optimize", *plant.write(folder), "-q", "--top", 1, "--out", "run")
    assert scored.code == 0, scored.err
    ended = run("analyze", "run", "--json", "--thresholds", _HERE / "quick.toml")
    assert ended.code == 0, ended.err
    return [
        Said(
            each["code"],
            each["severity"],
            tuple(each["subjects"]),
            each["text"],
            each["certainty"] == "inconclusive",
            tuple(frozenset(some) for some in each["numbers"].get("combinations", ())),
        )
        for each in json.loads(ended.out)["findings"]
    ]
