"""Lemmatizers: the dictionary first, then scripts that can be applied; in pipelines, files and formats."""

from __future__ import annotations

import io
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import ModelError, Pipeline, Sentence, Tagger
from perceptag.cli.eval import check_labels
from perceptag.labels.edit_scripts import parse_script, script_of
from perceptag.models import model_file
from perceptag.models.lemmatizer.dictionary import LemmaDictionary
from perceptag.models.lemmatizer.script_index import ScriptIndex
from perceptag.server.served import written_labels
from perceptag.text.conllu import read_conllu, write_conllu
from perceptag.training.train import Training

VERBS = ("walk", "talk", "bark", "jump", "help", "want", "need", "ask", "look", "play", "call", "rain")
NOUNS = ("dog", "cat", "bird", "tree", "car", "boat", "book", "song", "king", "sea", "star", "road")


def sentence(noun: str, verb: str, ending: str = "ed") -> Sentence:
    return Sentence(
        {
            "form": ["The", f"{noun}s", f"{verb}{ending}", "."],
            "upos": ["DET", "NOUN", "VERB", "PUNCT"],
            "feats": ["_", "Number=Plur", "Tense=Past", "_"],
            "lemma": ["the", noun, verb, "."],
        }
    )


TRAIN = [sentence(noun, verb) for noun, verb in zip(NOUNS, VERBS, strict=True)]
UNSEEN = sentence("ship", "turn")


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("lemma", epochs=4).fit(TRAIN, dev=[UNSEEN])


def without_lemmas(sentences):
    return [replace(s, columns={c: v for c, v in s.columns.items() if c != "lemma"}) for s in sentences]


def test_it_knows_seen_words_and_new_ones(tagger):
    assert tagger.predict(without_lemmas([*TRAIN, UNSEEN])) == [s.columns["lemma"] for s in [*TRAIN, UNSEEN]]
    assert tagger.score(without_lemmas([UNSEEN]), [UNSEEN.columns["lemma"]]) == 1.0
    assert tagger.model_.manifest["dev_score"] == 100.0


def test_the_dotted_and_the_dotless_i_are_different_letters():
    """A new word in İ has no combining dot in its lemma, and one in I has ı if other words have it."""
    train = [("Irmaklar", "ırmak"), ("Iklar", "ık"), ("kitaplar", "kitap"), ("iplar", "ip"), ("İllar", "il")]
    data = [Sentence({"form": [form], "upos": ["NOUN"], "lemma": [lemma]}) for form, lemma in train]
    tagger = Tagger("lemma", epochs=4).fit(data * 2)
    new = [Sentence({"form": [form], "upos": ["NOUN"]}) for form in ("İstasyonlar", "Ispanaklar", "kedilar")]
    assert tagger.predict(new) == [["istasyon"], ["ıspanak"], ["kedi"]]


def test_every_lemma_comes_from_a_script_that_can_be_applied(tagger):
    """The word *ed* has no letter in front of its ending."""
    odd = Sentence({"form": ["ed", "s", "S", "Xs"], "upos": ["VERB", "NOUN", "NOUN", "VERB"], "feats": ["_"] * 4})
    [lemmas] = tagger.predict([odd])
    scripts = tagger.model_.label_set.names
    for form, lemma in zip(odd.columns["form"], lemmas, strict=True):
        assert lemma in [parse_script(script).apply(form) for script in scripts]


def test_the_index_finds_just_the_scripts_that_can_be_applied(tagger):
    scripts = tagger.model_.label_set.names
    index = ScriptIndex(scripts)
    for form in ("dogs", "Walked", "ed", "X", "İs", ""):
        possible = [n for n, script in enumerate(scripts) if parse_script(script).apply(form) is not None]
        assert list(index(form)) == (possible or [*range(len(scripts))])


@given(
    pairs=st.lists(
        st.tuples(st.text("abAB", min_size=1, max_size=5), st.text("abAB", min_size=1, max_size=5)), min_size=1
    ),
    form=st.text("abAB", max_size=6),
)
def test_the_index_finds_the_scripts_of_any_words(pairs, form):
    scripts = sorted({script_of(*pair) for pair in pairs})
    possible = [n for n, script in enumerate(scripts) if parse_script(script).apply(form) is not None]
    assert list(ScriptIndex(scripts)(form)) == (possible or [*range(len(scripts))])


def test_saving_loading_and_training_again_give_the_same(tagger, tmp_path):
    tagger.save(tmp_path / "a")
    loaded = Tagger.load(tmp_path / "a")
    again = Tagger("lemma", epochs=4, threads=2).fit(TRAIN, dev=[UNSEEN])
    again.save(tmp_path / "b")
    loaded.save(tmp_path / "c")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
    assert loaded.predict(without_lemmas([UNSEEN])) == [UNSEEN.columns["lemma"]]


def test_a_layer_of_a_pipeline_gives_lemmas_in_running_text_and_conllu(tagger, tmp_path):
    tags = [Tagger("collins-pos", epochs=3, labels_column=column).fit(TRAIN) for column in ("upos", "feats")]
    Pipeline([*tags, tagger]).save(tmp_path / "en.pipeline")
    pipeline = Pipeline.load(tmp_path / "en.pipeline")
    words = [["The", "dogs", "walked", "."]]
    assert pipeline.tag(words)[0].columns["lemma"] == ["the", "dog", "walk", "."]
    stream = io.BytesIO()
    write_conllu(pipeline.tag(words), stream)
    [read] = read_conllu(io.BytesIO(stream.getvalue()))
    assert read.columns["lemma"] == ["the", "dog", "walk", "."]


def test_words_as_numbers_get_the_same_lemmas(tagger):
    import numpy as np

    sentences = without_lemmas([*TRAIN[:3], UNSEEN])
    columns = {}
    for name in ("form", "upos", "feats"):
        flat = [value for s in sentences for value in s.columns[name]]
        values = sorted(set(flat))
        columns[name] = values, np.array([values.index(value) for value in flat], np.int32)
    names, numbers = tagger.ready_model.tag_types(columns, np.array([0, 4, 8, 12, 16], np.int32))
    assert [names[n] for n in numbers] == [lemma for y in tagger.predict(sentences) for lemma in y]


def test_margins_are_those_of_scripts_and_words_of_the_dictionary_have_no_rival(tagger):
    known, new = tagger.ready_model.margins(without_lemmas([TRAIN[0], UNSEEN]))
    assert set(known.tokens) == {1e9}
    assert new.labels == UNSEEN.columns["lemma"]
    assert 0 < new.tokens[1] < 1e9


def test_any_string_may_be_a_lemma(tagger):
    def complain(line):
        raise AssertionError(line)

    check_labels(tagger.model_.label_set, [UNSEEN], 0.0, complain)
    assert written_labels(tagger.model_.label_set) == []


def test_the_dictionary_prefers_all_tags_then_the_first_then_the_most_frequent():
    rows = [("saw", "VERB", "Past"), ("saw", "VERB", "Past"), ("saw", "VERB", "Past"), ("saw", "NOUN", "Sing")]
    known = LemmaDictionary.of(rows, ["see", "saw", "see", "saw"])
    assert known.find(("saw", "VERB", "Past")) == "see"
    assert known.find(("saw", "NOUN", "Plur")) == "saw"
    assert known.find(("saw", "ADJ", "_")) is None
    assert LemmaDictionary.from_arrays(known.to_arrays(), 3).lemmas == known.lemmas
    with pytest.raises(ModelError, match="expected 2 values and a lemma"):
        LemmaDictionary.from_arrays(known.to_arrays(), 2)


@pytest.mark.parametrize(
    ("data", "sizes", "message"),
    [
        (b"sawVERB", [3, 4], "array 'lemmas': expected 2 values and a lemma"),
        (b"sawVERBsee", [3, 4, 4], "array 'lemmas': expected 11 characters, found 10"),
        (b"saw\xff", [1, 1, 1], "array 'lemmas': .*utf-8"),
    ],
)
def test_a_forged_dictionary_is_refused(data, sizes, message):
    with pytest.raises(ModelError, match=message):
        LemmaDictionary.from_arrays(
            {"lemmas": np.frombuffer(data, np.uint8), "lemmas.sizes": np.array(sizes, np.uint32)}, 2
        )
    with pytest.raises(ModelError, match=r"found the lone surrogate U\+D800"):
        LemmaDictionary({("a", "\ud800"): "b"}).to_arrays()


def test_a_dictionary_is_loaded_within_the_memory_that_a_file_may_take():
    words = [f"{number:x}" for number in range(20_000)]
    arrays = LemmaDictionary({(word, "A", "B"): word for word in words}).to_arrays()
    tracemalloc.start()
    try:
        found = LemmaDictionary.from_arrays(arrays, 3)
        assert tracemalloc.get_traced_memory()[1] < 16 * sum(array.nbytes for array in arrays.values())
    finally:
        tracemalloc.stop()
    assert found.find(("ff", "A", "C")) == "ff"


def test_continuing_is_refused(tagger):
    with pytest.raises(ModelError, match="trained on all of its data, not from a model"):
        Training(tagger.model_.recipe, TRAIN, start=tagger.model_)


def test_a_file_with_other_scripts_is_refused(tagger):
    labels = replace(tagger.model_.label_set, names=tuple(f"X{i}" for i in range(len(tagger.model_.label_set.names))))
    data, _ = model_file.to_bytes(replace(tagger.model_, label_set=labels))
    with pytest.raises(ModelError, match="labels: expected an edit script"):
        Pipeline.from_bytes(data, "x.model")


def test_tags_that_the_data_lacks_are_left_out():
    bare = [Sentence({"form": s.columns["form"], "lemma": s.columns["lemma"]}) for s in TRAIN]
    assert Tagger("lemma", epochs=4).fit(bare).predict([["ships"]]) == [["ship"]]
