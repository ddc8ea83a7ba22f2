"""Evaluation against slow oracles: conlleval token by token, seqeval, and resampling sentence by sentence."""

from __future__ import annotations

import itertools
import json
import random
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag.errors import DataError, SettingError
from perceptag.evaluation import Counts, compare, evaluate, top_confusions
from perceptag.evaluation.chunks import tally_chunks
from perceptag.evaluation.resampling import bootstrap_interval, f1_score, randomisation_p
from perceptag.labels.schemes import Span, spans_to_labels

Corpus = list[list[str]]


# --- the oracle: what conlleval prints ---


def ends(tag0: str, tag: str, kind0: str, kind: str) -> bool:
    end = False
    if tag0 == "B" and tag in ("B", "O"):
        end = True
    if tag0 == "I" and tag in ("B", "O"):
        end = True
    if tag0 == "E" and tag in ("E", "I", "O"):
        end = True
    if tag0 not in ("O", ".") and kind0 != kind:
        end = True
    if tag0 in ("]", "["):
        end = True
    return end


def starts(tag0: str, tag: str, kind0: str, kind: str) -> bool:
    start = False
    if tag0 in ("B", "I", "O") and tag == "B":
        start = True
    if tag0 == "O" and tag == "I":
        start = True
    if tag0 == "E" and tag in ("E", "I"):
        start = True
    if tag0 == "O" and tag == "E":
        start = True
    if tag not in ("O", ".") and kind0 != kind:
        start = True
    if tag in ("[", "]"):
        start = True
    return start


def split(label: str) -> tuple[str, str]:
    head, hyphen, tail = label.partition("-")
    return (head, tail) if hyphen else (label, "")


def percentages(correct: int, guessed: int, gold: int) -> str:
    precision = 100 * correct / guessed if guessed else 0.0
    recall = 100 * correct / gold if gold else 0.0
    fb1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {fb1:6.2f}"


def conlleval(gold: Corpus, predicted: Corpus) -> list[str]:
    """Run over one long column of labels, as the script does, and print what it prints."""
    lines = []
    for gs, ps in zip(gold, predicted, strict=True):
        lines += [(g, p, False) for g, p in zip(gs, ps, strict=True)] + [("O", "O", True)]
    correct_chunks: Counter[str] = Counter()
    found_gold: Counter[str] = Counter()
    found_guessed: Counter[str] = Counter()
    tokens = correct_tags = 0
    in_correct = False
    last_g, last_gk, last_p, last_pk = "O", "", "O", ""
    for g_label, p_label, is_break in lines:
        (g, gk), (p, pk) = split(g_label), split(p_label)
        g_end, p_end = ends(last_g, g, last_gk, gk), ends(last_p, p, last_pk, pk)
        if in_correct:
            if g_end and p_end and last_gk == last_pk:
                in_correct = False
                correct_chunks[last_gk] += 1
            elif g_end != p_end or gk != pk:
                in_correct = False
        g_start, p_start = starts(last_g, g, last_gk, gk), starts(last_p, p, last_pk, pk)
        if g_start and p_start and gk == pk:
            in_correct = True
        if g_start:
            found_gold[gk] += 1
        if p_start:
            found_guessed[pk] += 1
        if not is_break:
            tokens += 1
            correct_tags += (g, gk) == (p, pk)
        last_g, last_gk, last_p, last_pk = g, gk, p, pk
    if in_correct:
        correct_chunks[last_gk] += 1
    totals = [sum(c.values()) for c in (correct_chunks, found_guessed, found_gold)]
    printed = [
        f"processed {tokens} tokens with {totals[2]} phrases; found: {totals[1]} phrases; correct: {totals[0]}.",
        f"accuracy: {100 * correct_tags / tokens:6.2f}%; {percentages(*totals)}",
    ]
    for kind in sorted(found_gold.keys() | found_guessed.keys()):
        scores = percentages(correct_chunks[kind], found_guessed[kind], found_gold[kind])
        printed.append(f"{kind:>17}: {scores}  {found_guessed[kind]}")
    return printed


def typed(tags: str, *types: str) -> list[str]:
    return ["O", *(tag + kind for tag in tags for kind in types)]


ALPHABETS = {
    "IOB": typed("BI", "-PER", "-LOC"),
    "IOB untyped": typed("BI", ""),
    "hyphens": typed("BI", "-NP", "-NP-SBJ", "-SBJ"),
    "IOE": typed("IE", "-X", "-Y"),
    "IOBES": typed("BIES", "-X", "-Y"),
    "BILOU": typed("BILU", "-X", "-Y"),
    "BMES": ["B", "M", "E", "S"],
    "brackets": typed("[]", "-X", "-Y", ""),
    "mixed": [*typed("BIES[]", "-X", "-Y", ""), ".", ".-X", "O-X", "NN", "-LRB-"],
}


def random_corpus(rng: random.Random, alphabet: list[str], sentences: int, longest: int) -> tuple[Corpus, Corpus]:
    """Gold labels at random, some of them in runs; predictions that agree with them most of the time."""
    gold, predicted = [], []
    for _ in range(sentences):
        length = rng.randint(0, longest)
        labels = [rng.choice(alphabet) for _ in range(length)]
        for t in range(1, length):
            if rng.random() < 0.3:
                labels[t] = labels[t - 1].replace("B", "I", 1)
        gold.append(labels)
        predicted.append([y if rng.random() < 0.8 else rng.choice(alphabet) for y in labels])
    gold.append(["O"])  # so that there is a token
    predicted.append(["O"])
    return gold, predicted


def conlleval_part(gold: Corpus, predicted: Corpus) -> list[str]:
    printed = evaluate(gold, predicted, scheme="IOB2", bootstrap=0).render().splitlines()
    return list(itertools.takewhile(lambda line: not line.startswith("scheme:"), printed))


@pytest.mark.parametrize("name", ALPHABETS)
def test_prints_what_conlleval_prints(name: str) -> None:
    """15 corpora of 100 sentences, and 200 of a few sentences, for each alphabet: over 20,000 sequences."""
    rng = random.Random(name)
    for sentences, longest, rounds in ((100, 12, 15), (4, 5, 200)):
        for _ in range(rounds):
            gold, predicted = random_corpus(rng, ALPHABETS[name], sentences, longest)
            assert conlleval_part(gold, predicted) == conlleval(gold, predicted)


@pytest.mark.parametrize("source", ["IOB1", "IOB2", "IOBES"])
@pytest.mark.parametrize("target", ["IOB1", "IOB2", "IOBES"])
def test_different_schemes_on_both_sides(source: str, target: str) -> None:
    rng = random.Random(0)
    chunks = [[Span(t, t + rng.randint(1, 2), rng.choice("XY")) for t in (0, 2, 5)] for _ in range(200)]
    guesses = [[span for span in sentence if rng.random() < 0.8] for sentence in chunks]
    gold = [spans_to_labels(sentence, 8, source) for sentence in chunks]
    predicted = [spans_to_labels(sentence, 8, target) for sentence in guesses]
    report = evaluate(gold, predicted, bootstrap=0)
    assert (report.gold_scheme, report.predicted_scheme) == (source, target)
    assert (report.gold_violations, report.predicted_violations) == (0, 0)
    assert conlleval(gold, predicted) == report.render().splitlines()[: 2 + 2]
    exact = evaluate(gold, predicted, repair="scheme", bootstrap=0).chunks
    assert exact == Counts(sum(map(len, guesses)), sum(map(len, guesses)), sum(map(len, chunks)))
    if "IOBES" not in (source, target):
        assert report.chunks == exact


@given(st.lists(st.lists(st.sampled_from(typed("BIES", "-X", "-Y")), max_size=8), min_size=1), st.randoms())
def test_comparing_spans_gives_the_counts_of_conlleval(gold: Corpus, rng: random.Random) -> None:
    predicted = [[rng.choice([y, "O", "I-X", "B-X"]) for y in labels] for labels in gold]
    schemes = ("IOB2", "IOB2")
    script = tally_chunks(gold, predicted, schemes, "conlleval")
    sets = tally_chunks(gold, predicted, schemes, "scheme")
    assert (script.rows == sets.rows).all()
    assert script.per_type == sets.per_type


def test_corner_case_of_conlleval_is_shown() -> None:
    """The script sees no boundary between E and B: all chunks right although half of the labels are wrong."""
    gold, predicted = [["B-X", "E-X", "B-X", "E-X"]], [["B-X", "I-X", "I-X", "E-X"]]
    report = evaluate(gold, predicted, bootstrap=0)
    assert (report.accuracy, report.f1) == (50.0, 100.0)
    assert report.notes == (
        "conlleval joins touching IOBES chunks: of 2 gold chunks it counts 1; repair 'scheme' keeps them apart",
    )
    assert report.render().splitlines()[-1] == f"note: {report.notes[0]}"
    assert evaluate(gold, predicted, repair="scheme", bootstrap=0).chunks == Counts(0, 1, 2)


# --- against seqeval ---


def valid_corpus(rng: random.Random, scheme: str, sentences: int) -> tuple[Corpus, Corpus]:
    gold, predicted = [], []
    for _ in range(sentences):
        spans = [Span(t, t + rng.randint(1, 3), rng.choice(["X", "Y"])) for t in range(0, 12, 3)]
        gold.append(spans_to_labels([s for s in spans if rng.random() < 0.7], 12, scheme))
        predicted.append(spans_to_labels([s for s in spans if rng.random() < 0.7], 12, scheme))
    return gold, predicted


@pytest.mark.parametrize("mode", [None, "strict"])
def test_agrees_with_seqeval_on_valid_iob2(mode: str | None) -> None:
    metrics = pytest.importorskip("seqeval.metrics")
    scheme = pytest.importorskip("seqeval.scheme").IOB2
    gold, predicted = valid_corpus(random.Random(1), "IOB2", 300)
    report = evaluate(gold, predicted, bootstrap=0)
    options = {"mode": mode, "scheme": scheme} if mode else {}
    assert report.precision == pytest.approx(100 * metrics.precision_score(gold, predicted, **options))
    assert report.recall == pytest.approx(100 * metrics.recall_score(gold, predicted, **options))
    assert report.f1 == pytest.approx(100 * metrics.f1_score(gold, predicted, **options))
    assert report.accuracy == pytest.approx(100 * metrics.accuracy_score(gold, predicted))


@pytest.mark.parametrize("scheme", ["IOB2", "IOBES"])
def test_discard_is_the_strict_mode_of_seqeval(scheme: str) -> None:
    metrics = pytest.importorskip("seqeval.metrics")
    module = pytest.importorskip("seqeval.scheme")
    rng = random.Random(2)
    alphabet = typed("BI" if scheme == "IOB2" else "BIES", "-X", "-Y")
    gold, _ = valid_corpus(rng, scheme, 300)
    predicted = [[y if rng.random() < 0.7 else rng.choice(alphabet) for y in labels] for labels in gold]
    report = evaluate(gold, predicted, scheme=scheme, repair="discard", bootstrap=0)
    options = {"mode": "strict", "scheme": getattr(module, scheme)}
    assert report.precision == pytest.approx(100 * metrics.precision_score(gold, predicted, **options))
    assert report.recall == pytest.approx(100 * metrics.recall_score(gold, predicted, **options))
    assert report.predicted_violations > 0


# --- the report ---


def test_report_of_chunks() -> None:
    gold = [["I-PER", "I-PER", "O", "I-LOC"], ["O"], []]
    predicted = [["B-PER", "I-PER", "O", "I-LOC"], ["B-LOC"], []]
    report = evaluate(gold, predicted, tokens=[["Ann", "Lee", "in", "Rome"], ["Hm"], []], known={"in", "Hm"})
    assert report.render() == (
        "processed 5 tokens with 2 phrases; found: 3 phrases; correct: 2.\n"
        "accuracy:  60.00%; precision:  66.67%; recall: 100.00%; FB1:  80.00\n"
        "              LOC: precision:  50.00%; recall: 100.00%; FB1:  66.67  2\n"
        "              PER: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
        "scheme: gold IOB1, predicted IOB2\n"
        "repair: conlleval (a label that continues nothing opens a chunk)\n"
        "invalid transitions: 0 in gold, 1 in predicted\n"
        "95 % interval of FB1: 0.00 to 100.00 (1000 bootstrap samples of 3 sentences, seed 0)\n"
        "accuracy on known words:  50.00% of 2 tokens\n"
        "accuracy on unknown words:  66.67% of 3 tokens"
    )
    values = report.to_dict()
    assert json.loads(json.dumps(values)) == values
    assert values["f1"] == values["score"] == 80.0
    assert values["accuracy"] == 60.0
    assert values["per_type"]["LOC"]["precision"] == 50.0
    assert values["unknown_accuracy"] == pytest.approx(200 / 3)
    assert values["scheme"] == {"gold": "IOB1", "predicted": "IOB2"}
    assert values["violations"] == {"gold": 0, "predicted": 1}


def test_report_of_parts_of_speech() -> None:
    report = evaluate([["DT", "NN"], ["VB", "."]], [["DT", "NN"], ["NN", "."]])
    assert report.accuracy == 75.0
    assert report.main_score == ("accuracy", 75.0)
    values = report.to_dict()
    assert [values[key] for key in ("precision", "recall", "f1", "per_type", "chunks")] == [None] * 5
    assert report.render().splitlines()[:3] == ["processed 4 tokens.", "accuracy:  75.00%", "scheme: none"]
    assert report.interval == (50.0, 100.0)


def test_scheme_none_scores_tokens_only() -> None:
    assert evaluate([["B-X"]], [["B-X"]], scheme="none").f1 is None


def test_predictions_without_chunks() -> None:
    report = evaluate([["I-X", "O"]], [["O", "O"]])
    assert (report.gold_scheme, report.predicted_scheme) == ("IOB1", "IOB1")
    assert (report.precision, report.recall, report.f1) == (0.0, 0.0, 0.0)


def test_predictions_that_fit_no_scheme_are_held_against_that_of_gold() -> None:
    report = evaluate([["B-X", "O"]], [["NN", "VB"]], bootstrap=0)
    assert (report.predicted_scheme, report.predicted_violations) == ("IOB2", 2)


@pytest.mark.parametrize(
    ("policy", "chunks"),
    [("conlleval", Counts(2, 3, 2)), ("scheme", Counts(2, 3, 2)), ("discard", Counts(1, 1, 2))],
)
def test_policies_for_broken_predictions(policy: str, chunks: Counts) -> None:
    gold, predicted = [["B-X", "O"], ["O", "B-Y"]], [["B-X", "I-Y"], ["O", "I-Y"]]
    report = evaluate(gold, predicted, repair=policy, scheme="IOB2", bootstrap=0)
    assert report.chunks == chunks
    assert report.repair == policy
    assert report.predicted_violations == 2
    assert f"repair: {policy} (" in report.render()


def test_policy_strict_names_the_place() -> None:
    with pytest.raises(DataError, match="predicted sentence 2, token 3: not valid IOB2: I-Y follows B-X"):
        evaluate([["O"], ["O"] * 3], [["O"], ["O", "B-X", "I-Y"]], repair="strict", scheme="IOB2")
    assert evaluate([["B-X"]], [["B-X"]], repair="strict").f1 == 100.0


def test_undefined_scores_are_zero() -> None:
    assert (Counts().precision, Counts().recall, Counts().f1) == (0.0, 0.0, 0.0)
    assert evaluate([["O"]], [["O"]]).f1 == 0.0


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([["O"]], [["O"], ["O"]], "1 gold sentences, but 2 predicted ones"),
        ([["O"], ["O", "O"]], [["O"], ["O"]], "sentence 2: 2 gold labels, but 1 predicted ones"),
        ([], [], "nothing to evaluate"),
        ([[], []], [[], []], "nothing to evaluate"),
        (["O", "B-X"], ["O", "B-X"], "sentence 1: expected a list of labels, got a string"),
    ],
)
def test_data_that_cannot_be_scored(gold: Corpus, predicted: Corpus, message: str) -> None:
    with pytest.raises(DataError, match=message):
        evaluate(gold, predicted)
    with pytest.raises(DataError, match=message):
        top_confusions(gold, predicted)


def test_settings_that_cannot_be_used() -> None:
    one = [["O"]]
    with pytest.raises(SettingError, match="did you mean 'conlleval'"):
        evaluate(one, one, repair="conleval")
    with pytest.raises(SettingError, match="needs the argument tokens"):
        evaluate(one, one, known=set())
    with pytest.raises(SettingError, match="bootstrap: expected 0 or more"):
        evaluate(one, one, bootstrap=-1)
    with pytest.raises(SettingError, match="expected one of IOB1, IOB2, IOBES, auto, none"):
        evaluate(one, one, scheme="IOB3")
    with pytest.raises(SettingError, match="rounds: expected 1 or more, got 0"):
        compare(one, one, one, rounds=0)
    with pytest.raises(DataError, match="sentence 1: 1 gold labels, but 2 token ones"):
        evaluate(one, one, known=set(), tokens=[["a", "b"]])


def test_input_is_not_changed() -> None:
    gold, predicted = random_corpus(random.Random(3), ALPHABETS["IOB"], 20, 8)
    before = json.dumps([gold, predicted])
    evaluate(gold, predicted)
    compare(gold, predicted, gold, rounds=10)
    assert json.dumps([gold, predicted]) == before


def test_top_confusions() -> None:
    gold, predicted = [["A", "A", "B"], ["A", "C"]], [["B", "B", "C"], ["C", "C"]]
    assert top_confusions(gold, predicted, 2) == [("A", "B", 2), ("A", "C", 1)]
    assert top_confusions(gold, gold) == []


# --- chance ---


def noisy(rng: random.Random, gold: Corpus, errors: float) -> Corpus:
    return [[y if rng.random() > errors else "O" for y in labels] for labels in gold]


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return valid_corpus(random.Random(4), "IOB2", 300)[0]


def test_bootstrap_depends_on_the_seed_only(gold: Corpus) -> None:
    predicted = noisy(random.Random(5), gold, 0.1)
    intervals = [evaluate(gold, predicted, seed=seed).interval for seed in (1, 1, 2)]
    assert intervals[0] == intervals[1] != intervals[2]
    report = evaluate(gold, predicted)
    assert report.interval is not None
    assert report.f1 is not None
    assert report.interval[0] < report.f1 < report.interval[1]
    assert evaluate(gold, predicted, bootstrap=0).interval is None
    assert evaluate(gold, gold).interval == (100.0, 100.0)


def test_bootstrap_is_that_of_drawing_sentences(gold: Corpus) -> None:
    predicted = noisy(random.Random(6), gold, 0.1)
    rows = tally_chunks(gold, predicted, ("IOB2", "IOB2"), "conlleval").rows
    rng = np.random.default_rng(7)
    plain = [float(f1_score(rows[rng.integers(len(rows), size=len(rows))].sum(axis=0))) for _ in range(4000)]
    expected = np.percentile(plain, [2.5, 97.5]).tolist()
    assert bootstrap_interval(rows, f1_score, 4000, seed=0) == pytest.approx(expected, abs=0.3)


def test_randomisation_is_that_of_swapping_sentences(gold: Corpus) -> None:
    rng = random.Random(8)
    a, b = (tally_chunks(gold, noisy(rng, gold, e), ("IOB2", "IOB2"), "conlleval").rows for e in (0.10, 0.10))
    observed = abs(float(f1_score(b.sum(axis=0)) - f1_score(a.sum(axis=0))))
    draws = np.random.default_rng(9)
    extreme = 0
    for _ in range(4000):
        swap = draws.integers(2, size=(len(a), 1))
        x, y = np.where(swap, b, a).sum(axis=0), np.where(swap, a, b).sum(axis=0)
        extreme += abs(float(f1_score(y) - f1_score(x))) >= observed - 1e-9
    assert 0.02 < extreme / 4000 < 0.98  # else the test shows nothing
    assert randomisation_p(a, b, f1_score, 4000, seed=0) == pytest.approx(extreme / 4000, abs=0.04)


def test_compare_equal_systems(gold: Corpus) -> None:
    a = noisy(random.Random(10), gold, 0.1)
    result = compare(gold, a, [list(labels) for labels in a], rounds=500)
    assert (result.p_value, result.difference, result.interval) == (1.0, 0.0, (0.0, 0.0))
    assert (result.better, result.worse, result.equal) == (0, 0, len(gold))


def test_compare_a_better_system(gold: Corpus) -> None:
    rng = random.Random(11)
    a, b = noisy(rng, gold, 0.2), noisy(rng, gold, 0.05)
    result = compare(gold, a, b)
    assert result.p_value < 0.001
    assert 0 < result.interval[0] < result.difference < result.interval[1]
    assert result.better > result.worse
    assert result.better + result.worse + result.equal == len(gold)
    assert result.b == pytest.approx(evaluate(gold, b, bootstrap=0).f1)
    assert result.main_score == "f1"
    assert json.loads(json.dumps(result.to_dict())) == result.to_dict()
    assert result.render().startswith(f"FB1: a {result.a:.2f}, b {result.b:.2f}; difference +")


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(0, 3))
def test_compare_is_symmetric(seed: int, test_seed: int) -> None:
    rng = random.Random(seed)
    corpus = valid_corpus(rng, "IOB2", 20)[0]
    a, b = noisy(rng, corpus, 0.1), noisy(rng, corpus, 0.1)
    there, back = (compare(corpus, *pair, rounds=200, seed=test_seed) for pair in ((a, b), (b, a)))
    assert there.p_value == back.p_value
    assert there.difference == -back.difference
    assert there.interval == (-back.interval[1], -back.interval[0])
    assert (there.better, there.worse) == (back.worse, back.better)


def test_compare_parts_of_speech() -> None:
    gold = [["NN", "VB"]] * 100
    result = compare(gold, [["NN", "NN"]] * 100, gold, rounds=200)
    assert (result.main_score, result.a, result.b) == ("accuracy", 50.0, 100.0)
    assert result.p_value == pytest.approx(1 / 201)


def test_fifty_thousand_tokens_are_quick() -> None:
    rng = random.Random(12)
    gold, predicted = valid_corpus(rng, "IOB2", 4200)
    started = time.perf_counter()
    evaluate(gold, predicted)
    assert time.perf_counter() - started < 2.0  # about 0.2 s; the rest is for a loaded machine
