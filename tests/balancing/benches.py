"""Small games to balance: real spaces, made-up scores, and judges that know nothing of the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from buildsearch.analysis.analyses import AnalysisInput, judge
from buildsearch.analysis.population import populate
from buildsearch.analysis.thresholds import read_thresholds
from buildsearch.balancing.edit_table import distinct, enlarged, missing, table_of
from buildsearch.balancing.edits import edited_data
from buildsearch.balancing.settle import SettledTable
from buildsearch.library.input_files import load_rules
from buildsearch.model.evaluation import ScoreWords
from buildsearch.model.space import Wanted
from buildsearch.views.balance import BalanceAbout
from tests.analysis.tables import PLANTED, made_up

LIMITS = read_thresholds()


def lenient():
    """Thresholds under which a small space accuses too."""
    changed = LIMITS.verdict.model_copy(update={"fewest_options": 2, "fewest_contexts": 2})
    return LIMITS.model_copy(update={"verdict": changed})


class Game:
    """Rules with made-up scores of every build, by name."""

    def __init__(self, rules=str(PLANTED), parameters=None, sets=(), seed=0, **more):
        self.loaded = load_rules(rules, list(sets))
        self.parameters = parameters or {}
        self.space = self.loaded.system.space(self.loaded.model, self.parameters)
        self.scores = made_up(self.space, seed=seed, **more)
        self.by_key = {self._key(i): i for i in range(len(self.scores))}
        system = self.loaded.system
        self.levers = system.levers(self.loaded.model, self.space)
        self.table = table_of(
            self.subject(self.loaded.model, self.space, self.scores),
            system.accounts(self.loaded.model, self.space),
        )

    def _key(self, row):
        return (self.scores.groups[self.scores.group[row]], self.scores.codes[row].tobytes())

    def subject(self, model, space, scores):
        return AnalysisInput(
            scores=scores, space=space, options=self.loaded.system.options(model), fights={}, replayer=None
        )

    def model(self, edits):
        """The rules with edits made, read from data."""
        data = edited_data(self.loaded.document.root.plain(), edits)
        return self.loaded.system.rules_model.model_validate(data)

    def builds(self, edits):
        """The keys of all builds of edited rules, by the game's own enumeration."""
        space = self.loaded.system.space(self.model(edits), self.parameters)
        return {
            (chunk.group, code.tobytes()) for chunk in space.chunks(Wanted(), 1 << 12) for code in chunk.codes
        }

    def judged(self, edits, limits):
        """The verdict of `analyze` on edited rules, from the beginning."""
        model = self.model(edits)
        space = self.loaded.system.space(model, self.parameters)
        rows = np.array(sorted(self.by_key[key] for key in self.builds(edits)))
        scores = at_costs_of(space, _rows(self.scores, rows))
        return judge(self.subject(model, space, scores), populate(scores, space), limits)


class Wide(Game):
    """A game whose scores go on above its budget. It is a lab too: what is let in has those scores."""

    def __init__(self, budget, beyond, **more):
        super().__init__(parameters={"budget": str(beyond)}, **more)
        self.parameters = {"budget": str(budget)}
        system, model = self.loaded.system, self.loaded.model
        self.space = system.space(model, self.parameters)
        self.levers = system.levers(model, self.space)
        known = _rows(self.scores, np.flatnonzero(self.scores.cost <= budget))
        self.table = table_of(self.subject(model, self.space, known), system.accounts(model, self.space))
        self.asked = 0

    def let_in(self, table, edits, most=None):
        space = self.loaded.system.space(self.model(edits), self.parameters)
        return missing(table, space.chunks(Wanted(), 1 << 12), most)

    def scored(self, table, sets):
        chunks = distinct([chunk for _, some in sets for chunk in some])
        self.asked += sum(map(len, chunks))
        keys = [(chunk.group, code.tobytes()) for chunk in chunks for code in chunk.codes]
        more = _rows(self.scores, np.array([self.by_key[key] for key in keys])) if keys else None
        return enlarged(table, more, self.space, [edits for edits, _ in sets])

    def settle(self, table, rows, fights):
        return SettledTable(table, 0, 0)


def at_costs_of(space, scores):
    """The same builds at what they cost in a space."""
    cost = np.zeros(len(scores), np.int64)
    for rows, chunk in scores.chunks():
        cost[rows] = space.costs(chunk)
    return replace(scores, cost=cost)


def _rows(scores, rows):
    columns = {name: column[rows] for name, column in scores.columns.items()}
    by_fight = {name: values[:, rows] for name, values in scores.columns_by_fight.items()}
    return replace(scores, **columns, **by_fight)


ABOUT = BalanceAbout("buildsearch balance", "bench", "run", {}, ScoreWords(None))
