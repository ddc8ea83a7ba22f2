"""Names of labels that look wrong."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.labels.label_names import meant_names, misspelt_labels, warnings_about
from perceptag.labels.schemes import detect_scheme
from review_toys import names, relabelled


@pytest.mark.parametrize(
    ("labels", "name", "meant"),
    [
        ("B-PRE I-PER O O B-LOC O", "B-PRE", "B-PER"),
        ("b-per I-PER O O B-LOC O", "b-per", "B-PER"),
        ("B-PER I-PER O O B-LOCC O", "B-LOCC", "B-LOC"),
        ("B-PER I-PER OO O B-LOC O", "OO", "O"),
        ("B-PER I-PER o O B-LOC O", "o", "O"),
    ],
)
def test_a_misspelt_label_of_spans_is_found(labels, name, meant):
    (found,) = misspelt_labels(relabelled(names(), 7, labels), "label")
    assert (found.name, found.count, found.meant) == (name, 1, meant)
    assert found.places == ((7, labels.split().index(name)),)
    assert found.meant_count > 50


def test_a_rare_type_with_another_name_is_not_misspelt():
    assert misspelt_labels(relabelled(names(), 7, "B-MISC I-MISC O O B-ORG O"), "label") == []


def test_warnings():
    counts = {"O": 10000, "B-ORG": 900, "I-ORG": 700, "B-MISS": 400, "B-LOC": 800, "I-LOC": 90}
    assert warnings_about(counts) == []
    typos = {"I--ORG": 2, "OO": 1, "B-MISS1": 3, "b-loc": 1, "B_ORG": 1, "X.ORG": 1}
    found = warnings_about(counts | typos)
    assert len(found) == len(typos)
    assert "'B-MISS1' (3 times) looks like a misspelling of 'B-MISS' (400 times)" in found
    assert "'OO' (1 time) looks like a misspelling of 'O' (10000 times)" in found
    assert "'X.ORG' (1 time) is neither O nor of the form B-TYPE" in found


def test_parts_of_speech_are_left_alone():
    nouns = {"NN": 9000, "NNS": 3000, "NNP": 4000, "NNPS": 30}
    assert warnings_about({**nouns, "WP": 200, "WP$": 4, ",": 500, "''": 2, "``": 90}) == []


def test_many_labels():
    assert warnings_about({f"id-{i}": 1 for i in range(5000)}) == [
        "5000 different labels, 5000 of them seen once: does the label column contain identifiers?"
    ]
    assert len(warnings_about({f"a{i}b": 1 for i in range(101)})) == 1
    assert warnings_about({f"a{i}b": 1 for i in range(100)}) == []  # few enough to be labels
    assert warnings_about({f"a{i}b": 1 + i % 2 for i in range(2000)}) == []  # half of them are seen twice
    assert warnings_about({f"a{i}b": 2 for i in range(2001)}) == [
        "2001 different labels: time and memory of training grow with their square"
    ]


NAMES = ["B-ORG", "B-ORGS", "B_ORG", "b-org", "B--ORG", "I-ORG", "I-OGR", "B-LO", "B-LOC", "B-LOK", "O", "o", "OO"]
TAGS = ["NOUN", "NUON", "noun", "NOUNS", "NOU", "VERB", "VER-B", "V", "X1YZ", "X2YZ"]


@given(
    st.sampled_from([NAMES, TAGS]).flatmap(
        lambda names: st.dictionaries(st.sampled_from(names), st.sampled_from([1, 2, 3, 10, 12, 60, 2000]))
    )
)
def test_what_is_meant_is_the_most_frequent_name_that_is_like_it(counts: dict[str, int]):
    """The rule by definition, for names whose tag and type are set apart by one hyphen."""
    of_spans = bool(counts) and detect_scheme([[label] * times for label, times in counts.items()]) != "none"
    expected: dict[str, str] = {}
    for label in counts:
        tag, hyphen, kind = label.partition("-")
        if of_spans and hyphen:
            by_type: Counter[str] = Counter()
            for other, times in counts.items():
                by_type[other.partition("-")[2]] += times
            if twin := by_rule(kind, by_type, 3):
                expected[label] = f"{tag.upper()}-{twin}"
            elif tag in "BI" or not (twin := by_rule(label, Counter(counts), 0)):
                continue
            expected.setdefault(label, twin)
        elif (not of_spans or label != "O") and (twin := by_rule(label, Counter(counts), 0 if of_spans else 4)):
            expected[label] = twin
    assert meant_names(counts) == expected


def by_rule(name: str, counts: Counter[str], shortest: int) -> str:
    order = sorted(counts, key=lambda other: (-counts[other], other))
    alike = [other for other in order if bare(other) == bare(name)]
    if alike[0] != name and bare(name):
        return alike[0]
    if shortest == 4 and counts[name] > 2:
        return ""
    often = counts[name] * (5 if counts[name] <= 2 else 20)
    near = [other for other in order if min(len(other), len(name)) >= shortest and is_slip(name, other)]
    return next((other for other in near if counts[other] >= often), "")


def bare(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


def is_slip(a: str, b: str) -> bool:
    """One letter more, less or different, but not one digit for another; or two neighbours swapped."""
    if len(a) == len(b):
        different = [i for i in range(len(a)) if a[i] != b[i]]
        if len(different) == 1:
            return not (a[different[0]].isdigit() and b[different[0]].isdigit())
        return len(different) == 2 and different[1] == different[0] + 1 and sorted(a) == sorted(b)
    shorter, longer = sorted((a, b), key=len)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
