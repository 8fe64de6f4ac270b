"""A case: one build in one fight under changed rules, as data that can be read and written."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace


@dataclass(frozen=True)
class Case:
    """What a command line says: rules, changes, rulings, parameters, options of the fight, the build."""

    game: str
    build: str = ""
    overrides: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    parameters: dict[str, str] = field(default_factory=dict)
    fight: dict[str, str] = field(default_factory=dict)  # `play`, `enemies`, `attacker`, ...
    scenarios: dict | None = None  # a whole scenario file with one fight; None: those that the rules name
    only: str | None = None  # one of those
    number: int = -1  # as it was drawn

    @property
    def play(self) -> str:
        return self.fight.get("play", "greedy")

    @property
    def setting(self) -> str:
        """Everything but the build: what cases can share."""
        return json.dumps(asdict(replace(self, build="", number=-1)), sort_keys=True)

    def written(self) -> dict:
        """As JSON; what is empty is left out."""
        return {name: value for name, value in asdict(self).items() if value or name == "number"}

    @classmethod
    def read(cls, written: dict) -> Case:
        lists = {name: tuple(written.get(name, ())) for name in ("overrides", "rulings")}
        return cls(**{**written, **lists})

    def command(self) -> str:
        """How to score it by hand; a scenario file is shown behind it."""
        words = ["buildsearch score", repr(self.build), "--rules", self.game]
        words += [f"--set {each!r}" for each in self.overrides] + [
            f"--ruling {each}" for each in self.rulings
        ]
        words += [f"-p {name}={value}" for name, value in self.parameters.items()]
        words += [f"--{name} {value!r}" for name, value in self.fight.items()]
        words += [f"--scenario {self.only}"] if self.only else []
        return " ".join(words) + (f"   # {json.dumps(self.scenarios)}" if self.scenarios else "")
