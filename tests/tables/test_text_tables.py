"""Tables with a text in each row: spans with offsets, words and labels as columns."""

from __future__ import annotations

from typing import Any

import pytest

from perceptag import Pipeline, SettingError
from perceptag.ray import TagBatch
from pipelines import TEXT, over_documents
from table_toys import made, values

TEXTS = [TEXT, None, "", "😀 " + TEXT, "Harwick lost."]


def names_of(frame: Any) -> list[str]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def wanted(nlp: Pipeline) -> list[Any]:
    """The spans of all texts, one text at a time."""
    documents = [None if text is None else nlp(text) for text in TEXTS]
    return [None if d is None else [span.to_dict() for span in d.spans] for d in documents]


def known(rows: list[Any]) -> list[Any]:
    """The spans of a table, without what is not known."""
    return [row and [{name: value for name, value in s.items() if value is not None} for s in row] for row in rows]


def test_a_step_of_ray_takes_texts(tmp_path) -> None:
    over_documents().save(tmp_path / "names.model")
    step = TagBatch(tmp_path / "names.model", text="body", labels="names")
    tagged = step(made("arrow", body=TEXTS))
    assert known(values(tagged, "spans")) == wanted(over_documents()) and names_of(tagged) == ["body", "spans", "names"]
    assert step(tagged).equals(tagged)  # columns of the same names are replaced
    with pytest.raises(SettingError, match="text: expected a column 'body', found other"):
        step(made("arrow", other=TEXTS))
