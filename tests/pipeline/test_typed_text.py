"""Running text as numbers: the same labels as sentence by sentence, and objects only for what is asked for."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Pipeline, Rules, Tagger, Tokenizer, _core
from perceptag.pipeline.rule_layers import with_rule_layer
from perceptag.pipeline.text_documents import passages
from perceptag.pipeline.typed_text import label_typed, takes_typed_text
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import TextSentence, joined
from pipelines import TEXT, over_documents, pos_tagger, shipped_tokenizer, whole
from text_toys import HELD_OUT, texts, treebank

ODD = [
    "",
    " \n\n ",
    "Rome",
    "Rome\n\nin London\n\f\nRome again. Röme, 東京 \U0001f600!",
    "-DOCSTART- \ufeff\u2028a\u00a0b",
    "Angela Merkel visited London. " * 30,
]


def both_ways(nlp: Pipeline, text: str) -> tuple[list[dict[str, list[str]]], list[dict[str, list[str]]]]:
    """The columns of all sentences: as numbers, and sentence by sentence, as `Pipeline.tag` labels them."""
    passage = joined(list(passages(nlp.tokenizer, [text])))
    typed = label_typed(passage.sentences, nlp.layers, 1)
    slow = sentences_of(passage)
    for layer in nlp.layers:
        layer.add(slow, 1)
    if typed is None:
        assert not passage.sentences
        return [], [sentence.columns for sentence in slow]
    lists = {name: typed.lists(name) for name in typed.columns}
    return [{name: own[s] for name, own in lists.items()} for s in range(len(slow))], [s.columns for s in slow]


@pytest.mark.parametrize("text", [*ODD, HELD_OUT.read_text()])
@pytest.mark.parametrize("make", [whole, over_documents])
def test_numbers_give_the_labels_of_sentences(make, text: str) -> None:
    fast, slow = both_ways(make(), text)
    assert fast == slow


def test_a_kind_that_cannot_read_numbers_labels_sentences() -> None:
    words = [Sentence({"form": ["in", "Rome"], "ner": ["O", "B-LOC"]})] * 2
    tagger = Tagger(learner="guided", templates=("form[0]",), epochs=1, labels_column="ner").fit(words)
    nlp = Pipeline([shipped_tokenizer(), tagger])
    assert not takes_typed_text(nlp.layers)
    assert [(span.text, span.label) for span in nlp("in Rome").ents] == [("Rome", "LOC")]


RULES = """
[[rule]]
label = "ORDER"
tokens = '("No." | "No") "."? [shape ~ /d+/]'
[[rule]]
label = "MAIL"
text = '[a-z]+@[a-z]+\\.org'
"""


def with_rules() -> Pipeline:
    return with_rule_layer(whole(), Rules.parse(RULES))


@pytest.mark.parametrize("text", [*ODD, "No. 12 to ann@x.org,bob@y.org No 7 No.8\n\nann@x.org"])
def test_rules_find_the_same_in_numbers(text: str) -> None:
    nlp = with_rules()
    assert takes_typed_text(nlp.layers)
    fast, slow = both_ways(nlp, text)
    assert fast == slow
    assert not text.startswith("No") or {"B-ORDER", "B-MAIL"} <= {y for s in fast for y in s["rules"]}


@settings(max_examples=30, deadline=None)
@given(texts)
def test_any_text_gives_the_labels_of_sentences(text: str) -> None:
    fast, slow = both_ways(whole(), text)
    assert fast == slow


def test_words_of_one_token_have_numbers_of_their_own() -> None:
    toy = Tokenizer(epochs=10).fit(treebank("¶I did+n't~.", "¶You did+n't~.", "¶I do~.") * 3)
    fast, slow = both_ways(Pipeline([toy, pos_tagger()]), "You didn't. I didn't.\n\nYou do.")
    assert fast == slow and fast[0]["form"] == ["You", "did", "n't", "."]


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1), max_size=9))
def test_distinct_words_are_numbered_in_order_of_appearance(words: list[str]) -> None:
    begin = np.cumsum([0, *map(len, words)])
    distinct = _core.DistinctWords()
    numbers = [distinct.add("".join(words), begin[:-1], begin[1:]) for _ in range(2)]
    expected = {word: n for n, word in enumerate(dict.fromkeys(words))}
    assert distinct.words == list(expected)
    assert all(found.tolist() == [expected[word] for word in words] for found in numbers)


def test_sentences_that_no_tokeniser_found_are_left_to_the_slow_way() -> None:
    passage = joined(list(passages(whole().tokenizer, [TEXT])))
    given_ = [TextSentence(list(sentence.tokens)) for sentence in passage.sentences]
    assert label_typed(given_, whole().layers, 1) is None
    assert [s.tokens for s in given_] == [s.tokens for s in passage.sentences]


def test_copies_have_what_users_see_and_nothing_else() -> None:
    document = whole()(TEXT)
    again = pickle.loads(pickle.dumps(document))
    assert again == document == copy.deepcopy(document) == copy.copy(document)
    assert again._source is None and again.words[0]._source is None
    assert again.to_dict() == document.to_dict() and repr(again) == repr(document)
