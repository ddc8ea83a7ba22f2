"""Who works on a project: names, tokens and roles, in a file that only its owner can read."""

from __future__ import annotations

import getpass
import json
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, brief, reason
from perceptag.server.access import NEVER, ROLES, Person, TokenHolder, digest_of
from perceptag.server.token_file import expiry_of, read_private
from perceptag.system.platform.open_files import BINARY
from perceptag.system.strict_json import strict_loads

REMOVED = "none"  # in place of a role: the person's token is taken away
_NAME = re.compile(r"[\w.@+-]{1,100}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32,512}")
_MAX_FILE = 1 << 20


@dataclass(frozen=True, slots=True)
class Member(Person):
    """A person with a token."""

    token: str
    expires: str = ""  # the day on which the token expires, if it does


def own_name() -> str:
    """Return the login name of who starts the server."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name if _NAME.fullmatch(name) else "annotator"


def parse_person(word: str) -> tuple[str, str]:
    """Return the name and the role in ``anna`` or ``ben:read``."""
    name, colon, role = word.partition(":")
    if not _NAME.fullmatch(name):
        raise SettingError(f"--annotator: expected a name of letters, digits and any of _.@+-; found {brief(name)}")
    if colon and role not in (*ROLES, REMOVED):
        raise SettingError(f"--annotator {name}: expected a role of {', '.join(ROLES)}, or none; found {brief(role)}")
    return name, role or "annotate"


def people_of(path: str, wanted: Iterable[tuple[str, str]]) -> list[Member]:
    """Return the people in a file, after these were added; a new file begins with who starts the server."""
    known = _read(path) if Path(path).exists() else {}
    before = dict(known)
    for name, role in [*([] if known else [(own_name(), "admin")]), *wanted]:
        if role == REMOVED:
            known.pop(name, None)
        else:
            old = known.get(name)
            known[name] = Member(name, role, old.token, old.expires) if old else Member(name, role, _new_token())
    if not any(member.role == "admin" for member in known.values()):
        raise SettingError("--annotator: expected at least one person with the role admin, found none")
    if known != before:
        _write(path, known)
    return list(known.values())


def holders_in(path: str) -> list[TokenHolder]:
    """Return who has the tokens of a file now."""
    return [
        TokenHolder(
            digest_of(member.token.encode()),
            Person(member.name, member.role),
            expiry_of(member.expires) if member.expires else NEVER,
        )
        for member in _read(path).values()
    ]


def _new_token() -> str:
    return secrets.token_urlsafe(32)


def _read(path: str) -> dict[str, Member]:
    data = read_private(path, _MAX_FILE)
    try:
        entries = strict_loads(data)
    except ValueError:
        raise SettingError(f"{path}: expected JSON, found something else") from None
    if not isinstance(entries, dict) or not all(_is_entry(name, entry) for name, entry in entries.items()):
        expected = f"a token and a role of {', '.join(ROLES)}; a day of expiry such as 2027-06-30 if it has one"
        raise SettingError(f"{path}: expected for each name {expected}")
    return {
        name: Member(name, entry["role"], entry["token"], entry.get("expires", "")) for name, entry in entries.items()
    }


def _is_entry(name: str, entry: Any) -> bool:
    is_whole = isinstance(entry, dict) and isinstance(entry.get("token"), str) and entry.get("role") in ROLES
    is_named = is_whole and bool(_NAME.fullmatch(name)) and bool(_TOKEN.fullmatch(entry["token"]))
    return is_named and _is_expiry(entry.get("expires", ""))


def _is_expiry(text: Any) -> bool:
    try:
        return text == "" or bool(expiry_of(text))
    except (TypeError, AttributeError, ValueError, OverflowError):
        return False


def _write(path: str, people: dict[str, Member]) -> None:
    entries = {
        name: {"token": member.token, "role": member.role, **({"expires": member.expires} if member.expires else {})}
        for name, member in people.items()
    }
    write_private(path, json.dumps(entries, indent=2))


def write_private(path: str, text: str) -> None:
    """Write a file atomically; only its owner can read it."""
    part = f"{path}.{os.getpid()}.part"
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | BINARY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(part).replace(path)
    except OSError as error:
        raise SettingError(f"{path}: {reason(error)}") from None
