"""Compiles all kernels, in as many processes as there are cores, two at most: see scripts/compile.

Each takes the next piece of work when it is done with one. They never compile the same kernel twice
(`engines/jit`), so pieces may overlap. `--times` says what each piece took. Only Ricochet's map is
left to whoever first solves one: that takes longer than compiling it.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial
from pathlib import Path


@contextmanager
def _silence() -> Iterator[None]:
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nothing,
        redirect_stdout(nothing),
        redirect_stderr(nothing),
    ):
        yield


def _command(*words: str) -> None:
    """A command, silently. `python -m buildsearch` would end this process, for which the pool waits."""
    from buildsearch.cli.main import exit_code_of

    with _silence():
        code = exit_code_of(list(words))
    if code:
        raise RuntimeError(f"buildsearch {' '.join(words)} ended with {code}")


def _run(module: str, *words: str) -> None:
    """As `python -m`, silently: whatever fails is said by its exit code."""
    sys.argv = [module, *words]
    with _silence():
        try:
            runpy.run_module(module, run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"{module} {' '.join(words)} ended with {ended.code}") from ended


def _apart() -> None:
    """What takes longest of the exact batches, and what solves one build among several enemies."""
    from buildsearch.library.input_files import load_rules
    from buildsearch.systems.vitality.builds.space import VitalitySpace
    from buildsearch.systems.vitality.bulk import VitalityBulk
    from buildsearch.systems.vitality.rules.settings import read_settings

    rules = load_rules("vitality-v2").model
    VitalityBulk(rules, VitalitySpace(rules, read_settings(rules, {}))).compile_apart(rules.attack_types)


def _search() -> None:
    """A small search, and its analysis."""
    with tempfile.TemporaryDirectory() as run, chdir(run):  # `latest` of the checkout stays as it is
        types = ("--type", "melee_dg", "--type", "direct_area_damage")
        asked = ("--budget", "2", *types, "--top", "5", "--no-cache", "--quiet", "--out", run)
        _command("optimize", *asked)
        _command("analyze", run)


def _bench(name: str) -> Callable[[], None]:
    return partial(_run, f"scripts.benches.{name}", "--warm-up")


# Those that take longest first, so that nobody is left with one of them at the end.
_PIECES: dict[str, Callable[[], None]] = {
    "apart": _apart,
    "search": _search,
    "loadouts": _bench("loadouts"),
    "stories": _bench("stories"),
    "floor": _bench("floor"),
    "lookahead": _bench("lookahead"),
    "duels": _bench("duels"),
    "heroes": _bench("heroes"),
    "fights": _bench("fights"),
}


def _work(name: str) -> tuple[str, float]:
    begun = time.process_time()
    _PIECES[name]()
    return name, time.process_time() - begun


def main() -> None:
    """Compile everything."""
    processes = min(2, os.cpu_count() or 1)
    with multiprocessing.get_context("spawn").Pool(processes) as pool, suppress(BrokenPipeError):
        for name, took in pool.imap_unordered(_work, _PIECES):
            if "--times" in sys.argv:
                print(f"{took:6.1f} s  {name}", flush=True)


if __name__ == "__main__":
    main()
