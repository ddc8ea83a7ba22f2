"""HTTPS: requests, handshakes that do not come, and what is refused at the start."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from asked import model_paths
from command_line import check, run
from running import Running, head, running
from waiting import PATIENCE

FOLDER = Path(__file__).resolve().parents[1] / "support" / "tls"
CERT, KEY = str(FOLDER / "cert.pem"), str(FOLDER / "key.pem")


@pytest.fixture(scope="module")
def secured() -> Iterator[Running]:
    with running({"pos": model_paths()["pos"]}, "--tls-cert", CERT, "--tls-key", KEY) as server:
        yield server


def connection_to(server: Running, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> HTTPSConnection:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(CERT)
    context.maximum_version = newest
    return HTTPSConnection("127.0.0.1", server.port, timeout=PATIENCE, context=context)


def status(server: Running, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> int:
    connection = connection_to(server, newest)
    connection.request("GET", "/livez")
    reply = connection.getresponse()
    reply.read()
    connection.close()
    return reply.status


def test_several_requests_on_one_connection(secured: Running) -> None:
    connection = connection_to(secured)
    for _ in range(3):
        body = json.dumps({"sentences": [["The", "dog"]] * 500})
        connection.request("POST", "/v1/tag", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        assert len(json.loads(reply.read())["sentences"]) == 500
    assert connection.sock.version() == "TLSv1.3"  # type: ignore[attr-defined]
    connection.close()
    assert status(secured, ssl.TLSVersion.TLSv1_2) == 200


def test_plain_http_is_refused(secured: Running) -> None:
    assert b"HTTP/1.1 200" not in secured.send(head("GET", "/livez", secured.port) + b"\r\n")
    assert status(secured) == 200


def test_handshakes_that_do_not_come_delay_nobody(secured: Running) -> None:
    silent = [secured.raw() for _ in range(60)]
    silent[0].sendall(b"\x16\x03\x01")  # the beginning of one
    assert [status(secured) for _ in range(5)] == [200] * 5
    for one in silent:
        one.close()


def test_the_server_stops_with_handshakes_open() -> None:
    with running({"pos": model_paths()["pos"]}, "--tls-cert", CERT, "--tls-key", KEY) as server:
        silent = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        assert status(server) == 200
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 30
        silent.close()
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""


def test_what_is_refused_at_start(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n")
    pair = "expected a certificate and its own key in PEM form, without a passphrase, found: "
    for cert, key, message in (
        (CERT, "", "--tls-key: expected both --tls-cert and --tls-key, found one"),
        ("", KEY, "--tls-cert: expected both --tls-cert and --tls-key, found one"),
        (KEY, CERT, f"--tls-cert .*key.pem --tls-key .*cert.pem: {pair}"),
        (CERT, str(FOLDER / "locked.pem"), pair),
        (str(broken), KEY, pair),
        (str(tmp_path / "no"), KEY, "--tls-cert .*no --tls-key .*: No such file"),
    ):
        words = [*(("--tls-cert", cert) if cert else ()), *(("--tls-key", key) if key else ())]
        check(run("serve", "--model", f"pos={model_paths()['pos']}", *words), message)
