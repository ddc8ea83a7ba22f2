"""The Python interface: estimator, labels, spans, scores, explanations, and use from many threads."""

from __future__ import annotations

import threading
import time
from itertools import product

import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from perceptag import Sentence, SettingError, Span, Tagger
from toys import TEMPLATE_SETS, make_recipe, random_corpus

X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "bark"], ["the", "cat", "saw", "a", "dog"]]
Y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"], ["D", "N", "V", "D", "N"]]
NAMES = [["Ann", "Lee", "saw", "Rome"], ["in", "New", "York"], ["Rome", "fell"]]
SPANS = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-LOC", "I-LOC"], ["B-LOC", "O"]]


def fitted(**settings) -> Tagger:
    return Tagger(recipe="collins-pos", epochs=8, **settings).fit(X, Y)


# --------------------------------------------------------------------------------------- scikit-learn


def test_parameters_are_those_of_the_constructor():
    tagger = Tagger(recipe="collins-np", epochs=3, labels_keep="NP", threads=2)
    assert tagger.get_params() == {
        "recipe": "collins-np",
        "attributes": None,
        "functions": None,
        "allow_code": False,
        "threads": 2,
        "warm_start": False,
        "verbose": 0,
        "epochs": 3,
        "labels_keep": "NP",
    }
    assert tagger.set_params(epochs=5, threads=1) is tagger
    assert tagger.get_params()["epochs"] == 5
    with pytest.raises(SettingError, match="unknown recipe key 'epoch'; did you mean 'epochs'"):
        tagger.set_params(epoch=7)
    with pytest.raises(SettingError, match="epochs: expected a number from 1"):
        tagger.set_params(epochs=0)
    assert tagger.get_params()["epochs"] == 5, "what is refused changes nothing"
    assert "epoch" not in tagger.get_params()


def test_grid_search_and_cross_validation():
    search = GridSearchCV(Tagger(recipe="collins-pos"), {"epochs": [1, 6], "support": ["gold", "all"]}, cv=2)
    search.fit(X * 3, Y * 3)
    assert search.best_score_ == 1.0
    assert search.predict(X) == Y
    assert len(cross_val_score(Tagger(epochs=6), X * 3, Y * 3, cv=3)) == 3


def test_the_constructor_stores_values_and_refuses_unknown_names():
    Tagger(recipe="no such recipe", epochs=-1, labels_column="x")
    with pytest.raises(SettingError, match="unknown recipe key 'epoch'; did you mean 'epochs'"):
        Tagger(epoch=5)
    assert Tagger(learner="tests.learn:OWN", whatever=1).overrides["whatever"] == 1, (
        "a learner of one's own may know it"
    )
    with pytest.raises(SettingError, match="unknown recipe 'no such recipe'"):
        Tagger(recipe="no such recipe").fit(X, Y)


# ------------------------------------------------------------------------------------------ using it


def test_fit_predict_score_evaluate():
    tagger = fitted()
    assert tagger.predict(X) == Y
    assert tagger.score(X, Y) == 1.0
    assert tagger.labels_ == ["D", "N", "V"]
    report = tagger.evaluate([["the", "zebra"]], [["D", "V"]])
    assert (report.tokens, report.correct_tokens) == (2, report.correct_tokens)
    assert (report.known.gold, report.unknown.gold) == (1, 1), "zebra is unknown"


def test_score_is_f1_for_spans_and_accuracy_for_tags():
    tagger = Tagger(recipe="collins-pos", epochs=8).fit(NAMES, SPANS)
    assert tagger.predict(NAMES) == SPANS
    wrong = [["B-PER", "I-PER", "O", "O"], ["O", "B-LOC", "I-LOC"], ["B-LOC", "O"]]
    assert tagger.score(NAMES, wrong) == pytest.approx(2 * 0.75 * 1.0 / 1.75)  # 3 of 4 found are right, of 3 all found
    assert fitted().score(X, [["D", "N", "N"], *Y[1:]]) == pytest.approx(12 / 13)


def test_predict_spans():
    tagger = Tagger(recipe="collins-pos", epochs=8).fit(NAMES, SPANS)
    assert tagger.predict_spans(NAMES) == [
        [Span(0, 2, "PER"), Span(3, 4, "LOC")],
        [Span(1, 3, "LOC")],
        [Span(0, 1, "LOC")],
    ]
    with pytest.raises(SettingError, match="not spans"):
        fitted().predict_spans(X)


def test_ways_to_give_data():
    rows = [[{"form": w, "pos": w[:1]} for w in s] for s in X]
    columns = [{"form": s, "pos": [w[:1] for w in s]} for s in X]
    sentences = [Sentence({"form": s, "pos": [w[:1] for w in s], "label": y}) for s, y in zip(X, Y, strict=True)]
    settings = {"recipe": make_recipe(templates=("form[0]", "pos[-1]", "bias * y-1 y0")), "epochs": 5}
    taggers = [
        Tagger(**settings).fit(rows, Y),
        Tagger(**settings).fit(iter(columns), iter(Y)),
        Tagger(**settings).fit(sentences),
    ]
    predictions = [t.predict(data) for t in taggers for data in (rows, columns, sentences, map(tuple, rows))]
    assert all(p == Y for p in predictions)


def test_the_best_pass_on_dev_is_kept():
    train, dev = random_corpus(0, 40), random_corpus(1, 40)
    tagger = Tagger(make_recipe(templates=TEMPLATE_SETS["order 1"]), epochs=6).fit(train, dev=dev)
    curve = tagger.model_.manifest["curve"]
    best = max(curve, key=lambda r: r["dev_kept"])  # the first of equals
    assert tagger.model_.manifest["best_epoch"] == best["epoch"]
    gold = [s.columns["label"] for s in dev]
    assert 100 * tagger.score(dev, gold) == pytest.approx(best["dev_kept"])
    as_pair = Tagger(make_recipe(templates=TEMPLATE_SETS["order 1"]), epochs=6, labels_column="label")
    assert as_pair.fit(train, dev=(dev, gold)).predict(dev) == tagger.predict(dev)


# ---------------------------------------------------------------------------------------- explanations


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
@pytest.mark.parametrize("weights", ["averaged", "last"])
def test_explanations_agree_with_brute_force(templates, weights):
    """Contributions sum to the score; the margin is the distance to the best labelling that differs at the token."""
    corpus = random_corpus(1, 20)
    tagger = Tagger(make_recipe(templates=templates, weights=weights, epochs=2)).fit(corpus)
    for sentence in random_corpus(50, 6, longest=4):
        explanation = tagger.explain(sentence)
        assert list(explanation.labels) == tagger.predict([sentence])[0]
        totals = all_scores(tagger, sentence)
        assert explanation.score == max(totals.values()) == totals[explanation.labels]
        assert sum(d.score for d in explanation.details) == explanation.score
        for t, detail in enumerate(explanation.details):
            assert detail.label == explanation.labels[t]
            assert sum(c.weight for c in detail.contributions) == detail.score
            rivals = {labels: total for labels, total in totals.items() if labels[t] != detail.label}
            assert detail.margin == explanation.score - max(rivals.values()) >= 0
            assert totals[detail.rival_labels] == max(rivals.values())
            assert detail.rival_labels[t] == detail.rival != detail.label


def all_scores(tagger, sentence):
    """The score of every labelling of a sentence, from the weights that the features name."""
    ready = tagger.ready_model
    data = ready.reader.read([sentence])
    x = ready.encoder.encode(data.columns, data.units)[0]
    w, names = ready.vectors[0], tagger.labels_
    L = len(names)

    def score(labels):
        padded = (L, L, *labels)
        total = 0.0
        for t, y in enumerate(labels):
            v, u = padded[t], padded[t + 1]
            codes = (y, u * L + y, (v * (L + 1) + u) * L + y)
            total += sum(w.value(o, row, codes[o]) for o in range(3) for row in x.rows(o, t).tolist())
            total += sum(w.value(3 + i, 0, codes[1 + i]) for i in range(2) if w.rows(3 + i))
        return total

    return {tuple(names[y] for y in labels): score(labels) for labels in product(range(L), repeat=len(sentence))}


# --------------------------------------------------------------------------------------------- threads


def run_in_threads(number, work):
    """Run work(i) in threads; the first exception is raised here."""
    errors = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_one_tagger_serves_many_threads():
    """Each thread brings words of its own."""
    corpus = random_corpus(0, 40)
    tagger = Tagger(
        make_recipe(templates=("form[0]", "letters[0]", "suffix1[0]", "pos[0] * y-1 y0", "bias * y-1 y0"), epochs=2),
        attributes={"letters": list},
    ).fit(corpus)
    inputs = [
        [
            Sentence({"form": [f"{w}{i}-{k}" for w in s.columns["form"]], "pos": s.columns["pos"]})
            for k, s in enumerate(corpus)
        ]
        + corpus
        for i in range(8)
    ]
    expected = [tagger.predict(batch) for batch in inputs]

    def work(i):
        for k in range(10):
            batch = inputs[(i + k) % 8]
            assert tagger.predict(batch) == expected[(i + k) % 8]
            tagger.explain(batch[0])

    run_in_threads(8, work)


def test_other_threads_run_while_the_core_works():
    """One long sentence with many labels is one native call; a thread of Python must not stand still meanwhile."""
    labels = [f"L{i}" for i in range(150)]
    data = [Sentence({"form": [f"w{i}" for i in range(150)], "label": labels})]
    tagger = Tagger(make_recipe(templates=("form[0]", "bias * y-2 y-1 y0"), support="all", epochs=1)).fit(data)
    long = [[f"w{i % 150}" for i in range(30_000)]]
    tagger.predict([["w1"]])
    # On a busy machine the other thread may wait for a processor. It always waits where the GIL is held.
    assert any(_longest_wait(lambda: tagger.predict(long)) < 0.5 for _ in range(10))


def _longest_wait(work):
    """How long another thread stands still while something is done, as a part of the time that it takes."""
    ticks: list[float] = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    ticker = threading.Thread(target=tick)
    ticker.start()
    started = time.perf_counter()
    work()
    ended = time.perf_counter()
    done.set()
    ticker.join()
    inside = [t for t in ticks if started < t < ended]
    return max(b - a for a, b in zip([started, *inside], [*inside, ended], strict=True)) / (ended - started)


def test_a_single_label_and_empty_tokens_give_a_warning():
    with pytest.warns(UserWarning, match="^y: expected at least two labels, found only 'O': the tagger can give no o"):
        tagger = Tagger("collins-pos", epochs=1).fit(NAMES, [["O"] * len(names) for names in NAMES])
    assert tagger.predict([["Rome"]]) == [["O"]]
    with pytest.warns(UserWarning, match="^2 empty tokens; the first is at sentence 1, token 0$") as found:
        Tagger("collins-pos", epochs=1).fit([*X[:1], ["", "", "x"]], [*Y[:1], ["N", "V", "N"]])
    assert {one.filename for one in found} == {__file__}
