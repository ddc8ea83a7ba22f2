"""Files of many blocks, tagged natively by a model that looks at documents, against reading and writing sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from document_toys import corpus, document_recipe
from perceptag import Sentence, Tagger
from perceptag.cli.tag import BATCH, tag
from perceptag.text import lines, write_columns, write_conllu


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("documents") / "toy.model"
    templates = ["form[0]", "doc_before[0]", "doc_name_after[0]", "bias * y-1 y0"]
    tagger = Tagger(document_recipe("ascent", templates=templates, nonlocal_view="sentence")).fit(corpus(1))
    assert tagger.ready_model.takes_column_text
    tagger.save(path)
    return str(path)


@pytest.mark.parametrize("name", ["in.txt", "in.conllu"])
@pytest.mark.parametrize("threads", [1, 2])
def test_no_document_is_cut(model, tmp_path, monkeypatch, name, threads):
    monkeypatch.setattr(lines, "CHUNK", 64)
    sentences = [*corpus(2, 2, marked=False), *corpus(3, 12)]
    bare = [Sentence({"form": s.columns["form"]}, starts_document=s.starts_document) for s in sentences]
    source = tmp_path / name
    (write_conllu if name.endswith("conllu") else write_columns)(bare, source)
    label, to = ("xpos", "conllu") if name.endswith("conllu") else ("", "columns")
    found: list[bytes] = []
    for batch in (BATCH, BATCH - 1):  # the second goes the general way
        target = Path(f"{source}.{batch}")
        count = tag(
            model,
            str(source),
            str(target),
            batch=batch,
            threads=threads,
            label=label,
            to=to,
        )
        assert count == sum(map(len, sentences))
        found.append(target.read_bytes())
    assert found[0] == found[1]
    assert b"PER" in found[0]
