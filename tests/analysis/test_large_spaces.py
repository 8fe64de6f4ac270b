"""Spaces with more builds than memory: the same numbers some rows at a time, and no array of all of them.

Whole arrays that came back would be seen here: of memory that cannot be put aside, only a fixed part of what
is known about the builds may be held.
"""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from buildsearch.analysis.analyses import AnalysisInput, analyse
from buildsearch.analysis.dominance import _spread
from buildsearch.analysis.population import populate
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.document.data import table_rows
from buildsearch.files import large_arrays
from buildsearch.library.input_files import load_rules
from buildsearch.model.space import Chunk
from buildsearch.report import run_files
from buildsearch.report.run_record import read_record
from buildsearch.search.ledger import Ledger
from buildsearch.search.objectives import read_objectives
from buildsearch.views.analysis_tables import tables_of
from scripts.benches.analyze import made_up_table
from scripts.benches.large import optimize
from tests.search.fakes import FIGHTS, METRICS, FakeBulk


@pytest.fixture(scope="module")
def rules():
    return load_rules("vitality-v2")


@pytest.fixture(scope="module")
def table(rules):
    space = rules.system.space(rules.model, {"tier": "3", "budget": "4"})
    return made_up_table(space), space


@pytest.fixture
def cut_small(monkeypatch):
    """As if a few thousand builds were millions."""
    monkeypatch.setattr(large_arrays, "LARGE", 0)
    monkeypatch.setattr(large_arrays, "STRETCH", 512)


def _analysis(rules, table):
    scores, space = table
    options = rules.system.options(rules.model)
    return analyse(AnalysisInput(scores, space, options, {}, None), read_thresholds(), lambda _stage: None)


def _told(analysis):
    tables = {table.name: table_rows(table) for table in tables_of(analysis)}
    return tables | {"findings": [(each.code, each.text) for each in analysis.findings]}


def test_an_analysis_says_the_same(rules, table, request):
    whole = _analysis(rules, table)
    request.getfixturevalue("cut_small")
    cut = _analysis(rules, table)
    assert len(cut.population) > 8 * large_arrays.STRETCH
    assert not cut.population.levels.flags.owndata
    assert _told(cut) == _told(whole)
    for name in ("keys", "items", "down", "means", "errors", "best_first"):
        np.testing.assert_array_equal(getattr(cut.population, name), getattr(whole.population, name))
    np.testing.assert_array_equal(cut.dominance.dominator, whole.dominance.dominator)
    np.testing.assert_array_equal(cut.dominance.certain, whole.dominance.certain)


def test_the_spread_to_the_last_bit(cut_small):
    values = np.random.default_rng(0).normal(3, 1, (5_000, 5)) ** 2
    np.testing.assert_array_equal(_spread(values), values.std(axis=0))


def _held(work):
    """What it gives, and the most bytes of arrays that were held on the way."""
    tracemalloc.start()
    found = work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found, peak


def test_a_population_is_not_held(table, cut_small):
    def work():
        population = populate(*table)
        _ = population.down, population.best_first
        _ = population.means, population.errors, population.size
        return population

    work()  # compiled
    population, peak = _held(work)
    names = ("levels", "items", "down", "keys", "means", "errors", "best_first")
    assert peak < sum(getattr(population, name).nbytes for name in names) / 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of made-up scores, written in many row groups."""
    folder = tmp_path_factory.mktemp("large") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_files, "_ROWS_AT_ONCE", 512)
        optimize("4", folder)
    return folder


def test_scores_are_read_by_row_groups(folder, cut_small, monkeypatch):
    monkeypatch.setattr(run_files, "_ROWS_AT_ONCE", 512)
    file = pa.parquet.ParquetFile(folder / "scores.parquet")
    assert file.num_row_groups > file.metadata.num_rows / 512
    record = read_record(folder)
    usual = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(pool)
    try:
        with (folder / "scores.parquet").open("rb") as opened:
            again = pa.parquet.ParquetFile(opened)
            scores, peak = _held(
                lambda: run_files.table_of_columns(again, record, record.objectives[0], record.primary)
            )
    finally:
        pa.set_memory_pool(usual)
    size = scores.fight_means.nbytes + scores.fight_errors.nbytes + 9 * scores.score.nbytes
    assert peak < size / 10
    assert pool.max_memory() < size / 2
    whole = pa.parquet.read_table(folder / "scores.parquet")
    np.testing.assert_array_equal(scores.score, whole["score"].to_numpy())
    np.testing.assert_array_equal(scores.codes[:, 0], whole["code_0"].to_numpy())
    np.testing.assert_array_equal(scores.rank, whole["rank"].to_numpy())
    assert [scores.groups[i] for i in scores.group] == whole["group"].to_pylist()
    for number, name in enumerate(scores.fights):
        np.testing.assert_array_equal(scores.fight_means[number], whole[f"{name}_mean_turns"].to_numpy())


def _ledger(rows):
    """Exact and sampled builds by turns, in the game without rules."""
    rng = np.random.default_rng(1)
    chunks = [_chunk(first, rows) for first in range(0, rows, 3_000)]
    ledger = Ledger.empty(FIGHTS, chunks, FakeBulk().outcomes)
    ledger.exact[:] = rng.uniform(1, 40, ledger.exact.shape)
    ledger.exact[:, rng.random(rows) < 0.3] = np.nan
    ledger.begin_sampling(everywhere=False)
    ledger.fought[:] = 64
    ledger.totals[:] = rng.integers(64, 2_000, ledger.totals.shape)
    ledger.squares[:] = ledger.totals[:, 0] ** 2 / 64 + 100
    return ledger


def _chunk(first, rows):
    return Chunk("a", np.arange(first, min(first + 3_000, rows), dtype=np.uint64)[:, None])


def test_bounds_are_not_held_by_fight(request):
    rows = 20_000
    ledger, (objective,), bulk = _ledger(rows), read_objectives((), METRICS), FakeBulk()
    whole = (objective.costs(ledger, bulk), *objective.bounds(ledger, bulk, 1e-6))
    request.getfixturevalue("cut_small")
    (low, high), peak = _held(lambda: objective.bounds(ledger, bulk, 1e-6))
    np.testing.assert_array_equal((objective.costs(ledger, bulk), low, high), whole)
    assert peak < low.nbytes + high.nbytes + rows * 8 / 2


def test_a_stretch_is_what_a_part_is():
    ledger = _ledger(10_000)
    for first, last in ((0, 10_000), (0, 1), (2_999, 3_001), (2_500, 9_100), (9_999, 10_000)):
        part, stretch = ledger.part(np.arange(first, last)), ledger.stretch(first, last)
        assert [len(chunk) for chunk in part.chunks] == [len(chunk) for chunk in stretch.chunks]
        for one, other in zip(part.chunks, stretch.chunks, strict=True):
            np.testing.assert_array_equal(one.codes, other.codes)
        for name in ("exact", "sampled", "fought", "totals", "squares"):
            np.testing.assert_array_equal(getattr(part, name), getattr(stretch, name))
