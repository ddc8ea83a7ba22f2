"""`perceptag.WordClasses`: learning from Python, files, and what is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from class_toys import random_text
from perceptag import DataError, ModelError, Sentence, SettingError, WordClasses

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


@pytest.mark.parametrize(
    ("text", "settings", "error", "message"),
    [
        (["a b"], {}, SettingError, "sentences: expected lists of words, found 'a b'"),
        ([3], {}, SettingError, "sentences: expected lists of words, found 3"),
        ([["a", ""]], {}, DataError, "expected words, each a string"),
        ([], {}, DataError, "the text has no words"),
        (TEXT, {"sizes": [1]}, SettingError, "sizes: expected whole numbers from 2 to 8192, found 1"),
        (TEXT, {"sizes": [800]}, DataError, "sizes: expected at most 40"),
        (TEXT, {"fold": ["upper"]}, SettingError, "fold: expected digits, lower or case"),
        (TEXT, {"min_count": 0}, SettingError, "min_count: expected a whole number from 1, found 0"),
        (TEXT, {"passes": 2.5}, SettingError, "passes: expected a whole number from 1, found 2.5"),
        (TEXT, {"threads": True}, SettingError, "threads: expected a whole number from 1, found True"),
    ],
)
def test_bad_arguments_are_refused(text: object, settings: dict[str, object], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        WordClasses.learn(text, **{"sizes": [2], **settings})  # type: ignore[arg-type]


def test_bad_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="path: expected a path"):
        WordClasses.load(3)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="cannot read"):
        WordClasses.load(tmp_path / "none")
    with pytest.raises(DataError, match="cannot write"):
        WordClasses.learn(TEXT, [4]).save(tmp_path / "none" / "c")
