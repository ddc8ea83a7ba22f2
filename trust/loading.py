"""Loading a model runs no code, opens no other file, and uses no more memory than its size justifies."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from perceptag import PerceptagError, Pipeline, Sentence, Tagger
from perceptag.learn import catalogue
from perceptag.models import model_file as modelfile
from trust import samples
from trust.audit_hook import CANARY, PIPELINE
from trust.children import fork, most_memory
from trust.counts import Tallies, Tally
from trust.damage import mutate_bytes, reseal_bytes

FACTOR, SPARE = 16, 64 << 20  # the memory of a model: at most FACTOR times its size plus SPARE bytes
TAGGING = 1 << 30  # bytes for two sentences, with the longest lists that a recipe may ask for
SECONDS = 60

# The events of reading a file and calling native functions: none of them runs code, writes or connects.
_HARMLESS = {"object.__getattr__", "object.__setattr__", "sys._getframe", "sys._getframemodulename", "os.stat"}
_HARMLESS |= {"builtins.id", "array.__new__"}
# A recipe is looked up by its name among those of the package.
_LISTED = str(samples.CORPUS.parent / "recipe" / "shipped")


def check(quick: bool) -> Tallies:
    """Check with an audit hook, and check peaks of memory."""
    with tempfile.TemporaryDirectory() as folder:
        yield no_code(Path(folder), 3 if quick else 40)
    yield bounded("bounded memory and time for files that claim a lot", _lies())
    large = bounded("bounded memory for a large and sound model", _large(50_000 if quick else 700_000))
    if not large.note.endswith("; 1 accepted"):
        large.fail(f"it was not accepted: {large.note}")
    yield large


def _write(folder: Path, name: str, data: bytes) -> str:
    path = folder / f"{len(list(folder.iterdir()))}-{name.replace(' ', '-').replace('/', '-')}"
    path.write_bytes(data)
    return str(path)


def no_code(folder: Path, damaged: int) -> Tally:
    """Watch models of every kind and recipes, good ones and manipulated ones."""
    tally = Tally("an audit hook sees nothing but the file itself")
    (folder / f"{CANARY}.py").write_text("def touch(*values: object) -> str:\n    return 'x'\n", "utf-8")
    warm, watched, controls = [], [], []
    for name, data in samples.models().items():
        warm += [_write(folder, name, data), _write(folder, name, data[:-1])]
        changed = [reseal_bytes(data, np.random.default_rng(seed)) for seed in range(damaged)]
        naming = _write(folder, name, forged(data, lambda _, about: _name_code(about, "attributes")))
        if "attributes" in catalogue()[modelfile.load_bytes(data).recipe.learner].uses:
            controls.append(naming)  # whose code is imported where that is allowed
        changed.append(forged(data, lambda _, about: _name_code(about, "nonlocal.functions")))
        watched += [warm[-2], naming, *(_write(folder, name, some) for some in changed)]
    for name, data in samples.pipelines().items():
        warm += [_write(folder, name + PIPELINE, data), _write(folder, name + PIPELINE, data[:-1])]
        changed = [reseal_bytes(data, np.random.default_rng(seed)) for seed in range(damaged)]
        watched += [warm[-2], *(_write(folder, name + PIPELINE, some) for some in changed)]
        controls.append(_write(folder, name + PIPELINE, _layer_forged(data)))
        watched.append(controls[-1])
    for text in (_SOUND, *(_SOUND + code for code in _CODE)):
        paths = [_write(folder, "recipe.toml", text.encode())]
        paths += [
            _write(folder, "recipe.toml", mutate_bytes(text.encode(), np.random.default_rng(seed)))
            for seed in range(10 * damaged)
        ]
        watched += paths
        (warm if text == _SOUND else controls).append(paths[0])
    _watch(tally, folder, {"warm": warm, "watched": watched, "controls": controls})
    return tally


def _watch(tally: Tally, folder: Path, job: dict[str, list[str]]) -> None:
    """Watch in a process that could import the canary."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(samples.ROOT), str(folder)])}
    command = [sys.executable, "-m", "trust.audit_hook"]
    done = subprocess.run(command, input=json.dumps(job), capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        tally.add(done.stderr[-1500:])
        return
    told = json.loads(done.stdout)
    for path, events in zip(job["watched"], told["found"], strict=True):
        odd = [event for event in events if event[0] not in _HARMLESS and not _lists(event)]
        tally.check(not odd, f"{path}: {odd[:3]}")
    for path, events in zip(job["controls"], told["controls"], strict=True):
        seen = any(CANARY in what for _, what in events)
        tally.check(seen, f"{path}: the hook did not see the code that was allowed, so it would have missed any other")


def _lists(event: list[str]) -> bool:
    return event in (["pathlib.Path.glob", _LISTED], ["os.scandir", _LISTED])


# The canary is named as the function of an attribute or of a non-local feature.
_ENTRY = f"evil={CANARY}:touch"
_SOUND = 'templates = ["form[0]", "bias * y-1 y0"]\n'
_CODE = (
    f'attributes = ["{_ENTRY}"]\n',
    f'learner = "nonlocal"\nmargin = 1\nnbest = 2\nsupport = "all"\n[nonlocal]\nfunctions = ["{_ENTRY}"]\n',
)


def _name_code(about: dict[str, Any], key: str) -> None:
    about["recipe"][key] = [_ENTRY]


def forged(data: bytes, edit: Callable[[dict[str, Any], dict[str, Any]], None]) -> bytes:
    """Return a model with changed arrays or JSON, and the right digest."""
    arrays = {name: array.copy() for name, array in modelfile.unseal(data, "model").items()}
    about = json.loads(arrays.pop("json").tobytes())
    edit(arrays, about)
    arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return modelfile.seal(arrays, "model")[0]


def _layer_forged(data: bytes) -> bytes:
    """Return a pipeline whose last layer names code."""
    arrays = {name: array.copy() for name, array in modelfile.unseal(data, "pipeline").items()}
    last = max(name for name in arrays if name.startswith("layer."))
    inner = forged(arrays[last].tobytes(), lambda _, about: _name_code(about, "attributes"))
    return modelfile.seal({**arrays, last: np.frombuffer(inner, np.uint8)}, "pipeline")[0]


# --- files that claim to be larger than they are ---


def bounded(what: str, files: Iterator[tuple[str, bytes]]) -> Tally:
    """Measure the peak of memory while each file is loaded, in a process of its own."""
    tally = Tally(what)
    most = taken = largest = 0
    for name, data in files:
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            end = fork(lambda file=file: _peak(file.name), SECONDS)
        if end.fault:
            tally.add(f"{name}: {end.fault}")
            continue
        used, tagging, ended = end.value
        largest = max(largest, len(data))
        most = max(most, used)
        taken += ended == "taken"
        within = used <= FACTOR * len(data) + SPARE and tagging <= TAGGING and ended != "MemoryError"
        tally.check(within, f"{name}: {used:,} and {tagging:,} bytes for a file of {len(data):,}; {ended:.200}")
    tally.note = f"at most {most / 2**20:.0f} MiB, for files of up to {largest / 2**20:.0f} MiB; {taken} accepted"
    return tally


def _peak(path: str) -> tuple[int, int, str]:
    """Return by how much loading, and then tagging two sentences, increase the memory of this process, and the end."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is counted from here on
    before = most_memory()
    loaded = 0
    try:
        is_pipeline = modelfile.kind_of(Path(path).read_bytes()) == "pipeline"
        tagger = Pipeline.load(path) if is_pipeline else Tagger.load(path)
        loaded = most_memory() - before
        some = samples.unlabelled(samples.sentences(2))
        tagger.tag(some) if isinstance(tagger, Pipeline) else tagger.predict(some)
        ended = "taken"
    except PerceptagError as error:
        ended = str(error)
    except MemoryError:
        ended = "MemoryError"
    return loaded or most_memory() - before, most_memory() - before, ended


def _large(words: int) -> Iterator[tuple[str, bytes]]:
    """Yield a model of `words` words, made in a process of its own, whose memory cannot be reused for loading."""
    made = fork(lambda: _model_of(words), SECONDS)
    yield f"{words:,} words", made.value or (made.fault or "").encode()


def _model_of(words: int) -> bytes:
    texts = [[f"word{i + k}" for k in range(20)] for i in range(0, words, 20)]
    rng = np.random.default_rng(0)  # random labels, so that every word has weights
    labels = rng.choice(["A", "B", "C"], (len(texts), 20)).tolist()
    templates = ["form[-1]", "form[0]", "form[1]", "form[-1] form[0]", "form[0] form[1]", "bias * y-1 y0"]
    data = [Sentence({"form": x, "pos": ["X"] * 20, "label": y}) for x, y in zip(texts, labels, strict=True)]
    tagger = Tagger(templates=templates, support="gold", learner="perceptron", epochs=2).fit(data)
    return modelfile.to_bytes(tagger.model_)[0]


def _lies() -> Iterator[tuple[str, bytes]]:
    for size in (2**63 - 1, 2**62, 2**40, 2**31, 100_000_000, 1_000):
        yield (
            f"header of {size} bytes",
            size.to_bytes(8, "little") + b'{"__metadata__":{"perceptag":"model 6 sha256:"}}',
        )
    for shape in ([2**62], [2**31, 2**31], [2**40], [10**9]):
        header = json.dumps({"json": {"dtype": "U8", "shape": shape, "data_offsets": [0, 2**62]}}).encode()
        yield f"array of shape {shape}", len(header).to_bytes(8, "little") + header
    for name, data in samples.pipelines().items():
        yield f"pipeline of {name}", data
        yield f"pipeline of {name} that names code", _layer_forged(data)
    for name, data in samples.kinds().items():
        for lie, edit in _CLAIMS.items():
            try:
                yield f"{name}, {lie}", forged(data, edit)
            except (KeyError, TypeError):
                continue  # this kind of model has no such part


def _many_labels(number: int) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def edit(_: dict[str, Any], about: dict[str, Any]) -> None:
        names = about["labelling"]["names"]
        about["labelling"]["names"] = [*names, *(f"B-L{i}" for i in range(number - len(names)))]

    return edit


def _say(value: object, *path: str) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    def edit(_: dict[str, Any], about: dict[str, Any]) -> None:
        for key in path[:-1]:
            about = about[key]
        if path[-1] not in about:
            raise KeyError(path[-1])
        about[path[-1]] = value

    return edit


def _both(*edits: Callable[[dict[str, Any], dict[str, Any]], None]) -> Callable[..., None]:
    def edit(arrays: dict[str, Any], about: dict[str, Any]) -> None:
        for one in edits:
            one(arrays, about)

    return edit


def _nothing_but_labels(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    """Remove all weights, so that any number of labels agrees with the arrays."""
    about["facts"]["templates"] = ["form[0]"]
    about["recipe"]["templates"] = ["form[0]"]
    vocabulary = arrays.get("vocabulary.0.0", np.zeros(0, np.uint8))
    arrays.clear()
    arrays["vocabulary.0.0"] = vocabulary
    for order in range(3):
        arrays[f"begin.{order}"] = np.zeros(1, np.uint32)
        arrays[f"codes.{order}"] = np.zeros(0, np.uint32)
    for block in range(5):
        arrays[f"weights.{block}"] = np.zeros(0, np.float32)
    arrays["values.0"] = np.zeros(0, np.int32)
    arrays["rows.0"] = np.zeros(0, np.int32)
    arrays["contexts.keys"] = np.zeros(0, np.uint64)
    arrays["contexts.begin"] = np.zeros(1, np.uint32)
    arrays["contexts.codes"] = np.zeros(0, np.uint32)
    arrays["contexts.weights"] = np.zeros(0, np.float32)


def _far_row(arrays: dict[str, Any], _: dict[str, Any]) -> None:
    """Give the last features, those of label contexts if there are any, the largest possible row."""
    full = [name for name, array in arrays.items() if name.startswith("rows.") and len(array)]
    last = max(full, key=lambda name: int(name[5:]), default="rows.0")
    arrays[last][-1] = 2**31 - 2


_DICTIONARY = {"entries": [[0]] * 60_000, "words": {}}
_CLAIMS: dict[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "60,000 labels": _many_labels(60_000),
    "2,000 labels": _many_labels(2_000),
    "no weights and 60,000 labels": _both(_nothing_but_labels, _many_labels(60_000)),
    "no weights, 60,000 labels, constraints": _both(
        _nothing_but_labels, _many_labels(60_000), _say(True, "recipe", "constrain")
    ),
    "no weights, 60,000 labels and dictionary entries": _both(
        _nothing_but_labels, _many_labels(60_000), _say(_DICTIONARY, "facts", "closed")
    ),
    "no weights and 10,000 vectors": _both(_nothing_but_labels, _say(10_000, "facts", "snapshots")),
    "no weights, 60,000 labels, 10,000 vectors": _both(
        _nothing_but_labels, _many_labels(60_000), _say(10_000, "facts", "snapshots")
    ),
    "a row far out": _far_row,
    "a wide window": _say(2**31 - 1, "recipe", "chunker.phrase_window"),
    "a high degree": _say(2**31 - 1, "recipe", "chunker.degree"),
    "a wide beam": _say(1000, "recipe", "beam"),
    "long lists": _say(100_000, "recipe", "nbest_tagging"),
    "many vectors": _say(10_000, "facts", "snapshots"),
    "a template of 20 fields": _say([" ".join(["form[0]"] * 20)], "facts", "templates"),
    "a far offset": _say(["form[2000000000]"], "facts", "templates"),
    "20,000 templates": _say(
        [f"form[{i % 40 - 20}] pos[{i // 40 % 40 - 20}] bias[{i // 1600 - 20}]" for i in range(20_000)],
        *("facts", "templates"),
    ),
}
