"""Two processes that come to the same kernel: one compiles it, the other one loads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from buildsearch.engines import kernel_locks
from buildsearch.engines.kernel_locks import _Locks

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled, so nobody waits"),
]

_ASK = """
import sys
import numpy as np
from buildsearch.engines.compilations import compilations
from buildsearch.evaluate.alias_tables import integer_weights
print("ready", flush=True)
sys.stdin.readline()
with compilations() as seen:
    integer_weights(np.ones(3), np.zeros(3, np.int64))
print(len([each for each in seen if "integer_weights" in str(each[1].data["dispatcher"])]))
"""


def test_only_one_of_two_compiles(tmp_path: Path) -> None:
    """Both are sent off when both are ready, several times, so that they meet."""
    for number in range(3):
        folder = tmp_path / str(number)
        both = [
            subprocess.Popen(
                [sys.executable, "-c", _ASK],
                env=os.environ | {"NUMBA_CACHE_DIR": str(folder)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        for each in both:
            assert each.stdout is not None
            assert each.stdout.readline() == "ready\n"
        compiled = [each.communicate("go\n")[0].split() for each in both]
        # A start and an end of the one who compiles.
        assert sorted(compiled) == [["0"], ["2"]]


def test_whoever_is_killed_leaves_no_lock(tmp_path: Path) -> None:
    """The system takes it back."""
    path = tmp_path / "kernel.lock"
    hold = (
        "from pathlib import Path; from buildsearch.engines.kernel_locks import _locks; import sys\n"
        f"assert _locks.take(Path({str(path)!r})); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", hold]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        other.kill()
        other.wait()
    locks = _Locks()
    assert locks.take(path)
    locks.give_back(path)


def test_nobody_waits_forever_nor_where_there_are_no_locks(tmp_path: Path, monkeypatch) -> None:
    """A process that was stopped in the middle holds others up for a while only."""
    monkeypatch.setattr(kernel_locks, "_LONGEST", 0.05)
    path = tmp_path / "kernel.lock"
    locks, others = _Locks(), _Locks()
    assert locks.take(path)
    assert locks.take(path)  # a kernel that comes to itself
    assert not others.take(path)
    locks.give_back(path)
    assert not others.take(path)
    locks.give_back(path)
    assert others.take(path)
    others.give_back(path)
    locks.give_back(path)  # never taken: nothing happens
    assert not locks.take(tmp_path / "no" / "folder")
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    assert not locks.take(path)


def test_what_cannot_be_compiled_holds_nobody_up(tmp_path: Path) -> None:
    """The lock is given back also where nothing is saved."""
    from numba import njit
    from numba.core.errors import TypingError

    @njit(cache=True)
    def wrong(number):
        return number.no_such_thing

    cache = wrong._cache
    assert isinstance(cache, kernel_locks.SharedCache)
    cache._impl.locator.is_locked = True
    for _ in range(2):
        with pytest.raises(TypingError):
            wrong(1)
        assert cache._lock not in kernel_locks._locks._held
