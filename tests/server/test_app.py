"""What a served page may ask and gets: scores, proposals, its rules file saved, and nothing beside it."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import threading
from dataclasses import replace

import numba
import numpy as np
import pytest
from starlette.testclient import TestClient

from buildsearch.library.report import source_of
from buildsearch.library.runs import load_run
from buildsearch.model.errors import Cancelled, UsageError
from buildsearch.server.app import _lines, make_app
from buildsearch.server.guard import TOKEN
from tests.balancing.benches import lenient
from tests.server.runs import BLESSED, optimized, own_rules, service_of

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="minutes without compiled code")
KEY, PORT = "secret", 8765
ORIGIN = f"http://127.0.0.1:{PORT}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    optimized(own_rules(folder), folder / "run", folder / "cache")
    return folder


@pytest.fixture
def place(made):
    """The folder with its rules as they were."""
    own_rules(made)
    return made


@pytest.fixture
def service(place):
    return service_of(load_run(str(place / "run")), place, place / "cache")


@pytest.fixture
def client(service):
    return client_of(service)


class Page(TestClient):
    """A page: it says which rules it shows."""

    rules = ""

    def post(self, path, json=None, **more):
        more = more if json is None else {"json": {"rules": self.rules} | json}
        return super().post(path, **more)


def client_of(service):
    headers = {"origin": ORIGIN, TOKEN: KEY, "content-type": "application/json"}
    page = Page(make_app(service, KEY, PORT), base_url=ORIGIN, headers=headers)
    page.rules = service.shown.digest
    return page


def lines(answer):
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def unpacked(line):
    body, found = gzip.decompress(base64.b64decode(line["text"])), {}
    for section in line["sections"]:
        kind = np.dtype(section["type"].lower()).newbyteorder("<")
        size = section["length"] * kind.itemsize
        shuffled, body = np.frombuffer(body[:size], np.uint8).reshape(kind.itemsize, -1), body[size:]
        found[section["name"]] = np.ascontiguousarray(shuffled.T).view(kind).ravel()
    assert body == b""
    return found


def test_the_page_asks_its_server_and_nobody_else(client, service):
    answer = client.get(f"/?token={KEY}")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe-eval" not in policy
    assert policy.endswith("frame-ancestors 'none'")
    data = json.loads(answer.text.partition('id="data">')[2].partition("</script>")[0])
    paths = {number["path"]: number for number in data["server"]["numbers"]}
    assert paths[BLESSED]["value"] == 5
    assert paths[BLESSED]["about"] == "Blessing"
    assert "upgrades.blessing.cost" not in paths  # a price, which the page moves by itself
    assert KEY not in answer.text


def test_builds_that_matter_come_first_and_all_of_them_as_optimize_scores_them(client, place, tmp_path):
    found = lines(client.post("/api/score", json={"numbers": {BLESSED: -2}}))
    waves = [line for line in found if line["kind"] == "scores"]
    assert found[-1] == {"kind": "done"}
    assert [wave["whole"] for wave in waves] == [False] * (len(waves) - 1) + [True]
    assert waves[0]["builds"] < waves[-1]["builds"]
    edited = tmp_path / "rules" / "planted.yaml"
    edited.parent.mkdir()
    text = own_rules(place).read_text(encoding="utf-8")
    line = "modifiers: {accuracy: {flat: 4}, damage: {flat: 5}}"
    assert text.count(line) == 1
    edited.write_text(text.replace(line, line.replace("5", "-2")), encoding="utf-8")
    fresh = optimized(edited, tmp_path / "run", tmp_path / "cache").scores
    before = load_run(str(place / "run")).scores
    order = np.argsort(before.score, kind="stable")
    whole = unpacked(waves[-1])
    by_row = np.empty(len(order))
    by_row[whole["row"]] = whole["score"]
    assert by_row.tolist() == fresh.score[order].tolist()
    assert (by_row != before.score[order]).any()
    # What came first holds where it is exact.
    first = unpacked(waves[0])
    exact = first["error 0"] == 0
    assert exact.any()
    assert first["score"][exact].tolist() == by_row[first["row"]][exact].tolist()


def test_the_builds_that_matter_are_there(service):
    scores = service.shown._desk.table.population.scores
    matter = set(service.shown._rescorer.matter.tolist())
    assert set(range(60)) <= matter
    for levels in service.shown._desk.table.population.levels:
        with_it = np.flatnonzero(levels > 0)
        assert not len(with_it) or int(with_it[0]) in matter
    assert int(scores.fight_means[0].argmin()) in matter


def test_only_numbers_of_the_rules_can_be_changed(client):
    def problems(numbers):
        answer = client.post("/api/score", json={"numbers": numbers})
        assert answer.status_code == 422
        return answer.text

    assert "no number `nobody.home`" in problems({"nobody.home": 3})
    assert "no number `upgrades.blessing.cost`" in problems({"upgrades.blessing.cost": 3})
    (wrong,) = lines(client.post("/api/score", json={"numbers": {"critical.range": -500}}))
    assert wrong["kind"] == "problem"
    assert "critical.range" in wrong["problems"][0]
    assert lines(client.post("/api/score", json={"numbers": {BLESSED: 5}})) == [{"kind": "done"}]


def test_a_number_that_changes_what_builds_cost_is_refused(place):
    run = load_run(str(place / "run"))
    service = service_of(run, place, None)
    # No such number is offered by these rules; a table with another budget stands in for one.
    shown = service.shown
    account = replace(shown._desk.table.accounts[0], budget=2)
    shown._desk = replace(shown._desk, table=replace(shown._desk.table, accounts=(account,)))
    with pytest.raises(UsageError, match="changes what builds cost"):
        shown.score(shown.edits({BLESSED: 6}), lambda _line: None, threading.Event())


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b'{"numbers": []}', b'{"numbers": {"a": "1"}}', b'{"more": 1}',
        b'{"numbers": {"a": null}}',
        b'{"numbers": {"a": true}}', b"\xff", b'{"numbers": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_told(client, body):
    for what in ("score", "balance", "save"):
        answer = client.post(f"/api/{what}", content=body)
        assert answer.status_code == 400
        assert answer.json()["problems"]


@pytest.mark.parametrize(
    "value", ["NaN", "Infinity", "1e999", "1e308", "1" * 400, "-" + "9" * 5000, "[1]", "{}"]
)
def test_numbers_that_are_none_are_refused(client, value):
    for what in ("score", "balance", "save"):
        body = f'{{"rules": "{client.rules}", "numbers": {{"{BLESSED}": {value}}}}}'
        answer = client.post(f"/api/{what}", content=body)
        assert answer.status_code in (400, 422)
        assert answer.json()["problems"]


def test_there_is_nothing_else(client):
    for path in (
        "/rules/planted.yaml",
        "/../run/run.json",
        "/%2e%2e/run/run.json",
        "/api/",
        "/api/save/../x",
    ):
        assert client.get(path, params={"token": KEY}).status_code in (403, 404, 405)
        assert client.post(path, json={}).status_code == 404
    assert client.get("/api/save").status_code == 405


def test_a_new_question_ends_the_old_one(service):
    first = service.begin()
    second = service.begin()
    assert first.is_set()
    assert not second.is_set()
    shown = service.shown
    edits = shown.edits({BLESSED: 7})
    with pytest.raises(Cancelled):
        shown.score(edits, lambda _line: None, first)
    told = []
    shown.score(edits, told.append, second)
    assert told[-1]["whole"]


def test_whoever_hangs_up_ends_the_work(service):
    at_work, ended = threading.Event(), threading.Event()

    def work(tell, cancel):
        tell({"kind": "progress"})
        at_work.set()
        if cancel.wait(20):
            ended.set()
        raise Cancelled("gone")

    async def listen():
        answer = _lines(service, work)
        async for line in answer.body_iterator:
            assert json.loads(line) == {"kind": "progress"}
            break
        await answer.body_iterator.aclose()

    asyncio.run(listen())
    assert at_work.wait(20)
    assert ended.wait(20)


def test_balance_runs_on_the_numbers_at_hand(client, service):
    asked = {"goals": ["best >= 12"], "seconds": 5}
    today = lines(client.post("/api/balance", json=asked))
    assert today[-1] == {"kind": "done"}
    found = next(line for line in today if line["kind"] == "proposals")
    assert found["goals"] == ["best >= 12"]
    assert found["headline"]
    # Under other numbers only once every build is scored.
    early = lines(client.post("/api/balance", json=asked | {"numbers": {BLESSED: -4}}))
    assert "not all builds are scored" in early[-1]["problems"][0]
    lines(client.post("/api/score", json={"numbers": {BLESSED: -4}}))
    later = lines(client.post("/api/balance", json=asked | {"numbers": {BLESSED: -4}}))
    other = next(line for line in later if line["kind"] == "proposals")
    assert other["health"]["best"] > found["health"]["best"]  # turns to win
    wrong = lines(client.post("/api/balance", json={"goals": ["bst >= 12"]}))
    assert "not all builds" in wrong[-1]["problems"][0]
    lines(client.post("/api/score", json={"numbers": {}}))
    wrong = lines(client.post("/api/balance", json={"goals": ["bst >= 12"]}))
    assert "bst" in wrong[-1]["problems"][0]


def test_saving_changes_those_lines_and_keeps_all_others(client, place):
    path = place / "rules" / "planted.yaml"
    before = path.read_text(encoding="utf-8")
    saved = client.post("/api/save", json={"edits": ["blessing.cost=3"], "numbers": {BLESSED: -2}})
    assert saved.status_code == 200, saved.text
    assert saved.json()["file"] == str(path.resolve())
    after = path.read_text(encoding="utf-8")
    changed = [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0][1] == changed[0][0].replace("cost: 1", "cost: 3").replace("{flat: 5}", "{flat: -2}")
    assert "# Planted: far too good for its cost." in after
    assert saved.json()["patch"].count("\n+") == 2  # the head of a patch, and the line
    # Saving nothing puts it back, and other edits are against the rules of the run.
    client.post("/api/save", json={"edits": ["aim.cost=3"]})
    assert "cost: 3, modifiers: {accuracy: {flat: 2}}" in path.read_text(encoding="utf-8")
    assert "cost: 1, modifiers: {accuracy: {flat: 4}" in path.read_text(encoding="utf-8")
    client.post("/api/save", json={})
    assert path.read_text(encoding="utf-8") == before


def test_what_is_no_rules_then_is_not_saved(client, place):
    path = place / "rules" / "planted.yaml"
    before = path.read_bytes()
    refused = client.post("/api/save", json={"numbers": {"critical.range": -500}})
    assert refused.status_code == 422
    assert refused.json()["problems"]
    refused = client.post("/api/save", json={"edits": ["nonsense.cost=3"]})
    assert refused.status_code == 422
    assert "nonsense" in refused.json()["problems"][0]
    assert path.read_bytes() == before
    path.write_text("somebody: else\n", encoding="utf-8")
    refused = client.post("/api/save", json={"edits": ["aim.cost=3"]})
    assert refused.status_code == 422
    assert "changed on disk" in refused.json()["problems"][0]
    assert path.read_text(encoding="utf-8") == "somebody: else\n"


def test_nothing_outside_the_folder_is_written(place, tmp_path):
    run = load_run(str(place / "run"))
    elsewhere = service_of(run, tmp_path, place / "cache")
    assert "lies outside" in elsewhere.shown.why_not_saved
    refused = client_of(elsewhere).post("/api/save", json={"edits": ["aim.cost=3"]})
    assert refused.status_code == 422
    inner = place / "rules"
    assert service_of(run, inner, None).shown.why_not_saved is None
    # A name that contains another is not inside it.
    beside = place.with_name(place.name + "-more")
    beside.mkdir(exist_ok=True)
    assert service_of(run, beside, None).shown.why_not_saved is not None
    assert own_rules(place).read_text(encoding="utf-8").count("cost: 3") == 1


def test_a_link_that_leads_out_of_the_folder_is_not_followed(place, tmp_path):
    service = service_of(load_run(str(place / "run")), place, place / "cache")
    path = place / "rules" / "planted.yaml"
    outside = tmp_path / "planted.yaml"
    outside.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside)
    try:
        with pytest.raises(UsageError, match="lies outside"):
            service.shown.save(["aim.cost=3"], ())
        # Inside it another file is none of the run's either.
        inside = place / "rules" / "other.yaml"
        inside.write_bytes(outside.read_bytes())
        path.unlink()
        path.symlink_to(inside)
        with pytest.raises(UsageError, match="leads elsewhere"):
            service.shown.save(["aim.cost=3"], ())
        assert inside.read_bytes() == outside.read_bytes()
        inside.unlink()
    finally:
        path.unlink()


def test_a_run_with_values_of_no_file_cannot_be_saved(place):
    run = optimized(
        own_rules(place),
        place / "set",
        place / "cache",
        overrides=("upgrades.blessing.modifiers.damage.flat=9",),
    )
    shown = service_of(run, place, None).shown
    assert "--overrides" in shown.why_not_saved or "--set" in shown.why_not_saved
    assert source_of(shown._desk, lenient()).file.why_not is not None


def test_a_page_of_some_builds_is_told_how_good_the_others_are(place):
    run = load_run(str(place / "run"))
    client = client_of(service_of(run, place, place / "cache", rows=200))
    found = lines(client.post("/api/score", json={"numbers": {BLESSED: -2}}))
    whole = next(line for line in found if line["kind"] == "scores" and line["whole"])
    arrays = unpacked(whole)
    assert len(arrays["row"]) == 200
    assert sorted(arrays["row"].tolist()) == list(range(200))
    everything = client_of(service_of(run, place, place / "cache"))
    all_of_them = unpacked(
        next(
            line
            for line in lines(everything.post("/api/score", json={"numbers": {BLESSED: -2}}))
            if line["kind"] == "scores" and line["whole"]
        )
    )
    left = sorted(all_of_them["score"].tolist())
    for score in arrays["score"].tolist():
        left.remove(score)
    assert whole["complete"] == left[0]


def test_memory_of_a_work_that_ended_goes_back_to_the_system(client, monkeypatch):
    returned = []
    monkeypatch.setattr("buildsearch.server.app.return_freed_memory", lambda: returned.append(1))
    assert lines(client.post("/api/score", json={"numbers": {}}))[-1] == {"kind": "done"}
    assert returned == [1]
