"""Model files: damaged or forged ones are refused with a message."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
import safetensors.numpy

from document_toys import corpus
from forging import ARRAYS, FORGERIES, NONLOCAL_FORGERIES, at, forge, forge_json, model_bytes, nonlocal_bytes, without
from perceptag import DataError, ModelError, Sentence, Tagger
from perceptag.models import model_file as modelfile
from perceptag.tagger import _restore
from toys import make_recipe, random_corpus

TINY = ("form[0]", "form[-1] form[0]", "bias * y-1 y0")


@pytest.fixture(scope="module")
def small() -> bytes:
    data = model_bytes(templates=TINY)
    assert len(data) < 4096
    return data


@pytest.fixture(scope="module")
def rich() -> bytes:
    """A model with everything that it can have: a tag dictionary, several vectors, observed edges."""
    return model_bytes(10, weights="voted", tag_dictionary=2)


def load(data: bytes) -> Tagger:
    """Return a tagger, ready to tag, from the bytes of a model."""
    return _restore({}, data)


# --------------------------------------------------------------------------------------------- damage


def test_every_flipped_bit_is_noticed(small):
    accepted = []
    damaged = bytearray(small)
    for bit in range(8 * len(small)):
        damaged[bit // 8] ^= 1 << bit % 8
        try:
            modelfile.load_bytes(bytes(damaged))
            accepted.append(bit)
        except ModelError:
            pass
        damaged[bit // 8] ^= 1 << bit % 8
    assert not accepted
    assert damaged == small


def test_every_truncation_is_noticed(small):
    for length in range(len(small)):
        with pytest.raises(ModelError):
            modelfile.load_bytes(small[:length])
    for more in (b"\0", b"x", small):
        with pytest.raises(ModelError):
            modelfile.load_bytes(small + more)


def test_messages_name_the_file(small, tmp_path):
    path = tmp_path / "some.model"
    path.write_bytes(small[:-1])
    with pytest.raises(ModelError, match=r"some\.model: the file is damaged"):
        Tagger.load(str(path))
    path.write_bytes(b"hello")
    with pytest.raises(ModelError, match=r"some\.model: this is not a perceptag model file"):
        Tagger.load(str(path))
    path.write_bytes(b"")
    with pytest.raises(ModelError, match=r"some\.model"):
        Tagger.load(str(path))
    with pytest.raises(ModelError, match="nowhere: cannot read: No such file"):
        Tagger.load(str(tmp_path / "nowhere"))
    with pytest.raises(ModelError, match="cannot read: Is a directory"):
        Tagger.load(str(tmp_path))
    path.write_bytes(forge(small, without("rows.0")))
    with pytest.raises(ModelError, match=r"some\.model: expected an array 'rows.0'"):
        Tagger.load(str(path))


def test_files_of_another_kind_or_version(small):
    arrays = modelfile.unseal(small, "model")
    checkpoint, _ = modelfile.seal(arrays, "checkpoint")
    with pytest.raises(ModelError, match="expected a model file, found a checkpoint"):
        modelfile.load_bytes(checkpoint)
    for version in (1, 5, 7):
        other = resealed(small.replace(b"model 6 sha256", b"model %d sha256" % version))
        expected = f"expected a file of version 6, found version {version}, which .*; train it again, with this release"
        with pytest.raises(ModelError, match=f"^some.model: {expected}"):
            modelfile.load_bytes(other, "some.model")
    for words in (b"model x sha256", b"model   sha256"):
        with pytest.raises(ModelError):
            modelfile.load_bytes(resealed(small.replace(b"model 6 sha256", words)))


@pytest.mark.parametrize("version", ["-1", "0", "000", "\u0661", "1.0", "+1", "1_0", " 1", "1 "])
def test_versions_that_there_have_never_been(small, version, monkeypatch):
    arrays = modelfile.unseal(small, "model")
    with monkeypatch.context() as changed:
        changed.setattr(modelfile, "VERSION", version)
        forged, _ = modelfile.seal(arrays, "model")
    with pytest.raises(ModelError, match=r"expected a file of version 6, found version 0|does not say what it is"):
        modelfile.load_bytes(forged)


def resealed(data: bytes) -> bytes:
    """Put the right digest into a file whose bytes were edited."""
    place = data.index(b"sha256:") + 7
    zeroed = data[:place] + b"0" * 64 + data[place + 64 :]
    return data[:place] + hashlib.sha256(zeroed).hexdigest().encode() + data[place + 64 :]


# -------------------------------------------------------------------------------------------- forgery


@pytest.mark.parametrize("edit", FORGERIES.values(), ids=FORGERIES)
def test_forged_models_are_refused(edit, rich):
    forged = forge(rich, edit)
    assert forged != rich
    with pytest.raises(ModelError):
        load(forged)


def test_what_json_cannot_hold_is_neither_saved_nor_loaded(rich, tmp_path):
    model = load(rich).model_
    path = tmp_path / "m"
    for value, message in ((float("nan"), "expected finite numbers"), ("\ud800", r"the lone surrogate U\+D800")):
        model.manifest["note"] = value
        with pytest.raises(ModelError, match=message):
            modelfile.save(model, str(path))
        assert not path.exists()
        text = json.dumps({"recipe": {}, "labelling": {}, "columns": [], "facts": {}, "manifest": {"note": value}})
        with pytest.raises(ModelError, match=f"^m: the JSON part: .*{message}"):
            modelfile.load_bytes(forge_json(rich, text.encode()), "m")


def test_forging_nothing_changes_nothing_that_matters(rich):
    """Otherwise every forgery would be refused for the wrong reason."""
    sentences = random_corpus(5, 20)
    again = load(forge(rich, lambda *_: None))
    assert again.predict(sentences) == load(rich).predict(sentences)


@pytest.fixture(scope="module")
def nonlocal_model() -> bytes:
    return nonlocal_bytes()


@pytest.mark.parametrize("edit", NONLOCAL_FORGERIES.values(), ids=NONLOCAL_FORGERIES)
def test_forged_models_with_non_local_features_are_refused(edit, nonlocal_model):
    forged = forge(nonlocal_model, edit)
    assert forged != nonlocal_model
    with pytest.raises(ModelError):
        load(forged)


def test_non_local_weights_can_be_forged_to_other_numbers(nonlocal_model):
    """This shows that the forgeries above are refused for the right reason."""
    again = load(forge(nonlocal_model, at("nonlocal.weights", 0, 1e6)))
    assert again.predict(corpus(5)) != load(nonlocal_model).predict(corpus(5))
    assert len(load(forge(nonlocal_model, lambda *_: None)).predict(corpus(5))) == len(corpus(5))


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b'{"recipe": NaN}'],
    ids=["empty", "list", "null", "cut", "not UTF-8", "deep list", "deep object", "long number", "NaN"],
)
def test_json_that_is_no_model(text, small):
    with pytest.raises(ModelError):
        modelfile.load_bytes(forge_json(small, text))


def test_headers_that_claim_too_much(small):
    """A header is JSON from an unknown source: numbers beyond the file, deep nesting, other types, repeated names."""
    size = int.from_bytes(small[:8], "little")
    header = json.loads(small[8 : 8 + size])
    body = small[8 + size :]

    def with_header(text: bytes) -> bytes:
        return resealed(len(text).to_bytes(8, "little") + text + body)

    assert modelfile.load_bytes(with_header(json.dumps(header).encode()))
    for entry in (
        {"dtype": "F32", "shape": [2**62], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [0, 2**63]},
        {"dtype": "F32", "shape": [1], "data_offsets": [8, 4]},
        {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]},
        {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},
        {"dtype": "PYTHON", "shape": [1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
    ):
        with pytest.raises(ModelError):
            load(with_header(json.dumps(header | {"rows.0": entry}).encode()))
    key = json.dumps(header["__metadata__"]["perceptag"])
    deep = f'{{"__metadata__":{{"perceptag":{key}}},"x":{"[" * 50_000}{"]" * 50_000}}}'.encode()
    with pytest.raises(ModelError):
        load(with_header(deep))
    for metadata in ({}, {"perceptag": 7}, 7):
        text = json.dumps(header | {"__metadata__": metadata, "perceptag sha256:" + "0" * 64: 1}).encode()
        with pytest.raises(ModelError):
            modelfile.load_bytes(with_header(text))


def test_random_edits_of_arrays_never_crash():
    """Whatever numbers an array holds, loading and tagging end in labels or in a ModelError."""
    data = model_bytes(10, tag_dictionary=2)
    sentences = random_corpus(5, 20)
    rng = np.random.default_rng(1)
    accepted = refused = 0
    for _ in range(600):

        def edit(arrays, _):
            name = ARRAYS[rng.integers(len(ARRAYS) - 1)]
            array = arrays[name]
            for _ in range(rng.integers(1, 4)):
                if len(array):
                    array.view(np.uint8)[rng.integers(array.nbytes)] = rng.integers(256)

        try:
            tagger = load(forge(data, edit))
        except ModelError:
            refused += 1
            continue
        accepted += 1
        labels = tagger.predict(sentences)
        assert [len(y) for y in labels] == [len(s) for s in sentences]
    assert accepted > 50 and refused > 50


# ---------------------------------------------------------------------------------------- what is kept


@pytest.mark.parametrize("values", [[""], ["", "a"], ["a", ""], ["\x01\x1f\x7f", "\ufeff", "\U0010ffff"]])
def test_odd_words_survive(values, tmp_path):
    data = [Sentence({"form": [w, w], "label": ["A", "B"]}) for w in values]
    tagger = Tagger(make_recipe(templates=("form[0]", "form[-1]"), epochs=3)).fit(data)
    tagger.save(str(tmp_path / "m"))
    inputs = [s.columns["form"] for s in data]
    assert Tagger.load(str(tmp_path / "m")).predict(inputs) == tagger.predict(inputs)
    assert list(tagger.ready_model.known_words()) == list(dict.fromkeys(values))


def test_a_model_is_a_valid_safetensors_file(rich):
    arrays = safetensors.numpy.load(rich)
    assert json.loads(arrays["json"].tobytes())["facts"]["kind"] == "linear"


def test_nothing_is_written_that_is_too_large_to_be_read(monkeypatch, tmp_path):
    arrays = {"weights": np.zeros(1000)}
    size = len(modelfile.seal(arrays, "model")[0])
    monkeypatch.setattr(modelfile, "MAX_BYTES", size)
    (tmp_path / "m").write_bytes(modelfile.seal(arrays, "model")[0])
    assert len(modelfile.read_file(str(tmp_path / "m"))) == size
    for most in (size - 1, 7999):
        monkeypatch.setattr(modelfile, "MAX_BYTES", most)
        with pytest.raises(DataError, match=f"cannot write the model: expected at most {most} bytes, found "):
            modelfile.seal(arrays, "model")


def test_a_large_file_of_something_else_is_refused_by_its_first_bytes(tmp_path, monkeypatch):
    path = tmp_path / "zeros.model"
    with path.open("wb") as stream:
        stream.truncate(6 << 30)  # a sparse file
    monkeypatch.setattr(modelfile, "read_whole", lambda *_: pytest.fail("all of it was read"))
    with pytest.raises(ModelError, match=r"zeros\.model: this is not a perceptag model file, or it is cut short"):
        modelfile.load(str(path))
