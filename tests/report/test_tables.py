from __future__ import annotations

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

from buildsearch.document.table_files import write_table
from buildsearch.model.errors import UsageError

BATCHES = [{"build": ["a", 'b "quoted", c'], "cost": [1, 2]}, {"build": ["d"], "cost": [3]}]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_batches_become_one_table(ending, tmp_path):
    target = tmp_path / "deep" / f"table.{ending}"
    assert write_table(BATCHES, target) == 3
    read = {"csv": pyarrow.csv.read_csv, "parquet": pyarrow.parquet.read_table}[ending]
    assert read(target).to_pydict() == {"build": ["a", 'b "quoted", c', "d"], "cost": [1, 2, 3]}
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_standard_output_gets_csv(capsysbinary):
    assert write_table(BATCHES, None) == 3
    assert capsysbinary.readouterr().out.splitlines()[0] == b'"build","cost"'


def test_an_unknown_ending_is_refused_before_work(tmp_path):
    def never():
        raise AssertionError("asked for a batch")
        yield {}

    with pytest.raises(UsageError, match=r"\.csv or \.parquet"):
        write_table(never(), tmp_path / "table.xlsx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_nothing_to_write_writes_nothing(ending, tmp_path):
    with pytest.raises(UsageError, match="nothing to write"):
        write_table([], tmp_path / f"table.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_a_failure_midway_leaves_nothing(ending, failure, tmp_path):
    def batches():
        yield BATCHES[0]
        raise failure

    with pytest.raises(failure):
        write_table(batches(), tmp_path / f"table.{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *((text, f"'{text}") for text in ("=1+1", "+1", "-1", "@SUM(A1)")),
        ("\t=1", r"\t=1"),
        ("\r=1\n", r"\r=1\n"),
        ("=\x1b[2J\x85\u202e", r"'=\x1b[2J\x85\u202e"),
    ],
)
def test_no_cell_is_a_formula_or_drives_a_terminal(tmp_path, text, written):
    target = tmp_path / "table.csv"
    write_table([{"name": pa.array([text, "fine", None]), "number": pa.array([-1, 2, 3])}], target)
    rows = target.read_bytes().decode()  # as it is: text mode would turn a carriage return into a new line
    assert f'"{written}"' in rows
    assert '"fine"' in rows
    assert ",-1" in rows  # a number is a number


def test_parquet_keeps_text_as_it_is(tmp_path):
    write_table([{"name": pa.array(["=1+1"])}], tmp_path / "table.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "table.parquet")["name"].to_pylist() == ["=1+1"]
