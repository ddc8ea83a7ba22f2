"""How far confidence can be trusted: expected calibration error on held-out documents, and what --min-confidence does.

    PERCEPTAG_DATA=folder python benchmarks/calibration.py [--json FILE] [MODEL ...]
    PERCEPTAG_DATA=folder python benchmarks/calibration.py --same-half MODEL

The folder holds conll2003/eng.train and eng.testa, conll2000/train.txt, and ewt/en_ewt-ud-train.conllu and -dev.conllu.
Every model is trained on the training data; the dev data choose its best pass. Then confidence is calibrated on every
other document of the dev data and measured on the rest, and the other way round. CoNLL-2000 has neither dev data nor
documents: its last 2000 training sentences are used as dev data, and every sentence as a document.

`raw` is the error of 1 / (1 + exp(-margin)). That looks like a probability but is not one, except for conditional
random fields, where it is the marginal. `--json` adds the bins of both to a file, which `make generate` draws.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from perceptag import Sentence, Tagger
from perceptag.evaluation.reliability import Reliability, reliability
from perceptag.labels.schemes import spans
from perceptag.models.calibration import fit_calibration, judge
from perceptag.models.confident import halves_of, what_has
from perceptag.models.margins import Margins
from perceptag.text import read_columns, read_conllu

DATA = Path(os.environ.get("PERCEPTAG_DATA", "data"))
LEAST = (0.0, 0.5, 0.8, 0.9, 0.95)

Corpus = Callable[[], tuple[list[Sentence], list[Sentence]]]


def conll2003() -> tuple[list[Sentence], list[Sentence]]:
    names = ["form", "pos", "chunk", "ner"]
    train, dev = (list(read_columns(DATA / "conll2003" / name, names)) for name in ("eng.train", "eng.testa"))
    return train, dev


def conll2000() -> tuple[list[Sentence], list[Sentence]]:
    sentences = list(read_columns(DATA / "conll2000" / "train.txt", ["form", "pos", "chunk"]))
    return sentences[:-2000], sentences[-2000:]


def ewt() -> tuple[list[Sentence], list[Sentence]]:
    train, dev = (list(read_conllu(DATA / "ewt" / f"en_ewt-ud-{part}.conllu")) for part in ("train", "dev"))
    return train, dev


# name: data, arguments of Tagger
MODELS: dict[str, tuple[Corpus, dict[str, object]]] = {
    "margin-ner": (conll2003, {"recipe": "margin-ner"}),
    "nonlocal-ner": (conll2003, {"recipe": "nonlocal-ner"}),
    "carreras-ner": (conll2003, {"recipe": "carreras-ner"}),
    "basic-ner": (conll2003, {"recipe": "basic-ner"}),
    "basic-ner, voted": (conll2003, {"recipe": "basic-ner", "weights": "voted"}),
    "crf": (conll2003, {"recipe": "crf", "features": "margin-ner", "epochs": 40}),
    "collins-np": (conll2000, {"recipe": "collins-np", "labels_keep": ["NP"]}),
    "shen-pos": (ewt, {"recipe": "shen-pos", "labels_column": "xpos", "epochs": 5}),
}


@dataclass(frozen=True)
class Held:
    """Held-out sentences: the labels that were found, the right ones, and the confidence in those found."""

    found: list[Margins]
    gold: list[list[str]]
    confidences: list[float]
    right: list[bool]


def crossed(tagger: Tagger, dev: list[Sentence]) -> tuple[Held, Held]:
    """Calibrate on each half and apply it to the other."""
    label_set = tagger.model_.label_set
    found, gold = tagger.ready_model.margins(dev), label_set.gold(dev)
    one, two = halves_of(dev)
    parts = []
    for mine, other in ((one, two), (two, one)):
        known = fit_calibration([found[i] for i in mine], [gold[i] for i in mine], label_set.outer)
        theirs = [found[i] for i in other], [gold[i] for i in other]
        judged = judge(*theirs, label_set.outer)
        parts.append(Held(*theirs, known.main(judged.margins), judged.right))
    return parts[0], parts[1]


def raw_reliability(parts: tuple[Held, Held], scheme: str) -> Reliability:
    judged = [judge(part.found, part.gold, scheme) for part in parts]
    margins = np.array(list(chain.from_iterable(j.margins for j in judged)))
    right = list(chain.from_iterable(j.right for j in judged))
    return reliability(what_has(scheme), (1 / (1 + np.exp(-np.clip(margins, -50, 50)))).tolist(), right)


def coverage(parts: tuple[Held, Held], scheme: str, least: float) -> tuple[float, float, float]:
    """Return precision, recall and F1 of what has at least the confidence `least`, in per cent."""
    kept = [r for part in parts for c, r in zip(part.confidences, part.right, strict=True) if c >= least]
    units = len if scheme == "none" else lambda labels: len(spans(labels, scheme))
    wanted = sum(units(labels) for part in parts for labels in part.gold)
    precision, recall = 100 * sum(kept) / max(1, len(kept)), 100 * sum(kept) / wanted
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def show(name: str, corpus: Corpus, settings: dict[str, object]) -> tuple[Reliability, Reliability]:
    """Print a row of the table; return the reliability of the raw and of the calibrated confidence."""
    train, dev = corpus()
    tagger = Tagger(**settings).fit(train, dev=dev)  # type: ignore[arg-type]
    scheme = tagger.model_.label_set.outer
    parts = crossed(tagger, dev)
    both = reliability(
        what_has(scheme), [*parts[0].confidences, *parts[1].confidences], [*parts[0].right, *parts[1].right]
    )
    errors = [reliability("", part.confidences, part.right).ece for part in parts]
    raw = raw_reliability(parts, scheme)
    cells = [name, f"{both.number} {both.what}", f"{raw.ece:.3f}", *(f"{e:.4f}" for e in errors)]
    for least in LEAST:
        precision, recall, f = coverage(parts, scheme, least)
        cells.append(f"{precision:.1f} / {recall:.1f} / {f:.1f}")
    print(f"| {' | '.join(cells)} |", flush=True)
    return raw, both


def show_same_half(name: str) -> None:
    """Measure the cost of calibrating on the data that also chose the best pass: the other half did neither."""
    corpus, settings = MODELS[name]
    train, dev = corpus()
    one, two = ([dev[i] for i in half] for half in halves_of(dev))
    for mine, other in ((one, two), (two, one)):
        tagger = Tagger(**settings).fit(train, dev=mine)  # type: ignore[arg-type]
        table = tagger.reliability(other, tagger.model_.label_set.gold(other))
        gap = sum(b.number * b.gap for b in table.bins) / table.number
        print(
            f"{name}, best pass and calibration by one half: ECE {table.ece:.4f}, mean confidence {gap:+.4f} too high"
        )


def keep(path: Path, name: str, raw: Reliability, calibrated: Reliability) -> None:
    """Add the bins of a model to a file."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept[name] = {"raw": raw.to_dict(), "calibrated": calibrated.to_dict()}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main(chosen: list[str], out: Path | None = None) -> None:
    titles = ["model", "measured on", "raw ECE", "ECE 1→2", "ECE 2→1", *(f"≥ {least:g}: P / R / F" for least in LEAST)]
    print(f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}", flush=True)
    tables = {}
    for name in chosen or MODELS:
        raw, tables[name] = show(name, *MODELS[name])
        if out:
            keep(out, name, raw, tables[name])
    for name, table in tables.items():
        print(f"\n{name}: {table.render()}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--same-half"]:
        show_same_half(sys.argv[2])
    elif sys.argv[1:2] == ["--json"]:
        main(sys.argv[3:], Path(sys.argv[2]))
    else:
        main(sys.argv[1:])
