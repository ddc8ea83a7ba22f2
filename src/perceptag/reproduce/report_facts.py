"""What a reader must know to repeat a run: versions, commit, machine; size, digest and licence of the data."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from perceptag._version import __version__
from perceptag.corpus.digest import digest
from perceptag.reproduce.corpora import CORPORA, NEWS, SHIPPED, Folder
from perceptag.reproduce.experiment import Protocol
from perceptag.reproduce.schedule import RunOutcomes
from perceptag.system.platform.machine import cpu_name
from perceptag.text import Sentence


def run_facts(folder: Folder, quick: bool, protocol: Protocol) -> dict[str, str]:
    """Return what does not depend on the results."""
    less_data = "" if folder.is_shipped else "a quarter of the training data, "
    orders = "one training order" if len(protocol.orders) == 1 else f"{len(protocol.orders)} training orders"
    full = "as published" if protocol.published else f"full, {orders}"
    return {
        "perceptag": __version__ + _commit(),
        "data": f"{SHIPPED}: {NEWS}" if folder.is_shipped else Path(folder.name).name,
        "kind of run": f"quick: {less_data}few passes, {orders}" if quick else full,
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "machine": f"{cpu_name()}, {os.cpu_count()} cores, {platform.machine()}, {platform.system()}",
        "libraries": f"Python {platform.python_version()}, numpy {np.__version__}",
        "figures": "mean ± standard deviation over training orders, or one run with its 95 % bootstrap interval",
    }


def _commit() -> str:
    """Return the commit of a checkout, or "" for an installed package."""
    here = Path(__file__).resolve().parent
    if not any((folder / ".git").exists() for folder in here.parents[:4]):
        return ""
    try:
        words = ["git", "-C", str(here), "describe", "--always", "--dirty"]
        told = subprocess.run(words, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
    return f", commit {told}"


def corpus_facts(outcome: RunOutcomes, folder: Folder, quick: bool) -> dict[str, str]:
    """Return size, digest and licence of the data of all runs."""
    facts = {}
    for name in dict.fromkeys(e.data for e in outcome.found):
        parts = folder.load(CORPORA[name], quick)
        told = [f"{part}: {_size(sentences)}" for part, sentences in parts.named().items()]
        source = None if folder.is_shipped else folder.source(CORPORA[name])
        licence = "MIT" if source is None else source.licence
        facts[f"data: {name}"] = f"{folder.title(CORPORA[name])}; {'; '.join(told)}; licence: {licence}"
    return facts


def _size(sentences: list[Sentence]) -> str:
    documents = sum(s.starts_document for s in sentences)
    marked = f"{documents:,} documents, " if documents > 1 else ""
    tokens = sum(map(len, sentences))
    return f"{marked}{len(sentences):,} sentences, {tokens:,} tokens, digest {digest(sentences)[:12]}"
