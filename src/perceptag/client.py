"""A client of `perceptag serve` and `perceptag annotate` that needs nothing but Python's standard library.

    client = Client("http://127.0.0.1:8765")
    client.tag([["Peter", "Blackburn"]])[0]["labels"]       # ['B-PER', 'I-PER']
    client.tag("Peter lives in Paris.", want=["spans"])     # running text, if the model has a tokeniser

This file is all there is: it may be copied to a machine that has no perceptag.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, NotConnected
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

JSON, LINES = "application/json", "application/x-ndjson"
GUIDELINES = "/v1/project/guidelines"
BATCH = 100  # sentences in a request: more are not faster


class ServerError(Exception):
    """What the server says is wrong: `status`, and `problem`, which may have a place (`where`)."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status}: {problem.get('detail', 'the server did not say why')}")
        self.status = status
        self.problem = problem


class Client:
    """A client of a server. It may be shared by threads: each thread has its own connection, which is kept open.

    Parameters
    ----------
    address : such as ``http://127.0.0.1:8765``
    token : of the server, if it has one
    model : the name of the model; without it, the first of the server
    timeout : seconds to wait for a reply
    """

    def __init__(self, address: str, *, token: str = "", model: str = "", timeout: float = 60.0) -> None:
        found = urlsplit(address if isinstance(address, str) else "")
        if found.scheme not in ("http", "https") or not found.hostname:
            raise ValueError(f"address: expected http://HOST:PORT, found {address!r}")
        self._kind = HTTPConnection if found.scheme == "http" else HTTPSConnection
        self._host, self._port, self._path = found.hostname, found.port, found.path.rstrip("/")
        self._token, self._model, self._timeout = token, model, timeout
        self._kept = threading.local()

    def close(self) -> None:
        """Close the connection of this thread; the next request opens another."""
        if (kept := getattr(self._kept, "connection", None)) is not None:
            kept.close()
            self._kept.connection = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- what it can ask ---

    def models(self) -> list[dict[str, Any]]:
        """The models of the server."""
        found: list[dict[str, Any]] = self._ask("GET", "/v1/models")
        return found

    def limits(self) -> dict[str, float]:
        """The limits of the server."""
        found: dict[str, float] = self._ask("GET", "/v1/limits")
        return found

    def tag(self, data: str | Iterable[Sequence[Any]], **options: Any) -> list[dict[str, Any]]:
        """Tag running text, lists of tokens, or lists of rows with columns; return the reply for each sentence.

        `options`: keys of ``/v1/tag``, such as ``want=["spans"]``. Many sentences are sent in several requests, unless
        the options name sentences by their numbers.
        """
        if isinstance(data, str):
            return self._tag({"text": data, **options})
        sentences = [_listed(f"sentence {i}", sentence) for i, sentence in enumerate(data)]
        size = len(sentences) if options.keys() & {"documents", "given"} else BATCH
        parts = [sentences[i : i + size] for i in range(0, len(sentences), max(size, 1))]
        return [found for part in parts for found in self._tag({_key(sentences): part, **options})]

    def _tag(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._post("/v1/tag", body)["sentences"]
        return found

    def stream(
        self, sentences: Iterable[Sequence[str] | dict[str, Any]], **parameters: Any
    ) -> Iterator[dict[str, Any]]:
        """Tag any number of sentences while they come: token lists, or objects such as ``{"tokens": […]}``."""
        query = self._query({name: value for name, value in parameters.items() if value})
        lines = (json.dumps(sentence).encode() + b"\n" for sentence in sentences)
        with closing(self._connect()) as connection:
            yield from self._exchange(connection, f"{self._path}/v1/tag?{query}", lines)

    def tag_file(self, data: bytes, format: str = "columns", **parameters: Any) -> bytes:  # noqa: A002
        """Tag the bytes of a file, as `perceptag tag` does; `format` is columns, conllu, jsonl or text."""
        if not isinstance(data, (bytes, bytearray)):
            raise TypeError(f"data: expected the bytes of a file, found {type(data).__name__}")
        found: bytes = self._ask("POST", f"/v1/tag?{self._query(parameters)}", data, f"text/plain; format={format}")
        return found

    def explain(self, tokens: Sequence[str], **options: Any) -> dict[str, Any]:
        """Explain why a sentence gets its labels; `options`: keys of ``/v1/explain``."""
        return self._post("/v1/explain", {"tokens": _listed("tokens", tokens), **options})

    def order(self, tokens: Sequence[str], **options: Any) -> dict[str, Any]:
        """The order in which a guided model labels the tokens."""
        return self._post("/v1/order", {"tokens": _listed("tokens", tokens), **options})

    def reload(self, name: str) -> dict[str, str]:
        """Reload a model of the server from its file."""
        return self._post(f"{_address(name)}/reload", {}, names_model=False)

    def guidelines(self, version: int | None = None) -> dict[str, Any]:
        """The guidelines of `perceptag annotate`, the newest or an earlier version, and a list of all versions."""
        chosen = "" if version is None else f"?version={version}"
        found: dict[str, Any] = self._ask("GET", GUIDELINES + chosen)
        return found

    def write_guidelines(
        self, text: str, labels: dict[str, dict[str, Any]] | None = None, *, base_version: int
    ) -> dict[str, Any]:
        """Write the next version of the guidelines, in Markdown, with ``{"description": …, "examples": […]}`` by label.

        `base_version` is the version that was changed; if there is a newer one by now, the server answers with 409.
        """
        body = {"text": text, "labels": labels or {}, "base_version": base_version}
        found: dict[str, Any] = self._ask("PUT", GUIDELINES, json.dumps(body).encode())
        return found

    # --- how it asks ---

    def _post(self, path: str, body: dict[str, Any], names_model: bool = True) -> dict[str, Any]:
        if self._model and names_model:
            body = {"model": self._model, **body}
        found: dict[str, Any] = self._ask("POST", path, json.dumps(body).encode(), JSON)
        return found

    def _query(self, parameters: dict[str, Any]) -> str:
        """Write the parameters of an address: lists with commas, True and False as 1 and 0."""
        given = {"model": self._model, **parameters} if self._model else parameters
        return urlencode({name: _parameter(value) for name, value in given.items()})

    def _ask(self, method: str, path: str, body: bytes | None = None, kind: str = JSON) -> Any:
        """Send a request on the connection of this thread. The server may have closed it: then on a new one."""
        for attempt in range(2):
            connection, is_new = self._connection()
            try:
                connection.request(method, self._path + path, body, self._headers(kind))
                return _content(connection.getresponse())
            except (HTTPException, OSError):
                self.close()
                if is_new or attempt:
                    raise
        raise AssertionError("one of the two attempts returns or raises")

    def _connection(self) -> tuple[HTTPConnection, bool]:
        kept = getattr(self._kept, "connection", None)
        if kept is None:
            self._kept.connection = self._connect()
        return self._kept.connection, kept is None

    def _connect(self) -> HTTPConnection:
        return self._kind(self._host, self._port, timeout=self._timeout)

    def _headers(self, kind: str) -> dict[str, str]:
        own = {"Content-Type": kind, "Accept": JSON}
        return {**own, "Authorization": f"Bearer {self._token}"} if self._token else own

    def _exchange(self, connection: HTTPConnection, path: str, lines: Iterator[bytes]) -> Iterator[dict[str, Any]]:
        """Write in a thread and read here: the server answers while it reads."""
        connection.connect()
        connection.auto_open = 0  # a writer that goes on after the end must not open another one
        writing = _Writing(connection, path, lines, self._headers(LINES))
        writing.start()
        response = HTTPResponse(connection.sock, method="POST")
        try:
            response.begin()
            if response.status != 200:
                _content(response)
            for line in response:
                found = json.loads(line)
                if "error" in found:
                    raise ServerError(found["error"]["status"], found["error"])
                yield found
        except (HTTPException, OSError, ValueError) as error:
            raise writing.fault or error from None
        finally:
            response.close()
        writing.join()


class _Writing(threading.Thread):
    """Writes a request of many lines. If they cannot be made, `fault` says why."""

    def __init__(self, connection: HTTPConnection, path: str, lines: Iterator[bytes], headers: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self._connection, self._path, self._lines, self._headers = connection, path, lines, headers
        self.fault: Exception | None = None

    def run(self) -> None:
        """Write all lines. If the server does not take them, it has said why, or the reader finds that it is gone."""
        try:
            self._connection.request("POST", self._path, _joined(self._lines), self._headers, encode_chunked=True)
        except (OSError, NotConnected):
            pass  # the reader says what happened
        except Exception as error:
            self.fault = error
            self._connection.sock.shutdown(SHUT_RDWR)  # the reader need not wait for more


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Put lines together, so that each write is worth its while."""
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if len(held) == BATCH:
            yield b"".join(held)
            held = []
    if held:
        yield b"".join(held)


def _parameter(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return ",".join(value)
    return int(value) if isinstance(value, bool) else value


def _address(model: str) -> str:
    return f"/v1/models/{quote(model, safe='')}"


def _listed(name: str, sentence: Any) -> list[Any]:
    if isinstance(sentence, (str, bytes)) or not isinstance(sentence, Iterable):
        raise TypeError(f"{name}: expected a list of tokens, found {sentence!r:.60}")
    return list(sentence)


def _key(sentences: Sequence[Sequence[Any]]) -> str:
    return "rows" if any(isinstance(token, dict) for sentence in sentences[:1] for token in sentence) else "sentences"


def _content(response: HTTPResponse) -> Any:
    data = response.read()
    kind = response.headers.get_content_type()
    value = json.loads(data) if kind.endswith("json") and data else data
    if response.status >= 400:
        raise ServerError(response.status, value if isinstance(value, dict) else {"detail": response.reason})
    return value
