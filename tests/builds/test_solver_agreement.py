"""A second opinion from a solver that shares no idea with the search."""

from __future__ import annotations

import numpy as np
import pytest

from buildsearch.builds.subsets import SubsetProblem, count_subsets


def solutions(costs, exclusions, budget, required):
    from ortools.sat.python import cp_model  # an optional dependency, slow to load

    class Counter(cp_model.CpSolverSolutionCallback):
        found = 0

        def on_solution_callback(self):
            self.found += 1

    model = cp_model.CpModel()
    taken = [model.new_bool_var(f"option {i}") for i in range(len(costs))]
    for first, second in exclusions:
        model.add_at_most_one(taken[first], taken[second])
    for option in required:
        model.add(taken[option] == 1)
    model.add(sum(cost * var for cost, var in zip(costs, taken, strict=True)) <= budget)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    counter = Counter()
    solver.solve(model, counter)
    return counter.found


@pytest.mark.parametrize("seed", range(4))
def test_the_solver_finds_as_many(seed):
    pytest.importorskip("ortools")
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 5, size=14).tolist()
    exclusions = [tuple(rng.choice(14, size=2, replace=False).tolist()) for _ in range(12)]
    required = rng.choice(14, size=seed % 2, replace=False).tolist()
    problem = SubsetProblem.from_pairs(costs, exclusions, 9, required=required)
    assert count_subsets(problem) == solutions(costs, exclusions, 9, required) > 0
