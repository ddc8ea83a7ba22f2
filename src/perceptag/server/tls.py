"""TLS for a server without a proxy: certificates are read again when they change, and a slow handshake delays no other.

A connection is counted, and may be closed when there are too many, from the moment it is accepted (`TlsGate`): the
servers of asyncio know it only after the handshake, which a client can delay.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, reason
from perceptag.server.connection_room import ConnectionRoom
from perceptag.server.protocol import LAST_CALL, LINGER
from perceptag.server.watched_files import WatchedFiles

_CERTIFICATE = b"-----BEGIN CERTIFICATE-----"
_MAX_FILE = 1 << 20
_END: dict[str, Any] = {"ssl_shutdown_timeout": LINGER} if sys.version_info >= (3, 11) else {}


def tls_context(cert: str, key: str, log: Callable[..., object]) -> ssl.SSLContext:
    """Return the context of ``--tls-cert`` and ``--tls-key``. Each handshake takes the certificate in the file then."""
    if not cert or not key:
        raise SettingError(f"--tls-{'key' if cert else 'cert'}: expected both --tls-cert and --tls-key, found one")
    newest = WatchedFiles([cert, key], lambda: read_pair(cert, key), log)
    context = read_pair(cert, key)

    def take_newest(handshake: ssl.SSLObject, name: str, first: ssl.SSLContext) -> None:  # noqa: ARG001
        handshake.context = newest()

    context.sni_callback = take_newest  # called without a name, too
    return context


def read_pair(cert: str, key: str) -> ssl.SSLContext:
    """Return a context for TLS 1.2 and newer with a certificate, those that sign it, and its private key."""
    if _CERTIFICATE not in _read("--tls-cert", cert):
        raise SettingError(f"--tls-cert: {cert}: expected a certificate in PEM form, found none")
    secret = _read("--tls-key", key)
    if b"PRIVATE KEY-----" not in secret:
        raise SettingError(f"--tls-key: {key}: expected a private key in PEM form, found none")
    if b"ENCRYPTED" in secret:
        raise SettingError(f"--tls-key: {key}: expected a private key without a passphrase")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(cert, key, password=lambda: "")  # no question at a terminal
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise SettingError(f"--tls-key: {key}: expected the private key of {cert}, found another one") from None
        why = (error.reason or "unknown").lower().replace("_", " ")
        raise SettingError(f"--tls-cert {cert} --tls-key {key}: cannot use them: {why}") from None
    except OSError as error:
        raise SettingError(f"--tls-cert {cert} --tls-key {key}: {reason(error)}") from None
    return context


def _read(option: str, path: str) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(_MAX_FILE)
    except OSError as error:
        raise SettingError(f"{option}: {path}: {reason(error)}") from None


class TlsGate(asyncio.Protocol):
    """A connection until its handshake is done; it is then given to the protocol of HTTP."""

    def __init__(self, context: ssl.SSLContext, protocol: Any, make: Callable[[], Any], known: set[Any]) -> None:
        self._context, self._make, self._known = context, make, known
        self._room: ConnectionRoom = protocol.room
        self._seconds: float = protocol.limits.header_seconds
        self.address = ""
        self._is_ending = False  # the server stops
        self._is_counted = False
        self._transport: asyncio.Transport
        self._handshake: asyncio.Task[None]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin the handshake; nothing is read before."""
        self._transport = transport
        transport.pause_reading()
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self._is_counted = True
        self._room.open += 1
        self._room.wait(self)
        self._known.add(self)
        self._room.make_room()
        self._handshake = asyncio.get_running_loop().create_task(self._shake())

    def give_up(self) -> None:
        """Close the connection: there are too many, or the server stops."""
        if not self._handshake.done():
            self._leave()  # now: the end of the handshake is noticed a moment later
            self._transport.abort()

    def _leave(self) -> None:
        """Be counted no more."""
        if self._is_counted:
            self._is_counted = False
            self._room.open -= 1
            self._room.serve(self)
            self._known.discard(self)

    def shutdown(self) -> None:
        """Let the server stop: a handshake that is on its way has a moment, and then the request after it."""
        self._is_ending = True
        asyncio.get_running_loop().call_later(LAST_CALL, self.give_up)

    async def _shake(self) -> None:
        loop, early = asyncio.get_running_loop(), _EarlyBytes()
        if sys.version_info < (3, 11):  # which has begun to read in spite of the pause, and loses what comes too early
            self._transport.resume_reading()
            self._transport.pause_reading()
        try:
            secure = await loop.start_tls(
                self._transport, early, self._context, server_side=True, ssl_handshake_timeout=self._seconds, **_END
            )
        except (OSError, TimeoutError, asyncio.TimeoutError):  # not TLS, too slow, or gone
            self._transport.abort()
            return
        finally:
            self._leave()
        if secure is None or secure.is_closing() or early.is_lost:
            self._transport.abort()
            return
        protocol = self._make()
        secure.set_protocol(protocol)
        protocol.connection_made(secure)
        if early.data:
            protocol.data_received(bytes(early.data))
        if self._is_ending:
            protocol.shutdown()


class _EarlyBytes(asyncio.Protocol):
    """Keeps what arrives in the moment between the end of the handshake and the start of HTTP."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_lost = False

    def data_received(self, data: bytes) -> None:
        self.data += data

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.is_lost = True


def protocol_behind_tls(context: ssl.SSLContext, protocol: Any) -> Callable[..., TlsGate]:
    """Return what makes the connections of a server: `protocol` of HTTP after a handshake."""

    def make(**given: Any) -> TlsGate:
        return TlsGate(context, protocol, lambda: protocol(**given), given["server_state"].connections)

    return make
