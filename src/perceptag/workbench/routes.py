"""The server of a project: that of `perceptag serve`, with the endpoints of the workbench under ``/v1/project``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from perceptag.project.project import Project
from perceptag.server import run
from perceptag.server.access import Access, Person, host_names, require
from perceptag.server.limits import limits_of
from perceptag.server.log_lines import log
from perceptag.server.routes import NO_STORE, endpoint, json_reply
from perceptag.server.served import ModelTable
from perceptag.server.service import Service
from perceptag.server.watched_file import WatchedFile
from perceptag.workbench.adjudication import DisagreementRoutes
from perceptag.workbench.bench import Bench, BenchEndpoints
from perceptag.workbench.events import EventFeed, EventStream
from perceptag.workbench.guideline_routes import GuidelineRoutes
from perceptag.workbench.label_routes import LabelRoutes
from perceptag.workbench.learning.learner_process import LearnerProcess
from perceptag.workbench.loop import Loop
from perceptag.workbench.offer_routes import OfferRoutes
from perceptag.workbench.opening import check_settings
from perceptag.workbench.parameters import read_parameters, tab_of
from perceptag.workbench.people import holders_in
from perceptag.workbench.progress_routes import ProgressRoutes
from perceptag.workbench.sentence_routes import PresenceRoutes, SentenceRoutes
from perceptag.workbench.transfer_routes import TransferRoutes, labels_of


@dataclass(frozen=True, slots=True)
class ListenOptions:
    """Where and how a server listens."""

    host: str
    port: int
    unix: str = ""
    public: Sequence[str] = ()
    limits: Sequence[str] = ()
    cores: int = 1
    log_requests: bool = False
    tls: tuple[str, str] | None = None  # the files of a certificate and its key


def make_bench(project: Project, service: Service, learner: type[LearnerProcess] = LearnerProcess) -> Bench:
    """Put the workbench of a project into a server, and begin to learn."""
    check_settings(project.settings, project.kind)
    events = EventFeed()
    bench = Bench(project, service, Loop(project, service.table, events, learner), events)
    service.further = routes_of(bench)
    return bench


def serve_project(
    project: Project, place: ListenOptions, token_file: str, tell: Callable[[int], object]
) -> dict[str, Any] | None:
    """Answer requests until a signal stops the server; return the last estimate, if there is one.

    `tell` is called with the port once it listens.
    """
    limits = limits_of(place.limits)
    usual = 443 if place.tls else 80
    people = WatchedFile(token_file, lambda: holders_in(token_file), log)
    with run.listening(place.host, place.port, place.unix) as listener:
        port = usual if place.unix else listener.getsockname()[1]
        hosts = host_names("localhost" if place.unix else place.host, port, place.public, usual)
        access = Access(hosts, holders=people)
        service = Service(ModelTable({}), access, limits, place.cores, place.log_requests, tls=place.tls)
        bench = make_bench(project, service)
        try:
            run.serve(service, listener, lambda: tell(port))
            return bench.loop.progress.get("estimate")
        finally:
            bench.close()


def routes_of(bench: Bench) -> list[Route]:
    """Return the addresses of a project."""
    parts = (
        AboutRoutes,
        OfferRoutes,
        PresenceRoutes,
        SentenceRoutes,
        LabelRoutes,
        ProgressRoutes,
        DisagreementRoutes,
        GuidelineRoutes,
        TransferRoutes,
    )
    return [route for part in parts for route in part(bench).listed()]


class AboutRoutes(BenchEndpoints):
    """Says what the project is, and what happens in it."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._openapi = files("perceptag.workbench").joinpath("openapi.json").read_bytes()

    @endpoint("GET /v1/project")
    async def about(self, request: Request) -> Response:
        """Describe the project."""
        person = require(request, "read")
        read_parameters(request, {})
        return json_reply(await self.bench.read(lambda: self._about(person)))

    def _about(self, person: Person) -> dict[str, Any]:
        project, loop = self.bench.project, self.bench.loop
        return {
            "name": self.bench.name,
            "id": hashlib.sha256(str(project.seed).encode()).hexdigest()[:16],  # of no other project
            "kind": project.kind,
            "column": project.column,
            "scheme": "IOB2" if project.kind == "spans" else "none",
            "labels": labels_of(self.bench),
            "counts": asdict(project.counts()),
            "version": loop.version(),
            "start": loop.start_name or None,
            "you": {"name": person.name, "role": person.role},
            "settings": loop.shown_settings(),
            "last_revision": project.last_revision,
        }

    @endpoint("GET /v1/project/events")
    async def events(self, request: Request) -> Response:
        """Tell what happens, as it happens."""
        require(request, "read")
        last, tab = request.headers.get("last-event-id", "")[:100], tab_of(request)
        access, scope = self.bench.service.access, request.scope
        return EventStream(self.bench.events, last, self._listening(tab), lambda: access.still_admits(scope))

    @contextmanager
    def _listening(self, tab: str) -> Iterator[None]:
        """Know that the page of a tab is open."""
        self.bench.leases.enter(tab)
        try:
            yield
        finally:
            if self.bench.leases.leave(tab):
                self.bench.presence.leave(tab)

    @endpoint("GET /v1/project/openapi.json")
    async def openapi(self, request: Request) -> Response:  # noqa: ARG002 - the router passes it
        """Describe the addresses of the workbench."""
        return Response(self._openapi, media_type="application/json", headers=NO_STORE)
