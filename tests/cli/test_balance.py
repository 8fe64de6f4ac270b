"""`buildsearch balance` and what belongs to it, as a user meets it: a planted ruleset with a known cure."""

from __future__ import annotations

import json
import shlex
import shutil

import numba
import pytest

from tests.analysis.tables import PLANTED

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="scores thousands of builds")

# The blessing is far too good at 1 point, and everything else is as it should be: its price is the cure.
MENDED = (
    "cruel_luck.mechanics.critical_bonus.damage.flat=4",
    "cruel_luck.cost=1",
    "trade.modifiers.damage.flat=4",
    "dragon_bane.mechanics.slayer.max_hp=50",
    "dragon_bane.mechanics.slayer.damage.flat=3",
    "feeble.modifiers.accuracy.flat=1",
    "rested.modifiers.damage.flat=14",
    "opening.cost=0",
    "opening.modifiers.damage.flat=16",
    "blessing.modifiers.accuracy.flat=3",
    "blessing.modifiers.damage.flat=2",
)

# What may be moved is the cure and nothing else: a search that is over at once.
QUICK = ("--only", "blessing", "--lever", "cost-raises", "--max-proposals", 1)


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """The planted rules with one fault left, as a file with comments."""
    from buildsearch.library.input_files import load_rules

    folder = tmp_path_factory.mktemp("balance")
    path = folder / "one_fault.yaml"
    text = PLANTED.read_text(encoding="utf-8")
    for change in MENDED:
        text = _with(text, change)
    path.write_text(text, encoding="utf-8")
    assert load_rules(str(path)) is not None
    return path


def _with(text, change):
    from buildsearch.model.levers import Put
    from buildsearch.ruleset.text_edits import rewrite

    path, _, value = change.partition("=")
    name = path.split(".")[0]
    shelf = "upgrades" if f"\n  {name}:" in text.split("\nlimits:")[0] else "limits"
    return rewrite(text, [Put((shelf, *path.split(".")), int(value))])


@pytest.fixture(scope="module")
def scored(rules, tmp_path_factory):
    """A run of it, made once."""
    from buildsearch.cli.main import exit_code_of

    folder = tmp_path_factory.mktemp("runs") / "run"
    words = ("optimize", "--rules", rules, "--budget", 5, "-q", "--no-cache", "--top", 1, "--out", folder)
    assert exit_code_of([str(word) for word in words]) == 0
    return folder


def balanced(run, *words, seconds=600):
    ended = run("balance", *words, "--json", "--seconds", seconds, "--max-proposals", 3)
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


@pytest.mark.long
def test_a_planted_fault_has_its_known_cure(run, scored, elsewhere):
    found = balanced(run, scored)
    assert found["already_met"] is False
    assert "blessing" in found["health"]["must_haves"]
    assert found["proof"] == "Proved minimal."
    assert found["proposal"]["is_proved_minimal"] is True
    first = found["proposals"][0]
    assert first["edits"] == ["ban blessing+precise"]
    assert first["after"]["health"]["must_haves"] == []
    assert not {each["code"] for each in first["new"]} & {"must-have", "overpowered-combination"}
    assert found["headline"].startswith("Don't allow Blessing together with Precise: fixes ")
    assert found["headline"].endswith("Proved minimal.")


def test_the_applied_file_is_valid_keeps_comments_and_keeps_the_goal(run, scored, rules, elsewhere):
    ended = run("balance", scored, *QUICK, "--apply", 1, "--out", "mine.yaml")
    assert ended.code == 0, ended.err
    before = rules.read_text(encoding="utf-8").splitlines()
    after = (elsewhere / "mine.yaml").read_text(encoding="utf-8").splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert "cost" in changed[0][1]
    assert run("validate", "mine.yaml").code == 0
    words = ("--rules", "mine.yaml", "--budget", 5, "-q", "--no-cache", "--top", 1, "--out", "again")
    assert run("optimize", *words).code == 0
    assert balanced(run, "again")["already_met"] is True
    assert "Nothing to change" in run("balance", "again").out


def test_apply_replaces_no_file_but_the_rules_of_the_run(run, scored, elsewhere):
    (elsewhere / "rules").mkdir()
    for name in ("notes.txt", "rules/mine.yaml"):
        (elsewhere / name).write_text("keep me", encoding="utf-8")
        ended = run("balance", scored, *QUICK, "--apply", 1, "--out", name)
        assert ended.code == 2
        assert f"{name} exists already. Choose another name" in " ".join(ended.err.split())
        assert (elsewhere / name).read_text(encoding="utf-8") == "keep me"
    assert balanced(run, scored, *QUICK)["next"][0]["command"].endswith("--apply 1 --out rules/mine-2.yaml")


def test_a_finished_search_keeps_its_first_proposal_and_another_goal_does_not(run, scored, elsewhere):
    """What `analyze`, `check` and the report show is the very first proposal of `balance`."""
    shutil.copytree(scored, elsewhere / "run")
    kept = elsewhere / "run" / "proposal.json"
    assert run("balance", "run", "--goal", "must-have", "-q").code == 0
    assert not kept.exists()
    found = json.loads(run("balance", "run", "--json").out)
    stored = json.loads(kept.read_text(encoding="utf-8"))["proposal"]
    assert stored["edits"] == found["proposals"][0]["edits"]
    assert stored == found["proposal"]
    assert stored["after"]["viable_options"] == found["proposals"][0]["after"]["health"]["viable_options"]
    # The run is whole with it, and one about other thresholds is not taken for it.
    assert run("analyze", "run", "-q").code == 0


def test_the_edited_option_comes_first_then_the_game(run, scored, elsewhere):
    """Cost, best build, rank, viability and fair cost of the option now and after; `diff` says the same."""
    lines = run("balance", scored, "--try", "blessing.cost=3").out.splitlines()
    assert lines[0].startswith(("Enough", "Not enough"))
    heads = [line.split("  ")[0].strip() for line in lines]
    option, game = heads.index("Blessing"), heads.index("The game")
    assert heads[option + 1 : option + 4] == ["cost", "its best build, turns", "rank of that build"]
    assert "fair cost" in heads[option:game]
    assert {"viable options", "benchmark, turns", "builds still legal"} <= set(heads[game:])
    assert lines[-1].startswith("Next ")
    assert max(map(len, lines)) <= 80


def test_patch_markdown_and_page(run, scored, elsewhere):
    patch = run("balance", scored, *QUICK, "--patch").out
    assert patch.startswith("--- a/")
    assert sum(line.startswith("+") and not line.startswith("+++") for line in patch.splitlines()) == 1
    markdown = run("balance", scored, *QUICK, "--markdown").out
    assert "| errors |" in markdown
    assert run("balance", scored, *QUICK, "--html", "page.html", "-q").code == 0
    page = (elsewhere / "page.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    assert "viable options" in page


def test_an_edit_of_ones_own(run, scored, rules, elsewhere):
    found = json.loads(run("balance", scored, "--try", "blessing.cost=4", "--json").out)
    assert found["after"]["health"]["legal_share"] < 1
    (option,) = found["options"]
    assert (option["option"], option["now"]["cost"], option["after"]["cost"]) == ("blessing", 1, 4)
    assert found["status"] in ("met", "not met")
    # A workbench saves edits as a file that extends the rules.
    head = f"extends: {json.dumps(str(rules))}\nkind: rules\nsystem: vitality\nid: mine\nname: Mine\n"
    (elsewhere / "mine.yaml").write_text(f"{head}upgrades: {{blessing: {{cost: 4}}}}\n", encoding="utf-8")
    saved = json.loads(run("balance", scored, "--try", "mine.yaml", "--json").out)
    assert saved == found


def test_what_is_locked_stays(run, scored, elsewhere):
    # However far it comes, no proposal moves what is locked.
    locked = balanced(run, scored, "--lock", "blessing", seconds=3)
    assert not any("blessing" in edit for each in locked["proposals"] for edit in each["edits"])


def test_goals_that_no_lever_reaches(run, scored, elsewhere):
    found = balanced(run, scored, "--goal", "best >= 1000000")
    assert found["proposals"] == []
    assert "cannot be met" in found["headline"]
    assert found["remaining_builds"]


def test_the_config_says_what_may_be_moved(run, scored, elsewhere):
    (elsewhere / "buildsearch.toml").write_text('[balance]\nlock = ["blessing"]\nmax_proposals = 2\n')
    ended = run("balance", scored, "--json", "--seconds", 3)
    found = json.loads(ended.out)
    assert len(found["proposals"]) <= 2
    assert not any("blessing" in edit for each in found["proposals"] for edit in each["edits"])
    (elsewhere / "buildsearch.toml").write_text("[balance]\nmax_chang = 2\n")
    assert "max_change" in run("balance", scored).err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--goal 'bst >= 3' --goal 'best > 3' --lever magic", "bst"),
        ("--goal 'bst >= 3' --goal 'best > 3' --lever magic", "best > 3"),
        ("--goal 'bst >= 3' --goal 'best > 3' --lever magic", "magic"),
        ("--lever pair-bans --lock pair-bans", "everything is locked"),
        ("--try blesing.cost=4", "blessing"),
        ("--apply 1", "Give both"),
        ("--only blessing --lever cost-raises --apply 9 --out x.yaml", "no proposal 9"),
        ("--csv x.csv", "--csv writes"),
        ("--history HEAD.. --csv x.txt", "written as .csv"),
        ("--history HEAD.. --apply 1 --out x.yaml", "proposes nothing"),
        ("--history HEAD.. --goal 'best >= 3'", "proposes nothing"),
        ("--history HEAD.. --stress", "proposes nothing"),
        ("--history HEAD.. -p tier=4", "proposes nothing"),
        # Several games, and fights that there are not.
        ("-p budget=many", "budget"),
        ("-p bugdet=4", "bugdet"),
        ("-p budget=4 --try blessing.cost=3", "--try"),
        ("--tier 9", "tier"),
        ("--also-check nowhere", "nowhere"),
        ("--also-check armitage", "Armitage"),
        # Old names.
        ("--explain blessing.cost=3", "--try"),
        ("--steps 2", "--max-change"),
        ("--proposals 2", "--max-proposals"),
        ("--hold-out rulings", "--also-check"),
        ("--from-git HEAD~1..", "--history"),
        ("--lever raises", "cost-raises"),
        ("--lever prices", "costs"),
        ("--goal 'freedom@0.8 >= 0.6'", "viable@80% >= 60%"),
        ("--goal 'reference <= 7'", "benchmark <= 7"),
    ],
)
def test_what_cannot_be_asked_of_a_run_is_told(run, scored, elsewhere, line, says):
    ended = run("balance", scored, *shlex.split(line))
    assert ended.code == 2
    assert says in ended.err


def test_old_keys_are_answered_by_the_new_ones(run, scored, elsewhere):
    (elsewhere / "buildsearch.toml").write_text("[balance]\nsteps = 2\nhold_out = ['rulings']\n")
    ended = run("balance", scored)
    assert ended.code == 2
    assert "`max_change` now" in ended.err
    assert "`also_check` now" in ended.err


def test_the_fix_of_analyze_is_the_first_proposal_of_balance(run, scored, elsewhere):
    """One game, one fix, whichever command shows it."""
    shutil.copytree(scored, elsewhere / "run")
    analysed = json.loads(run("analyze", "run", "--json").out)
    of_must_haves = [each for each in analysed["findings"] if each["code"] == "must-have"]
    (blessed,) = [each for each in of_must_haves if each["subjects"] == ["blessing"]]
    assert blessed["fix"]["text"].startswith("Don't allow Blessing together with Precise")
    proposal = analysed["proposal"]
    first = json.loads(run("balance", "run", "--json").out)["proposals"][0]
    assert proposal["edits"] == first["edits"]
    assert proposal["is_proved_minimal"] == first["is_proved_minimal"]


@pytest.mark.posix
def test_rules_against_themselves_edited(run, scored, rules, elsewhere):
    """From kept scores, and from fights, the same."""
    (elsewhere / "results").mkdir()
    words = (rules, "--set", "blessing.cost=3", "--budget", 5, "--json", "--ranking-fights", 0)
    fought = json.loads(run("diff", *words, "--no-cache", "--no-edit-effects").out)
    (elsewhere / "results" / "run").symlink_to(scored)
    kept = json.loads(run("diff", *words).out)
    assert [each.name for each in (elsewhere / "results").iterdir()] == ["run"]  # the second needs no run
    for key in ("a", "b"):
        assert kept["builds"][key] == fought["builds"][key]
    assert kept["builds"]["became_illegal"]["total"] == fought["builds"]["became_illegal"]["total"]
    assert [each["option"] for each in kept["effect"]["options"]] == ["blessing"]
    for one, other in zip(kept["moves"][:10], fought["moves"][:10], strict=True):
        assert (one["after"] or {}).get("score") == pytest.approx(
            (other["after"] or {}).get("score"), rel=1e-6
        )
    said = run("diff", *words[:-3]).out
    assert said.startswith("Blessing at 3: ")
    assert run("diff", rules).code == 2


def test_score_says_who_is_over_budget(run, rules, elsewhere):
    words = ("melee_ac+blessing+second_chance", "--rules", rules, "--tier", 3, "--scenario", "boss")
    assert "not under --set" not in run("score", *words).out
    ended = run("score", *words, "--set", "blessing.cost=6")
    assert ended.code == 0, ended.err
    assert "not under --set" in ended.out


def test_one_proposal_for_several_games(run, scored, elsewhere):
    """The smaller game is scored on the way, and a pool is never called proved."""
    # With 4 points the blessing's price alone ends the errors, and leaves the best build 10 to 15 % ahead.
    goals = ("--goal", "ahead <= 1.1764", "--goal", "must-have")
    words = ("-p", "budget=5", "-p", "budget=4", *goals, *QUICK)
    ended = run("balance", scored, *words, "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert [game["game"] for game in found["games"]] == ["budget 5", "budget 4"]
    assert all(game["scored"] == game["builds"] for game in found["games"])
    first = found["proposals"][0]
    assert first["edits"] == ["blessing.cost=2"]
    assert set(first["games"]) == {"budget 5", "budget 4"}
    assert first["tightest"]
    assert "meets the goal in budget 5 and budget 4" in found["headline"]
    assert run("balance", scored, *words, "--apply", 1, "--out", "both.yaml", "-q").code == 0
    assert run("validate", "both.yaml").code == 0
    shown = run("balance", scored, *words)
    assert "tight" in shown.out
    assert "## budget 4" in run("balance", scored, *words, "--markdown").out


def test_a_mend_is_tried_elsewhere_and_the_fight_that_strains_it_is_a_file(
    run, scored, elsewhere, monkeypatch
):
    from buildsearch.library import hold_outs

    short = {**hold_outs.stress.__kwdefaults__, "trials": 3}
    monkeypatch.setattr(hold_outs.stress, "__kwdefaults__", short)
    words = ("--also-check", "long-day", "--stress")
    ended = run("balance", scored, *QUICK, *words, "--json")
    assert ended.code == 0, ended.err
    checks = json.loads(ended.out)["checks"]
    assert checks["proposal"] == 1
    where = [each["where"] for each in checks["elsewhere"]]
    assert where == ["long-day"]
    assert all(each["builds"] > 10 and each["kept_today"] is not None for each in checks["elsewhere"])
    assert checks["holds"] == all(each["kept"] for each in (*checks["elsewhere"], *checks["stress"]))
    (found,) = checks["stress"]
    (elsewhere / "worst.yaml").write_text(found["scenarios"], encoding="utf-8")
    assert run("validate", "worst.yaml").code == 0
    again = run(
        "score", found["best_build"], "--rules", rules_of(scored), "--scenarios", "worst.yaml", "--json"
    )
    assert again.code == 0, again.err
    # The score of the file is that of the verdict: it is the very fight.
    turns = json.loads(again.out)["builds"][0]["scenarios"]["stress"]["mean_turns"]
    assert turns == pytest.approx(found["best"], rel=1e-6)


def test_what_rulings_and_stats_ask_for(scored):
    from buildsearch.library.balance import open_desk
    from buildsearch.library.hold_outs import requests_of
    from buildsearch.library.runs import load_run

    desk = open_desk(load_run(str(scored)))
    asked = {label: request for label, request, _ in requests_of(desk, ["rulings", "stats", "profiles"])}
    assert asked["enemy mobility=3"].fight_options == {"enemy": "mobility=3"}
    assert any(request.rulings for request in asked.values())
    assert asked["profiles"].scenarios == "profiles"


def rules_of(folder):
    return json.loads((folder / "run.json").read_text(encoding="utf-8"))["request"]["rules"]


def test_a_planted_fault_is_mended_by_one_number(run, scored, elsewhere):
    """Its price stays: a smaller bonus of the blessing is enough, and all builds were scored under it."""
    words = ("--lever", "values", "--only", "blessing", "--max-proposals", 2, "--seconds", 600)
    ended = run("balance", scored, *words, "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    first = found["proposals"][0]
    assert len(first["edits"]) == 1
    assert first["edits"][0].startswith("blessing.modifiers.")
    assert first["proof"] == "Confirmed by scoring all builds."
    assert first["after"]["health"]["must_haves"] == []
    assert "Not proved" in found["proof"]


def test_one_number_for_two_games_and_who_binds(run, scored, elsewhere):
    """A range in the file, a pattern; each proposal is confirmed in both games."""
    (elsewhere / "buildsearch.toml").write_text(
        '[balance.levers]\nkinds = ["values"]\n"blessing.modifiers.*" = {from = -2, to = 9}\n'
    )
    words = ("-p", "budget=4", "-p", "budget=5", "--only", "blessing", "--max-proposals", 1)
    ended = run("balance", scored, *words, "--no-cache", "--json")
    assert ended.code == 0, ended.err
    found = json.loads(ended.out)
    assert [game["game"] for game in found["games"]] == ["budget 4", "budget 5"]
    (first,) = found["proposals"]
    assert all(edit.startswith("blessing.modifiers.") for edit in first["edits"])
    assert set(first["games"]) == {"budget 4", "budget 5"}
    for part in first["games"].values():
        assert part["proof"] == "Confirmed by scoring all builds."
        assert part["after"]["health"]["must_haves"] == []
    assert set(first["tightest"]) <= {"budget 4", "budget 5"}
    assert len(first["weaker"]) == len(first["edits"])
    assert "Not proved" in found["proof"]
