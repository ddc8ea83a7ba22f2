"""Tokens whose words do not spell them: expanded from a dictionary, some by their context."""

from __future__ import annotations

import io

import pytest

from perceptag import ModelError, Pipeline, Tokenizer
from perceptag.models.tokenizer.multiword import MultiwordTokens
from perceptag.text.conllu import read_conllu
from perceptag.text.tokens import Passage, TextSentence, Token


def treebank() -> str:
    """*au* is two words everywhere; *des* after *pas* only."""
    rows = []
    for noun in ("chats", "rois", "murs", "lacs", "bois", "jeux", "cars", "bars", "rats", "pots"):
        rows += [f"1\tvoir\t{ignored}", f"2\tdes\t{ignored}", f"3\t{noun}\t{ignored}", ""]
        rows += [f"1\tpas\t{ignored}", f"2-3\tdes\t{ignored}", f"2\tde\t{ignored}", f"3\tles\t{ignored}"]
        rows += [f"4\t{noun}\t{ignored}", ""]
        rows += [f"1-2\tAu\t{ignored}", f"1\tÀ\t{ignored}", f"2\tle\t{ignored}", f"3\t{noun}\t{ignored}", ""]
    return "\n".join(rows) + "\n"


ignored = "\t".join("_" * 8)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(epochs=8).fit(list(read_conllu(io.StringIO(treebank()))))


def words(tokenizer, text):
    return [token.words for sentence in tokenizer(text) for token in sentence]


def test_words_come_from_the_dictionary_and_context_decides(tokenizer):
    assert words(tokenizer, "voir des rois") == [("voir",), ("des",), ("rois",)]
    assert words(tokenizer, "pas des rois") == [("pas",), ("de", "les"), ("rois",)]
    assert words(tokenizer, "Au rois")[0] == ("À", "le")
    assert words(tokenizer, "pas au rois")[1] == ("à", "le")


def test_words_have_the_place_of_their_token(tokenizer):
    doc = Pipeline([tokenizer])("pas des rois")
    places = [(word.text, word.start, word.end) for word in doc.sentences[0].words]
    assert places == [("pas", 0, 3), ("de", 4, 7), ("les", 4, 7), ("rois", 8, 12)]
    assert Token("it's", 2, 6, ("it", "'s")).places == [(2, 4), (4, 6)]


def test_the_file_keeps_the_dictionary(tokenizer, tmp_path):
    tokenizer.save(tmp_path / "t")
    assert words(Tokenizer.load(tmp_path / "t"), "pas des rois")[1] == ("de", "les")


@pytest.mark.parametrize("seen", ["-1 …s", "-1 …as", "-1 …pas", "1 …x", "1 …ux", "1 …eux", "2 font", "-1 pas", "as ux"])
def test_neighbours_and_their_last_one_to_three_letters_decide(seen):
    known = MultiwordTokens({"des": ("de", "les")}, frozenset({"des"}), {f"des {seen}": 1})
    text = "pas des jeux font"
    tokens = [Token(word, text.index(word), text.index(word) + len(word), (word,)) for word in text.split()]
    [found] = known.expanded(Passage(text, 0, [TextSentence(tokens)])).sentences
    assert [token.words for token in found.tokens] == [("pas",), ("de", "les"), ("jeux",), ("font",)]


def test_other_tokens_stay_as_they_are():
    known = MultiwordTokens({"des": ("de", "les"), "au": ("à", "le")}, frozenset({"des"}), {"des ": -1})
    tokens = [Token("DES", 0, 3, ("DES",)), Token("it's", 4, 8, ("it", "'s")), Token("AU", 9, 11, ("AU",))]
    [found] = known.expanded(Passage("DES it's AU", 0, [TextSentence(tokens)])).sentences
    assert [token.words for token in found.tokens] == [("DES",), ("it", "'s"), ("À", "LE")]
    same = TextSentence(tokens[:2])
    assert known.expanded(Passage("DES it's", 0, [same])).sentences[0] is same


@pytest.mark.parametrize(
    "known",
    [
        3,
        {"words": {"au": "x"}, "ambiguous": [], "weights": {}},
        {"words": {"au": ["x"]}, "ambiguous": [], "weights": {}},
        {"words": {}, "ambiguous": [], "weights": {"a": "b"}},
        {"words": {}, "weights": {}},
    ],
)
def test_other_facts_are_refused(known):
    with pytest.raises(ModelError, match=r"facts.multiword: expected tokens with lists of words"):
        MultiwordTokens.of_facts({"multiword": known})
