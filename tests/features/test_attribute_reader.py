"""Native attributes of words equal those in Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.features.attributes import compose, known_names
from perceptag.features.class_attributes import class_attributes
from perceptag.features.class_table import WordClassTable
from perceptag.features.encoder import Encoder
from perceptag.features.lexicon import Lexicon, ValueNumbers
from perceptag.features.template import parse

LISTS = ("each", "valued")  # tested in tests/features/test_dictionaries.py
KNOWN = [name for name in known_names() if _core.AttributeReader.knows([name]) and name not in LISTS]
WORD = (
    st.text(st.characters(max_codepoint=0x7F, exclude_characters="\0"), max_size=8)
    | st.text(st.sampled_from("aAbB1--.é"))
    | st.text(st.sampled_from("aAÉé1.-\u0661\u00b2ßẞſıİǅﬁΣσςⅧⓐ日あ\u0301𝐀𐐀😀"), max_size=8)
)
# Words whose spellings meet: digits of several scripts, letters whose cases differ in length or have no case.
CLASSED = st.text(st.sampled_from("aAbB019-.\u0661\u00b2\uff11éÉßẞſıİǅﬁ·ΣςΑ日"), min_size=1, max_size=4)
CHAIN = st.lists(st.sampled_from(KNOWN), max_size=3)


@given(chains=st.lists(CHAIN, min_size=1, max_size=5), seen=st.lists(WORD, max_size=6), word=WORD)
def test_native_attributes_are_those_of_python(chains, seen, word):
    attributes = [compose(chain) for chain in chains]
    vocabularies = [ValueNumbers(4) for _ in chains]
    growing = Lexicon(attributes, vocabularies, grows=True)
    for other in seen:
        growing[other]
    plain = Lexicon(attributes, vocabularies, grows=False)
    reader = _core.AttributeReader(chains, vocabularies)
    native = Lexicon(attributes, vocabularies, grows=False, reader=reader)
    for text in (*seen, word):
        assert native.table.row(native.numbers([[text]])[0]) == plain.table.row(plain[text])


def test_every_character_of_a_word_is_that_of_python():
    """Two of them are left to Python, since their small letters depend on more than the character."""
    names = ["lower", "shape", "shortshape", "digit", "upper", "capital", "allcaps", "number", "suffix2"]
    vocabularies = [ValueNumbers(0) for _ in names]
    plain = Lexicon([compose([name]) for name in names], vocabularies, grows=True)
    words = [f"{chr(code)}a{chr(code)}" for code in (*range(0x80, 0x3100), *range(0x10400, 0x10450), 0x10FFFF)]
    rows = [plain.table.row(plain[word]) for word in words]
    native = _core.TypeNumbers(
        table := _core.TypeTable(len(names)), _core.AttributeReader([[n] for n in names], vocabularies)
    )
    left: dict[str, int] = {}

    class Left(dict[str, int]):
        def __missing__(self, word: str) -> int:
            left[word] = table.add([-1] * len(names))
            return left[word]

    ids = _core.type_ids(Left(), [words], native).tolist()
    assert [*left] == ["İaİ", "ΣaΣ"]
    assert [table.row(i) for word, i in zip(words, ids, strict=True) if word not in left] == [
        row for word, row in zip(words, rows, strict=True) if word not in left
    ]


@given(chains=st.lists(CHAIN, min_size=1, max_size=5), words=st.lists(WORD, max_size=8))
def test_native_growth_gives_the_numbers_of_python(chains, words):
    attributes = [compose(chain) for chain in chains]
    plain, native = ([ValueNumbers(4) for _ in chains] for _ in range(2))
    slow = Lexicon(attributes, plain, grows=True)
    quick = Lexicon(attributes, native, grows=True, growing=_core.GrowingReader(chains, native, 4))
    assert slow.numbers([words]).tolist() == quick.numbers([words]).tolist()
    assert [list(v.items()) for v in plain] == [list(v.items()) for v in native]
    assert [slow.table.row(i) for i in range(len(slow))] == [quick.table.row(i) for i in range(len(quick))]


def test_type_ids_belong_to_the_table():
    with pytest.raises(ValueError, match="a type id is out of range"):
        _core.type_ids({"a": 1}, [["a"]], _core.TypeNumbers(_core.TypeTable(0), None))
    with pytest.raises(KeyError):
        _core.type_ids({}, [["a"]], _core.TypeNumbers(_core.TypeTable(0), None))


@given(texts=st.lists(st.lists(st.text(max_size=20) | st.text(st.sampled_from("ab"), max_size=9) | st.tuples(WORD))))
def test_known_types_are_a_dictionary(texts):
    """Words that Python reads, of any length and with any letters; and values that are not words."""
    lexicon, values = Lexicon([compose([])], [ValueNumbers(0)], grows=False), [v for some in texts for v in some]
    numbers = lexicon.numbers(texts).tolist()
    assert lexicon.numbers(texts).tolist() == numbers
    assert numbers == [lexicon[value] for value in values]
    assert sorted(set(numbers)) == [*range(len(set(values)))] == [*range(len(lexicon.table))]


def test_attributes_of_the_user_take_the_place_of_built_in_ones():
    encoder = Encoder([parse("lower[0]")], {"lower": lambda value: value[::-1]})
    encoder.lexicons["form"]["ab"]
    lexicon = encoder.fresh_lexicons()["form"]
    assert lexicon.table.row(lexicon["ab"]) == encoder.lexicons["form"].table.row(0)
    assert encoder.native_reader("form") is None


def made_classes(words: list[str]) -> WordClassTable:
    numbers = np.array([[k % 2, k % 5] for k in range(len(words))])
    return WordClassTable((2, 5), tuple(words), np.arange(len(words), 0, -1), numbers)


@given(words=st.lists(CLASSED, min_size=1, max_size=8, unique=True), asked=st.lists(CLASSED | WORD, max_size=8))
def test_native_classes_are_those_of_python(words, asked):
    """For every word: those that the core cannot read are left to Python."""
    classes = made_classes(words)
    chains = [["class2"], ["class5"], ["lower", "class5"], ["suffix1", "class2"], ["class5", "prefix1"]]
    vocabularies = [ValueNumbers(2, "01234"[:size]) for size in (2, 5, 5, 2, 5)]
    table = classes.native
    assert all(_core.AttributeReader.knows(chain, table) for chain in chains)
    attributes = [compose(chain, class_attributes(classes)) for chain in chains]
    reader = _core.AttributeReader(chains, vocabularies, table)
    plain = Lexicon(attributes, vocabularies, grows=False)
    native = Lexicon(attributes, vocabularies, grows=False, reader=reader)
    for text in (*words, *asked, *map(str.upper, words), *map(str.lower, words), *map(str.title, words)):
        assert native.table.row(native.numbers([[text]])[0]) == plain.table.row(plain[text]), text


def test_the_table_of_classes_must_be_whole():
    with pytest.raises(ValueError, match="expected a class of each size for every word"):
        _native_table(b"a", [1], [0, 0, 0], [2, 4])
    with pytest.raises(ValueError, match="expected classes below the size, found others"):
        _native_table(b"a", [1], [1, 4], [2, 4])
    for words in (b"a\na", b"a\n\nb", b""):
        with pytest.raises(ValueError, match="expected different words, found an empty or repeated one"):
            _native_table(words, [1] * (words.count(b"\n") + 1), [0] * (words.count(b"\n") + 1), [2])
    with pytest.raises(ValueError, match="expected a count for each word"):
        _native_table(b"a\nb", [1], [0], [2])
    assert not _core.AttributeReader.knows(["class2"])
    assert not _core.AttributeReader.knows(["class3"], _native_table(b"a", [1], [0], [2]))


def _native_table(words: bytes, counts: list[int], numbers: list[int], sizes: list[int]) -> _core.ClassTable:
    arrays = np.array(counts, np.uint32), np.array(numbers, np.uint16)
    return _core.ClassTable(words, *arrays, sizes, in_any_case=False, forms=lambda word: (word, word))
