"""Scores are those that conlleval and seqeval give."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluated import ALPHABETS, Corpus, random_corpus, typed, valid_corpus
from perceptag.evaluation import Counts, evaluate
from perceptag.evaluation.chunks import tally_chunks
from perceptag.labels.schemes import Span, spans_to_labels


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
    """Go through one long column of labels, as the script does, and print what it prints."""
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
    of_script, ours = conlleval(gold, predicted), report.render().splitlines()[: 2 + 2]
    # The script compares tokens as they are written, so for their accuracy it gets gold labels in `target`.
    accuracy = conlleval([spans_to_labels(sentence, 8, target) for sentence in chunks], predicted)[1].split(";")[0]
    assert ours[1] == accuracy + of_script[1][len(accuracy) :]
    assert [*ours[:1], *ours[2:]] == [*of_script[:1], *of_script[2:]]
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
