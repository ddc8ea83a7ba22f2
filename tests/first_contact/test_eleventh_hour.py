"""Lists of texts into folders, streams that wait, projects of files with different columns."""

import json
from pathlib import Path

import pytest

from asked import LINES, model_paths
from command_line import run, succeed
from running import head, running

# --- a stream that waits for an answer ---


def chunk(line: bytes) -> bytes:
    return f"{len(line):x}\r\n".encode() + line + b"\r\n"


def test_a_line_of_a_stream_does_not_wait_for_the_next_one() -> None:
    begin = ("/v1/tag?model=pos", "Transfer-Encoding: chunked", f"Content-Type: {LINES}")
    with running({"pos": model_paths()["pos"]}) as server, server.raw() as client:
        client.sendall(head("POST", begin[0], server.port, *begin[1:]) + b"\r\n")
        for word in (b"The", b"dog", b"barks"):
            found = b""
            client.sendall(chunk(b'["%s"]\n' % word))
            while b'{"tokens":["%s"]' % word not in found:
                found += client.recv(65536)


def test_a_stream_that_says_nothing_has_an_end() -> None:
    begin = ("/v1/tag?model=pos", "Transfer-Encoding: chunked", f"Content-Type: {LINES}")
    options = ("--limit", "stream_seconds=0.5")
    with running({"pos": model_paths()["pos"]}, *options) as server, server.raw() as client:
        client.sendall(head("POST", begin[0], server.port, *begin[1:]) + b"\r\n" + chunk(b'["The"]\n'))
        found = b"".join(iter(lambda: client.recv(65536), b""))
    assert b'{"tokens":["The"]' in found and b"expected more within 0.5 s" in found
