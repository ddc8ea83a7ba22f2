"""Sentences of exports as JSON lines."""

from __future__ import annotations

import io

from foreign_toys import read
from perceptag.foreign.read_export import as_jsonl
from perceptag.text import read_jsonl


def test_labels_drafts_and_documents_can_be_read_again():
    texts = ["Anna sleeps .", "Ben wakes .\nHe eats .", "No one ."]
    found = read(
        [
            {"text": texts[0], "label": [[0, 4, "PER"]]},
            {"text": texts[1], "label": [[0, 3, "PER"], [0, 99, "LOC"]]},
            {"text": texts[2], "label": []},
        ]
    )
    again = list(read_jsonl(io.BytesIO(as_jsonl(found.sentences))))
    assert [s.tokens for s in again] == [s.tokens for s in found.sentences]
    assert [s.columns.get("label") for s in again] == [["B-PER", "O", "O"], ["B-PER", "_", "_"], None, None]
    assert [s.starts_document for s in again] == [True, True, False, True]
