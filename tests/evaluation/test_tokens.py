"""Scores of raw text are those of an independent count, and of examples counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.evaluation.tokens import evaluate_tokens, pieces_of
from perceptag.text.tokens import Passage, TextSentence, Token


def passage(*sentences: str) -> Passage:
    """Sentences such as ``"I did+n't ."``; ``au=à+le`` is a token that its words do not spell."""
    place = 0
    found = []
    for sentence in sentences:
        tokens = []
        for part in sentence.split():
            form, _, words = part.rpartition("=")
            form = form or words.replace("+", "")
            tokens.append(Token(form, place, place + len(form), tuple(words.split("+"))))
            place += len(form)
        found.append(TextSentence(tokens))
    return Passage("".join(t.text for s in found for t in s.tokens), 0, found)


def scores(gold: Passage, found: Passage) -> dict[str, tuple[int, int, int]]:
    return {name: (c.correct, c.predicted, c.gold) for name, c in evaluate_tokens(gold, found).counts.items()}


def test_by_hand():
    gold, found = passage("I did+n't go .", "Bye !"), passage("I didn't go.", "Bye", "!")
    assert scores(gold, found) == {"tokens": (4, 5, 6), "sentences": (1, 3, 2), "words": (3, 5, 7)}
    report = evaluate_tokens(gold, gold).to_dict()
    assert report["words"] == {"precision": 100, "recall": 100, "f1": 100, "correct": 7, "predicted": 7, "gold": 7}


def test_words_of_multiword_tokens_are_aligned_by_their_forms():
    assert scores(passage("au=à+le"), passage("au=À+les"))["words"] == (1, 2, 2)
    assert scores(passage("au=à+le x"), passage("a u x"))["words"] == (1, 3, 3)
    assert scores(passage("a+b c"), passage("a b+c"))["words"] == (3, 3, 3)


def test_labels_count_where_words_are_aligned():
    gold, found = passage("I did+n't go"), passage("I did+n't g o")
    layers = {"upos": (["P", "V", "R", "V"], ["P", "V", "X", "V", "V"])}
    counts = evaluate_tokens(gold, found, layers).counts["upos"]
    assert (counts.correct, counts.predicted, counts.gold) == (2, 5, 4)
    with pytest.raises(DataError, match="upos: expected a label for each of 4 words, found 1"):
        evaluate_tokens(gold, found, {"upos": (["P"], [])})


def test_other_characters_are_refused():
    with pytest.raises(DataError, match=r"found others from character 1 \(without white space\): 'b' and 'c'"):
        evaluate_tokens(passage("ab"), passage("ac"))


def test_white_space_does_not_count():
    gold = Passage("10 000", 0, [TextSentence([Token("10 000", 0, 6, ("10 000",))])])
    assert scores(gold, passage("10000"))["tokens"] == (1, 1, 1)


@pytest.mark.parametrize(
    ("gold", "found", "correct"),
    [
        ("a b c", "a b c", 3),
        ("abcd", "a b c d", 0),
        ("a bc d", "a b c d", 2),
        ("a+b+c", "a b c", 3),
        ("a b+c d", "a b cd", 2),
        ("a+b+c d+e", "a b+c+d e", 5),
        ("abc=a+bx+c def=d+ex+f", "a+b c+d e+f", 4),
        ("ab=a+b cd=bc+d", "a bc d", 2),
        ("a b+c d", "ab=ax+bx cd=cx+a", 1),
        ("aa=a+a aa aa=a+a", "a a a a aa", 3),  # the script takes in a word that is left over before a token
    ],
)
def test_words_as_the_script_of_the_shared_task_counts_them(gold: str, found: str, correct: int):
    assert scores(passage(gold), passage(found))["words"][0] == correct


# ------------------------------------------------------------------- against a count written another way


@st.composite
def cuttings(draw: st.DrawFn, text: str) -> Passage:
    """A text cut into sentences and tokens at random."""
    found = [TextSentence([])]
    start = 0
    for place, kind in enumerate(draw(st.lists(st.sampled_from("-ts"), min_size=len(text), max_size=len(text))), 1):
        if kind == "-" and place < len(text):
            continue
        found[-1].tokens.append(Token(text[start:place], start, place, (text[start:place],)))
        start = place
        if kind == "s" and place < len(text):
            found.append(TextSentence([]))
    return Passage(text, 0, found if text else [])


def spans(passage: Passage) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    tokens = {(t.start, t.end) for s in passage.sentences for t in s.tokens}
    return tokens, {(s.tokens[0].start, s.tokens[-1].end) for s in passage.sentences}


@given(st.text("abAB", max_size=12), st.data())
@settings(max_examples=300, deadline=None)
def test_counts_are_those_of_an_independent_one(text: str, data: st.DataObject):
    gold, found = data.draw(cuttings(text)), data.draw(cuttings(text))
    (tokens, sentences), (our_tokens, our_sentences) = spans(gold), spans(found)
    expected = (len(tokens & our_tokens), len(our_tokens), len(tokens))
    assert scores(gold, found) == {
        "tokens": expected,
        "sentences": (len(sentences & our_sentences), len(our_sentences), len(sentences)),
        "words": expected,
    }


def common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """The length of a longest common subsequence, by trying everything."""
    if not a or not b:
        return 0
    if a[0].lower() == b[0].lower():
        return 1 + common(a[1:], b[1:])
    return max(common(a[1:], b), common(a, b[1:]))


words = st.lists(st.text("abAB", min_size=1, max_size=2), min_size=1, max_size=3).map(tuple)


@given(st.lists(st.tuples(words, words), max_size=5))
@settings(max_examples=300, deadline=None)
def test_words_inside_the_same_tokens_are_aligned_as_well_as_can_be(pairs: list[tuple[tuple[str, ...], ...]]):
    """The tokens of both sides are the same, ``ttt``, and have any words."""
    sides = []
    for side in (0, 1):
        tokens = [Token("ttt", 3 * i, 3 * i + 3, pair[side]) for i, pair in enumerate(pairs)]
        sides.append(Passage("ttt" * len(pairs), 0, [TextSentence(tokens)] if tokens else []))
    expected = sum(1 if len(a) == len(b) == 1 else common(a, b) for a, b in pairs)
    assert scores(*sides)["words"][0] == expected
    assert [pieces_of(side).characters for side in sides] == ["ttt" * len(pairs)] * 2
