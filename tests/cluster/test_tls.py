"""TLS by Dask's own configuration, with a certificate made here; secrets are told to nobody."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from tests.cluster.nodes import Nodes

OPENSSL = shutil.which("openssl")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="no openssl here to make a certificate with")
WHO = ("SCHEDULER", "WORKER", "CLIENT")
SMALL = ("--budget", "1", "--type", "ranged", "--without", "ricochet", "--top", "2", "--no-cache")


def _certificate(folder: Path) -> dict[str, str]:
    """A certificate that vouches for itself, as Dask's configuration in the environment."""
    folder.mkdir()
    key, cert = folder / "secret-key.pem", folder / "cert.pem"
    self_made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=buildsearch")
    made = subprocess.run(
        [OPENSSL, *self_made, "-keyout", str(key), "-out", str(cert)],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip(f"openssl makes no certificate here: {made.stderr.decode()[-200:]}")
    each = {f"{who}__{what}": str(key if what == "KEY" else cert) for who in WHO for what in ("KEY", "CERT")}
    return {
        f"DASK_DISTRIBUTED__COMM__TLS__{name}": path for name, path in (each | {"CA_FILE": str(cert)}).items()
    }


def _optimize(address: str, out: Path, environment: dict[str, str]) -> subprocess.CompletedProcess:
    words = ("optimize", *SMALL, "--cluster", address, "--out", str(out))
    return subprocess.run(
        [sys.executable, "-m", "buildsearch", *words],
        cwd=out.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_run_over_tls_and_who_is_not_let_in(tmp_path):
    configured = _certificate(tmp_path / "tls")
    with Nodes(tmp_path, "tls", DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION="True", **configured) as nodes:
        nodes.scheduler()
        nodes.worker()
        plain = {name: value for name, value in nodes.environment.items() if not name.startswith("DASK_")}
        done = _optimize(nodes.address, tmp_path / "run", nodes.environment)
        assert done.returncode == 0, done.stderr
        assert f"Cluster {nodes.address}" in done.stderr
        # Without a certificate nothing is sent, and the sentence says what is missing.
        refused = _optimize(nodes.address, tmp_path / "no", plain)
        assert refused.returncode == 2
        assert f"--cluster {nodes.address} needs a certificate" in " ".join(refused.stderr.split())
        unreadable = plain | {name: f"{path}-gone" for name, path in configured.items()}
        missing = _optimize(nodes.address, tmp_path / "no", unreadable)
        assert missing.returncode == 2
        assert "certificate for --cluster" in " ".join(missing.stderr.split())
        assert "Traceback" not in refused.stderr + missing.stderr
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    secret = (tmp_path / "tls" / "secret-key.pem").read_text().splitlines()[1]
    for told in (done.stderr, done.stdout, refused.stderr, json.dumps(record)):
        assert secret not in told
        assert "secret-key" not in told
    assert "tls://" not in json.dumps(record)
