"""Which connections are closed when there are too many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from perceptag.server.connection_room import ConnectionRoom
from played_clock import PlayedClock


class Played:
    """A connection."""

    def __init__(self, room: ConnectionRoom, address: str = "a") -> None:
        self.room, self.address, self.is_open = room, address, True
        room.open += 1
        room.wait(self)
        room.make_room()

    def give_up(self) -> None:
        """Close."""
        self.is_open = False
        self.room.open -= 1
        self.room.serve(self)


def play(script: Callable[[], object]) -> None:
    asyncio.run(script())  # type: ignore[arg-type]


def is_open(connections: list[Played]) -> list[bool]:
    return [one.is_open for one in connections]


def test_nothing_is_closed_within_the_grace_and_the_oldest_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = PlayedClock(monkeypatch)

    async def script() -> None:
        room = ConnectionRoom(2, 10, grace=1_000)
        some = [Played(room) for _ in range(5)]
        room.wait(some[0])  # it has had a reply, and is now the one that has waited for the shortest time
        await asyncio.sleep(0)
        assert all(is_open(some)) and some[0] in room
        clock.pass_by(1_000)
        while room.open > 2:
            await asyncio.sleep(0.01)
        assert is_open(some) == [True, False, False, False, True]
        assert room.closed == 3

    play(script)


def test_the_address_with_the_most_waiting_connections_loses_first() -> None:

    async def script() -> None:
        room = ConnectionRoom(3, 10, grace=0.01)
        some = [Played(room, address) for address in "babbb"]
        while room.open > 3:
            await asyncio.sleep(0.01)
        assert is_open(some) == [False, True, False, True, True]

    play(script)


def test_beyond_the_spare_room_what_has_arrived_is_read_first() -> None:
    async def script() -> None:
        room, loop = ConnectionRoom(2, 2), asyncio.get_running_loop()
        some = [Played(room) for _ in range(6)]
        assert all(is_open(some))
        loop.call_soon(room.serve, some[0])  # its request is read in the next turn of the loop
        for _ in range(4):
            await asyncio.sleep(0)
        assert is_open(some) == [True, False, False, True, True, True]

    play(script)
