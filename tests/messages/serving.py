"""What the server and the workbench say to a request that cannot be answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from asked import Reply, asked
from benches import GOLD, Benched, new_project

Row = tuple[Callable[[], str], str]
COLUMNS, JSON = "text/plain; format=columns", "application/json"


@cache
def bench() -> Benched:
    """A workbench with a few sentences; requests that are refused leave it as it is."""
    import atexit
    import tempfile
    from pathlib import Path

    folder = tempfile.TemporaryDirectory()
    made = Benched(new_project(Path(folder.name)))
    atexit.register(lambda: (made.close(), folder.cleanup()))
    return made


def detail(reply: Reply, status: int) -> str:
    """The message of a refusal with this status."""
    assert reply.status == status, reply.body
    found: str = reply.json()["detail"]
    return found


def post(path: str, status: int, said: str, /, **body: Any) -> Row:
    """A request in JSON to the server."""
    return lambda: detail(asked().post(path, **body), status), said


def send(path: str, status: int, text: str, data: bytes, kind: str = COLUMNS) -> Row:
    """A request with any body to the server."""
    return lambda: detail(asked()("POST", path, data, kind=kind), status), text


def at(path: str, text: str) -> Row:
    """A request to an address of the server where nothing is."""
    return lambda: detail(asked()("GET", path), 404), f"there is nothing at this address; {text}"


def tell(method: str, path: str, status: int, said: str, /, **body: Any) -> Row:
    """A request to the workbench."""
    return lambda: detail(bench().ask(method, path, body or None), status), said


tag, explain = partial(post, "/v1/tag"), partial(post, "/v1/explain")
put_in = partial(tell, "POST", "/import", 422)


def file(query: str, status: int, text: str, kind: str = COLUMNS, data: bytes = b"The\n") -> Row:
    """A file to be tagged by the server."""
    return send(f"/v1/tag?{query}", status, text, data, kind)


def labels(text: str, *first: str) -> Row:
    """Labels for the first sentence of the workbench, which has five tokens."""
    body = {"labels": [*first, *["O"] * (5 - len(first))] if first else ["O"], "base_revision": 0, "key": "some-key"}
    return tell("PUT", "/sentences/1/labels", 422, text, **body)


ONE = [["a"]]
ROWS: list[Row] = [
    # what is no endpoint
    at("/tag", "did you mean POST /v1/tag?"),
    at("/v1/tag/", "did you mean POST /v1/tag?"),
    at("/api/tag", "did you mean POST /v1/tag?"),
    at("/predict", "did you mean POST /v1/tag?"),
    at("/v2/models/pos/infer", "did you mean POST /v1/tag?"),
    at("/explaim", "did you mean POST /v1/explain?"),
    at("/models", "did you mean GET /v1/models?"),
    at("/v1/models/one/nothing", "did you mean GET /v1/models?"),
    at("/health", "did you mean GET /"),
    at("/docs", "did you mean GET /v1/openapi.json?"),
    at("/models/pos/reload", "did you mean POST /v1/models/{name}/reload?"),
    at("/wp-login.php", "GET /v1/openapi.json describes all endpoints"),
    at("/" + "x/" * 5000, "GET /v1/openapi.json describes all endpoints"),
    tell("GET", "/guideline", 404, "did you mean GET /v1/project/guidelines?"),
    # what is no JSON
    send("/v1/tag", 400, "expected JSON, found a mistake", b"{", JSON),
    send("/v1/tag", 400, "found NaN", b'{"sentences": [[NaN]]}', JSON),
    send("/v1/tag", 400, "the key 'text' occurs twice", b'{"text": "a", "text": "b"}', JSON),
    send("/v1/tag", 400, "too many lists or objects inside each other", b"[" * 100_000, JSON),
    send("/v1/tag", 400, "a number with too many digits", b"1" * 5000, JSON),
    send("/v1/tag", 400, "expected JSON in UTF-8, found the byte 0xFF", b'"\xff"', JSON),
    send("/v1/tag", 422, "expected a JSON object, found 7", b"7", JSON),
    send("/v1/tag?model=ner", 422, "expected them as keys of the JSON body, found in the address: model", b"{}", JSON),
    # what is to be tagged
    tag(422, "body: expected one of sentences, rows, text; found none of them"),
    tag(422, "found sentences and text", text="a", sentences=[]),
    tag(404, "model: expected one of text, documents, pos, ", sentences=ONE, model="no"),
    tag(422, "layer: expected one of pos, ner; found 'chunk'", text="a", model="text", layer="chunk"),
    tag(422, "did you mean 'want'?", sentences=ONE, wants=[]),
    tag(422, "want: expected a list of some of spans, confidence,", sentences=ONE, want=["span"]),
    tag(422, "n: expected a number from 1 on, found True", sentences=ONE, n=True),
    tag(422, "nbest: expected at most 100, found 101", sentences=ONE, n=101),
    tag(422, "min_confidence: expected a number from 0 to 1", sentences=ONE, min_confidence=2),
    tag(422, "sentences: expected a list, found 'b'", sentences=[["a"], "b"]),
    tag(422, "sentences: expected a string, found ['b']", sentences=[["a", ["b"]]]),
    tag(422, "lone surrogate", sentences=[["a", "\ud800"]]),
    tag(422, "NUL", sentences=[["a", "b\0"]]),
    tag(422, "NUL", text="a\0"),
    tag(422, "documents: expected numbers of sentences, below 1, found 12", sentences=ONE, documents=[12]),
    tag(422, "expected rows with the columns form, pos", model="ner", text="a"),
    tag(409, "spans: the labels of layer 'pos'", model="pos", sentences=ONE, want=["spans"]),
    tag(409, "'chunk' is not calibrated", model="chunks", sentences=ONE, want=["confidence"]),
    tag(409, "tokenizer: expected a model that has", model="pos", text="a", tokenizer="guided"),
    tag(422, "expected 1 label lists", sentences=ONE, given=[["O"], ["O"]]),
    # what is to be explained
    post("/v1/order", 409, "the order of inference: not offered", model="pos", tokens=["a"]),
    explain(422, "token: expected a number below 1, found 1", model="pos", tokens=["a"], token=1),
    explain(422, "sentence: expected a number below 1", model="pos", tokens=["a"], sentence=1),
    explain(413, "explain_sentences: expected at most 50", model="pos", sentences=ONE * 51),
    explain(422, "work: expected at most 1000000000", model="pos", tokens=["a"] * 5000),
    explain(422, "unknown label 'X'", model="pos", tokens=["a"], given=["X"]),
    explain(422, "rival: expected the number of a token too", model="pos", tokens=["a"], rival="NN"),
    explain(422, "unknown label '?'", model="pos", tokens=["a"], token=0, rival="?"),
    explain(422, "top: expected a number from 0 on", model="pos", tokens=["a"], top=-1),
    # files
    file("", 415, "Content-Type: expected text/plain; format=columns|conllu|jsonl|text", "text/plain; format=csv"),
    file("", 415, "Content-Type: expected a charset such as utf-8, latin-1,", f"{COLUMNS}; charset=klingon"),
    file("model=pos", 422, "expected text in cp1252, found the byte 0x81", f"{COLUMNS}; charset=cp1252", b"b\x81\n"),
    file("model=pos", 422, "charset= in Content-Type names another encoding, such as latin-1", data=b"J\xf6rg\n"),
    file("colour=1", 422, "parameters: expected some of model, layer,"),
    file("model=pos&model=ner", 422, "parameters: expected model once, found it 2 times"),
    file("nbest=x", 422, "nbest: expected a number from 1 on, found 'x'"),
    file("nbest=101&model=pos", 422, "nbest: expected at most 100, found 101"),
    file("min_confidence=1.1", 422, "min_confidence: expected a number from 0 to 1, found '1.1'"),
    file("confidence=yes", 422, "confidence: expected 0 or 1, found 'yes'"),
    file("columns=a,a", 422, "columns: expected different names separated by commas"),
    file("to=xml", 422, "to: expected columns, conllu"),
    file("model=chunks&confidence=1", 409, "confidence: layer 'chunk' is not calibrated"),
    file("model=../pos", 404, "model: expected one of"),
    file("model=pos&label=form", 422, "label: the model uses column 'form' as input"),
    file("model=pos&confidence=1&nbest=2", 422, "nbest: the labellings in a list have scores"),
    # labels and files of a project
    labels("labels: expected 5, one for each token; found 1"),
    labels("expected one of PER, ORG, LOC; found 'CAT'", "B-CAT"),
    labels("expected O, B-… or I-…, found 'PER'", "PER"),
    labels("a span must start with B-PER; found I-PER", "I-PER"),
    labels("a span must start with B-LOC; found I-LOC", "B-PER", "I-LOC"),
    tell("PUT", "/sentences/1/labels", 422, "body: expected the key key, found none", labels=GOLD[1], base_revision=0),
    tell("POST", "/redo", 409, "there is nothing to redo", key="some-key"),
    tell("GET", "/next?k=99", 422, "k: expected a number from 1 to 50, found '99'"),
    put_in("text: expected the contents of a file", text=1),
    put_in("expected at least one sentence", text=""),
    put_in("import:1", text="a b\n", columns=["form"]),
    put_in("label: expected", text="a\n", columns=["form"], label="ner"),
    put_in("half a pair of surrogates", text="\ud800\n"),
    put_in("columns: expected a list of names", text="a\n", columns=[1]),
    put_in("name: expected", text="a\n", name="x" * 201),
]
