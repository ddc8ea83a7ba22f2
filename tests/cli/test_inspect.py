"""``perceptag inspect``: the two digests of a model file."""

from __future__ import annotations

import hashlib
import json

from command_line import succeed, toy_model
from perceptag import Tagger


def test_both_digests_are_shown(tmp_path):
    model = toy_model(tmp_path)
    found = json.loads(succeed("inspect", "-m", model, "--json").out)
    assert found["file_sha256"] == hashlib.sha256(model.read_bytes()).hexdigest()
    assert found["sha256"] == Tagger.load(str(model)).save(str(tmp_path / "again"))
    assert found["sha256"] != found["file_sha256"]
    told = f"sha256: {found['sha256'][:16]}, as train shows it; of the file, as sha256sum shows it: "
    assert told + found["file_sha256"][:16] in succeed("inspect", "-m", model).out.split("\n")
