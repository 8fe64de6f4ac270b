# %% [markdown]
# # Rank every build, and draw what the best have in common
#
# A small budget, so that it takes seconds. Leave `budget` out for the whole game.

# %%
from pathlib import Path

import buildsearch

game = buildsearch.load("vitality-v2", budget=2, only=["boss", "mixed"])
print(game)
print(f"{len(buildsearch.enumerate_builds(game)):,} legal builds")

# %% Every build is scored: exactly where a fight can be solved, with an interval where it cannot.
run = buildsearch.optimize(game, top=20)
best = run.to_pandas()
print(best[["rank", "score", "score_low", "score_high", "cost", "method"]].head(10))

# %% The run says whether higher or lower is better.
print(best.attrs["higher_is_better"]["score"])

# %% What the analysis says, in a sentence and in numbers.
analysis = buildsearch.analyze(run, triggers=False)
print(analysis.headline)
viability = analysis["options"].to_pandas()["viability"].dropna().sort_values(ascending=False).head(10)


# %% A bar for each option: how close to the best a build with it can come.
def bars(numbers, path):
    """Draw numbers from 0 to 1 as an SVG file; plotting libraries take the same Series."""
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{24 * len(numbers)}">']
    for place, (name, number) in enumerate(numbers.items()):
        top = 24 * place
        lines.append(f'<rect x="200" y="{top + 4}" width="{400 * number:.1f}" height="16" fill="#4c78a8"/>')
        lines.append(f'<text x="194" y="{top + 17}" text-anchor="end" font-size="13">{name}</text>')
        lines.append(f'<text x="{206 + 400 * number:.1f}" y="{top + 17}" font-size="13">{number:.0%}</text>')
    Path(path).write_text("\n".join([*lines, "</svg>"]), encoding="utf-8")


bars(viability, "viability.svg")
print(viability.map("{:.0%}".format))

# %% The same run as a page to look at, and as Arrow for polars, duckdb and others.
print(run.to_arrow().schema.names[:5])
