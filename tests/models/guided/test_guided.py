"""Native search and guided learning against the plain version, step by step and weight by weight."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from perceptag import _core
from perceptag.errors import SettingError
from perceptag.features.dataset import SequenceReader
from perceptag.features.template import parse, parse_all
from perceptag.learn import early_update, guided
from perceptag.models.guided.explain import follow
from perceptag.models.guided.model import make_layout
from perceptag.models.guided.trainer import GuidedTrainer
from perceptag.models.task import make_task
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training
from reference import guided as plain

TEMPLATES = [
    "form[0]", "form[-1]", "suffix1[0]", "capital[0]", "form[0] form[1]", "bias",
    "bias * y-1 y0", "bias * y-2 y-1 y0", "bias * y+1 y0", "bias * y+1 y+2 y0", "bias * y-1 y+1 y0", "bias * y-2 y0",
    "form[0] * y-1 y0", "form[0] * y-1 y+1 y0", "suffix1[0] * y+2 y0", "form[-1] form[0] * y-2 y-1 y+1 y+2 y0",
]  # fmt: skip


def corpus(seed: int, sentences: int = 25, longest: int = 9) -> list[Sentence]:
    """Words whose labels depend on their neighbours, with some noise."""
    rng = random.Random(seed)
    made = []
    for _ in range(sentences):
        words = [rng.choice(["a", "Bb", "cab", "d", "Da", "b"]) for _ in range(rng.randint(1, longest))]
        labels = [
            rng.choice("XYZ") if rng.random() < 0.1 else "XYZ"[(len(w) + (i > 0 and len(words[i - 1]))) % 3]
            for i, w in enumerate(words)
        ]
        made.append(Sentence({"form": words, "label": labels}))
    return made


def recipe(**settings: object) -> Recipe:
    return Recipe().replace({"learner": "guided", "support": "all", "templates": TEMPLATES, "epochs": 3, **settings})


def trainer_of(train: list[Sentence], **settings: object) -> GuidedTrainer:
    return GuidedTrainer(make_task(recipe(**settings), train))


class Plain:
    """The plain learner over the same sentences, and its weights by the names of the native ones."""

    def __init__(self, trainer: GuidedTrainer) -> None:
        self.trainer = trainer
        self.names = trainer.task.label_set.names
        self.weights: Counter = Counter()

    def features(self, sentence: Sentence) -> plain.Features:
        return plain.template_features(self.trainer.templates, sentence.columns)

    def gold(self, sentence: Sentence) -> tuple[int, ...]:
        return tuple(self.names.index(y) for y in sentence.columns["label"])

    def score(self, x: _core.Sequence, action: _core.Action, weights: _core.GuidedWeights) -> float:
        """The native score of an action, one weight after the other."""
        words = sum(weights.words.value(0, row, action.label) for row in x.rows(0, action.token).tolist())
        return words + sum(w for _, _, w, _ in weights.contexts.contributions(x, action, action.label))


def run_both(trainer: GuidedTrainer, tau: int, passes: int) -> Plain:
    """Learn with both; after every sentence the numbers of updates must be the same."""
    other = Plain(trainer)
    r = trainer.task.recipe
    search = _core.GuidedSearch(trainer.weights, _core.GuidedRules(r.beam, r.direction, tau))
    labels = range(len(other.names))
    for _ in range(passes):
        for x, sentence in zip(trainer.sequences, trainer.task.train, strict=True):
            features, gold = other.features(sentence), other.gold(sentence)
            if r.aggressive:
                mine = guided.learn_sequence(trainer.weights, search, x)
                cap = guided.update_cap(len(gold))
                theirs = plain.learn_sentence(other.weights, features, gold, labels, r.beam, r.direction, tau, cap)
            else:
                mine = early_update.learn_sequence(trainer.weights, search, x)
                theirs = plain.learn_sentence_early(other.weights, features, gold, labels, r.beam, r.direction, tau)
            assert mine == theirs
            trainer.weights.tick()
    return other


@pytest.mark.parametrize("aggressive", [True, False])
def test_only_sentences_that_need_an_update_are_mistakes(aggressive: bool) -> None:
    words = [Sentence({"form": [word], "label": [label]}) for word, label in (("a", "X"), ("Bb", "Y"), ("cab", "Z"))]
    trainer = trainer_of(words, aggressive=aggressive)
    mistakes = [trainer.learn_epoch(epoch) for epoch in range(1, 8)]
    assert 0 < mistakes[0] <= len(words) and mistakes[-1] == 0


@pytest.mark.parametrize("direction", ["both", "left-to-right", "right-to-left"])
@pytest.mark.parametrize("tau", [0, 4])
def test_passes_of_training_use_the_settings_of_the_recipe(direction: str, tau: int) -> None:
    """The margin and the direction reach the search; the average has one vector for each sentence."""
    right_at_once = Sentence({"form": ["a", "d"], "label": ["X", "X"]})  # of equal scores the first label wins
    train = [right_at_once, *corpus(4, sentences=8, longest=6)]
    trainer = trainer_of(train, direction=direction, tau=tau, beam=2)
    other = Plain(trainer)
    total: Counter = Counter()
    for epoch in (1, 2):
        trainer.learn_epoch(epoch)
        for sentence in train:
            features, gold = other.features(sentence), other.gold(sentence)
            cap = guided.update_cap(len(gold))
            plain.learn_sentence(other.weights, features, gold, range(len(other.names)), 2, direction, tau, cap)
            total.update(other.weights)
    last, average = trainer.snapshot("last"), trainer.snapshot("averaged")
    seen = 0
    for x, sentence in zip(trainer.sequences, train, strict=True):
        features = other.features(sentence)
        best, _ = plain.infer(
            len(sentence),
            range(len(other.names)),
            lambda a, f=features: plain.score_of(other.weights, f, a),
            2,
            direction,
        )
        for action in best.actions:
            beside = [-1, -1, -1, -1]
            beside[2 - len(action.left) : 2] = action.left
            beside[2 : 2 + len(action.right)] = action.right
            native = _core.Action(action.token, action.label, beside)
            assert other.score(x, native, last) == plain.score_of(other.weights, features, action)
            mean = plain.score_of(total, features, action) / (2 * len(train))
            assert other.score(x, native, average) == pytest.approx(mean, abs=1e-4)
            seen += 1
        search = _core.GuidedSearch(last, trainer.rules)  # the margin is for learning only, even where gold is known
        assert tuple(a.label for a in follow(search, x)) == best.labels
    assert seen > 15
    assert any(other.weights.values())


@pytest.mark.parametrize("direction", ["both", "left-to-right", "right-to-left"])
@pytest.mark.parametrize("aggressive", [True, False])
@pytest.mark.parametrize(("beam", "tau"), [(1, 0), (3, 0), (3, 2), (30, 0)])
def test_native_learning_and_search_are_the_plain_ones(direction: str, aggressive: bool, beam: int, tau: int) -> None:
    trainer = trainer_of(corpus(1, sentences=6, longest=7), direction=direction, aggressive=aggressive, beam=beam)
    other = run_both(trainer, tau, passes=2)
    assert any(other.weights.values())
    search = _core.GuidedSearch(trainer.weights, trainer.rules)
    for x, sentence in zip(trainer.sequences, trainer.task.train, strict=True):
        features = other.features(sentence)
        best, steps = plain.infer(
            len(sentence),
            range(len(other.names)),
            lambda a, f=features: plain.score_of(other.weights, f, a),
            beam,
            direction,
        )
        search.start(x)
        for step in steps:
            search.check()
            token = search.choose()
            assert token == step.span.top.actions[-1].token
            action = search.top_action(token)
            assert (action.label, action.score) == (step.span.top.actions[-1].label, step.span.top.action_score)
            assert action.score == other.score(x, action, trainer.weights)
            assert search.beam(token) == [h.score for h in step.span.beam]
            search.accept(token)
            assert search.accepted() == [(p.start, p.end) for p in step.accepted]
            assert search.candidates() == [p.top.actions[-1].token for p in step.candidates]
        search.check()
        assert search.choose() == -1
        found = {a.token: a.label for a in search.actions(token)}
        assert tuple(found[t] for t in range(len(sentence))) == best.labels
        last = steps[-1].span.beam
        assert len(last) > 1 or beam == 1 or len(other.names) ** len(sentence) == 1
        for n in (1, 2, beam):
            (listed,) = _core.guided_nbest(trainer.weights, trainer.rules, encoded(trainer, [sentence]), None, n)
            assert [tuple(y.tolist()) for y in listed.labels] == [h.labels for h in last[:n]]
            assert listed.scores.tolist() == [h.score for h in last[:n]]
    decoded = _core.guided_decode(trainer.weights, trainer.rules, encoded(trainer), None, 1)
    assert len(decoded) == sum(map(len, trainer.task.train))


def test_the_papers_example() -> None:
    """The scores of `test_guided_reference`, as weights."""
    sentence = Sentence(
        {"form": ["Agatha", "found", "that", "book", "interesting"], "label": ["NNP", "VBD", "DT", "NN", "JJ"]}
    )
    others = Sentence({"form": ["x"] * 3, "label": ["VBN", "IN", "VB"]})
    trainer = trainer_of([sentence, others], templates=["form[0]", "form[0] * y-1 y0", "form[0] * y+1 y+2 y0"])
    weights, x, number = trainer.weights, trainer.sequences[0], trainer.task.label_set.names.index

    def give(token: int, label: str, score: int, beside: tuple[int, int, int, int] = (-1, -1, -1, -1)) -> None:
        weights.add(x, _core.Action(token, number(label), beside), score)
        if beside != (-1, -1, -1, -1):  # for the context alone
            weights.add(x, _core.Action(token, number(label)), -score)

    alone = [{"NNP": 3, "NN": 0}, {"VBD": 7, "VBN": 6}, {"DT": 1, "IN": 2}, {"NN": 10, "VB": 8}, {"JJ": 5, "NN": 1}]
    for token, scores in enumerate(alone):
        for label in trainer.task.label_set.names:
            give(token, label, scores.get(label, -100))
    give(4, "JJ", 4, (-1, number("NN"), -1, -1))
    give(4, "JJ", 3, (-1, number("VB"), -1, -1))
    give(2, "DT", 5, (-1, -1, number("NN"), number("JJ")))
    give(2, "IN", 2, (-1, -1, number("NN"), number("JJ")))
    for label in ("DT", "IN"):
        give(2, label, 1, (-1, number("VBD"), -1, -1))
    search = _core.GuidedSearch(weights, _core.GuidedRules(beam=2))
    search.start(x)
    seen = []
    while (token := search.choose()) >= 0:
        search.accept(token)
        search.check()
        seen.append((token + 1, [(a + 1, b + 1) for a, b in search.accepted()], len(search.beam(token))))
    assert seen == [(4, [(4, 4)], 2), (5, [(4, 5)], 2), (2, [(2, 2), (4, 5)], 2), (3, [(2, 5)], 2), (1, [(1, 5)], 2)]
    assert [a.label == x.labels[a.token] for a in search.actions(0)] == [True] * 5


def encoded(trainer: GuidedTrainer, sentences: list[Sentence] | None = None) -> _core.Corpus:
    data = SequenceReader(trainer.encoder.columns).read(sentences or trainer.task.train)
    return trainer.encoder.encode(data.columns, data.units)


@pytest.mark.parametrize("support", ["all", "gold"])
@pytest.mark.parametrize("tau", [0, 3])
def test_scoring_again_what_an_update_touched_equals_scoring_everything_again(support: str, tau: int) -> None:
    trainer = trainer_of(corpus(2, longest=14), support=support)
    rules = _core.GuidedRules(3, "both", tau)
    search, fresh = (_core.GuidedSearch(trainer.weights, rules) for _ in range(2))
    updates = 0
    for x in trainer.sequences:
        search.start(x)
        order: list[int] = []
        while (i := search.choose()) >= 0:
            if guided.top_is_gold(search, i):
                search.accept(i)
                order.append(i)
                continue
            wrong = search.top_action(i)
            right = search.with_gold(wrong)
            trainer.weights.add(x, right, +1)
            trainer.weights.add(x, wrong, -1)
            search.rescore(right, wrong)
            updates += 1
            if not order:  # before anything is accepted, a new search sees exactly the same candidates
                fresh.start(x)
                for t in search.candidates():
                    assert search.beam(t) == fresh.beam(t)
            for t in search.candidates():  # afterwards accepted spans keep old scores, but actions do not
                action = search.top_action(t)
                margin = tau if action.label == x.labels[t] else 0
                own = Plain(trainer).score(x, action, trainer.weights)
                assert action.score == own - margin
    assert updates > 50


def test_gold_is_on_top_of_every_accepted_span_in_training() -> None:
    trainer = trainer_of(corpus(3))
    search = _core.GuidedSearch(trainer.weights, _core.GuidedRules(3, "both", 1))
    for x in trainer.sequences:
        search.start(x)
        while (i := search.choose()) >= 0:
            if guided.top_is_gold(search, i):
                search.accept(i)
                search.check()
                assert all(a.label == x.labels[a.token] for a in search.actions(i))
            else:
                wrong = search.top_action(i)
                right = search.with_gold(wrong)
                assert (right.label, right.beside) != (wrong.label, wrong.beside)
                trainer.weights.add(x, right, +1)
                trainer.weights.add(x, wrong, -1)
                search.rescore(right, wrong)


def test_the_average_is_that_of_the_weights_after_every_sentence() -> None:
    trainer = trainer_of(corpus(4, sentences=8))
    search = _core.GuidedSearch(trainer.weights, _core.GuidedRules(2))
    words, contexts = [], []
    for x in trainer.sequences * 2:
        guided.learn_sequence(trainer.weights, search, x)
        trainer.weights.tick()
        words.append(trainer.weights.words.get(0)[0])
        keys, w, _ = trainer.weights.contexts.get()
        contexts.append(dict(zip(keys.tolist(), w.reshape(len(keys), -1), strict=True)))
    average = trainer.weights.averaged(trainer.active)
    assert np.abs(average.words.get(0)[0] - np.mean(words, axis=0)).max() < 1e-4
    keys, w, sums = average.contexts.get()
    assert len(sums) == 0
    for key, row in zip(keys.tolist(), w.reshape(len(keys), -1), strict=True):
        literal = sum(seen.get(key, np.zeros_like(row)) for seen in contexts) / len(contexts)
        assert np.abs(row - literal).max() < 1e-4


def test_averaged_weights_cannot_be_trained() -> None:
    trainer = trainer_of(corpus(4, sentences=3))
    average = trainer.weights.averaged(trainer.active)
    search = _core.GuidedSearch(average, _core.GuidedRules())
    search.start(trainer.sequences[0])
    with pytest.raises(RuntimeError, match="cannot be trained"):
        average.add(trainer.sequences[0], search.top_action(0), 1)


@pytest.mark.parametrize("direction", ["both", "left-to-right", "right-to-left"])
def test_scheme_constraints_hold(direction: str) -> None:
    rng = random.Random(5)
    sentences = []
    for _ in range(30):
        words = [rng.choice("abcdef") for _ in range(rng.randint(1, 12))]
        labels, inside = [], False
        for _ in words:
            label = rng.choice(["O", "B-A", "I-A"] if inside else ["O", "B-A"])
            inside = label != "O"
            labels.append(label)
        sentences.append(Sentence({"form": words, "label": labels}))
    settings = {"direction": direction, "epochs": 2, "templates": ["form[0]", "form[1]"]}
    free, bound = (Training(recipe(constrain=c, **settings), sentences, sentences) for c in (False, True))

    def broken(training: Training) -> int:
        list(training.run())
        tagged = training.trainer.tag_dev(training.trainer.snapshot(training.task.recipe.weights))
        return sum(y == "I-A" and (["O", *ys])[t] == "O" for ys in tagged for t, y in enumerate(ys))

    assert broken(free) > 0
    assert broken(bound) == 0


def test_a_tag_dictionary_restricts_the_labels_of_its_words() -> None:
    train = [Sentence({"form": ["a", "b"], "label": ["X", "Y"]})] * 5 + [Sentence({"form": ["c"], "label": ["Z"]})]
    training = Training(recipe(tag_dictionary=5), train, [Sentence({"form": ["b", "a", "c"], "label": ["X"] * 3})])
    list(training.run())
    assert training.trainer.tag_dev(training.trainer.snapshot(training.task.recipe.weights))[0][:2] == ["Y", "X"]


def test_layout_of_templates() -> None:
    layout = make_layout(parse_all(["form[0]", "form[0] * y+1 y0", "form[0] * y-1 y0", "bias * y-2 y+2 y0"]))
    assert [str(t) for t in layout.words] == ["form[0]"]
    assert len(layout.observations) == 1
    assert layout.specs() == [(1, 0b0100), (1, 0b0010), (0, 0b1001)]


@pytest.mark.parametrize("text", ["bias * y+1 y0", "form[0] * y-2 y0", "bias * y-1 y+1 y0"])
def test_a_lattice_refuses_label_contexts_that_it_cannot_hold(text: str) -> None:
    with pytest.raises(SettingError, match=r"for this learner, found .* learner = 'guided'"):
        Training(Recipe().replace({"templates": ["form[0]", text]}), corpus(1))


@pytest.mark.parametrize("text", ["bias * y+1", "bias * y+1 y-1 y0", "bias * y-3 y0", "bias *", "bias * y-1 y-1 y0"])
def test_label_contexts_are_checked(text: str) -> None:
    with pytest.raises(SettingError, match="some of y-2, y-1, y"):
        parse(text)


def test_sequences_of_another_model_are_refused() -> None:
    large, small = trainer_of(corpus(1)), trainer_of(corpus(1, sentences=1))
    search = _core.GuidedSearch(small.weights, _core.GuidedRules())
    with pytest.raises(ValueError, match="another model"):
        search.start(large.sequences[-1])
