"""NLTK: its tagger interface, and sentences from its corpus readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perceptag import DataError, Pipeline, Tagger

pytest.importorskip("nltk")
pytestmark = pytest.mark.doors

TAGGED = [[("The", "DT"), ("dog", "NN"), ("barks", "VBZ")], [("A", "DT"), ("cat", "NN"), ("sleeps", "VBZ")]]
CHUNKS = "The DT B-NP\ndog NN I-NP\nbarks VBZ O\n\nA DT B-NP\ncat NN I-NP\nsleeps VBZ O\n"


def readers(folder: Path) -> tuple[Any, Any]:
    """Corpus readers over files of our own: of tags, and of chunks."""
    from nltk.corpus.reader import ConllChunkCorpusReader, TaggedCorpusReader

    (folder / "tags.pos").write_text("The/DT dog/NN barks/VBZ\nA/DT cat/NN sleeps/VBZ\n", encoding="utf-8")
    (folder / "chunks.txt").write_text(CHUNKS, encoding="utf-8")
    tags = TaggedCorpusReader(str(folder), [str(folder / "tags.pos")])
    return tags, ConllChunkCorpusReader(str(folder), [str(folder / "chunks.txt")], chunk_types=["NP"])


def test_it_is_a_tagger_of_nltk() -> None:
    from nltk.tag.api import TaggerI

    from perceptag.nltk import PerceptagTagger

    tagger = PerceptagTagger(train=TAGGED, recipe="collins-pos", epochs=2)
    assert isinstance(tagger, TaggerI)
    assert tagger.tag(["The", "cat", "barks"]) == [("The", "DT"), ("cat", "NN"), ("barks", "VBZ")]
    assert tagger.tag_sents([["A", "dog"], []]) == [[("A", "DT"), ("dog", "NN")], []]
    assert tagger.accuracy(TAGGED) == 1.0
    assert "NN" in tagger.evaluate_per_tag(TAGGED)
    own = Tagger("collins-pos", epochs=2).fit([[w for w, _ in s] for s in TAGGED], [[y for _, y in s] for s in TAGGED])
    assert PerceptagTagger(model=own).tag_sents([["A", "cat"]]) == tagger.tag_sents([["A", "cat"]])


def test_corpus_readers_give_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    from perceptag.nltk import PerceptagTagger, to_sentences

    monkeypatch.setattr(nltk.data, "path", [*nltk.data.path, str(tmp_path)])  # NLTK reads from these folders only
    tags, chunks = readers(tmp_path)
    assert to_sentences(tags.tagged_sents())[1].columns == {
        "form": ["A", "cat", "sleeps"],
        "label": ["DT", "NN", "VBZ"],
    }
    assert to_sentences(tags.sents())[0].columns == {"form": ["The", "dog", "barks"]}
    trees, triples = to_sentences(chunks.chunked_sents()), to_sentences(chunks.iob_sents())
    assert trees == triples
    assert trees[0].columns["pos"] == ["DT", "NN", "VBZ"]
    assert trees[0].columns["label"] == ["B-NP", "I-NP", "O"]
    chunker = PerceptagTagger(train=chunks.chunked_sents(), recipe="chunk", epochs=3)
    tagged = [("A", "DT"), ("dog", "NN"), ("sleeps", "VBZ")]
    assert [label for _, label in chunker.tag(tagged)] == ["B-NP", "I-NP", "O"]


@pytest.fixture(scope="module")
def layered() -> Pipeline:
    words = [[word for word, _ in sentence] for sentence in TAGGED]
    upos, xpos, ner = ([label] * 3 for label in ("NOUN", "NN", "B-X"))
    fit = {name: Tagger("collins-pos", epochs=1, labels_column=name) for name in ("upos", "xpos", "ner")}
    with pytest.warns(UserWarning, match="at least two labels"):
        return Pipeline([fit[n].fit(words, [y] * 2) for n, y in (("upos", upos), ("xpos", xpos), ("ner", ner))])


def test_a_pipeline_gives_tags_unless_another_layer_is_chosen(layered: Pipeline) -> None:
    from perceptag.nltk import PerceptagTagger

    cat = ["cat"]
    assert PerceptagTagger(model=layered).tag(cat) == [("cat", "NOUN")]
    assert PerceptagTagger(model=layered, layer="ner").tag(cat) == [("cat", "B-X")]
    assert PerceptagTagger(model=layered, layer="xpos").tag(cat) == [("cat", "NN")]
    assert PerceptagTagger(model=layered.with_layers(drop="upos")).tag(cat) == [("cat", "NN")]
    assert PerceptagTagger(model=layered.with_layers(drop=["upos", "xpos"])).tag(cat) == [("cat", "B-X")]


def test_odd_sentences() -> None:
    from nltk.tree import Tree

    from perceptag.nltk import PerceptagTagger, to_sentences

    chunks = [[("The", "DT", "B-NP"), ("dog", "NN", "I-NP"), ("barks", "VBZ", "O")]] * 2
    chunker = PerceptagTagger(train=chunks, recipe="chunk", epochs=3, inner_folds=0)
    pairs = [(word, tag) for word, tag, _ in chunks[0]]
    assert [y for _, y in chunker.tag(pairs)] == [y for _, y in chunker.tag(chunks[0])] == ["B-NP", "I-NP", "O"]
    assert chunker.tag_sents(([], tuple(pairs)))[0] == []
    for tree in (Tree("S", [Tree("NP", ["a"])]), Tree("S", [Tree("NP", [Tree("NN", [("a", "b")])])])):
        with pytest.raises(DataError, match="sentence 0: expected a tree of chunks, whose leaves are words with"):
            to_sentences([tree])

    with pytest.raises(DataError, match="sentence 0, token 0: column 'label': expected a label, found ''"):
        PerceptagTagger(train=[[("a", "")]], recipe="collins-pos")
