"""Guided search with Optuna for spaces that cannot be enumerated. Imported late: Optuna takes its time."""
