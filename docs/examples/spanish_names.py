"""The tutorial of sklearn-crfsuite, names in Spanish text (CoNLL-2002), with sklearn-crfsuite and with perceptag.

python docs/examples/spanish_names.py DATA

DATA is a folder with esp.train and esp.testa. Both get the same dictionaries of features; the scores are those of
esp.testa.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn_crfsuite import CRF, metrics

from perceptag import evaluate
from perceptag.sklearn import PerceptagTagger
from perceptag.text import Sentence, read_columns

Item = dict[str, Any]
Reader = Callable[[Path], tuple[list[Any], list[list[str]]]]


def word2features(sentence: Sentence, i: int) -> Item:
    """The features of the tutorial."""
    features = {"bias": 1.0, **_word(sentence, i), **_ends(sentence, i)}
    for offset in (-1, 1):
        if 0 <= i + offset < len(sentence):
            features |= {f"{offset:+d}:{name}": value for name, value in _neighbour(sentence, i + offset).items()}
        else:
            features["BOS" if offset < 0 else "EOS"] = True
    return features


def _neighbour(sentence: Sentence, i: int) -> Item:
    word, postag = sentence.tokens[i], sentence.columns["pos"][i]
    return {
        "word.lower()": word.lower(),
        "word.istitle()": word.istitle(),
        "word.isupper()": word.isupper(),
        "postag": postag,
        "postag[:2]": postag[:2],
    }


def _word(sentence: Sentence, i: int) -> Item:
    return {**_neighbour(sentence, i), "word.isdigit()": sentence.tokens[i].isdigit()}


def _ends(sentence: Sentence, i: int) -> Item:
    return {"word[-3:]": sentence.tokens[i][-3:], "word[-2:]": sentence.tokens[i][-2:]}


def read(path: Path) -> tuple[list[list[Item]], list[list[str]]]:
    """Dictionaries and labels of a file."""
    sentences = list(read_columns(path, ["form", "pos", "ner"]))
    X = [[word2features(sentence, i) for i in range(len(sentence))] for sentence in sentences]
    return X, [sentence.columns["ner"] for sentence in sentences]


def read_words(path: Path) -> tuple[list[Any], list[list[str]]]:
    """Words, parts of speech and labels of a file, without features: templates look at them."""
    sentences = list(read_columns(path, ["form", "pos", "ner"]))
    return [{c: s.columns[c] for c in ("form", "pos")} for s in sentences], [s.columns["ner"] for s in sentences]


def measure(name: str, tagger: Any, data: Path, reader: Reader = read) -> None:
    """Train and tag; print seconds of the processor, the tutorial's score of tokens, and F1 of spans."""
    (X_train, y_train), (X, y) = reader(data / "esp.train"), reader(data / "esp.testa")
    start = time.process_time()
    tagger.fit(X_train, y_train)
    trained = time.process_time()
    predicted = [list(map(str, labels)) for labels in tagger.predict(X)]
    tagged = time.process_time()
    names = sorted({label for labels in y_train for label in labels} - {"O"})
    flat = 100 * metrics.flat_f1_score(y, predicted, average="weighted", labels=names)
    seconds = f"{trained - start:.0f} s, {tagged - trained:.1f} s"
    print(f"{name:40} {flat:6.2f} {evaluate(y, predicted, bootstrap=0).f1:6.2f}   {seconds}", flush=True)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    lbfgs = CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100, all_possible_transitions=True)
    same = PerceptagTagger("crf", crf_l1=0.1, crf_sigma2=5, epochs=100)
    measure("sklearn-crfsuite, lbfgs", lbfgs, folder)
    measure("sklearn-crfsuite, ap", CRF(algorithm="ap", max_iterations=100, all_possible_transitions=True), folder)
    measure("PerceptagTagger()", PerceptagTagger(), folder)
    measure('PerceptagTagger("crf"), the same penalties', same, folder)
    local = PerceptagTagger(learner="margin", nonlocal_features=())
    measure("templates of perceptag, no dictionaries", local, folder, read_words)
