"""Models of earlier releases load and give the same labels as before.

``python -m trust.golden RELEASE`` writes the models of a release to tests/golden/RELEASE: one of each learner, small,
one with numbers as features and one with spans, with the sentences that they tagged and the labels that they gave; a
tokeniser, pipelines and a class file, with what they gave for a text. Existing files are never written again.
tests/models/test_golden.py tries them in the ordinary test suite.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from perceptag import Pipeline, Rules, Sentence, Tagger, Tokenizer, WordClasses
from perceptag.models import model_file as modelfile
from perceptag.text import read_conllu
from trust import samples

FOLDER = samples.ROOT / "tests" / "golden"
ANSWERS, TEXT = samples.golden_files.ANSWERS, samples.golden_files.TEXT


def _variety(tagger: Tagger) -> tuple[str, str]:
    return tagger.model_.facts["kind"], tagger.model_.recipe.learner


def write(release: str) -> None:
    """Write a small model of each learner that has none in this release, and the other files."""
    folder = FOLDER / release
    folder.mkdir(parents=True, exist_ok=True)
    inputs = samples.unlabelled(samples.sentences(12))
    there = {_variety(Tagger.load(str(path))) for path in folder.glob("*.model")}
    for variety, (_, name, tagger) in _smallest().items():
        if variety not in there:
            _write_model(folder, name, tagger, inputs)
    if not (folder / "numbers.model").exists():
        _write_model(folder, "numbers", *_with_numbers(inputs))
    if not (folder / "spans.model").exists():
        spans = Tagger("ner", epochs=2).fit(list(samples.sentences(4)))
        _write_model(folder, "spans", spans, inputs)
    _write_others(folder)


def _write_model(folder: Path, name: str, tagger: Tagger, inputs: Sequence[Sentence]) -> None:
    """Write a model, and the labels that it gives."""
    stem = folder / name.replace(" ", "-").replace(",", "").replace("=", "-")
    tagger.save(str(stem.with_suffix(".model")))
    about = {
        "inputs": [[s.columns, s.starts_document] for s in inputs],
        "labels": tagger.predict(inputs),
        "recipe": name,
    }
    stem.with_suffix(".json").write_text(json.dumps(about, ensure_ascii=False) + "\n", "utf-8")


def _with_numbers(inputs: Sequence[Sentence]) -> tuple[Tagger, list[Sentence]]:
    """A tagger with numbers as features, of single tokens and of pairs of labels, and sentences for it."""
    templates = ["form[0]", "size.amount[0]", "pos[0] size.amount[0]", "size.amount[-1] * y-1 y0", "bias * y-1 y0"]
    train = [_sized(sentence) for sentence in samples.sentences(4)]
    return Tagger("collins-pos", templates=templates, epochs=2).fit(train), [_sized(s) for s in inputs]


def _sized(sentence: Sentence) -> Sentence:
    """The sentence with a column of numbers: lengths of words, which long words do not have."""
    sizes = ["_" if len(word) > 9 else str((len(word) - 4) / 4) for word in sentence.tokens]
    return Sentence({"size": sizes, **sentence.columns}, starts_document=sentence.starts_document)


def _smallest() -> dict[tuple[str, str], tuple[int, str, Tagger]]:
    """The smallest model of each kind and learner, since golden files stay for ever: its size, recipe and tagger."""
    train = list(samples.sentences(4))
    found: dict[tuple[str, str], tuple[int, str, Tagger]] = {}
    for name, settings in samples.learner_settings.EVERY.items():
        tagger = Tagger(**{**settings, "epochs": 2}).fit(train)
        size = len(modelfile.to_bytes(tagger.model_)[0])
        if size < found.get(_variety(tagger), (size + 1,))[0]:
            found[_variety(tagger)] = size, name, tagger
    return found


def _write_others(folder: Path) -> None:
    """Write a file of each other kind, and what it gives for a text."""
    treebank = list(read_conllu(samples.CORPUS / "text-train.conllu"))[:12]
    tokenizer = Tokenizer(epochs=2).fit(treebank)
    tagger = Tagger("pos", epochs=2, **{"labels.column": "upos"}).fit(treebank)
    words = [sentence.tokens for sentence in samples.sentences(60)]
    made = {
        "text.tokenizer": tokenizer,
        "text.pipeline": Pipeline({"tokens": tokenizer, "upos": tagger}),
        "rules.pipeline": Pipeline({"tokens": tokenizer, "values": Rules.load("en")}),
        "words.classes": WordClasses.learn(words, [4, 9]),
    }
    for name, value in made.items():
        path = folder / name
        if not path.exists():
            value.save(path)
            about = {"text": TEXT, "answer": ANSWERS[path.suffix](path, TEXT)}
            path.with_name(f"{name}.json").write_text(json.dumps(about, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[1]):
        sys.exit("usage: python -m trust.golden RELEASE, such as 0.2.0")
    write(sys.argv[1])
