"""Who may use a server: names of hosts, tokens and their holders, and roles."""

from __future__ import annotations

import hashlib
import hmac
import math
import re
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.types import Scope

from perceptag.errors import SettingError, brief
from perceptag.server.problems import HttpProblem

LOCAL = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")


def is_local(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    return host in ("localhost", "::1") or host.startswith("127.")


def host_names(host: str, port: int, public: Sequence[str], usual: int = 80) -> frozenset[str]:
    """Return the values of the header ``Host`` that are meant for this server; `usual` is the port left out of them.

    A name of `public` may have a port, or else stands for this one too. One who listens at all addresses of a machine
    answers for its name; other names must be given, since a hostile page could let any name lead here.
    """
    for name in public:
        if not name.strip() or "/" in name or any(map(str.isspace, name)):
            expected = "expected a name such as tags.example.org or tags.example.org:8765"
            raise SettingError(f"--public-host: {expected}, found {brief(name)}")
    own = [*LOCAL, *([] if is_local(host) else [f"[{host}]" if ":" in host else host])]
    own += [socket.gethostname()] if host in EVERYWHERE else []
    with_port = [f"{name}:{port}" for name in [*own, *public]]
    return frozenset(name.lower() for name in [*with_port, *(own if port == usual else ()), *public])


def checked_origins(origins: Iterable[str]) -> frozenset[str]:
    """Return origins whose pages may use the server; each must be exact."""
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SettingError(f"--allow-origin: expected an origin such as https://example.org, found {brief(origin)}")
    return frozenset(origins)


ROLES = ("read", "annotate", "admin")  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Person:
    """Who has a token."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Return whether the role of the person is this one, or one above it."""
        return ROLES.index(self.role) >= ROLES.index(role)


EVERYBODY = Person("", "admin")  # any client of a server without tokens
VISITOR = Person("", "read")  # a client without a token, if only management needs one
NEVER = math.inf


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """A token, by its SHA-256, and who has it until when."""

    digest: bytes
    person: Person
    expires: float = NEVER  # seconds since 1970


@dataclass(frozen=True, slots=True)
class Access:
    """Who may ask: the hosts that the server answers for, other origins, and the holders of tokens."""

    hosts: frozenset[str]
    origins: frozenset[str] = frozenset()
    holders: Callable[[], Sequence[TokenHolder]] | None = None  # None: everybody may do everything
    visitor: Person | None = None  # who asks without a token, if anybody may

    def admit(self, scope: Scope, token: bytes) -> None:
        """Note in a request who sends it; refuse a wrong token."""
        holder = self._find(token) if token else None
        if holder is not None:
            scope["perceptag.person"] = holder.person  # also if it is refused: logs name the token
            scope["perceptag.token"] = holder.digest
            if holder.expires <= time.time():
                raise _no_token(f"Authorization: the token {holder.person.name!r} has expired")
        elif self.holders is None:
            scope["perceptag.person"] = EVERYBODY
        elif token or self.visitor is None:
            raise _no_token("Authorization: expected 'Bearer' and the token of this server")
        else:
            scope["perceptag.person"] = self.visitor

    def still_admits(self, scope: Scope) -> bool:
        """Return whether the token of a request that lasts is still valid: not removed, and not expired."""
        if (digest := scope.get("perceptag.token")) is None or self.holders is None:
            return True
        now = time.time()
        return any(holder.digest == digest and holder.expires > now for holder in self.holders())

    def _find(self, token: bytes) -> TokenHolder | None:
        """Return who has a token. All digests are compared, so that the time does not tell which is near."""
        digest = digest_of(token)
        known = self.holders() if self.holders else ()
        matching = [holder for holder in known if hmac.compare_digest(digest, holder.digest)]
        return matching[0] if matching else None


def digest_of(token: bytes) -> bytes:
    """Return the SHA-256 of a token: only digests are kept and compared."""
    return hashlib.sha256(token).digest()


def address_of(scope: Scope) -> str:
    """Return the address of the client; "" at a socket in the file system."""
    client = scope.get("client")
    return client[0] if client else ""


def _no_token(detail: str) -> HttpProblem:
    return HttpProblem(401, detail).with_header(b"www-authenticate", b"Bearer")


def require(request: Request, role: str) -> Person:
    """Return who asks; refuse one whose role is below this one."""
    person: Person = request.scope["perceptag.person"]
    if not person.may(role):
        raise HttpProblem(403, f"role: expected {role}, found {person.role}; this address is not for everybody")
    return person
