"""Files of tokens: one token on each line, with a name and a day on which it expires, or hashed.

    # a comment
    web       q3Zk…                              expires=2027-06-30
    batch     sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08

A line with a token alone has the name "default".
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from perceptag.errors import SettingError, brief, reason
from perceptag.server.access import NEVER, Person, TokenHolder, digest_of
from perceptag.system.given_file import read_whole
from perceptag.system.platform.open_files import BINARY, others_may_read

MOST = 1_000  # tokens in a file: all are compared with each that is sent
ALONE = "default"  # the name of a token without one
HASHED = "sha256:"
LINE = "[NAME] TOKEN [expires=DATE]"
_MAX_FILE = 1 << 20
_NAME = re.compile(r"[\w.@+-]{1,100}")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{32,512}")
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")


def create_token(path: str, option: str) -> str:
    """Write a file with a new token that only this user can read, and return the token; "" if the file exists."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o600)
    except FileExistsError:
        return ""
    except OSError as error:
        raise SettingError(f"{option}: {path}: {reason(error)}") from None
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as stream:
        stream.write(f"{token}\n")
    return token


def read_private(path: str, most: int, option: str = "") -> bytes:
    """Return the bytes of a file that only its owner may read; messages begin with `option`."""
    data, is_private = _read(path, most, option)
    if not is_private:
        raise SettingError(f"{option}{path}: expected a file that only its owner can read (chmod 600)")
    return data


def read_tokens(path: str, option: str, role: str) -> list[TokenHolder]:
    """Return who has the tokens of a file, all with the same role. Others may read it if all tokens are hashed."""
    data, is_private = _read(path, _MAX_FILE, f"{option}: ")
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise SettingError(f"{option}: {path}: expected a token of 32 characters or more on one line") from None
    if not is_private and any(HASHED not in line for line in lines if line.strip() and not line.startswith("#")):
        raise SettingError(f"{option}: {path}: expected a file that only its owner can read (chmod 600)")
    found = list(_holders(lines, f"{option}: {path}", role))
    if not lines:
        raise SettingError(f"{option}: {path}: expected a token of 32 characters or more on one line, found none")
    if len(found) > MOST:
        raise SettingError(f"{option}: {path}: expected at most {MOST} tokens, found {len(found)}")
    return found


def expiry_of(text: str) -> float:
    """Return the time at which ``2027-06-30`` begins, or of ``2027-06-30T12:00+02:00``; without an offset in UTC."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()


def _read(path: str, most: int, option: str) -> tuple[bytes, bool]:
    """Return the bytes of a file, and whether only its owner may read it."""
    try:
        mode, data = Path(path).stat().st_mode, read_whole(Path(path), most)
    except OSError as error:
        raise SettingError(f"{option}{path}: {reason(error)}") from None
    return data, not others_may_read(mode)


def _holders(lines: list[str], place: str, role: str) -> Iterator[TokenHolder]:
    names: set[str] = set()
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        holder = _holder(words, f"{place}: line {number}", role)
        if holder.person.name in names:
            raise SettingError(f"{place}: line {number}: expected different names, found {holder.person.name!r} twice")
        names.add(holder.person.name)
        yield holder


def _holder(words: list[str], place: str, role: str) -> TokenHolder:
    """Read a line. Messages never show what may be a token."""
    given, expires = words, NEVER
    if words[-1].startswith("expires="):
        given, text = words[:-1], words[-1].removeprefix("expires=")
        try:
            expires = expiry_of(text)
        except (ValueError, OverflowError):
            raise SettingError(f"{place}: expected expires=2027-06-30 or with a time, found {brief(text)}") from None
    if len(given) not in (1, 2):
        raise SettingError(f"{place}: expected {LINE}, found {len(words)} words")
    name = given[0] if len(given) == 2 else ALONE
    if not _NAME.fullmatch(name):
        raise SettingError(f"{place}: expected {LINE}, with a name of letters, digits and any of _.@+-")
    return TokenHolder(_digest_in(given[-1], place), Person(name, role), expires)


def _digest_in(written: str, place: str) -> bytes:
    if written.startswith(HASHED):
        if not _DIGEST.fullmatch(digits := written.removeprefix(HASHED)):
            raise SettingError(f"{place}: expected {HASHED} and 64 hexadecimal digits")
        return bytes.fromhex(digits)
    if not _TOKEN.fullmatch(written):
        raise SettingError(f"{place}: expected a token of 32 characters or more, or its SHA-256")
    return digest_of(written.encode())
