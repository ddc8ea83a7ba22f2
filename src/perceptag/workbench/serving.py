"""The server of a project: that of `perceptag serve`, and the workbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from perceptag.project.project import Project
from perceptag.server import run
from perceptag.server.access import host_names
from perceptag.server.limits import limits_of
from perceptag.server.roles import Person
from perceptag.server.served import ModelTable
from perceptag.server.service import Access, Service
from perceptag.workbench.bench import Bench
from perceptag.workbench.events import EventFeed
from perceptag.workbench.learning.learner import LearnerProcess
from perceptag.workbench.loop import Loop
from perceptag.workbench.opening import check_settings
from perceptag.workbench.people import Member
from perceptag.workbench.routes import routes_of


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


def make_bench(project: Project, service: Service, learner: type[LearnerProcess] = LearnerProcess) -> Bench:
    """Put the workbench of a project into a server, and begin to learn."""
    check_settings(project.settings, project.kind)
    events = EventFeed()
    bench = Bench(project, service, Loop(project, service.table, events, learner), events)
    service.further = routes_of(bench)
    return bench


def serve_project(
    project: Project, place: ListenOptions, people: Sequence[Member], tell: Callable[[int], object]
) -> None:
    """Answer requests until a signal stops the server; `tell` is called with the port once it listens."""
    limits = limits_of(place.limits)
    listener = run.listen_at_path(place.unix) if place.unix else run.listen(place.host, place.port)
    port = 80 if place.unix else listener.getsockname()[1]
    hosts = host_names("localhost" if place.unix else place.host, port, place.public)
    known = {member.token: Person(member.name, member.role) for member in people}
    service = Service(ModelTable({}), Access(hosts, people=known), limits, place.cores, place.log_requests)
    bench = make_bench(project, service)
    try:
        run.serve(service, listener, lambda: tell(port))
    finally:
        bench.close()
        if place.unix:
            Path(place.unix).unlink(missing_ok=True)
