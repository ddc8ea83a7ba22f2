"""Who may use a server: names of hosts, the token, and the roles of people."""

from __future__ import annotations

import os
import re
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from perceptag.errors import SettingError, brief, reason
from perceptag.server.problems import HttpProblem
from perceptag.system.given_file import read_whole
from perceptag.system.platform.open_files import BINARY, others_may_read

LOCAL = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{32,512}")
_MAX_FILE = 1 << 12


def is_local(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    return host in ("localhost", "::1") or host.startswith("127.")


def host_names(host: str, port: int, public: Iterable[str]) -> frozenset[str]:
    """Return the values of the header ``Host`` that are meant for this server.

    A name of `public` may have a port, or else stands for this one too. One who listens at all addresses of a machine
    answers for its name; other names must be given, since a hostile page could let any name lead here.
    """
    own = [*LOCAL, *([] if is_local(host) else [f"[{host}]" if ":" in host else host])]
    own += [socket.gethostname()] if host in EVERYWHERE else []
    with_port = [f"{name}:{port}" for name in [*own, *public]]
    return frozenset(name.lower() for name in [*with_port, *(own if port == 80 else ()), *public])


def checked_origins(origins: Iterable[str]) -> frozenset[str]:
    """Return origins whose pages may use the server; each must be exact."""
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise SettingError(f"--allow-origin: expected an origin such as https://example.org, found {brief(origin)}")
    return frozenset(origins)


def read_token(path: str) -> tuple[str, bool]:
    """Return the token in a file, and whether it is new: if there is no such file, it is made, for this user only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    except FileExistsError:
        return _existing(path), False
    except OSError as error:
        raise SettingError(f"--token-file: {path}: {reason(error)}") from None
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as stream:
        stream.write(f"{token}\n")
    return token, True


def read_private(path: str, most: int, option: str = "") -> bytes:
    """Return the bytes of a file that only its owner may read; messages begin with `option`."""
    try:
        mode, data = Path(path).stat().st_mode, read_whole(Path(path), most)
    except OSError as error:
        raise SettingError(f"{option}{path}: {reason(error)}") from None
    if others_may_read(mode):
        raise SettingError(f"{option}{path}: expected a file that only its owner can read (chmod 600)")
    return data


def _existing(path: str) -> str:
    token = read_private(path, _MAX_FILE, "--token-file: ").decode("latin-1").strip()
    if not _TOKEN.fullmatch(token):
        raise SettingError(f"--token-file: {path}: expected a token of 32 characters or more on one line")
    return token


ROLES = ("read", "annotate", "admin")  # each may do what those before it may


@dataclass(frozen=True, slots=True)
class Person:
    """Who has a token."""

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Return whether the role of the person is this one, or one above it."""
        return ROLES.index(self.role) >= ROLES.index(role)


EVERYBODY = Person("", "admin")  # any client of a server without accounts


def require(request: Request, role: str) -> Person:
    """Return who asks; refuse one whose role is below this one."""
    person: Person = request.scope["perceptag.person"]
    if not person.may(role):
        raise HttpProblem(403, f"role: expected {role}, found {person.role}; this address is not for everybody")
    return person
