"""What other tools send never reaches the sealed set, the random sample, or the labels that people gave."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benches import GOLD, TOKENS, Benched, keys
from perceptag.workbench.adapters.keeping import AnnotationIndex, Cut
from perceptag.workbench.adapters.xmi import Annotation


def hook(bench: Benched, text: str, spans: dict[str, str], who: str = "anna") -> Any:
    """What Label Studio sends when somebody has labelled a text."""
    places = [(text.index(words), text.index(words) + len(words), label) for words, label in spans.items()]
    result = [{"value": {"start": begin, "end": end, "labels": [label]}} for begin, end, label in places]
    body = {"action": "ANNOTATION_CREATED", "task": {"data": {"text": text}}, "annotation": {"result": result}}
    return bench("POST", f"/adapters/label-studio/{TOKENS[who]}/webhook", json.dumps(body).encode())


def test_sealed_sentences_are_left_alone(bench: Benched) -> None:
    bench.project.seal(3)
    sealed = bench.project.sealed_entries()
    for entry in sealed:
        assert hook(bench, " ".join(entry.tokens), {}).json() == {"learned": 0, "sealed": 1}
    assert bench.project.log() == [] and bench.project.counts().sentences == 8
    assert [entry.labels for entry in bench.project.sealed_entries()] == [None] * 3


def test_labels_of_people_are_kept(bench: Benched) -> None:
    bench.label(3, who="dora")
    assert hook(bench, "Paris is big", {"Paris": "PER"}, "ben").json() == {"learned": 0, "kept_labels_of_people": 1}
    assert bench.project.sentence(3).labels == GOLD[3] and bench.project.sentence(3).who == "dora"
    bench.project.skip(4, 0, next(keys), "dora")
    assert hook(bench, "Peter saw London", {}).json() == {"learned": 0, "kept_labels_of_people": 1}
    assert bench.project.sentence(4).status == "skipped"


def test_labels_of_the_same_tool_are_changed(bench: Benched) -> None:
    assert hook(bench, "Paris is big", {"Paris": "PER"}).json() == {"learned": 1}
    bench.project.flag(3, True, next(keys), "dora")
    assert hook(bench, "Paris is big", {"Paris": "LOC"}, "ben").json() == {"learned": 1}
    assert bench.project.sentence(3).labels == GOLD[3]
    bench.label(3, ["O", "O", "O"], "dora")
    assert hook(bench, "Paris is big", {"Paris": "LOC"}).json() == {"learned": 0, "kept_labels_of_people": 1}


def test_spans_may_follow_each_other_without_a_gap(bench: Benched) -> None:
    assert hook(bench, "Peter saw London", {"Peter": "PER", "saw": "PER", "London": "LOC"}).json() == {"learned": 1}
    assert bench.project.sentence(4).labels == ["B-PER", "B-PER", "B-LOC"]


def test_what_a_tool_adds_is_exported_as_it_is_written(bench: Benched) -> None:
    assert hook(bench, "Köln is cold", {"Köln": "LOC"}).json() == {"learned": 1}
    assert '"Köln"' in bench.ask("GET", f"/export?format=jsonl&source={bench.project.sources()[-1].id}").body.decode()


def test_what_a_tool_adds_is_not_in_the_random_sample(bench: Benched) -> None:
    for text in ("Oslo is cold", "Bergen is wet"):
        assert hook(bench, text, {}).json() == {"learned": 1}
    assert [one.in_sample for one in bench.project.log()] == [False, False]
    assert bench.get("")["counts"]["random"] == 0


@pytest.mark.parametrize(("text", "spans"), [("Oslo is cold", {}), ("Paris is big", {"Paris": "CITY"})])
def test_only_an_admin_adds_sentences_and_labels(bench: Benched, text: str, spans: dict[str, str]) -> None:
    reply = hook(bench, text, spans, "ben")
    assert reply.status == 403 and "admin" in reply.json()["detail"]
    assert bench.project.counts().sentences == 8 and bench.project.log() == []
    assert "CITY" not in [label.name for label in bench.project.labels()]
    assert hook(bench, text, spans).json() == {"learned": 1}
    assert hook(bench, "Paris is big", {"Paris": "LOC"}, "ben").json() == {"learned": 1}


def test_a_sentence_that_another_request_adds_meanwhile_is_there_once(bench: Benched) -> None:
    project, real = bench.project, bench.project.find
    with_tokens = project.with_tokens

    def slow(wanted: Any, after: int = 0) -> Any:
        found = with_tokens(wanted, after)
        if real(limit=0)[0] == 8:
            project.import_file(b"Oslo\nis\ncold\n", name="meanwhile.txt", columns=["form"])
        return found

    project.with_tokens = slow  # type: ignore[method-assign]
    assert hook(bench, "Oslo is cold", {}).json() == {"learned": 1}
    assert project.counts().sentences == 9 and project.sentence(9).labels == ["O", "O", "O"]


def test_annotations_of_a_sentence() -> None:
    cuts = [Cut([word], [(begin, begin + 4)]) for word, begin in (("Oslo", 0), ("Rome", 5), ("Bonn", 10))]
    marks = [Annotation(10, 14, "c"), Annotation(0, 4, "a"), Annotation(2, 6, "b"), Annotation(5, 5, "empty")]
    found = [{a.label for a in AnnotationIndex(marks).inside(cut)} for cut in cuts]
    assert found == [{"a", "b"}, {"b"}, {"c"}]
    assert AnnotationIndex(marks).inside(Cut([], [])) == [] and AnnotationIndex([]).inside(cuts[0]) == []
    whole = [Annotation(0, 14, "whole"), *marks]
    assert all("whole" in {a.label for a in AnnotationIndex(whole).inside(cut)} for cut in cuts)
