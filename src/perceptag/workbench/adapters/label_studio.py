"""Label Studio's ML backend; the address of the backend is ``http://HOST/adapters/label-studio/TOKEN``.

    GET  health    {status}
    POST setup     {project, schema, …} → {model_version}
    POST predict   {tasks: [{id, data: {text}}], label_config} → {results: [{result: [spans], score, model_version}]}
    POST webhook   {action: ANNOTATION_CREATED, task, annotation} → {learned}; what was labelled is learned from

The protocol is that of https://github.com/HumanSignal/label-studio-ml-backend (label_studio_ml/api.py) and of
https://labelstud.io/guide/webhook_reference; spans are as https://labelstud.io/guide/task_format has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from starlette.requests import Request
from starlette.responses import Response

from perceptag.server.access import require
from perceptag.server.limits import check_sizes
from perceptag.server.problems import HttpProblem, too_much
from perceptag.server.request_body import parse_json
from perceptag.server.routes import endpoint, json_reply, read_body
from perceptag.workbench.adapters.keeping import (
    AnnotationIndex,
    Cut,
    ToolLabels,
    cut_text,
    keep,
    labels_of,
    marks_of,
    proposals_for,
)
from perceptag.workbench.adapters.safe_xml import parse_xml
from perceptag.workbench.adapters.xmi import Annotation
from perceptag.workbench.bench import BenchEndpoints

TASKS = 1_000  # of a request
LEARNED = ("ANNOTATION_CREATED", "ANNOTATION_UPDATED")


@dataclass(frozen=True, slots=True)
class Names:
    """What a labelling interface calls its labels, its text, and the key of the text in a task."""

    labels: str = "label"
    text: str = "text"
    key: str = "text"


class LabelStudioRoutes(BenchEndpoints):
    """Answers Label Studio."""

    @endpoint("GET /adapters/label-studio/{token}/health")
    async def health(self, request: Request) -> Response:
        """Say that the server answers."""
        require(request, "read")
        return json_reply({"status": "UP", "model_class": "perceptag"})

    @endpoint("POST /adapters/label-studio/{token}/setup")
    async def setup(self, request: Request) -> Response:
        """Take the labelling interface, and tell the version of the model."""
        require(request, "read")
        body = await self._body(request)
        if isinstance(body.get("schema"), str) and body["schema"]:
            names_in(body["schema"])
        return json_reply({"model_version": self._version()})

    @endpoint("POST /adapters/label-studio/{token}/predict")
    async def predict(self, request: Request) -> Response:
        """Propose spans for tasks."""
        require(request, "read")
        body = await self._body(request)
        tasks = body.get("tasks")
        if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
            raise HttpProblem(422, "tasks: expected a list of tasks, found none")
        if len(tasks) > TASKS:
            raise too_much("tasks", TASKS, len(tasks))
        names = names_in(body["label_config"]) if isinstance(body.get("label_config"), str) else Names()
        results = await self.bench.service.in_thread(lambda: [self._predicted(text_of(t, names), names) for t in tasks])
        return json_reply({"results": results, "model_version": self._version()})

    def _predicted(self, text: str, names: Names) -> dict[str, Any]:
        cuts = self._cuts(text)
        marks = [
            m for cut, found in zip(cuts, proposals_for(self.bench, cuts), strict=True) for m in marks_of(cut, found)
        ]
        shown = [_region(mark, text, names) for mark in marks]
        sure = [mark.score for mark in marks if mark.score is not None]
        return {"result": shown, "score": min(sure, default=0.0), "model_version": self._version()}

    @endpoint("POST /adapters/label-studio/{token}/webhook")
    async def webhook(self, request: Request) -> Response:
        """Learn from what was labelled."""
        person = require(request, "annotate")
        body = await self._body(request)
        task, annotation = body.get("task"), body.get("annotation")
        if body.get("action") not in LEARNED:
            return json_reply({"learned": 0})
        if not isinstance(task, dict) or not isinstance(annotation, dict):
            raise HttpProblem(422, "body: expected a task and an annotation, found none")
        kept = await self.bench.service.in_thread(lambda: list(self._kept(task, annotation)))
        return json_reply((await keep(self.bench, kept, "label-studio", person)).to_dict())

    def _kept(self, task: dict[str, Any], annotation: dict[str, Any]) -> Iterator[ToolLabels]:
        if annotation.get("was_cancelled"):
            return
        marked = AnnotationIndex(marks_in(annotation.get("result")))
        for cut in self._cuts(text_of(task, Names())):
            labels = labels_of(cut, marked.inside(cut), self.bench.project.kind)
            if labels is not None:
                yield ToolLabels(cut.tokens, labels)

    def _cuts(self, text: str) -> list[Cut]:
        limits = self.bench.service.limits
        if len(text) > limits.text:
            raise too_much("text", limits.text, len(text), 413)
        cuts = cut_text(self.bench, text)
        check_sizes([len(cut.tokens) for cut in cuts], limits)
        return cuts

    def _version(self) -> str:
        model = self.bench.loop.model
        return f"perceptag-{model.version}-{model.digest[-8:]}" if model is not None else "perceptag-none"

    async def _body(self, request: Request) -> dict[str, Any]:
        body = parse_json(await read_body(self.bench.service, request, "application/json"))
        if not isinstance(body, dict):
            raise HttpProblem(422, "body: expected a JSON object, found something else")
        return body


def names_in(config: str) -> Names:
    """Return the names in a labelling interface such as ``<View><Labels name="label" toName="text">…``."""
    root = parse_xml(config, "label_config")
    labels = next(root.iter("Labels"), None)
    if labels is None:
        raise HttpProblem(422, "label_config: expected <Labels>, found none")
    target = labels.get("toName", "")
    texts = [one for one in root.iter() if one.get("name") == target and one.get("value", "").startswith("$")]
    if not texts:
        raise HttpProblem(
            422, f"label_config: expected the text {target[:60]!r} with a value such as $text, found none"
        )
    return Names(labels.get("name", "label"), target, texts[0].get("value", "$text")[1:])


def text_of(task: dict[str, Any], names: Names) -> str:
    """Return the text of a task."""
    data = task.get("data")
    found = data.get(names.key) if isinstance(data, dict) else None
    if isinstance(data, dict) and found is None and len(texts := [v for v in data.values() if isinstance(v, str)]) == 1:
        found = texts[0]
    if not isinstance(found, str):
        raise HttpProblem(422, f"tasks: expected data with the text {names.key[:60]!r}, found none")
    return found


def marks_in(result: Any) -> Iterator[Annotation]:
    """Yield the spans of an annotation."""
    if not isinstance(result, list):
        raise HttpProblem(422, "annotation: expected a result, found none")
    for one in result:
        value = one.get("value") if isinstance(one, dict) else None
        if not isinstance(value, dict) or not isinstance(value.get("labels"), list):
            continue  # a relation, or another kind of annotation
        begin, end = value.get("start"), value.get("end")
        if not _is_place(begin) or not _is_place(end):
            raise HttpProblem(422, "annotation: expected start and end of a span, found something else")
        for label in value["labels"][:1]:
            yield Annotation(begin, end, str(label))


def _is_place(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40


def _region(mark: Annotation, text: str, names: Names) -> dict[str, Any]:
    value = {"start": mark.begin, "end": mark.end, "text": text[mark.begin : mark.end], "labels": [mark.label]}
    found: dict[str, Any] = {"from_name": names.labels, "to_name": names.text, "type": "labels", "value": value}
    return found | ({"score": mark.score} if mark.score is not None else {})
