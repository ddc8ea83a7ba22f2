"""`perceptag.WordClasses`: learning from Python, files, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

from class_toys import random_text
from perceptag import Sentence, WordClasses

TEXT = random_text(1, 200)


def test_learn_save_load(tmp_path: Path) -> None:
    classes = WordClasses.learn(iter(TEXT), [9, 4])
    sha = classes.save(tmp_path / "c")
    again = WordClasses.load(tmp_path / "c")
    assert again == classes and again.save(tmp_path / "d") == sha
    assert again.manifest["sentences"] == 200 and repr(again) == "<WordClasses of 40 words: 4, 9>"
    assert pickle.loads(pickle.dumps(again)) == classes


def test_sentences_tuples_and_threads_give_the_same() -> None:
    expected = WordClasses.learn(TEXT, [4, 9])
    assert WordClasses.learn([Sentence({"form": words}) for words in TEXT], [4, 9]) == expected
    assert WordClasses.learn(map(tuple, TEXT), [4, 9], threads=4) == expected
