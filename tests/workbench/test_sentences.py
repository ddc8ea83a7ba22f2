"""Lists of sentences, and their history."""

from __future__ import annotations

from benches import GOLD, Benched, keys
from perceptag.workbench.learning.messages import PoolScore


def ids(bench: Benched, query: str) -> list[int]:
    return [item["id"] for item in bench.get(f"/sentences?{query}")["sentences"]]


def test_marked_words_and_the_sealed_set_are_found(bench: Benched) -> None:
    found = bench.send("/mark-all", {"words": ["IBM"], "label": "ORG", "preview": True})["matches"]
    targets = [{name: match[name] for name in ("id", "start", "revision")} for match in found[:2]]
    bench.send("/mark-all", {"words": ["IBM"], "label": "ORG", "targets": targets, "key": next(keys)})
    assert ids(bench, "status=draft") == sorted(match["id"] for match in found[:2])
    assert ids(bench, "status=sealed") == []
    bench.project.seal(2)
    assert len(ids(bench, "status=sealed")) == 2


def test_sentences_of_which_the_model_is_in_doubt(bench: Benched) -> None:
    assert ids(bench, "doubtful=1") == []  # without a model
    for number in (1, 2, 3):
        bench.label(number)
    bench.learned(3)
    first = ids(bench, "order=confidence&status=new")[0]
    assert ids(bench, "doubtful=1") == [first]  # a quarter of five
    assert ids(bench, "doubtful=0") == [n for n in range(1, 9) if n != first]
    assert ids(bench, "doubtful=1&order=confidence&status=labelled") == []
    sure = {4: 0.5, 5: 0.89, 6: 0.9, 7: 0.99, 8: 0.7}
    bench.bench.loop.scores.add(PoolScore(number, share, share) for number, share in sure.items())
    assert ids(bench, "doubtful=1") == [4, 5, 8]
    assert ids(bench, "doubtful=1&order=confidence") == [4, 8, 5]
    assert bench.get("/sentences?doubtful=1&limit=1&offset=1")["total"] == 3


def test_sentences_of_a_person_are_those_labelled_or_read(bench: Benched) -> None:
    bench.label(1)
    bench.label(2)
    bench.label(2, who="ben", reading=True)
    bench.label(1, who="dora")
    assert ids(bench, "who=anna") == [1, 2]
    assert ids(bench, "who=ben") == [2]
    assert ids(bench, "who=dora&status=labelled") == [1]
    assert ids(bench, "who=nobody") == []


def test_history_shows_every_change_without_its_key(bench: Benched) -> None:
    bench.label(1)
    bench.label(2, who="ben", seconds=2.5, actions=7, source="nbest:3")
    found = bench.get("/history")["revisions"]
    assert [(r["sentence"], r["who"], r["source"]) for r in found] == [(2, "ben", "nbest:3"), (1, "anna", "edited")]
    assert (found[0]["seconds"], found[0]["actions"], found[0]["labels"]) == (2.5, 7, GOLD[2])
    assert "key" not in found[0]
    assert [r["sentence"] for r in bench.get(f"/history?before={found[0]['id']}")["revisions"]] == [1]
    assert len(bench.get("/history?limit=1")["revisions"]) == 1


def test_costs_are_sums_over_all_labels(bench: Benched) -> None:
    bench.label(1, seconds=1.5, actions=3)
    bench.label(2, seconds=1, actions=1, source="accepted")
    first = bench.get("/progress")["cost"]
    bench.label(2, ["O"] * 4, seconds=0.5, actions=2, source="nbest:2")
    assert first == {
        "sentences": 2, "tokens": 9, "actions": 4, "seconds": 2.5, "accepted_unchanged": 1, "nbest": 0,
    }  # fmt: skip
    assert bench.get("/progress")["cost"] == {
        "sentences": 2, "tokens": 13, "actions": 6, "seconds": 3.0, "accepted_unchanged": 1, "nbest": 1,
    }  # fmt: skip
