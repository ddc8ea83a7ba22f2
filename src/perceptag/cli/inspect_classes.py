"""What ``perceptag inspect`` shows of a class file."""

from __future__ import annotations

from typing import Any

import numpy as np

from perceptag.cli.table import Table, render
from perceptag.features.class_table import WordClassTable
from perceptag.models.class_file import ClassFile
from perceptag.system.plural import plural
from perceptag.system.visible import visible

WORDS = 8  # of a class that are shown


def about(file: ClassFile, top: int) -> dict[str, Any]:
    """What a class file holds, as a dictionary for JSON."""
    classes = file.classes
    return {
        "kind": "classes",
        "sizes": list(classes.sizes),
        "words": len(classes.words),
        "folding": list(classes.folding),
        "manifest": file.manifest,
        "most_frequent": {str(size): _most_frequent(classes, size, top) for size in classes.sizes},
    }


def _most_frequent(classes: WordClassTable, size: int, top: int) -> list[dict[str, Any]]:
    tokens = np.bincount(classes.numbers[:, classes.column(size)], weights=classes.counts, minlength=size)
    return [
        {
            "class": number,
            "tokens": int(tokens[number]),
            "words": len(classes.members(size, number)),
            "examples": classes.examples(size, number, WORDS),
        }
        for number in range(min(top or size, size))
    ]


def show(found: dict[str, Any], digest: str) -> str:
    """The same as text; `digest` is the line about digests."""
    lines = [
        f"{found['file']}: word classes, {found['bytes']} bytes",
        digest,
        f"words: {found['words']}; sizes: {', '.join(map(str, found['sizes']))}; folded: {_listed(found['folding'])}",
        *_history(found),
    ]
    tables = (_table(size, rows) for size, rows in found["most_frequent"].items() if rows)
    return "\n".join([*map(visible, lines), *tables])


def _history(found: dict[str, Any]) -> list[str]:
    """What the manifest says of the text and of the clustering, if it says so."""
    manifest = found["manifest"]
    if "tokens" not in manifest:
        return []
    sizes = zip(found["sizes"], manifest["passes"], manifest["likelihood"], strict=True)
    return [
        f"learned by perceptag {manifest['perceptag']}",
        f"  text: {plural(manifest['sentences'], 'sentence')}, {plural(manifest['tokens'], 'word')}",
        f"  {manifest['types']} different words; clustered: those seen {manifest['min_count']} times or more",
        f"  dropped to save memory: {plural(manifest['dropped_words'], 'word')}, "
        f"{plural(manifest['dropped_bigrams'], 'bigram')}",
        *(
            f"  {plural(size, 'class')}: {plural(passes, 'pass')}, {-bits:.3f} bits for each word"
            for size, passes, bits in sizes
        ),
    ]


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "nothing"


def _table(size: str, rows: list[dict[str, Any]]) -> str:
    cells = [(str(row["class"]), str(row["tokens"]), str(row["words"]), row["examples"]) for row in rows]
    table = Table(["class", "tokens", "words", "the most frequent words"], (0, 1, 2), cells)
    return render(table, f"{size} classes, the most frequent first")
