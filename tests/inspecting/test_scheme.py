"""Labels that break the scheme of their spans."""

from __future__ import annotations

from perceptag.inspecting.labelled import scheme_faults
from perceptag.text import Sentence
from review_toys import names, relabelled


def test_inside_without_begin():
    (found,) = scheme_faults(relabelled(names(), 5, "O I-PER O O B-LOC O"), "label")
    assert (found.sentence, found.token, found.found, found.expected) == (5, 1, "I-PER", "B-PER")
    assert (found.fault, found.scheme, found.valid_in) == ("I-PER follows O", "IOB2", "")


def test_a_type_that_changes():
    (found,) = scheme_faults(relabelled(names(), 5, "B-PER I-LOC O O B-LOC O"), "label")
    assert (found.token, found.expected, found.fault) == (1, "B-LOC", "I-LOC follows B-PER")


def test_a_sentence_in_another_scheme_is_called_so():
    found = scheme_faults(relabelled(names(), 5, "I-PER I-PER O O I-LOC O"), "label")
    assert [fault.valid_in for fault in found] == ["IOB1", "IOB1"]
    (found,) = scheme_faults(relabelled(names(), 5, "O O O O S-LOC O"), "label")
    assert (found.valid_in, found.fault) == ("IOBES", "S-LOC is not a label of IOB2")


def test_a_label_of_no_scheme():
    (found,) = scheme_faults(relabelled(names(), 5, "B-PER I-PER O X-LOC B-LOC O"), "label")
    assert (found.token, found.found, found.to_dict()["fault"]) == (3, "X-LOC", "X-LOC is not a label of IOB2")


def test_right_labels_and_tags_have_no_faults():
    assert scheme_faults(names(), "label") == []
    assert scheme_faults([Sentence({"form": ["a"], "label": ["DT"]})], "label") == []
