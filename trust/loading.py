"""Loading a model runs no code, opens no other file, and takes no memory that the file does not justify."""

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

from perceptag import PerceptagError, modelfile
from trust import samples
from trust.children import fork
from trust.damage import mutate_bytes, reseal_bytes
from trust.tally import Tallies, Tally
from trust.watching import CANARY

FACTOR, SPARE = 16, 64 << 20  # a model takes so many times its size, and so many bytes more
TAGGING = 1 << 30  # bytes for two sentences, with the longest lists that a recipe may ask for
SECONDS = 60

# What reading a file and calling native functions do: nothing that runs, writes or connects.
_HARMLESS = {"object.__getattr__", "object.__setattr__", "sys._getframe", "sys._getframemodulename", "os.stat"}
_HARMLESS |= {"builtins.id"}
_LISTED = str(samples.CORPUS.parent / "recipes")  # a recipe is looked up by its name among those of the package


def check(quick: bool) -> Tallies:
    """An audit hook, and peaks of memory."""
    with tempfile.TemporaryDirectory() as folder:
        yield no_code(Path(folder), 3 if quick else 40)
    yield bounded(_lies())


def _write(folder: Path, name: str, data: bytes) -> str:
    path = folder / f"{len(list(folder.iterdir()))}-{name.replace(' ', '-').replace('/', '-')}"
    path.write_bytes(data)
    return str(path)


def no_code(folder: Path, damaged: int) -> Tally:
    """Models of every kind and recipes, sound and tampered with."""
    tally = Tally("an audit hook sees nothing but the file itself")
    (folder / f"{CANARY}.py").write_text("def touch(*values: object) -> str:\n    return 'x'\n", "utf-8")
    warm, watched, controls = [], [], []
    for name, data in samples.models().items():
        warm += [_write(folder, name, data), _write(folder, name, data[:-1])]
        changed = [reseal_bytes(data, np.random.default_rng(seed)) for seed in range(damaged)]
        controls.append(_write(folder, name, forged(data, lambda _, about: _name_code(about, "attributes"))))
        changed.append(forged(data, lambda _, about: _name_code(about, "nonlocal.functions")))
        watched += [warm[-2], controls[-1], *(_write(folder, name, some) for some in changed)]
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
    """In a process that could import the canary."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(samples.ROOT), str(folder)])}
    command = [sys.executable, "-m", "trust.watching"]
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
        tally.check(seen, f"{path}: the hook did not see the code that was allowed, so it cannot have seen any other")


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
    """A model whose arrays or JSON somebody has changed, with the right digest."""
    arrays = {name: array.copy() for name, array in modelfile.unseal(data, "model").items()}
    about = json.loads(arrays.pop("json").tobytes())
    edit(arrays, about)
    arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return modelfile.seal(arrays, "model")[0]


# --- files that claim more than they are ---


def bounded(lies: Iterator[tuple[str, bytes]]) -> Tally:
    """The peak of memory while such a file is loaded, each in a process of its own."""
    tally = Tally("bounded memory and time for files that claim a lot")
    most = 0
    for name, data in lies:
        end = fork(lambda data=data: _peak(data), SECONDS)
        if end.fault:
            tally.add(f"{name}: {end.fault}")
            continue
        used, tagging, ended = end.value
        most = max(most, used)
        within = used <= FACTOR * len(data) + SPARE and tagging <= TAGGING and ended != "MemoryError"
        tally.check(within, f"{name}: {used:,} and {tagging:,} bytes for a file of {len(data):,}; {ended:.200}")
    tally.note = f"at most {most / 2**20:.0f} MiB"
    return tally


def _peak(data: bytes) -> tuple[int, int, str]:
    """By how much loading, and then tagging two sentences, raise the memory of this process, and how it ends."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is that from here on
    before = _most_memory()
    loaded = 0
    try:
        tagger = samples.load(data)
        loaded = _most_memory() - before
        tagger.predict(samples.unlabelled(samples.sentences(2)))
        ended = "taken"
    except PerceptagError as error:
        ended = str(error)
    except MemoryError:
        ended = "MemoryError"
    return loaded or _most_memory() - before, _most_memory() - before, ended


def _most_memory() -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def _lies() -> Iterator[tuple[str, bytes]]:
    for size in (2**63 - 1, 2**62, 2**40, 2**31, 100_000_000, 1_000):
        yield (
            f"header of {size} bytes",
            size.to_bytes(8, "little") + b'{"__metadata__":{"perceptag":"model 1 sha256:"}}',
        )
    for shape in ([2**62], [2**31, 2**31], [2**40], [10**9]):
        header = json.dumps({"json": {"dtype": "U8", "shape": shape, "data_offsets": [0, 2**62]}}).encode()
        yield f"array of shape {shape}", len(header).to_bytes(8, "little") + header
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
        about[path[-1]] = value

    return edit


def _both(*edits: Callable[[dict[str, Any], dict[str, Any]], None]) -> Callable[..., None]:
    def edit(arrays: dict[str, Any], about: dict[str, Any]) -> None:
        for one in edits:
            one(arrays, about)

    return edit


def _nothing_but_labels(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    """No feature has a weight, so that any number of labels agrees with the arrays."""
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
    "a wide window": _say(2**31 - 1, "recipe", "chunker.phrase_window"),
    "a high degree": _say(2**31 - 1, "recipe", "chunker.degree"),
    "an expansion": _say("expansion", "recipe", "chunker.decoder"),
    "a wide beam": _say(1000, "recipe", "beam"),
    "long lists": _say(100_000, "recipe", "nbest_tagging"),
    "many vectors": _say(10_000, "facts", "snapshots"),
    "a template of 20 fields": _say([" ".join(["form[0]"] * 20)], "facts", "templates"),
    "a far offset": _say(["form[2000000000]"], "facts", "templates"),
    "100,000 templates": _say(
        [f"form[{i % 40 - 20}] form[{i // 40 % 40 - 20}]" for i in range(100_000)], "facts", "templates"
    ),
}
