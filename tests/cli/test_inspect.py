"""``perceptag inspect``: the two digests of a model file."""

from __future__ import annotations

import hashlib
import json

from command_line import succeed, toy_model
from perceptag import Tagger


def test_both_digests_are_shown(tmp_path):
    model = toy_model(tmp_path)
    found = json.loads(succeed("inspect", model, "--json").out)
    assert found["file_sha256"] == hashlib.sha256(model.read_bytes()).hexdigest()
    assert found["sha256"] == Tagger.load(str(model)).save(str(tmp_path / "again"))
    assert found["sha256"] != found["file_sha256"]
    told = f"sha256: {found['sha256'][:16]}, as train shows it; of the file, as sha256sum shows it: "
    assert told + found["file_sha256"][:16] in succeed("inspect", model).out.split("\n")


def test_a_tag_dictionary_is_shown(tmp_path):
    without = toy_model(tmp_path)
    assert "tag_dictionary" not in json.loads(succeed("inspect", without, "--json").out)
    assert "tag dictionary:" not in succeed("inspect", without).out
    sentences, labels = [["a", "b", "a"], ["a", "c"], ["b", "a"]], [["X", "Y", "Z"], ["X", "Y"], ["Y", "X"]]
    more = [f"L{i}" for i in range(70)]
    for further, passes_over in ([], False), (more, True):
        model, both = str(tmp_path / "closed.model"), ([*sentences, further], [*labels, further])
        Tagger("collins-pos", templates=["form[0]"], epochs=1, tag_dictionary=2).fit(*both).save(model)
        found = json.loads(succeed("inspect", model, "--json").out)
        assert found["tag_dictionary"] == {"words": 2, "labels": 1.5}
        line = "tag dictionary: 2 words take only labels seen with them, 1.5 on average"
        line += "; the search passes over the others" * passes_over
        assert line in succeed("inspect", model).out.split("\n")
