"""The access log of a workbench: sign-ins, transfers and refusals with persons, and never a token."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from benches import TOKENS, Benched
from perceptag.errors import SettingError
from perceptag.workbench import access_log
from perceptag.workbench.access_log import AccessLog
from running import annotating
from waiting import wait_until

IMPORT = {"text": "A\nb\n", "name": "more.txt", "columns": ["form"]}


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_it_names_persons_and_what_they_took(bench: Benched, tmp_path: Path) -> None:
    path = tmp_path / "access"
    bench.service.access_log = AccessLog(str(path))
    bench.get("", "ben")
    bench.get("/sentences/1", "ben")  # nothing new
    assert bench.ask("GET", "/export", who="ben").status == 403
    assert bench.ask("GET", "/export", who="anna").status == 200
    bench.send("/import", IMPORT)
    assert bench("GET", "/v1/project", headers={"authorization": f"Bearer {'x' * 43}"}).status == 401
    assert bench("GET", "/").status == bench("GET", "/livez").status == 200
    found = entries(path)
    assert [(e["event"], e["person"], e["role"], e["status"]) for e in found] == [
        ("sign-in", "ben", "annotate", 200),
        ("refused", "ben", "annotate", 403),
        ("sign-in", "anna", "admin", 200),
        ("export", "anna", "admin", 200),
        ("import", "anna", "admin", 200),
        ("refused", "", "", 401),
    ]
    assert found[3]["route"] == "/v1/project/export"
    assert set(found[0]) == {"time", "event", "person", "role", "address", "method", "route", "status"}
    text = path.read_text("utf-8")
    assert not any(token in text for token in TOKENS.values())
    assert "x" * 43 not in text


def test_the_file_may_be_moved_away_and_a_full_disk_is_logged(
    bench: Benched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "access"
    bench.service.access_log = AccessLog(str(path))
    assert bench.ask("GET", "/export", who="carl").status == 403
    path.rename(tmp_path / "access.1")
    assert bench.ask("GET", "/export", who="carl").status == 403
    assert len(entries(path)) == len(entries(tmp_path / "access.1")) == 1
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    def full(*given: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(access_log.os, "write", full)
    assert bench.ask("GET", "/export", who="carl").status == 403
    said = json.loads(capsys.readouterr().err)
    assert (said["event"], said["error"]) == ("access log", "No space left on device")
    assert said["lost"]["person"] == "carl"


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"--access-log: .*none.access: No such file"):
        AccessLog(str(tmp_path / "none" / "access"))


def test_people_are_revoked_while_the_server_runs(tmp_path: Path) -> None:
    project, log = tmp_path / "p.ptag", tmp_path / "access"
    (tmp_path / "s.txt").write_text("A\nb\n")
    options = ("--import", str(tmp_path / "s.txt"), "--columns", "form", "--labels", "X", "--annotator", "ben")
    with annotating(project, *options, "--access-log", str(log)) as server:
        tokens = Path(f"{project}.tokens")
        people = json.loads(tokens.read_text("utf-8"))

        def status(token: str) -> int:
            return server.ask("GET", "/v1/project", Authorization=f"Bearer {token}")[0]

        assert (status(server.token), status(people["ben"]["token"])) == (200, 200)
        ben = people.pop("ben")["token"]
        tokens.write_text(json.dumps(people))
        wait_until(lambda: status(ben) == 401)
        assert status(server.token) == 200
    events = [(entry["event"], entry["person"]) for entry in entries(log)]
    assert events[1] == ("sign-in", "ben")
    assert ("refused", "") in events
