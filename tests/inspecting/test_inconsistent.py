"""The same words with different labels."""

from __future__ import annotations

from dataclasses import replace

from perceptag.inspecting.inconsistent import inconsistent
from perceptag.text import Sentence
from review_toys import names, relabelled, sentence


def test_a_word_with_two_types():
    found = inconsistent(relabelled(names(), 30, "B-PER I-PER O O B-ORG O"), "label")
    (group,) = found.groups
    town = names()[30].tokens[4]
    assert (group.words, found.total) == ((town,), 1)
    assert [(side.label, side.count) for side in group.sides] == [("LOC", 7), ("ORG", 1)]
    assert group.sides[1].examples[0][:2] == (30, 4)
    assert all(side.reasons for side in group.sides)
    assert group.same_neighbours == 8  # all stand between "in" and "."


def test_a_span_that_is_outside_elsewhere():
    (group,) = inconsistent(relabelled(names(), 30, "O O O O B-LOC O"), "label").groups
    assert [(side.label, side.count) for side in group.sides] == [("PER", 7), ("O", 1)]
    assert group.to_dict()["sides"][1]["examples"] == [{"sentence": 30, "start": 0}]


def test_words_inside_a_longer_span_do_not_count():
    data = [*names(), sentence("Bank/B-ORG of/I-ORG Oslo/I-ORG fell .")]
    assert inconsistent(data, "label").groups == []


def test_groups_with_the_same_neighbours_come_first():
    data = [
        *names(),
        *[sentence("He/B-PER met Kim/B-PER today"), sentence("They saw Kim/B-LOC burn")],
        *[sentence("near Lyon/B-LOC today"), sentence("near Lyon/B-ORG today")],
    ]
    found = inconsistent(data, "label").groups
    assert [(group.words, group.same_neighbours) for group in found] == [(("Lyon",), 2), (("Kim",), 0)]
    assert len(inconsistent(data, "label", limit=1).groups) == 1


def test_tags_between_the_same_neighbours():
    data = [Sentence({"form": s.tokens, "label": [f"{len(w)}" for w in s.tokens]}) for s in names()]
    changed = replace(data[3], columns={"form": data[3].tokens, "label": [*data[3].columns["label"][:5], "X"]})
    found = inconsistent([*data[:3], data[3], changed, *data[4:]], "label").groups
    assert [group.words for group in found] == [(data[3].tokens[4], ".", "")]
    assert {side.label for side in found[0].sides} == {"1", "X"}
