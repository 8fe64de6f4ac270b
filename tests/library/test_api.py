"""The public library: what it offers, what importing it costs, and what its answers look like."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import threading
from pathlib import Path

import numba
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import buildsearch
from buildsearch import Cancelled, InputError, UsageError

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
FUNCTIONS = (
    "load", "open_run", "score", "optimize", "analyze", "balance", "check", "compare", "diff",
    "enumerate_builds", "trace", "matchups",
)  # fmt: skip
HEAVY = {"numpy", "pandas", "pyarrow", "numba", "pydantic", "typer", "rich", "ortools", "optuna"}


@pytest.fixture(scope="module")
def game():
    return buildsearch.load("vitality-v2", budget=1, only="boss")


@pytest.fixture(scope="module")
def run(game, tmp_path_factory):
    return buildsearch.optimize(game, top=5, ranking_fights=0, cache=tmp_path_factory.mktemp("cache"))


def loaded_after(statement):
    """Which heavy libraries a statement loads, in a process of its own."""
    script = f"{statement}\nimport sys; print(' '.join(sorted({HEAVY!r} & set(sys.modules))))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return ended.stdout.splitlines()[-1].split()


def test_all_is_what_there_is():
    assert buildsearch.__all__ == sorted(buildsearch.__all__)
    assert set(FUNCTIONS) <= set(buildsearch.__all__)
    for name in buildsearch.__all__:
        assert getattr(buildsearch, name) is not None
    assert dir(buildsearch) == buildsearch.__all__
    with pytest.raises(AttributeError, match="no attribute 'optimise'"):
        _ = buildsearch.optimise


def test_every_name_is_in_the_page_about_the_library(repository):
    page = (repository / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in buildsearch.__all__ if f"`{name}" not in page and name != "__version__"] == []


def test_every_argument_is_explained():
    for name in FUNCTIONS:
        function = getattr(buildsearch, name)
        told = inspect.getdoc(function)
        for parameter in inspect.signature(function).parameters:
            assert f"    {parameter}: " in told, f"{name} does not explain {parameter}"
        assert "Returns:" in told


def test_importing_it_loads_nothing_heavy():
    assert loaded_after("import buildsearch; buildsearch.__version__") == []


@needs_jit
def test_commands_do_without_pandas():
    statement = "from buildsearch.cli.main import exit_code_of; exit_code_of({!r})"
    words = ["score", "melee_dg", "--enemies", "20"]
    assert "pandas" not in loaded_after(statement.format(words))
    assert "pandas" not in loaded_after(statement.format(["enumerate", "--budget", "1", "--count"]))


def test_a_second_look_imports_no_solver():
    """It reads what is kept beside the run, and is over in about a second."""
    loaded = loaded_after("import buildsearch.library.analyze")
    assert not {"ortools", "pandas", "llvmlite"} & set(loaded)


def test_one_file_alone_imports_pandas(repository):
    """CP-SAT brings it along by itself; nothing of ours may."""
    found = set()
    for path in (repository / "buildsearch").rglob("*.py"):
        for node in ast.walk(_running(ast.parse(path.read_text(encoding="utf-8")))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] == "pandas" for name in names):
                found.add(path.relative_to(repository).as_posix())
    assert found == {"buildsearch/library/tables.py"}


def _running(tree):
    """The file without what only type checkers read."""
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
    ]
    return tree


def test_a_game_says_what_it_is(game):
    assert game.parameters["budget"] == 1
    assert list(game.scenarios) == ["boss"]
    options = game.options.to_pandas()
    assert options.index.name == "option"
    assert options.loc["power_attack", "cost"] == 1
    assert options["cost"].dtype == pd.Int64Dtype()
    dearer = game.changed(overrides={"power_attack.cost": 2}, tier=4)
    assert dearer.options.to_pandas().loc["power_attack", "cost"] == 2
    assert dearer.parameters["tier"] == 4
    assert buildsearch.load("vitality-v2", enemies="20").scenarios == {"ad_hoc": 1.0}


def test_mistakes_are_told_in_the_words_of_the_library(game):
    with pytest.raises(UsageError, match=r"Vitality has no parameter `teir`. Did you mean `tier`\?"):
        buildsearch.load("vitality-v2", teir=3)
    with pytest.raises(UsageError, match="`jobs` must be from 1"):
        buildsearch.optimize(game, jobs=0)
    with pytest.raises(InputError, match=r"`overrides` power_attack\.cots=2"):
        game.changed(overrides={"power_attack.cots": 2})


def test_builds_are_a_stream_with_a_length(game):
    builds = buildsearch.enumerate_builds(game, groups="ranged")
    assert len(builds) == sum(builds.counts.values()) == len(list(builds))
    streamed = pa.RecordBatchReader.from_stream(builds).read_all()
    assert streamed.num_rows == len(builds)
    assert builds.to_pandas().index.tolist() == list(builds)


@needs_jit
def test_scores_have_intervals_and_methods(game):
    frame = buildsearch.score(game, ["melee_dg", "melee_dg+power_attack"], seed=3).to_pandas()
    assert frame.index.tolist() == ["melee_dg", "melee_dg+power_attack"]
    assert (frame["score_low"] <= frame["score"]).all()
    assert frame["boss_fights"].dtype == pd.Int64Dtype()
    assert frame.attrs["higher_is_better"]["boss_survival"] is True
    assert frame.attrs["higher_is_better"]["score"] is False


@needs_jit
def test_a_run_is_its_leaderboard(run):
    frame = run.to_pandas()
    assert frame.index.name == "build"
    assert frame.index[0] == run.best
    assert frame["rank"].is_monotonic_increasing
    assert frame["rank"].dtype == np.int64
    assert frame["score"].dtype == frame["boss_timeout_share"].dtype == np.float64
    assert frame["boss_fights"].dtype in (pd.Int64Dtype(), np.int64)
    assert pa.table(run).num_rows == len(run) == 5
    assert run.to_arrow().schema.metadata[b"buildsearch"]
    scores = run.scores.to_pandas()
    assert len(scores) == run.record.builds
    assert scores.loc[run.best, "score"] == pytest.approx(frame.loc[run.best, "score"])
    assert "is_partial" in dir(run)
    assert not run.is_partial


@needs_jit
def test_a_run_can_be_opened_again(run, game, tmp_path):
    kept = buildsearch.optimize(game, top=5, ranking_fights=0, out=tmp_path / "kept")
    again = buildsearch.open_run(tmp_path / "kept")
    assert again.to_arrow().equals(kept.to_arrow())
    assert again.to_arrow().drop_columns("command").equals(run.to_arrow().drop_columns("command"))
    assert again.explain(again.best, fights=3)["rank"] == 1
    with pytest.raises(UsageError, match=r"has no run\.json"):
        buildsearch.open_run(tmp_path)


@needs_jit
def test_analysis_tables_are_tables(run):
    analysis = buildsearch.analyze(run, triggers=False)
    assert analysis.headline
    assert analysis.findings == analysis.document().data["findings"]
    for name, table in analysis.items():
        frame = table.to_pandas()
        assert len(frame) == len(table) == pa.table(table).num_rows, name
    options = analysis["options"].to_pandas()
    assert options.index.name == "option"
    assert options["viability"].dtype == np.float64
    assert options.attrs["higher_is_better"]["mean_of_best"] is False


@needs_jit
def test_balance_proposes_explains_and_writes(run, tmp_path):
    best, second = run.to_pandas()["score"].drop_duplicates()[:2]
    goal = f"best >= {(best + second) / 2:.6f}"
    found = buildsearch.balance(run, goals=goal, levers=["type-bans"], seconds=20, cache=False)
    assert not found.is_met
    frame = found.to_pandas()
    assert frame.index.name == "proposal"
    assert frame.loc[1, "best"] > best
    assert frame.loc[1, "proof"] == "Proved minimal."
    edit = frame.loc[1, "edits"]
    assert found.try_edits(edit).data["missed_goals"] == []
    assert found.document().data["headline"] == found.conclusion
    before = Path(run.setup.loaded.path).read_text(encoding="utf-8").splitlines()
    written = found.apply(1, tmp_path / "mine.yaml")
    after = written.read_text(encoding="utf-8").splitlines()
    new = [line for line in found.patch().splitlines() if line.startswith("+") and line[:3] != "+++"]
    assert len(new) == len(after) - len(before) == frame.loc[1, "count"]
    assert buildsearch.load(str(written), budget=1, only="boss").name == buildsearch.load("vitality-v2").name
    with pytest.raises(UsageError, match="no proposal 99"):
        found.patch(99)
    with pytest.raises(InputError, match="no lever `magic`"):
        buildsearch.balance(run, levers="magic")


@needs_jit
def test_what_if(game):
    found = buildsearch.diff(
        game, game.changed(overrides={"power_attack.cost": 2}), top=5, edit_effects=False
    )
    assert found.edits.to_pandas().index.tolist() == ["power_attack: cost"]
    frame = found.to_pandas()
    assert frame.index.name == "build"
    # A build whose part is too dear now has no rank any more.
    assert frame["rank_after"].dtype in (pd.Int64Dtype(), np.int64)
    assert buildsearch.diff(game, game).is_empty


@needs_jit
def test_a_gate(game):
    found = buildsearch.check(game, preset="lenient")
    assert found.result in ("pass", "fail", "inconclusive")
    assert found.passed == (found.result == "pass")
    assert found.sentence.startswith(f"Result: {found.result}")
    assert found.checks.to_pandas().index.name == "check"
    assert found.result in found._repr_html_().lower()
    assert len(found.findings) == len(found.findings.to_pandas())


@needs_jit
def test_progress_is_told_and_work_can_be_stopped(game):
    seen = []
    buildsearch.optimize(game, top=5, ranking_fights=0, cache=False, progress=seen.append)
    assert seen[-1].done == seen[-1].total == 5
    assert {each.stage for each in seen} >= {"solving", "details"}
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled, match="Stopped before any build was scored"):
        buildsearch.optimize(game, cache=False, cancel=stop)


@needs_jit
def test_a_stopped_run_ranks_what_it_has():
    game = buildsearch.load("vitality-v2", budget=1, only=["boss", "swarm"])
    stop = threading.Event()

    def watch(progress):
        if progress.stage.startswith("sampling") and progress.done:
            stop.set()

    run = buildsearch.optimize(game, cache=False, progress=watch, cancel=stop)
    assert run.is_partial
    assert 0 < len(run) <= 10
