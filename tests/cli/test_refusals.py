"""What is wrong with a command line is told before any work is done: exit code 2, nothing printed or written.

What needs a run, a file or a repository to be wrong is told in the tests of its command.
"""

from __future__ import annotations

import shlex

import pytest

DECK = "'hth+2,tuf+4 / light_attack*4,heavy_attack*4,heal*4' -r armitage"
GUIDED = "optimize -r armitage --scenario mirror"
PAIRS = "optimize --archetype dual_natured --tier 4 --budget 2"
SAME = "diff vitality-v2 vitality-v2"
REFUSED = [
    ("bogus", "No such command 'bogus'. Try `buildsearch --help`."),
    ("list --bogus", "No such option: --bogus"),
    ("list dragons", "Try `buildsearch list --help`."),
    ("list rules foo", "extra argument(s) (foo). Try"),
    ("show", "Missing argument"),
    ("compare melee_dg", "Missing argument"),
    ("enumerate --budget", "requires an argument"),
    ("optimize --alpha 2", "--alpha must be at most 0.5, not '2'. Try `buildsearch optimize"),
    ("optimize --seed x", "--seed must be a whole number, not 'x'."),
    ("optimize --max-minutes nan", "--max-minutes"),
    ("optimize --max-minutes -1", "--max-minutes"),
    ("optimize --max-memory nan", "--max-memory"),
    ("analyze --jobs 0", "--jobs must be from 1 to 256"),
    ("trace melee_dg --pick foo", "--pick: 'foo' is not one of 'worst', 'median', 'best'."),
    # What contradicts itself.
    ("enumerate --out - --json", "Choose one of them."),
    ("analyze --json --markdown", "Choose one of them."),
    ("check --cache x --no-cache", "contradict"),
    ("score melee_dg --enemies 5 --scenarios profiles", "Choose one of them."),
    ("score melee_dg --fights 5 --target-error 1%", "Choose one of them."),
    ("enumerate -p tier=3 --tier 4", "tier is given twice, as 3 and as 4"),
    ("check --tier 3 -p tier=4", "tier is given as --tier and as -p tier=... Say it one way."),
    ("enumerate --with bleed --without bleed", "both required and excluded"),
    ("optimize --stop-after 5", "--stop-after is for a guided search. Add --search optuna"),
    (f"{GUIDED} --trials 5", "--search optuna"),
    (f"{GUIDED} --search exhaustive --storage x", "--search optuna"),
    ("optimize --candidates 5", "--candidates is for loadouts"),
    ("optimize --complete melee_dg+bleed --type ranged", "only ranged"),
    # Old names.
    ("optimize --race-fights 5", "--race-fights is called --ranking-fights now"),
    ("optimize --time 5", "--time is called --max-minutes now"),
    ("optimize --among latest", "--among is called --from-run now"),
    ("score melee_dg --engine mc", "engine `mc` is called `sampled` now"),
    (f"{SAME} --fail-on worse", "It is called `stronger` now"),
    (f"{SAME} --no-blame", "--no-edit-effects"),
    # Rules and scenarios.
    ("enumerate --rules vitality-v3", "Did you mean `vitality-v2`? Known: "),
    ("enumerate --rules nowhere.yaml", "There is no file nowhere.yaml."),
    ("validate vitality-v3", "Did you mean `vitality-v2`?"),
    ("validate zzzzzzzz", "default, dungeoneers, long-day, profiles"),
    ("validate there.yaml", "There is no file there.yaml."),
    ("validate a/b", "There is no file a/b."),
    ("schema", "which system? Known: "),
    ("schema vitalty", "Did you mean `vitality`?"),
    ("schema vitality rule", "Did you mean `rules`?"),
    ("show vitality-v2 bled overhitt", "vitality-v2 has no option `bled`. Did you mean `bleed`?"),
    ("show vitality-v2 bled overhitt", "`overhit`?"),
    ("show vitality-v2 zzzz", "Known: "),
    ("score melee_dg --scenario bos", "Did you mean `boss`?"),
    ("score melee_dg --scenarios defaul", "Did you mean `default`?"),
    (f"score {DECK} --scenarios default", "is for Vitality"),
    ("diff vitality-v2 no-such", "no ruleset called `no-such`"),
    ("diff vitality-v2 armitage", "vitality-v2 is for Vitality, and armitage for Armitage"),
    ("diff vitality-v2 git:HEAD", "git:REVISION:PATH"),
    ("diff vitality-v2", "two rulesets, or one with --set"),
    *(
        (f"show vitality-v2 bleed {words}", says)
        for words, says in (
            ("--set bled.cost=2", "--set bled.cost=2"),
            ("--set bled.cost=2", "Did you mean `bleed`?"),
            ("--set bleed.cots=2", "unknown key `cots`"),
            ("--set bleed.cost=two", "`cost` must be a whole number"),
            ("--set bleed.cost", "there is no `=` in it"),
            ("--set bleed.cost=", "there is no value"),
            (r"""--set 'bleed.name="\e[31m"'""", "must be one line without control characters"),
            ("--set 'exclusions[99]=x'", "there is no entry 99"),
            ("--ruling retaliation_cup=3", "Did you mean `retaliation_cap`?"),
            ("--ruling retaliation_cap=-1", "must be at least 0"),
            ("--set system=chess", "`system` cannot be 'chess'"),
        )
    ),
    # Parameters, filters and options of fights.
    ("enumerate --tier 6", "Known: 3, 4, 5."),
    ("enumerate --tier high", "must be a whole number"),
    ("enumerate --archetype focussed", "Did you mean `focused`?"),
    ("enumerate --budget -1", "from 0 to 1000"),
    ("enumerate -p tire=3", "Did you mean `tier`?"),
    ("check -p tier", "a parameter is written name=value"),
    ("enumerate --effect burn", "unknown effect `burn`"),
    ("enumerate --type mele_ac", "Did you mean `melee_ac`?"),
    ("enumerate --with bled", "Did you mean `bleed`?"),
    (f"{SAME} --with nothing", "unknown enhancement `nothing`"),
    ("optimize --budget 0 --with bleed", "no legal build matches"),
    ("enumerate --budget 2 --with bleed --out x.csv", "no build fits"),
    (f"{PAIRS} --type direct_damage --with bleed", "no legal build matches"),
    (f"{PAIRS} --type direct_damage --with bleed --dry-run", "no legal build matches"),
    (f"{PAIRS} --max-memory 0.01", "--max-memory"),
    ("score melee_dg --play fast", "no such way to play. Known: greedy, optimal."),
    ("score melee_dg --play lookahead,greedy", "greedy"),
    (f"score {DECK} --play gredy", "Did you mean `greedy`?"),
    (f"score {DECK} --tier 3", "has no parameter `tier`. Known: spend, status_cards."),
    (f"score {DECK} --enemies 50", "--enemies: Armitage has no such option"),
    ("score melee_dg --enemies 10,x", "must be a whole number from 1"),
    (f"score melee_dg --enemies {','.join(['1'] * 61)}", "at most 60"),
    ("score melee_dg --attacker focus", "write stat=number"),
    ("score melee_dg --attacker fokus=3", "Did you mean `focus`?"),
    ("score melee_dg --attacker focus=1,focus=2", "given twice"),
    ("score melee_dg --enemy mobility=-1", "must be a whole number from 0"),
    # Builds.
    ("score", "no build was given"),
    ("score melee_dgg melee_dg+quickdraw+patient melee_ac+blead", "Did you mean `melee_dg`?"),
    ("score melee_dgg melee_dg+quickdraw+patient melee_ac+blead", "quickdraw does not go with patient"),
    ("score melee_dgg melee_dg+quickdraw+patient melee_ac+blead", "Did you mean `bleed`?"),
    ("score 'hth+5,tuf+4 / light_attack*4,heavy_attack*4,heal*4' -r armitage", "costs 9 points"),
    ("score melee_dg --builds none.txt", "cannot read builds from none.txt: No such file or directory."),
    ("compare melee_dg melee_acc", "Did you mean `melee_ac`?"),
    ("trace melee_dgg", "Did you mean `melee_dg`?"),
    ("trace melee_dg --scenario bosss", "Did you mean `boss`?"),
    ("optimize --complete melee_dg+nothing", "nothing"),
    ("optimize --complete 'melee_dg | ranged'", "--complete melee_dg | ranged: error: 2 attacks"),
    ("optimize --complete melee_dg:condition", "here it could only be melee_dg (under tier 3, "),
    # Words of one command.
    ("score melee_dg --engine sample", "Did you mean `sampled`?"),
    ("score area+bleed --engine exact --scenario swarm", "an area that rolls dice. Try --engine auto."),
    ("score 'melee_dg | melee_ac' --engine sampled --play optimal", "plays greedily"),
    (f"score {DECK} --engine exact", "too many states"),
    ("score melee_dg --fights 1", "--fights must be"),
    ("score melee_dg --target-error x", "--target-error must be"),
    ("score melee_dg --target-error 200%", "--target-error must be"),
    ("optimize --objective fun", "unknown objective"),
    (f"{GUIDED} --search optunia", "optuna"),
    (f"{GUIDED} --search optuna --sampler tpa", "tpe"),
    ("optimize --budget 1 --out '' -q", "--out is empty"),
    ("optimize --rules armitage --over-budget 1", "no parameter"),
    ("enumerate --budget 2 --out x.json", "x.json: a table is written as .csv or .parquet"),
    (f"{SAME} --fail-on better", "--fail-on takes `stronger`"),
    ("check --preset stict", "strict"),
    ("check --inconclusive maybe", "pass or fail"),
    ("check --config none.toml", "none.toml"),
    ("check --baseline none.json", "there is no baseline none.json"),
    ("report", "buildsearch optimize"),
    ("serve", "optimize"),
    ("serve --folder nowhere", "not a folder"),
    ("serve --port 99999", "--port"),
    ("cache cleer", "clear"),
    *(
        (f"init {name}", "cannot be an id")
        for name in ("'My Game'", "../x", "''", ".hidden", "a" * 65, "a/b")
    ),
]


@pytest.mark.parametrize(("line", "says"), REFUSED, ids=lambda each: each[:40])
def test_it_is_told_before_any_work(run, elsewhere, line, says):
    ended = run(*shlex.split(line))
    assert (ended.code, ended.out) == (2, "")
    assert says in " ".join(ended.err.split())
    assert list(elsewhere.iterdir()) == []
