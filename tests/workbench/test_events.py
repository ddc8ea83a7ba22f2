"""Events: who listens gets them, also those that happened while they were away."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from perceptag.workbench.events import EventFeed, EventStream
from waiting import PATIENCE, wait_until


class Page:
    """A page that listens until it is closed."""

    def __init__(self, events: EventFeed, last: str = "", may_listen: Any = lambda: True) -> None:
        self.stream = EventStream(events, last, may_listen=may_listen)
        self.closed = asyncio.Event()
        self.begun = asyncio.Event()
        self.sent: list[bytes] = []
        self.is_first = True

    async def receive(self) -> Any:
        if self.is_first:
            self.is_first = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.closed.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.body":
            self.sent.append(message["body"])
            self.begun.set()

    async def listen(self) -> None:
        await self.stream({}, self.receive, self.send)

    def events(self) -> list[bytes]:
        return [part for part in self.sent if part.startswith(b"id:")]


async def until(condition: Any) -> None:
    await asyncio.to_thread(wait_until, condition)


def test_a_page_hears_what_any_thread_tells() -> None:
    async def work() -> list[bytes]:
        events = EventFeed()
        events.tell("old", n=0)
        page = Page(events)
        task = asyncio.create_task(page.listen())
        await page.begun.wait()
        thread = threading.Thread(target=lambda: [events.tell("saved", n=n, text="ü\n") for n in range(20)])
        thread.start()
        await until(lambda: len(page.events()) == 20)
        thread.join()
        events.stop()
        await asyncio.wait_for(task, PATIENCE)
        return page.events()

    found = asyncio.run(work())
    assert found[0].endswith('\nevent: saved\ndata: {"n":0,"text":"ü\\n"}\n\n'.encode())
    assert [text.count(b"\n") for text in found] == [4] * 20


def test_a_page_that_was_away_gets_what_it_missed() -> None:
    async def heard(events: EventFeed, last: str) -> list[bytes]:
        page = Page(events, last)
        task = asyncio.create_task(page.listen())
        await page.begun.wait()
        await asyncio.sleep(0)
        events.stop()
        await asyncio.wait_for(task, PATIENCE)
        return page.events()

    events = EventFeed()
    for n in range(5):
        events.tell("saved", n=n)
    third = events.after(0)[2][1].split(b"\n")[0].removeprefix(b"id: ").decode()
    assert [text for _, text in events.after(3)] == asyncio.run(heard(events, third))
    for last in ("", "other-3", "nonsense", f"{third}x", "-1"):
        again = EventFeed()
        again.tell("saved", n=1)
        assert asyncio.run(heard(again, last)) == []


def test_a_page_whose_token_was_revoked_hears_nothing_more() -> None:
    async def work() -> list[bytes]:
        events, valid = EventFeed(), [True]
        page = Page(events, may_listen=lambda: valid[0])
        task = asyncio.create_task(page.listen())
        await page.begun.wait()
        events.tell("saved", n=1)
        await until(lambda: len(page.events()) == 1)
        valid[0] = False
        events.tell("saved", n=2)
        await asyncio.wait_for(task, PATIENCE)  # the stream ends, although the page is still there
        return page.events()

    assert len(asyncio.run(work())) == 1
