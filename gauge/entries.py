"""All entries of the gauge, by name: functions that train and tag something, and write down what comes out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gauge import real, texts, writers
from gauge.corpora import real_folder, shipped_data
from gauge.lines import Parts
from gauge.taggers import TRIALS, Trial, observe

Entries = dict[str, Callable[[], Parts]]


def entries(threads: int) -> Entries:
    """Return the entries that can be run here: those with real corpora if PERCEPTAG_DATA names their folder."""
    found: Entries = {f"recipes/{name}": partial(_shipped, trial, threads) for name, trial in TRIALS.items()}
    found["recipes"] = recipes
    found["texts/tokenize"] = texts.tokenizer
    found["texts/tokenize-patterns"] = partial(texts.tokenizer, tokens_patterns=True)
    found |= {f"english/{name}": partial(_english, name, threads) for name in texts.VARIANTS}
    found["english/explained"] = texts.explained
    commands = (writers.tagging, writers.text, writers.english, writers.converting)
    found |= {f"writers/{each.__name__}": partial(writers.written, each) for each in commands}
    folder = real_folder()
    return found if folder is None else found | _real(folder, threads)


def run(name: str, threads: int) -> Parts:
    """Run one entry, perhaps in a process of its own."""
    return entries(threads)[name]()


def _real(folder: Path, threads: int) -> Entries:
    found: Entries = {f"real/{name}": partial(real.tagger, folder, trial, threads) for name, trial in TRIALS.items()}
    found |= {f"real/dev-{name}": partial(real.dev_scores, folder, name, threads) for name in real.SCORED}
    found |= {
        f"real/text-{path.name.split('.')[0]}": partial(_open_text, path, threads)
        for path in sorted((folder / "open/text_en").glob("*.txt.gz"))
    }
    return found


def _shipped(trial: Trial, threads: int) -> Parts:
    return observe(trial, shipped_data(trial.label, dev=trial.dev), threads)


def _english(name: str, threads: int) -> Parts:
    return texts.english(threads, texts.variant(name))


def _open_text(path: Path, threads: int) -> Parts:
    return texts.english(threads, texts.open_text(path))


def recipes() -> Parts:
    """Return the names of the shipped recipes, and of those that have no entry."""
    command = [sys.executable, "-m", "perceptag", "list", "--json"]
    names = {each["name"] for each in json.loads(subprocess.run(command, check=True, capture_output=True).stdout)}
    used = {trial.recipe for trial in TRIALS.values()} | {"tokenize"}
    return {"names": sorted(names), "without an entry": sorted(names - used)}
