"""Class files with random damage, with the old digest or with a new one."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from perceptag import ModelError, PerceptagError, WordClasses
from perceptag.models.class_file import load_bytes, to_bytes
from trust import samples
from trust.damage import Random, cover_up, mutate_bytes

DONE, REFUSED = 0, 2


@cache
def good() -> dict[str, bytes]:
    """Return class files: of one size and of several, with folding and without."""
    text = [sentence.tokens for sentence in samples.sentences(40)]
    one = WordClasses.learn(text, [4], min_count=1)
    some = WordClasses.learn(text, [2, 5, 9], min_count=1, fold=["digits", "lower"])
    return {"one size": to_bytes(one, one.manifest)[0], "three sizes": to_bytes(some, some.manifest)[0]}


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
