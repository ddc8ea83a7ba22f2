"""Names of a request, by which its lines in several logs are found: ``X-Request-ID`` and ``traceparent`` (W3C).

What a client sends is used if it has the right form, which keeps it short and harmless in a log; otherwise a new one is
made. Both are sent back, and are in the log.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

_ID = re.compile(rb"[A-Za-z0-9._:+/=@-]{1,128}")
_PARENT = re.compile(rb"00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})")


@dataclass(frozen=True, slots=True)
class RequestIds:
    """The names of one request."""

    request: str
    trace: str
    span: str  # of this server in the trace
    flags: str

    def headers(self) -> tuple[tuple[bytes, bytes], ...]:
        """Return the headers of the reply."""
        parent = f"00-{self.trace}-{self.span}-{self.flags}"
        return (b"x-request-id", self.request.encode()), (b"traceparent", parent.encode())

    def to_dict(self) -> dict[str, str]:
        """Return what a line of the log has."""
        return {"request_id": self.request, "trace_id": self.trace, "span_id": self.span}


def ids_of(headers: Mapping[bytes, bytes]) -> RequestIds:
    """Return the names that a request has, or new ones."""
    given, parent = headers.get(b"x-request-id", b""), _PARENT.fullmatch(headers.get(b"traceparent", b""))
    made = secrets.token_hex(40)
    return RequestIds(
        given.decode() if _ID.fullmatch(given) else made[48:],
        parent[1].decode() if parent else made[:32],
        made[32:48],
        parent[2].decode() if parent else "00",
    )
