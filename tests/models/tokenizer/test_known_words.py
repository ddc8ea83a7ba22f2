"""Tokenisers of scripts without spaces: known words, chosen by the training data, kept in the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from perceptag import ModelError, Tokenizer
from perceptag.models.kinds import make_ready
from perceptag.models.tokenizer import known_words
from perceptag.models.tokenizer.characters import as_characters
from perceptag.text.string_copies import with_string_copies
from perceptag.text.treebank import read_treebank
from perceptag.training.train import Training
from text_toys import TREEBANK, treebank

CHINESE = ["¶ 我~喜欢~北京~。", "¶ 他~在~学校~学习~。", "¶ 我~在~北京~学习~。", "¶ 他~喜欢~学校~。"] * 6
VIETNAMESE = ["¶ Anh chủ_tịch nói~.", "¶ Tôi học_sinh giỏi~.", "¶ Chủ_tịch nói tốt~."] * 6


def vietnamese():
    bank = treebank(*VIETNAMESE)
    for sentence in bank:
        sentence.columns["form"] = [form.replace("_", " ") for form in sentence.columns["form"]]
    return bank


def tokens(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    return [[token.text for token in sentence] for sentence in tokenizer(text)]


def needs(sentences) -> bool:
    return known_words.needs_known_words(as_characters(read_treebank(sentences)))


def test_the_training_data_decides():
    assert needs(treebank(*CHINESE))
    assert needs(vietnamese())
    assert not needs(treebank("¶ I did+n't~.", "¶ He~'s here~."))
    assert known_words.KEYS not in Tokenizer(epochs=1).fit(TREEBANK).model_.arrays


def test_words_without_spaces_and_words_with_spaces(tmp_path):
    chinese = Tokenizer(epochs=5).fit(treebank(*CHINESE))
    assert tokens(chinese, "他喜欢北京。") == [["他", "喜欢", "北京", "。"]]
    assert tokens(Tokenizer(epochs=5).fit(vietnamese()), "Tôi chủ tịch giỏi.") == [["Tôi", "chủ tịch", "giỏi", "."]]
    chinese.save(tmp_path / "zh.model")
    again = Tokenizer.load(tmp_path / "zh.model")
    assert tokens(again, "我在学校。") == [["我", "在", "学校", "。"]]
    assert len(again.model_.arrays[known_words.KEYS]) == 8


def test_a_word_does_not_know_itself_in_training():
    """A word of one fold is known in all others; one that occurs elsewhere is known everywhere."""
    sentences = as_characters(read_treebank(treebank(*[f"¶ 一~{word}~。" for word in "甲乙丙丁戊己庚辛壬癸"])))
    for first, last, known in known_words.WordFolds(sentences).known_words():
        own = {word for sentence in sentences[first:last] for word in known_words.words_of(sentence)}
        keys = set(known.keys.tolist())
        assert {word for word in own if known_words.known_word_key(word) in keys} == {"一", "。"}
        assert len(keys) == 11


def test_copies_of_sentences_make_no_word_known():
    """Neither a word of the sentence that was copied, nor the strings that were put into the copy."""
    bank = treebank(*[f"¶ 一~{word}~。" for word in "甲乙丙丁戊己庚辛壬癸"])
    sentences = as_characters(read_treebank(bank))
    copied = with_string_copies(sentences, 1.0, 0)
    folds = known_words.WordFolds(copied, len(copied) - len(sentences))
    assert folds.words() == {*"一甲乙丙丁戊己庚辛壬癸。"}
    *_, (first, last, known) = folds.known_words()
    assert (first, last) == (len(sentences), len(copied))
    assert {*known.keys.tolist()} == {known_words.known_word_key(word) for word in "一。"}
    lexicon = Tokenizer(epochs=1, augment_strings=1.0).fit(bank).model_.arrays[known_words.KEYS]
    assert len(lexicon) == 12


def test_a_model_that_is_continued_keeps_its_words():
    first = Tokenizer(epochs=2).fit(treebank(*CHINESE)).model_
    start = Tokenizer(epochs=1)
    training = Training(start.resolved_recipe(), as_characters(read_treebank(treebank("¶ 我~喜欢~海~。"))), start=first)
    assert training.run_all().model().arrays[known_words.KEYS].tolist() == first.arrays[known_words.KEYS].tolist()


def test_a_damaged_lexicon_is_refused():
    model = Tokenizer(epochs=1).fit(treebank(*CHINESE)).model_
    keys = model.arrays[known_words.KEYS]
    for damaged in (keys[::-1].copy(), np.repeat(keys, 2)):
        with pytest.raises(ModelError, match=r"array 'lexicon.0': expected different words in order, found others"):
            make_ready(replace(model, arrays={**model.arrays, known_words.KEYS: damaged}))
