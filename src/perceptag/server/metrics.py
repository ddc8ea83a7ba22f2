"""What a server has done so far, as Prometheus reads it. No text of a user is in it."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator

from perceptag._version import __version__
from perceptag.server.served import ModelTable
from perceptag.system.platform.machine import resident_bytes

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Metrics:
    """Counts of requests, seconds and tokens."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self.seconds: dict[str, float] = defaultdict(float)
        self.tokens: Counter[str] = Counter()
        self.reloads: Counter[tuple[str, str]] = Counter()
        self.in_flight = 0
        self.waiting = 0

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one reply."""
        self.requests[method, route, status] += 1
        self.buckets[route][bisect_left(BOUNDS, seconds)] += 1
        self.seconds[route] += seconds

    def render(self, table: ModelTable) -> str:
        """Return all of it as text."""
        return "".join(f"{line}\n" for line in self._lines(table))

    def _lines(self, table: ModelTable) -> Iterator[str]:
        yield from _kind("perceptag_info", "gauge", "The version of perceptag.")
        yield f'perceptag_info{{version="{__version__}"}} 1'
        yield from _kind("perceptag_model_info", "gauge", "The models and their digests.")
        for served in table:
            yield f'perceptag_model_info{{model="{_text(served.name)}",digest="{served.digest}"}} 1'
        yield from _kind("perceptag_requests_total", "counter", "Requests by route and status.")
        for (method, route, status), number in sorted(self.requests.items()):
            yield f'perceptag_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
        yield from self._seconds()
        yield from _kind("perceptag_tokens_total", "counter", "Tokens that were tagged.")
        for name, number in sorted(self.tokens.items()):
            yield f'perceptag_tokens_total{{model="{_text(name)}"}} {number}'
        yield from _kind("perceptag_reloads_total", "counter", "Models that were loaded again, by how it ended.")
        for (name, result), number in sorted(self.reloads.items()):
            yield f'perceptag_reloads_total{{model="{_text(name)}",result="{result}"}} {number}'
        yield from _kind("perceptag_requests_in_flight", "gauge", "Requests that are being answered.")
        yield f"perceptag_requests_in_flight {self.in_flight}"
        yield from _kind("perceptag_requests_waiting", "gauge", "Requests that wait for a core.")
        yield f"perceptag_requests_waiting {self.waiting}"
        yield from _of_process()

    def _seconds(self) -> Iterator[str]:
        yield from _kind("perceptag_request_seconds", "histogram", "Seconds until a reply was sent.")
        for route, buckets in sorted(self.buckets.items()):
            total = 0
            for bound, number in zip([*BOUNDS, "+Inf"], buckets, strict=True):
                total += number
                yield f'perceptag_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'perceptag_request_seconds_sum{{route="{route}"}} {self.seconds[route]:.6f}'
            yield f'perceptag_request_seconds_count{{route="{route}"}} {total}'


def _kind(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _text(value: str) -> str:
    return value.translate(_ESCAPED)


def _of_process() -> Iterator[str]:
    yield from _kind("process_cpu_seconds_total", "counter", "CPU time of the process.")
    yield f"process_cpu_seconds_total {time.process_time():.3f}"
    if (size := resident_bytes()) is not None:
        yield from _kind("process_resident_memory_bytes", "gauge", "Memory of the process.")
        yield f"process_resident_memory_bytes {size}"
