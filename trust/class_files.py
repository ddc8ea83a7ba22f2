"""Class files: bad ones, bad texts to learn classes from, and random damage."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

from perceptag import ModelError, PerceptagError, WordClasses
from perceptag.models.class_file import load_bytes, to_bytes
from perceptag.models.model_file import seal, unseal
from trust import samples
from trust.damage import Random, cover_up, mutate_bytes

# Its name, the message, name and content of the file, the words of the command line, and the use from Python.
Bad = tuple[str, str, str, bytes, tuple[str, ...], Callable[[Path], object]]
INSPECT = ("inspect", "BAD")
LEARN = ("classes", "BAD", "-o", "old.model", "--overwrite", "-q", "--sizes", "2")
DONE, REFUSED = 0, 2


@cache
def good() -> dict[str, bytes]:
    """Return class files: of one size and of several, with folding and without."""
    text = [sentence.tokens for sentence in samples.sentences(40)]
    one = WordClasses.learn(text, [4], min_count=1)
    some = WordClasses.learn(text, [2, 5, 9], min_count=1, fold=["digits", "lower"])
    return {"one size": to_bytes(one, one.manifest)[0], "three sizes": to_bytes(some, some.manifest)[0]}


def every() -> Iterator[Bad]:
    """Yield every case."""
    for name, (data, message) in files().items():
        told = rf"bad\.classes: .*({message})"
        yield f"classes: {name}", told, "bad.classes", data, INSPECT, lambda path: WordClasses.load(path.name)


def files() -> dict[str, tuple[bytes, str]]:
    """Class files that are damaged, or whose parts do not fit together."""
    data = good()["three sizes"]
    arrays, middle = unseal(data, "class"), len(data) // 2
    fewer = {**arrays, "classes.numbers": arrays["classes.numbers"][:-3]}
    other = {**arrays, "classes.numbers": np.full_like(arrays["classes.numbers"], 9)}
    none = {name: array for name, array in arrays.items() if name != "classes.words"}
    newer = samples.resealed(data.replace(b"class 1 sha256:", b"class 9 sha256:"))
    return {
        "half": (data[:middle], "damaged|not a perceptag"),
        "one byte less": (data[:-1], "damaged"),
        "one bit": (data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :], "damaged"),
        "a newer version": (newer, "version 9"),
        "a word without classes": (seal(fewer, "class")[0], "expected a count and 3 classes for each"),
        "a class out of range": (seal(other, "class")[0], "expected classes below the size"),
        "no words": (seal(none, "class")[0], "array 'classes.words': expected a vector"),
    }


def texts() -> Iterator[tuple[str, str, bytes, tuple[str, ...], str]]:
    """Yield texts that are not text, or too little of it: in the form of `trust.other_verbs`."""
    bad = {
        "invalid UTF-8": (b"a b\na \xff\n", r"bad\.txt:2: invalid UTF-8: byte 0xFF"),
        "NUL": (b"a b\na \0\n", r"bad\.txt:2: NUL character"),
        "nothing": (b"", r"bad\.txt: the text has no words"),
        "one word": (b"a a a\n", r"bad\.txt: expected two words or more"),
        "every word once": (b"a b c\n", r"bad\.txt: expected two words or more"),
        "half a compressed file": (b"\x1f\x8b\x08\0\0\0\0\0\0\3KT", r"bad\.txt: cannot read: the compressed file"),
    }
    for name, (data, message) in bad.items():
        yield f"text for classes: {name}", "bad.txt", data, LEARN, message


def plain(data: bytes, rng: Random) -> str:
    """Damage a class file without changing the digest: this must be noticed."""
    damaged = mutate_bytes(data, rng)
    if damaged == data:
        return "refused"  # nothing was damaged, so there is nothing to notice
    try:
        load_bytes(damaged, "m")
    except ModelError as error:
        return "refused" if str(error).startswith("m: ") else f"unclear message {error}"
    return "accepted"


def sealed(data: bytes, rng: Random) -> str:
    """Damage a class file and repair the digest: it is refused, or every word has classes, and it can be shown."""
    damaged = cover_up(data, rng, "class")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m")
        path.write_bytes(damaged)
        shown = samples.command_line.run("inspect", path)
        if shown.status not in (DONE, REFUSED) or "\n" in shown.err.strip():
            return f"inspect: status {shown.status}: {shown.err[-250:]!r}"
        try:
            classes = WordClasses.load(path)
        except PerceptagError as error:
            return "refused" if str(error).startswith(f"{path}: ") else f"unclear message {error}"
    for word in (*classes.words[:50], "Unknown", "1,234"):
        for size in classes.sizes:
            number = classes.of(word, size)
            if number is not None:
                classes.examples(size, number)
    return "taken"
