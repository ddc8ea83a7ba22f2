"""Check that perceptag works on this machine; report versions, machine, terminal and model files.

Nothing that is reported has data, names of people or paths in it.
"""

from __future__ import annotations

import hashlib
import locale
import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perceptag.errors import PerceptagError
from perceptag.models import class_file as classfile
from perceptag.models import model_file as modelfile
from perceptag.models.model import Model, number_of_features
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.system.platform import machine
from perceptag.system.platform.open_files import file_system

if TYPE_CHECKING:
    from perceptag.tagger import Tagger


_NOT_FOR_USERS = {"dev", "docs", "bench", "browser"}  # extras of those who work on perceptag
_WITHOUT_EXTRA = ("scikit-learn",)  # libraries that perceptag serves without asking for them
_REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;.*extra == ['\"]([\w-]+)['\"])?")
_HOMES = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s:'\"]+")


def surroundings() -> dict[str, Any]:
    """All facts, in groups."""
    return {
        "python": _python(),
        "libraries": _libraries(),
        "system": _system(),
        "text": _encodings(),
        "terminal": _terminal(),
        "temporary_folder": _temporary_folder(),
        "environment": sorted(name for name in os.environ if name.startswith("PERCEPTAG_")),
    }


def without_names(text: str) -> str:
    """A message without the home folder of anybody, and without the folder of temporary files.

    >>> without_names("/home/anna/x.model: cannot read")
    '~/x.model: cannot read'
    """
    for folder, stands_for in ((tempfile.gettempdir(), "TMP"), (os.path.expanduser("~"), "~")):  # noqa: PTH111
        if len(folder) > 1:
            text = text.replace(folder, stands_for)
    return _HOMES.sub("~", text)


def _python() -> dict[str, Any]:
    return {
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "bits": 64 if sys.maxsize > 1 << 32 else 32,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    }


def _libraries() -> dict[str, Any]:
    """The versions of what perceptag needs and of what its extras bring; None for what is not installed."""
    try:
        needed = metadata.requires("perceptag") or []
    except metadata.PackageNotFoundError:  # a source tree that is not installed
        needed = []
    found: dict[str, Any] = {name: _version_of(name) for name in _WITHOUT_EXTRA}
    for requirement in needed:
        match = _REQUIREMENT.match(requirement)
        if match and match[2] not in _NOT_FOR_USERS:
            found[match[1]] = _version_of(match[1])
    return found


def _version_of(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _system() -> dict[str, Any]:
    return {
        "name": platform.system(),
        "release": platform.release(),
        "libc": " ".join(platform.libc_ver()).strip(),
        "machine": platform.machine(),
        "cpu": machine.cpu_name(),
        "cores": os.cpu_count(),
        "usable_cores": machine.usable_cores(),
        "memory": _bytes(machine.whole_memory()),
        "free_memory": _bytes(machine.free_memory()),
    }


def _bytes(size: int) -> int | None:
    return None if size == machine.UNLIMITED else size


def _encodings() -> dict[str, Any]:
    return {
        "locale": locale.setlocale(locale.LC_CTYPE),
        "preferred_encoding": locale.getpreferredencoding(False),
        "file_names": sys.getfilesystemencoding(),
        "stdout": getattr(sys.stdout, "encoding", None),
        "utf8_mode": bool(sys.flags.utf8_mode),
    }


def _terminal() -> dict[str, Any]:
    size = shutil.get_terminal_size()
    return {
        "stdin": _is_terminal(sys.stdin),
        "stdout": _is_terminal(sys.stdout),
        "stderr": _is_terminal(sys.stderr),
        "kind": os.environ.get("TERM", ""),
        "columns": size.columns,
        "no_colour": "NO_COLOR" in os.environ,
    }


def _is_terminal(stream: Any) -> bool:
    return bool(stream is not None and stream.isatty())


def _temporary_folder() -> dict[str, Any]:
    """How much room there is, and on which kind of disk; not where."""
    folder = Path(tempfile.gettempdir())
    return {"free": shutil.disk_usage(folder).free, "file_system": file_system(folder)}


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
    """The subject of a check, and the fault; empty if it passed."""

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
    """Return what depends on the kind of file; it is loaded, and so it is checked."""
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
