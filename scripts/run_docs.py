"""Runs the command lines of README and docs/, each narrowed to a small space, and says which do not work.

.venv/bin/python -m scripts.run_docs      all of them; `make test` runs the quick ones
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from buildsearch.cli.main import exit_code_of

REPOSITORY = Path(__file__).resolve().parent.parent
# Commands that answer at once, whatever they are asked.
QUICK = ("cache", "doctor", "enumerate", "init", "list", "new", "schema", "show", "trace", "validate")
# What is added to a line so that it does not take minutes; what it says stays as it is.
NARROWED = {
    "optimize": ("--dry-run",),
    "score": ("--fights=16",),
    "compare": ("--fights=16",),
    "diff": ("--type=direct_damage", "--parameter=budget=1", "--no-edit-effects", "--top=3"),
    "check": ("--parameter=budget=1", "--fights=1000"),
    "balance": ("--seconds=2", "--max-proposals=1"),
    "meta": ("--type=eva+2", "--without=resolve", "--fights=20000", "--epsilon=0.2"),
    "explain": ("--fights=3",),
}
# These run until they are stopped; tests of their own ask them.
ENDLESS = ("serve",)
# Runs that pages speak of; all are the same small one here.
RUNS = ("my-run", "v1", "v2", "bleed", "tier-4", "after", "before")
MINE = """extends: vitality-v2
kind: rules
system: vitality
id: mine
name: Mine
upgrades: {bleed: {cost: 2}}
"""
HEROES = "results/heroes"  # a run of Dungeoneers, of which a page speaks as the latest
FEW_HEROES = ("-p", "points=2", "-p", "gear=2", "-p", "max_spells=1")
# These end otherwise than with 0, as their page says.
REFUSED = ("--set bled.cost=2", "area+double_tap+ricochet")


def command_lines() -> Iterator[tuple[str, str]]:
    """Every command line of README and pages: in blocks of a shell, in workflows, and in the text."""
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))):
        text = page.read_text(encoding="utf-8")
        lines = []
        for kind, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if kind in ("", "console", "sh"):
                whole = block.replace("\\\n", " ")
                lines += [line.strip().removeprefix("$ ") for line in whole.splitlines()]
            elif kind == "yaml":
                filled = re.sub(r"\$\{\{[^}]*\}\}", "main", block)
                lines += re.findall(r"^ +- (?:run: )?(buildsearch .*)$", filled, re.MULTILINE)
        lines += re.findall(r"`(buildsearch \w+ [^`\n]+)`", text)
        for line in lines:
            if "..." not in line and "[--" not in line:  # those say how a line is made
                for part in line.split(" && "):
                    if part.startswith("buildsearch ") and "COMMAND" not in part:
                        yield page.name, part


def words_of(line: str) -> list[str]:
    """The words behind `buildsearch`, up to a pipe or a comment."""
    return list(takewhile(lambda word: word not in ("|", ">"), shlex.split(line, comments=True)))[1:]


def shows(shown: list[str], printed: list[str]) -> bool:
    """Whether lines of a page are those of an output; `...` on the page is in place of any lines."""
    dots = [i for i, line in enumerate(shown) if line.strip() == "..."]
    place = 0
    for first, end in zip([-1, *dots], [*dots, len(shown)], strict=True):
        part = shown[first + 1 : end]
        starts = range(place, len(printed) + 1 if first >= 0 else 1)
        found = next((i for i in starts if printed[i : i + len(part)] == part), None)
        if found is None:
            return False
        place = found + len(part)
    return True


def is_pattern(words: list[str]) -> bool:
    """Whether a line says how a line is made: FILE, A B, [RUN]."""
    return any(re.fullmatch(r"[A-Z]+|\[?[A-Z]+\]?|A \| B|NAME=VALUE", word) for word in words)


def narrowed(words: list[str]) -> list[str]:
    """A line that takes seconds; pages are not opened."""
    kept = [word for word in words if word != "--open"]
    if "--from-run" in kept and "dungeoneers" in kept:
        kept = [HEROES if word == "latest" else word for word in [*kept, *FEW_HEROES]]
    more: tuple[str, ...] = NARROWED.get(kept[0], ())
    if "armitage-text" in kept and kept[0] == "check":
        more = ("--fights=1000",)
    if "armitage-text" in kept and kept[0] == "diff":
        more = ("--type=eva+2", "--no-edit-effects", "--initial-fights=16", "--ranking-fights=0")
    return [*kept, *(word for word in more if word.partition("=")[0] not in kept)]


def lines_to_run(*, quick: bool) -> list[tuple[str, list[str], list[str]]]:
    """Each different line once, with its words and what is run for it."""
    found: dict[tuple[str, ...], tuple[str, list[str], list[str]]] = {}
    for _, line in command_lines():
        words = words_of(line)
        if words and words[0] not in ENDLESS and not words[0].startswith("--") and not is_pattern(words):
            asked = narrowed(words)
            if (words[0] in QUICK) == quick:
                found.setdefault(tuple(asked), (line, words, asked))
    return list(found.values())


def prepare(folder: Path, *, quick: bool) -> None:
    """What pages take for granted: rules of one's own, their past in git, and runs by their names."""
    (folder / "rules").mkdir()
    for name in ("mine.yaml", "rules/mine.yaml", "rules/fixed.yaml", "vitality-v2-edited.yaml"):
        (folder / name).write_text(MINE.replace("id: mine", f"id: {Path(name).stem}"), encoding="utf-8")
    if quick:
        return
    author = ("-c", "user.name=t", "-c", "user.email=t@t")
    for words in (("init", "-q"), ("add", "."), *[(*author, "commit", "-qm", "x", "--allow-empty")] * 2):
        subprocess.run(["git", *words], cwd=folder, check=True)
    few = ("--type", "melee_dg", "--type", "direct_area_damage", "--without", "ricochet", "--top", "10")
    words: tuple[str, ...] = ("optimize", "--budget", "4", *few, "--scenario", "boss", "-q")
    if exit_code_of(list(words)) != 0:
        raise SystemExit("run_docs: the run that pages speak of could not be made.")
    latest = folder / "results" / (folder / "results" / "latest").read_text(encoding="utf-8").strip()
    words = ("optimize", "-r", "dungeoneers", *FEW_HEROES, "--scenario", "duel", "-q", "--out", HEROES)
    if exit_code_of(list(words)) != 0:
        raise SystemExit("run_docs: the run of heroes could not be made.")
    (folder / "results" / "latest").write_text(f"{latest.name}\n", encoding="utf-8")
    for name in RUNS:
        shutil.copytree(latest, folder / "results" / name)
        shutil.copytree(latest, folder / name)


def wrong_lines(folder: Path, *, quick: bool, told: bool = False) -> list[tuple[str, int, str]]:
    """Run them in a folder; gives those that end otherwise than they should, with what they said."""
    wrong = []
    for line, words, asked in lines_to_run(quick=quick):
        said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        begun = time.process_time()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = exit_code_of(asked)
        if told:
            print(f"{time.process_time() - begun:6.1f} s  exit {code}  {line}", flush=True)
        (folder / "baseline.json").unlink(missing_ok=True)  # one page's, and not of the next one's rules
        refused = any(mark in line for mark in REFUSED)
        fine = (1, 2) if refused else (0, 1, 4) if words[0] in ("check", "diff") else (0,)
        said.flush()
        said.seek(0)
        text = said.read()
        # The small game of this script has nothing to fix; that of the tutorial has.
        if code not in fine and "there is no proposal 1" not in text:
            wrong.append((line, code, text[-500:]))
    return wrong


def main() -> int:
    """Both halves, in a folder and with scores of their own."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["BUILDSEARCH_CACHE"] = str(Path(name) / "scores")
        folder = Path(name) / "here"
        folder.mkdir()
        os.chdir(folder)
        prepare(folder, quick=False)
        wrong = [each for quick in (True, False) for each in wrong_lines(folder, quick=quick, told=True)]
        os.chdir(REPOSITORY)
    for line, code, said in wrong:
        print(f"\nrun_docs: exit {code}: {line}\n{said}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
