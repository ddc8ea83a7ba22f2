"""Tables with a text in each row: spans with offsets, words and labels as columns."""

from __future__ import annotations

from typing import Any

import pytest

from perceptag import DataError, Pipeline, SettingError
from perceptag.ray import TagBatch
from perceptag.tables import tag
from pipelines import TEXT, over_documents, pos_tagger, whole
from table_toys import made, values
from text_toys import shipped_tokenizer

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


def only_pos() -> Pipeline:
    return Pipeline([shipped_tokenizer(), pos_tagger()])


def test_what_is_refused() -> None:
    frame = made("arrow", body=TEXTS, lists=[["a"]] * 5, number=[*range(5)])
    for arguments, message in (
        ({"text": "bdy"}, "text: expected the name of a column, found 'bdy'.*did you mean 'body'"),
        (
            {"text": "body", "spans": "lists"},
            "spans: expected the name of a new column, found 'lists', which",
        ),
        ({"text": "body", "labels": "spans"}, "spans: expected the name of a new column, found 'spans'"),
        ({"text": "body", "spans": None}, "spans, tokens, labels: expected the name of one new column or more"),
        ({"text": "body", "by": "id"}, "text: expected no `by`, `document` or `columns`"),
    ):
        with pytest.raises(SettingError, match=message):
            tag(whole(), frame, **arguments)
    with pytest.raises(SettingError, match="expected a model with a layer that marks spans, found the layers pos"):
        tag(only_pos(), frame, text="body")
    with pytest.raises(SettingError, match="text: expected a model with a tokeniser, such as 'en'"):
        tag(pos_tagger(), frame, text="body")
    for column, message in (
        ("number", "row 0: column 'number': expected a text, found 0"),
        ("lists", r"row 0: column 'lists': expected a text, found \['a'\]; lists of tokens are what `tokens` is for"),
    ):
        with pytest.raises(DataError, match=message):
            tag(whole(), frame, text=column)
    with pytest.raises(DataError, match=r"row 0: column 'body': expected a list of tokens, .*; text='body' is for"):
        tag(only_pos(), frame, tokens="body")
