"""A server in a process of its own: start, slow clients, signals, the client of one file."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from asked import model_paths
from command_line import check, run
from perceptag.client import Client, ServerError
from pipelines import TEXT, corpus, pos_tagger
from running import ADDRESS, Running, head, running
from waiting import PATIENCE, wait_until

FEW_FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from perceptag.cli import main
main(sys.argv[1:])
"""
QUICK = ("--limit", "header_seconds=0.5", "--limit", "body_seconds=0.5", "--limit", "idle_seconds=0.5")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("served")
    paths = {name: shutil.copy(model_paths()[name], folder / f"{name}.model") for name in ("pos", "text", "guided")}
    with running({name: str(path) for name, path in paths.items()}, "--limit", "header_seconds=77") as one:
        yield one


@pytest.fixture(scope="module")
def hasty() -> Iterator[Running]:
    """A server that leaves clients soon; where it must not, a busy machine could make a client too slow for it."""
    with running({"pos": model_paths()["pos"]}, *QUICK, "--limit", "write_seconds=0.5") as one:
        yield one


def listens(server: Running) -> bool:
    """Whether it takes connections."""
    try:
        server.raw().close()
    except OSError:
        return False
    return True


def closed_by_server(client: socket.socket) -> bytes:
    """What comes until the server closes the connection; a client waits at most as long as its timeout."""
    try:
        return b"".join(iter(lambda: client.recv(65536), b""))
    except ConnectionError:
        return b""


@pytest.mark.parametrize(
    "sent", ["nothing", "a part of the header", "a request, then nothing", "a header, byte by byte"]
)
def test_a_silent_client_is_left(hasty: Running, sent: str) -> None:
    whole = head("GET", "/livez", hasty.port) + b"\r\n"
    with hasty.raw() as client:
        if sent == "a part of the header":
            client.sendall(whole[:20])
        elif sent == "a request, then nothing":
            client.sendall(whole)
        elif sent == "a header, byte by byte":
            with pytest.raises(ConnectionError):
                for byte in b"GET /" + b"a" * 5000:
                    client.sendall(bytes([byte]))
                    time.sleep(0.02)
            return
        found = closed_by_server(client)
    assert found.startswith(b"HTTP/1.1 200") == (sent == "a request, then nothing")


def test_a_body_that_does_not_come_is_not_awaited(hasty: Running) -> None:
    begin = head("POST", "/v1/tag", hasty.port, "Content-Type: application/json", "Content-Length: 100")
    with hasty.raw() as client:
        client.sendall(begin + b"\r\n{")
        found = closed_by_server(client)
    assert found.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in found


def test_a_client_that_does_not_read_is_left(hasty: Running) -> None:
    kind = ("Content-Type: application/x-ndjson", "Transfer-Encoding: chunked")
    line = b'["a", "b", "c", "d"]\n' * 2000
    chunk = f"{len(line):x}\r\n".encode() + line + b"\r\n"
    with hasty.raw() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(head("POST", "/v1/tag?model=pos", hasty.port, *kind) + b"\r\n")
        with pytest.raises(ConnectionError):
            for _ in range(2000):
                client.sendall(chunk)
    assert hasty.ask("GET", "/livez")[0] == 200


def test_a_header_has_an_end(server: Running) -> None:
    begin = head("GET", "/livez", server.port)
    with server.raw() as client:
        client.sendall(begin)
        with pytest.raises(ConnectionError):
            for number in range(100_000):
                client.sendall(f"X-{number}: {'a' * 1000}\r\n".encode())
    with server.raw() as client:
        client.sendall(begin + b"X: ")
        with pytest.raises(ConnectionError):  # neither has a single line that does not end
            for _ in range(5_000):
                client.sendall(b"a" * 10_000)
    for large in (b"X: " + b"a" * 70_000 + b"\r\n", b"X: a\r\n" * 300):  # each in one piece
        with server.raw() as client:
            client.sendall(begin + large + b"\r\n")
            assert closed_by_server(client).startswith(b"HTTP/1.1 431 ")
    assert server.send(begin + b"X: " + b"a" * 60_000 + b"\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    found = server.send((begin + b"\r\n") * 200)
    assert 1 <= found.count(b"HTTP/1.1 ") < 200  # not more at once than a client would read


def test_a_client_that_has_sent_all_may_close_its_side(server: Running) -> None:
    body = json.dumps({"model": "pos", "sentences": [["a"] * 4000] * 2}).encode()  # so much is tagged in a thread
    begin = head("POST", "/v1/tag", server.port, f"Content-Length: {len(body)}", "Content-Type: application/json")
    found = server.send(begin + b"\r\n" + body)
    assert found.startswith(b"HTTP/1.1 200 ") and found.endswith(b"}")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no limit on open files")
def test_few_files_mean_few_connections() -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    words = ["serve", "--port", "0", "--model", f"pos={model_paths()['pos']}", "--limit", "header_seconds=600"]
    process = subprocess.Popen([sys.executable, "-c", FEW_FILES, *words], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        said = list[str]()
        while not (found := ADDRESS.search(line := process.stderr.readline())):
            said.append(line)
        one = Running(process, int(found[1]))
        assert json.loads(one.ask("GET", "/v1/limits")[1])["connections"] == 21
        idle = [one.raw() for _ in range(60)]
        assert one.ask("GET", "/livez")[0] == 200  # long before any of them has waited too long
        for client in idle:
            client.close()
    finally:
        process.terminate()
        rest = process.communicate(timeout=PATIENCE)[1]
    assert any("ulimit -n" in line for line in said) and "Traceback" not in rest
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_replies_come_at_once_with_and_without_a_body(server: Running, method: str) -> None:
    connection = server.connect()
    for path, header in (("/", {}), ("/livez", {}), ("/none", {}), ("/", {"If-None-Match": etag(server)})):
        connection.request(method, path, headers=header)
        reply = connection.getresponse()
        has_body = method == "GET" and reply.status != 304
        assert bool(reply.read()) == has_body
        assert reply.status == {"/none": 404}.get(path, 304 if header else 200)
    connection.close()


@pytest.mark.parametrize("more", [{}, {"Connection": "close"}, {"Expect": "100-continue"}, {"X-Request-ID": "mine"}])
def test_a_reply_that_is_written_at_once_is_the_same(server: Running, more: dict[str, str]) -> None:
    found = []
    for kind in ("application/json", "application/json; charset=utf-8"):  # the second one is led by the router
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        connection.request("POST", "/v1/tag", b'{"sentences":[["The","dog"]]}', {"Content-Type": kind, **more})
        reply = connection.getresponse()
        headers = {name.lower(): value for name, value in reply.getheaders()}
        made = {name: headers.pop(name) for name in ("x-request-id", "traceparent", "date")}
        found.append((reply.status, headers, reply.read(), reply.will_close, made["x-request-id"] == "mine"))
        connection.close()
    assert found[0] == found[1]
    assert found[0][0] == 200


def test_requests_that_are_sent_together_are_answered_in_turn(hasty: Running) -> None:
    bodies = [b'{"sentences":[["%d"]]}' % number for number in range(5)]
    with hasty.raw() as client:
        about = [b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) for body in bodies]
        client.sendall(
            b"".join(head("POST", "/v1/tag", hasty.port) + a + b for a, b in zip(about, bodies, strict=True))
        )
        said = closed_by_server(client)
    assert said.count(b"HTTP/1.1 200 OK\r\n") == 5
    places = [said.index(b'"tokens":["%d"]' % number) for number in range(5)]
    assert places == sorted(places)


def etag(server: Running) -> str:
    connection = server.connect()
    connection.request("GET", "/")
    reply = connection.getresponse()
    reply.read()
    connection.close()
    return str(reply.headers["etag"])


def test_a_client_that_waits_for_a_sign_gets_it(server: Running) -> None:
    kind = ("Content-Type: application/json", "Content-Length: 21", "Expect: 100-continue", "Connection: close")
    with server.raw() as client:
        client.sendall(head("POST", "/v1/tag", server.port, *kind) + b"\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 100 Continue")
        client.sendall(b'{"sentences":[["a"]]}')
        assert closed_by_server(client).startswith(b"HTTP/1.1 200")


def test_the_client_asks_for_everything(server: Running) -> None:
    client = Client(server.address, model="pos")
    sentences = [s.columns["form"] for s in corpus("dev", "form")] * 2
    expected = pos_tagger().predict(sentences)
    assert [found["labels"] for found in client.tag(sentences)] == expected
    assert [found["labels"] for found in client.stream(sentences)] == expected
    assert [len(found["nbest"]) for found in client.stream(iter(sentences[:9]), want=["nbest"], n=2)] == [2] * 9
    assert client.tag_file(b"The\ndog\n") == b"The DT\ndog NN\n\n"
    tagged = client.tag_file(b"The XX\ndog XX\n", columns=["form", "pos"], label="pos", replace=True, keep_given=False)
    assert tagged == b"The DT\ndog NN\n\n"
    for asked in (client.explain, client.order):
        with pytest.raises(TypeError, match="tokens: expected a list of tokens, found 'The dog'"):
            asked("The dog")
    assert client.explain(["The", "dog"], token=1)["details"][0]["token"] == "dog"
    assert [model["name"] for model in client.models()] == ["pos", "text", "guided"]
    assert client.limits()["header_seconds"] == 77
    assert len(client.tag(TEXT, model="text")) == 3
    assert len(client.order(["The", "dog"], model="guided")["steps"]) == 2
    assert client.reload("pos")["from"] == client.reload("pos")["to"]
    with pytest.raises(ServerError, match="422: sentences: expected a string, found 7") as error:
        client.tag([["a", 7]])
    assert error.value.problem["where"] == {"sentence": 0, "token": 1}
    with pytest.raises(ServerError, match="body:3001"):
        list(client.stream([["a"]] * 3000 + [{"tokens": "a"}] + [["a"]] * 3000))
    with pytest.raises(ZeroDivisionError):
        list(client.stream([str(1 // (500 - i))] for i in range(1000)))
    select.select([client._kept.connection.sock], [], [], PATIENCE)  # until the server closes the idle connection
    assert len(client.tag([["a"]])) == 1
    client.close()


def test_the_client_is_one_file_that_needs_no_package(server: Running, tmp_path: Path) -> None:
    import perceptag.client

    copy = Path(shutil.copy(perceptag.client.__file__, tmp_path / "asking.py"))
    code = f"import asking, json; print(json.dumps(asking.Client('{server.address}').tag([['The', 'dog']])))"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=copy.parent, capture_output=True, text=True, check=False)
    assert (done.stderr, json.loads(done.stdout)[0]["labels"]) == ("", ["DT", "NN"])
    with pytest.raises(TypeError, match=r"sentence 0: expected a list of tokens, found 'Peter'"):
        Client("http://127.0.0.1:8765").tag(["Peter", "sleeps"])
    with pytest.raises(ValueError, match="address: expected"):
        Client("127.0.0.1:8765")


def test_signals_reload_and_stop(tmp_path: Path) -> None:
    path = Path(shutil.copy(model_paths()["pos"], tmp_path / "one.model"))
    with running({"one": str(path)}, "--log-requests", "--token-file", str(tmp_path / "token")) as server:
        assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
        assert (tmp_path / "token").read_text("ascii").strip() == server.token
        assert server.ask("GET", "/v1/models")[0] == 401
        with Client(server.address, token=server.token) as client:
            before = client.models()[0]["digest"]
        path.write_bytes(Path(model_paths()["guided"]).read_bytes())
        server.process.send_signal(signal.SIGHUP)
        assert server.process.stderr is not None
        logged = [json.loads(server.process.stderr.readline()) for _ in range(3)]
        assert [entry["event"] for entry in logged] == ["request", "request", "reload"]
        assert logged[-1]["before"] == before != logged[-1]["after"]
        with Client(server.address, token=server.token) as client:
            assert client.models()[0]["digest"] == logged[-1]["after"]
        assert "one.model" not in json.dumps(logged)
        assert server.stop() == 0


def test_a_request_that_is_sent_while_the_server_stops_is_answered() -> None:
    """On a connection that was idle when the signal came: clients cannot know about it yet."""
    with running({"pos": model_paths()["pos"]}) as server, server.raw() as idle, server.raw() as silent:
        idle.sendall(head("GET", "/livez", server.port) + b"\r\n")
        assert idle.recv(65536).startswith(b"HTTP/1.1 200")
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not listens(server))
        idle.sendall(head("GET", "/livez", server.port) + b"\r\n")
        reply = b"".join(iter(lambda: idle.recv(65536), b""))
        assert reply.startswith(b"HTTP/1.1 200")
        assert b"connection: close" in reply.lower()
        assert silent.recv(65536) == b""  # closed in the end, and not reset
        assert server.process.wait(PATIENCE) == 0


def test_requests_in_flight_are_answered_when_the_server_stops() -> None:
    with running({"pos": model_paths()["pos"]}) as server, server.raw() as client:
        begin = head("POST", "/v1/tag", server.port, "Content-Type: application/json", "Content-Length: 24")
        client.sendall(begin + b"Expect: 100-continue\r\n\r\n" + b'{"sentences":')
        assert client.recv(65536).startswith(b"HTTP/1.1 100 ")  # it has read the header
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not listens(server))
        client.sendall(b'[["The"]] }')
        found = closed_by_server(client)
        assert found.startswith(b"HTTP/1.1 200")
        assert json.loads(found.partition(b"\r\n\r\n")[2])["sentences"][0]["labels"] == ["DT"]
        assert server.process.wait(PATIENCE) == 0


def test_a_socket_in_the_file_system(tmp_path: Path) -> None:
    path = tmp_path / "s"
    words = ["serve", "--model", f"pos={model_paths()['pos']}", "--unix", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "perceptag", *words], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline() == f"serving pos: unix:{path}\n"
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert closed_by_server(client).startswith(b"HTTP/1.1 200")
    process.terminate()
    assert process.wait(PATIENCE) == 0
    process.stderr.close()
    assert not path.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--host", "0.0.0.0"), "--host 0.0.0.0: other machines could use the server; expected --token-file FILE"),
        (("--host", "::", "--no-token"), "--host ::: other machines could use the server"),
        (("--encoding", "klingon"), "--encoding: expected auto, utf-8, latin-1, .* found 'klingon'"),
        (("--limit", "tokens=0"), "--limit: expected tokens=VALUE with a whole number above 0, found '0'"),
        (("--limit", "token=1"), "--limit: expected one of header, header_lines, body, .*did you mean 'tokens'"),
        (("--allow-origin", "*"), r"--allow-origin: expected an origin such as https://example.org, found '\*'"),
        (("--model", "a/b=x"), "--model: expected a name of letters, digits"),
        (("--model", "pos=other"), "--model: expected different names, found 'pos' twice"),
        (("--model", "x=no.model"), "no.model: cannot read|no.model: No such file"),
        (("--token-file", "/dev/null"), "--token-file: /dev/null: expected a"),
        (("--host", "192.0.2.1", "--no-token", "--yes-public"), "--host 192.0.2.1 --port 8765: cannot listen there"),
    ],
)
def test_what_the_command_line_refuses(words: tuple[str, ...], message: str) -> None:
    check(run("serve", "--model", f"pos={model_paths()['pos']}", *words), message)


def test_without_the_extra_the_command_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError(\"No module named 'uvicorn'\", name='uvicorn')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "perceptag", "serve", "--model", f"pos={model_paths()['pos']}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "perceptag: error: serve: the package 'uvicorn' is missing; it comes with the extra 'server': "
        "pip install 'perceptag[server]'\n"
    )
