"""The JSON part of a model has a value of another type: the file is refused, or it is a model that still tags."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from command_line import CORPUS
from forging import Edit, forge
from learner_settings import EVERY, without_labels
from perceptag import PerceptagError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.models.kinds import make_ready
from perceptag.text import read_columns

pytestmark = pytest.mark.every

KINDS = ["tag dictionary", "ascent", "guided, IOBES", "carreras-ner", "rerank-2", "maxent, exact"]
OTHERS: list[Any] = [None, True, -1, "x", [], [[]], [["a"]], {"a": [1]}, [[["a"], ["0"]]]]
NOTHING = object()

Path = tuple[Any, ...]


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the places of all values in JSON, but only of the first one of each list."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield from paths(value[0], (*path, 0))


def replacing(path: Path, value: Any) -> Edit:
    def edit(_, about):
        for key in path[:-1]:
            about = about[key]
        if value is NOTHING:
            del about[path[-1]]
        else:
            about[path[-1]] = copy.deepcopy(value)

    return edit


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_other_types(kind: str) -> None:
    read = read_columns(CORPUS / "train.txt", ["form", "pos", "label", "ner"])
    sentences = [Sentence({c: s.columns[c] for c in ("form", "pos", "label")}) for s in islice(read, 8)]
    data = modelfile.to_bytes(Tagger(**{**EVERY[kind], "epochs": 1}).fit(sentences).model_)[0]
    about = json.loads(modelfile.unseal(data, "model")["json"].tobytes())
    places = [path for path in paths(about) if path and path[0] in ("facts", "labelling", "columns")]
    assert len(places) > 15
    edits = [replacing(path, value) for path in places for value in (*OTHERS, NOTHING)]
    taken = sum(is_taken(forge(data, edit), sentences[:2]) for edit in edits)
    assert 0 < taken < len(edits) / 2


def is_taken(data: bytes, sentences: list[Sentence]) -> bool:
    """Return whether a file is a model that tags; any error other than a refusal would be a traceback."""
    try:
        ready = make_ready(modelfile.load_bytes(data))
        return len(ready.tag(without_labels(sentences))) == len(sentences)
    except PerceptagError:
        return False
