"""Endpoints for import, export and new labels."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from perceptag.errors import brief
from perceptag.project.guidelines import LabelDescription
from perceptag.project.records import Imported
from perceptag.server.access import require
from perceptag.server.problems import HttpProblem
from perceptag.server.request_body import BodyKey
from perceptag.server.routes import endpoint, json_reply
from perceptag.system.label_colours import colours_of
from perceptag.workbench.bench import Bench, BenchEndpoints
from perceptag.workbench.opening import ProjectRequest, import_into
from perceptag.workbench.parameters import LABEL_CHARACTERS, LARGEST, number, one_of, read_parameters, required

NAME_CHARACTERS = 200
PART = 1 << 18  # bytes of a file that are sent at a time
FORMATS = ("columns", "conllu", "jsonl")
LABEL = {
    "name": BodyKey(str, f"a name of 1 to {LABEL_CHARACTERS} characters, without white space"),
    "key": BodyKey(str, "one character, or none", "", lambda text: len(text) <= 1),
}
IMPORT = {
    "name": BodyKey(str, "the name of a file", "", lambda text: len(text) <= NAME_CHARACTERS),
    "format": BodyKey(str, "the name of a format", "", lambda text: len(text) <= NAME_CHARACTERS),
    "text": BodyKey(str, "the contents of a file"),
    "columns": BodyKey(list, "a list of names", None, lambda v: all(isinstance(one, str) for one in v)),
    "label": BodyKey(str, "the name of a column", "", lambda text: len(text) <= NAME_CHARACTERS),
    "again": BodyKey(bool, "true or false", False),
}
EXPORT = {
    "format": one_of(*FORMATS),
    "status": one_of("labelled", "all", default="labelled"),
    "source": number(0, LARGEST),
}
ENDINGS = {"columns": "txt", "conllu": "conllu", "jsonl": "jsonl"}


class TransferRoutes(BenchEndpoints):
    """Takes files and gives them."""

    @endpoint("POST /v1/project/labels")
    async def label(self, request: Request) -> Response:
        """Add a label that annotators may choose."""
        keys, _ = await self.bench.body(request, LABEL, "admin")
        required(keys, "name")
        name = checked_label(keys["name"])

        def work() -> list[dict[str, Any]]:
            self.bench.project.add_label(name, keys["key"])
            return labels_of(self.bench)

        return json_reply({"labels": await self.bench.write(work)})

    @endpoint("POST /v1/project/import")
    async def take(self, request: Request) -> Response:
        """Import a file, whole or not at all."""
        try:
            keys, person = await self.bench.body(request, IMPORT, "admin")
        except HttpProblem as problem:
            if problem.status == 413:
                problem.detail += "; perceptag annotate PROJECT --import FILE takes files of any size"
            raise
        required(keys, "text")
        return json_reply(asdict(await self.bench.write(lambda: self._import(keys, person.name))))

    def _import(self, keys: dict[str, Any], who: str) -> Imported:
        name = PurePath(keys["name"].replace("\\", "/")).name or "import"
        wanted = ProjectRequest("", columns=keys["columns"], label=keys["label"], format=keys["format"])
        try:
            data = keys["text"].encode()
            found = import_into(self.bench.project, data, wanted, name=name, again=keys["again"], who=who)
        except UnicodeEncodeError:
            raise HttpProblem(422, "text: expected Unicode text, found half a pair of surrogates") from None
        self.bench.loop.imported()  # here: the learner is told even if the client is gone
        return found

    @endpoint("GET /v1/project/export")
    async def give(self, request: Request) -> Response:
        """Export the labels."""
        require(request, "admin")
        asked = read_parameters(request, EXPORT)
        descriptor, path = tempfile.mkstemp(prefix="perceptag-")
        os.close(descriptor)

        def work() -> None:
            self.bench.project.export(path, format=asked["format"], status=asked["status"], source=asked["source"])

        try:
            await self.bench.read(work)
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
        name = f"{safe_name(self.bench.name)}.{ENDINGS.get(asked['format'] or '', 'txt')}"
        return SentFile(Path(path), name)


class SentFile(Response):
    """A reply that is a temporary file, which is gone afterwards."""

    def __init__(self, path: Path, name: str) -> None:
        self.path = path
        given = {
            "content-type": "text/plain; charset=utf-8",
            "content-length": str(path.stat().st_size),
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        }
        self.given = [(key.encode(), value.encode()) for key, value in given.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the file in parts."""
        try:
            with self.path.open("rb") as stream:
                await send({"type": "http.response.start", "status": 200, "headers": self.given})
                while part := stream.read(PART):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self.path.unlink(missing_ok=True)


def labels_of(bench: Bench) -> list[dict[str, Any]]:
    """Return the labels as JSON has them, with what the guidelines say of each."""
    labels, described = bench.project.labels(), bench.project.guidelines().labels
    colours = colours_of(label.name for label in labels)
    return [
        {"name": label.name, "key": label.key}
        | asdict(described.get(label.name, LabelDescription()))
        | ({"colour": colours[label.name].to_dict()} if label.name in colours else {})
        for label in labels
    ]


def checked_label(name: str) -> str:
    """Return the name of a label; refuse one that files cannot have."""
    if not 1 <= len(name) <= LABEL_CHARACTERS or not name.isprintable() or any(c.isspace() for c in name):
        expected = f"a name of 1 to {LABEL_CHARACTERS} characters, without white space"
        raise HttpProblem(422, f"name: expected {expected}; found {brief(name)}")
    return name


def safe_name(name: str) -> str:
    """Return a name that may stand in a header."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name) or "project"
