"""Whole analyses of made-up scores: what is accused, of what, and with which proof."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest

from buildsearch.analysis.analyses import AnalysisInput, analyse
from buildsearch.analysis.dominated import outclassed
from buildsearch.analysis.findings import FindingCode
from buildsearch.analysis.population import populate
from buildsearch.analysis.saturation import CLASSES, classify, saturation
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.document.data import table_rows, to_data
from buildsearch.document.markdown import to_markdown
from buildsearch.model.errors import InputError, UsageError
from buildsearch.model.evaluation import TriggerRate
from buildsearch.report.kept_answers import read_analysis, write_analysis
from buildsearch.views.analysis import RunFacts, answer_of, document_of
from buildsearch.views.analysis_tables import tables_of
from tests.analysis.tables import accused, deck_space, made_up, options_of, small_space

LIMITS = read_thresholds()
FACTS = RunFacts(
    folder="run",
    path="run",
    rules="planted.yaml",
    name="Planted",
    parameters={"budget": 3},
    scenarios=("first", "second"),
    all_scenarios=2,
    builds=1_000,
    legal_builds=1_000,
    exact_share=1.0,
)
# Fair options make a large front, and who is on it is compared with everybody.
needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")


class Replayer:
    """Everything fires, but for what is named."""

    def __init__(self, silent=()):
        self.silent = silent

    def triggers(self, build, _fight, _fights, _seed):
        return {
            name: TriggerRate(None, 0.0 if name in self.silent else 0.5)
            for name in build.attacks[0].enhancements
        }


def analysed(change, *, silent=(), budget=4, seed=1, sampled=0.0, limits=LIMITS):
    """Effects that are fair: what costs more does more, and each option has the fight that it is best in.

    Changed as told, then analysed.
    """
    space = small_space(budget)
    table = made_up(space, seed=seed, sampled=sampled)
    levels = np.concatenate([space.levels(chunk) for _, chunk in table.chunks()]).astype(float)
    has = {name: levels[:, i] for i, name in enumerate(space.feature_names)}
    rng = np.random.default_rng(seed)
    costs = {option.id: option.cost or 0 for option in options_of()}
    lean = dict(zip(has, rng.permutation(np.linspace(-0.02, 0.02, len(has))), strict=True))
    effects = [{name: -costs[name] * (0.05 + side * lean[name]) for name in has} for side in (1, -1)]
    logs = np.stack([sum(has[name] * effect for name, effect in each.items()) for each in effects])
    means = np.exp(2.5 + change(logs, has, effects))
    errors = np.where(table.fight_errors > 0, 0.002 * means, 0.0)
    means = means + errors * rng.normal(size=means.shape)
    scored = replace(
        table,
        fight_means=means,
        score=table.weights @ means,
        fight_errors=errors,
        error=np.sqrt(table.weights**2 @ errors**2),
    )
    fights = dict.fromkeys(table.fights)
    return analyse(
        AnalysisInput(scored, space, options_of(), fights, Replayer(silent)), limits, lambda _stage: None
    )


@needs_jit
def test_nothing_is_accused_where_nothing_is_wrong():
    assert accused(analysed(lambda logs, has, effects: logs)) == set()


@pytest.mark.parametrize("sampled", [0.0, 0.4])
def test_planted_faults(sampled):
    def plant(logs, has, effects):
        logs = logs - 0.8 * has["wide_eye"] * has["cruel_luck"]
        for i, each in enumerate(effects):
            logs[i] -= has["dragon_bane"] * each["dragon_bane"]  # as if it were not there
            logs[i] += has["feeble"] * (0.5 * each["power"] - each["feeble"])
        return logs - 0.4 * has["blessing"]

    found = analysed(plant, silent={"dragon_bane"}, sampled=sampled)
    assert accused(found) == {
        (FindingCode.OVERPOWERED, ("wide_eye", "cruel_luck")),
        (FindingCode.MUST_HAVE, ("blessing",)),
        (FindingCode.NEVER_TRIGGERS, ("dragon_bane",)),
        (FindingCode.STRICTLY_WORSE, ("feeble",)),
    }


@needs_jit
def test_a_rule_that_fires_to_no_effect_is_dead_and_no_error():
    def plant(logs, has, effects):
        return np.stack([log - has["trade"] * each["trade"] for log, each in zip(logs, effects, strict=True)])

    found = analysed(plant)
    assert accused(found) == {(FindingCode.DEAD_OPTION, ("trade",))}
    (rule,) = found.dead
    assert rule.furthest == 0
    assert "it fired in" in rule.proof


@needs_jit
def test_a_limit_that_never_holds_is_an_error_and_not_weak():
    """With it the attack is never made: whatever else a build has does not matter."""

    def plant(logs, has, _effects):
        types = np.stack([has["melee_ac"] * 0.1, has["melee_dg"] * 0.2])
        return np.where(has["gamble"] > 0, 0.3 + types, logs)

    found = analysed(plant, silent={"gamble"})
    assert accused(found) == {(FindingCode.NEVER_TRIGGERS, ("gamble",))}
    assert found.dead[0].verdict == "is never usable"


@needs_jit
def test_a_penalty_with_a_trigger_that_never_fires_is_an_error():
    def plant(logs, has, effects):
        return np.stack(
            [log - has["trade"] * (each["trade"] - 0.05) for log, each in zip(logs, effects, strict=True)]
        )

    assert accused(analysed(plant, silent={"trade"})) == {(FindingCode.NEVER_TRIGGERS, ("trade",))}
    # If it fires, it is only bad: leaving it out is better.
    assert accused(analysed(plant)) == {(FindingCode.STRICTLY_WORSE, ("trade",))}


@needs_jit
def test_a_few_hopeless_builds_do_not_save_a_trap():
    """Feeble does half of what Power does for the same cost, but in the first fight of a few builds that no
    player would take it is better: three times the turns of the benchmark, and worse in all."""

    def plant(logs, has, effects):
        logs = np.stack(
            [
                log + has["feeble"] * (0.5 * each["power"] - each["feeble"])
                for log, each in zip(logs, effects, strict=True)
            ]
        )
        hopeless = (has["ranged"] > 0) & (has["opening"] > 0)
        logs = logs + np.where(hopeless, 1.1, 0.0)
        logs[0] -= np.where(hopeless & (has["feeble"] > 0), 0.1, 0.0)
        logs[1] += np.where(hopeless & (has["feeble"] > 0), 0.1, 0.0)
        return logs

    found = analysed(plant)
    names = found.population.names
    assert {part for kind, part in accused(found) if kind == FindingCode.STRICTLY_WORSE} == {("feeble",)}
    assert ("feeble", "power") in {(names[each.part], names[each.by]) for each in found.outclassed}
    # Under the old definition every build was asked about every fight, and these spoke against it.
    has = found.population.has(names.index("feeble"))
    unplayable = found.population.scores.score > 2 * found.verdict.reference.score
    assert 0 < (has & unplayable).sum() < 0.1 * has.sum()
    kept = outclassed(found.verdict.contest, [], LIMITS.dead.tolerance)
    assert "feeble" not in {names[each.part] for each in kept}


@needs_jit
def test_in_a_small_space_nobody_is_called_dominated():
    """An option that takes the whole budget is compared in a handful of builds."""
    few = LIMITS.verdict.model_copy(update={"fewest_contexts": 10**6})

    def plant(logs, has, effects):
        return np.stack(
            [log - has["trade"] * (each["trade"] - 0.05) for log, each in zip(logs, effects, strict=True)]
        )

    found = analysed(plant, limits=LIMITS.model_copy(update={"verdict": few}))
    assert accused(found) == set()
    assert found.outclassed


@needs_jit
def test_who_outclasses_many_is_the_one_to_change():
    """Strong, but not in every build of the top, because its partner is dear: no must-have, no victims."""

    def plant(logs, has, effects):
        return logs - 0.09 * has["aim"]

    found = analysed(plant, budget=5)
    kinds = {kind for kind, _ in accused(found)}
    assert kinds <= {FindingCode.OUTCLASSES, FindingCode.MUST_HAVE}
    assert {parts for _, parts in accused(found)} == {("aim",)}


def test_a_broken_triple_is_one_finding():
    def plant(logs, has, _effects):
        return logs - 0.8 * has["precise"] * has["cruel"] * has["gamble"]

    found = analysed(plant)
    # Half of the options can stand beside it, so it makes the reference level: a must-have, and nobody else.
    assert accused(found) == {(FindingCode.MUST_HAVE, ("precise", "cruel", "gamble"))}


def test_files_of_an_analysis_and_a_second_look(tmp_path):
    found = analysed(lambda logs, has, effects: logs - 0.8 * has["wide_eye"] * has["cruel_luck"], budget=3)
    answer = answer_of(found, FACTS, tables_of(found), None)
    folder = write_analysis(tmp_path, "key", answer, found.dominance)
    for table in answer.tables:
        assert (folder / f"{table.name}.csv").exists() == bool(table.rows)
        assert len(table_rows(table)) == len(table.rows)
    assert (folder / "dominance.parquet").exists()
    again = read_analysis(tmp_path, ["another", "key"])
    assert again is not None
    assert read_analysis(tmp_path, ["another"]) is None
    assert read_analysis(tmp_path / "nowhere", ["key"]) is None
    for full in (False, True):
        pages = [document_of(each, None, can_balance=True, full=full) for each in (answer, again)]
        assert to_markdown(pages[0]) == to_markdown(pages[1])
        assert to_data(pages[0], tables=full) == to_data(pages[1], tables=full)
    # A page without certificates takes those of an older look away: they would be about other scores.
    write_analysis(tmp_path, "key", answer)
    assert not (folder / "dominance.parquet").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"key": "key"}', '{"key": "key", "answer": {"status": 1}}'])
def test_a_kept_analysis_of_another_form_is_none(tmp_path, text):
    (tmp_path / "analysis").mkdir()
    (tmp_path / "analysis" / "analysis.json").write_text(text)
    assert read_analysis(tmp_path, ["key"]) is None


def test_decks_are_analysed_by_swaps():
    space = deck_space()
    table = made_up(space, higher=True, sampled=0.3)
    found = analyse(AnalysisInput(table, space, (), {}, None), LIMITS, lambda _stage: None)
    assert found.drops is None
    assert any(curve.part.at_least > 1 for curve in found.saturation.curves)


@pytest.mark.parametrize(
    ("tops", "base", "kind"),
    [
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.1, "absent"),
        ([0.009] * 6, 0.001, "absent"),
        ([0.5, 0.4, 0.3, 0.3, 0.2, 0.0], 0.1, "absent"),
        ([1.0, 1.0, 0.97, 0.86, 0.72, 0.62], 0.21, "ubiquitous"),  # barrage of vitality-v2
        ([0.2, 0.68, 0.79, 0.88, 0.94, 0.925], 0.18, "staple"),  # explosive_critical
        ([1.0, 1.0, 0.97, 0.86, 0.72, 0.62], 0.9, "balanced"),  # in nearly every build anyway
        ([0.5, 0.4, 0.3, 0.3, 0.2, 0.19], 0.1, "top-heavy"),
        ([0.5, 0.4, 0.3, 0.3, 0.2, 0.2], 0.1, "balanced"),
        ([0.1, 0.1, 0.1, 0.1, 0.1, 0.21], 0.1, "inverted"),
        ([0.0, 0.1, 0.1, 0.1, 0.1, 0.1], 0.1, "inverted"),
        ([0.1, 0.1, 0.25, 0.1, 0.1, 0.12], 0.1, "volatile"),
        ([0.5, 0.5, 0.52, 0.5, 0.5, 0.5], 0.3, "staple"),
        ([], 0.3, "too few builds"),
    ],
)
def test_classes_of_curves(tops, base, kind):
    assert classify(tops, base, LIMITS.saturation) == kind
    assert kind in CLASSES


def test_a_flat_target_may_be_infeasible():
    space = small_space()
    found = saturation(populate(made_up(space), space), LIMITS.saturation)
    assert "cannot be met" in found.infeasible
    assert replace(found, target=(0.01, 0.9)).infeasible is None


def test_thresholds_of_a_file_take_the_place_of_the_shipped_ones(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("[dead]\nfights = 9\n")
    read = read_thresholds(mine)
    assert read.dead.fights == 9
    assert read.saturation == LIMITS.saturation
    for wrong in ("[dead]\nfigths = 1\n", "[dead\n", "dead = 3\n"):
        mine.write_text(wrong)
        with pytest.raises((InputError, UsageError), match=str(mine)):
            read_thresholds(mine)
    with pytest.raises(UsageError, match="cannot read"):
        read_thresholds(tmp_path / "none.toml")
