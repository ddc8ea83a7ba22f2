"""Limits on the number of requests of each client: a steady rate, and a burst above it.

The generic cell rate algorithm (ITU-T I.371): of each client only one time is kept, the one at which its next request
would be due if it kept exactly to the rate. A request may be early by a burst.
"""

from __future__ import annotations

import math
import re
import socket
import time

from perceptag.errors import SettingError, brief

CLIENTS = 10_000  # that are remembered; then the one that was silent longest is forgotten
_RATE = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)/([smh])")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


class RateLimit:
    """How many requests each client may send."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._interval = 1 / per_second
        self._early = (burst - 1) * self._interval
        self._due: dict[str, float] = {}  # those that asked last come last

    def wait(self, client: str) -> int:
        """Count a request; return 0, or if there were too many, the whole seconds until the next is welcome."""
        now = time.monotonic()
        due = max(self._due.pop(client, now), now)
        too_early = due - now - self._early
        is_refused = too_early > 1e-9  # rounding is not an offence
        self._due[client] = due if is_refused else due + self._interval
        if len(self._due) > CLIENTS:
            del self._due[next(iter(self._due))]
        return max(1, math.ceil(too_early)) if is_refused else 0


def rate_limit(rate: str, burst: int) -> RateLimit | None:
    """Return the limit of the options ``--rate 20/s --burst 40``; without a burst, the requests of one second."""
    if not rate:
        if burst:
            raise SettingError("--burst: expected --rate too, found none")
        return None
    found = _RATE.fullmatch(rate)
    if found is None or float(found[1]) == 0:
        raise SettingError(f"--rate: expected a number of requests such as 20/s, 100/m or 1000/h, found {brief(rate)}")
    per_second = float(found[1]) / _SECONDS[found[2]]
    return RateLimit(per_second, burst or max(1, math.ceil(per_second)))


def network_of(address: str) -> str:
    """Return whom an address belongs to: in IPv6 a client has all addresses that share their first 64 bits."""
    if ":" not in address:
        return address
    try:
        packed = socket.inet_pton(socket.AF_INET6, address.partition("%")[0])
    except OSError:
        return address
    is_ipv4 = packed.startswith(bytes(10) + b"\xff\xff")
    return socket.inet_ntoa(packed[12:]) if is_ipv4 else socket.inet_ntop(socket.AF_INET6, packed[:8] + bytes(8))
