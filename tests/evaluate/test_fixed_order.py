"""Same seed, same fights, on any processor: BLAS and numpy choose their code by what the processor can do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from buildsearch.evaluate.fixed_order import convolved, product
from tests.small_games import SMALL_GAMES

REPOSITORY = Path(__file__).resolve().parents[2]
PRINT_A_FIGHT_OF_EACH_GAME = """
import os
from buildsearch.cli.main import exit_code_of
from tests.small_games import SMALL_GAMES
for game in SMALL_GAMES.values():
    exit_code_of(["trace", game.build, "-r", game.rules, *game.space])
"""


def test_products_are_those_of_numpy():
    rng = np.random.default_rng(5)
    left, right = rng.random((4, 7)), rng.random((7, 3))
    assert product(left, right) == pytest.approx(left @ right, rel=1e-14)
    assert convolved(left[0], left[1, :3]) == pytest.approx(np.convolve(left[0], left[1, :3]), rel=1e-14)


def newer_instructions():
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))


def told(folder, settings):
    done = subprocess.run(
        [sys.executable, "-c", PRINT_A_FIGHT_OF_EACH_GAME],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout


def test_fights_are_the_same_on_an_old_processor(tmp_path):
    for game in SMALL_GAMES.values():
        game.write_files(tmp_path)
    # OpenBLAS takes the code of 2004, numpy leaves out all that came after its oldest.
    old = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": newer_instructions()}
    here = told(tmp_path, {})
    assert all(game.build in here for game in SMALL_GAMES.values())
    assert told(tmp_path, old) == here
