"""Connections that wait at the listener when a server stops are answered, not reset."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack

from asked import model_paths
from perceptag.server.limits import Limits
from perceptag.server.run import listen, make_server
from perceptag.server.served import ModelTable
from perceptag.server.service import Access, Service

WAITING = 5


def test_connections_in_the_backlog_are_answered_when_the_server_stops() -> None:
    listener = listen("127.0.0.1", 0)
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    service = Service(ModelTable({"pos": model_paths()["pos"]}), Access(hosts=frozenset({host})), Limits(), cores=1)
    server = make_server(service, lambda: None)
    request = f"GET /livez HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()

    async def stop_with_clients_waiting(opened: ExitStack) -> list[bytes]:
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup([listener])
        clients = [opened.enter_context(socket.create_connection(listener.getsockname(), 10)) for _ in range(WAITING)]
        for client in clients:
            client.sendall(request)
        server.stop()  # without a pause, so that the loop has accepted none of them
        await server.shutdown([listener])
        return [await asyncio.to_thread(_all_of, client) for client in clients]

    with ExitStack() as opened:
        replies = asyncio.run(stop_with_clients_waiting(opened))
    service.close()
    assert [reply.split(b"\r\n")[0] for reply in replies] == [b"HTTP/1.1 200 OK"] * WAITING


def _all_of(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(65536), b""))
