"""Model files with accidental or deliberate damage: refused with a message, or, with a new digest, still a good model.

Plain damage changes bytes: the digest must always notice it. Sealed damage repairs the digest, so that all the checks
after it are reached; such a file may be accepted only if it is still a model that tags.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from perceptag import ModelError, PerceptagError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.models.model_file import seal, unseal
from trust import samples
from trust.children import fork, silent
from trust.counts import Tallies, Tally

BATCH = 100  # damages for each child process
SECONDS = 20  # after which a single case counts as hung: far more than any needs, even on a busy machine
EXTRA_MEMORY = 1 << 30  # of address space, in addition to what the process has when it starts to load
BLIND = "looks at other columns"  # an accepted model either tags or ends like this
Random = np.random.Generator


def check(quick: bool) -> Tallies:
    """Try all flips and truncations of one model, and samples of worse damage to models of every kind."""
    from trust import class_files  # which damages files by the functions below
    from trust import cli_damage as doors

    data = model_of_64_kib()
    yield flips(data, range(0, 8 * len(data), 97 if quick else 1))
    yield truncations(data, range(0, len(data), 31 if quick else 1))
    models = samples.kinds()
    yield in_children("random damage, digest as it was", plain, models, 1_500 if quick else 50_000)
    yield in_children("random damage, sealed again", sealed, models, 1_500 if quick else 50_000)
    yield in_children("the same on the command line", doors.through_the_command_line, models, 150 if quick else 3_000)
    checkpoints, number = doors.checkpoints(), 400 if quick else 5_000
    yield in_children("damaged checkpoints", doors.plain_checkpoint, checkpoints, number)
    yield in_children("damaged checkpoints, sealed again", doors.sealed_checkpoint, checkpoints, number)
    yield in_children("damaged class files", class_files.plain, class_files.good(), number)
    yield in_children("damaged class files, sealed again", class_files.sealed, class_files.good(), number)


def model_of_64_kib() -> bytes:
    """Return a model of exactly 64 KiB; padding in its manifest makes it so."""
    tagger = Tagger(recipe="collins-pos", epochs=2).fit(list(samples.sentences(16)))
    size = len(modelfile.to_bytes(tagger.model_)[0])
    while size < 65_536:
        tagger.model_.manifest["padding"] = "x" * (65_536 - size + len(tagger.model_.manifest.get("padding", "")))
        size = len(modelfile.to_bytes(tagger.model_)[0])
        if size > 65_536:
            tagger.model_.manifest["padding"] = tagger.model_.manifest["padding"][: 65_536 - size]
            size = len(modelfile.to_bytes(tagger.model_)[0])
    return modelfile.to_bytes(tagger.model_)[0]


def flips(data: bytes, bits: Iterable[int]) -> Tally:
    """Flip each of these bits."""
    tally = Tally(f"single-bit flips of a model of {len(data):,} bytes")
    damaged = bytearray(data)
    for bit in bits:
        damaged[bit // 8] ^= 1 << bit % 8
        tally.add(_refusal(bytes(damaged), f"bit {bit}"))
        damaged[bit // 8] ^= 1 << bit % 8
    return tally


def truncations(data: bytes, lengths: Iterable[int]) -> Tally:
    """Cut the file off at each of these lengths."""
    tally = Tally(f"truncations of a model of {len(data):,} bytes")
    for length in lengths:
        tally.add(_refusal(data[:length], f"length {length}"))
    return tally


def _refusal(data: bytes, what: str) -> str | None:
    try:
        modelfile.load_bytes(data, "m")
    except ModelError as error:
        is_clear = str(error).startswith("m: ") and ("damaged" in str(error) or "not a perceptag" in str(error))
        return None if is_clear else f"{what}: unclear message {error}"
    except Exception as error:
        return f"{what}: {type(error).__name__}: {error}"
    return f"{what}: accepted"


# ---------------------------------------------------------------------------------------- in children


def in_children(what: str, attempt: Callable[..., str | None], models: dict[str, bytes], number: int) -> Tally:
    """Try `number` damages, about a hundred in each child; if a child dies, the case it was trying is known."""
    tally = Tally(what)
    names = list(models)
    ends: Counter[str] = Counter()
    size = max(1, min(BATCH, number // len(names)))  # so that each of the models is tried
    for first in range(0, number, size):
        name = names[first // size % len(names)]
        seeds = list(range(first, min(number, first + size)))
        while seeds:
            done = _batch(attempt, models[name], seeds)
            for seed, fault in done:
                tally.add(None if fault in ("refused", "taken", BLIND) else f"{name}, seed {seed}: {fault}")
                ends[str(fault)] += 1
            seeds = seeds[len(done) :]
    if ends["taken"]:
        blind = f", {ends[BLIND]:,} that look at other columns" if ends[BLIND] else ""
        tally.note = f"{len(names)} kinds of file; {ends['taken']:,} still good and accepted{blind}"
    return tally


def _batch(attempt: Callable[..., str | None], data: bytes, seeds: list[int]) -> list[tuple[int, str | None]]:
    """Return what happened with each seed, up to the first that killed the child."""
    reader, writer = os.pipe()

    def work() -> None:
        silent()
        _limit_memory()
        for seed in seeds:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)  # the signal is not handled, so it ends the child
            os.write(writer, f"{seed}\t{attempt(data, np.random.default_rng(seed))!s:.300}\n".encode())

    end = fork(work, SECONDS * 20)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        lines = [line.rstrip("\n").partition("\t") for line in pipe]
    done: list[tuple[int, str | None]] = [(int(seed), fault) for seed, _, fault in lines]
    if end.fault and len(done) < len(seeds):
        done.append((seeds[len(done)], end.fault[-800:]))
    return done


def _limit_memory() -> None:
    pages = int(open("/proc/self/statm", encoding="ascii").read().split()[0])
    most = pages * resource.getpagesize() + EXTRA_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def plain(data: bytes, rng: Random) -> str:
    """Damage a model without changing the digest."""
    damaged = mutate_bytes(data, rng)
    if damaged == data:
        return "refused"  # nothing was damaged, so there is nothing to notice
    return _refusal(damaged, "plain damage") or "refused"


def sealed(data: bytes, rng: Random) -> str:
    """Damage a model and repair the digest."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(cover_up(data, rng))
        file.flush()
        try:
            tagger = Tagger.load(file.name)
        except PerceptagError as error:
            return "refused" if str(error).startswith(f"{file.name}: ") else f"unclear message {error}"
    return uses(tagger)


def uses(tagger: Tagger) -> str:
    """Return whether an accepted model tags, and is the same after another save and load."""
    inputs = [*samples.unlabelled(samples.sentences(3)), Sentence({"form": ["Qxz"], "pos": ["?"]})]
    needed = [c for c in tagger.model_.columns if c != tagger.model_.label_set.column]
    inputs = [
        Sentence({name: s.columns.get(name, s.columns["form"]) for name in [*s.columns, *needed]}) for s in inputs
    ]
    try:
        labels = tagger.predict(inputs)
    except PerceptagError as error:
        # The only thing that a good model may miss is a column that perceptag adds, such as that of a gazetteer.
        return BLIND if "which the model looks at" in str(error) else f"loaded, but does not tag: {str(error)!r}"
    if [len(y) for y in labels] != [len(s) for s in inputs]:
        return "the number of labels is not that of tokens"
    again = samples.load(modelfile.to_bytes(tagger.model_)[0])
    return "taken" if again.predict(inputs) == labels else "another model after saving it"


# ------------------------------------------------------------------------------------------ mutations

ODD = (0, 1, -1, 2, 127, 255, 256, 2**15, 2**16, 2**31 - 1, -(2**31), 2**32 - 1, 2**53, 2**62, 10**30, -(10**30))
VALUES = ("", "x", "\0", "ß\u2028", "O", "B-", "none", True, None, [], {}, 1.5, "1e999")
VALUES += ("\ud800", "\x1b[31m", float("nan"), float("inf"), -float("inf"), [[]], {"": None})


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """Flip, cut, insert, overwrite, fill or swap bytes somewhere."""
    damaged = bytearray(data)
    for _ in range(rng.integers(1, 4)):
        size = len(damaged)
        if not size:
            break
        first, last = sorted(int(i) for i in rng.integers(0, size, 2))
        last = min(last, first + 4096)
        match rng.integers(7):
            case 0:
                damaged[first] ^= 1 << int(rng.integers(8))
            case 1:
                del damaged[first : last + 1]
            case 2:
                damaged[first:last] = rng.bytes(last - first)
            case 3:
                damaged[first:first] = rng.bytes(int(rng.integers(1, 64)))
            case 4:
                damaged[first:last] = bytes([(0, 255, 32, 48)[rng.integers(4)]]) * (last - first)
            case 5:
                number = ODD[rng.integers(len(ODD))] & (2**64 - 1)
                damaged[first : first + 8] = number.to_bytes(8, "little")[: size - first]
            case _:
                damaged[first:first] = damaged[first:last]
    return bytes(damaged)


def reseal_bytes(data: bytes, rng: Random) -> bytes:
    """Damage bytes anywhere and repair the digest, if its place can still be found."""
    return samples.resealed(mutate_bytes(data, rng))


def cover_up(data: bytes, rng: Random, kind: str = "model") -> bytes:
    """Do damage of any sort with the right digest; damage that changes nothing is drawn again."""
    while True:
        match rng.integers(3):
            case 0:
                damaged = reseal_bytes(data, rng)
            case 1:
                damaged = forge_arrays(data, rng, kind)
            case _:
                damaged = forge_json(data, rng, kind)
        if not _means_the_same(data, damaged, kind):
            return damaged


def _means_the_same(data: bytes, damaged: bytes, kind: str) -> bool:
    try:
        one, other = dict(unseal(data, kind)), dict(unseal(damaged, kind))
        if json.loads(one.pop("json").tobytes()) != json.loads(other.pop("json").tobytes()):
            return False
    except (ModelError, ValueError, KeyError, RecursionError):
        return False
    return one.keys() == other.keys() and all(
        a.dtype == other[name].dtype and a.shape == other[name].shape and a.tobytes() == other[name].tobytes()
        for name, a in one.items()
    )


def forge_arrays(data: bytes, rng: Random, kind: str = "model") -> bytes:
    """Change numbers, lengths, types or names of arrays."""
    arrays = {name: array.copy() for name, array in unseal(data, kind).items()}
    names = sorted(name for name in arrays if name != "json")  # a file has them in any order
    for _ in range(rng.integers(1, 4)):
        name = names[rng.integers(len(names))]
        arrays[name] = _forged(arrays[name], rng)
    if rng.integers(20) == 0:
        a, b = names[rng.integers(len(names))], names[rng.integers(len(names))]
        arrays[a], arrays[b] = arrays[b], arrays[a]
    return seal(arrays, kind)[0]


def _forged(array: np.ndarray[Any, Any], rng: Random) -> np.ndarray[Any, Any]:
    n = len(array) if array.ndim else 0
    choice = int(rng.integers(9))
    if choice < 5 and array.size:
        i, j = int(rng.integers(n)), int(rng.integers(n))
        if choice == 0:
            array.reshape(-1).view(np.uint8)[rng.integers(array.nbytes)] = rng.integers(256)
        elif choice == 1:
            array[i] = array[j]
        elif choice == 2:
            array[i] = np.array(ODD[rng.integers(12)]).astype(array.dtype)
        elif choice == 3 and array.dtype.kind == "f":
            array[i] = (np.nan, np.inf, 3e38, -1e-40, 0.5)[rng.integers(5)]
        else:
            array[i] = array[i] + np.array(1).astype(array.dtype)
        return array
    match choice:
        case 5:
            return array[: rng.integers(n + 1)]
        case 6:
            return np.concatenate([array, array])
        case 7:
            return array.astype((np.int64, np.float32, np.uint8, np.int32, np.uint32)[rng.integers(5)])
        case _:
            return array[:0]


def forge_json(data: bytes, rng: Random, kind: str = "model") -> bytes:
    """Change a value somewhere in the JSON part."""
    arrays = dict(unseal(data, kind))
    about = json.loads(arrays["json"].tobytes())
    for _ in range(rng.integers(1, 4)):
        _forge_value(about, rng)
    arrays["json"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return seal(arrays, kind)[0]


def _forge_value(about: Any, rng: Random) -> None:
    places: list[tuple[Any, Any]] = []

    def visit(value: Any) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            places.append((value, key))
            visit(inner)

    visit(about)
    part, key = places[rng.integers(len(places))]
    others = [holder[k] for holder, k in places]
    match rng.integers(6):
        case 0:
            part[key] = ODD[rng.integers(len(ODD))]
        case 1:
            part[key] = VALUES[rng.integers(len(VALUES))]
        case 2:
            part[key] = json.loads(json.dumps(others[rng.integers(len(others))]))
        case 3:
            del part[key]
        case 4 if isinstance(part[key], (int, float)) and not isinstance(part[key], bool):
            part[key] = part[key] + int(rng.integers(-3, 4))
        case _:
            if isinstance(part[key], list):
                part[key] = part[key] * 2
            elif isinstance(part[key], str):
                part[key] = part[key][::-1]
