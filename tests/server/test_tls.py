"""HTTPS: certificates that are renewed while the server runs, slow and broken handshakes, what is refused at start."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from asked import model_paths
from certificates import write_pair
from command_line import check, run
from perceptag.server import tls
from perceptag.server.connection_room import ConnectionRoom
from perceptag.server.limits import Limits
from perceptag.server.tls import TlsGate, protocol_behind_tls, read_pair
from running import Running, head, running
from waiting import PATIENCE, wait_until

LIMITS = ("--limit", "header_seconds=1", "--limit", "connections=20", "--limit", "idle_seconds=20")


@dataclass(frozen=True)
class Secured:
    """A server, and where its certificate is."""

    server: Running
    cert: Path
    key: Path

    def trusting(self, cert: str | Path = "", version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
        """A client's context that trusts one certificate alone."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cert or self.cert)
        if version is not None:
            context.maximum_version = version
        return context

    def get(self, path: str, context: ssl.SSLContext | None = None) -> tuple[int, bytes]:
        connection = HTTPSConnection(
            "127.0.0.1", self.server.port, timeout=PATIENCE, context=context or self.trusting()
        )
        connection.request("GET", path)
        reply = connection.getresponse()
        found = reply.status, reply.read()
        connection.close()
        return found


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    folder = tmp_path_factory.mktemp("tls")
    cert, key = write_pair(folder, "first")
    with running({"pos": model_paths()["pos"]}, "--tls-cert", cert, "--tls-key", key, *LIMITS) as server:
        yield Secured(server, Path(cert), Path(key))


def test_a_request_and_several_on_one_connection(secured: Secured) -> None:
    connection = HTTPSConnection("127.0.0.1", secured.server.port, timeout=PATIENCE, context=secured.trusting())
    for _ in range(3):
        body = json.dumps({"sentences": [["The", "dog"]] * 500})
        connection.request("POST", "/v1/tag", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        assert len(json.loads(reply.read())["sentences"]) == 500
    assert connection.sock.version() == "TLSv1.3"  # type: ignore[attr-defined]
    connection.close()
    assert secured.get("/", secured.trusting(version=ssl.TLSVersion.TLSv1_2))[0] == 200


def test_a_request_sent_with_the_end_of_the_handshake_is_not_lost(secured: Secured) -> None:
    """TLS 1.3 lets a client send in the same packet: what arrives before HTTP is ready must be kept."""
    context, incoming, outgoing = secured.trusting(), ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with secured.server.raw() as wire:
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                wire.sendall(outgoing.read())
                incoming.write(wire.recv(65536))
        client.write(head("GET", "/healthz", secured.server.port, "Connection: close") + b"\r\n")
        wire.sendall(outgoing.read())  # the last part of the handshake, and the request
        found = b""
        while b"}" not in found:
            part = wire.recv(65536)
            assert part, "closed without a reply"
            incoming.write(part)
            try:
                found += client.read(65536)
            except ssl.SSLWantReadError:
                continue
    assert found.startswith(b"HTTP/1.1 200")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_versions_and_plain_http_are_refused(secured: Secured) -> None:
    old = secured.trusting()
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with pytest.raises((ssl.SSLError, ConnectionError)):
        secured.get("/healthz", old)
    assert b"HTTP/1.1 200" not in secured.server.send(head("GET", "/healthz", secured.server.port) + b"\r\n")
    assert secured.get("/healthz")[0] == 200


def test_handshakes_that_do_not_come_delay_nobody_and_are_closed(secured: Secured) -> None:
    silent = [secured.server.raw() for _ in range(60)]  # three times as many as connections are allowed
    silent[0].sendall(b"\x16\x03\x01")  # the beginning of one
    began = time.monotonic()
    assert [secured.get("/healthz")[0] for _ in range(5)] == [200] * 5
    for one in silent:
        with suppress(ConnectionResetError):
            assert one.recv(100) == b""
        one.close()
    assert time.monotonic() - began < 30  # a handshake has one second
    assert secured.get("/healthz")[0] == 200


def test_a_new_certificate_is_taken_and_a_wrong_one_is_not(secured: Secured, tmp_path: Path) -> None:
    before, other = secured.cert.read_bytes(), write_pair(tmp_path, "second")
    kept = HTTPSConnection("127.0.0.1", secured.server.port, timeout=PATIENCE, context=secured.trusting())
    kept.request("GET", "/healthz")
    assert kept.getresponse().read()
    old = secured.trusting()
    shutil.copy(other[0], secured.cert)  # a certificate without its key: the old pair stays
    time.sleep(1.1)
    assert secured.get("/healthz", old)[0] == 200
    shutil.copy(other[1], secured.key)

    def is_new() -> bool:
        try:
            return secured.get("/healthz")[0] == 200
        except ssl.SSLCertVerificationError:
            return False

    wait_until(is_new)
    with pytest.raises(ssl.SSLCertVerificationError):
        secured.get("/healthz", old)
    kept.request("GET", "/healthz")
    assert kept.getresponse().status == 200  # a connection keeps what it began with
    kept.close()
    assert before != secured.cert.read_bytes()


def test_the_server_stops_with_handshakes_open(tmp_path: Path) -> None:
    cert, key = write_pair(tmp_path, "first")
    files = ("--tls-cert", cert, "--tls-key", key)
    with running({"pos": model_paths()["pos"]}, *files, "--limit", "header_seconds=60") as server:
        silent = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        assert Secured(server, Path(cert), Path(key)).get("/healthz")[0] == 200
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 30
        silent.close()
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""


class PlayedHttp(asyncio.Protocol):
    """What a connection is given to after its handshake."""

    room = ConnectionRoom(10, 5)
    limits = Limits()

    def __init__(self, server_state: Any) -> None:
        self.known, self.is_ending = server_state.connections, False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.known.add(self)

    def shutdown(self) -> None:
        self.is_ending = True


def test_a_handshake_on_its_way_when_the_server_stops_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls, "LAST_CALL", PATIENCE)
    cert, key = write_pair(tmp_path, "first")
    trusting = ssl.create_default_context(cafile=cert)

    async def main() -> None:
        state = SimpleNamespace(connections=set())
        make = protocol_behind_tls(read_pair(cert, key), PlayedHttp)
        server = await asyncio.get_running_loop().create_server(lambda: make(server_state=state), "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname(), PATIENCE) as client:
            while not state.connections:
                await asyncio.sleep(0.01)
            (gate,) = state.connections
            gate.shutdown()
            secure = await asyncio.to_thread(trusting.wrap_socket, client, server_hostname="localhost")
            while gate in state.connections:
                await asyncio.sleep(0.01)
            (protocol,) = state.connections
            assert protocol.is_ending
            protocol.transport.close()  # Python 3.10 warns of one that is open in the end
            secure.close()
        server.close()

    asyncio.run(main())


def test_a_handshake_that_is_given_up_is_counted_once() -> None:
    class Aborted:
        """A transport that tells of its end later."""

        def __init__(self) -> None:
            self.aborts = 0

        def pause_reading(self) -> None: ...

        def get_extra_info(self, name: str) -> Any: ...

        def abort(self) -> None:
            self.aborts += 1

    async def main() -> None:
        room, transport, known = ConnectionRoom(1, 0), Aborted(), set[Any]()
        gate = TlsGate(None, SimpleNamespace(room=room, limits=Limits()), lambda: None, known)  # type: ignore[arg-type]
        gate._shake = asyncio.Event().wait  # type: ignore[method-assign, assignment]
        gate.connection_made(transport)  # type: ignore[arg-type]
        assert (room.open, gate in room, gate in known) == (1, True, True)
        for _ in range(2):
            room._close(1, 0.0)
        assert (room.closed, room.open, transport.aborts, known) == (1, 0, 1, set())
        gate._handshake.cancel()

    asyncio.run(main())


def test_what_is_refused_at_start(tmp_path: Path) -> None:
    cert, key = write_pair(tmp_path, "first")
    other = write_pair(tmp_path, "second")[1]
    locked = write_pair(tmp_path, "locked", b"secret")[1]
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nnot base64!\n-----END CERTIFICATE-----\n")
    for words, message in (
        (("--tls-cert", cert), "--tls-key: expected both --tls-cert and --tls-key, found one"),
        (("--tls-key", key), "--tls-cert: expected both --tls-cert and --tls-key, found one"),
        (("--tls-cert", cert, "--tls-key", other), "second.key.pem: expected the private key of .*first.cert.pem"),
        (("--tls-cert", key, "--tls-key", key), "--tls-cert: .*: expected a certificate in PEM form, found none"),
        (("--tls-cert", cert, "--tls-key", cert), "--tls-key: .*: expected a private key in PEM form, found none"),
        (("--tls-cert", cert, "--tls-key", locked), "--tls-key: .*: expected a private key without a passphrase"),
        (("--tls-cert", str(broken), "--tls-key", key), "broken.pem --tls-key .*: cannot use them: "),
        (("--tls-cert", str(tmp_path / "no"), "--tls-key", key), "--tls-cert: .*no: No such file"),
    ):
        check(run("serve", "--model", f"pos={model_paths()['pos']}", *words), message)


def test_renegotiation_and_old_versions_are_off(tmp_path: Path) -> None:
    context = read_pair(*write_pair(tmp_path, "first"))
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.options & ssl.OP_NO_RENEGOTIATION
