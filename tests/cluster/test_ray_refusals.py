"""What is refused before Ray is asked: a package that is missing, and machines that do not answer."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from command_line import run
from perceptag import DataError
from perceptag.engines.ray_engine import refuse_unreachable


def test_without_ray_nothing_is_written(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "a.txt").write_text("a\n")
    refused = run("tag", tmp_path / "a.txt", "-m", models / "pos", "--on", "ray", "--out-dir", tmp_path / "out")
    assert refused.status == 2
    assert "--on ray: the package 'ray' is missing" in refused.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "ray://localhost:{}", "127.0.0.1:{}0000", "a..b:{}"])
def test_a_machine_that_does_not_answer(form: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(DataError, match="--on ray: cannot reach"):
        refuse_unreachable(form.format(port), "127.0.0.1")


def answering(with_: bytes) -> Iterator[str]:
    """The address of a server that gives every client the same answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.recv(100)
                    connection.sendall(with_)
                    connection.close()

        Thread(target=answer, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_machine_that_answers() -> None:
    for address in answering(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])):
        for one in (address, f"ray://{address}", "auto"):
            assert refuse_unreachable(one, "a..b") is None
