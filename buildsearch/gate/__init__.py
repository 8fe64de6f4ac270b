"""The CI gate: assertions about scores and analysis, findings, baselines, verdicts. Knows no game."""
