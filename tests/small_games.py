"""A small space of each game, and one finished run of it that all tests of a session share."""

from __future__ import annotations

import io
import os
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

from buildsearch.cli.main import exit_code_of

# Scenario sets that some of the games name. `write_files` puts them into a folder.
FILES = {
    "mirror.yaml": """
kind: scenarios
system: armitage
id: mirror
name: Only against itself
scenarios:
  mirror: {name: Duel against itself, opponents: [build]}
""",
    "pets.yaml": """
kind: scenarios
system: animon
id: pets
name: One and two
scenarios:
  one: {name: An equal, foes: "L1:fledgling:neutral"}
  two: {name: Two of a kind, foes: "L1:fledgling:nature*2"}
""",
    "boss.yaml": """
kind: scenarios
system: vitality
id: boss
name: Only the boss
enemies:
  boss: {hp: 100}
scenarios:
  boss: {name: Boss, enemies: [boss]}
""",
}


@dataclass(frozen=True)
class SmallGame:
    """Rules, a space and fights that take a second; two builds, an option, and an edit of the rules."""

    rules: str
    system: str
    space: tuple[str, ...]
    filters: tuple[str, ...]  # what `check` and `meta` do not take
    build: str
    other: str
    option: str
    edit: str

    @property
    def narrowed(self) -> tuple[str, ...]:
        return (*self.space, *self.filters)

    def write_files(self, folder: Path) -> None:
        """The scenario sets, and `mine.yaml`: the rules with the edit."""
        for name, text in FILES.items():
            (folder / name).write_text(text, encoding="utf-8")
        head = f"kind: rules\nsystem: {self.system}\nextends: {self.rules}\nid: mine\nname: Mine\n"
        (folder / "mine.yaml").write_text(head + self.edit, encoding="utf-8")


FEW = ("--initial-fights", "16", "--ranking-fights", "20000")
SMALL_GAMES = {
    game.rules: game
    for game in (
        SmallGame(
            "vitality-v2",
            "vitality",
            ("--budget", "4", "--scenarios", "boss.yaml"),
            ("--type", "melee_dg"),
            "melee_dg+barrage+unreliable_3",
            "melee_dg+bleed",
            "barrage",
            "upgrades:\n  barrage: {cost: 2}\n",
        ),
        SmallGame(
            "vitality-v1",
            "vitality",
            ("--budget", "1"),
            ("--type", "direct_damage", "--without", "ricochet"),
            "direct_damage+power_attack",
            "direct_damage+cooldown",
            "power_attack",
            "upgrades:\n  power_attack: {cost: 2}\n",
        ),
        SmallGame(
            "armitage-text",
            "armitage",
            ("--set", "points=1", "--scenarios", "mirror.yaml"),
            (),
            "tuf+1 / light_attack*8,heal*4",
            "hth+1 / light_attack*8,heal*4",
            "heal",
            "cards:\n  heal: {ap: 2}\n",
        ),
        SmallGame(
            "dungeoneers",
            "dungeoneers",
            ("--set", "limits.points=1", "--set", "limits.gear=2", "--set", "limits.max_spells=1"),
            (),
            "prowess+1 / mace,boots",
            "prowess+1 / dagger,boots",
            "mace",
            "weapons:\n  mace: {wounds: 3}\n",
        ),
        SmallGame(
            "animon-story",
            "animon",
            (
                *("--set", "limits.stage=fledgling", "--set", "limits.elements=[fire]"),
                *("--scenarios", "pets.yaml"),
            ),
            (),
            "fledgling fire 3-2-2-1 / attack / none",
            "fledgling fire 2-3-2-1 / attack / none",
            "heavy_strike",
            "effects:\n  heavy_strike: {extra: 9}\n",
        ),
    )
}


def finished_run(game: SmallGame, base: Path) -> Path:
    """The folder of the game's run. The first process that asks makes it; `base` is the session's folder."""
    place = base / "finished-runs" / game.rules
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock, chdir(place):
        with suppress(ImportError):  # Windows: both processes may make it
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "run").exists():
            game.write_files(place)
            said = io.StringIO()
            words = ["optimize", "-r", game.rules, *game.narrowed, *FEW, "--top", "10", "--out", "run"]
            with redirect_stdout(said), redirect_stderr(said):
                assert exit_code_of(words) == 0, said.getvalue()
    return place / "run"


def session_folder(base: Path) -> Path:
    """What all processes of a session share."""
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
