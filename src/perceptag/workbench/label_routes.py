"""Endpoints that change labels. Each change has a key; repeating a key changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from perceptag.errors import brief, nearest
from perceptag.labels.schemes import split_label
from perceptag.project.records import Entry
from perceptag.project.second_opinions import DECIDED
from perceptag.server.access import Person, require
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.workbench.bench import BenchEndpoints
from perceptag.workbench.parameters import BASE, COMMENT_CHARACTERS, KEY, LARGEST, id_of, required, tab_of

SOURCES = ("edited", "accepted", DECIDED)


def is_source(text: str) -> bool:
    """Return whether this says where labels come from."""
    name, _, rank = text.partition(":")
    return text in SOURCES or (name == "nbest" and rank.isascii() and rank.isdigit() and 1 <= int(rank[:9]) <= 100)


LABELS = BASE | {
    "labels": BodyKey(
        list, "a list of labels, one for each token", None, lambda v: all(isinstance(one, str) for one in v)
    ),
    "seconds": BodyKey((int, float), "seconds that it took", 0.0, lambda n: 0 <= n < 1e9),
    "actions": BodyKey(int, "the number of keys pressed", 0, lambda n: 0 <= n < LARGEST),
    "source": BodyKey(str, "edited, accepted, decided, or nbest: and a number", "edited", is_source),
    "version": BodyKey(int, "the version of the model that proposed", 0, lambda n: 0 <= n < LARGEST),
    "reading": BodyKey(bool, "true or false", False),
}
FLAG = KEY | {"on": BodyKey(bool, "true or false", True)}
COMMENT = KEY | {"text": BodyKey(str, "a text")}


class LabelRoutes(BenchEndpoints):
    """Handlers for labels, skips, flags, comments and undo."""

    @endpoint("PUT /v1/project/sentences/{id}/labels")
    async def labels(self, request: Request) -> Response:
        """Label a sentence."""
        number, tab = id_of(request), tab_of(request)
        keys, person = await self.bench.body(request, LABELS)
        required(keys, "labels", "base_revision", "key")
        if keys["source"] == DECIDED:
            require(request, "admin")

        def work() -> dict[str, Any]:
            entry = self.bench.entry(number)
            known = [label.name for label in self.bench.project.labels()]
            check_labels(entry, keys["labels"], self.bench.project.kind, known)
            revision = self.bench.project.label(
                number,
                keys["labels"],
                base=keys["base_revision"],
                key=keys["key"],
                who=person.name,
                seconds=float(keys["seconds"]),
                actions=keys["actions"],
                source=keys["source"],
                model=self.bench.loop.digest_of(keys["version"]),
                reading=keys["reading"],
            )
            self.bench.leases.release(number, tab)
            return self._saved(number, revision.id, person)

        return await self._changed(work)

    @endpoint("POST /v1/project/sentences/{id}/skip")
    async def skip(self, request: Request) -> Response:
        """Put a sentence aside: it is not offered again."""
        return await self._put_aside(request, on=True)

    @endpoint("POST /v1/project/sentences/{id}/unskip")
    async def unskip(self, request: Request) -> Response:
        """Take a sentence back."""
        return await self._put_aside(request, on=False)

    async def _put_aside(self, request: Request, on: bool) -> Response:
        number, tab = id_of(request), tab_of(request)
        keys, person = await self.bench.body(request, BASE)
        required(keys, "base_revision", "key")

        def work() -> dict[str, Any]:
            self.bench.entry(number)
            change = self.bench.project.skip if on else self.bench.project.unskip
            revision = change(number, base=keys["base_revision"], key=keys["key"], who=person.name)
            if on:
                self.bench.leases.release(number, tab)
            return self._saved(number, revision.id, person)

        return await self._changed(work)

    @endpoint("POST /v1/project/sentences/{id}/flag")
    async def flag(self, request: Request) -> Response:
        """Mark a sentence for later, or take the mark away."""
        number = id_of(request)
        keys, person = await self.bench.body(request, FLAG)
        required(keys, "key")

        def work() -> dict[str, Any]:
            self.bench.entry(number)
            revision = self.bench.project.flag(number, keys["on"], key=keys["key"], who=person.name)
            return self._saved(number, revision.id, person)

        return await self._changed(work, learns=False)

    @endpoint("POST /v1/project/sentences/{id}/comment")
    async def comment(self, request: Request) -> Response:
        """Comment on a sentence."""
        number = id_of(request)
        keys, person = await self.bench.body(request, COMMENT)
        required(keys, "text", "key")
        text = keys["text"].strip()
        if not text or len(text) > COMMENT_CHARACTERS:
            raise (
                too_much("comment_characters", COMMENT_CHARACTERS, len(text))
                if text
                else HttpProblem(422, "text: expected a text, found none")
            )

        def work() -> dict[str, Any]:
            self.bench.entry(number)
            revision = self.bench.project.comment(number, text, key=keys["key"], who=person.name)
            return self._saved(number, revision.id, person)

        return await self._changed(work, learns=False)

    @endpoint("POST /v1/project/undo")
    async def undo(self, request: Request) -> Response:
        """Take the last step of this person back."""
        return await self._step(request, "undo")

    @endpoint("POST /v1/project/redo")
    async def redo(self, request: Request) -> Response:
        """Take an undo back."""
        return await self._step(request, "redo")

    async def _step(self, request: Request, name: str) -> Response:
        keys, person = await self.bench.body(request, KEY)
        required(keys, "key")

        def work() -> dict[str, Any]:
            found = getattr(self.bench.project, name)(who=person.name, key=keys["key"])
            if found is None:
                raise HttpProblem(409, f"there is nothing to {name}")
            last = self.bench.project.last_revision
            for number in found.sentences:
                self.bench.events.tell("saved", id=number, revision=last, who=person.name)
            return {"revision": last, "sentences": list(found.sentences), "what": found.what}

        return await self._changed(work)

    def _saved(self, number: int, revision: int, person: Person) -> dict[str, Any]:
        self.bench.events.tell("saved", id=number, revision=revision, who=person.name)
        return {"revision": revision, "id": number, "last_revision": self.bench.project.last_revision}

    async def _changed(self, work: Callable[[], dict[str, Any]], learns: bool = True) -> Response:
        def told() -> dict[str, Any]:
            done = work()
            if learns:  # here: the learner is told even if the client is gone
                self.bench.loop.changed()
            return done

        return json_reply(await self.bench.write(told))


def check_labels(entry: Entry, labels: Sequence[str], kind: str, known: Collection[str]) -> None:
    """Refuse labels that are too many or too few, not known, or not in IOB2."""
    if len(labels) != len(entry.tokens):
        raise HttpProblem(422, f"labels: expected {len(entry.tokens)}, one for each token; found {len(labels)}")
    before = "O"
    for t, label in enumerate(labels):
        tag, name = split_label(label) if kind == "spans" else ("", label)
        if kind == "spans" and label != "O" and (tag not in ("B", "I") or not name):
            raise HttpProblem(422, f"labels: expected O, B-… or I-…, found {brief(label)}", where={"token": t})
        if (label != "O" and name not in known) or (label == "O" and kind == "tags" and "O" not in known):
            expected = f"expected one of {', '.join(list(known)[:20])}"
            raise HttpProblem(422, f"labels: {expected}; found {brief(name)}{nearest(name, known)}", where={"token": t})
        if tag == "I" and before[2:] != name:
            raise HttpProblem(422, f"labels: a span must start with B-{name}; found {label}", where={"token": t})
        before = label
