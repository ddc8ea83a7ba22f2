"""Check that perceptag works on this machine, and report facts about model files that reveal nothing learned."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perceptag.errors import PerceptagError
from perceptag.inspecting.surroundings import without_names
from perceptag.models import class_file as classfile
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model, number_of_features
from perceptag.pipeline import pipeline_file as pipelinefile

if TYPE_CHECKING:
    from perceptag.tagger import Tagger

# What the arrays of the tiny model are on every machine; tests/cli/test_doctor.py says when they change.
KNOWN = "aabba4cd3c4a7b0a7d318e3e3bca3763d0f7c4f48056c182458249d828e774fd"
_NAME = "naïve 語 🙂.txt"
_SENTENCES = [
    [("the", "D"), ("cat", "N"), ("sleeps", "V")],
    [("a", "D"), ("dog", "N"), ("sees", "V"), ("the", "D"), ("cat", "N")],
    [("dogs", "N"), ("sleep", "V")],
]
_SETTINGS = {"learner": "perceptron", "templates": ("form[0]", "suffix2[0]", "bias * y-1 y0"), "epochs": 3}


@dataclass(frozen=True, slots=True)
class Check:
    """What was checked, and what is wrong; nothing if it passed."""

    name: str
    fault: str = ""

    @property
    def passed(self) -> bool:
        """Whether all is well."""
        return not self.fault


class CheckError(Exception):
    """Something is not as it should be."""


def self_checks() -> Iterator[Check]:
    """Carry out every check. None depends on another."""
    for name, check in (
        ("the extension can be loaded", _extension),
        ("temporary files can be written", _temporary_files),
        ("text stays UTF-8", _text),
        ("a tiny model learns and tags", _tiny_model),
        ("a tiny model is the same as on other machines", _known_model),
    ):
        yield run(name, check)


def run(name: str, check: Callable[[], object]) -> Check:
    """Carry out one check. Whatever goes wrong is the result."""
    try:
        check()
    except (CheckError, PerceptagError) as error:
        return Check(name, without_names(str(error)))
    except Exception as error:
        return Check(name, without_names(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__))
    return Check(name)


def _expect(what: str, expected: object, found: object) -> None:
    if found != expected:
        raise CheckError(f"{what}: expected {expected!r}, found {found!r}")


def _extension() -> None:
    from perceptag import _core

    _expect("instructions of the CPU", str, type(_core.cpu_instructions()))


def _temporary_files() -> None:
    from perceptag.system.output_files import open_output

    with tempfile.TemporaryDirectory(prefix="perceptag-") as folder:
        path = Path(folder, "file")
        for content in (b"first\n", b"second\n"):
            with open_output(str(path)) as stream:
                stream.write(content)
            _expect("a file that was written", content, path.read_bytes())


def _text() -> None:
    with tempfile.TemporaryDirectory(prefix="perceptag-") as folder:
        path = Path(folder, _NAME)
        path.write_text(_NAME, encoding="utf-8")
        _expect("a text that was written", _NAME, path.read_text("utf-8"))
        _expect("the name of a file", [_NAME], [found.name for found in Path(folder).iterdir()])


def tiny_digest() -> str:
    """The SHA-256 of the arrays of a model that is learned from three sentences."""
    sha = hashlib.sha256()
    for name, array in sorted(_tiny_tagger().model_.arrays.items()):
        sha.update(f"{name} {array.dtype.newbyteorder('<')} {array.shape}\n".encode())
        sha.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
    return sha.hexdigest()


def _tiny_model() -> None:
    tagger = _tiny_tagger()
    words, labels = ([[pair[i] for pair in sentence] for sentence in _SENTENCES] for i in (0, 1))
    _expect("labels of the sentences that were learned", labels, tagger.predict(words))


def _known_model() -> None:
    _expect("SHA-256 of the arrays", KNOWN, tiny_digest())


def _tiny_tagger() -> Tagger:
    from perceptag.recipe.recipe import Recipe
    from perceptag.tagger import Tagger
    from perceptag.text.sentence import Sentence

    sentences = [Sentence({"form": [w for w, _ in pairs], "pos": [tag for _, tag in pairs]}) for pairs in _SENTENCES]
    return Tagger(Recipe().replace(_SETTINGS)).fit(sentences)


def file_facts(path: str) -> dict[str, Any]:
    """The facts of a model, a pipeline or a class file, once its digest has been checked. The folder is left out."""
    data = modelfile.read_file(path)
    kind = modelfile.kind_of(data)
    facts = _layers(kind, data, Path(path).name)
    return {
        "file": Path(path).name,
        "bytes": len(data),
        "file_kind": kind,
        "format": modelfile.version_of(data),
        "sha256": modelfile.digest_in(data),
        "file_sha256": hashlib.sha256(data).hexdigest(),
        **facts,
    }


def _layers(kind: str, data: bytes, name: str) -> dict[str, Any]:
    """What depends on the kind of file; it is loaded, and so it is checked."""
    if kind == classfile.KIND:
        classfile.load_bytes(data, name)
        return {}
    if kind == pipelinefile.KIND:
        stored = pipelinefile.load_bytes(data, name)
        layers = [{"layer": layer, **_model(model)} for layer, model in stored.layers]
        return {"written_by": stored.manifest.get("perceptag"), "layers": layers}
    return _model(modelfile.load_bytes(data, name))


def _model(model: Model) -> dict[str, Any]:
    return {
        "kind": model.facts.get("kind"),
        "recipe": model.recipe.name,
        "learner": model.recipe.learner,
        "written_by": model.manifest.get("perceptag"),
        "labels": len(model.label_set.names),
        "features": number_of_features(model),
        "functions_of_the_user": bool(model.recipe.attributes or model.facts.get("functions")),
    }
