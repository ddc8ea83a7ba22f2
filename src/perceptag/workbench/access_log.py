"""The access log of a workbench: who signed in, who took data out or brought it in, and who was refused.

Each line is a JSON object: time, event, person, role, address, method, route and status. Tokens are never in it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import MutableMapping
from typing import Any

from perceptag.errors import SettingError, reason
from perceptag.server.access import EVERYBODY, address_of
from perceptag.server.log_lines import log
from perceptag.system.platform.open_files import BINARY

AWAY = 1800.0  # seconds of silence after which a request is a new sign-in
PEOPLE = 10_000  # pairs of a person and an address that are remembered
TRANSFERS = {"/v1/project/export": "export", "/v1/project/import": "import"}
REFUSED = (401, 403)


class AccessLog:
    """Writes the access log to a file, which is opened for each line: it may be moved away at any time."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: dict[tuple[str, str], float] = {}
        try:
            self._append(b"")
        except OSError as error:
            raise SettingError(f"--access-log: {path}: {reason(error)}") from None

    def __call__(self, scope: MutableMapping[str, Any], method: str, route: str, status: int) -> None:
        """Write a line for a request that was answered, if it is one of those that matter."""
        person, address = scope.get("perceptag.person", EVERYBODY), address_of(scope)
        facts = {"person": person.name, "role": person.role if person.name else "", "address": address}
        if status in REFUSED:
            self._write("refused", facts, method, route, status)
        elif person.name:
            if self._is_new(person.name, address):
                self._write("sign-in", facts, method, route, status)
            if route in TRANSFERS:
                self._write(TRANSFERS[route], facts, method, route, status)

    def _is_new(self, name: str, address: str) -> bool:
        now = time.monotonic()
        last = self._seen.pop((name, address), -AWAY)
        self._seen[name, address] = now
        if len(self._seen) > PEOPLE:
            del self._seen[next(iter(self._seen))]
        return now - last >= AWAY

    def _write(self, event: str, facts: dict[str, str], method: str, route: str, status: int) -> None:
        entry = {"time": round(time.time(), 3), "event": event, **facts}
        line = json.dumps({**entry, "method": method, "route": route, "status": status}) + "\n"
        try:
            self._append(line.encode())
        except OSError as error:  # a full disk does not stop the work, but is not silent either
            log(event="access log", file=self._path, error=reason(error), lost=entry)

    def _append(self, data: bytes) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | BINARY, 0o600)
        try:
            os.write(descriptor, data)
        finally:
            os.close(descriptor)
