"""What else can plain text give, next to word classes? Names (UNER) with several attributes, lists and ways to train.

    python -m benchmarks.unlabelled --data FOLDER --classes FILE --out FILE.jsonl [--seeds 0] [--only lists,neighbours]

Every try is the recipe `ner` with 10 passes and one margin. All but `none` and `lists-alone` have word classes.
The best pass is chosen on dev data, and F1 is measured on them. Finished runs in FILE.jsonl are not done again.
FILE.model is the model with classes (seed 0), and FILE.tagged.jsonl what it says about the plain text.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

from perceptag import Sentence, Tagger, evaluate
from perceptag.labels.schemes import Span, spans_to_labels
from perceptag.text.documents import split_documents
from perceptag.text.formats import read

COLUMNS = ("form", "ner")
LISTS = {
    "first": ("female", "male"),
    "country": ("countries",),
    "city": ("uscities",),
    "state": ("usstates", "caprovinces"),
    "nation": ("nationalities",),
}
SHARES = (0.01, 0.1, 0.5, 0.9, 0.99)  # borders between the values of the share of capitals
NEIGHBOURS, SEEN = 3, 5  # how many neighbours a word has; how often it must be seen
CERTAIN = 0.9  # the least confidence; no span reaches 0.99
SOME, SHORT = 3000, 5  # tri-training: sentences of each sample, passes

Attribute = Callable[[str], str | list[str] | None]


@dataclass(frozen=True)
class Lab:
    """The data, and what was learned from plain text."""

    folder: Path
    classes: str
    out: Path
    sentences: int

    @cached_property
    def train(self) -> list[Sentence]:
        """The labelled sentences."""
        return list(read(str(self.folder / "uner/en_ewt.train"), columns=COLUMNS))

    @cached_property
    def dev(self) -> list[Sentence]:
        """The sentences that choose the pass and give the score."""
        return list(read(str(self.folder / "uner/en_ewt.dev"), columns=COLUMNS))

    def plain(self) -> Iterator[list[str]]:
        """The words of the plain text."""
        with gzip.open(self.folder / "unlabelled/news.txt.gz", "rt", encoding="utf-8") as lines:
            yield from filter(None, map(str.split, lines))

    def drawn(self) -> list[list[str]]:
        """Some sentences from all parts of the plain text."""
        everything = list(self.plain())
        return random.Random(0).sample(everything, min(self.sentences, len(everything)))

    def fit(self, seed: int, train: list[Sentence] | None = None, **settings: Any) -> Tagger:
        """Train with word classes, and with `settings`."""
        fixed: dict[str, Any] = {
            "labels.column": "ner",
            "epochs": 10,
            "margins": 1,
            "classes": self.classes,
            "seed": seed,
        }
        return Tagger("ner", **(fixed | settings)).fit(self.train if train is None else train, dev=self.dev)

    @cached_property
    def baseline(self) -> Tagger:
        """The model with classes alone, seed 0. It is also kept in a file."""
        path = self.out.with_suffix(".model")
        if not path.exists():
            self.fit(0).save(path)
        return Tagger.load(path)

    def f1(self, labels: list[list[str]]) -> float:
        """F1 of some labels of the dev data."""
        return evaluate([s.columns["ner"] for s in self.dev], labels).main_score[1]

    @cached_property
    def tagged(self) -> list[dict[str, Any]]:
        """Sentences of the plain text with their spans, and how certain the model with classes is of them."""
        path = self.out.with_suffix(".tagged.jsonl")
        if not path.exists():
            lines = _tag(self.baseline, self.drawn())
            path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return [json.loads(line) for line in path.read_text().splitlines()]


def _tag(tagger: Tagger, text: list[list[str]]) -> Iterator[dict[str, Any]]:
    for words, certain, found in zip(
        text, tagger.predict_confidence(text), tagger.predict_confident_spans(text), strict=True
    ):
        yield {
            "words": words,
            "least": min(certain, default=0.0),
            "spans": [[span.start, span.end, span.label, p] for span, p in found],
        }


# Attributes


def neighbours(lab: Lab) -> dict[str, Attribute]:
    """The most frequent words to the left and to the right of a word."""
    sides: tuple[defaultdict[str, Counter[str]], ...] = (defaultdict(Counter), defaultdict(Counter))
    for words in _all_text(lab):
        lower = ["<s>", *(word.lower() for word in words), "</s>"]
        for i, word in enumerate(words):
            sides[0][word][lower[i]] += 1
            sides[1][word][lower[i + 2]] += 1
    return {name: _most_frequent(side) for name, side in zip(("before", "after"), sides, strict=True)}


def _most_frequent(side: dict[str, Counter[str]]) -> Attribute:
    table = {w: [n for n, _ in c.most_common(NEIGHBOURS)] for w, c in side.items() if c.total() >= SEEN}
    return lambda word: table.get(word) or table.get(word.lower())


def capitals(lab: Lab) -> dict[str, Attribute]:
    """How often a word is capitalised inside sentences, in six steps."""
    seen, upper = Counter[str](), Counter[str]()
    for words in _all_text(lab):
        for word in words[1:]:
            seen[word.lower()] += 1
            upper[word.lower()] += word[:1].isupper()
    shares = {word: str(sum(upper[word] / n > border for border in SHARES)) for word, n in seen.items() if n >= 3}
    return {"share": lambda word: shares.get(word.lower())}


def _all_text(lab: Lab) -> Iterator[list[str]]:
    yield from lab.plain()
    for sentence in lab.train:
        yield sentence.tokens


# Lists


def public_lists(lab: Lab, mark: str = "") -> list[str]:
    """The small public lists; `mark` is ~ for matches in any case."""
    folder = lab.folder / "lists"
    return [f"{name}{mark}={_joined(lab, name, [folder / f'{file}.txt' for file in LISTS[name]])}" for name in LISTS]


def _joined(lab: Lab, name: str, files: list[Path]) -> Path:
    lines = {line.strip() for file in files for line in file.read_text().splitlines()}
    return _write_list(lab, name, lines - {""})


def harvested(lab: Lab, least: float = CERTAIN) -> list[str]:
    """One list for each type: the spans that the model is certain of, seen twice or more."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for line in lab.tagged:
        for start, end, label, certain in line["spans"]:
            if certain >= least:
                counts[label][" ".join(line["words"][start:end])] += 1
    found = {label: {phrase for phrase, n in some.items() if n >= 2} for label, some in counts.items()}
    print({label: len(some) for label, some in found.items()}, "harvested phrases")
    return [f"found{label}={_write_list(lab, f'found{label}', some)}" for label, some in found.items() if some]


def _write_list(lab: Lab, name: str, phrases: set[str]) -> Path:
    path = lab.out.with_suffix(f".{name}.txt")
    path.write_text("".join(f"{phrase}\n" for phrase in sorted(phrases)))
    return path.absolute()


# Training on one's own labels


def certain_sentences(lab: Lab, least: float = CERTAIN) -> list[Sentence]:
    """Sentences with a span of which every label is certain, at most as many as the training data."""
    some = (line for line in lab.tagged if line["spans"] and _least(line) >= least)
    found = list(islice(map(_labelled, some), len(lab.train)))
    print(len(found), "sentences join the training data")
    return found


def _least(line: dict[str, Any]) -> float:
    return float(min([line["least"], *(span[3] for span in line["spans"])]))


def _labelled(line: dict[str, Any]) -> Sentence:
    spans = [Span(start, end, label) for start, end, label, _ in line["spans"]]
    return _document(line["words"], spans_to_labels(spans, len(line["words"]), "IOB2"))


def _document(words: list[str], labels: list[str]) -> Sentence:
    """A document of one sentence: the plain text does not say where its documents begin."""
    return Sentence({"form": words, "ner": labels}, starts_document=True)


def tri_training(lab: Lab, seed: int) -> dict[str, Any]:
    """One round with three models of small samples; scores are those of their votes."""
    samples = [_sample(lab, 3 * seed + i) for i in range(3)]
    models = [lab.fit(seed, sample, epochs=SHORT) for sample in samples]
    text = lab.drawn()[: 2 * SOME]
    said = [model.predict(text) for model in models]
    joined = [_agreed(text, said, third)[:SOME] for third in range(3)]
    after = [lab.fit(seed, s + more, epochs=SHORT) for s, more in zip(samples, joined, strict=True)]
    return {
        "before": _vote_score(lab, models),
        "score": _vote_score(lab, after),
        "mean before": mean(lab.f1(m.predict(lab.dev)) for m in models),
        "mean after": mean(lab.f1(m.predict(lab.dev)) for m in after),
        "joined": [len(more) for more in joined],
    }


def _sample(lab: Lab, seed: int) -> list[Sentence]:
    """Documents drawn with replacement."""
    documents, draw, found = split_documents(lab.train), random.Random(seed), list[Sentence]()
    while len(found) < SOME:
        found += draw.choice(documents)
    return found[:SOME]


def _agreed(text: list[list[str]], said: list[list[list[str]]], third: int) -> list[Sentence]:
    """Sentences to which two models give the same labels, and the third other ones."""
    first, second = (said[i] for i in range(3) if i != third)
    rows = zip(text, first, second, said[third], strict=True)
    return [_document(words, a) for words, a, b, c in rows if a == b != c]


def _vote_score(lab: Lab, models: list[Tagger]) -> float:
    """F1 of the label that most models give to a token; the first model decides if all differ."""
    said = [model.predict(lab.dev) for model in models]
    return lab.f1(
        [[Counter(x).most_common(1)[0][0] for x in zip(*rows, strict=True)] for rows in zip(*said, strict=True)]
    )


# Tries


def _trained(settings: Callable[[Lab], dict[str, Any]], lab: Lab, seed: int) -> dict[str, Any]:
    given = settings(lab)
    tagger = lab.fit(seed, **given) if given or seed else lab.baseline
    return {"score": lab.f1(tagger.predict(lab.dev))}


def _with_attributes(make: Callable[[Lab], dict[str, Attribute]], lab: Lab) -> dict[str, Any]:
    found = make(lab)
    return {"attributes": found, "add": [f"{name}[-1..1]" for name in found]}


SETTINGS: dict[str, Callable[[Lab], dict[str, Any]]] = {
    "none": lambda _: {"without": ["classes"]},
    "classes": lambda _: {},
    "lists": lambda lab: {"add_gazetteer": public_lists(lab)},
    "lists-alone": lambda lab: {"without": ["classes"], "add_gazetteer": public_lists(lab)},
    "harvested": lambda lab: {"add_gazetteer": harvested(lab)},
    "self-training": lambda lab: {"train": lab.train + certain_sentences(lab)},
    "harvested-0.8": lambda lab: {"add_gazetteer": harvested(lab, 0.8)},
    "self-training-0.8": lambda lab: {"train": lab.train + certain_sentences(lab, 0.8)},
    "lists-any-case": lambda lab: {"add_gazetteer": public_lists(lab, "~")},
    "lists-window": lambda lab: {"add_gazetteer": public_lists(lab), "add": ["gazetteer[-2]", "gazetteer[2]"]},
    "lists-harvested": lambda lab: {"add_gazetteer": public_lists(lab) + harvested(lab)},
    "neighbours": partial(_with_attributes, neighbours),
    "capitals": partial(_with_attributes, capitals),
}
TRIES: dict[str, Callable[[Lab, int], dict[str, Any]]] = {
    name: partial(_trained, settings) for name, settings in SETTINGS.items()
} | {"tri-training": tri_training}


def main() -> None:
    """Run what is missing, and print all results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--classes", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--only", default=",".join(TRIES))
    parser.add_argument("--sentences", type=int, default=40_000, help="of plain text that are tagged")
    given = parser.parse_args()
    lab = Lab(given.data, given.classes, given.out, given.sentences)
    results = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(r["try"], r["seed"]) for r in results}
    for seed in map(int, given.seeds.split(",")):
        for name in given.only.split(","):
            if (name, seed) in done:
                continue
            started = time.process_time()
            found = TRIES[name](lab, seed)
            results.append({"try": name, "seed": seed, **found, "seconds": time.process_time() - started})
            with given.out.open("a") as stream:
                stream.write(json.dumps(results[-1]) + "\n")
    for result in results:
        print(result)


if __name__ == "__main__":
    main()
