"""Steps of a workbench grow no faster than linearly with the length of a sentence and with the number of sentences."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benches import Benched
from perceptag.project.project import Project
from perceptag.workbench import model_versions
from perceptag.workbench.events import EventFeed
from steps import ALLOWED, growth

pytestmark = pytest.mark.every

LONG, MANY = 60, 20  # tokens of one sentence; sentences of four tokens
keys = (f"growing-{number:06}" for number in count())
Sized = tuple[Benched, int]
Work = Callable[[Benched, int], object]


class Benches:
    """Workbenches with two labelled sentences, and others of a given size. All of them are closed together."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.made = folder, list[Benched]()

    def of(self, sentences: list[list[str]]) -> Benched:
        """A workbench with these sentences behind the labelled ones, whose numbers are 1 and 2, and a model."""
        project = Project.create(self.folder / f"{len(self.made)}.ptag", kind="spans", labels=["PER", "LOC"], seed=1)
        text = "\n\n".join("\n".join(tokens) for tokens in [["Anna", "sang"], ["Rome", "is"], *sentences]) + "\n"
        project.import_file(text.encode(), name="a.txt", columns=["form"])
        bench = Benched(project)
        self.made.append(bench)
        for number, labels in ((1, ["B-PER", "O"]), (2, ["B-LOC", "O"])):
            bench.label(number, labels)
        return bench

    def close(self) -> None:
        """Close all of them."""
        for bench in self.made:
            bench.close()


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made = Benches(tmp_path)
    yield made
    made.close()


def one_long(n: int) -> list[list[str]]:
    """A sentence of n words."""
    return [["Anna"] * n]


def many(n: int) -> list[list[str]]:
    """Sentences of four words."""
    return [["Anna", "saw", f"Rome{i}", "."] for i in range(n)]


def _import(bench: Benched, n: int, make: Callable[[int], list[list[str]]]) -> Any:
    text = "\n\n".join("\n".join([f"x{n}", *tokens]) for tokens in make(n)) + "\n"
    return bench.send("/import", {"name": "b.txt", "text": text, "columns": ["form"]})


def _shown(bench: Benched) -> Any:
    return bench.send("/mark-all", {"words": ["Anna"], "label": "PER", "scope": "all", "preview": True})


def _undo(bench: Benched) -> Any:
    targets = [{name: match[name] for name in ("id", "start", "revision")} for match in _shown(bench)["matches"]]
    bench.send("/mark-all", {"words": ["Anna"], "label": "PER", "targets": targets, "key": next(keys)})
    bench.send("/undo", {"key": next(keys)})
    return bench.send("/redo", {"key": next(keys)})


def _remark(bench: Benched, what: str, body: dict[str, Any]) -> Any:
    revision = {"base_revision": bench.get("/sentences/3")["revision"]} if what in ("skip", "unskip") else {}
    return bench.send(f"/sentences/3/{what}", body | revision | {"key": next(keys)})


READ: dict[str, Work] = {
    "project": lambda bench, _: bench.get(""),
    "a sentence": lambda bench, _: bench.get("/sentences/3"),
    "comments": lambda bench, _: bench.get("/sentences/3/comments"),
    "sentences": lambda bench, _: bench.get("/sentences"),
    "next": lambda bench, _: bench.get("/next?k=20"),
    "issues": lambda bench, _: bench.get("/issues"),
    "progress": lambda bench, _: bench.get("/progress"),
    "history": lambda bench, _: bench.get("/history"),
    "versions": lambda bench, _: bench.get("/versions"),
    "changes": lambda bench, _: bench.get("/changes?from=0&limit=1000"),
    "export": lambda bench, _: bench.ask("GET", "/export?format=jsonl&status=all").lines(),
    "words everywhere, shown": lambda bench, _: _shown(bench),
}
WRITE: dict[str, Work] = {
    "words everywhere, undo and redo": lambda bench, _: _undo(bench),
    "skip": lambda bench, _: _remark(bench, "skip", {}),
    "skip and unskip": lambda bench, _: (_remark(bench, "skip", {}), _remark(bench, "unskip", {})),
    "flag": lambda bench, _: _remark(bench, "flag", {"on": True}),
    "comment": lambda bench, _: _remark(bench, "comment", {"text": "a word"}),
    "import": lambda bench, n: _import(bench, n, one_long),
}


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Sized]]:
    """Workbenches that are asked and not changed, made once for each size."""
    made = Benches(tmp_path_factory.mktemp("unchanged"))

    @cache
    def of(make: Callable[[int], list[list[str]]], n: int) -> Sized:
        return made.of(make(n)), n

    yield of
    made.close()


@pytest.mark.parametrize(("make", "n"), [(one_long, LONG), (many, MANY)])
@pytest.mark.parametrize("what", READ)
def test_what_is_asked(unchanged: Callable[..., Sized], what: str, make: Any, n: int) -> None:
    assert growth(lambda sized: READ[what](*sized), lambda size: unchanged(make, size), n) <= ALLOWED


@pytest.mark.parametrize("what", WRITE)
def test_one_long_sentence(benches: Benches, what: str) -> None:
    assert growth(lambda sized: WRITE[what](*sized), lambda n: (benches.of(one_long(n)), n), LONG) <= ALLOWED


def test_labels_of_one_long_sentence(benches: Benches) -> None:
    def work(sized: Sized) -> None:
        bench, n = sized
        bench.label(3, ["B-PER", *["I-PER"] * (n - 1)])

    assert growth(work, lambda n: (benches.of(one_long(n)), n), LONG) <= ALLOWED


def test_words_of_one_long_sentence_that_is_labelled(benches: Benches) -> None:
    def make(n: int) -> Benched:
        bench = benches.of(one_long(n))
        bench.label(3, ["O"] * n)
        return bench

    assert growth(_undo, make, LONG) <= ALLOWED


def test_words_in_many_sentences(benches: Benches) -> None:
    assert growth(lambda sized: _undo(sized[0]), lambda n: (benches.of(many(n)), n), MANY) <= ALLOWED


def test_an_import_of_many_sentences(benches: Benches) -> None:
    def work(sized: Sized) -> None:
        _import(*sized, many)

    assert growth(work, lambda n: (benches.of([]), n), MANY) <= ALLOWED


def test_a_slow_training(benches: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_versions, "threading", SimpleNamespace(Thread=InPlace, Lock=threading.Lock))

    def make(n: int) -> Benched:
        bench = benches.of(one_long(n))
        bench.label(3, ["B-PER", *["O"] * (n - 1)])
        bench.learned(3)
        return bench

    assert growth(lambda bench: bench.send("/train", {"recipe": "auto"}), make, LONG) <= ALLOWED
    assert all("auto" in [v["recipe"] for v in bench.get("/versions")] for bench in benches.made)


class InPlace:
    """A thread whose work is done, and counted, by the one that starts it."""

    def __init__(self, target: Callable[..., object], args: tuple[object, ...], daemon: bool) -> None:
        self.start = lambda: target(*args)


def test_a_look_at_the_sealed_set(benches: Benches) -> None:
    def make(n: int) -> Benched:
        bench = benches.of(many(n))
        bench.project.seal(n)
        for entry in bench.project.sealed_entries():
            bench.label(entry.id, ["O"] * len(entry.tokens))
        return bench

    assert growth(lambda bench: bench.send("/sealed/open", {"key": next(keys)}), make, MANY) <= ALLOWED


def test_events() -> None:
    def tell(n: int) -> EventFeed:
        feed = EventFeed()
        for number in range(n):
            feed.tell("saved", id=number, revision=number, who="anna")
        return feed

    assert growth(tell, int, MANY) <= ALLOWED  # each is told to those who listen, not to all who ever did
    assert growth(lambda feed: feed.after(0), tell, MANY) <= ALLOWED
