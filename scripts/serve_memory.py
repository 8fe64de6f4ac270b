"""The memory of `buildsearch serve` over 200 edits that touch every build of a run of Vitality.

    buildsearch optimize --rules ./vitality-v2.yaml --budget 3 --out run && python scripts/serve_memory.py run

prints the resident memory of the command after some of the edits, as Linux tells it.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

RANGES = {
    "rolls.damage.count": range(2, 6),
    "rolls.damage.bonus.tier": range(5),
    "rolls.accuracy.bonus.tier": range(10),
}


def megabytes(process: int) -> int:
    """The resident memory of a process."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def main(run: str) -> None:
    """Edit after edit, in an order that is the same each time."""
    edits = [dict(zip(RANGES, values, strict=True)) for values in product(*RANGES.values())]
    random.Random(1).shuffle(edits)  # noqa: S311 - an order
    program = [sys.executable, "-m", "buildsearch", "serve", run, "--json", "--no-cache"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101 - a pipe was asked for
        where = urlsplit(json.loads(server.stdout.readline())["address"])
        connection = HTTPConnection(where.netloc)
        headers = {
            "origin": f"http://{where.netloc}",
            "content-type": "application/json",
            "x-buildsearch-token": where.query.removeprefix("token="),
        }
        connection.request("GET", f"{where.path}?{where.query}")
        page = connection.getresponse().read().decode()
        rules = json.loads(page.partition('id="data">')[2].partition("</script>")[0])["server"]["rules"]
        print(f"{0:4d} edits {megabytes(server.pid):6,d} MB", flush=True)
        for number, numbers in enumerate(edits, start=1):
            connection.request(
                "POST", "/api/score", json.dumps({"rules": rules, "numbers": numbers}), headers
            )
            last = json.loads(connection.getresponse().read().splitlines()[-1])
            if last["kind"] != "done":
                raise SystemExit(f"edit {number} {numbers}: {last}")
            if number == 1 or number % 10 == 0:
                print(f"{number:4d} edits {megabytes(server.pid):6,d} MB", flush=True)
        server.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
