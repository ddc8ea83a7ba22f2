"""The chunker of Carreras, Màrquez & Padró (2003) by its definition: recognition, feedback, voted kernels."""

from __future__ import annotations

import random

import pytest

from perceptag.features.predicates import affixes, functional_words, orthographic, word_type
from reference.chunk_features import ChunkFeatures
from reference.chunker import PhraseChunker, all_chunkings, chunking_score, is_candidate, left_of, recognise
from reference.kernel import VotedPerceptron, kernel


def random_problem(rng: random.Random, n: int, categories: int):
    """Random word scores, and phrase scores that depend on what stands to the left."""
    begin = [rng.choice([-1, 1, 1]) for _ in range(n)]
    inside = [rng.choice([-1, 1, 1]) for _ in range(n)]
    table: dict[object, list[int]] = {}

    def score(s, e, left):
        return table.setdefault((s, e, left), [rng.randint(-6, 6) for _ in range(categories)])

    return begin, inside, score


def candidates_only(n, categories, begin, inside):
    return [
        y for y in all_chunkings(n, categories) if all(is_candidate(s, e, begin, inside) for s, e, _ in y)
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_without_context_the_programme_equals_enumeration(seed):
    rng = random.Random(seed)
    n, categories = rng.randint(0, 5), rng.randint(1, 3)
    begin, inside, score = random_problem(rng, n, categories)
    found = recognise(begin, inside, score)[-1]
    possible = candidates_only(n, categories, begin, inside)
    assert found.phrases in possible
    assert found.score == max(chunking_score(y, score, 0) for y in possible)
    assert found.score == chunking_score(found.phrases, score, 0)


@pytest.mark.parametrize("seed", range(60))
def test_exact_context_equals_enumeration_with_context(seed):
    rng = random.Random(seed)
    n, categories, width = rng.randint(1, 5), rng.randint(1, 2), rng.randint(1, 3)
    begin, inside, score = random_problem(rng, n, categories)
    found = recognise(begin, inside, score, "exact", width)[-1]
    possible = candidates_only(n, categories, begin, inside)
    assert found.score == max(chunking_score(y, score, width) for y in possible)
    assert found.score == chunking_score(found.phrases, score, width)


def test_best_context_may_be_worse_than_exact_and_never_better():
    worse = 0
    for seed in range(200):
        begin, inside, score = random_problem(random.Random(seed), 5, 2)
        best = recognise(begin, inside, score, "best", 2)[-1]
        exact = recognise(begin, inside, score, "exact", 2)[-1]
        assert best.score == chunking_score(best.phrases, score, 2) <= exact.score
        worse += best.score < exact.score
    assert worse > 0


def test_ties_no_phrase_then_the_later_start_then_the_lower_category():
    yes = [1, 1]
    assert recognise(yes, yes, lambda *_: [0.0])[-1].phrases == ()
    assert recognise([1], [1], lambda *_: [2.0, 2.0])[-1].phrases == ((0, 0, 0),)
    worth = {(0, 1): 3.0, (1, 1): 3.0, (0, 0): 0.0}
    assert recognise(yes, yes, lambda s, e, _: [worth[s, e]])[-1].phrases == ((1, 1, 0),)


def test_word_s_need_not_be_inside_but_the_others_must():
    assert is_candidate(0, 2, [1, 0, 0], [-1, 1, 1])
    assert not is_candidate(0, 2, [1, 0, 0], [1, 1, 0])
    assert not is_candidate(0, 0, [0], [1])


def test_left_context_names_words_nearest_first():
    assert left_of(4, [(0, 1, 7), (3, 3, 5)], 3) == (5, None, 7)


# --- feedback, rule by rule ---


def fixed(value: int) -> VotedPerceptron:
    """A perceptron whose score is `value` for every instance."""
    perceptron = VotedPerceptron(1)
    for _ in range(abs(value)):
        perceptron.add(frozenset(), 1 if value > 0 else -1)
    return perceptron


def by_word(scores: dict[int, int]) -> VotedPerceptron:
    """Scores of single words: word i is the instance {i}; a kernel of degree 1 adds the bias of all."""
    perceptron = VotedPerceptron(1)
    for i, value in scores.items():
        for _ in range(abs(value)):
            perceptron.add(frozenset([i]), 1 if value > 0 else -1)
    return perceptron


WORDS = [frozenset([i]) for i in range(4)]


def phrase(s, e, _left):
    return frozenset([("span", s, e)])


def additions(chunker: PhraseChunker, before: dict[str, int]) -> dict[str, list[tuple[object, int]]]:
    functions = {"B": chunker.begin, "I": chunker.inside} | {str(k): f for k, f in enumerate(chunker.scores)}
    news = {
        name: [(x, sign) for x, sign in zip(f.instances[before[name] :], f.signs[before[name] :], strict=True)]
        for name, f in functions.items()
    }
    return {name: some for name, some in news.items() if some}


def feedback(begin, inside, scores, gold, n=4):
    chunker = PhraseChunker(len(scores), degree=1, context="none", width=0)
    chunker.begin, chunker.inside, chunker.scores = begin, inside, scores
    before = {"B": len(begin.signs), "I": len(inside.signs)} | {str(k): len(f.signs) for k, f in enumerate(scores)}
    predicted = chunker.learn_sentence(WORDS[:n], phrase, gold)
    return predicted, additions(chunker, before)


def test_first_sentence_everything_is_zero_so_words_move_and_phrases_do_not():
    predicted, moved = feedback(fixed(0), fixed(0), [fixed(0)], {(0, 2, 0)})
    assert predicted == set()
    assert moved == {"B": [(WORDS[0], 1)], "I": [(WORDS[1], 1), (WORDS[2], 1)]}


def test_missed_by_begin():
    _, moved = feedback(fixed(-1), fixed(1), [fixed(1)], {(0, 1, 0)})
    assert moved == {"B": [(WORDS[0], 1)]}


def test_missed_by_inside_only_the_words_that_block():
    _, moved = feedback(fixed(1), by_word({1: 2, 2: -3, 3: 2}), [fixed(-1)], {(0, 3, 0)})
    assert moved == {"I": [(WORDS[2], 1)]}


def test_missed_by_the_score():
    predicted, moved = feedback(fixed(1), fixed(1), [fixed(-1)], {(0, 1, 0)}, n=2)
    assert predicted == set()
    assert moved == {"0": [(phrase(0, 1, ()), 1)]}


def test_over_predicted_with_the_right_start_keeps_begin():
    predicted, moved = feedback(by_word({0: 3, 1: -3}), fixed(1), [by_span({(0, 1): 5, (0, 0): 1})], {(0, 0, 0)}, n=2)
    assert predicted == {(0, 1, 0)}
    assert moved == {"I": [(WORDS[1], -1)], "0": [(phrase(0, 0, ()), 1), (phrase(0, 1, ()), -1)]}


def test_over_predicted_where_nothing_is():
    predicted, moved = feedback(by_word({0: 3, 1: -3}), fixed(1), [by_span({(0, 1): 5})], set(), n=2)
    assert predicted == {(0, 1, 0)}
    assert moved == {"B": [(WORDS[0], -1)], "I": [(WORDS[1], -1)], "0": [(phrase(0, 1, ()), -1)]}


def test_wrong_category_moves_two_scores_and_no_word():
    predicted, moved = feedback(by_word({0: 3, 1: -3}), fixed(-1), [fixed(2), fixed(1)], {(0, 0, 1)}, n=2)
    assert predicted == {(0, 0, 0)}
    assert moved == {"0": [(phrase(0, 0, ()), -1)], "1": [(phrase(0, 0, ()), 1)]}


def test_right_phrases_and_words_that_make_no_phrase_are_left_alone():
    begin = by_word({0: 3, 1: -2, 2: 3, 3: -2})
    predicted, moved = feedback(begin, fixed(-1), [by_span({(0, 0): 5, (2, 2): -5})], {(0, 0, 0)})
    assert predicted == {(0, 0, 0)}
    assert moved == {}


def by_span(scores: dict[tuple[int, int], int]) -> VotedPerceptron:
    perceptron = VotedPerceptron(1)
    for (s, e), value in scores.items():
        for _ in range(abs(value)):
            perceptron.add(frozenset([("span", s, e)]), 1 if value > 0 else -1)
    return perceptron


# --- kernels ---


def random_set(rng, features=8):
    return frozenset(f for f in range(features) if rng.random() < 0.4)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_voted_sum_equals_averaged_coefficients(degree):
    """a_l = s_l (N - n_l), n_l being the number of decisions before x_l was added."""
    rng = random.Random(degree)
    perceptron, added, decisions = VotedPerceptron(degree), [], 0
    for _ in range(40):
        for _ in range(rng.randint(0, 3)):
            perceptron.decide(random_set(rng))
            decisions += 1
        added.append(decisions)
        perceptron.add(random_set(rng), rng.choice([-1, 1]))
    for _ in range(10):
        x = random_set(rng)
        coefficients = [s * (decisions - n) for s, n in zip(perceptron.signs, added, strict=True)]
        averaged = sum(
            a * kernel(v, x, degree) for a, v in zip(coefficients, perceptron.instances, strict=True)
        )  # fmt: skip
        assert perceptron.voted(x) == averaged


# --- predicates and features ---


def test_the_pattern_of_the_paper():
    words = ["John", "Smith", "payed", "3", "euros"]
    assert "".join(word_type(word, ()) for word in words) == "CClxl"


@pytest.mark.parametrize(
    ("word", "kind"),
    [('"', "'"), (",", "."), ("of", "f"), ("Of", "C"), ("house", "l"), ("1996", "x"), ("IBM", "C"), ("iPod", "x")],
)
def test_word_types(word, kind):
    assert word_type(word, {"of"}) == kind


@pytest.mark.parametrize(
    ("word", "flags"),
    [
        ("J.", "initial-caps all-caps contains-dots acronym lonely-initial"),
        ("XIV", "initial-caps all-caps roman-number"),
        ("A", "initial-caps all-caps single-char"),
        ("B-52", "initial-caps all-caps contains-digits alphanumeric contains-hyphen"),
        ("1996", "contains-digits all-digits"),
        ("...", "contains-dots punctuation-mark"),
        ("www.x.org", "contains-dots url"),
        ("x.fr/\ny", "contains-dots"),
        ("http:\n", ""),
        pytest.param("a" + ".aa/" * 100_000 + "\n", "contains-dots", id="a long address with a line feed"),
        ("de", "functional-word"),
        ("", ""),
    ],
)
def test_orthographic_flags(word, flags):
    assert orthographic(word, {"de"}) == flags.split()


def test_affixes_are_no_longer_than_the_word():
    assert affixes("ab") == ["prefix1=a", "suffix1=b", "prefix2=ab", "suffix2=ab"]
    assert affixes("abcdefg")[-2:] == ["prefix4=abcd", "suffix4=defg"]  # "up to 4 characters"


def test_functional_words_are_lower_case_and_frequent_inside_phrases():
    assert functional_words([["Bank", "of", "the", "X"]] * 2 + [["of"], ["3", "3", "3"]]) == ["of"]


def test_every_feature_of_a_word():
    tokens = [{"form": "In", "word": "In", "pos": "IN"}, {"form": "EU", "word": "EU", "pos": "NNP"}]
    assert ChunkFeatures(word_window=1).word(tokens, 1) == {
        "form[-1]=In", "initial-caps[-1]", "prefix1[-1]=I", "suffix1[-1]=n", "prefix2[-1]=In", "suffix2[-1]=In",
        "pos[-1]=IN", "form[0]=EU", "initial-caps[0]", "all-caps[0]", "prefix1[0]=E", "suffix1[0]=U",
        "prefix2[0]=EU", "suffix2[0]=EU", "pos[0]=NNP", "outside[1]", "pattern[-1..0]=CC", "pattern[0..0]=C",
    }  # fmt: skip


def test_the_windows_of_the_paper_are_three_words_wide():
    tokens = [{"form": f"w{i}", "word": f"w{i}"} for i in range(9)]
    around = {f"form[{offset}]=w{4 + offset}" for offset in range(-3, 4)}
    assert {f for f in ChunkFeatures().word(tokens, 4) if f.startswith("form")} == around
    before = {f"s.form[{offset}]=w{4 + offset}" for offset in range(-3, 1)}
    behind = {f"e.form[{offset}]=w{4 + offset}" for offset in range(4)}
    found = ChunkFeatures().phrase(tokens, 4, 4, ())
    assert {f for f in found if f.startswith(("s.form", "e.form"))} == before | behind


def test_every_feature_of_a_phrase_without_its_windows():
    tokens = [{"form": w, "word": w.lower()} for w in ["x", "A", "b"]]
    features = ChunkFeatures(phrase_window=0, gazetteer={("a", "b"): ["LOC"], ("b", "c"): ["PER"]})
    windows = {
        "s.form[0]=a", "s.initial-caps[0]", "s.all-caps[0]", "s.single-char[0]", "s.prefix1[0]=A", "s.suffix1[0]=A",
        "e.form[0]=b", "e.single-char[0]", "e.prefix1[0]=b", "e.suffix1[0]=b",
    }  # fmt: skip
    assert features.phrase(tokens, 1, 2, (None, "ORG")) - windows == {
        "left[-2]=ORG", "in.form=a", "in.form=b", "in.prefix1=A", "in.suffix1=A", "in.prefix1=b", "in.suffix1=b",
        "in.pattern=Cl", "phrase=a b", "phrase.pattern=Cl", "gazetteer=LOC", "gazetteer.word=LOC",
        "gazetteer.word=PER",
    }  # fmt: skip
