"""Names of labels that look wrong."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.labels.label_names import meant_names, misspelt_labels, one_slip, warnings_about
from perceptag.labels.schemes import detect_scheme
from perceptag.text import Sentence
from review_toys import names, relabelled


def tags(**counts: int) -> list[Sentence]:
    return [Sentence({"form": ["x"] * n, "label": [label] * n}) for label, n in counts.items()]


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


def test_both_labels_of_a_misspelt_type_are_found():
    found = misspelt_labels(relabelled(names(), 7, "B-PRE I-PRE O O B-LOC O"), "label")
    assert [(label.name, label.meant) for label in found] == [("B-PRE", "B-PER"), ("I-PRE", "I-PER")]


def test_short_tags_may_differ_by_a_letter():
    assert misspelt_labels(tags(NN=100, NNS=1, NNP=2, VB=40), "label") == []
    (found,) = misspelt_labels(tags(NN=100, nn=2, VB=40), "label")
    assert (found.name, found.meant, found.meant_count) == ("nn", "NN", 100)
    (found,) = misspelt_labels(tags(NOUN=100, NUON=2), "label")
    assert (found.name, found.meant) == ("NUON", "NOUN")


def test_names_that_differ_only_in_case_or_hyphens_are_misspelt_at_any_frequency():
    assert meant_names({"O": 9, "B-Person": 480, "B-PERSON": 500, "I-PERSON": 5}) == {"B-Person": "B-PERSON"}
    assert meant_names({"X-Y": 7, "X_Y": 7, "-": 9, "_": 3}) == {"X_Y": "X-Y"}


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


@pytest.mark.parametrize(("a", "b"), [("PER", "PRE"), ("PER", "PERS"), ("PER", "PR"), ("PER", "PEX"), ("", "O")])
def test_one_slip(a, b):
    assert one_slip(a, b)
    assert one_slip(b, a)


@pytest.mark.parametrize(("a", "b"), [("PER", "PER"), ("PER", "REP"), ("PER", "LOC"), ("PER", "PERSN")])
def test_no_slip_or_more_than_one(a, b):
    assert not one_slip(a, b)
    assert not one_slip(b, a)
