"""The models of a server: what is told of them, and how they are loaded again while others ask."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from asked import Asked, asked, model_paths
from perceptag import ModelError, Tagger
from perceptag.server.served import ModelTable
from pipelines import corpus, pos_tagger

TOKENS = [["the", "dog", "visited"]]


def test_what_is_told_of_models() -> None:
    found = {model["name"]: model for model in asked()("GET", "/v1/models").json()}
    assert list(found) == list(model_paths())
    text = found["text"]
    assert [layer["name"] for layer in text["layers"]] == ["pos", "ner"]
    assert (text["has_tokenizer"], text["columns"], text["scheme"]) == (True, ["form"], "IOB2")
    assert text["labels"] == text["layers"][1]["labels"]
    assert "B-PER" in text["labels"] and not any(label.startswith("S-") for label in text["labels"])
    can = {name: set(model["can"]) for name, model in found.items()}
    assert can["pos"] == {"margin", "confidence", "given", "nbest", "explain", "explain-given"}
    assert can["guided"] == {"margin", "given", "nbest", "explain", "explain-given", "order"}
    assert {"spans", "margin", "given", "nbest"} <= can["chunks"] and "confidence" not in can["chunks"]
    assert found["documents"]["looks_at_documents"] and not found["pos"]["looks_at_documents"]
    assert found["ner"]["columns"] == ["form", "pos"]
    one = asked()("GET", "/v1/models/pos").json()
    assert one == found["pos"]
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", one["digest"])
    assert asked()("GET", "/v1/models/none").status == 404


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(model_paths()["pos"], tmp_path / "one.model"))


def other_tagger() -> Tagger:
    return Tagger("collins-pos", epochs=1, labels_column="pos").fit(corpus("train", "form", "pos")[:20])


def test_a_model_is_loaded_again(path: Path) -> None:
    server, new = Asked({"one": str(path)}), other_tagger()
    before = server("GET", "/v1/models/one").json()["digest"]
    new.save(path)
    assert server.tag(sentences=TOKENS)[0]["labels"] == pos_tagger().predict(TOKENS)[0]  # nothing happens by itself
    reply = server("POST", "/v1/models/one/reload", b"{}")
    assert reply.json()["from"] == before != reply.json()["to"]
    assert server("GET", "/v1/models/one").json()["digest"] == reply.json()["to"]
    assert server.tag(sentences=TOKENS)[0]["labels"] == new.predict(TOKENS)[0]


@pytest.mark.parametrize("data", [None, b"", b"not a model", "half"])
def test_a_file_that_is_damaged_leaves_the_old_model(path: Path, data: bytes | str | None) -> None:
    server = Asked({"one": str(path)})
    whole = path.read_bytes()
    path.unlink()
    if data is not None:
        path.write_bytes(whole[: len(whole) // 2] if isinstance(data, str) else data)
    reply = server("POST", "/v1/models/one/reload", b"{}")
    assert reply.status == 409
    assert reply.json()["detail"].startswith("model 'one' stays as it was: ")
    assert str(path.parent) not in reply.body.decode()
    assert server.tag(sentences=TOKENS)[0]["labels"] == pos_tagger().predict(TOKENS)[0]
    assert 'perceptag_reloads_total{model="one",result="failed"} 1' in server("GET", "/metrics").body.decode()


def test_only_a_model_that_tags_is_served(tmp_path: Path) -> None:
    from text_toys import shipped_tokenizer

    shipped_tokenizer().save(tmp_path / "t.model")
    with pytest.raises(ModelError, match="expected a model that tags, found a tokeniser"):
        ModelTable({"t": str(tmp_path / "t.model")})


def test_counts_are_told_without_text_of_users() -> None:
    server = Asked({"pos": model_paths()["pos"]})
    server.tag(sentences=[["secret"] * 3])
    server.post("/v1/tag", sentences=[[7]])
    server("GET", "/v1/secret")
    text = server("GET", "/metrics").body.decode()
    assert 'perceptag_tokens_total{model="pos"} 3' in text
    assert 'perceptag_requests_total{method="POST",route="/v1/tag",status="200"} 1' in text
    assert 'perceptag_requests_total{method="POST",route="/v1/tag",status="422"} 1' in text
    assert 'perceptag_requests_total{method="GET",route="other",status="404"} 1' in text
    assert 'perceptag_request_seconds_bucket{route="/v1/tag",le="+Inf"} 2' in text
    assert "secret" not in text
    names = [line.split("{")[0].split(" ")[0] for line in text.splitlines() if not line.startswith("#")]
    kinds = dict(line.split(" ")[2:4] for line in text.splitlines() if line.startswith("# TYPE "))
    for name in names:
        assert re.sub(r"_(bucket|sum|count)$", "", name) in kinds or name in kinds


def test_a_server_that_stops_is_not_ready() -> None:
    server = Asked({"pos": model_paths()["pos"]})
    assert json.loads(server("GET", "/readyz").body) == {"ok": True}
    server.service.is_stopping = True
    assert (server("GET", "/readyz").status, server("GET", "/livez").status) == (503, 200)
