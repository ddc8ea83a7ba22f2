"""Lines that a server is sent one by one: each is answered when it is there, and silence has an end."""

from __future__ import annotations

from asked import LINES, asked, model_paths
from running import head, running

BEGIN = ("/v1/tag?model=pos", "Transfer-Encoding: chunked", f"Content-Type: {LINES}")


def chunk(line: bytes) -> bytes:
    return f"{len(line):x}\r\n".encode() + line + b"\r\n"


def test_a_line_of_a_stream_does_not_wait_for_the_next_one() -> None:
    with running({"pos": model_paths()["pos"]}) as server, server.raw() as client:
        client.sendall(head("POST", BEGIN[0], server.port, *BEGIN[1:]) + b"\r\n")
        for word in (b"The", b"dog", b"barks"):
            received = b""
            client.sendall(chunk(b'["%s"]\n' % word))
            while b'{"tokens":["%s"]' % word not in received:
                more = client.recv(65536)
                assert more, f"the server closed the connection after {received!r}"
                received += more


def test_a_stream_that_says_nothing_has_an_end() -> None:
    options = ("--limit", "stream_seconds=0.5")
    with running({"pos": model_paths()["pos"]}, *options) as server, server.raw() as client:
        client.sendall(head("POST", BEGIN[0], server.port, *BEGIN[1:]) + b"\r\n" + chunk(b'["The"]\n'))
        received = b"".join(iter(lambda: client.recv(65536), b""))
    assert b'{"tokens":["The"]' in received and b"expected more within 0.5 s" in received


def test_a_rival_of_an_explanation_may_be_named_as_in_the_data_or_in_the_model() -> None:
    given = {"model": "text", "tokens": ["Anna", "visited", "Rome"], "token": 2}
    first = asked().post("/v1/explain", **given)
    assert first.status == 200, first.body
    (detail,) = first.json()["details"]
    assert detail["label"][0] == "S" and first.json()["labels"][2][0] == "B"
    assert asked().post("/v1/explain", **given, rival=detail["rival"]).json()["details"] == [detail]
    for label in ("S-PER", "E-PER", "B-PER"):
        assert asked().post("/v1/explain", **given, rival=label).status == 200


def test_a_method_that_is_refused_names_those_that_there_are() -> None:
    reply = asked()("PUT", "/v1/tag")
    assert reply.status == 405 and reply.json()["detail"].startswith("method: expected ")
