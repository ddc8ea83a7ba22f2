"""Which sentences are offered to whom."""

from __future__ import annotations

from benches import Benched


def offered(
    bench: Benched, k: int = 50, strategy: str = "mixed", who: str = "anna", tab: str = "t1", more: str = ""
) -> list[int]:
    found = bench.get(f"/next?k={k}&strategy={strategy}{more}", who, perceptag_tab=tab)["sentences"]
    return [item["id"] for item in found]


def test_two_tabs_get_different_sentences_and_a_tab_gets_new_ones_first(bench: Benched) -> None:
    first = offered(bench, 3)
    second = offered(bench, 3, tab="t2")
    again = offered(bench, 2)
    assert len({*first, *second, *again}) == 8
    assert sorted(offered(bench, 8)) == sorted([*first, *again])
    assert offered(bench, 8, more=f"&exclude={first[0]},{again[0]}") != []
    assert set(offered(bench, 8, more=f"&exclude={first[0]}")) == {*first, *again} - {first[0]}
    assert offered(bench, 8, tab="t3") == []


def test_what_a_closed_page_was_offered_is_free_at_once(bench: Benched) -> None:
    first = offered(bench, 3, "random", who="ben")
    assert not set(first) & set(offered(bench, 3, "random", who="dora", tab="t2"))
    assert bench.ask("POST", "/presence", {}, "ben", perceptag_tab="t1").json() == {"others": []}
    assert offered(bench, 3, "random", who="dora", tab="t3")[:3] == first


def test_a_page_gets_again_what_it_was_offered_and_has_not(bench: Benched) -> None:
    """Else what it has dropped, with another order, would stand in the way of the random sample."""
    bench.bench.leases.enter("t1")
    first = offered(bench, 3, "random")
    more = f"&exclude={first[0]}"
    assert offered(bench, 2, "random", more=more) == first[1:]


def test_random_sentences_come_in_the_order_of_the_project(bench: Benched) -> None:
    ranks = {entry.id: entry.rank for entry in bench.project.find(0, 100)[1]}
    assert offered(bench, strategy="random") == sorted(ranks, key=lambda number: ranks[number])
    assert offered(bench, strategy="order") == sorted(ranks)


def test_a_random_prefix_is_the_sample(bench: Benched) -> None:
    for number in offered(bench, 3, "random"):
        bench.label(number)
    bench.learned(3)
    assert bench.get("")["counts"]["random"] == 3
    sampled = [item["sampled"] for item in bench.get("/sentences?status=labelled")["sentences"]]
    assert sampled == ["random"] * 3


def test_an_idle_person_does_not_hold_back_the_sample(bench: Benched) -> None:
    text = "\n\n".join(f"Number\n{n}\npasses" for n in range(40)) + "\n"
    imported = bench.project.import_file(text.encode(), name="more.txt", columns=["form"])
    bench.bench.loop.imported()
    assert imported.sentences == 40
    held = offered(bench, 3, "random", "ben", "t2")
    for _ in range(20):
        (number,) = offered(bench, 1, "random")
        assert number not in held
        bench.label(number, ["O"] * len(bench.project.sentence(number).tokens))
    assert bench.get("")["counts"]["random"] < 20
    for number in offered(bench, 3, "random"):
        bench.label(number, ["O"] * len(bench.project.sentence(number).tokens))
    assert bench.get("")["counts"]["random"] == 23


def test_the_model_chooses_what_it_is_least_sure_of(bench: Benched) -> None:
    for number in (1, 2, 3, 4):
        bench.label(number)
    bench.learned(4)
    margins = {number: bench.get(f"/sentences/{number}")["why"]["margin"] for number in (5, 6, 7, 8)}
    (first,) = bench.get("/next?k=1&strategy=uncertain")["sentences"]
    assert (first["id"], first["why"]["kind"]) == (min(margins, key=lambda n: margins[n]), "uncertain")
    assert first["why"]["margin"] == min(margins.values())
    order = [item["id"] for item in bench.get("/sentences?status=new&order=confidence")["sentences"]]
    assert order == sorted(margins, key=lambda number: margins[number])


def test_a_flag_and_a_comment_do_not_give_a_sentence_to_others(bench: Benched) -> None:
    (number,) = offered(bench, 1, "random")
    bench.send(f"/sentences/{number}/flag", {"on": True, "key": "flag-key-1"})
    bench.send(f"/sentences/{number}/comment", {"text": "odd", "key": "comment-1"})
    assert number not in offered(bench, 8, "random", "ben", "t2")
