"""Metrics of a server, as Prometheus reads them."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from perceptag._version import __version__
from perceptag.server.served import ModelTable
from perceptag.system.platform.machine import resident_bytes

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_JOBS = (1, 2, 4, 8, 16)
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Histogram:
    """Counts of values up to some bounds."""

    def __init__(self, bounds: Sequence[float] = BOUNDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    def lines(self, name: str, labels: str = "") -> Iterator[str]:
        """Yield the lines of the histogram."""
        total, before = 0, f"{labels}," if labels else ""
        for bound, number in zip([*self.bounds, "+Inf"], self.counts, strict=True):
            total += number
            yield f'{name}_bucket{{{before}le="{bound}"}} {total}'
        after = f"{{{labels}}}" if labels else ""
        yield f"{name}_sum{after} {self.sum:.6f}"
        yield f"{name}_count{after} {total}"


class Metrics:
    """Counts of requests, seconds and tokens; of workers and of what was refused."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, Histogram] = defaultdict(Histogram)  # by route
        self.tokens: Counter[str] = Counter()
        self.reloads: Counter[tuple[str, str]] = Counter()
        self.by_token: Counter[tuple[str, int]] = Counter()  # by the name of a token, and by status
        self.refused: Counter[str] = Counter()  # by reason
        self.in_flight = 0
        self.waiting = 0
        self.queue_seconds = Histogram()
        self.work_seconds = Histogram()
        self.batch_jobs = Histogram(_JOBS)
        self.worker_restarts: Counter[str] = Counter(dict.fromkeys(("deadline", "died", "used", "zygote"), 0))
        self.connections_closed: Callable[[], int] = int
        self.gauges: dict[tuple[str, str], Callable[[], float]] = {}  # by name and description, asked when needed

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one reply."""
        self.requests[method, route, status] += 1
        self.seconds[route].add(seconds)

    def render(self, table: ModelTable) -> str:
        """Return all of it as text."""
        return "".join(f"{line}\n" for line in self._lines(table))

    def _lines(self, table: ModelTable) -> Iterator[str]:
        yield from family("perceptag_info", "gauge", "The version of perceptag.")
        yield f'perceptag_info{{version="{__version__}"}} 1'
        yield from family("perceptag_model_info", "gauge", "The models and their digests.")
        for served in table:
            labels = f'model="{label_text(served.name)}",digest="{served.digest}"'
            yield f"perceptag_model_info{{{labels}}} 1"
        yield from family("perceptag_requests_total", "counter", "Requests by route and status.")
        for (method, route, status), number in sorted(self.requests.items()):
            yield f'perceptag_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
        yield from family("perceptag_request_seconds", "histogram", "Seconds until a reply was sent.")
        for route, histogram in sorted(self.seconds.items()):
            yield from histogram.lines("perceptag_request_seconds", f'route="{route}"')
        yield from _counter("perceptag_refused_total", "Requests that were refused, by reason.", "reason", self.refused)
        yield from _counter("perceptag_tokens_total", "Tokens that were tagged.", "model", self.tokens)
        yield from family("perceptag_reloads_total", "counter", "Models that were loaded again, by how it ended.")
        for (name, result), number in sorted(self.reloads.items()):
            yield f'perceptag_reloads_total{{model="{label_text(name)}",result="{result}"}} {number}'
        yield from family("perceptag_token_requests_total", "counter", "Requests by token name and status.")
        for (name, status), number in sorted(self.by_token.items()):
            yield f'perceptag_token_requests_total{{token="{label_text(name)}",status="{status}"}} {number}'
        yield from self._of_work()
        yield from family(
            "perceptag_connections_closed_total", "counter", "Connections closed to make room for others."
        )
        yield f"perceptag_connections_closed_total {self.connections_closed()}"
        yield from family("perceptag_requests_in_flight", "gauge", "Requests that are being answered.")
        yield f"perceptag_requests_in_flight {self.in_flight}"
        yield from family("perceptag_requests_waiting", "gauge", "Requests that wait for a core.")
        yield f"perceptag_requests_waiting {self.waiting}"
        for (name, about), ask in self.gauges.items():
            yield from family(name, "gauge", about)
            yield f"{name} {ask():g}"
        yield from _of_process()

    def _of_work(self) -> Iterator[str]:
        for name, about, histogram in (
            ("perceptag_queue_seconds", "Seconds that jobs waited for a thread or worker.", self.queue_seconds),
            ("perceptag_work_seconds", "Seconds of work on a batch of jobs.", self.work_seconds),
            ("perceptag_batch_jobs", "Jobs that a worker did in one call.", self.batch_jobs),
        ):
            yield from family(name, "histogram", about)
            yield from histogram.lines(name)
        about = "Workers that were replaced, by reason."
        yield from _counter("perceptag_worker_restarts_total", about, "reason", self.worker_restarts)


def _counter(name: str, about: str, label: str, counts: Counter[str]) -> Iterator[str]:
    yield from family(name, "counter", about)
    for value, number in sorted(counts.items()):
        yield f'{name}{{{label}="{label_text(value)}"}} {number}'


def family(name: str, kind: str, about: str) -> Iterator[str]:
    """Yield the lines that begin a metric."""
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def label_text(value: str) -> str:
    """Return the value of a label as it is written."""
    return value.translate(_ESCAPED)


def _of_process() -> Iterator[str]:
    yield from family("process_cpu_seconds_total", "counter", "CPU time of the process.")
    yield f"process_cpu_seconds_total {time.process_time():.3f}"
    if (size := resident_bytes()) is not None:
        yield from family("process_resident_memory_bytes", "gauge", "Memory of the process.")
        yield f"process_resident_memory_bytes {size}"
