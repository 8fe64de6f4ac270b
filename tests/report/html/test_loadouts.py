"""The page of a search for loadouts: against the files that it comes from."""

from __future__ import annotations

import csv
import re

import pytest

from buildsearch.library.report import write_loadout_report
from buildsearch.library.watch import Watch
from buildsearch.model.errors import UsageError
from buildsearch.report.loadout_files import read_loadouts
from tests.report.html.sources import SHOWN, data_of, loadout_folder

# Tables that were saved again are told of; here they are on purpose.
QUIET = Watch(warn=lambda _sentence: None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return loadout_folder(tmp_path_factory.mktemp("loadouts"))


@pytest.fixture(scope="module")
def page(folder):
    return write_loadout_report(folder)


def test_rows_are_those_of_the_file(folder, page):
    data = data_of(page)
    loadouts, _ = read_loadouts(folder)
    assert (data["kind"], data["fights"], len(data["rows"])) == ("loadouts", ["boss", "swarm"], 3)
    for row, line in zip(data["rows"], loadouts, strict=True):
        assert row["build"] == line["loadout"]
        assert row["score"] == pytest.approx(float(line["score"]), rel=1e-5)
        assert row["means"] == [float(line["boss_mean_turns"]), float(line["swarm_mean_turns"])]
        assert row["synergy"] == [float(line["synergy_boss"]), float(line["synergy_swarm"])]
        for number, attack in enumerate(row["members"], start=1):
            assert attack["gains"] == [
                float(line[f"contribution_{number}_{fight}"]) for fight in ("boss", "swarm")
            ]
            assert attack["name"] == line["loadout"].split(" | ")[number - 1]
    # The last two tie.
    assert [(row["rank"], row["tied"]) for row in data["rows"]] == [(1, 1), (2, 2), (2, 2)]


def test_sampled_rows_have_intervals_and_ranks_that_may_be_ranges(folder, tmp_path):
    assert {row["half"] for row in data_of(write_loadout_report(folder))["rows"]} == {None}
    for name in ("run.json", "usage.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    lines = list(csv.DictReader((folder / "loadouts.csv").read_text(encoding="utf-8").splitlines()))
    for line in lines:
        line |= {"score_low": "3.5", "score_high": "4.5", "rank_low": "1", "rank_high": "3"}
        line |= {
            "boss_low": line["boss_mean_turns"],
            "boss_high": line["boss_mean_turns"],
            "swarm_low": "4.0",
            "swarm_high": "5.0",
        }
    with (tmp_path / "loadouts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(lines)
    for row in data_of(write_loadout_report(tmp_path, watch=QUIET))["rows"]:
        assert (row["half"], row["halves"], row["ranks"]) == (0.5, [None, 0.5], [1, 3])


def test_parts_and_groups_of_every_attack_can_be_filtered_for(page):
    data = data_of(page)
    first = data["rows"][0]
    ids = {data["parts"][part]["id"]: level for part, level in first["parts"]}
    assert ids == {"melee_dg": 1, "power_attack": 2, "melee_ac": 1, "cooldown": 1}
    assert {data["groups"][group] for group in first["groups"]} == {
        data["parts"][i]["name"]
        for i, part in enumerate(data["parts"])
        if part["id"] in ("melee_dg", "melee_ac")
    }
    assert {data["parts"][part]["id"] for part in data["free"]} == {"power_attack", "cooldown"}
    assert [(each["loadouts"], each["best"]) for each in data["members"]] == [(2, 1), (2, 1), (2, 2)]


def test_usage_has_the_rules_words_and_every_scenario(page):
    row = data_of(page)["rows"][0]
    title = f"{SHOWN} + Power Attack"
    assert row["usage"] == [
        [title, [0.5, 1.0]],
        ["charge Melee Attack (Accuracy) + Power Attack + Cooldown", [0.25, 0.0]],
        [f"basic {SHOWN}", [0.25, 0.0]],
    ]
    # Where usage.csv says nothing about a loadout, nothing is shown.
    assert data_of(page)["rows"][1]["usage"] == []


def test_the_best_loadout_and_what_is_not_proved_are_said(page):
    text = page.read_text(encoding="utf-8")
    for word in (
        "The best loadout",
        "no loadout of the candidates is better",
        "better by 1.5 than the best of its attacks",
        "12: too slow",
    ):
        assert word in text
    assert "99: does the same" not in text  # nothing is lost by that


def test_files_of_somebody_else_are_refused(folder, tmp_path):
    for name in ("run.json", "usage.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "loadouts.csv").write_text("rank,loadout\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no loadout"):
        write_loadout_report(tmp_path, watch=QUIET)
    lines = list(csv.reader((folder / "loadouts.csv").read_text(encoding="utf-8").splitlines()))
    column = lines[0].index("synergy_swarm")
    short = "\n".join(",".join(cell for i, cell in enumerate(line) if i != column) for line in lines)
    (tmp_path / "loadouts.csv").write_text(short, encoding="utf-8")
    with pytest.raises(UsageError, match="synergy_swarm"):
        write_loadout_report(tmp_path, watch=QUIET)


def test_the_folder_must_be_of_these_rules(folder, tmp_path):
    for name in ("loadouts.csv", "usage.csv", "run.json"):
        text = (folder / name).read_text(encoding="utf-8")
        other = re.sub(r'"hash": "\w+"', '"hash": "0000"', text)
        (tmp_path / name).write_text(other, encoding="utf-8")
    with pytest.raises(UsageError, match="changed since"):
        write_loadout_report(tmp_path, watch=QUIET)
