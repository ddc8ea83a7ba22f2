"""Files in every format, cut into small parts, give the model of the whole file; faults are found where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perceptag import DataError, Sentence, SettingError, Tagger
from perceptag.cluster.fitting import fit_files
from perceptag.cluster.sources import open_source
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.text.formats import read, write
from shuffling_engine import ShufflingEngine
from spread_toys import in_memory, spread
from toys import TEMPLATE_SETS, make_recipe, random_corpus

RECIPE = make_recipe(
    templates=TEMPLATE_SETS["observed and plain edges"], epochs=2, shards=4, shuffle=True, seed=3,
    **{"labels.column": "upos"},
)  # fmt: skip


@pytest.fixture(scope="module")
def corpus() -> list[Sentence]:
    """Sentences in documents."""
    made = random_corpus(1, sentences=60)
    return [
        Sentence({"form": s.columns["form"], "upos": s.columns["label"]}, starts_document=i % 7 == 3)
        for i, s in enumerate(made)
    ]


@pytest.mark.parametrize("name", ["some.conllu", "some.txt", "some.jsonl"])
def test_files_in_parts(name: str, corpus: list[Sentence], tmp_path: Path) -> None:
    path = str(tmp_path / name)
    write(corpus, path)
    names = None if not name.endswith("txt") else ["form", "upos"]
    whole = in_memory(RECIPE, list(read(path, columns=names)))
    for size in (100, 350, 1 << 20):
        source = open_source([path], columns=names, size=size)
        assert (len(source.parts) > 3) == (size < 1000)
        assert spread(RECIPE, source, ThreadsEngine(2)) == whole


def test_calls_in_any_order_twice_and_lost(corpus: list[Sentence], tmp_path: Path) -> None:
    """With dev data, a tag dictionary and cut-offs."""
    path = str(tmp_path / "some.conllu")
    write(corpus, path)
    recipe = RECIPE.replace({"tag_dictionary": 3, "cutoff": 2, "support": "gold"})
    train, dev = list(read(path)), random_corpus(2)
    dev = [Sentence({"form": s.columns["form"], "upos": s.columns["label"]}) for s in dev]
    whole = in_memory(recipe, train, dev)
    for seed in range(2):
        assert spread(recipe, open_source([path], size=300), ShufflingEngine(seed), dev) == whole


def test_a_tagger_is_trained_from_python(corpus: list[Sentence], tmp_path: Path) -> None:
    path = str(tmp_path / "some.conllu")
    write(corpus, path)
    tagger = fit_files(Tagger("collins-pos", epochs=1, shards=2), path, label="upos")
    same = Tagger("collins-pos", epochs=1, shards=2, labels_column="upos").fit(list(read(path)))
    assert tagger.save(str(tmp_path / "a")) == same.save(str(tmp_path / "b"))


@pytest.mark.parametrize(
    ("line", "text", "settings", "message"),
    [
        (47, "a b c", {}, "expected 2 columns"),
        (47, "a Q-X", {"labels.scheme": "IOBES"}, "Q-X is not a label of"),
        (47, "a E-X", {"constrain": True}, "E-X is not a label of IOB2, which breaks IOB2"),
    ],
)
def test_a_fault_is_found_on_its_line(
    line: int, text: str, settings: dict[str, Any], message: str, tmp_path: Path
) -> None:
    lines = ["x B-X", "y I-X", "z O", ""] * 40
    lines[line - 1] = text
    path = tmp_path / "some.txt"
    path.write_text("\n".join(lines) + "\n")
    recipe = make_recipe(templates=["form[0]"], epochs=1, shards=2, **{"labels.column": "y"}).replace(settings)
    with pytest.raises(DataError, match=message) as expected:
        in_memory(recipe, list(read(str(path), columns=["form", "y"])))
    with pytest.raises(DataError, match=message) as found:
        spread(recipe, open_source([str(path)], columns=["form", "y"], size=60), ThreadsEngine(1))
    assert str(found.value) == str(expected.value)
    assert f"some.txt:{line}" in str(found.value)


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"shards": 1}, "shards: expected more than one"),
        ({"learner": "guided"}, "not possible with data that are spread out: learner 'guided' compares"),
        ({"weights": "voted", "shards": 2}, "shards: expected 1 with weights = 'voted'"),
        ({"shards": 2, "labels.missing": "_", "support": "all"}, "not possible .*: labels.missing"),
    ],
)
def test_what_needs_all_data_is_refused_before_any_file_is_read(settings: dict[str, Any], key: str) -> None:
    recipe = make_recipe(templates=["form[0]"], epochs=1).replace(settings)
    with pytest.raises(SettingError, match=key):
        spread(recipe, open_source([__file__]), ThreadsEngine(1))


@pytest.mark.parametrize("name", ["some.conllu.gz", "some.jsonl.bz2", "some.txt.xz"])
def test_compressed_files_in_parts(
    name: str, corpus: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perceptag.cluster.sources.PART", 300)
    path, names = str(tmp_path / name), ["form", "upos"] if "txt" in name else None
    write(corpus, path)
    whole = in_memory(RECIPE, list(read(path, columns=names)))
    source = open_source([path], columns=names)
    assert len(source.parts) == 1
    assert len(source.unpacked(tmp_path).parts) > 3
    assert spread(RECIPE, source, ThreadsEngine(2)) == whole
    assert spread(RECIPE, source, ShufflingEngine(1)) == whole


def test_a_damaged_file_is_named(corpus: list[Sentence], tmp_path: Path) -> None:
    path = tmp_path / "some.conllu.gz"
    write(corpus, str(path))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"some\.conllu\.gz: cannot read: .* it ends too early"):
        open_source([str(path)]).unpacked(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["some.conllu.gz"]


@pytest.mark.parametrize("document", [True, False])
def test_a_file_of_parquet_is_one_part(document: bool, corpus: list[Sentence], tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path, number = str(tmp_path / "some.parquet"), 0
    rows: dict[str, list[Any]] = {"form": [], "upos": [], "document_id": []}
    for s in corpus:
        number += s.starts_document
        for name, value in (("form", s.columns["form"]), ("upos", s.columns["upos"]), ("document_id", number)):
            rows[name].append(value)
    table = pa.table(rows if document else {name: rows[name] for name in ("form", "upos")})
    pq.write_table(table, path, row_group_size=7)
    source = open_source([path], size=200)
    assert len(source.parts) == 1
    assert [s.columns for s in source.read(0)] == [s.columns for s in read(path)]
    assert spread(RECIPE, source, ThreadsEngine(2)) == in_memory(RECIPE, list(read(path)))
    recipe = RECIPE.replace({"templates": ["form[0]", "doc_recurs[0]"]})
    assert spread(recipe, source, ThreadsEngine(1)) == in_memory(recipe, list(read(path)))
