"""The plain version of guided learning: the paper's example, its invariants, and enumeration."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, product

import pytest

from perceptag.features.template import parse_all
from reference.guided import (
    Action,
    add,
    gold_action,
    infer,
    learn_sentence,
    learn_sentence_early,
    nbest,
    score_of,
    template_features,
)

WORDS = ["Agatha", "found", "that", "book", "interesting"]
TAGS = ["NNP", "NN", "VBD", "VBN", "DT", "IN", "VB", "JJ"]


def score_of_the_example(action: Action) -> float:
    """Scores by hand that make the paper's example happen; other tags are out of the question."""
    alone = {
        "Agatha": {"NNP": 3, "NN": 0},
        "found": {"VBD": 7, "VBN": 6},
        "that": {"DT": 1, "IN": 2},
        "book": {"NN": 10, "VB": 8},
        "interesting": {"JJ": 5, "NN": 1},
    }
    word = WORDS[action.token]
    score = alone[word].get(action.label, -100)
    if word == "interesting" and action.label == "JJ" and action.left:
        score += {"NN": 4, "VB": 3}[action.left[-1]]
    if word == "that":
        if action.right == ("NN", "JJ"):
            score += {"DT": 5, "IN": 2}.get(action.label, 0)
        if action.left[-1:] == ("VBD",):
            score += 1
    return score


def test_the_papers_example_step_by_step() -> None:
    best, steps = infer(5, TAGS, score_of_the_example, beam=2)
    assert best.labels == ("NNP", "VBD", "DT", "NN", "JJ")

    def spans(some: tuple) -> list[tuple[int, int]]:
        return [(p.start + 1, p.end + 1) for p in some]

    assert [spans(step.accepted) for step in steps] == [[(4, 4)], [(4, 5)], [(2, 2), (4, 5)], [(2, 5)], [(1, 5)]]
    assert [spans(step.candidates) for step in steps] == [
        [(1, 1), (2, 2), (3, 4), (4, 5)],
        [(1, 1), (2, 2), (3, 5)],
        [(1, 2), (2, 5)],
        [(1, 5)],
        [],
    ]
    assert [["-".join(h.labels) for h in step.span.beam] for step in steps] == [
        ["NN", "VB"],
        ["NN-JJ", "VB-JJ"],
        ["VBD", "VBN"],
        ["VBD-DT-NN-JJ", "VBD-IN-NN-JJ"],
        ["NNP-VBD-DT-NN-JJ", "NN-VBD-DT-NN-JJ"],
    ]


def random_scores(rng: random.Random):
    """A score for every action, whole numbers so that ties occur."""
    table: dict[Action, float] = {}
    return lambda action: table.setdefault(action, rng.randint(-6, 6))


@pytest.mark.parametrize("seed", range(60))
def test_with_an_unlimited_beam_nothing_beats_the_result_in_its_own_order(seed: int) -> None:
    rng = random.Random(seed)
    length, labels = rng.randint(1, 5), "abc"[: rng.randint(1, 3)]
    score = random_scores(rng)
    best, _ = infer(length, labels, score, beam=10**6)
    assert best.score == sum(map(score, best.actions))
    for labelling in product(labels, repeat=length):
        assert sum(score(gold_action(a, labelling)) for a in best.actions) <= best.score


def second_order_viterbi(length: int, labels: str, score) -> float:
    """The best sum of scores from left to right, by dynamic programming over the last two labels."""
    best = {(): 0.0}
    for t in range(length):
        after: dict[tuple, float] = {}
        for history, total in best.items():
            for label in labels:
                key = (*history, label)[-2:]
                value = total + score(Action(t, label, history, ()))
                after[key] = max(value, after.get(key, value))
        best = after
    return max(best.values())


@pytest.mark.parametrize("seed", range(30))
def test_from_left_to_right_with_an_unlimited_beam_it_is_second_order_viterbi(seed: int) -> None:
    rng = random.Random(seed)
    length, labels = rng.randint(1, 6), "abc"[: rng.randint(1, 3)]
    score = random_scores(rng)
    best, steps = infer(length, labels, score, beam=10**6, direction="left-to-right")
    assert [step.span.end for step in steps] == list(range(length))
    assert best.score == second_order_viterbi(length, labels, score)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("beam", [1, 3])
def test_from_right_to_left_it_is_left_to_right_in_a_mirror(seed: int, beam: int) -> None:
    rng = random.Random(seed)
    length, labels = rng.randint(1, 7), "abc"
    score = random_scores(rng)

    def mirrored(action: Action) -> float:
        return score(Action(length - 1 - action.token, action.label, action.right[::-1], action.left[::-1]))

    there, steps = infer(length, labels, score, beam, "right-to-left")
    back, mirror_steps = infer(length, labels, mirrored, beam, "left-to-right")
    assert (there.labels, there.score) == (back.labels[::-1], back.score)
    assert [step.span.start for step in steps] == [length - 1 - step.span.end for step in mirror_steps]
    listed = nbest(length, labels, score, beam, "right-to-left")
    assert [h.labels[::-1] for h in listed] == [
        h.labels for h in nbest(length, labels, mirrored, beam, "left-to-right")
    ]
    assert listed[0] == there


def test_the_last_beam_is_the_list_of_the_best_by_state() -> None:
    """With an unlimited beam and scores of single tokens, it has the best labelling of each pair of ends."""
    rng = random.Random(4)
    alone = {(t, y): rng.randint(0, 9) for t in range(5) for y in "ab"}
    listed = nbest(5, "ab", lambda action: alone[action.token, action.label], beam=10**6)
    totals = {y: sum(alone[t, label] for t, label in enumerate(y)) for y in product("ab", repeat=5)}
    best: dict[tuple, int] = {}
    for y, total in totals.items():
        best[y[:2], y[-2:]] = max(total, best.get((y[:2], y[-2:]), 0))
    assert [h.score for h in listed] == sorted(best.values(), reverse=True)
    assert {h.state: h.score for h in listed} == best
    assert nbest(0, "ab", lambda action: 0, beam=2)[0].labels == ()


TEMPLATES = parse_all(
    [
        "form[0]",
        "form[-1]",
        "suffix1[0]",
        "form[-1] form[0]",
        "bias * y-1 y0",
        "bias * y-1 y+1 y0",
        "form[0] * y+1 y+2 y0",
        "bias * y-2 y0",
    ]
)


def test_a_template_fires_only_where_all_its_labels_are_known() -> None:
    features = template_features(TEMPLATES, {"form": ["a", "bc"]})
    assert [f[0] for f in features(1, (), ())] == ["form[0]", "form[-1]", "suffix1[0]", "form[-1] form[0]"]
    assert [f[0] for f in features(1, ("X",), ())][4:] == ["bias * y-1 y0"]
    assert [f[0] for f in features(1, ("X",), ("Y",))][4:] == ["bias * y-1 y0", "bias * y-1 y+1 y0"]
    assert ("form[0] * y+1 y+2 y0", ("bc",), ("Y", "Z")) in list(features(1, (), ("Y", "Z")))
    assert ("bias * y-2 y0", (), ("W",)) in list(features(1, ("W", "X"), ()))
    assert ("form[-1]", ("<s1>",), ()) in list(features(0, (), ()))


def small_corpus() -> list[tuple[list[str], tuple[str, ...]]]:
    rng = random.Random(7)
    corpus = []
    for _ in range(15):
        words = [rng.choice(["a", "bb", "cab", "d"]) for _ in range(rng.randint(1, 7))]
        corpus.append((words, tuple("xyz"[(len(word) + len(before)) % 3] for before, word in pairwise(["", *words]))))
    return corpus


@pytest.mark.parametrize("direction", ["both", "left-to-right", "right-to-left"])
@pytest.mark.parametrize("tau", [0, 1])
def test_after_a_pass_without_updates_inference_finds_the_gold_labels(direction: str, tau: int) -> None:
    weights: Counter = Counter()
    data = [(template_features(TEMPLATES, {"form": words}), gold) for words, gold in small_corpus()]
    for _ in range(30):
        updates = [learn_sentence(weights, f, gold, "xyz", 2, direction, tau) for f, gold in data]
        if not any(updates):
            break
    assert not any(updates)
    for features, gold in data:
        best, _ = infer(len(gold), "xyz", lambda a, f=features: score_of(weights, f, a), 2, direction)
        assert best.labels == gold


def test_a_sentence_that_cannot_be_learned_is_given_up() -> None:
    features = template_features(parse_all(["form[0]"]), {"form": ["a", "a"]})
    assert learn_sentence(Counter(), features, ("x", "y"), "xy", beam=2, tau=1, most_updates=90) == 90
    # Without a margin one of the two is accepted before the other spoils it.
    assert learn_sentence(Counter(), features, ("x", "y"), "xy", beam=2) == 1


def test_an_update_moves_the_last_action_only() -> None:
    weights: Counter = Counter()
    features = template_features(parse_all(["form[0]", "bias * y-1 y0"]), {"form": ["a", "b"]})
    # "x" wins ties, so the first token is right at once and the second one is wrong once.
    assert learn_sentence(weights, features, ("x", "y"), "xy", beam=1) == 1
    assert {k: v for k, v in weights.items() if v} == {
        (("form[0]", ("b",), ()), "y"): 1,
        (("form[0]", ("b",), ()), "x"): -1,
        (("bias * y-1 y0", (), ("x",)), "y"): 1,
        (("bias * y-1 y0", (), ("x",)), "x"): -1,
    }


def test_early_update_corrects_the_whole_prefix_and_stops() -> None:
    weights: Counter = Counter()
    features = template_features(parse_all(["form[0]"]), {"form": ["a", "b", "c"]})
    assert learn_sentence_early(weights, features, ("y", "y", "y"), "xy", beam=1) == 1
    assert {k: v for k, v in weights.items() if v} == {
        (("form[0]", ("a",), ()), "y"): 1,
        (("form[0]", ("a",), ()), "x"): -1,
    }
    # With a wide beam the gold labelling stays in it to the end; then everything is corrected.
    weights.clear()
    assert learn_sentence_early(weights, features, ("y", "y", "y"), "xy", beam=8) == 1
    assert len({k for k, v in weights.items() if v}) == 6
    assert learn_sentence_early(weights, features, ("y", "y", "y"), "xy", beam=8) == 0


def test_moving_there_and_back_leaves_nothing() -> None:
    weights: Counter = Counter()
    features = template_features(TEMPLATES, {"form": ["a", "bc"]})
    action = Action(1, "x", ("y",), ())
    add(weights, features, action, +1)
    assert score_of(weights, features, action) == 5
    add(weights, features, action, -1)
    assert not any(weights.values())
