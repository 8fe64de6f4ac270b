"""Functions that only kernels call: the same numbers as their source, and nobody else can call them."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import config, njit
from numpy.typing import NDArray

from buildsearch.engines import kernel_cache  # noqa: F401 - what rests while numba compiles is in there
from buildsearch.engines.inner_kernels import inner

compiled = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="about compiled code")


@inner
def _half(number: float) -> float:
    if number < 0.0:
        raise ValueError("nothing below zero")
    return number / 2.0


@inner
def _halves(numbers: NDArray[np.float64], first: int) -> float:
    total = 0.0
    for i in range(first, len(numbers)):
        total += _half(numbers[i])
    return total


@njit
def _kernel(numbers: NDArray[np.float64]) -> float:
    return _halves(numbers, 1) + _half(numbers[0])


def test_a_kernel_calls_what_is_inside_it() -> None:
    numbers = np.random.default_rng(1).random(50)
    total = 0.0
    for number in numbers[1:]:
        total += number / 2.0
    assert _kernel(numbers) == total + numbers[0] / 2.0


def test_an_error_comes_out_of_it() -> None:
    with pytest.raises(ValueError, match="nothing below zero"):
        _kernel(np.array([1.0, -1.0]))


@compiled
@pytest.mark.parametrize("given", [(), (1.0,), (np.zeros(3), 1)])
def test_nobody_else_can_call_it(given: tuple[object, ...]) -> None:
    _kernel(np.ones(2))
    with pytest.raises((KeyError, TypeError)):
        _halves(*given)
    with pytest.raises(KeyError, match="_half is an inner kernel"):
        _half(1.0)


@compiled
def test_a_constant_is_a_number_like_others() -> None:
    """Else it would be compiled for the constant, for what a variable begins with, and for numbers."""

    @njit
    def kernel(numbers: NDArray[np.float64], first: int) -> float:
        count = 0
        for _ in range(first):
            count += 1
        return _tail(numbers, 0) + _tail(numbers, count) + _tail(numbers, first=1)

    @inner
    def _tail(numbers: NDArray[np.float64], first: int) -> float:
        return numbers[first]

    assert kernel(np.array([1.0, 2.0, 4.0]), 2) == 7.0
    assert len(_tail.overloads) == 1


@compiled
def test_it_has_no_machine_code_of_its_own() -> None:
    _kernel(np.ones(2))
    ((_, kept),) = _half.overloads.items()
    assert type(kept.library).__name__ == "_PartOfKernels"


@compiled
def test_no_cycles_are_looked_for_while_numba_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(gc, "disable", lambda: calls.append("off"))
    monkeypatch.setattr(gc, "enable", lambda: calls.append("on"))
    njit(lambda number: number + 1)(1)
    assert calls == ["off", "on"]


# Two kernels of one source, with another constant each; large enough that LLVM calls what is inside.
TWO = """
from numba import njit
from buildsearch.engines.inner_kernels import inner

def made(number):
    @inner
    def step(x):
{body}
        return x
    return step

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
def test_kernels_that_two_processes_compiled_get_along(tmp_path: Path) -> None:
    body = "".join(f"        if x % {i} == 1:\n            x += number * (x // {i})\n" for i in range(3, 60))
    (tmp_path / "two.py").write_text(TWO.format(body=body))
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "kept"),
        "PYTHONPATH": f"{tmp_path}:{Path.cwd()}",
    }

    def run(*which: int) -> list[int]:
        asked = f"import two; print(*(int(two.kernels[i](1000)) for i in {which}))"
        found = subprocess.run(
            [sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True
        )
        return [int(each) for each in found.stdout.split()]

    (one,), (two,) = run(1), run(2)
    assert one != two
    assert run(1, 2) == [one, two]
    assert run(2, 1) == [two, one]
