"""`check --against`: what is new since earlier rules, and the edit behind it."""

from __future__ import annotations

import json
import re
import subprocess

import numba
import pytest

from tests.analysis.tables import PLANTED

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")

SPACE = ("--rules", "rules/game.yaml", "--budget", "4")


def git(place, *words):
    author = ("-c", "user.name=t", "-c", "user.email=t@t")
    subprocess.run(["git", *author, *words], cwd=place, check=True, capture_output=True)


def write(place, *, blessing=4, strikes="", name="Blessing", more=""):
    """The planted game with only one fault: how strong Blessing is for its cost."""
    text = PLANTED.read_text(encoding="utf-8")
    text = re.sub(r"(cruel_luck: \{.*?)cost: 2(.*?)flat: 30", r"\g<1>cost: 1\g<2>flat: 4", text)
    line = next(each for each in text.splitlines() if each.startswith("  blessing:"))
    edited = line.replace("cost: 1", f"cost: {blessing}").replace("name: Blessing", f"name: {name}")
    text = text.replace(line, edited)
    (place / "rules").mkdir(exist_ok=True)
    (place / "rules" / "game.yaml").write_text(text + more, encoding="utf-8")


@pytest.fixture
def place(elsewhere, monkeypatch):
    """A repository whose HEAD has a game without that fault."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    git(elsewhere, "init", "-q", "-b", "main")
    write(elsewhere)
    git(elsewhere, "add", "rules")
    git(elsewhere, "commit", "-q", "-m", "base")
    return elsewhere


def test_the_edit_behind_a_new_error_is_named_and_nothing_old_is_shown(run, place):
    write(place, blessing=1, name="Boon")
    ended = run("check", "--against", "main", *SPACE, "--json")
    data = json.loads(ended.out)
    assert ended.code == 1
    assert ("must-have", ["blessing"]) in [(each["code"], each["subjects"]) for each in data["findings"]]
    cost, name = sorted(data["since"]["edits"], key=lambda each: each["line"] or 0, reverse=True)
    cost, name = (cost, name) if cost["changes_fights_or_costs"] else (name, cost)
    assert (cost["text"], name["text"]) == ("Boon cost 4 -> 1", "Blessing called Boon")
    assert set(cost["findings"]) == {each["fingerprint"] for each in data["findings"]}
    assert name["findings"] == []
    (option,) = data["since"]["options"]
    assert option["after"]["rank"] == 1
    assert option["now"]["score"] > option["after"]["score"]
    # What the edited rules have by themselves is the same, but for what was there before.
    whole = json.loads(run("check", *SPACE, "--json").out)
    new = {each["fingerprint"]: each["text"] for each in data["findings"]}
    assert new.items() <= {each["fingerprint"]: each["text"] for each in whole["findings"]}.items()
    assert {each["fingerprint"] for each in whole["findings"]} == {*new, *data["accepted"]}
    # A page begins with the edit, and ends with what to leave.
    ended = run("check", "--against", "main", *SPACE)
    lines = ended.out.splitlines()
    assert ended.code == 1
    assert re.match(r"Fail: \d new errors?.* since main, (all )?from one edit:", lines[0])
    assert "Boon cost 4 -> 1" in ended.out
    assert lines[-1] == "Fix      Leave Boon at 4."
    assert max(map(len, lines)) <= 80
    comment = run("check", "--against", "main", *SPACE, "--markdown").out
    assert comment.startswith("### Balance: fail. ")
    assert "4 → 1" in comment
    assert "- **error** " in comment


def test_costs_and_bans_are_judged_from_a_stored_run_without_a_fight(run, place, monkeypatch):
    """A run of the old rules is stored: no build fights, though the edited rules were never scored."""
    write(place, blessing=2)
    git(place, "commit", "-q", "-a", "-m", "cheaper")
    assert run("optimize", *SPACE, "--quiet").code == 0
    write(place, blessing=3)
    with monkeypatch.context() as patch:
        patch.setattr("buildsearch.library.stored_runs._made", None)
        patch.setattr("buildsearch.library.rescoring.scored", None)
        without = json.loads(run("check", "--against", "main", *SPACE, "--json", "--no-cache").out)
    assert run("optimize", *SPACE, "--quiet").code == 0
    with_runs = json.loads(run("check", "--against", "main", *SPACE, "--json").out)
    assert without["since"] == with_runs["since"] | {"remaining_builds": without["since"]["remaining_builds"]}
    assert (without["findings"], without["fixed"]) == (with_runs["findings"], with_runs["fixed"])
    assert without["since"]["game"]["now"] != without["since"]["game"]["after"]


@pytest.mark.parametrize(
    ("against", "code", "says"),
    [
        ("main", 0, "Pass: no edits since main."),
        ("nowhere", 2, "is not a revision"),
        ("git:main:rules/game.yaml", 0, "Pass: no edits since"),
        ("rules/game.yaml", 0, "Pass: no edits since rules/game.yaml."),
    ],
)
def test_what_it_may_be_compared_with(run, place, against, code, says):
    ended = run("check", "--against", against, *SPACE)
    assert ended.code == code
    assert says in ended.out + ended.err


def test_names_are_no_reason_to_score_anything(run, place, monkeypatch):
    write(place, name="Boon")
    monkeypatch.setattr("buildsearch.library.against.judge_both", None)
    ended = run("check", "--against", "main", *SPACE)
    assert ended.code == 0
    assert ended.out.startswith("Pass: no edit since main changes a fight or a cost.")
    assert "Blessing called Boon" in ended.out


def test_rules_that_are_new_are_checked_as_a_whole(run, place):
    (place / "rules" / "new.yaml").write_text((place / "rules" / "game.yaml").read_text("utf-8"), "utf-8")
    ended = run("check", "--against", "main", "--rules", "rules/new.yaml", "--budget", "2")
    assert "rules/new.yaml is not in main, so every finding is new." in ended.err
    assert ended.out.splitlines()[0].startswith(("Pass: ", "Fail: "))
