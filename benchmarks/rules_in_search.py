"""Lists of names as rules that suggest labels, next to the same lists as features.

    PERCEPTAG_DATA=… python -m benchmarks.rules_in_search [--recipe basic-ner] [--epochs 5] [--lists small] [--share 1]

Two models of each corpus (CoNLL-2003, and names in the English Web Treebank) are trained: without lists, and with the
lists as features. Each is measured on dev data with and without rules that suggest a label for exactly the spans that
a list has. The weight of each label's rule is chosen on every other document of dev data and used on the rest, and the
other way round, so no document is used for both.

small   countries, states, provinces and large cities (LOC), first names (PER)
open    places (LOC), organisations (ORG), first names, and first names before family names (PER)
"""

from __future__ import annotations

import argparse
import gzip
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from perceptag import Sentence, Tagger
from perceptag.evaluation.scoring import MainScore
from perceptag.features.gazetteer import Gazetteer
from perceptag.models.confident import halves_of
from perceptag.models.span_rules import margin_unit
from perceptag.rules.spans import RuleSpan
from perceptag.text import read_columns
from perceptag.training.vote_weights import choose_weight, weighted

CORPORA = {
    "CoNLL-2003": ("conll2003/eng.train", "conll2003/eng.testa", ["form", "pos", "chunk", "ner"]),
    "UNER": ("uner/en_ewt.train", "uner/en_ewt.dev", ["form", "ner"]),
}
LISTS = {  # the files of each list
    "small": {
        "LOC": ["lists/countries.txt", "lists/usstates.txt", "lists/uscities.txt", "lists/caprovinces.txt"],
        "first": ["lists/female.txt", "lists/male.txt"],
    },
    "open": {
        "LOC": ["open/names/MERGED_loc.txt.gz"],
        "ORG": ["open/names/MERGED_org.txt.gz"],
        "first": ["open/names/MERGED_first_names.txt.gz"],
        "last": ["open/names/MERGED_last_names.txt.gz"],
    },
}
Rules = list[list[RuleSpan]]


def phrases_of(data: Path, files: Sequence[str]) -> list[str]:
    """Return the phrases of some files, one a line."""
    found: list[str] = []
    for name in files:
        with (gzip.open if name.endswith(".gz") else open)(data / name, "rt") as lines:
            found += [line.strip() for line in lines if line.strip()]
    return found


def suggestions(sentence: Sentence, lists: Gazetteer) -> list[RuleSpan]:
    """Return a suggestion for each span that a list has; a first name takes a family name after it."""
    marks = lists.match(sentence.tokens)
    found = []
    for t, here in enumerate(marks):
        for label in ("LOC", "ORG"):
            if f"B-{label}" in here:
                end = next((k for k in range(t + 1, len(marks)) if f"I-{label}" not in marks[k]), len(marks))
                found.append(RuleSpan(t, end, label, "suggest", 1.0, label))
        if "B-first" in here:
            more = t + 1 < len(marks) and "B-last" in marks[t + 1]
            found.append(RuleSpan(t, t + 1 + more, "PER", "suggest", 1.0, "PER"))
    return found


def with_weights(tagger: Tagger, dev: Sequence[Sentence], rules: Rules) -> tuple[Rules, dict[str, float]]:
    """Return the rules with weights chosen on dev data, one label after the other."""
    chosen: dict[str, float] = {}
    current = weighted(rules, 0.0)
    for name in ("LOC", "PER", "ORG"):
        best = choose_weight(tagger.ready_model, dev, current, names={name}, model=tagger.model_)
        chosen[name] = best.weight
        current = weighted(current, best.weight, {name})
    return current, chosen


def crossed(tagger: Tagger, dev: Sequence[Sentence], rules: Rules) -> tuple[list[list[str]], list[dict[str, float]]]:
    """Tag each half of dev data with weights chosen on the other half."""
    labels: list[list[str]] = [[] for _ in dev]
    weights = []
    halves = halves_of(dev)
    for mine, other in (halves, halves[::-1]):
        _, chosen = with_weights(tagger, [dev[i] for i in mine], [rules[i] for i in mine])
        used = [rules[i] for i in other]
        for name, weight in chosen.items():
            used = weighted(used, weight, {name})
        for i, found in zip(other, tagger.predict([dev[i] for i in other], rules=used), strict=True):
            labels[i] = found
        weights.append(chosen)
    return labels, weights


def measure(data: Path, corpus: str, options: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Yield lines of the report about one corpus."""
    train_file, dev_file, columns = CORPORA[corpus]
    train, dev = (list(read_columns(data / name, columns)) for name in (train_file, dev_file))
    train = train[: int(len(train) * options.share)]
    phrases = {name: phrases_of(data, files) for name, files in LISTS[options.lists].items()}
    paths = []
    for name, lines in phrases.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
        paths.append(f"{name}={folder / name}.txt")
    lists = Gazetteer({name: {tuple(line.split()) for line in lines} for name, lines in phrases.items()})
    rules = [suggestions(sentence, lists) for sentence in dev]
    gold = MainScore([s.columns["ner"] for s in dev])
    right = sum(_is_right(rule, s) for own, s in zip(rules, dev, strict=True) for rule in own)
    yield f"{corpus}: {len(train)} sentences, {sum(map(len, rules))} suggested spans in dev data, {right} of them right"
    ways: dict[str, dict[str, Any]] = {"without lists": {}, "lists as features": {"add_gazetteer": paths}}
    for name, more in ways.items():
        begin = time.process_time()
        tagger = Tagger(options.recipe, labels_column="ner", epochs=options.epochs, **more).fit(train, dev=dev)
        seconds = time.process_time() - begin
        plain, (ruled, weights) = gold.chunks(tagger.predict(dev)), crossed(tagger, dev, rules)
        voted = gold.chunks(ruled)
        chosen = " and ".join(" ".join(f"{label} {w:g}" for label, w in each.items()) for each in weights)
        unit = f"unit {margin_unit(tagger.model_):.2f}, {seconds:.0f} s of training"
        yield f"  {name:20} P {plain.precision:.2f} R {plain.recall:.2f} F1 {plain.f1:.2f}   ({unit})"
        yield f"  {'with rules':20} P {voted.precision:.2f} R {voted.recall:.2f} F1 {voted.f1:.2f}   ({chosen})"


def _is_right(rule: RuleSpan, sentence: Sentence) -> bool:
    from reference.constrained import contains

    labels = sentence.columns["ner"]
    return contains(labels, rule, "IOB2")


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--recipe", default="basic-ner")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lists", choices=LISTS, default="small")
    parser.add_argument("--share", type=float, default=1.0, help="of the training data")
    parser.add_argument("--corpus", choices=CORPORA, action="append")
    parser.add_argument("--folder", type=Path, default=Path("build/rules_in_search"))
    options = parser.parse_args()
    data = Path(os.environ["PERCEPTAG_DATA"])
    options.folder.mkdir(parents=True, exist_ok=True)
    for corpus in options.corpus or CORPORA:
        for line in measure(data, corpus, options, options.folder):
            print(line, flush=True)


if __name__ == "__main__":
    main()
