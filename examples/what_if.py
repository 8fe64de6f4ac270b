# %% [markdown]
# # What if Power Attack cost 2?
#
# A game is changed in memory; no file is written.

# %%
import buildsearch

game = buildsearch.load("vitality-v2", budget=2, only=["boss", "mixed"])
dearer = game.changed(overrides={"power_attack.cost": 2})
print(dearer.options.to_pandas().loc["power_attack"])

# %% Both sides meet the same fights with the same seed.
found = buildsearch.diff(game, dearer, top=10)
print(found.edits.to_pandas()[["before", "after"]])
print("the best build became better for certain:", found.is_worse)

# %% How the best builds move. A build above the budget has no rank on that side.
moves = found.to_pandas()
print(moves[["rank_before", "rank_after", "score_before", "score_after"]])
gone = moves[moves["rank_after"].isna()]
print(f"{len(gone)} of the builds shown cost more than the budget now: {', '.join(gone.index)}")

# %% One build alone, at three costs.
for cost in (1, 2, 3):
    priced = game.changed(overrides={"power_attack.cost": cost}, budget=4)
    row = buildsearch.score(priced, "melee_dg+power_attack").to_pandas().iloc[0]
    print(f"at {cost} points: costs {row['cost']}, score {row['score']:.3f}")
