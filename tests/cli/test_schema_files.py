from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml

from buildsearch.cli.schema import all_schemas
from buildsearch.ruleset import locate
from buildsearch.systems.registry import SYSTEMS


@pytest.mark.parametrize(("shelf", "system"), list(all_schemas()))
def test_committed_schemas_are_current(shelf, system, repository):
    committed = (repository / shelf / "schema" / f"{system}.json").read_text(encoding="utf-8")
    assert committed == all_schemas()[shelf, system], "out of date: run `buildsearch schema --write .`"


def _files():
    root = Path(__file__).resolve().parents[2]
    return [path for shelf in ("rules", "scenarios") for path in sorted((root / shelf).glob("*.yaml"))]


def _with_text_keys(data):
    """JSON has no other keys than text; YAML's `3: 6` has a number."""
    match data:
        case dict():
            return {str(key): _with_text_keys(value) for key, value in data.items()}
        case list():
            return [_with_text_keys(value) for value in data]
        case _:
            return data


@pytest.mark.parametrize("path", _files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_shipped_files_fit_their_schema(path):
    data = _with_text_keys(yaml.safe_load(path.read_text(encoding="utf-8")))
    schema = json.loads(all_schemas()[path.parent.name, data["system"]])
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(data, schema)
    assert path.read_text(encoding="utf-8").startswith(
        f"# yaml-language-server: $schema=schema/{data['system']}.json\n"
    )
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data | {"colour": "red"}, schema)


def test_write_all_schemas(run, elsewhere):
    ended = run("schema", "--write", ".")
    assert ended.code == 0
    written = sorted(path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*.json"))
    assert written == sorted(f"{shelf}/schema/{system}.json" for shelf, system in all_schemas())
    assert len(written) == 2 * len(SYSTEMS)


def test_the_wheel_carries_rules_and_scenarios(repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    table = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert table == {"rules": "buildsearch/data/rules", "scenarios": "buildsearch/data/scenarios"}
    assert project["project"]["scripts"] == {"buildsearch": "buildsearch.__main__:main"}


def test_an_installed_package_finds_what_it_carries(run, elsewhere, repository, monkeypatch):
    package = elsewhere / "site-packages" / "buildsearch"
    for shelf in ("rules", "scenarios"):
        (package / "data" / shelf).mkdir(parents=True)
        for path in (repository / shelf).glob("*.yaml"):
            (package / "data" / shelf / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(locate, "_PACKAGE", package)
    rows = json.loads(run("list", "rules", "--json").out)["rules"]
    assert {Path(row["path"]).parent for row in rows} == {package / "data" / "rules"}
    assert run("enumerate", "--budget", 2, "--count").code == 0
