"""Workbenches of small games with made-up scores, and what `analyze` says of the same rules, edited."""

from __future__ import annotations

from dataclasses import replace

from buildsearch.report.html.workbench.content import RulesFile, WorkbenchSource
from buildsearch.report.html.workbench.page import write_workbench
from buildsearch.search.objectives import read_objectives
from tests.balancing.benches import Game, lenient

COMMANDS = {"explain": "explain", "diff": "diff", "balance": "balance", "over_budget": "--over-budget"}


class Bench(Game):
    """A game whose scores mean what its metric says."""

    def subject(self, model, space, scores):
        found = super().subject(model, space, scores)
        return replace(found, objective=read_objectives((), self.loaded.system.metrics)[0])

    def source(self, limits=None):
        system, model = self.loaded.system, self.loaded.model
        head = {"extends": model.id, "kind": "rules", "system": system.id, "id": "edited", "name": "Edited"}
        return WorkbenchSource(
            title=model.name,
            system=system.title,
            run="run",
            table=self.table,
            levers=self.levers,
            limits=limits or lenient(),
            metrics=system.metrics,
            file=RulesFile("edited.yaml", head),
            commands=COMMANDS,
        )

    def write(self, path, **more):
        """The page, as a file."""
        write_workbench(self.source(), path, **more)
        return path


def said_by(verdict):
    """The measures of a verdict, as the page names them."""
    figures = {
        "builds": len(verdict.contest.order),
        "best": verdict.best,
        "benchmark": verdict.reference.score,
        "overpowered": len(verdict.overpowered.rows),
    }
    figures["viable"] = next(each.options for each in verdict.freedom if each.least == 0.8)
    reaches = {
        reach.choice.name: (reach.score, reach.viability, verdict.worths[reach.choice.name].mean_of_best)
        for reach in verdict.reaches
    }
    musts = {" + ".join(loss.names): loss.factor for loss in verdict.must_haves}
    return figures, reaches, musts
