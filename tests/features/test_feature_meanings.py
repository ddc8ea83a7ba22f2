"""Explanations say lists and word classes in words."""

from __future__ import annotations

import numpy as np

from perceptag.features.class_attributes import ClassAttribute
from perceptag.features.class_table import WordClassTable


def test_a_class_is_said_by_its_most_frequent_words() -> None:
    words, numbers = ("the", "Rome", "Paris", "Bonn", "Ulm"), np.array([[0], [1], [1], [1], [1]])
    attribute = ClassAttribute(WordClassTable((2,), words, np.array([9, 4, 3, 2, 1]), numbers), 2)
    assert attribute.meaning_of("1") == "like Rome, Paris, Bonn (class2)"
    assert attribute.meaning_of("0") == "like the (class2)"
    assert attribute.meaning_of("7") == attribute.meaning_of("Rome") == ""
