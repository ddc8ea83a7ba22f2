"""Native attributes of ASCII words equal those in Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.encoding.encoder import Encoder
from perceptag.encoding.lexicon import Lexicon, Vocabulary
from perceptag.features.attributes import compose, known_names
from perceptag.features.template import parse

KNOWN = [name for name in known_names() if _core.AttributeReader.knows([name])]
WORD = st.text(st.characters(max_codepoint=0x7F, exclude_characters="\0"), max_size=8) | st.text(
    st.sampled_from("aAbB1--.é")
)
CHAIN = st.lists(st.sampled_from(KNOWN), max_size=3)


def test_the_usual_attributes_are_known():
    assert {"lower", "shape", "shortshape", "digit", "upper", "hyphen", "prefix1", "suffix9"} <= set(KNOWN)
    assert not _core.AttributeReader.knows(["mine"])


@given(chains=st.lists(CHAIN, min_size=1, max_size=5), seen=st.lists(WORD, max_size=6), word=WORD)
def test_native_attributes_are_those_of_python(chains, seen, word):
    attributes = [compose(chain) for chain in chains]
    vocabularies = [Vocabulary(4) for _ in chains]
    growing = Lexicon(attributes, vocabularies, grows=True)
    for other in seen:
        growing[other]
    plain = Lexicon(attributes, vocabularies, grows=False)
    reader = _core.AttributeReader(chains, vocabularies)
    native = Lexicon(attributes, vocabularies, grows=False, reader=reader)
    for text in (*seen, word):
        assert native.table.row(native.numbers([[text]])[0]) == plain.table.row(plain[text])


def test_type_ids_belong_to_the_table():
    with pytest.raises(ValueError, match="a type id is out of range"):
        _core.type_ids({"a": 1}, [["a"]], _core.TypeTable(0), None)
    with pytest.raises(KeyError):
        _core.type_ids({}, [["a"]], _core.TypeTable(0), None)


def test_attributes_of_the_user_take_the_place_of_built_in_ones():
    encoder = Encoder([parse("lower[0]")], {"lower": lambda value: value[::-1]})
    encoder.lexicons["form"]["ab"]
    lexicon = encoder.fresh_lexicons()["form"]
    assert lexicon.table.row(lexicon["ab"]) == encoder.lexicons["form"].table.row(0)
    assert encoder._reader("form") is None
