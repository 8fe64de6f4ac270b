"""What every system must keep, whatever its game and whatever its rules."""

from __future__ import annotations

from buildsearch.library.input_files import inspect
from buildsearch.ruleset.locate import list_files
from buildsearch.systems.shorthands import fight_shorthands, parameter_shorthands


class SystemSuite:
    """Needs a fixture `system`."""

    def test_its_shorthands_are_known_without_loading_it(self, system):
        """The command line reads `parameters.py` of a game alone."""
        for declared, known in (
            (system.parameters, parameter_shorthands()),
            (system.fight_options, fight_shorthands()),
        ):
            names = {each.name for each in declared if each.shorthand}
            assert names <= {each.name for each in known}
            assert all(f"{system.title}: " in each.help for each in known if each.name in names)

    def test_every_system_ships_rules_and_scenarios(self, system):
        for shelf in ("rules", "scenarios"):
            loaded = [inspect(path) for path in list_files(shelf).values()]
            assert any(file is not None and file.system is system for file, _ in loaded)

    def test_metrics(self, system):
        names = [metric.name for metric in system.metrics]
        assert names
        assert len(set(names)) == len(names)
        for metric in system.metrics:
            assert metric.label
            assert isinstance(metric.higher_is_better, bool)
            assert metric.low is None or metric.high is None or metric.low < metric.high

    def test_parameters_and_columns(self, system):
        names = [parameter.name for parameter in system.parameters]
        assert len(set(names)) == len(names)
        assert all(parameter.help for parameter in system.parameters)
        assert len(set(system.leaderboard_columns)) == len(system.leaderboard_columns)
        assert system.title
