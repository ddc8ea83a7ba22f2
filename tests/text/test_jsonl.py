"""JSON lines."""

from __future__ import annotations

import io
import json

import pytest

from perceptag.errors import DataError
from perceptag.text import Sentence, read_jsonl, write_jsonl


def parsed(text: str, columns: list[str] | None = None) -> list[Sentence]:
    return list(read_jsonl(io.StringIO(text), columns))


def written(sentences: list[Sentence]) -> str:
    stream = io.BytesIO()
    write_jsonl(sentences, stream)
    return stream.getvalue().decode()


def test_lists_of_strings_are_columns() -> None:
    (sentence,) = parsed('{"tokens": ["EU"], "pos": ["NNP"], "labels": ["B"], "id": 7, "ids": [3], "x": null}')
    assert sentence == Sentence({"form": ["EU"], "pos": ["NNP"], "label": ["B"]})
    assert sentence.where(5) == "<stream>:1"


def test_columns_are_added_and_removed() -> None:
    first, second = parsed('{"tokens": ["a"], "pos": ["X"], "id": 7}\n["b"]\n')
    del first.columns["pos"]
    first.columns["label"] = ["A"]
    second.columns["label"] = ["B"]
    assert (
        written([first, second]) == '{"tokens": ["a"], "id": 7, "labels": ["A"]}\n{"tokens": ["b"], "labels": ["B"]}\n'
    )


def test_documents_start_where_the_id_changes() -> None:
    ids: list[object] = [None, "a", "a", "b", 1, 1, None, "b"]
    text = "\n".join(json.dumps({"tokens": ["x"], "document": i}) for i in ids)
    assert [s.starts_document for s in parsed(text)] == [False, True, False, True, True, False, True, True]
    assert parsed(written(parsed(text))) == parsed(text)


def test_documents_without_ids_are_numbered() -> None:
    starts = [False, True, False, True]
    sentences = [Sentence({"form": ["x"]}, starts_document=s) for s in starts]
    assert [json.loads(line).get("document") for line in written(sentences).split("\n")[:-1]] == [None, 1, 1, 2]
    (given_id,) = parsed('{"tokens": ["y"], "document": 1}')
    mixed = [given_id, sentences[1], sentences[3]]
    assert [json.loads(line)["document"] for line in written(mixed).split("\n")[:-1]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"tokens": ["a"', "expected one JSON object per line: Expecting ',' delimiter at character 16"),
        ('{"tokens": ["a"], "tokens": ["b"]}', "the key 'tokens' occurs twice"),
        ('{"tokens": ["a"], "x": NaN}', "expected one JSON object per line: expected a number, found NaN"),
        ('"a b"', "expected an object with 'tokens' or a list of tokens, found \"a b\""),
        ('{"text": "a b"}', 'expected a list of strings \'tokens\', found {"text": "a b"}'),
        ('{"tokens": ["a", 1]}', "expected a list of strings 'tokens'"),
        ('{"tokens": ["a", "b"], "labels": ["A"]}', "'labels': expected 2 values as in 'tokens', found 1"),
        ('{"tokens": ["a"], "label": ["A"]}', "expected the column label under the key 'labels', found 'label'"),
        ('["a", "\\ud800"]', "lone surrogate U+D800"),
        ('["\\u0000"]', "'tokens': expected text, found a NUL character"),
    ],
)
def test_bad_lines(line: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parsed(f'["fine"]\n\n{line}\n')
    assert caught.value.where == "<stream>:3"
    assert message in str(caught.value)


def place_of_refusal(levels: int, text: str) -> str:
    line = f'{{"tokens": ["a"], "x": {"[" * levels}"{text}"{"]" * levels}}}'
    try:
        assert written(parsed(f"\n{line}\n")) == f"{line}\n".replace("\\u0061", "a")
    except DataError as error:
        return error.where
    return ""


@pytest.mark.parametrize("text", ["a", "\\u0061"])
def test_what_is_nested_too_deep_to_be_read_or_written_names_the_line(text: str) -> None:
    found = {place_of_refusal(levels, text) for levels in (*range(800, 1000), 200_000)}
    assert found == {"", "<stream>:2"}


def test_wanted_columns_must_be_there() -> None:
    text = '{"tokens": ["a"], "labels": ["A"]}\n{"tokens": ["a"], "labels": [3]}\n'
    assert len(parsed(text, ["form"])) == 2
    with pytest.raises(DataError) as caught:
        parsed(text, ["form", "label"])
    assert str(caught.value) == (
        '<stream>:2: expected a list of strings \'labels\', found {"tokens": "[…]", "labels": [3]}'
    )
