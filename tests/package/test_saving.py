"""What is kept of a model that another one replaces: the same for every class and command that saves one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import OLD_MODEL
from perceptag import Pipeline, SettingError, Tagger, Tokenizer
from text_toys import treebank


def tagger() -> Tagger:
    return Tagger("pos", epochs=1).fit([["Bob", "sings"]], [["NNP", "VBZ"]])


def tokenizer() -> Tokenizer:
    return Tokenizer(epochs=1).fit(treebank("¶I did+n't~.", "¶You did+n't~.", "¶I do~."))


@pytest.mark.parametrize("make", [tagger, tokenizer, lambda: Pipeline([tagger()])])
def test_the_model_that_is_replaced_is_kept(make: Callable[[], Any], tmp_path: Path) -> None:
    model, path, copy = make(), tmp_path / "m.model", tmp_path / "m.model.bak"
    model.save(path)
    assert not copy.exists()
    new = path.read_bytes()
    path.write_bytes(OLD_MODEL)
    model.save(path)
    assert (path.read_bytes(), copy.read_bytes()) == (new, OLD_MODEL)
    copy.write_text("a text\n")
    with pytest.raises(SettingError, match=r"path: expected a new file or .*model.*m\.model\.bak; overwrite=True"):
        model.save(path)
    model.save(path, overwrite=True)
    assert (path.read_bytes(), copy.read_text()) == (new, "a text\n")
    assert len(list(tmp_path.iterdir())) == 2
