"""What perceptag promises inside other libraries: the labels of `predict`, the spans of `Pipeline`, their contracts.

Tables are those of `perceptag.tables.kinds.KINDS`, estimators those of `perceptag.sklearn`, factories those that spaCy
knows: one that is new is tested as soon as it is there. Where a library is missing, its tests are skipped.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import perceptag
from perceptag import DataError, SettingError, Tagger
from perceptag.tables import from_sentences, tag, to_sentences
from perceptag.tables.kinds import KINDS as TABLES
from perceptag.text import Sentence
from pipelines import TEXT, over_documents, whole
from table_toys import LIBRARY, made, needs, values

ALWAYS = ["arrow"]  # the others are what `make test-doors` installs


def kinds(names: Any) -> list[Any]:
    return [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.doors) for name in names]


every_table = pytest.mark.parametrize("kind", kinds(TABLES))
X = [["The", "dog", "barks"], [], ["A", "cat"], ["It", "sleeps"], ["Ünïcödé", "𝒳"]]
Y = [["DT", "NN", "VBZ"], [], ["DT", "NN"], ["PRP", "VBZ"], ["NN", "SYM"]]
TEXTS = [TEXT, None, "", "😀 " + TEXT, "Harwick lost."]


@cache
def tagger() -> Tagger:
    return Tagger("collins-pos", epochs=3).fit([x for x in X if x], [y for y in Y if y])


def expected(words: list[list[str]]) -> list[list[str]]:
    return [tagger().predict([x])[0] if x else [] for x in words]


# --- tags of words ---


def by_table(kind: str) -> Callable[[list[list[str]]], list[list[str]]]:
    return lambda words: values(tag(tagger(), made(kind, tokens=words)), "labels")


def by_rows(kind: str) -> Callable[[list[list[str]]], list[list[str]]]:
    def labels(words: list[list[str]]) -> list[list[str]]:
        ids = [i for i, x in enumerate(words) for _ in x]
        rows = made(kind, s=ids, w=[word for x in words for word in x])
        flat = values(tag(tagger(), rows, "w", "y", by="s"), "y") if ids else []
        return [[y for i, y in zip(ids, flat, strict=True) if i == n] for n in range(len(words))]

    return labels


def by_array(words: list[list[str]]) -> list[list[str]]:
    pa = needs("arrow")
    import perceptag.arrow

    labels: list[list[str]] = perceptag.arrow.tag(tagger(), pa.array(words, pa.list_(pa.string()))).to_pylist()
    return labels


def by_nltk(words: list[list[str]]) -> list[list[str]]:
    pytest.importorskip("nltk")
    from perceptag.nltk import PerceptagTagger

    tagged = PerceptagTagger(model=tagger()).tag_sents(words)
    assert [[w for w, _ in sentence] for sentence in tagged] == words
    return [[y for _, y in sentence] for sentence in tagged]


def by_spacy(words: list[list[str]]) -> list[list[str]]:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptag_tagger", config={"model": saved()})
    docs = nlp.pipe(spacy.tokens.Doc(nlp.vocab, words=one) for one in words)
    return [[token.tag_ for token in doc] for doc in docs]


@cache
def saved() -> str:
    import tempfile

    path = Path(tempfile.mkdtemp()) / "a.model"
    tagger().save(path)
    return str(path)


WAYS = {
    "array of Arrow": by_array,
    **{f"table of {kind}": by_table(kind) for kind in TABLES},
    **{f"rows of {kind}": by_rows(kind) for kind in TABLES},
    "NLTK": by_nltk,
    "spaCy": by_spacy,
}
WORDS = st.lists(st.lists(st.sampled_from(["The", "dog", "Cat", "x-1", "Ünï", "𝒳"]), max_size=4), max_size=4)
every_way = pytest.mark.parametrize(
    "way", [pytest.param(w, marks=[] if "rrow" in w else pytest.mark.doors) for w in WAYS]
)


@every_way
@pytest.mark.filterwarnings("default")
def test_labels_are_those_of_predict(way: str) -> None:
    assert WAYS[way](X) == expected(X)


@pytest.mark.parametrize("way", ["array of Arrow", "table of arrow"])
@settings(max_examples=25)
@given(words=WORDS)
def test_labels_of_any_sentences_are_those_of_predict(way: str, words: list[list[str]]) -> None:
    needs("arrow")
    assert WAYS[way](words) == expected(words)


@every_table
def test_a_table_keeps_its_columns_and_gets_one_more(kind: str) -> None:
    frame = made(kind, n=[*range(len(X))], tokens=X)
    tagged = tag(tagger(), frame)
    assert type(tagged) is type(frame) and values(tagged, "n") == [*range(len(X))]
    assert "labels" not in (getattr(frame, "column_names", None) or frame.columns)


@every_table
def test_a_row_without_tokens_has_no_labels(kind: str) -> None:
    frame = made(kind, tokens=[None, ["A", "cat"], None, ["A"]])
    assert values(tag(tagger(), frame), "labels") == [None, ["DT", "NN"], None, ["DT"]]
    with pytest.raises(DataError, match=r"row 0: column 'tokens': "):
        to_sentences(frame)


@every_table
@settings(max_examples=25)
@given(st.lists(st.tuples(st.lists(st.text("aé𝒳 \n", max_size=3), max_size=3), st.booleans()), max_size=4))
def test_sentences_come_back_from_a_table(kind: str, rows: list[tuple[list[str], bool]]) -> None:
    needs(kind)
    sentences = [Sentence({"form": w, "pos": w[::-1], "label": w}, starts_document=d) for w, d in rows]
    frame = from_sentences(sentences, kind, document="doc")
    further: dict[str, Any] = {"document": "doc", "columns": ["pos"]} if rows else {}
    assert to_sentences(frame, labels="labels" if rows else None, **further) == sentences
    filled = [s for s in sentences if len(s)]
    by_word = from_sentences(filled, kind, by="s", document="doc", tokens="w", labels="y")
    more: dict[str, Any] = {"by": "s", "document": "doc", "columns": {"pos": "pos"}} if filled else {}
    assert to_sentences(by_word, "w", "y" if filled else None, **more) == filled


# --- spans of texts ---


def names_of(frame: Any) -> list[str]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


@every_table
@pytest.mark.parametrize("pipeline", [whole, over_documents])
def test_spans_are_those_of_single_texts_and_have_places(kind: str, pipeline: Any) -> None:
    frame = made(kind, id=[*range(5)], body=TEXTS)
    tagged = tag(pipeline(), frame, text="body")
    assert names_of(tagged) == ["id", "body", "spans"] and names_of(frame) == ["id", "body"]
    rows = [
        row if row is None else [{k: v for k, v in s.items() if v is not None} for s in row]
        for row in values(tagged, "spans")
    ]
    documents = [None if text is None else pipeline()(text) for text in TEXTS]
    assert rows == [None if d is None else [span.to_dict() for span in d.spans] for d in documents]
    for text, row in zip(TEXTS, rows, strict=True):
        assert all(text[span["start_char"] : span["end_char"]] == span["text"] for span in row or [])  # type: ignore[index]
    assert rows[3] and rows[3][0]["layer"] == "ner"


@every_table
def test_words_and_labels_are_columns_too(kind: str) -> None:
    tagged = tag(whole(), made(kind, body=TEXTS), text="body", spans=None, tokens="words", labels="names")
    assert names_of(tagged) == ["body", "words", "names"]
    documents = [None if text is None else whole()(text) for text in TEXTS]
    assert values(tagged, "words") == [d if d is None else [w.text for w in d.words] for d in documents]
    assert values(tagged, "names") == [d if d is None else [w.ner for w in d.words] for d in documents]


def test_without_a_model_it_is_the_english_one() -> None:
    frame = made("arrow", body=["Angela Merkel visited Paris.", None])
    assert values(tag(frame, text="body"), "spans") == values(tag("en", frame, text="body"), "spans")
    assert [span["text"] for span in values(tag(frame=frame, text="body"), "spans")[0]] == ["Angela Merkel", "Paris"]


@every_table
def test_what_is_missing_or_in_the_wrong_place_is_said(kind: str) -> None:
    frame = made(kind, body=["Anna sings."])
    for use, message in (
        (lambda: tag(frame, whole()), r"tables.tag\(model, frame\)"),
        (lambda: tag(whole(), frame), "text='body'|text=NAME"),
        (lambda: tag(whole(), frame, text="bdy"), "did you mean 'body'"),
        (lambda: tag(whole(), frame, tokens="body"), "text='body'"),
        (lambda: tag(tagger(), frame, text="body"), "expected a model with a tokeniser"),
    ):
        with pytest.raises((DataError, SettingError), match=message):
            use()


@pytest.mark.doors
def test_spans_of_spacy_are_those_of_the_pipeline() -> None:
    spacy = pytest.importorskip("spacy")
    nlp, text = spacy.blank("en"), "Angela Merkel visited Paris"
    nlp.add_pipe("perceptag_ner", config={"model": "en"})
    ours = {(s.start_char, s.end_char, s.label) for s in perceptag.load("en")(text).ents}
    assert {(e.start_char, e.end_char, e.label_) for e in nlp(text).ents} == ours != set()


# --- estimators ---


def estimators() -> list[Any]:
    module = pytest.importorskip("perceptag.sklearn")
    return [getattr(module, name) for name in module.__all__ if hasattr(getattr(module, name), "fit")]


def on_numbers(estimator: Any) -> Any:
    """Return an estimator for the checks of scikit-learn: each row of numbers becomes a sentence of one token."""
    from sklearn.metrics import accuracy_score
    from sklearn.utils.validation import validate_data

    def tokens(rows: Any) -> list[list[list[str]]]:
        return [[[f"{j}={value:.0f}" for j, value in enumerate(row)]] for row in np.asarray(rows, float)]

    class OnNumbers(estimator):  # type: ignore[misc]
        def fit(self, X: Any, y: Any, **arguments: Any) -> Any:
            X, y = validate_data(self, X, y)
            return super().fit(tokens(X), [[str(label)] for label in y], **arguments)

        def predict(self, X: Any, given: Any = None) -> Any:
            if not hasattr(self, "model_"):
                self._check_model()
            labels = super().predict(tokens(validate_data(self, X, reset=False)))
            return np.array([float(one[0]) if one[0][-1].isdigit() else one[0] for one in labels])

        def score(self, X: Any, y: Any) -> Any:
            return accuracy_score(y, self.predict(X))

    OnNumbers.__qualname__ = f"On{estimator.__name__}"  # where pickle finds it
    globals()[OnNumbers.__qualname__] = OnNumbers
    return OnNumbers


NOT_FOR_SEQUENCES = {
    "check_no_attributes_set_in_init": "keys of recipes are arguments, and are kept together as `overrides`",
    "check_n_features_in_after_fitting": "partial_fit takes new features, as it takes new labels",
    "check_do_not_raise_errors_in_init_or_set_params": "set_params refuses what no recipe can have, at once",
}


@pytest.mark.doors  # some seconds
@pytest.mark.filterwarnings("ignore:SettingError occurred during set_params:UserWarning")
def test_the_checks_of_scikit_learn_hold() -> None:
    from sklearn.utils.estimator_checks import check_estimator

    for estimator in estimators():
        made_for_numbers = on_numbers(estimator)("collins-pos", epochs=1)
        results = check_estimator(
            made_for_numbers, expected_failed_checks=NOT_FOR_SEQUENCES, on_fail=None, on_skip=None
        )
        assert not {one["check_name"]: one["exception"] for one in results if one["status"] == "failed"}
        assert {one["check_name"] for one in results if one["status"] == "xfail"} == {*NOT_FOR_SEQUENCES}
        assert sum(one["status"] == "passed" for one in results) > 35


def test_estimators_are_copied_pickled_and_saved(tmp_path: Path) -> None:
    for estimator in estimators():
        from sklearn.base import clone
        from sklearn.exceptions import NotFittedError

        fitted = estimator("collins-pos", epochs=2).fit(X, Y)
        assert clone(fitted).get_params() == fitted.get_params()
        with pytest.raises(NotFittedError, match="no model yet"):
            clone(fitted).predict(X)
        fitted.save(tmp_path / "a.model")
        for again in (pickle.loads(pickle.dumps(fitted)), estimator.load(tmp_path / "a.model")):
            assert type(again) is estimator and again.predict(X) == fitted.predict(X) == Y


def test_every_library_of_tables_is_known_to_the_tests() -> None:
    assert {LIBRARY.get(kind, kind) for kind in TABLES} == {"pandas", "polars", "pyarrow", "datasets"}
