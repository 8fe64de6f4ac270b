"""The files of a search for loadouts."""

import csv
import json

import pytest

from buildsearch.model.loadouts import Use
from buildsearch.options.search import SearchOptions
from buildsearch.report.loadout_files import USAGE_COLUMNS, usage_rows, write_loadouts
from buildsearch.report.run_record import LoadoutRecord, RulesRecord

RECORD = LoadoutRecord(request=SearchOptions(rules="mine"), rules=RulesRecord(hash=""), lower_bound=1.0)


def test_actions_are_called_by_the_names_of_attacks(tmp_path):
    uses = [Use(0, "A", 0.5), Use(None, "charge B", 0.25), Use(1, "B", 0.125), Use(None, "wait", 0.125)]
    twice = [Use(0, "A", 0.75), Use(1, "B", 0.25)]
    rows = usage_rows(["x+y | z", "x | x"], ["boss"], [[uses], [twice]])
    assert [(row["rank"], row["action"], row["share"]) for row in rows] == [
        (1, "x+y", 0.5),
        (1, "charge z", 0.25),
        (1, "z", 0.125),
        (1, "wait", 0.125),
        (2, "x", 1.0),
    ]
    write_loadouts(tmp_path, [{"rank": 1}], rows, RECORD)
    with (tmp_path / "usage.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert tuple(read[0]) == USAGE_COLUMNS
    assert float(read[1]["share"]) == pytest.approx(0.25)
    about = json.loads((tmp_path / "run.json").read_text())
    assert about["lower_bound"] == 1.0
    assert set(about["files"]) == {"loadouts.csv", "usage.csv"}


def test_no_cell_runs_in_a_spreadsheet_or_hides_what_it_says(tmp_path):
    write_loadouts(
        tmp_path,
        [{"rank": 1, "loadout": "=HYPERLINK(1)", "turns": "a\u202eb\u2028c", "score": -1.5}],
        [],
        RECORD,
    )
    text = (tmp_path / "loadouts.csv").read_text(encoding="utf-8")
    assert text == "rank,loadout,turns,score\n1,'=HYPERLINK(1),a\\u202eb\\u2028c,-1.5\n"
