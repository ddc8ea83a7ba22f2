"""What is kept of a model that another one replaces: the same for every class and command that saves one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import OLD_MODEL, check, run, succeed, toy_model
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


def test_commands_keep_it_and_say_so(tmp_path: Path) -> None:
    out, model = tmp_path / "out.model", toy_model(tmp_path)
    words = ["pipeline", model]
    out.write_bytes(OLD_MODEL)
    told = succeed(*words, "-o", out).err
    assert f"note: {out} is replaced; the model that was there is kept as {out}.bak\n" in told
    copy = tmp_path / "out.model.bak"
    assert copy.read_bytes() == OLD_MODEL
    copy.write_text("a text\n")
    check(run(*words, "-o", out), r"--output: .*out\.model\.bak; --overwrite replaces it")
    assert "kept" not in succeed(*words, "-o", out, "--overwrite").err
    assert copy.read_text() == "a text\n"
