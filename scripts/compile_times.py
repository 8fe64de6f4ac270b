"""What a command compiles from an empty cache of kernels: each function with its own seconds.

    .venv/bin/python -m scripts.compile_times score melee_dg
    .venv/bin/python -m scripts.compile_times --signatures optimize --budget 3 --out /tmp/run
    .venv/bin/python -m scripts.compile_times -m scripts.benches.exact --warm-up

Functions that a function calls are not in its seconds, which are processor time of the thread that compiled.
Processes that the command begins have lists of their own. A function with more than one signature is
compiled that often: literals, strides, read-only arrays.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

_LOG = "BUILDSEARCH_COMPILE_TIMES"
# Python runs a file of this name in every process that finds one.
_EVERYWHERE = "from scripts.compile_times import listen\nlisten()\n"
_HERE = Path(__file__).resolve().parent.parent


def listen() -> None:
    """Write down every function that this process compiles, as soon as it is done."""
    __import__("buildsearch")  # says where kernels are kept, before numba is imported
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def __init__(self) -> None:
            self.begun: list[float] = []
            self.within: list[float] = []
            self.names: list[str] = []

        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            name = function.__name__
            if "site-packages" in function.__code__.co_filename and self.names:
                # One of numba's own: whom it is for.
                name += f", for {self.names[-1].split(', for ')[-1]}"
            self.names.append(name)
            self.within.append(0.0)
            self.begun.append(time.thread_time())

        def on_end(self, event: Any) -> None:
            took, within = time.thread_time() - self.begun.pop(), self.within.pop()
            if self.within:
                self.within[-1] += took
            code = event.data["dispatcher"].py_func.__code__
            path = Path(code.co_filename)
            place = path.relative_to(_HERE) if path.is_relative_to(_HERE) else path.name
            about = (f"{place}:{code.co_firstlineno}", self.names.pop(), event.data["args"])
            with Path(os.environ[_LOG]).open("a", encoding="utf-8") as file:
                print(os.getpid(), f"{took - within:.4f}", *about, sep="\t", file=file)

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]


def main() -> None:
    """Run the command in a process of its own, and say what was compiled in it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-m", dest="module", default="buildsearch", help="the module that is run")
    parser.add_argument("--signatures", action="store_true", help="also of which types")
    parser.add_argument("--most", type=int, default=40, help="so many functions of a process are listed")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what follows is for the module")
    asked, words = parser.parse_known_args()
    command = [sys.executable, "-m", asked.module, *words, *asked.command]
    with tempfile.TemporaryDirectory() as scratch:
        log, places = Path(scratch) / "log", [scratch, str(_HERE), os.environ.get("PYTHONPATH", "")]
        log.touch()
        (Path(scratch) / "sitecustomize.py").write_text(_EVERYWHERE, encoding="utf-8")
        environment = os.environ | {
            _LOG: str(log),
            "PYTHONPATH": os.pathsep.join(filter(None, places)),
            "NUMBA_CACHE_DIR": str(Path(scratch) / "kernels"),
            "BUILDSEARCH_CACHE": str(Path(scratch) / "scores"),
        }
        begun = time.perf_counter()
        ended = subprocess.run(command, env=environment)  # noqa: PLW1510
        passed = time.perf_counter() - begun
        lines = log.read_text(encoding="utf-8").splitlines()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _print(lines, asked.most, signatures=asked.signatures)
    print(f"\n{passed:.1f} s by the clock, {used.ru_utime + used.ru_stime:.1f} s of processors")
    sys.exit(ended.returncode)


def _print(lines: list[str], most: int, *, signatures: bool) -> None:
    processes: dict[str, dict[tuple[str, str], list[tuple[float, str]]]] = {}
    for line in lines:
        process, seconds, place, name, types = line.split("\t")
        functions = processes.setdefault(process, defaultdict(list))
        functions[place, name].append((float(seconds), types))
    total = {name: sum(s for each in of.values() for s, _ in each) for name, of in processes.items()}
    for process, functions in processes.items():
        print(f"\nprocess {process}: {total[process]:.1f} s for {len(functions)} functions")
        ranked = sorted(functions.items(), key=lambda item: -sum(s for s, _ in item[1]))
        for (place, name), each in ranked[:most]:
            often = f" (times {len(each)})" if len(each) > 1 else ""
            print(f"{sum(s for s, _ in each):8.2f} s  {name}{often}  {place}")
            for took, types in each if signatures else ():
                print(f"{'':12}{took:.2f} s {types}")
        if len(ranked) > most:
            left = sum(s for _, each in ranked[most:] for s, _ in each)
            print(f"{left:8.2f} s  {len(ranked) - most} others")


if __name__ == "__main__":
    main()
