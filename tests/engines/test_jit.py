"""Steps and kernels, processes that share them, and plain numba in place of its private parts."""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError

from buildsearch.engines import jit, kernel_cache  # noqa: F401 - numba asks for the locators

compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="about compiled code")


def told(*arguments: str, **environment: str) -> str:
    """What another Python says."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=True
    ).stdout


@jit.step
def _half(number):
    if number < 0.0:
        raise ValueError("nothing below zero")
    return number / 2.0


@jit.step
def _halves(numbers, first):
    total = 0.0
    for i in range(first, len(numbers)):
        total += _half(numbers[i])
    return total


@njit
def _kernel(numbers):
    begin = 0
    for _ in numbers:
        begin = 1
    return _halves(numbers, begin) + _halves(numbers, 1) + _half(numbers[0])


def test_a_kernel_calls_steps_and_their_errors_come_out():
    numbers = np.random.default_rng(1).random(50)
    total = 0.0
    for number in numbers[1:]:
        total += number / 2.0
    assert _kernel(numbers) == total + total + numbers[0] / 2.0
    with pytest.raises(ValueError, match="nothing below zero"):
        _kernel(np.array([1.0, -1.0]))


@compiled
def test_a_step_has_no_machine_code_and_is_compiled_once_for_constants_and_numbers():
    _kernel(np.ones(2))
    for each in (_half, _halves):
        ((_, kept),) = each.overloads.items()
        assert type(kept.library).__name__ == "CodeOfStep"
    for given in ((), (1.0,), (np.zeros(3), 1)):
        with pytest.raises((KeyError, TypeError)):
            _halves(*given)
    with pytest.raises(KeyError, match="_half is a step"):
        _half(1.0)


@compiled
def test_no_garbage_is_collected_while_numba_compiles(monkeypatch):
    calls: list[str] = []
    monkeypatch.setattr(gc, "disable", lambda: calls.append("off"))
    monkeypatch.setattr(gc, "enable", lambda: calls.append("on"))
    njit(lambda number: number + 1)(1)
    assert calls == ["off", "on"]


@compiled
def test_types_of_indices_are_worked_out_once(monkeypatch):
    asked = []
    template = types.functions.BaseFunction.get_call_type.__closure__
    ask = next(each.cell_contents for each in template if callable(each.cell_contents))
    assert ask.__name__ == "get_call_type"
    (cell,) = [each for each in template if each.cell_contents is ask]
    monkeypatch.setattr(cell, "cell_contents", lambda *given: asked.append(given[2]) or ask(*given))

    @njit
    def third(numbers, words):
        words[0, 1, 2] = numbers[0] + numbers[1] + numbers[2]
        return words[0, 1, 2], min(numbers[0], numbers[1])

    assert third(np.arange(3.0), np.zeros((1, 2, 3))) == (3.0, 0.0)
    arrays = [args for args in asked if isinstance(args[0], types.Array) and args[0].ndim == 3]
    assert len(arrays) == len(set(arrays))


# Two kernels of one source, with another constant each; large enough that LLVM calls the steps.
TWO = """
from numba import njit
from buildsearch.engines.jit import step

def made(number):
    @step
    def work(x):
{body}
        return x
    return work

first, second = made(1), made(2)

def kernel(number):
    @njit(cache=True)
    def run(x):
        if number == 1:
            return first(x)
        return second(x)
    return run

kernels = {{1: kernel(1), 2: kernel(2)}}
"""


@compiled
@pytest.mark.parametrize("plain", ["0", "1"])
def test_kernels_that_two_processes_compiled_get_along(plain: str, tmp_path: Path) -> None:
    body = "".join(f"        if x % {i} == 1:\n            x += number * (x // {i})\n" for i in range(3, 60))
    (tmp_path / "two.py").write_text(TWO.format(body=body))
    where = {
        "NUMBA_CACHE_DIR": str(tmp_path / "kept"),
        "PYTHONPATH": f"{tmp_path}:{Path(jit.__file__).parents[2]}",
    }

    def run(*which: int) -> list[str]:
        asked = f"import two; print(*(int(two.kernels[i](1000)) for i in {which}))"
        return told("-c", asked, **where, **{jit.PLAIN_SWITCH: plain}).split()

    (one,), (two,) = run(1), run(2)
    assert one != two
    assert run(1, 2) == [one, two]
    assert run(2, 1) == [two, one]


# One process compiles, the others wait.

ASK = """
import sys
import numpy as np
from buildsearch.engines.jit import compile_events
from buildsearch.evaluate.alias_tables import integer_weights
print("ready", flush=True)
sys.stdin.readline()
with compile_events() as seen:
    integer_weights(np.ones(3), np.zeros(3, np.int64))
print(len([each for each in seen if "integer_weights" in str(each[1].data["dispatcher"])]))
"""


@compiled
@pytest.mark.posix
def test_only_one_of_two_compiles(tmp_path: Path) -> None:
    """Both begin when both are ready, several times, so that they meet."""
    for number in range(2):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        where = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / str(number))}
        both = [subprocess.Popen([sys.executable, "-c", ASK], env=where, **pipes) for _ in range(2)]
        for each in both:
            assert each.stdout.readline() == "ready\n"
        # A start and an end of the one that compiles.
        assert sorted(each.communicate("go\n")[0].split() for each in both) == [["0"], ["2"]]


@pytest.mark.posix
def test_a_process_waits_for_a_while_only_and_where_there_are_locks(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(jit, "_LONGEST", 0.05)
    path = tmp_path / "kernel.lock"
    hold = (
        f"from pathlib import Path; from buildsearch.engines import jit; jit._locks.take(Path({str(path)!r}))"
    )
    command = [sys.executable, "-c", f"{hold}; print('held', flush=True); input()"]
    locks, others = jit._Locks(), jit._Locks()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        assert not locks.take(path)
        other.kill()  # the system releases its lock
        other.wait()
    assert locks.take(path)
    assert locks.take(path)  # a kernel that comes to itself
    locks.release(path)
    assert not others.take(path)
    locks.release(path)
    assert others.take(path)
    others.release(path)
    locks.release(path)  # never taken: nothing happens
    assert not locks.take(tmp_path / "no" / "folder")
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    assert not locks.take(path)


@compiled
def test_the_lock_of_a_kernel_that_cannot_be_compiled_is_released() -> None:
    @njit(cache=True)
    def wrong(number):
        return number.no_such_thing

    wrong._cache._impl.locator.is_locked = True
    for _ in range(2):
        with pytest.raises(TypingError):
            wrong(1)
        assert wrong._cache.lock not in jit._locks._held


# Plain numba.


def test_private_parts_are_used_with_tested_versions_that_have_them_all(monkeypatch):
    monkeypatch.delenv(jit.PLAIN_SWITCH, raising=False)
    assert [jit.why_plain(each) for each in ("0.62.0", numba.__version__)] == [None, None]
    for version in ("0.61.2", "0.69.0dev1", "1.0"):
        assert (
            jit.why_plain(version) == f"numba {version} is not tested. Install a version from 0.62 to 0.68."
        )
    for name, _, _ in jit.PRIVATE_PARTS:
        with monkeypatch.context() as without:
            without.setattr(jit, "_exists", lambda each, name=name: each != name)
            assert jit.why_plain("0.68.1").startswith(f"numba 0.68.1 has no {name}. Install")
    monkeypatch.setenv(jit.PLAIN_SWITCH, "1")
    assert "Remove it from the environment." in jit.why_plain("0.68.1")


@compiled
def test_without_one_of_them_every_decorator_is_plain(tmp_path: Path) -> None:
    asked = (
        "import numba.core.typed_passes as its; del its.NativeLowering\n"
        "from buildsearch.engines.jit import WHY_PLAIN; print(WHY_PLAIN.split('. ')[0])\n"
        "from buildsearch.systems.vitality.exact.nodes import limited as hits\n"
        "from buildsearch.systems.vitality.exact import forward as other\n"
        "every = [*vars(hits).values(), *vars(other).values()]\n"
        "found = [each for each in every if 'nogil' in getattr(each, 'targetoptions', ())]\n"
        "print({str(each.targetoptions) for each in found}, {type(each._cache) for each in found})"
    )
    said = told("-c", asked, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    assert said[0].endswith("has no typed_passes.NativeLowering")
    assert said[1] == (
        "{\"{'nogil': True, 'nopython': True, 'boundscheck': None}\"} "
        "{<class 'numba.core.caching.FunctionCache'>}"
    )


@compiled
@pytest.mark.long
def test_plain_numba_has_the_same_scores(tmp_path: Path) -> None:
    """Bit for bit: LLVM keeps the order of sums either way."""
    asked = ["-m", "buildsearch", "score", "melee_dg", "--engine", "sampled", "--fights", "1000", "--json"]
    plain = told(*asked, NUMBA_CACHE_DIR=str(tmp_path), **{jit.PLAIN_SWITCH: "1"})
    assert json.loads(plain) == json.loads(told(*asked, **{jit.PLAIN_SWITCH: "0"}))


def test_private_parts_are_in_one_file_and_nothing_is_keyed_by_id():
    """An `id()` may be another object's after the first is gone."""
    package = Path(jit.__file__).parents[1]
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    engines = [path.name for path, text in texts.items() if "numba.core" in text]
    assert sorted(engines) == ["jit.py", "kernel_cache.py"]
    assert [path for path, text in texts.items() if re.search(r"(?<!def )(?<![\w.])id\(", text)] == []


def test_nested_compiling_is_counted_once():
    begins, ends = SimpleNamespace(is_start=True), SimpleNamespace(is_start=False)
    events = [(1.0, begins), (2.0, begins), (3.0, ends), (5.0, ends), (7.0, begins), (8.0, ends)]
    assert jit.compile_seconds([]) == 0
    assert jit.compile_seconds(events) == 5
