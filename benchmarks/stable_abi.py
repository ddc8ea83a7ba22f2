"""What the stable ABI of Python would cost: three loops over Python objects, with it and without it.

    python3.12 -m benchmarks.stable_abi

They are those of cpp/bind/text/tokens.cpp: are all values text, the numbers of words, the names of labels. The stable
ABI has only functions for that, no look into objects. It needs Python 3.12 or newer, nanobind, and g++.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TRAIN = HERE.parent / "src" / "perceptag" / "data" / "train.txt"
FLAGS = "-std=c++20 -O3 -fPIC -shared -fvisibility=hidden -fno-strict-aliasing -DNDEBUG -DNB_COMPACT_ASSERTIONS"
LENGTH, ROUNDS = 25, 15


def build(name: str, folder: Path, *flags: str) -> Any:
    """Compile the loops into a module, and import it."""
    import nanobind  # type: ignore[import-untyped]

    at = Path(nanobind.__file__).parent
    folders = [sysconfig.get_paths()["include"], at / "include", at / "ext" / "robin_map" / "include"]
    command = ["g++", *FLAGS.split(), *flags, f"-DMODULE={name}", *(f"-I{one}" for one in folders)]
    command += [str(HERE / "stable_abi.cpp"), str(at / "src" / "nb_combined.cpp"), "-o", str(folder / f"{name}.so")]
    subprocess.run(command, check=True)
    return importlib.import_module(name)


def nanoseconds(work: Callable[[], object], tokens: int) -> float:
    """CPU time for each token, the best of several."""
    found = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found) / tokens * 1e9


def loops(module: Any, sentences: list[list[str]]) -> dict[str, Callable[[], object]]:
    """The three loops over all sentences."""
    lexicon = {word: i for i, word in enumerate({word for sentence in sentences for word in sentence})}
    names, ids = tuple(f"L{i}" for i in range(40)), bytes(range(LENGTH))
    return {
        "are all values text": lambda: [module.are_texts(sentence) for sentence in sentences],
        "numbers of words": lambda: [module.type_ids(lexicon, sentence) for sentence in sentences],
        "names of labels": lambda: [module.name_list(names, ids) for _ in sentences],
    }


def main() -> None:
    """Measure and print a table."""
    words = TRAIN.read_text("utf-8").split() * 5
    sentences = [words[i : i + LENGTH] for i in range(0, len(words), LENGTH)]
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        made = {
            "usual": build("usual", Path(folder)),
            "stable": build("stable", Path(folder), "-DPy_LIMITED_API=0x030C0000"),
        }
        works = {name: loops(module, sentences) for name, module in made.items()}
        print("| loop, ns a token | usual ABI | stable ABI |\n|---|---|---|")
        for loop in works["usual"]:
            figures = [f"{nanoseconds(works[name][loop], len(words)):.1f}" for name in made]
            print(f"| {loop} | {figures[0]} | {figures[1]} |")


if __name__ == "__main__":
    main()
