"""Pipeline files: what is in them, and everything that is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from perceptag import ModelError, Pipeline, Rules, SettingError, Tagger, Tokenizer, load
from perceptag.models import model_file as modelfile
from perceptag.models.kinds import make_ready
from perceptag.models.linear.packing import model_gazetteer
from perceptag.models.packed_arrays import PackedArrays
from perceptag.models.rules.tagger import RulesTagger
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.tagging.tag_file import open_pipeline
from perceptag.text.sentence import from_tokens
from pipelines import TEXT, ner_tagger, pos_tagger, whole
from text_toys import shipped_tokenizer


@pytest.fixture(scope="module")
def data() -> bytes:
    return pipelinefile.to_bytes([(name, ready.model) for name, ready in whole()._models])[0]


def test_a_pipeline_is_one_file_with_one_digest(tmp_path: Path) -> None:
    sha = whole().save(tmp_path / "en.model")
    assert Pipeline([shipped_tokenizer(), pos_tagger(), ner_tagger()]).save(tmp_path / "again") == sha
    written = (tmp_path / "en.model").read_bytes()
    assert written == (tmp_path / "again").read_bytes() and modelfile.digest_in(written) == sha
    assert Pipeline.load(tmp_path / "en.model")(TEXT) == load(tmp_path / "en.model")(TEXT) == whole()(TEXT)


def test_it_holds_the_bytes_of_its_models(tmp_path: Path, data: bytes) -> None:
    sha = pos_tagger().save(tmp_path / "pos.model")
    arrays = modelfile.unseal(data, "pipeline")
    assert arrays["layer.1"].tobytes() == (tmp_path / "pos.model").read_bytes()
    assert pipelinefile.load_bytes(data).manifest["sha256"]["pos"] == sha


def forged(data: bytes, edit) -> bytes:
    """The file with other arrays or JSON, and the right digest."""
    arrays = {name: array.copy() for name, array in modelfile.unseal(data, "pipeline").items()}
    about = modelfile.json_in(arrays)
    edit(arrays, about)
    return modelfile.seal({**arrays, "json": modelfile.json_array(about)}, "pipeline")[0]


def nested(arrays, about) -> None:
    inner = pipelinefile.to_bytes([("pos", pos_tagger().model_)])[0]
    arrays["layer.1"] = np.frombuffer(inner, np.uint8)


def cut_short(arrays, about) -> None:
    arrays["layer.2"] = arrays["layer.2"][:-1]


def swapped(arrays, about) -> None:
    arrays["layer.0"], arrays["layer.1"] = arrays["layer.1"], arrays["layer.0"]


FORGED = {
    r"^m: layer 'pos': expected a model file, found a pipeline$": nested,
    r"^m: layer 'ner': the file is damaged": cut_short,
    r"^m: layer 'pos': expected a tokeniser as the first layer, found it as number 2$": swapped,
    r"^m: layers: expected different strings": lambda arrays, about: about.update(layers=["a", "b", "a"]),
    r"^m: layer 'ner': it reads column 'pos', which no layer": lambda arrays, about: about.update(
        layers=["t", "x", "ner"]
    ),
    r"^m: layers: expected a list of strings": lambda arrays, about: about.update(layers=[1, 2, 3]),
    r"^m: layers: expected 1 to 32, found 99": lambda arrays, about: about.update(layers=[str(i) for i in range(99)]),
    r"^m: expected 3 models, one for each layer": lambda arrays, about: arrays.pop("layer.1"),
    r"^m: array 'layer.0': expected a vector of uint8": lambda arrays, about: arrays.update({"layer.0": np.zeros(3)}),
    r"^m: layers: expected a name of letters": lambda arrays, about: about.update(layers=["t", "a|b", "c"]),
}


@pytest.mark.parametrize("message", FORGED)
def test_a_forged_file_is_refused_with_file_and_layer(data: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Pipeline.from_bytes(forged(data, FORGED[message]), "m")


def test_a_pipeline_is_not_a_model(tmp_path: Path) -> None:
    whole().save(tmp_path / "en.model")
    for load_one in (Tagger.load, Tokenizer.load):
        with pytest.raises(ModelError, match="expected a model file, found a pipeline"):
            load_one(tmp_path / "en.model")


# --- compressed files ---


@pytest.fixture(scope="module")
def compressed() -> bytes:
    return pipelinefile.to_bytes([(name, ready.model) for name, ready in whole()._models], compress=True)[0]


def test_a_compressed_file_is_smaller_and_holds_the_same(tmp_path: Path, data: bytes, compressed: bytes) -> None:
    assert len(compressed) < len(data) / 2
    assert Pipeline.from_bytes(compressed, "m")(TEXT) == whole()(TEXT)
    before, after = (pipelinefile.load_bytes(some).manifest for some in (data, compressed))
    assert before == after
    sha = whole().save(tmp_path / "en", compress=True)
    assert (tmp_path / "en").read_bytes() == compressed
    assert modelfile.digest_in(compressed) == sha


def test_packed_models_are_the_models_that_were_packed(compressed: bytes) -> None:
    for (_, found), (_, ready) in zip(pipelinefile.load_bytes(compressed).layers, whole()._models, strict=True):
        assert modelfile.to_bytes(found)[0] == modelfile.to_bytes(ready.model)[0]
        assert isinstance(found.arrays, PackedArrays)
        found.arrays.release()
        assert modelfile.to_bytes(found)[0] == modelfile.to_bytes(ready.model)[0]


RULES = Rules.parse('[[rule]]\nlabel = "X"\ntext = "a+b"\n')


def test_a_compressed_file_has_rules_compiled_and_compiles_others_again() -> None:
    rules = RulesTagger.of(RULES).model
    data = pipelinefile.to_bytes([("rules", rules)], compress=True)[0]
    [(_, found)] = pipelinefile.load_bytes(data).layers
    assert set(found.derived) == {"rules.compiled", "rules.nodes"} and set(found.arrays) == set(rules.arrays)
    assert modelfile.to_bytes(found)[0] == modelfile.to_bytes(rules)[0]
    others = dataclasses.replace(
        found, arrays=RulesTagger.of(Rules.parse(RULES.file.text.replace("a+b", "c"))).model.arrays
    )
    assert [make_ready(m).tag([from_tokens(["aab", "c"])]) for m in (found, others)] == [[["B-X", "O"]], [["O", "B-X"]]]


def test_a_compressed_file_has_phrases_as_text() -> None:
    phrases = {"city": [["New", "York"], ["Ulm"]]}
    for listed, is_text in ((phrases, True), ({"c": [["New York"]]}, False), ({"c": [[""]]}, False), ({}, False)):
        model = dataclasses.replace(whole()._models[1][1].model)
        model.facts = {**model.facts, "gazetteer": listed}
        data = pipelinefile.to_bytes([("upos", model)], compress=True)[0]
        [(_, found)] = pipelinefile.load_bytes(data).layers
        assert ("gazetteer" not in found.facts) == is_text == ("gazetteer.city" in found.arrays)
        assert modelfile.to_bytes(found)[0] == modelfile.to_bytes(model)[0]
        here, there = (model_gazetteer(one) for one in (model, found))
        assert here is not None and there is not None and here.to_dict() == there.to_dict() == listed


def test_the_first_layer_is_read_alone(compressed: bytes, data: bytes) -> None:
    for some in (compressed, data):
        assert [name for name, _ in pipelinefile.load_bytes(some, most=1).layers] == ["tokens"]


def test_every_damaged_byte_of_a_compressed_file_is_refused(compressed: bytes) -> None:
    for place in range(0, len(compressed), len(compressed) // 60):
        damaged = bytearray(compressed)
        damaged[place] ^= 1
        with pytest.raises(ModelError, match=r"^m: "):
            Pipeline.from_bytes(bytes(damaged), "m")


def change(place: int, value: object) -> Callable[[dict, dict], None]:
    """Change what is said of the first array of the first model."""
    return lambda arrays, about: about["arrays"][0][0].__setitem__(place, value)


FALSE_PLANES = {
    r"^m: planes: expected the sizes of \d+ bytes of planes": lambda arrays, about: about["sizes"].append([1, 1]),
    r"^m: expected 3 models, one for each layer": lambda arrays, about: about.update(arrays=about["arrays"][1:]),
    r"^m: expected 3 models, one for each": lambda arrays, about: about.update(derived=None),
    r"^m: layer 'tokens': planes: expected name, type, shape": change(4, [1 << 40]),
    r"^m: layer 'tokens': planes: expected name, type, shape, form": change(3, 31),
    r"^m: layer 'tokens': planes: expected name, type, shape, form and": change(1, "object"),
    r"^m: layer 'tokens': array '\S+': expected \d planes of 1 bytes, found others": change(2, [1]),
    r"^m: layer 'tokens': planes: expected different arrays": lambda arrays, about: about["arrays"][0].append(
        about["arrays"][0][0]
    ),
    r"^m: sizes: expected at most": change(2, [1 << 50]),
}


@pytest.mark.parametrize("message", FALSE_PLANES)
def test_planes_that_lie_are_refused(compressed: bytes, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Pipeline.from_bytes(forged(compressed, FALSE_PLANES[message]), "m")


def test_planes_that_are_damaged_are_refused(compressed: bytes) -> None:
    def damaged(arrays: dict[str, np.ndarray], about: dict) -> None:
        arrays["planes"][:] = 7

    with pytest.raises(ModelError, match=r"^m: layer 'tokens': "):
        Pipeline.from_bytes(forged(compressed, damaged), "m")


@pytest.mark.parametrize("compress", [False, True])
def test_layers_behind_the_last_that_is_wanted_are_not_read(tmp_path: Path, compress: bool) -> None:
    whole().save(tmp_path / "en.model", compress=compress)
    data = (tmp_path / "en.model").read_bytes()
    assert [*Pipeline.from_bytes(data, "m", last="pos").models] == ["tokens", "pos"]
    for name in ("ner", "tokens", "none", ""):  # the last one, a tokeniser, which does not tag, and no name of a layer
        assert [*Pipeline.from_bytes(data, "m", last=name).models] == ["tokens", "pos", "ner"]
    opened = open_pipeline(str(tmp_path / "en.model"), allow_code=False, layer="pos")
    assert opened.names == ["pos"] and opened.tag([["Two", "words"]]) == whole().upto("pos").tag([["Two", "words"]])
    with pytest.raises(SettingError, match="--layer: expected one of pos, ner; found 'tokens'"):
        open_pipeline(str(tmp_path / "en.model"), allow_code=False, layer="tokens")
