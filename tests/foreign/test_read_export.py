"""Which tool a file is from, and how spans of characters fit tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreign_toys import by_spaces, exported, read
from perceptag.errors import DataError, SettingError
from perceptag.foreign.read_export import foreign_tool, read_foreign, words_of
from perceptag.labels.schemes import spans
from perceptag.text.tokens import Passage, TextSentence, Token

TEXT = "Anna Berg lives in Oslo .\nBen lives in Riga ."


@pytest.mark.parametrize(
    ("value", "tool"),
    [
        ({"text": "a", "label": []}, "doccano"),
        ({"text": "a", "spans": []}, "prodigy"),
        ({"data": {"text": "a"}, "annotations": []}, "label-studio"),
        ({"text": "a", "x": [{"start": 0, "end": 1, "labels": ["A"]}]}, "label-studio"),
        ({"tokens": ["a"], "labels": ["O"]}, None),
        ({"tokens": ["a"], "spans": [], "text": "a"}, None),
        ({"some": "thing"}, None),
        (["a", "list"], None),
    ],
)
def test_the_tool_is_found_out(value, tool):
    assert foreign_tool(exported([value])) == tool
    is_own = isinstance(value, dict) and "tokens" in value  # only lines are perceptag's own format
    assert foreign_tool(b"\xef\xbb\xbf" + exported([value], lines=False)) == ("token-lists" if is_own else tool)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a", "label": [], "text": "b"}', "the key 'text' occurs twice"),
        ('{"text": "a", "label": [], "score": NaN}', "expected a number, found NaN"),
    ],
)
def test_json_that_others_read_in_another_way_is_refused(line, message):
    data = f'{{"text": "a", "label": []}}\n{line}\n'.encode()
    with pytest.raises(DataError, match=f":2: expected JSON: {message}"):
        read_foreign(data, "x.jsonl", tool="doccano", tokenize=by_spaces)


@pytest.mark.parametrize("data", [b"", b"EU NNP B-ORG\n", b"{", b"[1, 2", b"\xff{", b"[" * 100_000])
def test_other_files_are_from_none(data):
    assert foreign_tool(data) is None
    with pytest.raises(DataError):
        read_foreign(data, "some.json", tokenize=by_spaces)


def notes_of(*items: list[object]) -> tuple[list[str], list[object], list[object]]:
    found = read([{"text": TEXT, "label": list(items)}])
    shown = [note.removeprefix("some.jsonl:1: ").partition("; its sentence")[0] for note in found.notes]
    return shown, [s.labels for s in found.sentences], [s.draft for s in found.sentences]


RIGA = ["O", "O", "O", "B-LOC", "O"]


@pytest.mark.parametrize(
    ("span", "fault"),
    [
        ([0, 8, "PER"], "span 0 to 8, PER, 'Anna Ber': ends inside the token 'Berg'"),
        ([1, 9, "PER"], "span 1 to 9, PER, 'nna Berg': begins inside the token 'Anna'"),
        ([4, 5, "PER"], "span 4 to 5, PER, ' ': without a word"),
    ],
)
def test_a_span_that_does_not_fit_leaves_its_sentence_without_labels(span, fault):
    notes, labels, drafts = notes_of(span, [19, 23, "LOC"], [39, 43, "LOC"])
    assert notes == [fault]
    assert labels == [None, RIGA]
    assert drafts == [[None, None, None, None, "B-LOC", None], None]


def test_overlapping_spans_are_both_reported():
    notes, labels, drafts = notes_of([0, 9, "PER"], [5, 9, "ORG"], [19, 23, "LOC"], [39, 43, "LOC"])
    assert notes == [
        "span 0 to 9, PER, 'Anna Berg': overlaps 5 to 9, ORG",
        "span 5 to 9, ORG, 'Berg': overlaps 0 to 9, PER",
    ]
    assert (labels[0], labels[1]) == (None, RIGA)
    assert drafts[0] == [None, None, None, None, "B-LOC", None]


def test_a_span_in_two_sentences_spoils_both():
    notes, labels, drafts = notes_of([19, 29, "LOC"], [39, 43, "LOC"])
    assert notes == ["span 19 to 29, LOC, 'Oslo .\\nBen': in more than one sentence"]
    assert labels == [None, None]
    assert drafts == [None, [None, None, None, "B-LOC", None]]


@pytest.mark.parametrize("place", [[40, 99], [-3, 2], [9, 3]])
def test_a_span_outside_the_text_spoils_all_of_it(place):
    notes, labels, drafts = notes_of([*place, "LOC"], [0, 9, "PER"])
    assert len(notes) == 1
    assert "outside the text, which has 45 characters" in notes[0]
    assert labels == [None, None]
    assert drafts == [["B-PER", "I-PER", None, None, None, None], None]


def test_white_space_at_the_ends_and_repeated_spans_do_not_matter():
    notes, labels, _ = notes_of([18, 24, "LOC"], [18, 24, "LOC"])
    assert notes == []
    assert labels[0] == ["O", "O", "O", "O", "B-LOC", "O"]


def test_labels_with_spaces_get_names_without():
    notes, labels, _ = notes_of([0, 9, "Job  Title"], [39, 43, "Job  Title"])
    assert notes == ["the label 'Job  Title' is called 'Job_Title', since names of labels have no spaces"]
    assert labels[0][:2] == ["B-Job_Title", "I-Job_Title"]


def test_a_tokeniser_gives_words_and_their_places():
    class Cutter:
        def tokenize(self, text):
            tokens = [Token("didn't", 2, 8, ("did", "n't")), Token(".", 8, 9, (".",))]
            return Passage(text, 0, [TextSentence(tokens)])

    class Pipeline:
        tokenizer = Cutter()

    for cutter in (Cutter(), Pipeline()):
        (sentence,) = words_of(cutter)("I didn't.")
        assert [(p.text, p.start, p.end) for p in sentence] == [("did", 2, 5), ("n't", 5, 8), (".", 8, 9)]
    with pytest.raises(SettingError, match="tokenizer: expected a Tokenizer, or a Pipeline that has one, found None"):
        words_of(None)


@given(st.lists(st.tuples(st.integers(-2, 48), st.integers(-2, 48), st.sampled_from("AB")), max_size=5))
def test_every_span_is_in_the_labels_in_a_draft_or_in_the_notes(items):
    found = read([{"text": TEXT, "label": [list(item) for item in items]}])
    shown = {s for sentence in found.sentences for s in _shown(sentence)}
    for start, end, label in items:
        words = TEXT[start:end] if 0 <= start <= end <= len(TEXT) else ""
        left = start + len(words) - len(words.lstrip())
        place = (left, left + len(words.strip()), label)
        noted = any(f"span {start} to {end}, {label}, " in note for note in found.notes)
        assert noted != (place in shown and bool(words.strip()))


def _shown(sentence):
    labels = sentence.labels or [y or "O" for y in sentence.draft or ["O"] * len(sentence.tokens)]
    return {(sentence.offsets[s.start][0], sentence.offsets[s.end - 1][1], s.label) for s in spans(labels)}
