"""One measurement of `make speed`, inside a process that has the version to be measured: CPU seconds by name, as JSON.

    python -m benchmarks.speed_child NAME FOLDER

Only public interfaces are used, so that it runs with any version.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from benchmarks.server_load import JSON, Server, serving

Sentences = list[list[str]]


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    before = time.process_time()
    work()
    return time.process_time() - before


def read(path: Path) -> tuple[Sentences, Sentences]:
    """Return the words of a column file, and what its last column has."""
    blocks = path.read_text("utf-8").strip().split("\n\n")
    sentences = [[line.split() for line in block.splitlines()] for block in blocks]
    return [[row[0] for row in rows] for rows in sentences], [[row[-1] for row in rows] for rows in sentences]


def lists(folder: Path) -> dict[str, float]:
    """Tag a text, most of whose words come for the first time; then the same text."""
    from perceptag import Tagger

    tagger, (X, _) = Tagger.load(folder / "pos.model"), read(folder / "text.txt")
    new = seconds(lambda: tagger.predict(X))
    return {"lists, new words": new, "lists, words seen before": seconds(lambda: tagger.predict(X))}


def sentence(folder: Path) -> dict[str, float]:
    """Tag sentences one by one."""
    from perceptag import Tagger

    tagger, (X, _) = Tagger.load(folder / "pos.model"), read(folder / "text.txt")
    return {"one list at a time": seconds(lambda: [tagger.predict([x]) for x in X])}


def json_(folder: Path) -> dict[str, float]:
    """Label paragraphs one by one, and write all of it as JSON."""
    from perceptag import load

    nlp, texts = load("en"), (folder / "raw.txt").read_text("utf-8").split("\n\n")[:80]
    return {"en, one text at a time, JSON": seconds(lambda: [json.dumps(nlp(text).to_json()) for text in texts])}


def objects(folder: Path) -> dict[str, float]:
    """Label documents, and make the objects of all sentences, words and spans."""
    from perceptag import load

    nlp, texts = load("en"), (folder / "raw.txt").read_text("utf-8").split("\n\n")

    def work() -> int:
        documents = nlp.documents(texts)
        return sum(len(d.sentences) + len(d.words) + len(d.spans) for d in documents)

    return {"en, documents with all objects": seconds(work)}


def dictionaries(folder: Path) -> dict[str, float]:
    """Train and tag with the feature dictionaries that users of scikit-learn have."""
    from perceptag.sklearn import PerceptagTagger

    words, y = read(folder / "text.txt")
    X = [[_features(x, i) for i in range(len(x))] for x in words[:8000]]
    tagger = PerceptagTagger("collins-pos", epochs=5)
    training = seconds(lambda: tagger.fit(X[:2000], y[:2000]))
    return {"dictionaries, training": training, "dictionaries, tagging": seconds(lambda: tagger.predict(X[2000:]))}


def _features(words: list[str], i: int) -> dict[str, Any]:
    word = words[i]
    features: dict[str, Any] = {"bias": 1.0, "word": word.lower(), "suffix": word[-3:], "title": word.istitle()}
    features |= {"digits": word.isdigit(), "length": len(word) / 10}
    for place, end in ((i - 1, "BOS"), (i + 1, "EOS")):
        features |= {f"{place - i:+d}:word": words[place].lower()} if 0 <= place < len(words) else {end: True}
    return features


def server(folder: Path) -> dict[str, float]:
    """Ask a server, sentence by sentence and a hundred at a time; the CPU time is that of its processes."""
    X, _ = read(folder / "text.txt")
    model = f"pos={folder / 'pos.model'}"
    with serving([sys.executable, "-m", "perceptag", "serve", "--threads", "1", "-m", model, "--port"]) as running:
        _ask(running, X[:200], 1)
        one = _ask(running, X[:2500], 1)
        return {"/v1/tag, 2,500 × one": one, "/v1/tag, 150 × a hundred": _ask(running, X[:15_000], 100)}


def _ask(running: Server, X: Sentences, size: int) -> float:
    connection, before = HTTPConnection("127.0.0.1", running.port, timeout=60), running.cpu()
    for i in range(0, len(X), size):
        connection.request("POST", "/v1/tag", json.dumps({"sentences": X[i : i + size]}), JSON)
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            raise RuntimeError(body.decode())
    connection.close()
    return running.cpu() - before


MEASURES = {
    "lists": lists,
    "sentence": sentence,
    "json": json_,
    "objects": objects,
    "dictionaries": dictionaries,
    "server": server,
}

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]](Path(sys.argv[2]))))
