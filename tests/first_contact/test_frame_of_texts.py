"""A person has a data frame with a column of texts, and wants the names in them; or a list of texts."""

from __future__ import annotations

import json

import pytest

import perceptag
from perceptag import tables

pytest.importorskip("perceptag_en")

BODIES = ["Angela Merkel visited Paris.", None, "It rained.", "London is in England. LONDON!"]


@pytest.mark.doors
def test_a_frame_of_pandas() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"id": [1, 2, 3, 4], "body": BODIES})
    tagged = tables.tag("en", frame, text="body")
    assert tagged["spans"][0] == [span.to_dict() for span in perceptag.load("en")(BODIES[0]).spans]
    assert [span["text"] for span in tagged["spans"][0]] == ["Angela Merkel", "Paris"]
    assert tagged["spans"][1] is None and tagged["spans"][2] == []
    rows = tagged.dropna().explode("spans").dropna()
    assert rows["spans"].map(lambda span: span["label"]).tolist()[:2] == ["PER", "LOC"]
    with pytest.raises(perceptag.DataError, match=r"row 0: column 'body': expected a list .*text='body'"):
        tables.tag("en", frame, tokens="body")


@pytest.mark.doors
def test_a_frame_of_polars() -> None:
    pl = pytest.importorskip("polars")
    tagged = tables.tag(pl.DataFrame({"body": BODIES}), text="body", tokens="words")
    names = tagged.explode("spans").unnest("spans").drop_nulls("label")
    assert names["text"].to_list()[:2] == ["Angela Merkel", "Paris"]
    assert tagged["words"].to_list()[2] == ["It", "rained", "."]


def test_a_table_of_arrow() -> None:
    pa = pytest.importorskip("pyarrow")
    tagged = tables.tag("en", pa.table({"body": BODIES}), text="body")
    assert tagged["spans"].type.value_type.field("start").type == pa.int64()
    assert [row and [s["text"] for s in row] for row in tagged["spans"].to_pylist()][:3] == [
        ["Angela Merkel", "Paris"],
        None,
        [],
    ]


def test_a_list_of_texts() -> None:
    nlp = perceptag.load("en")
    texts = [body for body in BODIES if body]
    with pytest.raises(perceptag.SettingError, match=r"nlp.pipe\(texts\) takes several texts"):
        nlp(texts)  # type: ignore[arg-type]
    found = list(nlp.pipe(texts, batch_size=2))
    assert [document.text for document in found] == texts
    assert [(e.text, e.label_, e.start_char, e.end_char) for e in found[0].ents] == [
        ("Angela Merkel", "PER", 0, 13),
        ("Paris", "LOC", 22, 27),
    ]
    assert [[s.text for s in d.sents] for d in found][2][0] == "London is in England."
    assert json.loads(json.dumps(found[0].to_json()))["text"] == texts[0]
    assert [c for _, c in nlp.pipe([(texts[0], "a"), (texts[1], "b")], as_tuples=True)] == ["a", "b"]
