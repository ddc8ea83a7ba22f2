"""Canaries: new versions of models that answer a share of the requests, and how their labels differ.

    X-Request-ID ─▶ hash ─┬─▶ below the share: the canary answers; the same id gets the same version
                          └─▶ sampled: after the reply both versions tag the text, and differing labels are counted

Comparisons come after all requests: one at a time, and none while jobs wait. Their counts have no text. Both versions
tag in one job, so a text that took long is not compared: the job would be ended, and a worker with it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from perceptag.errors import PerceptagError
from perceptag.server.json_lines import without_held
from perceptag.server.metrics import Histogram, family, label_text
from perceptag.server.problems import HttpProblem, problem_of, problem_of_any
from perceptag.server.receiving import ClientGoneError
from perceptag.server.runners import JobRunner, client_of, stays
from perceptag.server.served import CANARY, STABLE
from perceptag.server.text_jobs import TextJob, TextReply
from perceptag.server.version_differences import OTHER

if TYPE_CHECKING:
    from starlette.types import Scope

    from perceptag.server.service import Service

COMPARED = 10.0  # per cent of requests
COMPARING = "(comparison)"  # the client of comparisons, in the queue
LONG = 1 / 3  # of `work_seconds`: a request that took longer is not compared
MOST_PAIRS = 200  # pairs of labels that are counted apart, for each model
_KINDS = ("tag", "lines")  # jobs that are compared
_MODEL = re.compile(rb'"model"\s*:\s*("(?:[^"\\]|\\.){0,700}")')


@dataclass(slots=True)
class VersionComparison:
    """What was found of two versions."""

    stable: str  # digests
    canary: str
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)  # requests, by version and status
    requests: int = 0  # that were compared
    different: int = 0  # of them
    labels: Counter[str] = field(default_factory=Counter)  # that were compared, by layer
    pairs: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # layer, stable, canary

    def add(self, found: dict[str, Any]) -> None:
        """Add what was found in a request."""
        layer = found["layer"]
        self.requests += 1
        self.different += bool(found["pairs"])
        self.labels[layer] += found["compared"]
        for stable, canary, number in found["pairs"]:
            pair = (layer, stable, canary)
            is_new = pair not in self.pairs
            self.pairs[(layer, OTHER, OTHER) if is_new and len(self.pairs) >= MOST_PAIRS else pair] += number

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, the most frequent pairs first."""
        listed = [
            {"layer": layer, "stable": stable, "canary": canary, "count": number}
            for (layer, stable, canary), number in self.pairs.most_common()
        ]
        return {
            "requests": self.requests, "different": self.different, "labels": dict(self.labels), "differences": listed
        }  # fmt: skip


class Canaries:
    """Chooses versions, and counts what they do."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.shares: dict[str, float] = {}  # per cent, by the name of a model
        self.compared = COMPARED
        self.comparisons: dict[str, VersionComparison] = {}
        self.requests: Counter[tuple[str, str, int]] = Counter()  # by model, version and status
        self.seconds: dict[tuple[str, str], Histogram] = defaultdict(Histogram)
        self.results: Counter[tuple[str, str]] = Counter()  # comparisons, by model and how they ended
        self._task: asyncio.Task[None] | None = None  # the comparison that runs

    def drawn(self, scope: Scope) -> tuple[str, ...]:
        """Return the models whose canary answers a request."""
        canaries = self.service.table.canaries
        if not canaries:
            return ()
        request = scope["perceptag.ids"].request
        return tuple(name for name in canaries if percent_of("answer", name, request) < self.shares.get(name, 0.0))

    async def run(self, runner: JobRunner, job: TextJob, scope: Scope) -> TextReply:
        """Do a job of a request, and count it by version if its model has a canary."""
        job = job if job.ids else replace(job, ids=scope["perceptag.ids"].to_dict())
        client, is_gone = client_of(scope), scope.get("perceptag.is_gone", stays)
        if not self.service.table.canaries:
            return await runner.run(job, client, is_gone)
        began = time.monotonic()
        try:
            reply = await runner.run(job, client, is_gone)
        except ClientGoneError:
            raise
        except Exception as error:
            self._count(self._model_of(job), job.canaries, _status_of(error), time.monotonic() - began)
            raise
        if job.kind != "lines" or job.body:  # else it was the check of the parameters of a stream
            self._count(reply.model, job.canaries, 200, time.monotonic() - began)
        self._compare_sometimes(job, reply, time.monotonic() - began)
        return reply

    def _model_of(self, job: TextJob) -> str:
        return model_named_in(job) or self.service.table.names[0]

    def _count(self, model: str, canaries: tuple[str, ...], status: int, seconds: float) -> None:
        if model in self.service.table.canaries:
            version = CANARY if model in canaries else STABLE
            self.requests[model, version, status] += 1
            self._known(model).answers[version, status] += 1
            self.seconds[model, version].add(seconds)

    # --- comparing ---

    def _compare_sometimes(self, job: TextJob, reply: TextReply, seconds: float) -> None:
        model = reply.model
        if job.kind not in _KINDS or model not in self.service.table.canaries or not reply.tokens:
            return
        if percent_of("compare", model, f"{job.ids['request_id']} {job.options.get('first', '')}") >= self.compared:
            return
        is_long = seconds > LONG * self.service.limits.work_seconds
        if self._task is not None or is_long or self.service.runner.waiting():
            self.results[model, "skipped"] += 1
            return
        answered = replace(job, body=without_held(job.body, reply.held)) if reply.held else job
        self._task = asyncio.ensure_future(self._compare(answered, model))

    async def _compare(self, job: TextJob, model: str) -> None:
        about = {"of": job.kind, "options": dict(job.options)}
        try:
            reply = await self.service.runner.run(TextJob("compare", job.body, about, job.ids), COMPARING)
            found = json.loads(reply.body)
            self.results[model, self._note(found)] += 1
        except Exception as error:
            problem_of_any(error, **job.ids)  # logs what is a bug
            self.results[model, "failed"] += 1
        finally:
            self._task = None

    def _note(self, found: dict[str, Any]) -> str:
        """Add what was found, unless a version was replaced meanwhile; return how the comparison ended."""
        model = found["model"]
        if model not in self.service.table.canaries:
            return "skipped"
        known = self._known(model)
        if (known.stable, known.canary) != (found["stable"], found["canary"]):
            return "skipped"
        known.add(found)
        return "different" if found["pairs"] else "same"

    def _known(self, model: str) -> VersionComparison:
        """Return the counts of the versions of now; they begin again with each new version."""
        table, known = self.service.table, self.comparisons.get(model)
        digests = table.find(model).digest, table.canaries[model].digest
        if known is None or (known.stable, known.canary) != digests:
            known = self.comparisons[model] = VersionComparison(*digests)
        return known

    # --- telling ---

    def about(self, name: str) -> dict[str, Any]:
        """Return what is known of the canary of a model."""
        known = self._known(name)
        requests: dict[str, dict[str, int]] = {STABLE: {}, CANARY: {}}
        for (version, status), number in sorted(known.answers.items()):
            requests[version][str(status)] = number
        return {
            "model": name,
            "share": self.shares.get(name, 0.0),
            "stable": known.stable,
            "canary": known.canary,
            "requests": requests,
            "compared": known.to_dict(),
        }

    def lines(self) -> Iterator[str]:
        """Yield the metrics of versions."""
        yield from family("perceptag_canary_share", "gauge", "Per cent of the requests that a canary answers.")
        for name in self.service.table.canaries:
            yield f'perceptag_canary_share{{model="{label_text(name)}"}} {self.shares.get(name, 0.0):g}'
        yield from family(
            "perceptag_version_requests_total", "counter", "Requests for models with a canary, by version and status."
        )
        for (name, version, status), number in sorted(self.requests.items()):
            labels = f'model="{label_text(name)}",version="{version}",status="{status}"'
            yield f"perceptag_version_requests_total{{{labels}}} {number}"
        yield from family("perceptag_version_seconds", "histogram", "Seconds of waiting and work on them, by version.")
        for (name, version), histogram in sorted(self.seconds.items()):
            yield from histogram.lines("perceptag_version_seconds", f'model="{label_text(name)}",version="{version}"')
        yield from family(
            "perceptag_comparisons_total", "counter", "Requests that both versions tagged, by how that ended."
        )
        for (name, result), number in sorted(self.results.items()):
            yield f'perceptag_comparisons_total{{model="{label_text(name)}",result="{result}"}} {number}'
        yield from self._differences()

    def _differences(self) -> Iterator[str]:
        yield from family("perceptag_compared_labels_total", "counter", "Tokens or entities that were compared.")
        for name, known in sorted(self.comparisons.items()):
            for layer, number in sorted(known.labels.items()):
                labels = f'model="{label_text(name)}",layer="{label_text(layer)}"'
                yield f"perceptag_compared_labels_total{{{labels}}} {number}"
        yield from family("perceptag_label_differences_total", "counter", "Those that differ, by both labels.")
        for name, known in sorted(self.comparisons.items()):
            for (layer, stable, canary), number in sorted(known.pairs.items()):
                labels = f'model="{label_text(name)}",layer="{label_text(layer)}"'
                labels += f',stable="{label_text(stable)}",canary="{label_text(canary)}"'
                yield f"perceptag_label_differences_total{{{labels}}} {number}"


def percent_of(purpose: str, model: str, request: str) -> float:
    """Return a number from 0 to 100 that is the same for the same request, and independent for each purpose."""
    digest = hashlib.sha256(f"{purpose}\0{model}\0{request}".encode()).digest()
    return int.from_bytes(digest[:7], "big") * 100 / (1 << 56)


def model_named_in(job: TextJob) -> str:
    """Return the model that a job names, found without reading all of its body; "" if it names none."""
    if "parameters" in job.options:
        return str(job.options["parameters"].get("model", ""))
    found = _MODEL.search(job.body)
    try:
        return str(json.loads(found[1])) if found else ""
    except ValueError:
        return ""


def _status_of(error: Exception) -> int:
    if isinstance(error, PerceptagError):
        return problem_of(error).status
    if isinstance(error, MemoryError):
        return 503
    return error.status if isinstance(error, HttpProblem) else 500
