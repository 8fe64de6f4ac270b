"""The examples run, as scripts and as tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = ("rank_and_plot", "what_if")

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


def run(arguments, folder):
    """In a process and a folder of its own: examples write where they are."""
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_there_are_no_others():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SCRIPTS, "gate"}


@pytest.mark.long
def test_ranking_and_drawing(tmp_path):
    said = run([EXAMPLES / "rank_and_plot.py"], tmp_path)
    assert "876 legal builds" in said
    assert "judging needs 100" in said
    assert (tmp_path / "viability.svg").read_text(encoding="utf-8").count("<rect") == 10


@pytest.mark.long
def test_what_if(tmp_path):
    said = run([EXAMPLES / "what_if.py"], tmp_path)
    assert "power_attack: cost" in said
    assert "at 3 points: costs 3" in said


@pytest.mark.long
def test_the_gate_is_a_test_file(tmp_path):
    said = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLES / "gate.py"], tmp_path)
    assert "3 passed" in said
